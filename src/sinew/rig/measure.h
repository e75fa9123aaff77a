// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// How far a rig is from a reference, and how good it is by itself: its skeleton, and its weights.
///
/// \code
/// const rig::SkeletonDifference joints = rig::measure(reference.skeleton, found.skeleton);
/// fmt::print("{} %\n", joints.j2j_percent);
/// const rig::WeightDifference weights = rig::measure_weights(reference, bound);
/// fmt::print("{} of 2, leakage {}\n", weights.mean_l1, rig::weight_quality(bound).leakage);
/// \endcode

#include <array>

#include "sinew/model/character.h"

namespace sinew::rig {
/// Distances between two skeletons at rest, in percent of a diagonal. Tips count as joints, because other
/// file formats store joints there; joints at the same position count once.
struct SkeletonDifference {
    double j2j_percent = 0;  ///< mean distance of a joint to the nearest joint of the other skeleton,
                             ///< averaged over both directions
    double j2b_percent = 0;  ///< the same, from joints to the nearest bone
    double b2b_percent = 0;  ///< the same, from all points of a bone to the nearest bone, weighted by length
    double precision =
        0;  ///< fraction of the other's joints matched to a joint of the reference within 2 percent
    double recall =
        0;  ///< fraction of the reference's joints that are matched; matching is one to one and maximal
    double diagonal = 0;  ///< length of 100 percent
};

struct SkeletonMeasureOptions {
    double diagonal = 0;  ///< 0 uses the diagonal of the reference skeleton's bounding box
};

/// \throws Error when a skeleton is empty or the reference has no extent
SkeletonDifference measure(const model::Skeleton& reference, const model::Skeleton& other,
                           const SkeletonMeasureOptions& options = {});

/// Differences of skin weights on the same vertices. Joints are matched by name, ignoring case; weight on a
/// joint that the other skeleton lacks counts fully.
struct WeightDifference {
    double mean_l1 = 0;  ///< mean over the vertices of sum |a_j - b_j|: 0 equal, 2 nothing in common
    double max_l1 = 0;
    double precision = 0;  ///< fraction of the other's influences above 1e-4 that the reference has too
    double recall = 0;     ///< fraction of the reference's influences that the other has too
    std::size_t vertices = 0;
};

/// \throws Error when one has no skin or the vertex counts differ
WeightDifference measure_weights(const model::Character& reference, const model::Character& other);

// --- Quality of skin weights without a reference: leakage, slopes, and the deformation when joints bend

struct WeightQuality {
    /// Mean over the vertices of the weight on joints that are neither the heaviest joint nor its parent,
    /// child or sibling: for example weight of the chest at the elbow.
    double leakage = 0;
    double max_leakage = 0;
    double steepest = 0;    ///< largest change of a weight along an edge, per diagonal of the body
    double steep_mean = 0;  ///< mean over the edges, for the joint whose weight changes most
    double influences = 0;  ///< mean number of joints per vertex
    int max_influences = 0;
    std::size_t torn = 0;    ///< vertices at the same position with different weights
    std::size_t unused = 0;  ///< joints without weight on any vertex
};

/// \throws Error when the character has no skin
WeightQuality weight_quality(const model::Character& character);

struct SweepOptions {
    std::array<double, 4> degrees{-90, -45, 45, 90};
};

/// Deformation when one joint bends and all others are at rest.
struct JointSweep {
    int joint = 0;
    double worst_volume = 0;  ///< largest relative change of the enclosed volume
    double worst_stretch =
        0;  ///< largest relative change of the length of an edge; very short edges are ignored
    double mean_stretch = 0;  ///< mean over the edges that change by more than 0.1 percent
};

struct SweepQuality {
    double volume_change = 0;  ///< mean of the worst changes of all joints
    double stretch = 0;        ///< mean of the mean changes of all joints
    double worst_stretch = 0;
    std::vector<JointSweep> joints;  ///< joints that move skin and have a parent bone
};

/// Bends every joint by every angle about its bend axis, or about any perpendicular axis when its bones are
/// collinear.
SweepQuality sweep_joints(const model::Character& character, const SweepOptions& options = {});

/// The bend axis of a joint in world space: perpendicular to its bone and that of its parent.
math::Vec3d bend_axis(const model::Skeleton& skeleton, int joint);
/// Local transforms of the rest pose with one joint rotated by `angle` radians about its bend axis.
std::vector<math::Transform> bent_pose(const model::Skeleton& skeleton, int joint, double angle);

}  // namespace sinew::rig
