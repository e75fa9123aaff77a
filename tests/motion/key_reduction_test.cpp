// SPDX-License-Identifier: MIT
#include "support/data.h"
#include "support/motion.h"
#include <gtest/gtest.h>

#include "sinew/io/io.h"
#include "sinew/motion/edit.h"
#include "sinew/sample/samples.h"

namespace sinew::motion {
namespace key_reduction_test {

using math::Vec3d;

/// Vertices by linear blending, in double, or joints and tips without a skin.
std::vector<Vec3d> points_of(const model::Character& c, const model::Clip& clip, double time) {
    const auto world = model::world_matrices(c, &clip, time);
    std::vector<Vec3d> points;
    if (!c.has_skin()) {
        points = model::joint_positions(world);
        for (std::size_t j = 0; j < world.size(); ++j) {
            if (c.skeleton.joints[j].tip)
                points.push_back(math::transform_point(world[j], *c.skeleton.joints[j].tip));
        }
        return points;
    }
    const auto palette = model::palette(c.skin, world);
    for (std::size_t v = 0; v < c.mesh.vertex_count(); ++v) {
        Vec3d sum = Vec3d::Zero();
        for (const model::Influence& i : c.skin.of(v))
            sum += static_cast<double>(i.weight) *
                   math::transform_point(palette[i.joint], c.mesh.positions[v].cast<double>());
        points.push_back(sum);
    }
    return points;
}

double measured(const model::Character& c, const model::Clip& a, const model::Clip& b) {
    double largest = 0;
    const std::size_t frames = model::frame_count(a);
    for (std::size_t f = 0; f < frames; f += 1 + frames / 1000) {
        const double time = model::frame_time(a, f);
        const auto p = points_of(c, a, time), q = points_of(c, b, time);
        for (std::size_t i = 0; i < p.size(); ++i) largest = std::max(largest, (p[i] - q[i]).norm());
    }
    return largest;
}

TEST(KeyReduction, BoundHoldsOnTheSkinOfTheSampleWalk) {
    const model::Character man = sample::make("man");
    ASSERT_TRUE(man.has_skin());
    ASSERT_FALSE(man.clips.empty());
    std::size_t before = 0;
    for (const double tolerance : {1e-3, 1e-2}) {
        const KeyReduction result = reduce_keys(man.clips[0], man, tolerance);
        model::validate(result.clip, man.skeleton.size(), man.mesh.morphs.size(), "test");
        EXPECT_LE(result.largest_error, tolerance);
        const double error = measured(man, man.clips[0], result.clip);
        EXPECT_LE(error, 1.001 * tolerance);
        EXPECT_NEAR(error, result.largest_error, 0.05 * tolerance);
        if (before > 0) {
            EXPECT_LT(result.keys_after, before);
        }
        before = result.keys_after;
        // A centimetre on a man leaves less than a third of the keys.
        if (tolerance == 1e-2) {
            EXPECT_LT(3 * result.keys_after, result.keys_before);
        }
        const model::TimeRange a = model::time_range(man.clips[0]), b = model::time_range(result.clip);
        EXPECT_NEAR(a.start, b.start, 1e-5);
        EXPECT_NEAR(a.end, b.end, 1e-5);
    }
}

TEST(KeyReduction, BoundHoldsOnRealCaptures) {
    SINEW_NEEDS_DATA();
    for (const std::string_view file : {"bvh/cmu_01_01.bvh", "bvh/pirouette.bvh"}) {
        if (!std::filesystem::exists(test::data(file))) continue;
        model::Character c = io::read(test::data(file)).character;
        c.clips[0] = model::trimmed(c.clips[0], 0, 4);
        const double tolerance = 0.002 * model::height(c.skeleton);
        const KeyReduction result = reduce_keys(c.clips[0], c, tolerance);
        EXPECT_LE(result.largest_error, tolerance) << file;
        EXPECT_LE(measured(c, c.clips[0], result.clip), 1.001 * tolerance) << file;
        EXPECT_LT(2 * result.keys_after, result.keys_before) << file;
    }
}

TEST(KeyReduction, ALineNeedsTwoKeysAndAStillListOne) {
    model::Skeleton skeleton;
    skeleton.joints.resize(2);
    skeleton.joints[0].name = "a";
    skeleton.joints[1] = {"b", 0, {}, Vec3d(0, 1, 0), {}};
    skeleton.joints[1].rest.translation = {0, 1, 0};
    model::Clip clip;
    clip.tracks.resize(2);
    clip.tracks[1].joint = 1;
    model::Track& a = clip.tracks[0];
    a.translation.times = a.rotation.times = clip.tracks[1].rotation.times =
        model::KeyTimes::even(0, 0.1, 51);
    for (int k = 0; k <= 50; ++k) {
        a.translation.values.emplace_back(0.1f * static_cast<float>(k), 0, 0);
        a.rotation.values.push_back(math::axis_angle(Vec3d(Vec3d::UnitZ()), 0.02 * k).cast<float>());
        clip.tracks[1].rotation.values.emplace_back(math::Quatf::Identity());
    }
    const KeyReduction result = reduce_keys(clip, skeleton, 1e-4);
    EXPECT_EQ(result.keys_before, 153u);
    EXPECT_EQ(result.keys_after, 5u);
    EXPECT_LT(result.largest_error, 1e-4);
}

TEST(KeyReduction, TwistsOfALeafCountWithoutASkin) {
    model::Skeleton skeleton;
    skeleton.joints.resize(1);
    skeleton.joints[0].name = "a";
    skeleton.joints[0].tip = Vec3d(0, 1, 0);
    model::Clip clip;
    clip.tracks.resize(1);
    clip.tracks[0].rotation.times = model::KeyTimes::even(0, 0.1, 41);
    for (int k = 0; k <= 40; ++k) {
        const double angle = std::sin(0.3 * k);
        clip.tracks[0].rotation.values.push_back(
            math::axis_angle(Vec3d(Vec3d::UnitY()), angle).cast<float>());
    }
    const KeyReduction result = reduce_keys(clip, skeleton, 1e-3);
    EXPECT_GT(result.keys_after, 8u);
    for (double t = 0; t < 4; t += 0.1) {
        EXPECT_LT(math::angle_between(model::sample(clip.tracks[0].rotation, t),
                                      model::sample(result.clip.tracks[0].rotation, t)),
                  0.03);
    }
}

TEST(KeyReduction, StepsStaySteps) {
    model::Skeleton skeleton;
    skeleton.joints.resize(1);
    skeleton.joints[0].name = "a";
    model::Clip clip;
    clip.tracks.resize(1);
    model::Keys<math::Vec3f>& keys = clip.tracks[0].translation;
    keys.mode = model::Interpolation::step;
    keys.times = model::KeyTimes::even(0, 1, 10);
    for (int k = 0; k < 10; ++k) keys.values.emplace_back(k < 5 ? 0.0f : 1.0f, 0, 0);
    const KeyReduction result = reduce_keys(clip, skeleton, 1e-3);
    EXPECT_EQ(result.largest_error, 0);
    EXPECT_LT(result.keys_after, 6u);
    EXPECT_EQ(model::sample(result.clip.tracks[0].translation, 4.9).x(), 0);
    EXPECT_EQ(model::sample(result.clip.tracks[0].translation, 5.0).x(), 1);
}

}  // namespace key_reduction_test
}  // namespace sinew::motion
