// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// The half x >= 0 of a symmetric surface during construction, and the steps that improve it: even triangles,
/// and edges along the borders between materials.

#include <functional>
#include <vector>

#include "sinew/geometry/mesh.h"
#include "sinew/sample/bodies/implicit.h"

namespace sinew::sample {

using geometry::Triangle;

/// A line on the surface where `side` changes sign. The mesh gets two rows of vertices along it, at side =
/// -half_width and +half_width, so that properties that differ on its two sides (colour, thickness of cloth)
/// change only there.
struct Border {
    std::function<double(const Vec3d&)> side;  ///< about the distance from the line, in metres
    double half_width = 0.0015;
};

struct HalfMesh {
    std::vector<Vec3d> positions;
    std::vector<Triangle> triangles;
    std::vector<int> row;  ///< 2 b below border b, 2 b + 1 above it, -1 for a vertex on no border

    /// A vertex on the plane of symmetry has x = 0 exactly.
    bool on_seam(std::size_t v) const { return positions[v].x() == 0; }
};

/// Cuts the mesh along a border and opens the cut into a strip.
void insert_border(HalfMesh& mesh, const ImplicitBody& body, const std::vector<Border>& borders,
                   std::size_t which);

/// Splits edges that are longer than `size` at their position; a few passes, each followed by smoothing. To
/// be called before borders are inserted.
void refine(HalfMesh& mesh, const ImplicitBody& body, const std::function<double(const Vec3d&)>& size,
            int passes);

/// Splits the longest edges, none of them along a border, until there are exactly `target` triangles; one
/// more when the number of missing ones is odd and there is no seam. For finished meshes.
void densify(HalfMesh& mesh, const ImplicitBody& body, std::size_t target);

/// Moves vertices along the surface towards the middle of their neighbours; seam and border rows stay on
/// their lines.
void relax(HalfMesh& mesh, const ImplicitBody& body, const std::vector<Border>& borders, int rounds);

/// Flips edges until the triangles are Delaunay in the sense of opposite angles, or after `sweeps` sweeps.
void flip_edges(HalfMesh& mesh, int sweeps);

/// The point of the surface nearby where `side` has the value `target`.
Vec3d project_to_border(const ImplicitBody& body, const Border& border, double target, const Vec3d& point);

}  // namespace sinew::sample
