// SPDX-License-Identifier: MIT
// What a person would call head, ears, arms and legs are parts, and nothing is split without need.

#include <algorithm>
#include <cmath>
#include <set>

#include "support/cut_shapes.h"
#include "support/data.h"
#include "support/samples.h"
#include <gtest/gtest.h>

#include "sinew/geometry/part_shape.h"
#include "sinew/io/io.h"
#include "sinew/rig/parts/face_graph.h"
#include "sinew/rig/parts/labels.h"
#include "sinew/rig/segment.h"

namespace sinew::rig {
namespace {

using geometry::Mesh;

/// Parts of a body and what of its surface each has.
struct Cut {
    Mesh mesh;
    Segmentation parts;
    std::vector<double> areas;

    explicit Cut(Mesh body) : mesh(std::move(body)), parts(segment(mesh)), areas(parts.part_count(), 0) {
        double all = 0;
        for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
            const auto& [a, b, c] = mesh.triangles[t];
            const double area = static_cast<double>(
                (mesh.positions[b] - mesh.positions[a]).cross(mesh.positions[c] - mesh.positions[a]).norm());
            areas[static_cast<std::size_t>(parts.part_of[t])] += area;
            all += area;
        }
        for (double& area : areas) area /= all;
    }
    /// The part of the triangle nearest to a place, given in parts of the box from its low corner.
    int at(double x, double y, double z) const {
        const geometry::Box box = geometry::bounds(mesh.positions);
        const math::Vec3f place = box.low + box.size().cwiseProduct(math::Vec3d(x, y, z).cast<float>());
        std::size_t nearest = 0;
        float min = 1e30f;
        for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
            const float distance = (mesh.positions[mesh.triangles[t][0]] - place).squaredNorm();
            if (distance >= min) continue;
            min = distance;
            nearest = t;
        }
        return parts.part_of[nearest];
    }
    double area_at(double x, double y, double z) const {
        return areas[static_cast<std::size_t>(at(x, y, z))];
    }
};

Mesh data_mesh(const std::string& name) {
    return io::read(test::data("mesh/" + name)).character.mesh;
}

TEST(PartsNamed, FlatEarsAreOnePartEach) {
    SINEW_NEEDS_DATA();
    const Cut cut(data_mesh("cheburashka.off"));
    EXPECT_LE(cut.parts.part_count(), 10u);
    const int left = cut.at(0, 0.8, 0.5), right = cut.at(1, 0.8, 0.5), head = cut.at(0.5, 1, 0.5),
              body = cut.at(0.5, 0.3, 1);
    EXPECT_EQ(std::set<int>({left, right, head, body}).size(), 4u);
    // Nothing else is on an ear, front or back.
    for (const double z : {0.3, 0.5, 0.7}) {
        for (const double y : {0.7, 0.8, 0.9}) {
            EXPECT_EQ(cut.at(0.08, y, z), left);
            EXPECT_EQ(cut.at(0.92, y, z), right);
        }
    }
    EXPECT_NEAR(cut.area_at(0, 0.8, 0.5), cut.area_at(1, 0.8, 0.5), 0.02);
    EXPECT_NE(cut.at(0.35, 0, 0.7), cut.at(0.65, 0, 0.7));  // two feet
}

TEST(PartsNamed, AHeadOnAThickNeckIsAPart) {
    SINEW_NEEDS_DATA();
    const Cut cut(data_mesh("armadillo.obj"));
    EXPECT_LE(cut.parts.part_count(), 18u);
    const int trunk = cut.at(0.5, 0.5, 0);  // the back
    std::set<int> parts;
    for (const auto& [name, part] :
         {std::pair("left hand", cut.at(1, 0.75, 0.9)), std::pair("right hand", cut.at(0, 0.95, 0.9)),
          std::pair("left foot", cut.at(0.9, 0, 0.5)), std::pair("right foot", cut.at(0.1, 0, 0.5)),
          std::pair("nose", cut.at(0.5, 0.72, 1))}) {
        EXPECT_NE(part, trunk) << name;
        EXPECT_TRUE(parts.insert(part).second) << name;
    }
    // Feet are cut off at the ankles, both alike.
    EXPECT_NE(cut.at(0.9, 0, 0.5), cut.at(0.8, 0.15, 0.4));
    EXPECT_NE(cut.at(0.1, 0, 0.5), cut.at(0.2, 0.15, 0.4));
    EXPECT_NEAR(cut.area_at(0.9, 0, 0.5), cut.area_at(0.1, 0, 0.5), 0.005);
    // The head is whole: more than its nose.
    EXPECT_GT(cut.area_at(0.5, 0.72, 1), 0.03);
}

