#include "fit/sequences.h"
#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/fit/corrections.h"
#include "sinew/fit/proxy.h"

namespace sinew::fit {
namespace {

model::MeshSequence rolling(double bulge = 0.2) {
    return test::played(test::sheet(16, bulge), 5, test::rolled);
}

FitResult fit_with(const model::MeshSequence& sequence, bool rigid, NormalScheme scheme) {
    ProxyOptions options;
    options.joints = 12;
    options.rigid = rigid;
    options.normals = scheme;
    FitResult fit = fit_proxy(sequence, options);
    if (fit.rest.normals.empty())
        fit.rest.normals = geometry::vertex_normals(fit.rest.positions, fit.rest.triangles);
    return fit;
}

TEST(Normals, EverySchemeFollowsTheSurface) {
    const model::MeshSequence sequence = rolling();
    for (const bool rigid : {true, false}) {
        for (const NormalScheme scheme :
             {NormalScheme::joint, NormalScheme::separate, NormalScheme::transposed,
              NormalScheme::quaternions, NormalScheme::shared, NormalScheme::recomputed}) {
            const bool affine_only =
                scheme == NormalScheme::transposed || scheme == NormalScheme::quaternions;
            if (rigid && affine_only) {
                EXPECT_THROW(fit_with(sequence, rigid, scheme), Error);
                continue;
            }
            const FitResult fit = fit_with(sequence, rigid, scheme);
            const NormalError error = normal_error(sequence, fit);
            const bool one_set = scheme == NormalScheme::shared || scheme == NormalScheme::joint;
            EXPECT_LT(error.mean, one_set ? 16 : 4) << rigid << static_cast<int>(scheme);
            for (const Vec3d& n : deformed_normals(fit, 2)) EXPECT_NEAR(n.norm(), 1, 1e-6);
        }
    }
}

TEST(Normals, FittedTogetherTheyAreBetterThanLeftToThePositions) {
    const model::MeshSequence sequence = rolling();
    const double shared = normal_error(sequence, fit_with(sequence, true, NormalScheme::shared)).mean;
    EXPECT_LT(normal_error(sequence, fit_with(sequence, true, NormalScheme::joint)).mean, 0.6 * shared);
}

TEST(Normals, ASetOfTheirOwnIsBetterThanTheSharedOne) {
    const model::MeshSequence sequence = rolling();
    for (const bool rigid : {true, false}) {
        const double shared = normal_error(sequence, fit_with(sequence, rigid, NormalScheme::shared)).mean;
        const double own = normal_error(sequence, fit_with(sequence, rigid, NormalScheme::separate)).mean;
        EXPECT_LT(own, shared);
    }
}

TEST(Normals, CorrectionsOfNormalsLowerTheirAngle) {
    const model::MeshSequence sequence = rolling();
    for (const bool rigid : {true, false}) {
        for (const NormalScheme scheme : {NormalScheme::separate, NormalScheme::shared}) {
            FitResult fit = fit_with(sequence, rigid, scheme);
            const double before = normal_error(sequence, fit).mean;
            fit.normal_corrections = normal_displacements(fit, sequence, 5);
            EXPECT_LT(normal_error(sequence, fit).mean, 0.2 * before);
        }
    }
}

TEST(Normals, ParallelNormalsOfAFlatClothDoNotBlowUp) {
    const model::MeshSequence sequence = rolling(0);
    const FitResult fit = fit_with(sequence, true, NormalScheme::separate);
    for (const BonePose& pose : fit.normals) {
        for (const math::DualQuatd& q : pose.duals) EXPECT_LE(q.real.vec().norm(), 10);
    }
    EXPECT_LT(normal_error(sequence, fit).mean, 4);
}

TEST(Normals, ThicknessGivesFlatClothAnInverse) {
    const model::MeshSequence sequence = rolling(0);
    ProxyOptions options;
    options.joints = 12;
    options.rigid = false;
    options.thickness = 0.25;
    const FitResult fit = fit_proxy(sequence, options);
    for (const BonePose& pose : fit.frames) {
        for (std::size_t v = 0; v < fit.rest.positions.size(); ++v) {
            const double volume = blended_matrix(fit.weights.of(v), pose).leftCols<3>().determinant();
            EXPECT_GT(volume, 0.5);
            EXPECT_LT(volume, 2);
        }
    }
}

}  // namespace
}  // namespace sinew::fit
