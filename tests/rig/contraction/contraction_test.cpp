// SPDX-License-Identifier: MIT
#include "sinew/rig/contraction/contraction.h"

#include <set>

#include "rig/limbs.h"
#include "support/data.h"
#include "support/shapes.h"
#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/base/parallel.h"
#include "sinew/io/io.h"
#include "sinew/rig/curve/skeleton_quality.h"
#include "sinew/rig/curve/voxel_skeleton.h"

namespace sinew {
namespace {

using geometry::Mesh;
using math::Vec3d;
using rig::CurveSkeleton;

enum class Way { voxel, contraction };

CurveSkeleton skeleton(Way way, const Mesh& mesh, Monitor& monitor = silent()) {
    return way == Way::voxel ? rig::voxel_skeleton(mesh, monitor).curve
                             : rig::contraction_skeleton(mesh, monitor).curve;
}

Mesh transformed(Mesh mesh, const math::Quatd& turn, double scale) {
    for (auto& p : mesh.positions) p = (scale * (turn * p.cast<double>())).cast<float>();
    return mesh;
}

std::vector<Vec3d> ends_of(const CurveSkeleton& curve) {
    const std::vector<int> degree = rig::degrees(curve);
    std::vector<Vec3d> ends;
    for (std::size_t n = 0; n < degree.size(); ++n) {
        if (degree[n] == 1) ends.push_back(curve.nodes[n].position);
    }
    return ends;
}

double nearest(const std::vector<Vec3d>& points, const Vec3d& to) {
    double min = 1e30;
    for (const Vec3d& point : points) min = std::min(min, (point - to).norm());
    return min;
}

class CurveMethods : public testing::TestWithParam<Way> {};
INSTANTIATE_TEST_SUITE_P(All, CurveMethods, testing::Values(Way::voxel, Way::contraction),
                         [](const auto& method) {
                             return method.param == Way::voxel ? "Voxel" : "Contraction";
                         });

TEST_P(CurveMethods, ACapsuleGivesItsAxis) {
    const CurveSkeleton curve = skeleton(GetParam(), test::body_of(test::capsule()));
    EXPECT_EQ(rig::branches(curve).size(), 1u);
    for (const rig::CurveNode& node : curve.nodes) {
        EXPECT_LT(test::axis_distance(test::capsule(), node.position), 0.03);
        EXPECT_NEAR(node.radius, 0.25, 0.04);
    }
    const std::vector<Vec3d> ends = ends_of(curve);
    ASSERT_EQ(ends.size(), 2u);
    for (const double y : {-1.0, 1.0}) EXPECT_LT(nearest(ends, {0, y, 0}), 0.2);
}

TEST_P(CurveMethods, ABentTubeGivesItsAxis) {
    const CurveSkeleton curve = skeleton(GetParam(), test::body_of(test::bent_tube()));
    EXPECT_EQ(rig::branches(curve).size(), 1u);
    for (const rig::CurveNode& node : curve.nodes) {
        EXPECT_LT(test::axis_distance(test::bent_tube(), node.position), 0.04);
    }
    EXPECT_LT(nearest(ends_of(curve), {1, 0, 0}), 0.16);
    EXPECT_LT(nearest(ends_of(curve), {0, 1, 0}), 0.16);
}

TEST_P(CurveMethods, AYGivesThreeBranchesThatMeet) {
    const Mesh mesh = test::body_of(test::y_tube());
    const CurveSkeleton curve = skeleton(GetParam(), mesh);
    const rig::SkeletonQuality quality = rig::skeleton_quality(curve, mesh);
    EXPECT_EQ(quality.topology.ends, 3);
    EXPECT_EQ(quality.topology.junctions, 1);
    EXPECT_EQ(quality.topology.branches, 3);
    EXPECT_EQ(quality.inside_fraction, 1);
    EXPECT_LT(quality.centredness.limb_mean, 0.05);
    const std::vector<int> degree = rig::degrees(curve);
    const auto junction =
        static_cast<std::size_t>(std::max_element(degree.begin(), degree.end()) - degree.begin());
    EXPECT_LT(curve.nodes[junction].position.norm(), 0.15);
}

TEST_P(CurveMethods, AFigureHasALimbForEachOfItsLimbs) {
    const Mesh mesh = test::body_of(test::figure());
    const CurveSkeleton curve = skeleton(GetParam(), mesh);
    const rig::SkeletonQuality quality = rig::skeleton_quality(curve, mesh);
    EXPECT_EQ(quality.topology.ends, 5);
    EXPECT_EQ(quality.topology.pieces, 1);
    EXPECT_EQ(quality.topology.rings, 0);
    EXPECT_EQ(quality.inside_fraction, 1);
    EXPECT_LT(quality.centredness.mean, 0.1);
    for (const Vec3d& end :
         {Vec3d(1, 0.75, 0), Vec3d(-1, 0.75, 0), Vec3d(0.3, -1.1, 0), Vec3d(-0.3, -1.1, 0)}) {
        EXPECT_LT(nearest(ends_of(curve), end), 0.12);
    }
}

TEST_P(CurveMethods, EveryVertexBelongsToANodeOfItsLimb) {
    const Mesh mesh = test::body_of(test::figure());
    const CurveSkeleton curve = skeleton(GetParam(), mesh);
    ASSERT_EQ(curve.node_of_vertex.size(), mesh.positions.size());
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
        const int node = curve.node_of_vertex[v];
        ASSERT_GE(node, 0);
        ASSERT_LT(node, static_cast<int>(curve.nodes.size()));
        const rig::CurveNode& owner = curve.nodes[static_cast<std::size_t>(node)];
        EXPECT_LT((owner.position - mesh.positions[v].cast<double>()).norm(), 2.2 * owner.radius + 0.1);
    }
}

TEST_P(CurveMethods, TheShapeDoesNotDependOnScaleOrRotation) {
    const Mesh mesh = test::body_of(test::figure());
    const std::string shape = rig::topology_of(skeleton(GetParam(), mesh)).shape;
    const math::Quatd none = math::Quatd::Identity(), turn = math::Quatd(0.7, 0.3, -0.5, 0.4).normalized();
    for (const double scale : {1e-6, 1e6}) {
        const CurveSkeleton curve = skeleton(GetParam(), transformed(mesh, none, scale));
        EXPECT_EQ(rig::topology_of(curve).shape, shape) << scale;
        EXPECT_LT(nearest(ends_of(curve), scale * Vec3d(1, 0.75, 0)), 0.14 * scale);
    }
    EXPECT_EQ(rig::topology_of(skeleton(GetParam(), transformed(mesh, turn, 1))).shape, shape);
}

TEST_P(CurveMethods, TheResultIsTheSameOnOneThreadAndOnFour) {
    const Mesh mesh = test::body_of(test::y_tube());
    set_thread_count(1);
    const CurveSkeleton one = skeleton(GetParam(), mesh);
    set_thread_count(4);
    const CurveSkeleton four = skeleton(GetParam(), mesh);
    set_thread_count(0);
    ASSERT_EQ(one.nodes.size(), four.nodes.size());
    EXPECT_EQ(one.edges, four.edges);
    EXPECT_EQ(one.node_of_vertex, four.node_of_vertex);
    for (std::size_t n = 0; n < one.nodes.size(); ++n)
        EXPECT_EQ(one.nodes[n].position, four.nodes[n].position);
}

TEST_P(CurveMethods, ABallGivesItsMiddle) {
    const CurveSkeleton curve = skeleton(GetParam(), test::body_of({{Vec3d(1, 2, 3), Vec3d(1, 2, 3), 0.5}}));
    ASSERT_FALSE(curve.empty());
    EXPECT_LE(rig::topology_of(curve).ends, 2);
    for (const rig::CurveNode& node : curve.nodes) EXPECT_LT((node.position - Vec3d(1, 2, 3)).norm(), 0.2);
}

TEST_P(CurveMethods, SheetsAndSingleTrianglesGiveASmallSkeleton) {
    Mesh triangle;
    triangle.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    triangle.triangles = {{0, 1, 2}};
    for (const Mesh& mesh : {test::sheet(12, 5), triangle}) {
        const CurveSkeleton curve = skeleton(GetParam(), mesh);
        EXPECT_FALSE(curve.empty());
        EXPECT_LE(rig::topology_of(curve).ends, 5);
    }
}

TEST_P(CurveMethods, ATubeThatIsOpenGivesItsAxis) {
    Collector collector;
    const CurveSkeleton curve = skeleton(GetParam(), test::tube(20, 24, 0.2, 2), collector);
    EXPECT_EQ(rig::branches(curve).size(), 1u);
    double low = 2, high = 0;
    for (const rig::CurveNode& node : curve.nodes) {
        EXPECT_LT(std::hypot(node.position.x(), node.position.z()), 0.06);
        low = std::min(low, node.position.y());
        high = std::max(high, node.position.y());
    }
    EXPECT_GT(high - low, 1.4);
    EXPECT_EQ(collector.has("contracts-solid"), GetParam() == Way::contraction);
}

TEST_P(CurveMethods, TwoFiguresGetTwoSkeletons) {
    Mesh mesh = test::body_of(test::figure());
    Mesh other = mesh;
    for (auto& p : other.positions) p.x() += 4;
    geometry::append(mesh, other);
    Collector collector;
    const CurveSkeleton curve = skeleton(GetParam(), mesh, collector);
    EXPECT_EQ(rig::piece_count(curve), 2);
    EXPECT_EQ(rig::topology_of(curve).ends, 10);
    EXPECT_TRUE(collector.has("several-bodies"));
}

TEST_P(CurveMethods, ALooseHandIsTiedToTheBody) {
    Mesh mesh = test::body_of(test::figure());
    geometry::append(mesh, test::body_of({{Vec3d(1.4, 0.75, 0), Vec3d(1.8, 0.75, 0), 0.1}}));
    Collector collector;
    const CurveSkeleton curve = skeleton(GetParam(), mesh, collector);
    EXPECT_EQ(rig::piece_count(curve), 1);
    EXPECT_TRUE(collector.has("loose-parts"));
    EXPECT_LT(nearest(ends_of(curve), {1.8, 0.75, 0}), 0.15);
}

TEST_P(CurveMethods, AMeshWithoutExtentIsRefused) {
    Mesh point;
    point.positions = {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}};
    point.triangles = {{0, 1, 2}};
    EXPECT_THROW(skeleton(GetParam(), point), Error);
    EXPECT_THROW(skeleton(GetParam(), Mesh{}), Error);
}