TEST(PartsNamed, FingersOfTheHandAreParts) {
    const Cut cut(test::sample("hand").mesh);
    EXPECT_LE(cut.parts.part_count(), 12u);
    // Five ends of about the size of a finger; the forearm is larger.
    const FaceGraph graph = face_graph(geometry::cut_mesh(cut.mesh, cut.parts.part_of, cut.parts.names));
    const auto borders = label_borders(graph, cut.parts.part_of, cut.parts.part_count());
    std::size_t ends = 0;
    for (std::size_t p = 0; p < borders.size(); ++p)
        if (borders[p].size() == 1 && cut.areas[p] > 0.04 && cut.areas[p] < 0.2) ++ends;
    EXPECT_EQ(ends, 5u);
}

TEST(PartsNamed, FeetAreParts) {
    const Cut man(test::sample("man").mesh);
    const std::set<std::string> names(man.parts.names.begin(), man.parts.names.end());
    EXPECT_TRUE(names.contains("LeftFoot") && names.contains("RightFoot"));
}

TEST(PartsNamed, EarsAreCutOffWhereTheHeadBegins) {
    SINEW_NEEDS_DATA();
    const Cut cut(data_mesh("elephant.obj"));
    EXPECT_EQ(cut.parts.part_count(), 10u);
    const auto whole = geometry::cut_mesh(cut.mesh, cut.parts.part_of, cut.parts.names);
    const auto tree = geometry::part_tree(whole);
    // The tree is attached to the body with its four limbs, not on the larger head.
    const auto children = [&](int part) { return std::count(tree.parent.begin(), tree.parent.end(), part); };
    EXPECT_EQ(children(tree.root()), 5);
    const auto head = std::max_element(cut.areas.begin(), cut.areas.end()) - cut.areas.begin();
    EXPECT_EQ(tree.parent[static_cast<std::size_t>(head)], tree.root());
    // Ears are the largest ends: their lobes belong to them, and not to the head.
    std::vector<double> ends;
    for (std::size_t p = 0; p < cut.areas.size(); ++p)
        if (tree.parent[p] == head && children(static_cast<int>(p)) == 0) ends.push_back(cut.areas[p]);
    ASSERT_EQ(ends.size(), 2u);
    EXPECT_GT(ends[0], 0.105);
    EXPECT_NEAR(ends[0], ends[1], 0.002);
}

TEST(PartsNamed, BordersGoToWhereTheThicknessChanges) {
    std::vector<double> heights;
    for (int i = 0; i <= 60; ++i) heights.push_back(0.1 * i);
    // From thick to thin without a hollow that would draw borders by itself.
    const auto radius = [](double z) {
        return 0.25 + 0.375 * (1 + std::cos(math::pi * std::clamp((z - 2) / 1.4, 0.0, 1.0)));
    };
    const Mesh mesh = test::cut_tube(heights, {}, radius, 24);
    const FaceGraph graph =
        face_graph(geometry::cut_mesh(mesh, std::vector<int>(mesh.triangles.size(), 0), {"all"}));
    const auto border_of = [&](const std::vector<double>& thickness) {
        std::vector<int> labels;
        for (const Vec3d& middle : graph.middles) labels.push_back(middle.z() < 3.8 ? 0 : 1);
        smooth_borders(graph, labels, 8, thickness);
        return label_borders(graph, labels, 2)[0].at(0).middle.z();
    };
    const double before = border_of({});
    EXPECT_GT(before, 3.25);
    EXPECT_LT(border_of(face_thickness(mesh, graph, 5)), before - 0.08);
}

