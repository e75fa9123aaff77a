// SPDX-License-Identifier: MIT
#include "fit/sequences.h"
#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/fit/decomposition/corrections.h"
#include "sinew/fit/proxy/proxy.h"

namespace sinew::fit {
namespace normals_test {

model::MeshSequence rolling(double bulge = 0.2) {
    return test::played(test::sheet(16, bulge), 5, test::rolled);
}

FitResult fit_with(const model::MeshSequence& sequence, bool rigid, bool own) {
    ProxyOptions options;
    options.joints = 12;
    options.rigid = rigid;
    options.own_normals = own;
    FitResult fit = fit_proxy(sequence, options);
    if (fit.rest.normals.empty())
        fit.rest.normals = geometry::vertex_normals(fit.rest.positions, fit.rest.triangles);
    return fit;
}

TEST(Normals, FollowTheSurface) {
    const model::MeshSequence sequence = rolling();
    for (const bool rigid : {true, false}) {
        for (const bool own : {true, false}) {
            FitResult fit = fit_with(sequence, rigid, own);
            EXPECT_LT(normal_error(sequence, fit).mean, own ? 4 : 16) << rigid << own;
            for (const Vec3d& n : deformed_normals(fit, 2)) EXPECT_NEAR(n.norm(), 1, 1e-6);
            fit.normal_rule = NormalRule::recomputed;
            EXPECT_LT(normal_error(sequence, fit).mean, 4);
        }
    }
}

TEST(Normals, ASetOfTheirOwnIsBetterThanTheSharedOne) {
    const model::MeshSequence sequence = rolling();
    for (const bool rigid : {true, false}) {
        const double shared = normal_error(sequence, fit_with(sequence, rigid, false)).mean;
        const double own = normal_error(sequence, fit_with(sequence, rigid, true)).mean;
        EXPECT_LT(own, shared);
    }
}

TEST(Normals, CorrectionsOfNormalsLowerTheirAngle) {
    const model::MeshSequence sequence = rolling();
    for (const bool rigid : {true, false}) {
        for (const bool own : {true, false}) {
            FitResult fit = fit_with(sequence, rigid, own);
            const double before = normal_error(sequence, fit).mean;
            fit.normal_corrections = normal_displacements(fit, sequence, 5);
            EXPECT_LT(normal_error(sequence, fit).mean, 0.2 * before);
        }
    }
}

TEST(Normals, RigidBlendsKeepUnitLength) {
    // Rotated by the blended rotation without normalising after it.
    const FitResult fit = fit_with(rolling(), true, true);
    for (std::size_t v = 0; v < fit.rest.positions.size(); ++v) {
        const math::Quatd a = blended_dual(fit.weights.of(v), fit.normals[2]).real;
        const Vec3d n = fit.rest.normals[v].cast<double>().normalized();
        const Vec3d rotated =
            (a * math::Quatd(0, n.x(), n.y(), n.z()) * a.conjugate()).vec() / a.squaredNorm();
        EXPECT_NEAR(rotated.norm(), 1, 1e-12);
        EXPECT_LT((rotated - deformed_normals(fit, 2)[v]).norm(), 1e-6);
        if (v > 20) break;
    }
}

TEST(Normals, ParallelNormalsOfAFlatClothDoNotBlowUp) {
    const model::MeshSequence sequence = rolling(0);
    const FitResult fit = fit_with(sequence, true, true);
    for (const BonePose& pose : fit.normals) {
        for (const math::DualQuatd& q : pose.duals) EXPECT_LE(q.real.vec().norm(), 10);
    }
    EXPECT_LT(normal_error(sequence, fit).mean, 4);
}

}  // namespace normals_test
}  // namespace sinew::fit
