#pragma once
/// \file
/// Directions of parts made to follow their openings and their parents (Vasilakis 2008, with the corrections
/// of section 3.4 of the specification).

#include <limits>
#include <span>
#include <vector>

#include "sinew/geometry/part_shape.h"

namespace sinew::rig {

using math::Mat3d;
using math::Vec3d;

/// Three directions, as columns, and which of them is the principal axis.
struct PartFrame {
    Mat3d axes = Mat3d::Identity();
    int main_axis = 0;
};

/// Which angle must not exceed the limit.
enum class AngleGate {
    raw,      ///< between opening and direction
    applied,  ///< after weighting, as the source writes it: it can hardly ever exceed 20 degrees
};

enum class LocalRefinement {
    off,
    sequential,  ///< one weighted rotation after the other, as the source
    procrustes,  ///< one rotation that fits all openings best (weighted; Kabsch 1976)
};

enum class AxisReselection {
    heaviest,  ///< the direction with most of the weight of the openings; ties keep the axis
    last,      ///< that of the last opening, as the source
    off,
};

struct PartRefineOptions {
    LocalRefinement local = LocalRefinement::sequential;
    bool parent = true;
    double most = math::radians(20.0);         ///< of local refinement
    double most_parent = math::radians(20.0);  ///< infinite is the source's behaviour
    AngleGate gate = AngleGate::raw;
    AxisReselection reselect = AxisReselection::heaviest;
    /// A part with one opening that no direction points to lies along the one that reaches farthest away from
    /// it, so that its bone ends at the tip.
    bool leaf_axis = true;
};
inline constexpr double unlimited_angle = std::numeric_limits<double>::infinity();

/// Weights of openings: 2/(N+1) of the parent's, 1/(N+1) of the others; 1/N without a parent. Sum 1.
std::vector<double> opening_weights(std::size_t count, bool has_parent);

/// `towards` are the ways from the centre to the openings, the parent's first when there is one; shorter ones
/// than `least` are skipped.
PartFrame refine_locally(const PartFrame& frame, std::span<const Vec3d> towards, bool has_parent,
                         double least, const PartRefineOptions& options = {});

/// The child's frame turned onto its parent's, first its principal axis, then about it.
PartFrame refine_by_parent(const PartFrame& child, const PartFrame& parent,
                           double most = math::radians(20.0));

/// All parts, from the root down; boxes and axis segments anew.
std::vector<geometry::PartFeatures> refined(const std::vector<geometry::PartFeatures>& features,
                                            const std::vector<geometry::PartShape>& shapes,
                                            const geometry::PartTree& tree,
                                            const PartRefineOptions& options = {});

}  // namespace sinew::rig
