// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// A mesh cut into named parts that meet along shared vertices, the tree of its parts and the openings
/// between them (Vasilakis 2008, section 2 of the specification of rigid skinning).
///
/// \code
/// const geometry::CutMesh cut = geometry::cut_mesh(mesh);       // by the parts that the file names
/// const geometry::PartTree tree = geometry::part_tree(cut);
/// \endcode

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "sinew/base/monitor.h"
#include "sinew/geometry/mesh.h"

namespace sinew::geometry {

/// One welded surface with a part for every triangle. Vertices of the mesh at the same position, such
/// as the copies of a seam in two parts, are one point.
struct CutMesh {
    std::vector<Vec3d> points;
    std::vector<Triangle> triangles;      ///< of points, in the order of the mesh's; none is lost
    std::vector<int> part_of;             ///< of each triangle
    std::vector<std::string> names;       ///< of the parts
    std::vector<std::uint32_t> point_of;  ///< of each vertex of the mesh

    std::size_t part_count() const { return names.size(); }
};

/// Parts of the mesh that have the same name are one part. Points are welded within 1e-6 of the diagonal.
/// \throws Error when a part has no triangle.
CutMesh cut_mesh(const Mesh& mesh);

/// The same surface with parts given per triangle, for automatic segmentation.
CutMesh cut_mesh(const Mesh& mesh, std::vector<int> part_of, std::vector<std::string> names);

/// Where two parts meet.
struct Opening {
    int parent = -1;
    int child = -1;
    std::vector<std::uint32_t>
        loop;  ///< points in cyclic order, as the child's border runs (child on the left)
    std::vector<std::uint32_t>
        points;  ///< all common points; more than `loop` when the parts meet in several loops
    int loop_count = 0;
    Vec3d centre = Vec3d::Zero();   ///< mean of the points: the position of the joint
    Vec3d normal = Vec3d::UnitZ();  ///< of the best plane, towards the child
    double residual = 0;            ///< largest distance of a point to the plane
};

/// The tree of parts. `openings[p]` is the one between part p and its parent; the root's has parent -1 and no
/// points.
struct PartTree {
    std::vector<int> parent;  ///< of each part, -1 for the root
    std::vector<int> order;   ///< parents before children, depth first
    std::vector<Opening> openings;

    int root() const { return order.front(); }
};

/// The tree that is given by the parent of each part.
/// \throws Error naming both parts when a part and its parent do not touch, on a cycle and on several roots.
/// Warns `opening-several-loops`, and `parts-touch` about parts that touch without being parent and child.
PartTree part_tree(const CutMesh& cut, std::vector<int> parents, Monitor& monitor = silent());

/// A tree found from which parts touch: a spanning tree over the longest borders first, hung on the part with
/// most neighbours among the large ones (by volume, at least 0.3 of the largest; then the largest) in its
/// middle, from where the deepest path is at most one longer than necessary, and which are not leaves: a long
/// tail has many parts and yet does not carry the body.
/// \throws Error naming two parts that are not connected by parts that touch.
PartTree part_tree(const CutMesh& cut, Monitor& monitor = silent());

/// The tree that is wanted, as far as parts touch their parents: the first part without one is the root. A
/// part that does not touch its parent is attached to the one with which it has the longest border, and so
/// does any other part without a parent. Warns `parts-apart` with the names of part and parent.
/// \throws Error naming two parts that are not connected by parts that touch.
PartTree wanted_part_tree(const CutMesh& cut, const std::vector<int>& wanted, Monitor& monitor = silent());

/// Two parts that have points in common, the lower one first.
struct PartContact {
    int a = -1;
    int b = -1;
    std::vector<std::uint32_t> points;  ///< common ones, rising
    /// Edges between a triangle of a and one of b, as the triangle of b runs.
    std::vector<std::array<std::uint32_t, 2>> edges;
    double length = 0;  ///< of the edges

    /// Whether the parts meet along a line, and not only in single points.
    bool along_edges() const { return !edges.empty(); }
};

/// All contacts, sorted by (a, b).
std::vector<PartContact> part_contacts(const CutMesh& cut);

/// The contact seen from the child: its loops, its middle and its plane.
Opening opening_of(const CutMesh& cut, const PartContact& contact, int parent, int child);

/// A chain of points: `closed` when it runs back to its start, which is not repeated.
struct BorderChain {
    std::vector<std::uint32_t> points;
    bool closed = false;
};

/// Directed edges joined to chains. They start at their lowest point when they are closed; the result is
/// sorted by falling length, then by the first point.
std::vector<BorderChain> border_chains(std::vector<std::array<std::uint32_t, 2>> edges);

/// Warns about what patches over the joints cannot mend: `parts-open-surface`, `parts-nonmanifold`,
/// `parts-genus` (handles), `parts-sampling` (edges more than five times as long as the median; names the
/// worst part).
void check_surface(const Mesh& mesh, const CutMesh& cut, Monitor& monitor);

/// Longest edge over median edge, of every part.
std::vector<double> sampling_ratios(const CutMesh& cut);

}  // namespace sinew::geometry
