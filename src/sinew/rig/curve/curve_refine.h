// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Refines a raw curve inside a body: removes spurs and duplicate junctions, centres, smooths and resamples
/// it.

#include "sinew/rig/body/body_graph.h"
#include "sinew/rig/curve/curve_skeleton.h"

namespace sinew::rig {

struct RefineOptions {
    /// A branch with a free end is kept when its tip's sphere reaches at least this many radii of the
    /// junction away from it.
    double spur = 1.1;
    int rounds = 6;  ///< of centring and smoothing
    /// Ends are shortened while this does not move the edge of their sphere back by more than this number of
    /// cells.
    double trim = 0.5;

    /// For curves whose branches all end at limbs: short branches are kept, and none is shortened.
    static RefineOptions lenient() { return {.spur = 0.75, .trim = 0}; }
};

/// The graph becomes a tree (the thinnest link of each cycle is removed). Only the positions of the nodes are
/// used.
CurveSkeleton refine_curve(CurveSkeleton curve, const BodyField& field, const RefineOptions& options = {});

/// Sets every node's radius to its depth, at least a tenth of a cell.
void measure_radii(CurveSkeleton& curve, const BodyField& field);

/// Connects loose pieces (warning `loose-parts`), warns when several bodies remain (`several-bodies`), and
/// finds the node of every vertex of the mesh, which must be in the frame of the field.
void finish_curve(CurveSkeleton& curve, const geometry::Mesh& mesh, const BodyField& field,
                  const BodyGraph& graph, Monitor& monitor);

/// The node that each point belongs to: the one whose sphere is nearest on paths inside the body; -1 for
/// points far from the body.
std::vector<std::int32_t> assign_to_nodes(const CurveSkeleton& curve, const BodyField& field,
                                          const BodyGraph& graph, const std::vector<geometry::Vec3f>& points);

// -------------------- Selection of the branches of a raw curve.

/// Breaks every cycle at its thinnest link: the spanning forest with the largest radii.
CurveSkeleton without_rings(const CurveSkeleton& curve);

/// Removes branches with a free end whose spheres all stay within `spur` radii of the junction they start
/// from, the smallest first; and merges the ends of every link between junctions that is shorter than
/// `junction` times the larger of their radii; repeated until nothing changes.
CurveSkeleton without_spurs(const CurveSkeleton& curve, double spur, double junction);

/// Shortens ends that run into a corner or to the surface to the centre of the sphere that fills the end:
/// where radius minus half the distance from the apex is largest, while it does not decrease by more than
/// `tolerance`, and to where the radius is at least `least`, while it increases. A branch keeps its last
/// edge.
CurveSkeleton with_trimmed_ends(const CurveSkeleton& curve, double least, double tolerance);

/// Nodes at equal distances along every branch, about `spacing` apart.
CurveSkeleton evenly_spaced(const CurveSkeleton& curve, double spacing);

}  // namespace sinew::rig
