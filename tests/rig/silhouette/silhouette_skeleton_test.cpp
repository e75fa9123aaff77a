// SPDX-License-Identifier: MIT
#include "sinew/rig/silhouette/silhouette_skeleton.h"

#include "rig/bodies.h"
#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/base/parallel.h"

namespace sinew::rig {
namespace {

/// A figure without symmetry, so that no two places are equally good.
std::vector<test::Limb> lopsided() {
    return {{{0, 0, 0}, {0.05, 0.83, 0.02}, 0.22},     {{0.05, 0.83, 0.02}, {0.1, 1.3, 0.05}, 0.15},
            {{0, 0.71, 0}, {1.04, 0.63, 0.11}, 0.1},   {{0, 0.75, 0}, {-0.9, 0.88, -0.07}, 0.11},
            {{0.12, 0, 0}, {0.33, -1.13, 0.04}, 0.12}, {{-0.12, 0, 0}, {-0.36, -1.05, 0.02}, 0.13}};
}

SilhouetteOptions seen_along(const Vec3d& direction, const Vec3d& up) {
    SilhouetteOptions options;
    options.view.mode = ViewMode::user;
    options.view.direction = direction;
    options.view.up = up;
    return options;
}

std::vector<Vec3d> joints_of(const geometry::Mesh& mesh, const SilhouetteOptions& options) {
    std::vector<Vec3d> out;
    for (const PlacedJoint& joint : silhouette_skeleton(mesh, options).joints.joints) {
        out.push_back(joint.position);
    }
    return out;
}

/// The farthest that a joint is from the nearest of the others.
double apart(const std::vector<Vec3d>& a, const std::vector<Vec3d>& b) {
    double worst = 0;
    for (const Vec3d& p : a) {
        double min = 1e300;
        for (const Vec3d& q : b) min = std::min(min, (p - q).norm());
        worst = std::max(worst, min);
    }
    return worst;
}

TEST(SilhouetteSkeleton, JointsMoveWithTheBody) {
    const geometry::Mesh mesh = test::body_of(lopsided(), 0.05);
    // Not along the lattice that the body was cut from: there edges lie exactly behind each other.
    const Vec3d eye = Vec3d(0.11, -0.07, 0.93).normalized(), up = Vec3d(0.03, 1, 0.02);
    const std::vector<Vec3d> joints = joints_of(mesh, seen_along(eye, up));
    ASSERT_GE(joints.size(), 7u);
    const double diagonal = static_cast<double>(geometry::bounds(mesh.positions).diagonal());
    test::Random random(21);
    for (int i = 0; i < 6; ++i) {
        const math::Quatd turn = random.rotation();
        const Vec3d shift = random.vector(2);
        const double scale = i % 2 == 0 ? 1 : 7.3;
        geometry::Mesh moved = mesh;
        for (auto& p : moved.positions) p = (scale * (turn * p.cast<double>()) + shift).cast<float>();
        std::vector<Vec3d> expected;
        for (const Vec3d& p : joints) expected.push_back(scale * (turn * p) + shift);
        const auto found = joints_of(moved, seen_along(turn * eye, turn * up));
        ASSERT_EQ(found.size(), expected.size());
        for (std::size_t j = 0; j < found.size(); ++j) {
            EXPECT_LT((found[j] - expected[j]).norm(), 1e-6 * scale * diagonal) << j;
        }
    }
}

TEST(SilhouetteSkeleton, MirroredBodyHasMirroredJoints) {
    geometry::Mesh mesh = test::body_of(lopsided(), 0.05);
    const auto options = seen_along(Vec3d::UnitZ(), Vec3d::UnitY());
    std::vector<Vec3d> expected = joints_of(mesh, options);
    for (Vec3d& p : expected) p.x() = -p.x();
    for (auto& p : mesh.positions) p.x() = -p.x();
    for (Triangle& t : mesh.triangles) std::swap(t[1], t[2]);
    const std::vector<Vec3d> found = joints_of(mesh, options);
    EXPECT_EQ(found.size(), expected.size());
    const double diagonal = static_cast<double>(geometry::bounds(mesh.positions).diagonal());
    EXPECT_LT(apart(found, expected), 1e-3 * diagonal);
    EXPECT_LT(apart(expected, found), 1e-3 * diagonal);
}

TEST(SilhouetteSkeleton, ThreadsDoNotChangeTheResult) {
    const geometry::Mesh mesh = test::body_of(lopsided(), 0.05);
    const auto many = joints_of(mesh, {});
    set_thread_count(1);
    const auto one = joints_of(mesh, {});
    set_thread_count(0);
    EXPECT_EQ(one, many);
}

TEST(SilhouetteSkeleton, KeepsEveryStage) {
    const SilhouetteResult result = silhouette_skeleton(test::body_of(lopsided(), 0.06));
    ASSERT_EQ(result.stages.size(), 1u);
    EXPECT_EQ(result.stages[0].triangulation.triangles.size(), result.stages[0].outline.outer.size() - 2);
    EXPECT_EQ(result.stages[0].classes.size(), result.stages[0].triangulation.triangles.size());
    EXPECT_GE(result.stages[0].raw_branches, static_cast<int>(result.stages[0].axis.branches.size()));
    EXPECT_EQ(result.coarse.branches.size(), result.stages[0].axis.branches.size());
    EXPECT_EQ(result.inside_fraction, 1);
    EXPECT_EQ(result.skeleton.size(), result.joints.joints.size());
    EXPECT_GT(result.seconds.total(), 0);
    EXPECT_EQ(result.curve.node_of_vertex.size(), result.parts.branch.size());
}

}  // namespace
}  // namespace sinew::rig
