#include "fit/sequences.h"
#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/fit/corrections.h"
#include "sinew/fit/proxy.h"
#include "sinew/fit/transposed_normals.h"

namespace sinew::fit {
namespace normals_test {

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

TEST(Normals, InverseTransposesAreFittedToWhatIsSeen) {
    const model::MeshSequence sequence = rolling();
    ProxyOptions options;
    options.joints = 12;
    options.rigid = false;
    options.normals = NormalScheme::transposed;
    options.normal_iterations = 0;
    const double linear = normal_error(sequence, fit_proxy(sequence, options)).mean;
    options.normal_iterations = 12;
    EXPECT_LT(normal_error(sequence, fit_proxy(sequence, options)).mean, 0.9 * linear);
}

TEST(Normals, SlopesOfInverseTransposesAgreeWithDifferences) {
    test::Random random(23);
    for (int trial = 0; trial < 50; ++trial) {
        math::Mat3d m;
        for (int i = 0; i < 9; ++i) m.data()[i] = random.normal();
        if (std::abs(m.determinant()) < 0.1) continue;
        const Vec3d n = random.unit_vector(), h = random.unit_vector();
        const TransposedRows rows = transposed_rows(m, n, h);
        EXPECT_NEAR((rows.residual + h).norm(), 1, 1e-12);
        for (int i = 0; i < 9; ++i) {
            math::Mat3d above = m, below = m;
            above.data()[i] += 1e-6;
            below.data()[i] -= 1e-6;
            const Vec3d slope =
                (transposed_rows(above, n, h).residual - transposed_rows(below, n, h).residual) / 2e-6;
            EXPECT_LT((slope - rows.slope.col(i)).norm(), 1e-6 * (1 + slope.norm()));
        }
    }
}

TEST(Normals, InverseTransposesOfAFitAreFoundAgainAndNeverGetWorse) {
    const geometry::Mesh mesh = test::sheet(14, 0.4);
    const ProxyJoints placed = place_joints(mesh, 6);
    std::vector<Vec3d> centers;
    for (const auto v : placed.vertices) centers.push_back(mesh.positions[v].cast<double>());
    JointRig rig = make_rig(test::doubles(mesh.positions), centers, hat_weights(mesh, placed));
    rig.normals = test::doubles(geometry::vertex_normals(mesh.positions, mesh.triangles));
    rig = normal_rig(rig);
    const DualSystem system(rig);
    test::Random random(29);
    BonePose truth;
    for (int j = 0; j < 6; ++j) {
        Mat34d& m = truth.matrices.emplace_back(Mat34d::Identity());
        for (int i = 0; i < 9; ++i) m.data()[i] += 0.2 * random.normal();
    }
    std::vector<Vec3d> goals;
    for (std::size_t v = 0; v < rig.rest.size(); ++v) {
        const math::Mat3d blend = blended_matrix(rig.weights.of(v), truth).leftCols<3>();
        goals.push_back((blend.inverse().transpose() * rig.rest[v]).normalized());
    }
    BonePose pose = fit_transposed_normals(rig, system, goals);
    double cost = transposed_normal_cost(rig, goals, pose);
    EXPECT_GT(cost, 1e-6);
    for (int i = 0; i < 60; ++i) {
        refine_transposed_normals(rig, system, goals, 1, pose);
        const double next = transposed_normal_cost(rig, goals, pose);
        EXPECT_LE(next, cost);
        cost = next;
    }
    EXPECT_LT(cost, 1e-8);
}

TEST(Normals, RigidBlendsKeepUnitLength) {
    // T23: turned by the blended rotation without normalising after it.
    const FitResult fit = fit_with(rolling(), true, NormalScheme::separate);
    for (std::size_t v = 0; v < fit.rest.positions.size(); ++v) {
        const math::Quatd a = blended_dual(fit.weights.of(v), fit.normals[2]).real;
        const Vec3d n = fit.rest.normals[v].cast<double>().normalized();
        const Vec3d turned =
            (a * math::Quatd(0, n.x(), n.y(), n.z()) * a.conjugate()).vec() / a.squaredNorm();
        EXPECT_NEAR(turned.norm(), 1, 1e-12);
        EXPECT_LT((turned - deformed_normals(fit, 2)[v]).norm(), 1e-6);
        if (v > 20) break;
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

}  // namespace normals_test
}  // namespace sinew::fit
