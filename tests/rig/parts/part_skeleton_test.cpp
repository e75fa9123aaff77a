// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "rig/parts/graph_inside.h"
#include "support/cut_shapes.h"
#include "support/random.h"
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "sinew/base/error.h"
#include "sinew/base/parallel.h"
#include "sinew/rig/parts/part_piece.h"

namespace sinew::rig {
namespace {

using geometry::CutMesh;
using geometry::Mesh;
using geometry::PartTree;
using geometry::Triangle;

PartSkeleton made(const CutMesh& cut, const PartTree& tree, PartMethod method) {
    PartSkeletonOptions options;
    options.graph.method = method;
    return part_skeleton(cut, tree, options);
}

bool is_tree(std::size_t nodes, const std::vector<std::array<int, 2>>& edges) {
    if (edges.size() + 1 != nodes) return false;
    std::vector<int> group(nodes);
    for (std::size_t i = 0; i < nodes; ++i) group[i] = static_cast<int>(i);
    for (const auto& [a, b] : edges) {
        const int x = group[static_cast<std::size_t>(a)], y = group[static_cast<std::size_t>(b)];
        if (x == y) return false;
        std::replace(group.begin(), group.end(), y, x);
    }
    return true;
}

/// A long box (-1..1 along x) as the shape of a part whose openings are given.
geometry::PartShape bar() {
    Mesh mesh = test::cube();
    for (auto& p : mesh.positions) p = {2 * p.x(), p.y(), p.z()};
    return geometry::part_shapes(geometry::cut_mesh(mesh)).front();
}
geometry::PartFeatures bar_features(const geometry::PartShape& shape) {
    geometry::PartFeatures features;
    geometry::update_extents(shape, features);
    return features;
}
PartOpenings openings_at(const std::vector<Vec3d>& places) {
    PartOpenings openings;
    openings.part = 0;
    openings.parent = 0;
    for (std::size_t i = 0; i < places.size(); ++i) {
        openings.at.push_back(places[i]);
        openings.child.push_back(i == 0 ? -1 : static_cast<int>(i));
    }
    return openings;
}
int count(const Piece& piece, PartNodeKind kind) {
    return static_cast<int>(std::count_if(piece.nodes.begin(), piece.nodes.end(),
                                          [&](const PartNode& n) { return n.kind == kind; }));
}

RC_GTEST_PROP(PartsConnect, PiecesAreTreesOverAllOpenings, ()) {
    test::Random random(*rc::gen::arbitrary<unsigned>());
    static const auto shape = bar();
    const auto features = bar_features(shape);
    std::vector<Vec3d> places;
    for (int i = 0; i < random.integer(1, 6); ++i)
        places.emplace_back(random.uniform(-1.2, 1.2), random.uniform(-0.4, 0.4), random.uniform(-0.4, 0.4));
    PartGraphOptions options;
    options.all_axes = random.integer(0, 1) == 1;
    options.links = random.integer(0, 1) == 1 ? LinkRule::spaced : LinkRule::grouped;
    const Piece piece = axis_piece(openings_at(places), shape, features, options);
    RC_ASSERT(is_tree(piece.nodes.size(), piece.edges));
    RC_ASSERT(count(piece, PartNodeKind::opening) == static_cast<int>(places.size()));
    if (options.all_axes) RC_ASSERT(count(piece, PartNodeKind::extra_end) == 4);
}

TEST(PartsConnect, SpacedLinksAreEvenAndALinkAtItsOpeningVanishes) {
    const auto shape = bar();
    const auto features = bar_features(shape);
    PartGraphOptions spaced;
    spaced.links = LinkRule::spaced;
    const Piece even = axis_piece(openings_at({{-0.9, 0.4, 0}, {0.1, 0.4, 0}}), shape, features, spaced);
    EXPECT_EQ(count(even, PartNodeKind::link), 5);
    const Piece on_axis = axis_piece(openings_at({{-0.5, 0, 0}, {0.5, 0, 0}}), shape, features, {});
    EXPECT_EQ(count(on_axis, PartNodeKind::link), 0);
    EXPECT_TRUE(is_tree(on_axis.nodes.size(), on_axis.edges));
}

TEST(PartsConnect, LimbsGoStraightFromJointToJointAndEndAtOneTip) {
    const auto shape = bar();
    const auto features = bar_features(shape);
    // A limb between two openings: nothing but its bone.
    const std::vector<Vec3d> both{{-0.3, 0.1, 0}, {0.3, -0.1, 0}};
    const Piece limb = axis_piece(openings_at(both), shape, features, {});
    EXPECT_EQ(limb.nodes.size(), 2u);
    EXPECT_EQ(limb.edges.size(), 1u);
    // A leaf: one bone to its farther end; to both when it starts in the middle.
    const Piece leaf = axis_piece(openings_at({{-0.5, 0.4, 0}}), shape, features, {});
    ASSERT_EQ(leaf.nodes.size(), 2u);
    EXPECT_NEAR(leaf.nodes[1].position.x(), 0.95, 1e-9);
    const Piece even = axis_piece(openings_at({{0, 0.4, 0}}), shape, features, {});
    EXPECT_EQ(count(even, PartNodeKind::axis_end), 2);
}

TEST(PartsConnect, TheBonesOfABentLeafReachItsTip) {
    // A tube of length 6 bent by 86 degrees, of which the last five sixths are the tail.
    std::vector<double> heights;
    for (int i = 0; i <= 60; ++i) heights.push_back(0.1 * i);
    Mesh mesh = test::cut_tube(heights, {10}, [](double) { return 0.3; });
    for (auto& p : mesh.positions) {
        const float angle = p.z() / 4;
        p = {(4 + p.x()) * std::cos(angle) - 4, p.y(), (4 + p.x()) * std::sin(angle)};
    }
    const CutMesh cut = geometry::cut_mesh(mesh);
    const PartTree tree = geometry::part_tree(cut, {-1, 0});
    const Vec3d tip(4 * std::cos(1.5) - 4, 0, 4 * std::sin(1.5));
    const PartSkeleton skeleton = made(cut, tree, PartMethod::principal_axis);
    double distance = 9;
    for (const PartNode& node : skeleton.graph.nodes)
        distance = std::min(distance, (node.position - tip).norm());
    EXPECT_LT(distance, 0.6);
    EXPECT_EQ(test::inside_of(skeleton.graph, mesh).nodes, 1);
}

TEST(PartsSkeleton, OpeningsOfAChainOfCylinders) {
    const CutMesh cut = geometry::cut_mesh(test::three_cylinders());
    const PartTree tree = geometry::part_tree(cut, {-1, 0, 1});
    const PartSkeleton result = made(cut, tree, PartMethod::opening);
    ASSERT_EQ(result.skeleton.size(), 3u);
    EXPECT_EQ(result.graph.edges.size(), 2u);  // the last part adds a joint but no edge
    const auto world = model::joint_positions(model::rest_world_matrices(result.skeleton));
    const std::vector<Vec3d> known{{0, 0, 1}, {0, 0, 2}, {0, 0, 5}};
    for (std::size_t p = 0; p < 3; ++p)
        EXPECT_LT((world[static_cast<std::size_t>(result.joint_of_part[p])] - known[p]).norm(), 1e-6);
    EXPECT_EQ(result.skeleton.joints[1].name, "part_1");
}

TEST(PartsSkeleton, CentroidsAndAxesOfAChainOfCylinders) {
    const CutMesh cut = geometry::cut_mesh(test::three_cylinders());
    const PartTree tree = geometry::part_tree(cut, {-1, 0, 1});
    const PartSkeleton centroid = made(cut, tree, PartMethod::centroid);
    EXPECT_EQ(centroid.graph.nodes.size(), 5u);  // three centres, two openings
    EXPECT_EQ(centroid.graph.edges.size(), 4u);
    ASSERT_TRUE(centroid.skeleton.joints.back().tip);  // the last centre ends the last bone
    EXPECT_NEAR(centroid.skeleton.joints.back().tip->z(), 1, 1e-6);
    const PartSkeleton axis = made(cut, tree, PartMethod::principal_axis);
    EXPECT_TRUE(is_tree(axis.graph.nodes.size(), axis.graph.edges));
    for (const PartNode& node : axis.graph.nodes) EXPECT_LT(node.position.head<2>().norm(), 1e-5);
    double low = 9, high = -9;
    for (const PartNode& node : axis.graph.nodes) {
        low = std::min(low, node.position.z());
        high = std::max(high, node.position.z());
    }
    EXPECT_NEAR(low, 0.05, 1e-6);  // an end of an axis stands a little inside
    EXPECT_NEAR(high, 6.95, 1e-6);
    model::validate(axis.skeleton, "axis");
}

/// A cross: a body of 3 x 3 x 3 cubes with four arms, each a part.
Mesh cross_body() {
    std::vector<test::CubeCell> cells;
    for (int i = -1; i <= 1; ++i)
        for (int j = -1; j <= 1; ++j)
            for (int k = -1; k <= 1; ++k) cells.push_back({{i, j, k}, 0});
    for (int i = 2; i <= 6; ++i) {
        cells.push_back({{i, 0, 0}, 1});
        cells.push_back({{-i, 0, 0}, 2});
        cells.push_back({{0, i, 0}, 3});
        cells.push_back({{0, -i, 0}, 4});
    }
    return test::cubes(cells, {"body", "east", "west", "north", "south"});
}

CutMesh moved(const CutMesh& cut, const math::Quatd& turn, double scale, const Vec3d& shift) {
    CutMesh result = cut;
    for (Vec3d& p : result.points) p = scale * (turn * p) + shift;
    return result;
}

TEST(PartsSkeleton, MovesTurnsAndScalesWithTheMesh) {
    test::Random random(11);
    const CutMesh cut =
        geometry::cut_mesh(test::cut_tube({0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 4.6, 5.3, 6, 6.7, 7.3}, {4, 9},
                                          [](double z) { return 0.7 + 0.2 * std::sin(3 * z); }));
    const std::vector<int> parents{1, -1, 1};
    constexpr PartMethod methods[] = {PartMethod::opening, PartMethod::centroid, PartMethod::principal_axis};
    for (int round = 0; round < 12; ++round) {
        const math::Quatd turn = random.rotation();
        const double scale = random.uniform(0.1, 10);
        const Vec3d shift = random.vector(3);
        const CutMesh other = moved(cut, turn, scale, shift);
        const PartMethod method = methods[round % 3];
        const PartSkeleton a = made(cut, geometry::part_tree(cut, parents), method);
        const PartSkeleton b = made(other, geometry::part_tree(other, parents), method);
        ASSERT_EQ(a.graph.edges, b.graph.edges);
        for (std::size_t i = 0; i < a.graph.nodes.size(); ++i) {
            const Vec3d there = scale * (turn * a.graph.nodes[i].position) + shift;
            EXPECT_LT((there - b.graph.nodes[i].position).norm(), 1e-8 * scale) << name_of(method);
        }
    }
}

TEST(PartsSkeleton, DoesNotDependOnTheOrderOfFacesOrThreads) {
    const CutMesh cut = geometry::cut_mesh(cross_body());
    CutMesh shuffled = cut;
    std::reverse(shuffled.triangles.begin(), shuffled.triangles.end());
    std::reverse(shuffled.part_of.begin(), shuffled.part_of.end());
    for (const PartMethod method :
         {PartMethod::opening, PartMethod::centroid, PartMethod::principal_axis, PartMethod::automatic}) {
        const PartSkeleton a = made(cut, geometry::part_tree(cut), method);
        const PartSkeleton b = made(shuffled, geometry::part_tree(shuffled), method);
        ASSERT_EQ(a.graph.edges, b.graph.edges) << name_of(method);
        for (std::size_t i = 0; i < a.graph.nodes.size(); ++i)
            EXPECT_LT((a.graph.nodes[i].position - b.graph.nodes[i].position).norm(), 1e-9);
        set_thread_count(1);
        const PartSkeleton one = made(cut, geometry::part_tree(cut), method);
        set_thread_count(0);
        for (std::size_t i = 0; i < a.graph.nodes.size(); ++i)
            EXPECT_EQ(a.graph.nodes[i].position, one.graph.nodes[i].position);
    }
}

TEST(PartsSkeleton, ACrossHasItsArmsAndAllAxesGiveFourMoreJoints) {
    const CutMesh cut = geometry::cut_mesh(cross_body());
    const PartTree tree = geometry::part_tree(cut);
    EXPECT_EQ(cut.names[static_cast<std::size_t>(tree.root())], "body");
    const PartSkeleton only = made(cut, tree, PartMethod::principal_axis);
    PartSkeletonOptions all;
    all.graph.all_axes = true;
    const PartSkeleton more = part_skeleton(cut, tree, all);
    const auto extra = [](const PartSkeleton& s) {
        return std::count_if(s.graph.nodes.begin(), s.graph.nodes.end(),
                             [](const PartNode& n) { return n.kind == PartNodeKind::extra_end; });
    };
    EXPECT_EQ(extra(only), 0);
    EXPECT_EQ(extra(more), 4 * 5);
    EXPECT_TRUE(is_tree(more.graph.nodes.size(), more.graph.edges));
    EXPECT_EQ(only.joint_of_part.size(), 5u);
}

TEST(PartsSkeleton, TheBestMethodOfAPartIsTheOneInsideIt) {
    // The middle of a U lies outside: the straight line between its ends leaves it, the axis of its beam
    // does not.
    EXPECT_NEAR(inside_part(bar().surface, {-2, 0.1, 0.1}, {2, 0.1, 0.1}), 0.5, 1e-9);
    EXPECT_NEAR(inside_part(bar().surface, {-0.9, 0.1, 0.1}, {0.9, 0.1, 0.1}), 1, 1e-9);
    EXPECT_NEAR(inside_part(bar().surface, {-0.9, 2, 0.1}, {0.9, 2, 0.1}), 0, 1e-9);
    const CutMesh cut = geometry::cut_mesh(test::three_cylinders());
    const PartSkeleton best = made(cut, geometry::part_tree(cut), PartMethod::automatic);
    for (const PartPiece& piece : best.pieces) {
        EXPECT_EQ(piece.method, PartMethod::principal_axis);  // all are inside: the most expressive
        EXPECT_NEAR(piece.inside, 1, 1e-6);
    }
}

model::Skeleton hierarchy(const std::vector<std::pair<const char*, int>>& joints) {
    model::Skeleton skeleton;
    for (const auto& [name, parent] : joints) {
        model::Joint joint;
        joint.name = name;
        joint.parent = parent;
        skeleton.joints.push_back(joint);
    }
    return skeleton;
}

TEST(PartsHierarchy, NamesMatchWhateverTheirCase) {
    const CutMesh cut = geometry::cut_mesh(test::three_cylinders());
    model::Skeleton given = hierarchy({{"Part_1", -1}, {"PART_2", 0}, {"part_0", 0}});
    given.joints[1].limits = model::JointLimits{};
    const PartHierarchy joined = join_hierarchy(cut, given);
    EXPECT_EQ(joined.parents, (std::vector<int>{1, -1, 1}));
    EXPECT_EQ(joined.joint_of_part, (std::vector<int>{2, 0, 1}));
    EXPECT_TRUE(joined.limits[2]);
    EXPECT_FALSE(joined.limits[0]);
}

TEST(PartsHierarchy, MissingNamesOfBothSidesAreTold) {
    const CutMesh cut = geometry::cut_mesh(test::three_cylinders());
    try {
        join_hierarchy(cut, hierarchy({{"part_1", -1}, {"arm", 0}, {"part_0", 0}}));
        FAIL() << "no error";
    } catch (const Error& error) {
        const std::string text = error.what();
        EXPECT_NE(text.find("the hierarchy names \"arm\""), std::string::npos) << text;
        EXPECT_NE(text.find("the mesh has \"part_2\""), std::string::npos) << text;
    }
    EXPECT_THROW(join_hierarchy(cut, hierarchy({{"part_1", -1}, {"PART_1", 0}, {"part_0", 0}})), Error);
}

TEST(PartsHierarchy, ErrorsSayWhatToDo) {
    const CutMesh cut = geometry::cut_mesh(test::three_cylinders());
    const auto error_of = [&](const model::Skeleton& given) -> std::string {
        try {
            join_hierarchy(cut, given);
        } catch (const Error& error) {
            return error.reason();
        }
        return "no error";
    };
    const auto has = [](const std::string& text, std::string_view words) {
        EXPECT_NE(text.find(words), std::string::npos) << text;
    };
    const std::string more = error_of(hierarchy({{"part_1", -1}, {"part_0", 0}, {"part_2", 0}, {"tail", 2}}));
    has(more, "names \"tail\", which the mesh does not have; it has \"part_0\", \"part_1\", \"part_2\"");
    has(more, "Remove it");
    const std::string fewer = error_of(hierarchy({{"part_1", -1}, {"part_0", 0}}));
    has(fewer, "the mesh has \"part_2\", which the hierarchy does not name; it names \"part_1\", \"part_0\"");
    // Readers number a name that comes again.
    const std::string cycle =
        error_of(hierarchy({{"part_0", -1}, {"part_1", 0}, {"part_2", 1}, {"part_0_2", 2}}));
    has(cycle, "\"part_0\" is its own ancestor");
    has(cycle, "child of \"part_2\"");
    const std::string twice =
        error_of(hierarchy({{"part_1", -1}, {"part_0", 0}, {"part_2", 0}, {"part_2_2", 1}}));
    has(twice, "\"part_2\" is defined twice in the hierarchy, the second time below \"part_0\"");
}

}  // namespace
}  // namespace sinew::rig
