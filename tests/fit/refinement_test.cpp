#include <numeric>

#include "fit/sequences.h"
#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/base/parallel.h"
#include "sinew/fit/baselines.h"
#include "sinew/fit/block_cholesky.h"
#include "sinew/fit/bone_tree.h"
#include "sinew/fit/decomposition.h"
#include "sinew/fit/dual_weights.h"
#include "sinew/fit/motion_step.h"
#include "sinew/fit/proxy.h"
#include "sinew/fit/reduced.h"
#include "sinew/fit/simplex.h"
#include "sinew/fit/size.h"
#include "sinew/fit/stream.h"
#include "sinew/fit/transforms.h"
#include "sinew/fit/weight_step.h"

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

TEST(DualWeights, AMovedRestPoseNeverHurts) {
    const MeshSequence sequence = rolling();
    ProxyOptions options;
    options.joints = 12;
    options.hats.influences = 4;
    options.refinements = 2;
    const double fixed = fit_error(sequence, fit_proxy(sequence, options)).rms;
    options.move_rest = true;
    EXPECT_LT(fit_error(sequence, fit_proxy(sequence, options)).rms, 1.02 * fixed);
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
    StreamOptions options;
    options.choice.bones = 8;
    options.choice.corrections = 2;
    options.chunk = 8;
    const Fitted part = fit_stream(source, options);
    EXPECT_EQ(part.fit.frames.size(), 24u);
    EXPECT_EQ(asked, 8u + 3 * 24u);
    EXPECT_NEAR(part.error.rms, fit_error(sequence, part.fit).rms, 1e-9);
    const Fitted whole = fit(sequence, options.choice);
    EXPECT_LT(part.error.rms, 2 * whole.error.rms);
    options.chunk = 24;
    EXPECT_EQ(fit_stream(source, options).error.rms, whole.error.rms);
    source.frame = [&](std::size_t f) {
        auto frame = sequence.frames[f];
        if (f == 5) frame[3].x() = std::nanf("");
        return frame;
    };
    options.chunk = 8;
    try {
        fit_stream(source, options);
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

TEST(Reduced, TheErrorIsThatOfAllRowsAndOfTheRest) {
    const MeshSequence sequence = rolling(12, 8);
    const ReducedTarget full = reduced_target(sequence, 0);
    const ReducedTarget few = reduced_target(sequence, 1e-4);
    EXPECT_LT(few.basis.cols(), full.basis.cols());
    EXPECT_LT(
        (few.basis.transpose() * few.basis - Eigen::MatrixXd::Identity(few.basis.cols(), few.basis.cols()))
            .norm(),
        1e-10);
    Eigen::MatrixXd goals;
    gather(make_target(sequence), 0, full.target.vertices(), goals);
    // |A - U T X|^2 = |A - U U^T A|^2 + |U^T A - T X|^2 for any T X.
    Eigen::MatrixXd any(few.basis.cols(), goals.cols());
    test::Random random(2);
    for (Eigen::Index i = 0; i < any.size(); ++i) any.data()[i] = random.normal();
    const double left = (goals - few.basis * any).squaredNorm();
    EXPECT_NEAR(left, few.lost + (few.target.reduced - any).squaredNorm(), 1e-10 * left);
    const FitResult a = fit_reduced(sequence, {.bones = 8, .sweeps = 4, .tolerance = 0});
    const FitResult b = fit_reduced(sequence, {.bones = 8, .sweeps = 4, .tolerance = 1e-9});
    EXPECT_NEAR(fit_error(sequence, a).erms, a.history.back(), 1e-3);
    EXPECT_NEAR(a.history.back(), b.history.back(), 0.01 * a.history.back());
    for (std::size_t i = 1; i < a.history.size(); ++i) EXPECT_LE(a.history[i], a.history[i - 1] * (1 + 1e-9));
}

TEST(Reduced, WithEveryDirectionTheStepsAreThoseOfAllRows) {
    // T22: motions and weights in turn on all rows, and on a basis of full rank.
    const MeshSequence sequence = rolling(12, 6);
    const Target whole = make_target(sequence);
    const ReducedTarget full = reduced_target(sequence, 0);
    const ProxyJoints joints = place_joints(sequence.rest, 7);
    BlendWeights weights = with_room(hat_weights(sequence.rest, joints, {.influences = 4}), 4);
    BlendWeights reduced_weights = weights;
    Motions motions = Motions::Zero(3 * whole.frames(), 28);
    Motions reduced = full.basis.transpose() * motions;
    for (int sweep = 0; sweep < 3; ++sweep) {
        affine_motion_step(blend_sums(whole, weights, 7), motions);
        affine_motion_step(blend_sums(full.target, reduced_weights, 7), reduced);
        EXPECT_LT((full.basis * reduced - motions).norm(), 1e-6 * motions.norm()) << sweep;
        const auto total = [](const std::vector<double>& errors) {
            return std::accumulate(errors.begin(), errors.end(), 0.0);
        };
        const double plain = total(weight_step(whole, motions, {}, weights));
        EXPECT_NEAR(total(weight_step(full.target, reduced, {}, reduced_weights)), plain, 1e-6 * plain);
    }
}

TEST(Baselines, OneJointTurnsWherePrincipalComponentsNeedMany) {
    // T18: a turn by 360 degrees.
    const MeshSequence sequence = test::played(test::sheet(10, 0.2), 72, [](const Vec3d& p, double time) {
        return Vec3d(Eigen::AngleAxisd(2 * math::pi * time, Vec3d(1, 2, 3).normalized()) * p);
    });
    ProxyOptions options;
    options.joints = 1;
    EXPECT_LT(fit_error(sequence, fit_proxy(sequence, options)).rms, 1e-6);
    EXPECT_GT(pca_baseline(sequence, 1).error_percent, 10);
    EXPECT_LT(pca_baseline(sequence, 2).error_percent, 1e-3);
    EXPECT_EQ(pca_for_bytes(sequence, 100).components, 0u);
    // With the bytes of one joint there is room for a single component on a mesh of some size.
    const MeshSequence large = test::played(test::sheet(32, 0.2), 72, [](const Vec3d& p, double time) {
        return Vec3d(Eigen::AngleAxisd(2 * math::pi * time, Vec3d(1, 2, 3).normalized()) * p);
    });
    const FitResult one = fit_proxy(large, options);
    EXPECT_LT(fit_error(large, one).error_percent, 1e-4);
    EXPECT_GT(pca_for_bytes(large, size_of(one).total()).error_percent, 10);
    EXPECT_NEAR(pca_baseline(sequence, 0).error_percent, 100, 1e-9);
    EXPECT_EQ(fit_unblended(sequence, 3).weights.limit(), 1u);
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
    EXPECT_GT(in_half(place_joints(sequence.rest, 20, placement)),
              in_half(place_joints(sequence.rest, 20)) + 2);
    // Joints where it bends replay it better.
    ProxyOptions options;
    options.joints = 20;
    const double even = fit_error(sequence, fit_proxy(sequence, options)).rms;
    options.placement = placement;
    EXPECT_LT(fit_error(sequence, fit_proxy(sequence, options)).rms, 0.9 * even);
    placement.density.pop_back();
    EXPECT_THROW(place_joints(sequence.rest, 20, placement), Error);
}

TEST(FitOptions, EverySpreadOfJointsFits) {
    const MeshSequence sequence = rolling();
    for (const SeedPlacement spread :
         {SeedPlacement::even, SeedPlacement::relaxed, SeedPlacement::adaptive, SeedPlacement::surface}) {
        FitOptions choice;
        choice.method = FitMethod::proxy;
        choice.bones = 12;
        choice.spread = spread;
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

TEST(Steadiness, JointsThatNoiseMovesComeToRest) {
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
        options.steadiness = 1;
        const FitResult steady = fit_proxy(sequence, options);
        EXPECT_LT(unrest(steady), 0.6 * unrest(free)) << rigid;
        EXPECT_LT(fit_error(sequence, steady).rms, 1.2 * fit_error(sequence, free).rms) << rigid;
        options.steadiness = 1e9;
        // What is left is the motion of the whole.
        EXPECT_LT(unrest(fit_proxy(sequence, options)), 0.3 * unrest(free)) << rigid;
    }
}

TEST(Steadiness, TheMotionOfTheWholeIsNotHeldBack) {
    const auto turning = [](const Vec3d& p, double t) {
        return Vec3d(Eigen::AngleAxisd(4 * t, Vec3d(1, 2, 2).normalized()) * p + Vec3d(3 * t, 0, -t));
    };
    const MeshSequence sequence = test::played(test::sheet(10, 0.2), 9, turning);
    for (const bool rigid : {true, false}) {
        ProxyOptions options;
        options.joints = 9;
        options.rigid = rigid;
        options.steadiness = 100;
        EXPECT_LT(fit_error(sequence, fit_proxy(sequence, options)).rms, 1e-6) << rigid;
    }
}

TEST(Steadiness, LeastSquaresByItselfAgrees) {
    const MeshSequence sequence = rolling(10, 4);
    ProxyOptions options;
    options.joints = 8;
    options.rigid = false;
    options.steadiness = 0.3;
    const FitResult direct = fit_proxy(sequence, options);
    options.affine.solver = AffineSolver::lsqr;
    options.affine.lsqr.tolerance = 1e-12;
    options.affine.lsqr.condition = 1e14;
    const FitResult iterated = fit_proxy(sequence, options);
    EXPECT_NEAR(fit_error(sequence, iterated).rms, fit_error(sequence, direct).rms, 1e-6);
}

/// Three bones of a bar that turn about x = 1/3 and x = 2/3, with weights that blend over a tenth.
FitResult chain() {
    FitResult fit;
    fit.rest = test::bar(46);
    fit.weights = BlendWeights(fit.rest.positions.size(), 2);
    for (std::size_t v = 0; v < fit.rest.positions.size(); ++v) {
        const auto x = static_cast<double>(fit.rest.positions[v].x());
        const double second = std::clamp((x - 0.28) / 0.1, 0.0, 1.0);
        const double third = std::clamp((x - 0.62) / 0.1, 0.0, 1.0);
        const std::uint32_t low = third > 0 ? 1 : 0;
        const double part = third > 0 ? third : second;
        const BoneWeight list[] = {{low, 1 - part}, {low + 1, part}};
        if (part > 0 && part < 1) {
            fit.weights.set(v, list);
        } else {
            const BoneWeight one[] = {{list[part < 1 ? 0 : 1].bone, 1}};
            fit.weights.set(v, one);
        }
    }
    for (int f = 0; f < 8; ++f) {
        const Eigen::AngleAxisd turn(0.1 * f, Vec3d::UnitZ());
        const auto about = [&](double x) {
            return Eigen::Affine3d(Eigen::Translation3d(x, 0, 0) * turn * Eigen::Translation3d(-x, 0, 0));
        };
        const Eigen::Affine3d second = about(1 / 3.0), third = second * about(2 / 3.0);
        BonePose& pose = fit.frames.emplace_back();
        for (const Eigen::Affine3d& m : {Eigen::Affine3d(Eigen::Affine3d::Identity()), second, third})
            pose.matrices.push_back(m.matrix().topRows<3>());
    }
    fit.centers = weight_centers(fit.rest, fit.weights, 3);
    return fit;
}

TEST(BoneTree, AChainIsFoundWithItsPivots) {
    const FitResult fit = chain();
    const BoneTree tree = bone_tree(fit);
    std::vector<double> along;
    for (std::size_t i = 1; i < 3; ++i) {
        const std::size_t bone = tree.order[i];
        const double other =
            std::abs(fit.centers[bone].x() - fit.centers[static_cast<std::size_t>(tree.parents[bone])].x());
        EXPECT_LT(other, 0.5) << "neighbours hang on each other";
        EXPECT_LT(tree.gaps[bone], 0.02);
        along.push_back(tree.pivots[bone].x());
    }
    std::sort(along.begin(), along.end());
    EXPECT_NEAR(along[0], 1 / 3.0, 0.04);
    EXPECT_NEAR(along[1], 2 / 3.0, 0.04);
    const model::Character character = to_tree_character(fit, tree);
    model::validate(character, "fit");
    for (std::size_t f = 0; f < 8; ++f) {
        const auto world =
            model::world_matrices(character, &character.clips[0], static_cast<double>(f) / fit.rate);
        const std::vector<math::Mat4d> palette = model::palette(character.skin, world);
        for (std::size_t j = 0; j < 3; ++j)
            EXPECT_LT((palette[j].topRows<3>() - fit.frames[f].matrices[j]).norm(), 1e-4);
    }
    FitResult affine = fit;
    affine.rigid = false;
    EXPECT_THROW(to_tree_character(affine, tree), Error);
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
