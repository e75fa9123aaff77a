// SPDX-License-Identifier: MIT
#include "sinew/rig/segment.h"

#include <algorithm>
#include <map>
#include <set>

#include "rig/limbs.h"
#include "rig/parts/graph_inside.h"
#include "rig/template_support.h"
#include "support/cut_shapes.h"
#include "support/data.h"
#include "support/random.h"
#include "support/samples.h"
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "sinew/base/parallel.h"
#include "sinew/io/io.h"
#include "sinew/rig/parts/face_graph.h"
#include "sinew/rig/parts/labels.h"
#include "sinew/rig/skeletonize.h"

namespace sinew::rig {
namespace parts_segment_test {

using geometry::CutMesh;
using geometry::Mesh;
using geometry::PartTree;

RC_GTEST_PROP(PartsMinCut, IsTheCheapestOfAllCuts, ()) {
    test::Random random(*rc::gen::arbitrary<unsigned>());
    const int n = random.integer(2, 7);
    struct Edge {
        std::uint32_t a, b;
        double price;
    };
    std::vector<Edge> edges;
    std::vector<std::array<double, 2>> terminals;
    MinCut cut(static_cast<std::size_t>(n));
    for (int i = 0; i < n; ++i) {
        terminals.push_back({random.uniform(), random.uniform()});
        cut.add_terminal(static_cast<std::uint32_t>(i), terminals.back()[0], terminals.back()[1]);
        for (int j = i + 1; j < n; ++j) {
            if (random.uniform() < 0.4) continue;
            edges.push_back({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j), random.uniform()});
            cut.add_edge(edges.back().a, edges.back().b, edges.back().price);
        }
    }
    const auto price = [&](unsigned first) {
        double sum = 0;
        for (int i = 0; i < n; ++i) sum += terminals[static_cast<std::size_t>(i)][first >> i & 1 ? 1 : 0];
        for (const Edge& e : edges)
            if ((first >> e.a & 1) != (first >> e.b & 1)) sum += e.price;
        return sum;
    };
    cut.solve();
    unsigned found = 0;
    for (int i = 0; i < n; ++i)
        if (cut.on_first_side(static_cast<std::uint32_t>(i))) found |= 1u << i;
    double best = 1e9;
    for (unsigned first = 0; first < 1u << n; ++first) best = std::min(best, price(first));
    RC_ASSERT(std::abs(price(found) - best) < 1e-9);
}

FaceGraph graph_of(const Mesh& mesh) {
    return face_graph(geometry::cut_mesh(mesh, std::vector<int>(mesh.triangles.size(), 0), {"all"}));
}

TEST(PartsSegment, FacesKnowTheirNeighboursAndHollows) {
    const FaceGraph graph = graph_of(test::l_prism());
    EXPECT_NEAR(graph.area, 14, 1e-6);
    EXPECT_EQ(graph.links.size(), graph.size() * 3 / 2);
    int hollow = 0;
    for (const FaceLink& link : graph.links) {
        if (link.bend > 0.1) ++hollow;
        if (link.bend > 0.1) {
            EXPECT_NEAR(link.bend, math::pi / 2, 1e-6);
        }
    }
    EXPECT_EQ(hollow, 1);  // the inner corner of the L
}

TEST(PartsSegment, IslandsAreAbsorbedAndSmallPartsJoin) {
    const FaceGraph graph = graph_of(test::three_cylinders());
    std::vector<int> labels;
    for (const Vec3d& middle : graph.middles) labels.push_back(middle.z() < 2 ? 0 : middle.z() < 5 ? 1 : 2);
    std::vector<int> speckled = labels;
    for (std::size_t f = 40; f < speckled.size(); f += 37) speckled[f] = 0;
    absorb_islands(graph, speckled);
    EXPECT_EQ(speckled, labels);
    std::vector<int> thin = labels;
    for (std::size_t f = 0; f < thin.size(); ++f)
        if (graph.middles[f].z() > 4.5 && graph.middles[f].z() < 5) thin[f] = 7;
    join_small(graph, thin, 0, 0.5);  // half a radius long: a slice between two cuts
    EXPECT_EQ((std::set<int>(thin.begin(), thin.end())), (std::set<int>{0, 1, 2}));
    EXPECT_EQ(pack_labels(thin), (std::vector<int>{0, 1, 2}));
}

TEST(PartsSegment, AJaggedBorderFindsTheThinnestRing) {
    std::vector<double> heights;
    for (int i = 0; i <= 40; ++i) heights.push_back(0.1 * i);
    const FaceGraph graph = graph_of(
        test::cut_tube(heights, {}, [](double z) { return 1 - 0.4 * std::exp(-8 * (z - 2) * (z - 2)); }, 24));
    test::Random random(6);
    std::vector<int> labels;
    for (const Vec3d& middle : graph.middles)
        labels.push_back(middle.z() + random.uniform(-0.2, 0.2) < 2.3 ? 0 : 1);
    absorb_islands(graph, labels);
    smooth_borders(graph, labels, 1);
    const auto borders = label_borders(graph, labels, 2);
    ASSERT_EQ(borders[0].size(), 1u);
    // The ring of radius 0.6 has a girth of 24 chords.
    EXPECT_NEAR(borders[0][0].length, 24 * 2 * 0.6 * std::sin(math::pi / 24), 0.05);
}

TEST(PartsSegment, ShortEndsJoinTheirLimbs) {
    const FaceGraph graph = graph_of(test::three_cylinders());
    double high = 0;
    for (const Vec3d& middle : graph.middles) high = std::max(high, middle.z());
    std::vector<int> labels;
    for (const Vec3d& middle : graph.middles) labels.push_back(middle.z() > high - 0.6 ? 2 : middle.z() > 3);
    join_leaves(graph, labels, 0, 0);
    EXPECT_EQ((std::set<int>(labels.begin(), labels.end())), (std::set<int>{0, 1, 2}));
    join_leaves(graph, labels, 0, 1);
    EXPECT_EQ((std::set<int>(labels.begin(), labels.end())), (std::set<int>{0, 1}));
}

/// A limb as two shells, a sleeve and an arm, next to a body: what the eye sees as one part is one.
TEST(PartsShells, ABodyOfManyShellsIsCutAsTheEyeSeesIt) {
    const std::vector<test::Limb> limbs = test::figure();
    Mesh mesh;
    for (const test::Limb& limb : limbs) geometry::append(mesh, test::body_of({limb}, 0.07));
    mesh.parts.clear();
    SegmentationOptions options;
    options.across_shells = true;
    const Segmentation cut = segment(mesh, options);
    EXPECT_TRUE(cut.across_shells);
    EXPECT_GE(cut.part_count(), 6u);
    ASSERT_EQ(cut.parents.size(), cut.part_count());
    EXPECT_EQ(std::count(cut.parents.begin(), cut.parents.end(), -1), 1);
    // The end of each limb is a part of its own.
    const auto part_at = [&](const Vec3d& place) {
        std::size_t best = 0;
        double min = 1e9;
        for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
            const double d = (mesh.positions[mesh.triangles[t][0]].cast<double>() - place).norm();
            if (d < min) {
                min = d;
                best = t;
            }
        }
        return cut.part_of[best];
    };
    std::set<int> ends;
    for (std::size_t l = 1; l < limbs.size(); ++l) ends.insert(part_at(limbs[l].to));
    EXPECT_EQ(ends.size(), 5u);
    const PartTree tree = segment_tree(geometry::cut_mesh(mesh, cut.part_of, cut.names), cut);
    EXPECT_EQ(tree.order.size(), cut.part_count());
    options.across_shells = false;
    EXPECT_FALSE(segment(mesh, options).across_shells);
}

