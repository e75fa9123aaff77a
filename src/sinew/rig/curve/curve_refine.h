// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// From a raw curve inside a body to a clean one: no spurs, no doubled junctions, centred, smooth, evenly
/// spaced.

#include "sinew/rig/body/body_graph.h"
#include "sinew/rig/curve/curve_skeleton.h"

namespace sinew::rig {

struct RefineOptions {
    /// A branch that ends freely stays when its tip's sphere reaches this many radii of the junction away.
    double spur = 1.1;
    int rounds = 6;  ///< of centring and smoothing
    /// Ends are cut back as long as that does not leave their sphere's edge by more than so many cells.
    double trim = 0.5;

    /// Once every branch ends at a limb: short ones stay, and none is cut back.
    static RefineOptions lenient() { return {.spur = 0.75, .trim = 0}; }
};

/// The graph becomes a tree (the thinnest link of a ring goes). Needs every node's position only.
CurveSkeleton refine_curve(CurveSkeleton curve, const BodyField& field, const RefineOptions& options = {});

/// Every node's radius is the depth there, at least a tenth of a cell.
void measure_radii(CurveSkeleton& curve, const BodyField& field);

/// Ties loose pieces to the rest (warning `loose-parts`), says when several bodies remain (`several-bodies`),
/// and finds the node of every vertex of the mesh, which must be in the frame of the field.
void finish_curve(CurveSkeleton& curve, const geometry::Mesh& mesh, const BodyField& field,
                  const BodyGraph& graph, Monitor& monitor);

/// Which node each point belongs to: the one whose sphere is nearest on paths inside the body; -1 for points
/// that lie far from the body.
std::vector<std::int32_t> assign_to_nodes(const CurveSkeleton& curve, const BodyField& field,
                                          const BodyGraph& graph, const std::vector<geometry::Vec3f>& points);

// --------------------
// Which branches of a raw curve stay.

/// Breaks every ring at its thinnest link: the spanning forest whose links have the largest radii.
CurveSkeleton without_rings(const CurveSkeleton& curve);

/// Removes branches that end freely and whose spheres all stay within `spur` radii of the junction they start
/// from, the least first; and makes one node of every link between junctions that is shorter than `junction`
/// times the larger of their radii; until nothing changes.
CurveSkeleton without_spurs(const CurveSkeleton& curve, double spur, double junction);

/// Ends that run into a corner or to the surface are cut back to the middle of the sphere that fills the end:
/// where radius - distance from the apex / 2 is largest, as long as it does not fall by more than
/// `tolerance`, and to where the radius is at least `least`, as long as it grows. A branch keeps its last
/// edge.
CurveSkeleton with_trimmed_ends(const CurveSkeleton& curve, double least, double tolerance);

/// Nodes at equal distances along every branch, about `spacing` apart.
CurveSkeleton evenly_spaced(const CurveSkeleton& curve, double spacing);

}  // namespace sinew::rig
