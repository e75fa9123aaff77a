// SPDX-License-Identifier: MIT
#pragma once
// Bodies of rigid parts with known answers, and what a closed frame must be.

#include <cmath>
#include <numbers>

#include "support/random.h"
#include <gtest/gtest.h>

#include "sinew/articulated/figure.h"
#include "sinew/articulated/gaps.h"
#include "sinew/geometry/topology.h"
#include "sinew/sample/samples.h"

namespace sinew::articulated {

using geometry::Mesh;
using math::Quatd;
using math::Rigidd;

/// A capsule of radius r with straight halves of 4 r, about square facets of `spacing` r; the joint is a ring
/// with points on the axes.
inline model::Character tube(double spacing = 0.2, double radius = 0.1) {
    sample::TubeOptions options;
    options.radius = radius;
    options.length = 8 * radius;
    options.rings = 2 * static_cast<int>(std::lround(4 / spacing)) + 1;
    options.segments = 4 * static_cast<int>(std::lround(2 * math::pi / spacing / 4));
    options.blend = 2 * radius;
    return sample::make_tube(options);
}

/// Lower part at rest, upper part turned about the joint.
inline std::vector<Rigidd> bent(const GapCloser& closer, const Vec3d& axis, double degrees) {
    std::vector<Rigidd> world(2);
    world[1] = math::rotation_about<double>(closer.body().pivot[1], axis, math::radians(degrees));
    return world;
}

/// 4 sqrt(3) area / sum of squared sides: 1 for an equilateral triangle.
inline double worst_quality(const Mesh& mesh, std::size_t first) {
    double worst = 1;
    for (std::size_t t = first; t < mesh.triangles.size(); ++t) {
        const auto at = [&](std::size_t k) {
            return Vec3d(mesh.positions[mesh.triangles[t][k]].cast<double>());
        };
        const Vec3d a = at(0), b = at(1), c = at(2);
        const double sides = (b - a).squaredNorm() + (c - b).squaredNorm() + (a - c).squaredNorm();
        worst = std::min(worst, 2 * std::sqrt(3.0) * (b - a).cross(c - a).norm() / sides);
    }
    return worst;
}

inline std::size_t first_patch_triangle(const GapFrame& frame) {
    return frame.mesh.triangles.size() - frame.patch_triangles;
}

/// Closed, every edge with two facets that agree on the outside, and of the genus of the input.
inline void expect_closed(const Mesh& mesh, int genus = 0) {
    const geometry::Topology topology = geometry::topology(mesh);
    EXPECT_TRUE(topology.closed);
    EXPECT_TRUE(topology.manifold);
    EXPECT_TRUE(topology.oriented);
    EXPECT_EQ(topology.border_edges, 0u);
    EXPECT_EQ(topology.degenerate_faces, 0u);
    ASSERT_TRUE(topology.genus.has_value());
    EXPECT_EQ(*topology.genus, genus);
}

/// Local rotations at random, each by at most `degrees`, as a palette of the character.
inline std::vector<math::Mat4d> random_pose(const model::Character& character, test::Random& random,
                                            double degrees) {
    std::vector<math::Transform> local;
    for (const model::Joint& joint : character.skeleton.joints) {
        local.push_back(joint.rest);
        local.back().rotation = joint.rest.rotation * random.rotation(math::radians(degrees));
    }
    return model::palette(character.skin, model::world_matrices(character.skeleton, local));
}

/// A capsule along y, cut into parts of equal length in a chain.
struct ChainFigure {
    Mesh mesh;
    geometry::CutMesh cut;
    geometry::PartTree tree;
    std::vector<geometry::PartFeatures> features;

    explicit ChainFigure(int parts, double radius = 0.1, double length = 2.0) {
        sample::TubeOptions options;
        options.radius = radius;
        options.length = length;
        options.rings = 8 * parts + 1;
        options.segments = 12;
        mesh = sample::make_tube(options).mesh;
        std::vector<int> part_of;
        for (const geometry::Triangle& t : mesh.triangles) {
            const float height =
                (mesh.positions[t[0]].y() + mesh.positions[t[1]].y() + mesh.positions[t[2]].y()) / 3;
            part_of.push_back(
                std::clamp(static_cast<int>(height / static_cast<float>(length) * static_cast<float>(parts)),
                           0, parts - 1));
        }
        std::vector<std::string> names;
        std::vector<int> parents;
        for (int p = 0; p < parts; ++p) {
            names.push_back("part" + std::to_string(p));
            parents.push_back(p - 1);
        }
        cut = geometry::cut_mesh(mesh, part_of, names);
        tree = geometry::part_tree(cut, parents);
        features = geometry::part_features(cut, tree);
    }
    ArticulatedFigure figure(const FigureOptions& options = {}) const {
        return {cut, tree, features, options};
    }
};

}  // namespace sinew::articulated