TEST(PartsShells, RealCharactersOfManyShellsHaveArmsAndLegs) {
    SINEW_NEEDS_DATA();
    SegmentationOptions options;
    options.across_shells = true;
    const model::Character man = io::read(test::data("gltf/human_male.glb")).character;
    const Segmentation cut = segment(test::mesh_at_rest(man), options);
    for (const char* name : {"Head", "LeftUpperArm", "RightLowerArm", "LeftUpperLeg", "RightLowerLeg"})
        EXPECT_NE(std::find(cut.names.begin(), cut.names.end(), name), cut.names.end()) << name;
    const Segmentation by_rig = segment(man, options);
    for (const char* name : {"head", "upperarm_l", "calf_r"})
        EXPECT_NE(std::find(by_rig.names.begin(), by_rig.names.end(), name), by_rig.names.end()) << name;
    const model::Character robot = io::read(test::data("gltf/RobotExpressive.glb")).character;
    EXPECT_GE(segment(robot, options).part_count(), 12u);
}

/// Every part is one connected piece, apart from other shells.
void expect_connected(const Mesh& mesh, const Segmentation& parts) {
    const FaceGraph graph = graph_of(mesh);
    EXPECT_EQ(label_pieces(graph, parts.part_of).label.size(), parts.part_count());
}

