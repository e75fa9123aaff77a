// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// The middle line of an outline: the chordal axis of its constrained Delaunay triangulation (Xie 2009, 3.3;
/// Prasad 1997).

#include "sinew/geometry/polygon.h"
#include "sinew/rig/curve/curve_skeleton.h"
#include "sinew/rig/silhouette/silhouette.h"

namespace sinew::rig {

using geometry::Triangulation2;

/// By the number of internal sides: 0, 1, 2, 3.
enum class TriangleClass { isolated, terminal, sleeve, junction };
std::vector<TriangleClass> classes(const Triangulation2& triangulation);

struct MedialOptions {
    double prune = 1;      ///< a branch to an end is kept when its length reaches this many radii of its root
    double cluster = 0.2;  ///< junctions closer than this part of the sum of their radii are one
    bool break_cycles = true;  ///< at their narrowest chord
    double spacing = 0;        ///< of the nodes of a branch; 0 leaves them as they are
};

/// A node of the axis, in the coordinates of the view.
struct MedialNode {
    Vec2d xy = Vec2d::Zero();
    double z = 0;
    double radius = 0;  ///< distance to the outline
    double trust = 1;   ///< of the depth
};

/// A line of nodes through sleeves. It ends at the side of a junction triangle, or free.
struct MedialBranch {
    std::vector<MedialNode> nodes;
    std::array<int, 2> ends{-1, -1};  ///< junctions, or -1 where the branch ends free
};

struct MedialJunction {
    MedialNode center;
    std::vector<int> triangles;  ///< the junction triangles that were clustered
};

struct MedialAxis {
    std::vector<MedialBranch> branches;
    std::vector<MedialJunction> junctions;
};

/// `nodes` are the points of the triangulation, with their depths.
MedialAxis medial_axis(const Triangulation2& triangulation, const std::vector<SilhouetteNode>& nodes,
                       const geometry::PolygonIndex& outline, const MedialOptions& options = {});

/// All nodes of a piece in the order of its triangulation's points.
std::vector<SilhouetteNode> nodes_of(const SilhouettePiece& piece);

/// Branches and the junctions between them, in space: the form in which a curve is refined.
struct MedialGraph {
    struct Branch {
        std::vector<CurveNode> nodes;
        std::array<int, 2> ends{-1, -1};
        bool hidden = false;  ///< found behind others, not in the first view
    };
    std::vector<Branch> branches;
    std::vector<CurveNode> junctions;
};

/// Lifts an axis to space and appends it.
void append(MedialGraph& graph, const MedialAxis& axis, const Projection& projection);
/// Junctions first, then the branches one after the other.
CurveSkeleton curve_of(const MedialGraph& graph);
/// Nodes of every branch in the numbering of curve_of.
std::vector<std::vector<int>> curve_nodes_of(const MedialGraph& graph);

}  // namespace sinew::rig
