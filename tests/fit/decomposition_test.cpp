// SPDX-License-Identifier: MIT
#include "sinew/fit/decomposition/decomposition.h"

#include "fit/sequences.h"
#include "support/data.h"
#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/base/parallel.h"
#include "sinew/io/io.h"

namespace sinew::fit {
namespace {

using model::MeshSequence;

DecompositionOptions options(int bones, bool rigid) {
    DecompositionOptions o;
    o.bones = bones;
    o.rigid = rigid;
    return o;
}

TEST(Decomposition, AHingeOfTwoBonesIsFoundAgain) {
    const MeshSequence sequence = test::played(test::bar(30), 12, test::hinged);
    DecompositionOptions patient = options(2, true);
    patient.sweeps = 16;
    const FitResult fit = fit_decomposition(sequence, patient);
    ASSERT_EQ(fit.bone_count(), 2u);
    EXPECT_LT(fit_error(sequence, fit).rms, 1e-4 * test::diagonal(sequence.rest));
    for (std::size_t v = 0; v < sequence.rest.positions.size(); ++v) {
        const double expected = test::hinge_weight(static_cast<double>(sequence.rest.positions[v].x()));
        double largest = 0, sum = 0;
        for (const BoneWeight& w : fit.weights.of(v)) {
            largest = std::max(largest, w.weight);
            sum += w.weight;
        }
        EXPECT_NEAR(largest, std::max(expected, 1 - expected), 1e-2) << "vertex " << v;
        EXPECT_NEAR(sum, 1, 1e-12);
    }
}

TEST(Decomposition, TheErrorNeverRisesOverPlainSweeps) {
    const MeshSequence sequence = test::played(test::sheet(12, 0.2), 8, test::rolled);
    for (const bool rigid : {true, false}) {
        DecompositionOptions o = options(6, rigid);
        o.exchanges = 0;
        FitResult fit = fit_decomposition(sequence, o);
        o.start = &fit;
        const FitResult more = fit_decomposition(sequence, o);
        ASSERT_FALSE(more.history.empty());
        for (std::size_t i = 1; i < more.history.size(); ++i)
            EXPECT_LE(more.history[i], more.history[i - 1] * (1 + 1e-9)) << i;
        EXPECT_LE(fit_error(sequence, more).rms, fit_error(sequence, fit).rms * (1 + 1e-6));
    }
}

TEST(Decomposition, RigidBonesAreRotations) {
    const MeshSequence sequence = test::played(test::sheet(12, 0.2), 8, test::rolled);
    const FitResult fit = fit_decomposition(sequence, options(7, true));
    for (const BonePose& pose : fit.frames) {
        for (const Mat34d& m : pose.matrices) {
            const math::Mat3d r = m.leftCols<3>();
            EXPECT_LT((r.transpose() * r - math::Mat3d::Identity()).norm(), 1e-9);
            EXPECT_GT(r.determinant(), 0);
        }
    }
}

TEST(Decomposition, AffineBonesHoldAStretchThatRigidOnesCannot) {
    const auto stretched = [](const math::Vec3d& p, double t) {
        return math::Vec3d(p.x() * (1 + t), p.y() + 0.3 * t * p.x(), p.z() * (1 - 0.5 * t));
    };
    const MeshSequence sequence = test::played(test::bar(12), 6, stretched);
    EXPECT_LT(fit_error(sequence, fit_decomposition(sequence, options(1, false))).erms, 1e-3);
    EXPECT_GT(fit_error(sequence, fit_decomposition(sequence, options(1, true))).erms, 10);
}

TEST(Decomposition, AsManyBonesAsAskedForOnEveryKindOfSequence) {
    const auto still = [](const math::Vec3d& p, double) { return p; };
    const auto turning = [](const math::Vec3d& p, double t) {
        return math::Vec3d(Eigen::AngleAxisd(2 * math::pi * t, math::Vec3d::UnitY()) * p);
    };
    MeshSequence shells = test::played(test::bar(4), 3, turning);
    for (int s = 1; s < 41; ++s) {
        geometry::Mesh shell = test::bar(4);
        for (auto& p : shell.positions) p += math::Vec3f(0, 0, static_cast<float>(s));
        geometry::append(shells.rest, shell);
        for (auto& frame : shells.frames) {
            for (auto p : shell.positions)
                frame.push_back(p + math::Vec3f(0, 0.1f * static_cast<float>(s), 0));
        }
    }
    const MeshSequence cases[] = {test::played(test::bar(10), 1, turning),
                                  test::played(test::bar(10), 5, still),
                                  test::played(test::sheet(6), 4, test::rolled), shells};
    for (const MeshSequence& sequence : cases) {
        for (const bool rigid : {true, false}) {
            const FitResult fit = fit_decomposition(sequence, options(9, rigid));
            EXPECT_EQ(fit.bone_count(), 9u);
            for (std::size_t f = 0; f < fit.frames.size(); ++f) {
                for (const Vec3d& p : deformed(fit, f))
                    ASSERT_TRUE(p.allFinite()) << rigid << " frame " << f << " of " << fit.frames.size();
            }
        }
    }
}

TEST(Decomposition, MoreBonesThanVerticesIsSaid) {
    const MeshSequence sequence = test::played(sinew::test::cube(), 3, test::rolled);
    Collector monitor;
    const FitResult fit = fit_decomposition(sequence, options(20, true), monitor);
    EXPECT_EQ(fit.bone_count(), 8u);
    EXPECT_TRUE(monitor.has("fit-fewer-bones"));
    EXPECT_LT(fit_error(sequence, fit).erms, 1e-2);
}

TEST(Decomposition, BadSequencesAreNamedWithTheirFrame) {
    MeshSequence sequence = test::played(test::bar(5), 4, test::hinged);
    sequence.frames[2][3].y() = std::numeric_limits<float>::quiet_NaN();
    try {
        fit_decomposition(sequence, options(2, true));
        FAIL() << "NaN was accepted";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("frame 2"), std::string::npos) << error.what();
    }
    sequence.frames[2].pop_back();
    EXPECT_THROW(fit_decomposition(sequence, options(2, true)), Error);
    EXPECT_THROW(fit_decomposition({}, options(2, true)), Error);
    MeshSequence point = test::played(test::bar(5), 2, test::hinged);
    for (auto& p : point.rest.positions) p.setZero();
    EXPECT_THROW(fit_decomposition(point, options(2, true)), Error);
    const MeshSequence good = test::played(test::bar(5), 2, test::hinged);
    EXPECT_THROW(fit_decomposition(good, options(0, true)), Error);
}

TEST(Decomposition, FarFromTheOriginNothingIsLost) {
    const MeshSequence near = test::played(test::bar(20), 6, test::hinged);
    MeshSequence far = near;
    for (auto& frame : far.frames) {
        for (auto& p : frame) p += math::Vec3f(4096, -2048, 1024);
    }
    const double a = fit_error(near, fit_decomposition(near, options(4, true))).erms;
    const double b = fit_error(far, fit_decomposition(far, options(4, true))).erms;
    EXPECT_NEAR(a, b, 0.5);  // float steps at 4096 are 0.0005 of a bar of length 1
}

TEST(Decomposition, TheSameBitsOnEveryThreadCount) {
    const MeshSequence sequence = test::played(test::sheet(14, 0.2), 6, test::rolled);
    set_thread_count(1);
    const FitResult one = fit_decomposition(sequence, options(6, true));
    set_thread_count(4);
    const FitResult four = fit_decomposition(sequence, options(6, true));
    set_thread_count(0);
    EXPECT_EQ(one.weights, four.weights);
    for (std::size_t f = 0; f < one.frames.size(); ++f)
        EXPECT_EQ(one.frames[f].matrices, four.frames[f].matrices);
}

TEST(Decomposition, LockedVerticesKeepTheirWeights) {
    const MeshSequence sequence = test::played(test::bar(20), 6, test::hinged);
    FitResult start = fit_decomposition(sequence, options(3, true));
    const BoneWeight own[] = {{0, 0.5}, {2, 0.5}};
    start.weights.set(7, own);
    std::vector<float> locks(sequence.rest.positions.size(), 0);
    locks[7] = 1;
    DecompositionOptions o = options(3, true);
    o.start = &start;
    o.locks = locks;
    const FitResult fit = fit_decomposition(sequence, o);
    ASSERT_EQ(fit.weights.of(7).size(), 2u);
    EXPECT_EQ(fit.weights.of(7)[1], own[1]);
    o.start = nullptr;
    EXPECT_THROW(fit_decomposition(sequence, o), Error);
}

TEST(Decomposition, SmoothWeightsChangeLessFromNeighbourToNeighbour) {
    const MeshSequence sequence = test::played(test::sheet(14, 0.2), 6, test::rolled);
    const auto roughness = [&](const FitResult& fit) {
        double sum = 0;
        for (const auto& t : sequence.rest.triangles) {
            std::vector<double> difference(fit.bone_count(), 0);
            for (const BoneWeight& w : fit.weights.of(t[0])) difference[w.bone] += w.weight;
            for (const BoneWeight& w : fit.weights.of(t[1])) difference[w.bone] -= w.weight;
            for (const double d : difference) sum += std::abs(d);
        }
        return sum;
    };
    DecompositionOptions o = options(6, true);
    const FitResult plain = fit_decomposition(sequence, o);
    o.smoothness = 1e-3;
    EXPECT_LT(roughness(fit_decomposition(sequence, o)), 0.8 * roughness(plain));
}

TEST(Decomposition, CancelledWorkEnds) {
    struct Stop : Monitor {
        bool cancelled() const override { return true; }
    } stop;
    const MeshSequence sequence = test::played(test::bar(20), 6, test::hinged);
    EXPECT_THROW(fit_decomposition(sequence, options(3, true), stop), Cancelled);
}

TEST(Decomposition, TheCatIsFittedByTwentyFiveBones) {
    SINEW_NEEDS_DATA();
    const MeshSequence cat = io::read(sinew::test::data("sequence/cat-poses")).sequence;
    EXPECT_LT(fit_error(cat, fit_decomposition(cat, options(25, false))).erms, 2.63);
}

/// Six stiff links along x that turn one after the other.
math::Vec3d chained(const math::Vec3d& p, double time) {
    constexpr int links = 6;
    constexpr double length = 1.0 / links;
    const int own = std::min(links - 1, static_cast<int>(p.x() / length));
    math::Mat3d rotation = math::Mat3d::Identity();
    math::Vec3d start = math::Vec3d::Zero();
    for (int i = 0; i <= own; ++i) {
        const math::Vec3d axis = i % 2 == 0 ? math::Vec3d::UnitY() : math::Vec3d::UnitZ();
        rotation *= Eigen::AngleAxisd(0.9 * std::sin(5 * time + 2.1 * i), axis).toRotationMatrix();
        if (i < own) start += rotation * math::Vec3d(length, 0, 0);
    }
    return start + rotation * (p - math::Vec3d(own * length, 0, 0));
}

double rms_with(const MeshSequence& sequence, int bones, int effort) {
    FitOptions o;
    o.bones = bones;
    o.effort = effort;
    return fit(sequence, o).error.rms;
}

TEST(StartSearch, LeavesTheMinimumThatGrowthEndsIn) {
    const MeshSequence chain = test::played(test::bar(60), 16, chained);
    EXPECT_LT(rms_with(chain, 6, 2), 1e-6);
    EXPECT_GT(rms_with(chain, 6, 1), 1e-4);  // else this test shows nothing
}

TEST(StartSearch, IsNeverWorseThanOneStart) {
    const MeshSequence sheet = test::played(test::sheet(20, 0.2), 10, test::rolled);
    for (const int bones : {1, 3, 4, 6}) {
        const double one = rms_with(sheet, bones, 1);
        EXPECT_LE(rms_with(sheet, bones, 2), one) << bones;
    }
    // As many bones as a part has vertices to spare: one start is all there is.
    EXPECT_EQ(rms_with(test::played(test::sheet(5), 4, test::rolled), 10, 2),
              rms_with(test::played(test::sheet(5), 4, test::rolled), 10, 1));
}

}  // namespace
}  // namespace sinew::fit
