// SPDX-License-Identifier: MIT
#include "sinew/rig/contraction/contraction_mesh.h"

#include "rig/limbs.h"
#include "support/shapes.h"
#include <gtest/gtest.h>

#include "sinew/geometry/topology.h"
#include "sinew/rig/contraction/collapse.h"
#include "sinew/rig/contraction/contraction.h"
#include "sinew/rig/curve/curve_refine.h"

namespace sinew {
namespace {

using math::Vec3d;
using rig::ContractionMesh;

ContractionMesh make(const geometry::Mesh& mesh) {
    std::vector<Vec3d> positions;
    for (const auto& p : mesh.positions) positions.emplace_back(p.cast<double>());
    std::vector<ContractionMesh::Face> faces;
    for (const auto& t : mesh.triangles) {
        faces.push_back({static_cast<int>(t[0]), static_cast<int>(t[1]), static_cast<int>(t[2])});
    }
    return {positions, faces};
}

geometry::Topology topology(const ContractionMesh& mesh) {
    geometry::Mesh out;
    for (const Vec3d& p : mesh.position) out.positions.emplace_back(p.cast<float>());
    for (const auto& f : mesh.faces()) {
        if (f[0] < 0) continue;
        out.triangles.push_back({static_cast<std::uint32_t>(f[0]), static_cast<std::uint32_t>(f[1]),
                                 static_cast<std::uint32_t>(f[2])});
    }
    return geometry::topology(out);
}

TEST(ContractionMesh, SplitsAndCollapsesKeepASphereASphere) {
    ContractionMesh mesh = make(test::cube());
    const double area = mesh.area();
    EXPECT_NEAR(area, 6, 1e-6);
    const int middle = mesh.split(0, 1, {0, -0.5, -0.5});
    EXPECT_EQ(mesh.vertex_count(), 9u);
    EXPECT_EQ(mesh.face_count(), 14u);
    EXPECT_NEAR(mesh.area(), area, 1e-6);
    ASSERT_TRUE(mesh.can_collapse(0, middle));
    mesh.collapse(0, middle, mesh.position[0]);
    EXPECT_EQ(mesh.face_count(), 12u);
    EXPECT_NEAR(mesh.area(), area, 1e-6);
    EXPECT_EQ(topology(mesh).genus, 0);
}

TEST(ContractionMesh, ATetrahedronAndTheWaistOfATubeDoNotCollapse) {
    geometry::Mesh tetrahedron;
    tetrahedron.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    tetrahedron.triangles = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};
    EXPECT_FALSE(make(tetrahedron).can_collapse(0, 1));
    // Three vertices around: each edge of the ring has the third as a common neighbour that faces it not.
    const ContractionMesh ring = make(test::torus(12, 3));
    EXPECT_FALSE(ring.can_collapse(0, 1));
    EXPECT_TRUE(ring.can_collapse(0, 3));
}

TEST(ContractionMesh, RemeshingGivesAboutTheVerticesAskedForAndKeepsTheKindOfSurface) {
    for (const std::size_t vertices : {300u, 3000u}) {
        ContractionMesh mesh = make(test::torus(60, 30));
        rig::remesh_evenly(mesh, vertices);
        EXPECT_GT(mesh.vertex_count(), vertices * 6 / 10);
        EXPECT_LT(mesh.vertex_count(), vertices * 15 / 10);
        const geometry::Topology kind = topology(mesh);
        EXPECT_TRUE(kind.manifold);
        EXPECT_EQ(kind.genus, 1);
        EXPECT_NEAR(mesh.area(), 2 * math::pi * 2 * 2 * math::pi * 0.5, 4.0);
    }
}

TEST(ContractionFlow, PolesOfATubeLieOnItsAxis) {
    ContractionMesh mesh = make(test::body_of(test::capsule()));
    rig::find_poles(mesh);
    for (std::size_t v = 0; v < mesh.vertex_slots(); ++v) {
        EXPECT_LT(test::axis_distance(test::capsule(), mesh.pole[v]), 0.06);
    }
}

TEST(ContractionFlow, ATubeShrinksToItsAxisAndCollapsesToACurve) {
    ContractionMesh mesh = make(test::body_of(test::bent_tube()));
    rig::remesh_evenly(mesh, 1500);
    rig::find_poles(mesh);
    const double area = mesh.area();
    EXPECT_LT(rig::contract(mesh), 200);
    EXPECT_LT(mesh.area(), 0.05 * area);
    const rig::CurveSkeleton curve = rig::collapse_to_curve(mesh);
    EXPECT_EQ(rig::piece_count(curve), 1);
    EXPECT_GT(curve.nodes.size(), 8u);
    for (const rig::CurveNode& node : curve.nodes) {
        EXPECT_LT(test::axis_distance(test::bent_tube(), node.position), 0.08);
    }
}

TEST(Cotangent, KnownAngles) {
    const Vec3d x = Vec3d::UnitX(), y = Vec3d::UnitY(), apex = Vec3d::Zero();
    EXPECT_NEAR(geometry::cotangent(apex, x, y), 0, 1e-15);
    EXPECT_NEAR(geometry::cotangent(apex, x, x + y), 1, 1e-15);
    EXPECT_NEAR(geometry::cotangent(apex, x, y - x), -1, 1e-15);
    EXPECT_EQ(geometry::cotangent(apex, x, 2 * x), 0) << "no area";
}

TEST(CurveTidy, ARingBreaksAtItsThinnestLink) {
    rig::CurveSkeleton ring;
    for (const double radius : {1.0, 2.0, 0.5, 3.0}) ring.nodes.push_back({Vec3d::Zero(), radius});
    ring.edges = {{0, 1}, {0, 3}, {1, 2}, {2, 3}};
    const rig::CurveSkeleton tree = rig::without_rings(ring);
    EXPECT_EQ(tree.edges.size(), 3u);
    EXPECT_EQ(rig::piece_count(tree), 1);
    EXPECT_EQ(rig::degrees(tree)[2], 1);
}

/// A straight curve along x with a thorn of some length at x = 5.
rig::CurveSkeleton with_thorn(double length) {
    rig::CurveSkeleton curve;
    for (int i = 0; i <= 10; ++i) curve.nodes.push_back({Vec3d(i, 0, 0), 1});
    for (int i = 0; i < 10; ++i) curve.edges.push_back({i, i + 1});
    curve.nodes.push_back({Vec3d(5, length, 0), 0.1});
    curve.edges.push_back({5, 11});
    return curve;
}

TEST(CurveTidy, ThornsGoAndLimbsStay) {
    EXPECT_EQ(rig::branches(rig::without_spurs(with_thorn(1.0), 1.25, 1)).size(), 1u);
    EXPECT_EQ(rig::branches(rig::without_spurs(with_thorn(1.3), 1.25, 1)).size(), 3u);
}

TEST(CurveTidy, CloseJunctionsBecomeOne) {
    rig::CurveSkeleton curve = with_thorn(4);
    curve.nodes.push_back({Vec3d(6, -4, 0), 0.1});
    curve.edges.push_back({6, 12});
    EXPECT_EQ(rig::branches(rig::without_spurs(curve, 1.25, 0.9)).size(), 5u);
    EXPECT_EQ(rig::branches(rig::without_spurs(curve, 1.25, 1.1)).size(), 4u);
}

TEST(CurveTidy, NodesAreEvenlySpacedAndEndsStay) {
    const rig::CurveSkeleton curve = rig::evenly_spaced(with_thorn(4), 0.3);
    for (const auto& [a, b] : curve.edges) {
        const double length = (curve.nodes[static_cast<std::size_t>(a)].position -
                               curve.nodes[static_cast<std::size_t>(b)].position)
                                  .norm();
        EXPECT_NEAR(length, 0.3, 0.02);
    }
    EXPECT_EQ(rig::branches(curve).size(), 3u);
    EXPECT_EQ(curve.nodes.size(), curve.edges.size() + 1);
}

}  // namespace
}  // namespace sinew
