// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "io/acclaim/amc_support.h"
#include "io/mesh/mesh_support.h"
#include "support/motion.h"

namespace sinew::io {
namespace amc_write_test {

using math::Vec3d;

/// Writes into a folder and reads again.
Asset round_trip(const Asset& asset, Monitor& monitor = silent()) {
    const test::TemporaryFolder folder;
    write(folder / "out.amc", asset, {}, monitor);
    ReadOptions options;
    if (!asset.character.clips.empty()) options.rate = model::frame_rate(asset.character.clips[0]);
    Collector collector;
    Asset again = io::read(folder / "out.amc", options, collector);
    EXPECT_TRUE(collector.warnings().empty()) << collector.warnings()[0].text;
    return again;
}

/// Largest distance between joints over all frames; the only root is called "root" in the second.
double worst_distance(const Asset& a, const Asset& b) {
    double worst = 0;
    const auto& joints = a.character.skeleton.joints;
    const auto roots =
        std::count_if(joints.begin(), joints.end(), [](const auto& joint) { return joint.parent < 0; });
    const std::size_t frames = a.character.clips.empty() ? 1 : model::frame_count(a.character.clips[0]);
    for (std::size_t f = 0; f < frames; ++f) {
        const double time = a.character.clips.empty() ? 0 : model::frame_time(a.character.clips[0], f);
        const double start = a.character.clips.empty() ? 0 : model::time_range(a.character.clips[0]).start;
        const auto clip = [](const Asset& asset) {
            return asset.character.clips.empty() ? nullptr : asset.character.clips.data();
        };
        const auto p = model::joint_positions(model::world_matrices(a.character, clip(a), time)),
                   q = model::joint_positions(model::world_matrices(b.character, clip(b), time - start));
        for (std::size_t j = 0; j < p.size(); ++j) {
            const bool root = joints[j].parent < 0 && roots == 1;
            std::string name = root ? "root" : joints[j].name;
            std::replace(name.begin(), name.end(), ' ', '_');
            const int other = b.character.skeleton.find(name);
            worst = std::max(worst, (p[j] - q.at(static_cast<std::size_t>(other))).norm());
        }
    }
    return worst;
}

TEST(AmcWrite, RealTrialsKeepEverything) {
    SINEW_NEEDS_DATA();
    const Asset first = io::read(test::data("asf-amc/07_05.amc"));
    Collector collector;
    const Asset second = round_trip(first, collector);
    EXPECT_TRUE(collector.warnings().empty()) << collector.warnings()[0].text;
    ASSERT_EQ(second.character.skeleton.size(), first.character.skeleton.size());
    EXPECT_EQ(model::frame_count(second.character.clips.at(0)),
              model::frame_count(first.character.clips.at(0)));
    EXPECT_LT(worst_distance(first, second), 2e-6);
    EXPECT_DOUBLE_EQ(second.character.unit, 0.0254 / 0.45);
    for (std::size_t j = 0; j < first.character.skeleton.size(); ++j) {
        const model::Joint &a = first.character.skeleton.joints[j], &b = second.character.skeleton.joints[j];
        EXPECT_EQ(a.name, b.name);
        EXPECT_EQ(a.parent, b.parent);
        EXPECT_LT((a.rest.translation - b.rest.translation).norm(), 1e-12);
        ASSERT_EQ(a.tip.has_value(), b.tip.has_value()) << a.name;
        if (a.tip) {
            EXPECT_LT((*a.tip - *b.tip).norm(), 1e-12);
        }
        ASSERT_EQ(a.limits.has_value(), b.limits.has_value()) << a.name;
        if (!a.limits) continue;
        EXPECT_LT(math::angle_between(a.limits->frame, b.limits->frame), 1e-12) << a.name;
        for (int axis = 0; axis < 3; ++axis) {
            EXPECT_TRUE(a.limits->low[axis] == b.limits->low[axis] ||
                        std::abs(a.limits->low[axis] - b.limits->low[axis]) < 1e-12)
                << a.name;
        }
    }
    EXPECT_EQ(first.character.clips[0].tracks.size(), second.character.clips[0].tracks.size())
        << "locked axes stay without numbers";
}

TEST(AmcWrite, BvhTrialsKeepTheirPlaces) {
    SINEW_NEEDS_DATA();
    for (const char* const name : {"bvh/cmu_07_05.bvh", "bvh/pirouette.bvh"}) {
        const Asset first = io::read(test::data(name));
        EXPECT_LT(worst_distance(first, round_trip(first)), 1e-5 * model::height(first.character.skeleton))
            << name;
    }
}

TEST(AmcWrite, RandomCharactersKeepTheirPlaces) {
    for (unsigned seed = 0; seed < 20; ++seed) {
        test::Random random(seed);
        Asset first;
        first.character.skeleton = test::random_skeleton(random, 12);
        test::RandomClip options;
        options.everything = seed % 2 == 1;
        options.start = seed % 3 == 0 ? 0.5 : 0;
        first.character.clips.push_back(test::random_clip(random, first.character.skeleton, options));
        EXPECT_LT(worst_distance(first, round_trip(first)),
                  1e-5 * (1 + model::height(first.character.skeleton)))
            << seed;
    }
}

TEST(AmcWrite, ARestPoseIsOneFrame) {
    test::Random random(3);
    Asset first;
    first.character.skeleton = test::random_skeleton(random, 5);
    EXPECT_LT(worst_distance(first, round_trip(first)), 1e-6);
}

TEST(AmcWrite, HingesStayHingesThroughAQuarterTurn) {
    const test::AmcPair pair(
        test::two_bones("    direction 0 1 0\n    length 2\n    axis 0 0 0 XYZ\n    dof ry\n",
                        "    direction 1 0 0\n    length 3\n    axis 0 0 0 XYZ\n    dof rz\n"),
        ":DEGREES\n1\nroot 0 0 0 0 0 0\nupper 80\nlower 0\n2\nroot 0 0 0 0 0 0\nupper 90\nlower 1\n"
        "3\nroot 0 0 0 0 0 0\nupper 120\nlower 2\n");
    Collector collector;
    const Asset first = pair.read();
    const Asset second = round_trip(first, collector);
    EXPECT_TRUE(collector.warnings().empty());
    EXPECT_LT(worst_distance(first, second), 1e-6);
    EXPECT_EQ(second.character.skeleton.joints[1].limits.value().high.x(), 0) << "no dof rx was needed";
}

TEST(AmcWrite, TheSkeletonIsWrittenBesideUnlessItIsThere) {
    const test::AmcPair pair(
        test::two_bones("    direction 0 1 0\n    length 2\n", "    direction 1 0 0\n    length 3\n"),
        ":DEGREES\n1\nroot 0 0 0 0 0 0\n");
    const Asset asset = pair.read();
    const test::TemporaryFolder folder;
    Collector collector;
    write(folder / "out.amc", asset, {}, collector);
    const std::string skeleton = test::read_text(folder / "out.asf");
    write(folder / "out.amc", asset, {}, collector);
    EXPECT_TRUE(collector.warnings().empty());
    test::write_text(folder / "out.asf", "something else");
    write(folder / "out.amc", asset, {}, collector);
    EXPECT_TRUE(collector.has("amc-skeleton-replaced"));
    EXPECT_EQ(test::read_text(folder / "out.asf"), skeleton);
    write(folder / "alone.asf", asset);
    EXPECT_EQ(test::read_text(folder / "alone.asf"), skeleton);
}

TEST(AmcWrite, NamesThatCannotBeReadAreChanged) {
    Asset asset;
    asset.character.skeleton.joints.resize(3);
    asset.character.skeleton.joints[0].name = "Hips";
    asset.character.skeleton.joints[1] = {"left (arm)", 0, {}, Vec3d(0, 1, 0)};
    asset.character.skeleton.joints[2] = {"End", 0, {}, Vec3d(0, 1, 0)};
    Collector collector;
    const Asset again = round_trip(asset, collector);
    EXPECT_TRUE(collector.has("asf-name"));
    EXPECT_EQ(again.character.skeleton.joints.at(1).name, "left__arm_");
    EXPECT_EQ(again.character.skeleton.joints.at(2).name, "End_2");
    EXPECT_EQ(test::read_error(
                  [](Bytes, const std::filesystem::path& path, const ReadOptions&, Monitor& monitor) {
                      write_asf({}, path, {}, monitor);
                      return Asset();
                  },
                  "", "x.asf"),
              "x.asf: an ASF skeleton needs joints");
}

}  // namespace amc_write_test
}  // namespace sinew::io
