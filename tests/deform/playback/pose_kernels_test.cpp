// SPDX-License-Identifier: MIT
// Every SIMD kernel against its plain twin, on every instruction set of this machine.

#include "reference/deform/plain_pose.h"
#include "support/motion.h"
#include <gtest/gtest.h>
#include <hwy/targets.h>

#include "sinew/deform/playback/hierarchy.h"

namespace sinew::deform {
namespace pose_kernels_test {

using math::Quatd;
using math::Transform;
using math::Vec3d;
using model::PackedClip;
using test::Random;

LocalPose random_pose(Random& random, std::size_t joints) {
    LocalPose pose(joints);
    for (std::size_t j = 0; j < joints; ++j)
        pose.set(j, {random.vector(2), random.rotation(), Vec3d::Ones() + random.vector(0.5)});
    return pose;
}

JointMask random_mask(Random& random, std::size_t joints) {
    std::vector<float> weights;
    for (std::size_t j = 0; j < joints; ++j) {
        const double kind = random.uniform();
        weights.push_back(kind < 0.2 ? 0.0f : kind < 0.4 ? 1.0f : static_cast<float>(random.uniform()));
    }
    return JointMask(weights);
}

/// Largest difference over the joints and the padding alike.
double difference(std::span<const float> a, std::span<const float> b) {
    EXPECT_EQ(a.size(), b.size());
    double max = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const double d = std::abs(double{a[i]} - double{b[i]});
        max = d <= max ? max : d;  // a NaN stays and fails the test
    }
    return max;
}

/// Calls `body(joints)` for all joint counts on each instruction set.
template <class Body>
void for_all(const Body& body) {
    for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
        SCOPED_TRACE(hwy::TargetName(target));
        hwy::SetSupportedTargetsForTest(target);
        for (std::size_t joints = 1; joints <= 70 && !testing::Test::HasFatalFailure(); ++joints)
            body(joints);
    }
    hwy::SetSupportedTargetsForTest(0);
}

TEST(PoseKernels, Sample) {
    Random random(1);
    for_all([&](std::size_t joints) {
        const model::Skeleton skeleton = test::random_skeleton(random, joints);
        const PackedClip clip = model::pack(
            test::random_clip(random, skeleton, {.frames = 4, .turn = 3, .everything = joints % 2 == 1}),
            skeleton);
        LocalPose fast(joints), plain(joints);
        for (const float fraction : {0.0f, 0.3f, 0.5f, 0.99999f}) {
            const FramePosition position{static_cast<std::size_t>(random.integer(0, 2)), fraction};
            simd::sample(clip, position, fast.data.data());
            plain::sample(clip, position, plain.data.data());
            ASSERT_LT(difference(fast.data, plain.data), 3e-7) << joints << " joints";
        }
    });
}

TEST(PoseKernels, Blend) {
    Random random(2);
    for_all([&](std::size_t joints) {
        const LocalPose rest = random_pose(random, joints);
        const std::size_t stride = rest.stride;
        AlignedVector<float> fast(blend_rows * stride), plain(blend_rows * stride);
        const int inputs = random.integer(1, 5);
        for (int i = 0; i < inputs; ++i) {
            const LocalPose pose = random_pose(random, joints);
            const JointMask mask = random_mask(random, joints);
            const PoseInput input{pose.data.data(), static_cast<float>(random.uniform(0, 0.8)),
                                  random.uniform() < 0.5 ? nullptr : mask.data()};
            (i == 0 ? simd::start_blend : simd::add_to_blend)(input, stride, fast.data());
            (i == 0 ? plain::start_blend : plain::add_to_blend)(input, stride, plain.data());
            ASSERT_LT(difference(fast, plain), 2e-6);
        }
        LocalPose fast_pose(joints), plain_pose(joints);
        // From one sum, so that only this step is compared.
        simd::finish_blend(plain.data(), rest.data.data(), stride, fast_pose.data.data());
        plain::finish_blend(plain.data(), rest.data.data(), stride, plain_pose.data.data());
        ASSERT_LT(difference(fast_pose.data, plain_pose.data), 2e-6) << joints << " joints";
    });
}

