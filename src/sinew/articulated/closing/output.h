// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Assembles the mesh of a frame: the moved parts without removed triangles, and the patches.

#include "sinew/articulated/closing/stages.h"

namespace sinew::articulated {

/// Mapping from points of parts to output vertices. A vertex of the mesh that triangles of several parts use
/// gets a copy per further part, after all other vertices.
struct SplitVertices {
    std::vector<std::uint32_t> source;          ///< vertex of the mesh
    std::vector<int> part;                      ///< -1 for a vertex without triangles
    std::vector<geometry::Triangle> triangles;  ///< of the mesh, on these vertices
    /// Output vertices of the points of each side of each gap: sides[2 gap + side][point of the side].
    std::vector<geometry::Rows> sides;
    geometry::Rows triangles_of;  ///< of the points of the cut mesh
};
SplitVertices split_vertices(const PartBody& body, const std::vector<Gap>& gaps);

/// Moves the parts without closing gaps: positions and normals of the split vertices.
void move_parts(const PartBody& body, const SplitVertices& split,
                const std::vector<geometry::Vec3f>& rest_normals, std::span<const math::Rigidd> world,
                geometry::Mesh& mesh);

/// A vertex, or a point of a side, that several parts move.
struct SoftPoint {
    std::uint32_t index = 0;
    std::vector<SoftSeams::Share> shares;
};
std::vector<SoftPoint> soft_vertices(const PartBody& body, const SplitVertices& split, const SoftSeams& soft);
std::vector<SoftPoint> soft_points(const GapSide& side, const SoftSeams& soft);

/// Moves the soft ones among the split vertices.
void move_soft(const PartBody& body, const SplitVertices& split, const std::vector<SoftPoint>& vertices,
               const std::vector<geometry::Vec3f>& rest_normals, std::span<const math::Rigidd> world,
               geometry::Mesh& mesh);

/// Rest positions of all points of a side for this motion; empty when none is soft.
std::vector<Vec3d> bent_points(const PartBody& body, const GapSide& side, const std::vector<SoftPoint>& soft,
                               std::span<const math::Rigidd> world);

/// The rest mesh with each vertex moved by its part, for a body whose parts did not move relative to each
/// other.
void move_whole(const PartBody& body, const std::vector<Gap>& gaps, const SplitVertices& split,
                std::span<const math::Rigidd> world, geometry::Mesh& mesh);

/// Gives copies of seam points that stay together, and welded ones, the same position.
void join_seams(const std::vector<Gap>& gaps, const SplitVertices& split, std::span<const math::Rigidd> world,
                GapFrame& frame);

/// Appends the new vertices of all patches with interpolated attributes, then triangles: kept ones, patches.
void add_patches(const PartBody& body, const std::vector<Gap>& gaps, const SplitVertices& split,
                 std::span<const math::Rigidd> world, GapFrame& frame);

/// Stage 4: normals of new vertices and of the ends of patches, as means over adjacent facets.
void patch_normals(const PartBody& body, const std::vector<Gap>& gaps, const SplitVertices& split,
                   const SoftSeams& soft, const GapOptions& options, GapFrame& frame);

}  // namespace sinew::articulated