TEST_P(CurveMethods, RealCharactersHaveABranchForEachLimb) {
    SINEW_NEEDS_DATA();
    const std::vector<std::pair<std::string, int>> ends = {{"mesh/homer.obj", 5},
                                                           {"mesh/elephant.obj", 7},
                                                           {"mesh/horse.obj", 8},
                                                           {"gltf/CesiumMan.glb", 5},
                                                           {"gltf/human_male.glb", 5}};
    for (const auto& [file, count] : ends) {
        const Mesh mesh = io::read(test::data(file)).character.mesh;
        const CurveSkeleton curve = skeleton(GetParam(), mesh);
        const rig::SkeletonQuality quality = rig::skeleton_quality(curve, mesh);
        EXPECT_EQ(quality.topology.ends, count) << file;
        EXPECT_EQ(quality.topology.pieces, 1) << file;
        EXPECT_EQ(quality.inside_fraction, 1) << file;
        EXPECT_LT(quality.centredness.mean, 0.1) << file;
    }
}

TEST(Contraction, ClosedMeshesAreContractedThemselves) {
    const Mesh mesh = test::body_of(test::y_tube());
    EXPECT_FALSE(rig::contraction_skeleton(mesh).from_solid);
    Mesh open = mesh;
    open.triangles.pop_back();
    const rig::ContractionResult solid = rig::contraction_skeleton(open);
    EXPECT_TRUE(solid.from_solid);
    EXPECT_EQ(rig::topology_of(solid.curve).ends, 3);
}

TEST(Contraction, TheWorkIsBounded) {
    const rig::ContractionResult result = rig::contraction_skeleton(test::body_of(test::y_tube(), 0.015));
    EXPECT_LT(result.start_vertices, 2250u);
    EXPECT_GT(result.start_vertices, 900u);
    EXPECT_LT(result.iterations, 200);
}

TEST(Contraction, CoarseMeshesAreMadeFinerFirst) {
    Mesh bar = test::cube();
    for (auto& p : bar.positions) p.y() *= 6;
    const rig::ContractionResult result = rig::contraction_skeleton(bar);
    EXPECT_GT(result.start_vertices, 1000u);
    EXPECT_EQ(rig::topology_of(result.curve).ends, 2);
    for (const rig::CurveNode& node : result.curve.nodes) {
        EXPECT_LT(std::hypot(node.position.x(), node.position.z()), 0.1);
    }
}

}  // namespace
}  // namespace sinew
