#pragma once
/// \file
/// Joints on a curve skeleton: at its ends, its junctions, its bends and its necks (Xie 2009, 3.6). Any curve
/// will do, however it was found.

#include <functional>

#include "sinew/model/skeleton.h"
#include "sinew/rig/curve_skeleton.h"

namespace sinew::rig {

enum class JointKind { key, bend, neck, length };

enum class JunctionJoints {
    separate,   ///< each branch has its own joint at a junction (Xie 2009; knuckles of a hand)
    automatic,  ///< one joint where three branches meet and its place is inside; otherwise near ones merge
    merged,     ///< one joint at every junction
};

struct JointOptions {
    double bend = 160;         ///< degrees: a joint where the curve bends more than this (180 is straight)
    double window = 1;         ///< radii to each side over which a bend is looked at
    double apart = 1.5;        ///< radii between two bends; of nearer ones the sharper counts
    double from_keys = 0.75;   ///< radii between a bend or neck and the end of its branch
    bool necks = true;         ///< joints where the radius is least
    double prominence = 0.08;  ///< of a neck: how much thicker both sides get, as part of the radius
    double stray = 1;    ///< radii that a curve may lie off its bone before it gets a joint there; 0 any
    double longest = 0;  ///< longer bones are divided evenly; 0 leaves them
    JunctionJoints junctions = JunctionJoints::automatic;
    double merge = 0.5;       ///< radii of the junction within which its joints merge
    std::optional<int> root;  ///< index of the node nearest to which the root is; by rule when not given
    Vec3d centroid =
        Vec3d::Constant(std::numeric_limits<double>::quiet_NaN());  ///< of the body; of the curve when NaN
    double diagonal = 0;                                            ///< of the body; of the curve when 0
    std::function<bool(const Vec3d&)> inside;  ///< of the body; everything when not given
};

/// A joint with where it came from.
struct PlacedJoint {
    Vec3d position = Vec3d::Zero();
    double radius = 0;
    JointKind kind = JointKind::key;
    int node = -1;    ///< of the curve
    int branch = -1;  ///< of branches(curve); -1 for a merged junction
    double at = 0;    ///< arc length from the start of the branch
    int parent = -1;
    int degree = 0;  ///< links
};

/// Parents come before children; several roots where the curve is in pieces.
struct JointSet {
    std::vector<PlacedJoint> joints;
    int key_joints = 0;
    int inner_joints = 0;
};

/// \throws Error when the curve is empty.
JointSet place_joints(const CurveSkeleton& curve, const JointOptions& options = {});
/// Names are branchNN_jMM, numbered from the root.
model::Skeleton skeleton_of(const JointSet& joints);
model::Skeleton skeleton_of(const CurveSkeleton& curve, const JointOptions& options = {});

/// Turns the links between a joint and the root of its tree, so that it becomes the root.
JointSet rerooted(const JointSet& joints, int root);

}  // namespace sinew::rig
