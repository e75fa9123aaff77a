// SPDX-License-Identifier: MIT
#include <numeric>

#include "fit/sequences.h"
#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/base/parallel.h"
#include "sinew/fit/decomposition/decomposition.h"
#include "sinew/fit/decomposition/motion_step.h"
#include "sinew/fit/decomposition/simplex.h"
#include "sinew/fit/decomposition/transforms.h"
#include "sinew/fit/decomposition/weight_step.h"
#include "sinew/fit/fit.h"
#include "sinew/fit/proxy/block_cholesky.h"
#include "sinew/fit/proxy/dual_weights.h"
#include "sinew/fit/proxy/proxy.h"

namespace sinew::fit {
namespace refinement_test {

using model::MeshSequence;

MeshSequence rolling(std::uint32_t n = 16, std::size_t frames = 6) {
    return test::played(test::sheet(n, 0.2), frames, test::rolled);
}

TEST(BlockCholesky, SolvesLikeADenseMatrix) {
    test::Random random(7);
    for (int trial = 0; trial < 20; ++trial) {
        const std::size_t size = 1 + static_cast<std::size_t>(random.uniform(0, 12));
        std::vector<BlockPattern::Pair> pairs;
        const auto n = static_cast<Eigen::Index>(3 * size);
        Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(n, n);
        for (std::uint32_t a = 0; a < size; ++a) {
            for (std::uint32_t b = 0; b <= a; ++b) {
                if (a != b && random.uniform(0, 1) < 0.6) continue;
                pairs.push_back({a, b});
                Eigen::Matrix3d block;
                for (int i = 0; i < 9; ++i) block.data()[i] = random.normal();
                if (a == b) block = (block * block.transpose() + 30 * Eigen::Matrix3d::Identity()).eval();
                dense.block<3, 3>(3 * a, 3 * b) = block;
                dense.block<3, 3>(3 * b, 3 * a) = block.transpose();
            }
        }
        const BlockPattern pattern(size, pairs);
        BlockCholesky<3> matrix(pattern);
        for (std::size_t k = 0; k < pairs.size(); ++k)
            matrix.set(k, dense.block<3, 3>(3 * pairs[k].first, 3 * pairs[k].second));
        ASSERT_TRUE(matrix.factor());
        Eigen::VectorXd x = Eigen::VectorXd::LinSpaced(n, -1, 2);
        const Eigen::VectorXd right = x;
        matrix.solve(x);
        EXPECT_LT((dense * x - right).norm(), 1e-9);
    }
    const std::vector<BlockPattern::Pair> one = {{0, 0}};
    const BlockPattern pattern(1, one);
    BlockCholesky<3> negative(pattern);
    negative.set(0, -Eigen::Matrix3d::Identity());
    EXPECT_FALSE(negative.factor());
}

TEST(DualWeights, EveryRoundLowersTheErrorAndWeightsStayConvex) {
    const MeshSequence sequence = rolling();
    double before = 1e9;
    for (int rounds = 0; rounds < 3; ++rounds) {
        ProxyOptions options;
        options.joints = 12;
        options.hats.influences = 4;
        options.refinements = rounds;
        const FitResult fit = fit_proxy(sequence, options);
        const double error = fit_error(sequence, fit).rms;
        // The first round takes far more than the 30 % that alternation should.
        EXPECT_LT(error, rounds == 1 ? 0.7 * before : before);
        before = error;
        for (std::size_t v = 0; v < fit.weights.vertex_count(); ++v) {
            double sum = 0;
            for (const BoneWeight& w : fit.weights.of(v)) {
                EXPECT_GE(w.weight, 0);
                sum += w.weight;
            }
            EXPECT_LE(fit.weights.of(v).size(), 4u);
            EXPECT_NEAR(sum, 1, 1e-12);
        }
    }
}

TEST(Simplex, WithoutExchangesTheBonesStay) {
    Eigen::MatrixXd gram = Eigen::MatrixXd::Identity(6, 6);
    Support support;
    support.count = 4;
    for (int a = 0; a < 4; ++a) {
        support.bones[static_cast<std::size_t>(a)] = a;
        support.weights[static_cast<std::size_t>(a)] = 0.25;
    }
    gram(5, 5) = 0.01;
    improve_support(gram, 4, support, 0);
    EXPECT_EQ(support.count, 4);
    for (int a = 0; a < support.count; ++a) EXPECT_LT(support.bones[static_cast<std::size_t>(a)], 4);
}

TEST(Transforms, OfGivenWeightsAreAsGoodAsThoseTheyCameFrom) {
    const MeshSequence sequence = rolling();
    for (const bool rigid : {true, false}) {
        const FitResult fit = fit_decomposition(sequence, {.bones = 6, .rigid = rigid});
        FitResult again = fit;
        again.frames = fit_transforms(sequence, fit);
        EXPECT_LT(fit_error(sequence, again).rms, 1.05 * fit_error(sequence, fit).rms) << rigid;
        for (const BonePose& pose : again.frames) {
            for (const Mat34d& m : pose.matrices) {
                if (rigid) {
                    EXPECT_NEAR(m.leftCols<3>().determinant(), 1, 1e-9);
                }
            }
        }
    }
}

TEST(Stream, ChunksGiveTheFitOfTheWholeAndKeepLittleInMemory) {
    const MeshSequence sequence = rolling(14, 24);
    std::size_t asked = 0;
    FrameSource source = source_of(sequence);
    source.frame = [&](std::size_t f) {
        ++asked;
        return sequence.frames[f];
    };
    FitOptions options;
    options.bones = 8;
    options.corrections = 2;
    const Fitted part = fit(source, options, 8);
    EXPECT_EQ(part.fit.frames.size(), 24u);
    EXPECT_EQ(asked, 8u + 3 * 24u);
    EXPECT_NEAR(part.error.rms, fit_error(sequence, part.fit).rms, 1e-9);
    const Fitted whole = fit(sequence, options);
    EXPECT_LT(part.error.rms, 2 * whole.error.rms);
    EXPECT_EQ(fit(source, options, 24).error.rms, whole.error.rms);
    source.frame = [&](std::size_t f) {
        auto frame = sequence.frames[f];
        if (f == 5) frame[3].x() = std::nanf("");
        return frame;
    };
    try {
        fit(source, options, 8);
        FAIL();
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("frame 5, vertex 3"), std::string::npos);
    }
}

TEST(Decomposition, WorkThatWasStoppedGoesOnFromItsLastIterate) {
    const MeshSequence sequence = rolling();
    struct Stop : Monitor {
        bool cancelled() const override { return stop; }
        bool stop = false;
    } monitor;
    DecompositionOptions options;
    options.bones = 8;
    FitResult kept;
    int seen = 0;
    options.on_iterate = [&](const FitResult& iterate) {
        kept = iterate;
        monitor.stop = ++seen == 6;
    };
    EXPECT_THROW(fit_decomposition(sequence, options, monitor), Cancelled);
    ASSERT_EQ(seen, 6);
    const double stopped = fit_error(sequence, kept).rms;
    DecompositionOptions on;
    on.bones = 8;
    on.start = &kept;
    const FitResult fit = fit_decomposition(sequence, on);
    EXPECT_EQ(fit.bone_count(), 8u);
    EXPECT_LT(fit_error(sequence, fit).rms, stopped);
}

TEST(ProxyJoints, DensityDrawsJointsToWhereItBends) {
    // Only the half x > 0.5 moves in waves.
    const MeshSequence sequence = test::played(test::sheet(24), 6, [](const Vec3d& p, double time) {
        return Vec3d(p.x(), p.y(), 0.1 * time * std::max(0.0, p.x() - 0.5) * std::sin(25 * p.x()));
    });
    PlacementOptions placement;
    placement.density = bending_density(sequence, 3);
    const auto in_half = [&](const ProxyJoints& joints) {
        return std::count_if(joints.vertices.begin(), joints.vertices.end(),
                             [&](std::uint32_t v) { return sequence.rest.positions[v].x() > 0.5f; });
    };
    EXPECT_GT(in_half(set_joint_positions(sequence.rest, 20, placement)),
              in_half(set_joint_positions(sequence.rest, 20)) + 2);
    // Joints where it bends replay it better.
    ProxyOptions options;
    options.joints = 20;
    const double even = fit_error(sequence, fit_proxy(sequence, options)).rms;
    options.placement = placement;
    EXPECT_LT(fit_error(sequence, fit_proxy(sequence, options)).rms, 0.9 * even);
    placement.density.pop_back();
    EXPECT_THROW(set_joint_positions(sequence.rest, 20, placement), Error);
}

TEST(FitOptions, EverySpreadOfJointsFits) {
    const MeshSequence sequence = rolling();
    for (const SeedPlacement spread :
         {SeedPlacement::even, SeedPlacement::relaxed, SeedPlacement::adaptive, SeedPlacement::surface}) {
        FitOptions choice;
        choice.method = FitMethod::proxy;
        choice.bones = 12;
        choice.placement = spread;
        EXPECT_LT(fit(sequence, choice).error.error_percent, 2) << static_cast<int>(spread);
    }
}

/// How far joints turn and move against the whole from frame to frame: root mean square over four points
/// around each.
double unrest(const FitResult& fit) {
    double sum = 0;
    std::size_t count = 0;
    const auto matrix = [](const BonePose& pose, std::size_t j) {
        return pose.matrices.empty() ? to_matrix(pose.duals[j]) : pose.matrices[j];
    };
    for (std::size_t f = 1; f < fit.frames.size(); ++f) {
        for (std::size_t j = 0; j < fit.bone_count(); ++j) {
            for (int k = 0; k < 4; ++k) {
                const Vec3d p = fit.centers[j] + (k < 3 ? Vec3d(0.1 * Vec3d::Unit(k)) : Vec3d::Zero());
                sum += ((matrix(fit.frames[f], j) - matrix(fit.frames[f - 1], j)) * p.homogeneous())
                           .squaredNorm();
                ++count;
            }
        }
    }
    return std::sqrt(sum / static_cast<double>(count));
}

TEST(TemporalSmoothing, JointsThatNoiseMovesComeToRest) {
    // A still sheet with noise: all that joints do from frame to frame is follow it.
    test::Random random(31);
    MeshSequence sequence = test::played(test::sheet(14, 0.2), 6, [](const Vec3d& p, double) { return p; });
    for (auto& frame : sequence.frames) {
        for (auto& p : frame) p += random.vector(0.01).cast<float>();
    }
    for (const bool rigid : {true, false}) {
        ProxyOptions options;
        options.joints = 12;
        options.rigid = rigid;
        const FitResult free = fit_proxy(sequence, options);
        options.temporal_smoothing = 1;
        const FitResult steady = fit_proxy(sequence, options);
        EXPECT_LT(unrest(steady), 0.6 * unrest(free)) << rigid;
        EXPECT_LT(fit_error(sequence, steady).rms, 1.2 * fit_error(sequence, free).rms) << rigid;
        options.temporal_smoothing = 1e9;
        // What is left is the motion of the whole.
        EXPECT_LT(unrest(fit_proxy(sequence, options)), 0.3 * unrest(free)) << rigid;
    }
}

TEST(TemporalSmoothing, TheMotionOfTheWholeIsNotHeldBack) {
    const auto turning = [](const Vec3d& p, double t) {
        return Vec3d(Eigen::AngleAxisd(4 * t, Vec3d(1, 2, 2).normalized()) * p + Vec3d(3 * t, 0, -t));
    };
    const MeshSequence sequence = test::played(test::sheet(10, 0.2), 9, turning);
    for (const bool rigid : {true, false}) {
        ProxyOptions options;
        options.joints = 9;
        options.rigid = rigid;
        options.temporal_smoothing = 100;
        EXPECT_LT(fit_error(sequence, fit_proxy(sequence, options)).rms, 1e-6) << rigid;
    }
}

TEST(FitOptions, TheRigidityScoreChoosesTheStart) {
    const Fitted hinge = fit(test::played(test::bar(30), 8, test::hinged), {.bones = 2});
    EXPECT_LT(hinge.rigidity, articulated_score);
    EXPECT_EQ(hinge.method, "decomposition");
    const Fitted cloth = fit(rolling(), {.bones = 4});
    EXPECT_GE(cloth.rigidity, articulated_score);
    EXPECT_EQ(cloth.method, "decomposition from even joints");
    EXPECT_EQ(cloth.fit.bone_count(), 4u);
}

TEST(FitOptions, ThreadsDoNotChangeABit) {
    const MeshSequence sequence = rolling();
    std::vector<Vec3d> first;
    for (const int threads : {1, 2, 4}) {
        set_thread_count(threads);
        FitOptions choice;
        choice.bones = 10;
        choice.method = FitMethod::proxy;
        choice.corrections = 2;
        const std::vector<Vec3d> played = deformed(fit(sequence, choice).fit, 4);
        if (first.empty()) first = played;
        EXPECT_EQ(played, first) << threads;
    }
    set_thread_count(0);
}

}  // namespace refinement_test
}  // namespace sinew::fit
