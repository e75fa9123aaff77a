// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// The piece of a skeleton inside one part: which openings share a link, how the axes of a part follow its
/// openings and its parent, and the resulting nodes.

#include <span>

#include "sinew/rig/segment.h"

namespace sinew::rig {

using math::Mat3d;

// --- Which openings of a part share a link on its axis: grouping by dynamic programming (Vasilakis 2008)

/// An opening and its foot on the axis: the nearest point of the axis segment.
struct OpeningFoot {
    Vec3d opening = Vec3d::Zero();
    Vec3d foot = Vec3d::Zero();
};

/// A run of openings, from `first` to `last` inclusive, and the mean of their feet.
struct OpeningGroup {
    int first = 0;
    int last = 0;
    Vec3d link = Vec3d::Zero();
};

struct Grouping {
    std::vector<OpeningGroup> groups;  ///< along the axis
    double score = 0;                  ///< of the last step: 0 is best
    double moved = 0;                  ///< sum of V: how much longer the paths get, each from 0 to 1
};

/// V: the loss of an opening when it is attached at `link` instead of its foot, relative to the largest
/// possible loss.
double moved_part(std::span<const OpeningFoot> feet, std::size_t opening, const Vec3d& link);

/// Feet must be sorted along the axis; those nearer than a fiftieth of it are never divided. The run is
/// processed from both ends, and the better division is used. O(N^3) scores.
Grouping group_openings(std::span<const OpeningFoot> feet, double axis_length);

// --- Directions of parts made to follow their openings and their parents (Vasilakis 2008)

/// Three directions, as columns, and which of them is the principal axis.
struct PartFrame {
    Mat3d axes = Mat3d::Identity();
    int main_axis = 0;
};

/// Weights of openings: 2/(N+1) of the parent's, 1/(N+1) of the others; 1/N without a parent. Sum 1.
std::vector<double> opening_weights(std::size_t count, bool has_parent);

/// `towards` are the vectors from the centre to the openings, the parent's first when there is one; shorter
/// ones than `least` are skipped. The direction with most of the weight of the openings becomes the principal
/// axis; ties keep it.
PartFrame refine_locally(const PartFrame& frame, std::span<const Vec3d> towards, bool has_parent, double min,
                         const PartRefineOptions& options = {});

/// The child's frame rotated onto its parent's, first its principal axis, then about it.
PartFrame refine_by_parent(const PartFrame& child, const PartFrame& parent, double max = math::radians(20.0));

/// All parts, from the root down; recomputes boxes and axis segments. A part with one opening to which no
/// direction points uses the direction that reaches farthest away from it, so that its bone ends at the tip.
std::vector<geometry::PartFeatures> refined(const std::vector<geometry::PartFeatures>& features,
                                            const std::vector<geometry::PartShape>& shapes,
                                            const geometry::PartTree& tree,
                                            const PartRefineOptions& options = {});

// --- Nodes of one part

/// Openings of a part: the nodes that it shares with its neighbours.
struct PartOpenings {
    int part = -1;
    int parent = -1;         ///< index in `at` of the opening to the parent, or -1
    std::vector<Vec3d> at;   ///< middles, the parent's first, then by child
    std::vector<int> child;  ///< part beyond each; -1 for the parent's
};
std::vector<PartOpenings> openings_of_parts(const geometry::PartTree& tree);

/// Nodes 0 .. openings-1 are the openings; `root` is where the path from the parent starts, or the root
/// point.
struct Piece {
    std::vector<PartNode> nodes;
    std::vector<std::array<int, 2>> edges;
    int root = -1;
    PartPiece figures;
};

Piece opening_piece(const PartOpenings& openings, const geometry::PartShape* shape);
Piece centroid_piece(const PartOpenings& openings, const geometry::PartFeatures& features);
/// Ends of the axis move inwards a little, because the surface is not inside; ends that are short compared to
/// the width of the part are not bones. A link that only one opening uses, and that is near it, moves there,
/// because a limb runs straight from joint to joint; the piece of a leaf reaches its tip.
Piece axis_piece(const PartOpenings& openings, const geometry::PartShape& shape,
                 const geometry::PartFeatures& features, const PartGraphOptions& options);

/// Length of a segment inside a closed surface, as part of it.
double inside_part(const geometry::PartSurface& surface, const Vec3d& a, const Vec3d& b);

}  // namespace sinew::rig
