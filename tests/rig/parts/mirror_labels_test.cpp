// SPDX-License-Identifier: MIT
// Both sides of a body, and limbs of one junction, are cut alike.

#include <set>

#include "support/cut_shapes.h"
#include "support/samples.h"
#include <gtest/gtest.h>

#include "sinew/rig/parts/cut/branches.h"
#include "sinew/rig/parts/labels.h"
#include "sinew/rig/segment.h"

namespace sinew::rig {
namespace {

using geometry::Mesh;

FaceGraph graph_of(const Mesh& mesh) {
    return face_graph(geometry::cut_mesh(mesh, std::vector<int>(mesh.triangles.size(), 0), {"all"}));
}

/// A trunk with an arm on each side, and a head off the middle of its front.
Mesh figure() {
    std::vector<test::CubeCell> cells;
    for (int j = -2; j <= 2; ++j)
        for (int i = -1; i <= 1; ++i) cells.push_back({{i, j, 0}, 0});
    for (int i = 2; i <= 7; ++i) {
        cells.push_back({{i, 1, 0}, 0});
        cells.push_back({{-i, 1, 0}, 0});
    }
    cells.push_back({{0, 3, 0}, 0});
    cells.push_back({{0, 3, 1}, 0});
    return test::cubes(cells, {"all"});
}

TEST(PartsMirror, ALimbTakesTheCutsThatOnlyItsTwinHas) {
    const Mesh mesh = figure();
    const FaceGraph graph = graph_of(mesh);
    const auto mirror = face_mirror(mesh, graph);
    ASSERT_TRUE(mirror);
    EXPECT_NEAR(std::abs(mirror->plane.normal.x()), 1, 1e-6);
    const auto label = [](double x) { return x > 1.5 ? 1 : x < -5.5 ? 3 : x < -1.5 ? 2 : 0; };
    for (const double sign : {1.0, -1.0}) {  // whichever side has more
        std::vector<int> labels;
        for (const Vec3d& middle : graph.middles) labels.push_back(label(sign * middle.x()));
        mirror_labels(graph, *mirror, labels);
        EXPECT_EQ((std::set<int>(labels.begin(), labels.end()).size()), 5u);
        std::set<int> outer[2], inner[2];
        for (std::size_t f = 0; f < labels.size(); ++f) {
            const double x = graph.middles[f].x();
            if (std::abs(x) > 5.6) outer[x > 0].insert(labels[f]);
            if (std::abs(x) > 1.6 && std::abs(x) < 5.4) inner[x > 0].insert(labels[f]);
        }
        for (const int side : {0, 1}) {
            ASSERT_EQ(outer[side].size(), 1u);
            ASSERT_EQ(inner[side].size(), 1u);
            EXPECT_NE(outer[side], inner[side]);
        }
        EXPECT_NE(outer[0], outer[1]);
        const std::vector<int> twins = twin_labels(graph, *mirror, labels);
        EXPECT_EQ(twins[static_cast<std::size_t>(*outer[0].begin())], *outer[1].begin());
        EXPECT_EQ(twins[0], 0);
    }
}

TEST(PartsMirror, AHandIsNotItsOwnImage) {
    const Mesh& mesh = test::sample("hand", test::few_faces).mesh;
    EXPECT_FALSE(face_mirror(mesh, graph_of(mesh)));
}

TEST(PartsMirror, TwinsHaveTheSameNameForBothSides) {
    std::vector<std::string> names{"Hips",          "RightFoot", "LeftToes", "LeftUpperArm",
                                   "RightLowerArm", "part_6",    "Tail"};
    name_twins({0, 2, 1, 4, 3, -1, 6}, names);
    EXPECT_EQ(names, (std::vector<std::string>{"Hips", "RightFoot", "LeftFoot", "LeftUpperArm",
                                               "RightUpperArm", "part_6", "Tail"}));
    std::vector<std::string> taken{"RightFoot", "part_2", "LeftFoot"};
    name_twins({1, 0, -1}, taken);
    EXPECT_EQ(taken[1], "part_2");
}

class PartsTwins : public testing::TestWithParam<std::pair<const char*, std::size_t>> {};
TEST_P(PartsTwins, OfSamplesAreAlikeOnBothSides) {
    const auto& [name, count] = GetParam();
    Mesh mesh = test::sample(name, std::string(name) == "man" ? 0 : test::few_faces).mesh;
    mesh.parts.clear();
    const Segmentation parts = segment(mesh);
    EXPECT_EQ(parts.part_count(), count);
    const FaceGraph graph = graph_of(mesh);
    const auto mirror = face_mirror(mesh, graph);
    ASSERT_TRUE(mirror);
    std::vector<double> areas(parts.part_count(), 0);
    for (std::size_t f = 0; f < graph.size(); ++f)
        areas[static_cast<std::size_t>(parts.part_of[f])] += graph.areas[f];
    const std::vector<int> twins = twin_labels(graph, *mirror, parts.part_of);
    for (std::size_t p = 0; p < twins.size(); ++p) {
        ASSERT_GE(twins[p], 0) << parts.names[p];
        EXPECT_NEAR(areas[p] / areas[static_cast<std::size_t>(twins[p])], 1, 0.05) << parts.names[p];
    }
}
INSTANTIATE_TEST_SUITE_P(All, PartsTwins,
                         testing::Values(std::pair("man", std::size_t{16}),
                                         std::pair("horse", std::size_t{18}),
                                         std::pair("cat", std::size_t{16}),
                                         std::pair("ostrich", std::size_t{16})));

/// Limbs from one junction: two of about the same length along x and y, and a short one.
struct Star {
    CurveSkeleton curve;
    CurveShape shape;
    std::vector<BranchPath> paths;
    PathGraph graph;

    Star() {
        curve.nodes.push_back({Vec3d::Zero(), 0.2});
        for (const Vec3d& end : {Vec3d(1, 0, 0), Vec3d(0, 0.9, 0), Vec3d(0, 0, 0.4)}) {
            int last = 0;
            for (int i = 1; i <= 20; ++i) {
                curve.edges.push_back({last, static_cast<int>(curve.nodes.size())});
                last = static_cast<int>(curve.nodes.size());
                curve.nodes.push_back({i / 20.0 * end, 0.1});
            }
        }
        shape.girth.assign(curve.nodes.size(), 0.1);
        shape.area.assign(curve.nodes.size(), 1);
        const auto all = branches(curve);
        graph = graph_of(curve, all);
        for (const CurveBranch& branch : all) paths.push_back(path_of(curve, branch, graph.degree));
    }
};

TEST(PartsMirror, LimbsOfOneJunctionThatAreAsLongGetTheSameCuts) {
    const Star star;
    const std::vector<int> groups = twin_paths(star.curve, star.shape, star.graph, star.paths);
    EXPECT_EQ(groups, (std::vector<int>{0, 0, -1}));
    std::vector<std::vector<std::size_t>> cuts{{4, 12}, {6}, {3}};
    level_cuts(star.paths, groups, cuts);
    EXPECT_EQ(cuts[0], (std::vector<std::size_t>{4, 12}));
    EXPECT_EQ(cuts[1], (std::vector<std::size_t>{6, 13}));  // half of the path from its first cut to its end
    EXPECT_EQ(cuts[2], (std::vector<std::size_t>{3}));
}

}  // namespace
}  // namespace sinew::rig