TEST(PartsSegment, TheManIsCutAsAPersonWould) {
    const Mesh& mesh = test::sample("man").mesh;
    const Segmentation parts = segment(mesh);
    expect_connected(mesh, parts);
    const std::set<std::string> names(parts.names.begin(), parts.names.end());
    for (const char* name : {"LeftUpperArm", "RightUpperArm", "LeftLowerArm", "RightLowerArm", "LeftUpperLeg",
                             "RightUpperLeg", "LeftLowerLeg", "RightLowerLeg"})
        EXPECT_TRUE(names.contains(name)) << name;
    EXPECT_GE(parts.part_count(), 10u);
    EXPECT_LE(parts.part_count(), 30u);
    set_thread_count(1);
    EXPECT_EQ(segment(mesh).part_of, parts.part_of);
    set_thread_count(0);
}

TEST(PartsSegment, AShellBelongsToOnePart) {
    Mesh mesh = test::sample("man").mesh;
    const auto own = static_cast<std::uint32_t>(mesh.triangles.size());
    const geometry::Box box = geometry::bounds(mesh.positions);
    append(mesh, test::cube({0, box.high.y() + 0.02f, 0}, 0.02f));
    mesh.parts.clear();
    const Segmentation parts = segment(mesh);
    for (std::size_t t = own; t < mesh.triangles.size(); ++t) EXPECT_EQ(parts.part_of[t], parts.part_of[own]);
    const CutMesh cut = geometry::cut_mesh(mesh, parts.part_of, parts.names);
    EXPECT_EQ(geometry::part_tree(cut).order.size(), parts.part_count());
}

TEST(PartsSegment, ThicknessDividesADumbbell) {
    std::vector<double> heights;
    for (int i = 0; i <= 60; ++i) heights.push_back(0.1 * i);
    const Mesh mesh = test::cut_tube(heights, {}, [](double z) { return z > 2 && z < 4 ? 0.2 : 1.0; }, 24);
    const FaceGraph graph = graph_of(mesh);
    const std::vector<double> thick = shape_diameters(mesh, graph, 25);
    double bar = 0, ball = 1;
    for (std::size_t f = 0; f < graph.size(); ++f) {
        const double z = graph.middles[f].z();
        if (z > 2.3 && z < 3.7) bar = std::max(bar, thick[f]);
        if (z > 0.3 && z < 1.7) ball = std::min(ball, thick[f]);
    }
    EXPECT_LT(bar, ball);
    SegmentationOptions options;
    options.method = SegmentMethod::diameter;
    options.levels = 2;
    const Segmentation parts = segment(mesh, options);
    expect_connected(mesh, parts);
    std::map<int, int> at_bottom, in_middle, at_top;
    for (std::size_t f = 0; f < graph.size(); ++f) {
        const double z = graph.middles[f].z();
        if (z < 1.8) ++at_bottom[parts.part_of[f]];
        if (z > 2.2 && z < 3.8) ++in_middle[parts.part_of[f]];
        if (z > 4.2) ++at_top[parts.part_of[f]];
    }
    EXPECT_EQ(at_bottom.size(), 1u);
    EXPECT_EQ(in_middle.size(), 1u);
    EXPECT_EQ(at_top.size(), 1u);
    EXPECT_EQ(parts.part_count(), 3u);
}

TEST(PartsSegment, TheMeshKeepsItsTrianglesUnderNames) {
    const Mesh mesh = test::three_cylinders();
    std::vector<int> part_of;
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) part_of.push_back(t % 3 == 0 ? 1 : 0);
    const Mesh named = with_parts(mesh, part_of, {"most", "some"});
    ASSERT_EQ(named.parts.size(), 2u);
    EXPECT_EQ(named.parts[1].name, "some");
    EXPECT_EQ(named.parts[0].count + named.parts[1].count, mesh.triangles.size());
    auto a = mesh.triangles, b = named.triangles;
    std::sort(a.begin(), a.end());
    std::sort(b.begin(), b.end());
    EXPECT_EQ(a, b);
    geometry::validate(named, "named");
}

/// Skeletons of all methods of a body: trees; with the principal axis every node inside.
void check_methods(const std::string& name, const Mesh& mesh, const CutMesh& cut, const PartTree& tree) {
    for (const PartMethod method : {PartMethod::opening, PartMethod::centroid, PartMethod::principal_axis}) {
        PartSkeletonOptions options;
        options.graph.method = method;
        const PartSkeleton skeleton = part_skeleton(cut, tree, options);
        model::validate(skeleton.skeleton, name);
        EXPECT_EQ(skeleton.graph.edges.size() + 1, skeleton.graph.nodes.size()) << name;
        EXPECT_EQ(skeleton.joint_of_part.size(), cut.part_count());
        if (method != PartMethod::principal_axis) continue;
        const test::GraphInside inside = test::inside_of(skeleton.graph, mesh);
        EXPECT_EQ(inside.nodes, 1) << name;
        EXPECT_GT(inside.length, 0.9) << name;
    }
}