TEST(PoseKernels, BlendOfOpposedRotationsNeverCancels) {
    // Three rotations that sum to nothing with the wrong signs.
    const Quatd turns[] = {Quatd::Identity(), math::axis_angle<double>(Vec3d::UnitZ(), 2 * math::pi / 3),
                           math::axis_angle<double>(Vec3d::UnitZ(), 4 * math::pi / 3)};
    LocalPose pose(1), result(1);
    AlignedVector<float> sum(blend_rows * pose.stride);
    for (int i = 0; i < 3; ++i) {
        pose.set(0, {Vec3d::Zero(), turns[i], Vec3d::Ones()});
        (i == 0 ? simd::start_blend : simd::add_to_blend)({pose.data.data(), 1.0f / 3, nullptr}, pose.stride,
                                                          sum.data());
    }
    simd::finish_blend(sum.data(), LocalPose(1).data.data(), pose.stride, result.data.data());
    EXPECT_NEAR(result[0].rotation.norm(), 1, 1e-6);
}

TEST(PoseKernels, LayOver) {
    Random random(3);
    for_all([&](std::size_t joints) {
        const LocalPose layer = random_pose(random, joints);
        LocalPose fast = random_pose(random, joints), plain = fast;
        const JointMask mask = random_mask(random, joints);
        const PoseInput input{layer.data.data(), static_cast<float>(random.uniform()),
                              joints % 3 == 0 ? nullptr : mask.data()};
        simd::lay_over(input, layer.stride, fast.data.data());
        plain::lay_over(input, layer.stride, plain.data.data());
        ASSERT_LT(difference(fast.data, plain.data), 1e-6) << joints << " joints";
    });
}

TEST(PoseKernels, AddDelta) {
    Random random(4);
    for_all([&](std::size_t joints) {
        LocalPose delta = random_pose(random, joints);
        // No turn, hardly any, half a turn, and both sides of it, where roots and quotients are delicate.
        const Quatd special[] = {Quatd::Identity(), Quatd(1, 1e-7, 0, -1e-7), Quatd(1, 3e-6, 2e-6, 0),
                                 Quatd(0, 1, 0, 0), Quatd(1e-7, 0.6, 0, 0.8), Quatd(-0.01, 0.6, 0.8, 0)};
        for (std::size_t j = 0; j < joints; j += 3) {
            const Transform t = delta[j];
            delta.set(j, {t.translation, special[j / 3 % std::size(special)].normalized(), t.scale});
        }
        LocalPose fast = random_pose(random, joints), plain = fast;
        const JointMask mask = random_mask(random, joints);
        const PoseInput input{delta.data.data(), static_cast<float>(random.uniform(-1, 1.5)),
                              joints % 3 == 0 ? nullptr : mask.data()};
        simd::add_delta(input, delta.stride, fast.data.data());
        plain::add_delta(input, delta.stride, plain.data.data());
        ASSERT_LT(difference(fast.data, plain.data), 3e-6) << joints << " joints, weight " << input.weight;
    });
}

TEST(PoseKernels, AddDeltaStaysUnitAtAWholeTurn) {
    LocalPose delta(16);
    for (std::size_t j = 0; j < 16; ++j) delta.set(j, {Vec3d::Zero(), Quatd(-1, 0, 0, 0), Vec3d::Ones()});
    for (const float weight : {0.0f, 0.25f, 0.5f, 1.0f}) {
        LocalPose fast(16), plain(16);
        simd::add_delta({delta.data.data(), weight, nullptr}, 16, fast.data.data());
        plain::add_delta({delta.data.data(), weight, nullptr}, 16, plain.data.data());
        EXPECT_LT(difference(fast.data, plain.data), 1e-6) << weight;
    }
}

TEST(PoseKernels, Hierarchy) {
    Random random(5);
    for_all([&](std::size_t joints) {
        const model::Skeleton skeleton = test::random_skeleton(random, joints);
        const Hierarchy hierarchy(skeleton, test::random_skin_joints(random, skeleton));
        const LocalPose pose = random_pose(random, joints);
        std::vector<Mat34f> fast_world(joints), plain_world(joints);
        std::vector<Mat34f> fast(hierarchy.palette_size()), plain(hierarchy.palette_size());
        EXPECT_TRUE(simd::hierarchy(hierarchy.job(pose, fast_world, fast)));
        EXPECT_TRUE(plain::hierarchy(hierarchy.job(pose, plain_world, plain)));
        const auto compare = [](std::span<const Mat34f> a, std::span<const Mat34f> b) {
            double size = 1;
            for (const Mat34f& m : b) size = std::max(size, to_mat4(m).cwiseAbs().maxCoeff());
            for (std::size_t i = 0; i < a.size(); ++i) {
                ASSERT_LT((to_mat4(a[i]) - to_mat4(b[i])).cwiseAbs().maxCoeff(), 1e-5 * size) << i;
            }
        };
        compare(fast_world, plain_world);
        compare(fast, plain);
    });
}

}  // namespace pose_kernels_test
}  // namespace sinew::deform
