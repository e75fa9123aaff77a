#pragma once
/// \file
/// From a raw curve inside a body to a clean one: no spurs, no doubled junctions, centred, smooth, evenly
/// spaced.

#include "sinew/rig/curve_skeleton.h"
#include "sinew/rig/skeletonize/body_graph.h"

namespace sinew::rig {

struct RefineOptions {
    /// A branch that ends freely stays when its tip's ball reaches this many radii of the junction away.
    double spur = 1.1;
    /// Junctions nearer than this many radii become one (Xie 2009 merges at 0.75).
    double junction = 1.0;
    double spacing = 1.2;  ///< of the nodes, in percent of the diagonal
    int rounds = 6;        ///< of centring and smoothing
    /// Ends are cut back as long as that does not leave their ball's edge by more than so many cells.
    double trim = 0.5;
};

/// The graph becomes a tree (the thinnest link of a ring goes). Needs every node's position only.
CurveSkeleton refine_curve(CurveSkeleton curve, const BodyField& field, const RefineOptions& options = {});

/// Every node's radius is the depth there, at least a tenth of a cell.
void measure_radii(CurveSkeleton& curve, const BodyField& field);

/// Ties loose pieces to the rest (warning `loose-parts`), says when several bodies remain (`several-bodies`),
/// and finds the node of every vertex of the mesh, which must be in the frame of the field.
void finish_curve(CurveSkeleton& curve, const geometry::Mesh& mesh, const BodyField& field,
                  const BodyGraph& graph, Monitor& monitor);

/// Which node each point belongs to: the one whose ball is nearest on ways inside the body; -1 for points
/// that lie far from the body.
std::vector<std::int32_t> assign_to_nodes(const CurveSkeleton& curve, const BodyField& field,
                                          const BodyGraph& graph, const std::vector<geometry::Vec3f>& points);

}  // namespace sinew::rig
