// SPDX-License-Identifier: MIT
// What a fit is good for: corrections, characters, sizes, choice by a target; and the other methods.

#include "fit/sequences.h"
#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/base/parallel.h"
#include "sinew/fit/decomposition/clusters.h"
#include "sinew/fit/decomposition/corrections.h"
#include "sinew/fit/decomposition/decomposition.h"
#include "sinew/fit/fit.h"
#include "sinew/fit/proxy/proxy.h"
#include "sinew/fit/result/character.h"

namespace sinew::fit {
namespace {

using model::MeshSequence;

MeshSequence sheet_sequence(std::size_t frames = 8) {
    return test::played(test::sheet(14, 0.2), frames, test::rolled);
}

ProxyOptions proxy(int joints, bool rigid) {
    ProxyOptions options;
    options.joints = joints;
    options.rigid = rigid;
    return options;
}

TEST(Corrections, WhatIsLeftIsTheSumOfTheSquaresThatWereNotKept) {
    const MeshSequence sequence = sheet_sequence();
    FitResult fit = fit_proxy(sequence, proxy(8, true));
    double last = std::numeric_limits<double>::infinity();
    for (const std::size_t count : {0u, 1u, 3u, 8u}) {
        fit.corrections = eigen_displacements(fit, sequence, count);
        double sum = 0, expected = 0;
        for (std::size_t f = 0; f < fit.frames.size(); ++f) {
            const std::vector<Vec3d> now = deformed(fit, f);
            for (std::size_t v = 0; v < now.size(); ++v)
                sum += (now[v] - sequence.frames[f][v].cast<double>()).squaredNorm();
        }
        const auto& sigma = fit.corrections.singular_values;
        for (std::size_t j = fit.corrections.count(); j < sigma.size(); ++j) expected += sigma[j] * sigma[j];
        EXPECT_NEAR(sum, expected, 1e-9 * (sigma[0] * sigma[0]));
        EXPECT_LT(sum, last);
        last = sum;
        const Eigen::MatrixXd square = fit.corrections.shapes.transpose() * fit.corrections.shapes;
        EXPECT_LT((square - Eigen::MatrixXd::Identity(square.rows(), square.rows())).norm(), 1e-10);
    }
    EXPECT_LT(std::sqrt(last), 1e-9 * test::diagonal(sequence.rest));
}

TEST(Corrections, TwoShapesAreFoundAgain) {
    // Numbers that single precision holds exactly, on a bone that does not move.
    test::Random random(11);
    MeshSequence sequence;
    sequence.rest = test::sheet(9);
    for (auto& p : sequence.rest.positions) p = (64 * p).array().round().matrix() / 64;
    std::vector<math::Vec3f> shapes[2];
    for (auto& shape : shapes) {
        for (std::size_t v = 0; v < sequence.rest.positions.size(); ++v)
            shape.push_back(math::Vec3d(random.integer(-8, 8), random.integer(-8, 8), random.integer(-8, 8))
                                .cast<float>() /
                            256);
    }
    FitResult fit;
    for (int f = 0; f < 7; ++f) {
        auto& frame = sequence.frames.emplace_back(sequence.rest.positions);
        const auto a = static_cast<float>(random.integer(-8, 8)) / 8;
        const auto b = static_cast<float>(random.integer(-8, 8)) / 8;
        for (std::size_t v = 0; v < frame.size(); ++v) frame[v] += a * shapes[0][v] + b * shapes[1][v];
        fit.frames.emplace_back().matrices.assign(1, Mat34d::Identity());
    }
    fit.rest = sequence.rest;
    fit.centers = {Vec3d::Zero()};
    fit.weights = BlendWeights(fit.rest.positions.size(), 1);
    const BoneWeight one[] = {{0, 1}};
    for (std::size_t v = 0; v < fit.rest.positions.size(); ++v) fit.weights.set(v, one);
    fit.corrections = eigen_displacements(fit, sequence, 1);
    EXPECT_GT(fit_error(sequence, fit).rms, 1e-4);
    fit.corrections = eigen_displacements(fit, sequence, 2);
    EXPECT_LT(fit_error(sequence, fit).max, 1e-9 * test::diagonal(sequence.rest));
}

TEST(Corrections, OfFlatClothAreFinite) {
    // A flat sheet that rolls up, rigid and affine.
    const MeshSequence sequence = test::played(test::sheet(12), 5, test::rolled);
    for (const bool rigid : {true, false}) {
        FitResult fit = fit_proxy(sequence, proxy(12, rigid));
        CorrectionReport report;
        const double before = fit_error(sequence, fit).rms;
        fit.corrections = eigen_displacements(fit, sequence, 3, &report);
        EXPECT_EQ(report.skipped, 0u);
        EXPECT_TRUE(fit.corrections.shapes.allFinite());
        EXPECT_TRUE(fit.corrections.amounts.allFinite());
        EXPECT_LT(fit_error(sequence, fit).rms, 0.7 * before);
    }
}

TEST(Corrections, NeverMakeAnAffineFitWorse) {
    const MeshSequence sequence = sheet_sequence();
    FitResult fit = fit_proxy(sequence, proxy(8, false));
    const double before = fit_error(sequence, fit).rms;
    fit.corrections = eigen_displacements(fit, sequence, 2);
    EXPECT_LT(fit_error(sequence, fit).rms, before);
}

TEST(FitProxy, FramesDoNotDependOnEachOtherNorOnThreads) {
    MeshSequence sequence = sheet_sequence(5);
    set_thread_count(1);
    const FitResult one = fit_proxy(sequence, proxy(9, true)), affine = fit_proxy(sequence, proxy(9, false));
    constexpr std::size_t shuffled[] = {3, 0, 4, 2, 1};
    const auto frames = sequence.frames;
    for (std::size_t f = 0; f < 5; ++f) sequence.frames[f] = frames[shuffled[f]];
    for (const int threads : {4, 8}) {
        set_thread_count(threads);
        const FitResult other = fit_proxy(sequence, proxy(9, true));
        const FitResult other_affine = fit_proxy(sequence, proxy(9, false));
        for (std::size_t f = 0; f < 5; ++f) {
            EXPECT_EQ(affine.frames[shuffled[f]].matrices, other_affine.frames[f].matrices);
            for (std::size_t j = 0; j < 9; ++j) {
                const math::DualQuatd &a = one.frames[shuffled[f]].duals[j], &b = other.frames[f].duals[j];
                EXPECT_EQ(a.real.coeffs(), b.real.coeffs());
                EXPECT_EQ(a.dual.coeffs(), b.dual.coeffs());
            }
        }
    }
    set_thread_count(0);
}

TEST(FitProxy, OneJointReplaysAWholeTurn) {
    const auto turning = [](const Vec3d& p, double t) {
        return Vec3d(Eigen::AngleAxisd(2 * math::pi * t, Vec3d(1, 2, 2).normalized()) * p);
    };
    const MeshSequence sequence = test::played(test::bar(10), 24, turning);
    EXPECT_LT(fit_error(sequence, fit_proxy(sequence, proxy(1, true))).rms,
              1e-6 * test::diagonal(sequence.rest));
}

TEST(FitProxy, NormalsHaveTransformationsOfTheirOwn) {
    const MeshSequence sequence = sheet_sequence(4);
    for (const bool rigid : {true, false}) {
        ProxyOptions options = proxy(25, rigid);
        options.own_normals = true;
        const FitResult fit = fit_proxy(sequence, options);
        ASSERT_EQ(fit.normals.size(), 4u);
        const auto goals = geometry::vertex_normals(sequence.frames[3], sequence.rest.triangles);
        double worst = 1, sum = 0;
        const std::vector<Vec3d> normals = deformed_normals(fit, 3);
        for (std::size_t v = 0; v < goals.size(); ++v) {
            EXPECT_NEAR(normals[v].norm(), 1, 1e-9);
            worst = std::min(worst, normals[v].dot(goals[v].cast<double>()));
            sum += normals[v].dot(goals[v].cast<double>());
        }
        EXPECT_GT(worst, std::cos(math::radians(25)));
        EXPECT_GT(sum / static_cast<double>(goals.size()), std::cos(math::radians(6)));
    }
}

TEST(FitProxy, AnEditedRestVertexIsCarriedByItsBlend) {
    const MeshSequence sequence = sheet_sequence(3);
    FitResult fit = fit_proxy(sequence, proxy(9, true));
    const Vec3d before = deformed(fit, 2)[30];
    const Mat34d t = blended_matrix(fit.weights.of(30), fit.frames[2]);
    const math::Vec3f edit(0.125f, -0.25f, 0.5f);
    const math::Vec3f old = fit.rest.positions[30];
    fit.rest.positions[30] += edit;
    const Vec3d change = (fit.rest.positions[30].cast<double>() - old.cast<double>());
    EXPECT_LT((deformed(fit, 2)[30] - before - t.leftCols<3>() * change).norm(), 1e-10);
}

TEST(FitProxy, AnExistingRigIsKept) {
    const MeshSequence sequence = sheet_sequence(3);
    const FitResult rig = fit_decomposition(sequence, {.bones = 5});
    ProxyOptions options = proxy(50, false);
    options.rig = &rig;
    const FitResult fit = fit_proxy(sequence, options);
    EXPECT_EQ(fit.bone_count(), 5u);
    EXPECT_EQ(fit.weights, rig.weights);
    EXPECT_LT(fit_error(sequence, fit).rms, fit_error(sequence, rig).rms);  // affine joints can do more
}

TEST(FitProxy, LeastSquaresWeightsInTurnWithJointsAreBetter) {
    const MeshSequence sequence = sheet_sequence();
    ProxyOptions options = proxy(9, false);
    options.hats.influences = 4;
    const double plain = fit_error(sequence, fit_proxy(sequence, options)).rms;
    options.refinements = 3;
    EXPECT_LT(fit_error(sequence, fit_proxy(sequence, options)).rms, 0.9 * plain);
}

TEST(FitSize, ThePublishedRatiosOfTheNineAnimations) {
    const std::size_t sizes[9][2] = {{1468, 30},  {4969, 60},   {2963, 54},  {7526, 60},  {6409, 200},
                                     {6442, 100}, {10070, 100}, {6442, 100}, {20330, 100}};
    const double expected[9] = {5.9, 17.6, 11.6, 23.1, 27.6, 24.4, 33.5, 24.4, 50.4};
    for (std::size_t i = 0; i < 9; ++i)
        EXPECT_NEAR(published_ratio(sizes[i][0], sizes[i][1], 100), expected[i], 0.05) << i;
}

TEST(FitSize, CountsEveryByte) {
    FitResult fit;
    fit.rest.positions.resize(100);
    fit.frames.resize(10);
    fit.centers.resize(5);
    fit.weights = BlendWeights(100, 4);
    fit.corrections.shapes.resize(300, 2);
    EXPECT_EQ(size_of(fit).total(), 2400u + 800u + 60u + 4u * 7 * 5 * 10 + 4u * 2 * (300 + 10));
    fit.rigid = false;
    EXPECT_EQ(size_of(fit).motions, 4u * 12 * 5 * 10);
}

TEST(FitCharacter, PlaysTheFitThroughItsJoints) {
    const MeshSequence sequence = sheet_sequence(5);
    for (const bool rigid : {true, false}) {
        FitResult fit = fit_decomposition(sequence, {.bones = 5, .rigid = rigid});
        const model::Character character = to_character(fit);
        model::validate(character, "fit");
        EXPECT_EQ(character.skin.joints.size(), 5u);
        for (std::size_t f = 0; f < 5; ++f) {
            const auto world =
                model::world_matrices(character, &character.clips[0], static_cast<double>(f) / fit.rate);
            const std::vector<math::Mat4d> palette = model::palette(character.skin, world);
            for (std::size_t j = 0; j < 5; ++j)
                EXPECT_LT((palette[j].topRows<3>() - fit.frames[f].matrices[j]).norm(), 1e-4)
                    << f << " " << j;
        }
    }
}

TEST(FitCharacter, EveryMatrixIsSplitIntoTwoTurnsAndAStretch) {
    test::Random random(5);
    for (int trial = 0; trial < 100; ++trial) {
        math::Mat3d m;
        for (int i = 0; i < 9; ++i) m.data()[i] = random.normal();
        const StretchSplit s = split_stretch(m, random.rotation());
        EXPECT_LT(
            (s.rotation.toRotationMatrix() * s.stretch.asDiagonal() * s.inner.toRotationMatrix().transpose() -
             m)
                .norm(),
            1e-12);
    }
}

TEST(FitOptions, ByErrorAndByBytes) {
    const MeshSequence sequence = sheet_sequence(6);
    FitOptions choice;
    choice.max_error = 5;
    const Fitted by_error = fit(sequence, choice);
    EXPECT_LE(by_error.error.error_percent, 5);
    EXPECT_GT(by_error.tried.size(), 1u);
    choice.max_error = 0;
    choice.max_bytes = size_of(by_error.fit).total();
    EXPECT_EQ(fit(sequence, choice).fit.bone_count(), by_error.fit.bone_count());
    choice.max_bytes = 10;
    EXPECT_THROW(fit(sequence, choice), Error);
}

TEST(FitClusters, AHingeHasTwoParts) {
    const MeshSequence sequence = test::played(test::bar(40), 8, test::hinged);
    ClusterOptions options;
    options.bandwidth = 0.15;
    options.min_triangles = 100;
    EXPECT_EQ(cluster_rotations(sequence, options).count, 2);
    const FitResult fit = fit_clusters(sequence, options);
    EXPECT_EQ(fit.bone_count(), 2u);
    EXPECT_LT(fit_error(sequence, fit).rms, 2e-3);
}

TEST(FitClusters, ASheetThatBendsEverywhereIsNoTrouble) {
    Collector monitor;
    ClusterOptions options;
    options.bandwidth = 0.001;
    options.min_triangles = 50;
    const FitResult fit = fit_clusters(sheet_sequence(), options, monitor);
    EXPECT_TRUE(monitor.has("fit-no-clusters"));
    EXPECT_EQ(fit.bone_count(), 1u);
}

}  // namespace
}  // namespace sinew::fit