class PartsSamples : public testing::TestWithParam<const char*> {};
TEST_P(PartsSamples, CutByTheirRigsHaveEveryNodeInside) {
    const std::string name = GetParam();
    const model::Character& character = test::sample(name, name == "man" ? 0 : test::few_faces);
    const Segmentation parts = segment(character);
    EXPECT_GE(parts.part_count(), 8u);
    const CutMesh cut = geometry::cut_mesh(character.mesh, parts.part_of, parts.names);
    const PartTree tree = segment_tree(cut, parts);
    check_methods(name, character.mesh, cut, tree);
    // The tree is that of the rig.
    const auto root = std::find(parts.parents.begin(), parts.parents.end(), -1);
    EXPECT_EQ(tree.root(), root - parts.parents.begin());
    Collector monitor;
    segment_tree(cut, parts, monitor);
    EXPECT_FALSE(monitor.has("parts-touch")) << name;
    EXPECT_FALSE(monitor.has("opening-several-loops")) << name;
    if (!monitor.has("parts-apart")) {
        EXPECT_EQ(tree.parent, parts.parents) << name;
    }
}
INSTANTIATE_TEST_SUITE_P(All, PartsSamples, testing::Values("man", "horse", "cat", "ostrich", "hand"));

class PartsData : public testing::TestWithParam<const char*> {};
TEST_P(PartsData, CutAutomaticallyHaveEveryNodeInside) {
    SINEW_NEEDS_DATA();
    const Mesh mesh = io::read(test::data(std::string("mesh/") + GetParam())).character.mesh;
    Collector monitor;
    const PartBody body = part_body(mesh, {}, monitor);
    EXPECT_TRUE(body.automatic);
    EXPECT_FALSE(monitor.has("parts-touch"));
    EXPECT_FALSE(monitor.has("opening-several-loops"));
    check_methods(GetParam(), mesh, body.cut, body.tree);
}
INSTANTIATE_TEST_SUITE_P(All, PartsData,
                         testing::Values("homer.obj", "horse.obj", "armadillo.obj", "cheburashka.off",
                                         "cat.obj", "elephant.obj", "hand_closed.obj"));

TEST(PartsBody, OwnPartsAreTakenAndScatteredOnesGivenUp) {
    const PartBody own = part_body(test::three_cylinders());
    EXPECT_FALSE(own.automatic);
    EXPECT_EQ(own.cut.part_count(), 3u);
    Mesh scattered = test::sample("man").mesh;
    scattered.parts = {{"skin", 0, static_cast<std::uint32_t>(scattered.triangles.size()), -1}};
    Mesh eye = test::cube({0, 9, 0}, 0.1f);
    eye.parts = {{"eye", 0, static_cast<std::uint32_t>(eye.triangles.size()), -1}};
    append(scattered, eye);
    Collector monitor;
    EXPECT_TRUE(part_body(scattered, {}, monitor).automatic);
    EXPECT_TRUE(monitor.has("parts-automatic"));
}

TEST(PartsBody, SkeletonizeTakesEveryMethodByParts) {
    const Mesh mesh = test::three_cylinders();
    model::Skeleton hierarchy;
    for (const char* name : {"part_1", "part_0", "part_2"}) {
        model::Joint joint;
        joint.name = name;
        joint.parent = hierarchy.empty() ? -1 : 0;
        joint.limits = model::JointLimits{};
        hierarchy.joints.push_back(joint);
    }
    for (const SkeletonMethod method : {SkeletonMethod::opening, SkeletonMethod::centroid,
                                        SkeletonMethod::principal_axis, SkeletonMethod::parts}) {
        SkeletonizeOptions options;
        options.method = method;
        options.hierarchy = hierarchy;
        const SkeletonizeResult result = skeletonize(mesh, options);
        EXPECT_EQ(result.method, method);
        ASSERT_TRUE(result.parts);
        EXPECT_GE(result.skeleton.find("part_2"), 0) << name_of(method);
        EXPECT_EQ(result.quality.inside_fraction, 1);
        EXPECT_TRUE(result.skeleton.joints[static_cast<std::size_t>(result.skeleton.find("part_2"))].limits);
    }
}

}  // namespace parts_segment_test
}  // namespace sinew::rig