/// A square sheet of cells in the plane z = 0.
Mesh sheet(int cells) {
    Mesh mesh;
    for (int j = 0; j <= cells; ++j)
        for (int i = 0; i <= cells; ++i)
            mesh.positions.emplace_back(static_cast<float>(i), static_cast<float>(j), 0.0f);
    const auto at = [&](int i, int j) { return static_cast<std::uint32_t>(j * (cells + 1) + i); };
    for (int j = 0; j < cells; ++j)
        for (int i = 0; i < cells; ++i) {
            mesh.triangles.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
            mesh.triangles.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
        }
    return mesh;
}

TEST(PartsNamed, AFlatFigureIsCutAsAPillow) {
    const Mesh flat = sheet(6);
    const auto whole = [](const Mesh& mesh) {
        return geometry::cut_mesh(mesh, std::vector<int>(mesh.triangles.size(), 0), {"all"});
    };
    const auto pillow = pillow_of(whole(flat));
    ASSERT_TRUE(pillow);
    ASSERT_EQ(pillow->triangles.size(), 2 * flat.triangles.size());
    const auto solid = geometry::solid_moments(geometry::part_surface(whole(*pillow), 0).points,
                                               geometry::part_surface(whole(*pillow), 0).triangles);
    EXPECT_NEAR(solid.volume, 2 * 0.6 * 36, 1.5);  // twice a pyramid of a third of 36 x 0.6 x 3
    EXPECT_FALSE(pillow_of(whole(test::cube())));
    SINEW_NEEDS_DATA();
    const Cut cut(data_mesh("woody.obj"));
    EXPECT_EQ(cut.parts.part_count(), 6u);
    std::set<int> parts;
    for (const auto& [x, y] :
         {std::pair(0.5, 0.95), {0.02, 0.6}, {0.98, 0.6}, {0.3, 0.02}, {0.7, 0.02}, {0.5, 0.5}})
        EXPECT_TRUE(parts.insert(cut.at(x, y, 0.5)).second) << x << ' ' << y;
    // Skeletons of all methods lie in the sheet, with their root in the trunk.
    const auto sheet_cut = geometry::cut_mesh(cut.mesh, cut.parts.part_of, cut.parts.names);
    const geometry::Box box = geometry::bounds(cut.mesh.positions);
    for (const PartMethod method : {PartMethod::opening, PartMethod::centroid, PartMethod::principal_axis}) {
        PartSkeletonOptions options;
        options.graph.method = method;
        const PartGraph graph = part_skeleton(sheet_cut, geometry::part_tree(sheet_cut), options).graph;
        const Vec3d root = graph.nodes[static_cast<std::size_t>(graph.root)].position;
        EXPECT_LT((root - box.center().cast<double>()).norm(), 0.15 * static_cast<double>(box.diagonal()));
    }
}

TEST(PartsNamed, PatchesBesideALimbJoin) {
    // A tube in three rings, over whose borders lies a label of its own: it touches two that touch each
    // other.
    std::vector<double> heights;
    for (int i = 0; i <= 40; ++i) heights.push_back(0.1 * i);
    const Mesh mesh = test::cut_tube(heights, {}, [](double) { return 1.0; }, 24);
    const FaceGraph graph =
        face_graph(geometry::cut_mesh(mesh, std::vector<int>(mesh.triangles.size(), 0), {"all"}));
    std::vector<int> rings, patched;
    for (const Vec3d& middle : graph.middles) {
        const int ring = middle.z() < 1.2 ? 0 : middle.z() < 2.8 ? 1 : 2;
        rings.push_back(ring);
        patched.push_back(middle.z() > 1 && middle.z() < 3 && middle.x() > 0.5 ? 3 : ring);
    }
    join_patches(graph, rings, 0.25);
    EXPECT_EQ(std::set<int>(rings.begin(), rings.end()).size(), 3u);
    join_patches(graph, patched, 0.25);
    EXPECT_EQ(std::set<int>(patched.begin(), patched.end()).count(3), 0u);
}

}  // namespace
}  // namespace sinew::rig
