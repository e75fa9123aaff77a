// SPDX-License-Identifier: MIT
#include "sinew/published/contraction_au.h"

#include "rig/limbs.h"
#include "support/shapes.h"
#include <gtest/gtest.h>

#include "sinew/rig/contraction/collapse.h"
#include "sinew/rig/contraction/contraction.h"
#include "sinew/rig/curve/skeleton_quality.h"

namespace sinew::published {
namespace {

ContractionMesh surface_of(const geometry::Mesh& mesh) {
    std::vector<Vec3d> positions;
    for (const auto& p : mesh.positions) positions.emplace_back(p.cast<double>());
    std::vector<ContractionMesh::Face> faces;
    for (const auto& t : mesh.triangles) {
        faces.push_back({static_cast<int>(t[0]), static_cast<int>(t[1]), static_cast<int>(t[2])});
    }
    return {std::move(positions), std::move(faces)};
}

TEST(ContractionAu, ATubeGivesItsAxis) {
    const CurveSkeleton curve = au_skeleton(test::body_of(test::capsule()));
    EXPECT_EQ(topology_of(curve).ends, 2);
    double low = 1, high = -1;
    for (const CurveNode& node : curve.nodes) {
        EXPECT_LT(std::hypot(node.position.x(), node.position.z()), 0.05);
        low = std::min(low, node.position.y());
        high = std::max(high, node.position.y());
    }
    EXPECT_GT(high - low, 1.2) << "of 2: shrinking makes it shorter";
}

TEST(ContractionAu, AYGivesThreeBranchesThatMeet) {
    const geometry::Mesh mesh = test::body_of(test::y_tube());
    const CurveSkeleton curve = au_skeleton(mesh);
    const SkeletonQuality quality = skeleton_quality(curve, mesh);
    EXPECT_EQ(quality.topology.ends, 3);
    EXPECT_EQ(quality.topology.junctions, 1);
    EXPECT_EQ(quality.inside_fraction, 1);
    EXPECT_LT(quality.centredness.limb_mean, 0.25) << "its ends lie near the surface";
    for (const CurveNode& node : curve.nodes) EXPECT_LT(std::abs(node.position.z()), 0.05);
}

TEST(ContractionAu, TheVolumeGoesAndTheTopologyStays) {
    ContractionMesh mesh = surface_of(test::body_of(test::capsule(), 0.1));
    const std::vector<ContractionMesh::Face> faces = mesh.faces();
    const double area = mesh.area();
    const int iterations = contract_au(mesh, silent());
    EXPECT_GT(iterations, 3);
    EXPECT_LT(iterations, 30) << "the volume is gone before";
    EXPECT_EQ(mesh.faces(), faces);
    EXPECT_LT(mesh.area(), 0.05 * area);
    for (const Vec3d& p : mesh.position) EXPECT_LT(std::hypot(p.x(), p.z()), 0.1);
}

TEST(ContractionAu, CollapsingByShapeKeepsALineAndAllVertices) {
    ContractionMesh mesh = surface_of(test::body_of(test::capsule(), 0.1));
    for (Vec3d& p : mesh.position) p.x() *= 1e-3, p.z() *= 1e-3;
    std::vector<int> node_of;
    const CurveSkeleton curve = collapse_by_shape(mesh, node_of);
    ASSERT_EQ(node_of.size(), mesh.position.size());
    EXPECT_EQ(topology_of(curve).ends, 2);
    EXPECT_EQ(topology_of(curve).rings, 0);
    EXPECT_GT(curve.nodes.size(), 8u) << "the sampling cost keeps edges from growing long";
    std::vector<char> is_taken(curve.nodes.size());
    for (const int node : node_of) {
        ASSERT_GE(node, 0);
        is_taken[static_cast<std::size_t>(node)] = 1;
    }
    EXPECT_EQ(std::count(is_taken.begin(), is_taken.end(), 0), 0);
}

TEST(ContractionAu, RecentringUndoesAShift) {
    const ContractionMesh original = surface_of(test::body_of(test::capsule(), 0.1));
    ContractionMesh shifted = original;
    for (Vec3d& p : shifted.position) p = Vec3d(0.4, p.y(), -0.3);
    std::vector<int> node_of;
    CurveSkeleton curve = collapse_by_shape(shifted, node_of);
    recentre(curve, node_of, shifted, original);
    for (const CurveNode& node : curve.nodes) {
        EXPECT_LT(std::hypot(node.position.x(), node.position.z()), 0.06);
    }
}

}  // namespace
}  // namespace sinew::published
