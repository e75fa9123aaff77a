// SPDX-License-Identifier: MIT
#include "sinew/geometry/cut_mesh.h"

#include <algorithm>
#include <set>

#include "support/cut_shapes.h"
#include "support/random.h"
#include <gtest/gtest.h>

#include "sinew/base/error.h"

namespace sinew::geometry {
namespace {

/// Every part has its own copies of the vertices on its borders, as scene files store them.
Mesh split_at_seams(const Mesh& mesh, float noise) {
    Mesh split;
    test::Random random(3);
    for (const Part& part : mesh.parts) {
        std::vector<std::uint32_t> copy(mesh.positions.size(), 0xffffffff);
        split.parts.push_back(
            {part.name, static_cast<std::uint32_t>(split.triangles.size()), part.count, -1});
        for (std::uint32_t t = part.first; t < part.first + part.count; ++t) {
            Triangle triangle = mesh.triangles[t];
            for (std::uint32_t& v : triangle) {
                if (copy[v] == 0xffffffff) {
                    copy[v] = static_cast<std::uint32_t>(split.positions.size());
                    split.positions.push_back(mesh.positions[v] + noise * random.vector().cast<float>());
                }
                v = copy[v];
            }
            split.triangles.push_back(triangle);
        }
    }
    return split;
}

std::string error_of(const std::function<void()>& work) {
    try {
        work();
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

TEST(CutMesh, SeamsWeldAndEqualNamesAreOnePart) {
    Mesh mesh = test::three_cylinders();
    const CutMesh whole = cut_mesh(mesh);
    EXPECT_EQ(whole.points.size(), mesh.positions.size());
    EXPECT_EQ(whole.names, (std::vector<std::string>{"part_0", "part_1", "part_2"}));
    const Mesh split = split_at_seams(mesh, 1e-7f);
    ASSERT_GT(split.positions.size(), mesh.positions.size());
    const CutMesh welded = cut_mesh(split);
    EXPECT_EQ(welded.points.size(), mesh.positions.size());
    EXPECT_EQ(welded.triangles.size(), mesh.triangles.size());
    EXPECT_EQ(part_tree(welded).parent, part_tree(whole).parent);
    mesh.parts[2].name = "part_0";
    EXPECT_EQ(cut_mesh(mesh).part_count(), 2u);
    mesh.parts.push_back({"nothing", static_cast<std::uint32_t>(mesh.triangles.size()), 0, -1});
    EXPECT_NE(error_of([&] { cut_mesh(mesh); }).find("\"nothing\" has no triangle"), std::string::npos);
}

TEST(CutMesh, OpeningsAreOrderedLoopsWithMiddleAndPlane) {
    const CutMesh cut = cut_mesh(test::three_cylinders());
    const PartTree tree = part_tree(cut, {1, -1, 1});
    EXPECT_EQ(tree.order, (std::vector<int>{1, 0, 2}));
    const Opening& low = tree.openings[0];
    const Opening& high = tree.openings[2];
    EXPECT_EQ(low.parent, 1);
    EXPECT_EQ(low.child, 0);
    EXPECT_EQ(low.loop.size(), 16u);
    EXPECT_EQ(low.points.size(), 16u);
    EXPECT_EQ(low.loop_count, 1);
    EXPECT_NEAR((low.centre - Vec3d(0, 0, 2)).norm(), 0, 1e-7);
    EXPECT_NEAR((high.centre - Vec3d(0, 0, 5)).norm(), 0, 1e-7);
    EXPECT_NEAR((low.normal + Vec3d::UnitZ()).norm(), 0, 1e-6);
    EXPECT_NEAR((high.normal - Vec3d::UnitZ()).norm(), 0, 1e-6);
    EXPECT_NEAR(low.residual, 0, 1e-6);
    for (const Opening* opening : {&low, &high}) {
        double turn = 0;
        for (std::size_t i = 0; i < 16; ++i) {
            const Vec3d a = cut.points[opening->loop[i]] - opening->centre;
            const Vec3d b = cut.points[opening->loop[(i + 1) % 16]] - opening->centre;
            EXPECT_NEAR((a - b).norm(), 2 * std::sin(math::pi / 16), 1e-6);  // neighbours, in order
            turn += std::atan2(opening->normal.dot(a.cross(b)), a.dot(b));
        }
        EXPECT_NEAR(turn, 2 * math::pi, 1e-6);  // anticlockwise about the way to the child
    }
    EXPECT_EQ(tree.openings[1].parent, -1);
    EXPECT_TRUE(tree.openings[1].points.empty());
}

TEST(CutMesh, AutomaticTreeHangsOnTheLargestPartInTheMiddle) {
    const PartTree tree = part_tree(cut_mesh(test::three_cylinders()));
    EXPECT_EQ(tree.root(), 1);
    EXPECT_EQ(tree.parent, (std::vector<int>{1, -1, 1}));
    // A tail of many small parts does not move the root to the tail.
    const CutMesh tailed =
        cut_mesh(test::cut_tube({-4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6}, {2, 4, 5, 6, 7, 8, 9},
                                [](double z) { return z < 0.5 ? 2.0 : 0.3; }));
    const PartTree long_tail = part_tree(tailed);
    EXPECT_LE(long_tail.root(), 3);
    EXPECT_EQ(long_tail.order.size(), tailed.part_count());
}

TEST(CutMesh, HierarchyErrorsNameBothParts) {
    const CutMesh cut = cut_mesh(test::three_cylinders());
    const std::string apart = error_of([&] { part_tree(cut, {-1, 0, 0}); });
    EXPECT_NE(apart.find("\"part_2\" and its parent \"part_0\" do not touch"), std::string::npos) << apart;
    EXPECT_NE(apart.find("It touches \"part_1\": make"), std::string::npos) << apart;
    EXPECT_NE(apart.find("weld"), std::string::npos) << apart;
    const std::string roots = error_of([&] { part_tree(cut, {-1, 0, -1}); });
    EXPECT_NE(roots.find("\"part_0\" and \"part_2\" are both roots"), std::string::npos) << roots;
    const std::string cycle = error_of([&] { part_tree(cut, {-1, 2, 1}); });
    EXPECT_NE(cycle.find("cycle"), std::string::npos) << cycle;
    EXPECT_NE(cycle.find("\"part_1\""), std::string::npos) << cycle;
    EXPECT_NE(cycle.find("\"part_2\""), std::string::npos) << cycle;
    EXPECT_NE(error_of([&] { part_tree(cut, {1, 2, 0}); }).find("cycle"), std::string::npos);
    EXPECT_NE(error_of([&] { part_tree(cut, {-1, 0}); }).find("2 parents are given for 3"),
              std::string::npos);
    EXPECT_NE(error_of([&] { part_tree(cut, {-1, 0, 7}); }).find("no parent 7"), std::string::npos);
}

TEST(CutMesh, PartsThatDoNotTouchAreNamed) {
    Mesh mesh = test::cube();
    mesh.parts = {{"body", 0, static_cast<std::uint32_t>(mesh.triangles.size()), -1}};
    Mesh far = test::cube({9, 0, 0});
    far.parts = {{"eye", 0, static_cast<std::uint32_t>(far.triangles.size()), -1}};
    append(mesh, far);
    const std::string error = error_of([&] { part_tree(cut_mesh(mesh)); });
    EXPECT_NE(error.find("\"body\" and \"eye\""), std::string::npos) << error;
}

TEST(CutMesh, SiblingsThatTouchAreWarnedAbout) {
    // A tube whose upper half is cut lengthwise: both halves are attached to the lower part and touch each
    // other.
    Mesh mesh = test::three_cylinders();
    std::vector<int> part_of;
    for (const Triangle& t : mesh.triangles) {
        const Vec3f m = (mesh.positions[t[0]] + mesh.positions[t[1]] + mesh.positions[t[2]]) / 3;
        part_of.push_back(m.z() < 5 ? 0 : m.y() > 0 ? 1 : 2);
    }
    const CutMesh cut = cut_mesh(mesh, part_of, {"trunk", "left", "right"});
    Collector monitor;
    const PartTree tree = part_tree(cut, {-1, 0, 0}, monitor);
    ASSERT_TRUE(monitor.has("parts-touch"));
    EXPECT_NE(monitor.warnings().front().text.find("\"left\" and \"right\""), std::string::npos);
    // Their openings are open chains, ordered all the same.
    EXPECT_EQ(tree.openings[1].loop.size(), 9u);
    EXPECT_EQ(tree.openings[1].loop_count, 1);
    EXPECT_GT(tree.openings[1].normal.z(), 0.99);
}

TEST(CutMesh, SeveralLoopsBecomeOneOpeningAndAWarning) {
    const Mesh mesh = test::three_cylinders();
    std::vector<int> part_of;
    for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t)
        part_of.push_back(t >= mesh.parts[1].first && t < mesh.parts[2].first ? 1 : 0);
    const CutMesh cut = cut_mesh(mesh, part_of, {"ends", "middle"});
    Collector monitor;
    const PartTree tree = part_tree(cut, monitor);
    EXPECT_TRUE(monitor.has("opening-several-loops"));
    const Opening& opening = tree.openings[static_cast<std::size_t>(tree.order[1])];
    EXPECT_EQ(opening.loop_count, 2);
    EXPECT_EQ(opening.points.size(), 32u);
    EXPECT_EQ(opening.loop.size(), 16u);
    EXPECT_NEAR(opening.centre.z(), 3.5, 1e-6);
}

TEST(CutMesh, ChecksOfTheSurfaceWarn) {
    Collector fine;
    const Mesh good = test::three_cylinders();
    check_surface(good, cut_mesh(good), fine);
    EXPECT_TRUE(fine.warnings().empty()) << fine.warnings().front().text;
    Mesh open = good;
    open.triangles.pop_back();
    --open.parts.back().count;
    Collector opened;
    check_surface(open, cut_mesh(open), opened);
    EXPECT_TRUE(opened.has("parts-open-surface"));
    Collector ring;
    check_surface(test::torus(), cut_mesh(test::torus()), ring);
    EXPECT_TRUE(ring.has("parts-genus"));
    const Mesh coarse = test::cut_tube({0, 0.05, 0.1, 0.15, 0.2, 9}, {2}, [](double) { return 0.2; });
    Collector sampled;
    check_surface(coarse, cut_mesh(coarse), sampled);
    EXPECT_TRUE(sampled.has("parts-sampling"));
}

TEST(CutMesh, ChainsOfBordersJoin) {
    const auto chains = border_chains({{5, 6}, {1, 2}, {2, 3}, {3, 1}, {6, 7}, {9, 5}});
    ASSERT_EQ(chains.size(), 2u);
    EXPECT_EQ(chains[0].points, (std::vector<std::uint32_t>{9, 5, 6, 7}));
    EXPECT_FALSE(chains[0].closed);
    EXPECT_EQ(chains[1].points, (std::vector<std::uint32_t>{1, 2, 3}));
    EXPECT_TRUE(chains[1].closed);
}

TEST(CutMesh, AWantedTreeHoldsWherePartsTouch) {
    const CutMesh cut = cut_mesh(test::three_cylinders());
    EXPECT_EQ(wanted_part_tree(cut, {-1, 0, 1}).parent, (std::vector<int>{-1, 0, 1}));
    Collector monitor;  // the ends do not touch
    EXPECT_EQ(wanted_part_tree(cut, {-1, 0, 0}, monitor).parent, (std::vector<int>{-1, 0, 1}));
    ASSERT_TRUE(monitor.has("parts-apart"));
    EXPECT_EQ(wanted_part_tree(cut, {1, -1, -1}).root(), 1);
    EXPECT_THROW(wanted_part_tree(cut, {1, 0, 1}), Error);
}

}  // namespace
}  // namespace sinew::geometry
