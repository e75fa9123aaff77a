// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// A mesh cut into named parts that share vertices along their borders, the tree of its parts and the
/// openings between them (Vasilakis 2008, section 2 of the specification of rigid skinning).
///
/// \code
/// const geometry::CutMesh cut = geometry::cut_mesh(mesh);       // uses the parts named in the file
/// const geometry::PartTree tree = geometry::part_tree(cut);
/// \endcode

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "sinew/base/monitor.h"
#include "sinew/geometry/mesh.h"

namespace sinew::geometry {

/// One welded surface with a part index for every triangle. Vertices of the mesh at the same position, such
/// as copies along a seam between two parts, are one point.
struct CutMesh {
    std::vector<Vec3d> points;
    std::vector<Triangle>
        triangles;             ///< indices into `points`, in the order of the mesh; no triangle is dropped
    std::vector<int> part_of;  ///< part of each triangle
    std::vector<std::string> names;       ///< names of the parts
    std::vector<std::uint32_t> point_of;  ///< point of each vertex of the mesh

    std::size_t part_count() const { return names.size(); }
};

/// Cuts a mesh by its own parts; parts with the same name are merged. Vertices closer than 1e-6 of the
/// diagonal are welded.
/// \throws Error when a part has no triangle
CutMesh cut_mesh(const Mesh& mesh);

/// The same with a part index per triangle, for automatic segmentation.
CutMesh cut_mesh(const Mesh& mesh, std::vector<int> part_of, std::vector<std::string> names);

/// The border between a part and its parent.
struct Opening {
    int parent = -1;
    int child = -1;
    std::vector<std::uint32_t>
        loop;  ///< points in cyclic order, in the direction of the child's border (child on the left)
    std::vector<std::uint32_t>
        points;  ///< all shared points; more than `loop` when the parts meet in several loops
    int loop_count = 0;
    Vec3d centre = Vec3d::Zero();   ///< mean of the points; the joint is placed here
    Vec3d normal = Vec3d::UnitZ();  ///< normal of the fitted plane, towards the child
    double residual = 0;            ///< largest distance of a point to the plane
};

/// The tree of parts. `openings[p]` is the border between part p and its parent; that of the root has parent
/// -1 and no points.
struct PartTree {
    std::vector<int> parent;  ///< parent of each part; -1 for the root
    std::vector<int> order;   ///< parts with parents before children, depth first
    std::vector<Opening> openings;

    int root() const { return order.front(); }
};

/// Builds the tree from the parent of each part.
/// \param cut the mesh in parts
/// \param parents parent of each part, -1 for the root
/// \param monitor receives the warnings `opening-several-loops`, and `parts-touch` for parts that touch
/// without being parent and child
/// \throws Error naming both parts when a part does not touch its parent; also for cycles and several roots
PartTree part_tree(const CutMesh& cut, std::vector<int> parents, Monitor& monitor = silent());

/// Finds the tree from the contacts of the parts, as a spanning tree that prefers long borders. The root is
/// chosen among the large parts (volume at least 0.3 of the largest) that are not leaves and lie in the
/// middle of the tree (the longest path from it is at most one longer than the minimum): the one with the
/// most neighbours, then the largest. The condition of the middle excludes long tails, which have many parts.
/// \throws Error naming two parts that are not connected through touching parts
PartTree part_tree(const CutMesh& cut, Monitor& monitor = silent());

/// Builds the tree from wanted parents as far as parts touch their parents. The first part without a parent
/// is the root. A part that does not touch its parent, or has none, is attached to the part with which it
/// shares the longest border.
/// \param cut the mesh in parts
/// \param wanted parent of each part, -1 for none
/// \param monitor receives the warning `parts-apart` with the names of part and parent
/// \throws Error naming two parts that are not connected through touching parts
PartTree wanted_part_tree(const CutMesh& cut, const std::vector<int>& wanted, Monitor& monitor = silent());

/// Two parts that share points; a < b.
struct PartContact {
    int a = -1;
    int b = -1;
    std::vector<std::uint32_t> points;  ///< shared points, increasing
    /// Edges between a triangle of a and one of b, in the direction of the triangle of b.
    std::vector<std::array<std::uint32_t, 2>> edges;
    double length = 0;  ///< total length of the edges

    /// True when the parts meet along edges, not only at single points.
    bool along_edges() const { return !edges.empty(); }
};

/// All contacts, sorted by (a, b).
std::vector<PartContact> part_contacts(const CutMesh& cut);

/// The contact as an opening of the child: its loops, centre and plane.
Opening opening_of(const CutMesh& cut, const PartContact& contact, int parent, int child);

/// A chain of points. A closed chain returns to its first point, which is not repeated.
struct BorderChain {
    std::vector<std::uint32_t> points;
    bool closed = false;
};

/// Joins directed edges to chains. Closed chains start at their lowest point index. Chains are sorted by
/// decreasing length, then by first point.
std::vector<BorderChain> border_chains(std::vector<std::array<std::uint32_t, 2>> edges);

/// Warns about defects that patches over the joints cannot repair: `parts-open-surface`, `parts-nonmanifold`,
/// `parts-genus` (handles), `parts-sampling` (edges more than five times as long as the median; names the
/// worst part).
void check_surface(const Mesh& mesh, const CutMesh& cut, Monitor& monitor);

/// Ratio of longest to median edge of every part.
std::vector<double> sampling_ratios(const CutMesh& cut);

}  // namespace sinew::geometry
