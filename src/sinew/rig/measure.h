// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// How far a rig is from a reference, and how good it is by itself: its skeleton, and its weights.
///
/// \code
/// const rig::SkeletonDifference joints = rig::measure(reference.skeleton, found.skeleton);  //
/// joints.j2j_percent const rig::WeightDifference weights = rig::measure_weights(reference, bound); //
/// weights.mean_l1 const rig::WeightQuality quality = rig::weight_quality(bound); // quality.leakage
/// \endcode

#include <array>

#include "sinew/model/character.h"

namespace sinew::rig {
/// Distances between two skeletons at rest, in percent of a diagonal. A tip counts as a joint, because
/// another file format would have written one there; points at the same position count once.
struct SkeletonDifference {
    double j2j_percent =
        0;  ///< mean distance of a joint from the nearest joint of the other, both directions averaged
    double j2b_percent = 0;  ///< the same from a joint to the nearest bone
    double b2b_percent = 0;  ///< the same from every point of a bone to the nearest bone, by length
    double precision = 0;    ///< part of the other's joints with a partner within 2 percent in the reference
    double recall =
        0;  ///< part of the reference's joints with a partner; pairs are one to one, as many as possible
    double diagonal = 0;  ///< what 100 percent is
};

struct SkeletonMeasureOptions {
    double diagonal = 0;  ///< 0 takes the diagonal of the reference skeleton's box
};

/// \throws Error when a skeleton is empty or the reference has no extent.
SkeletonDifference measure(const model::Skeleton& reference, const model::Skeleton& other,
                           const SkeletonMeasureOptions& options = {});

/// Differences of skin weights on the same vertices. Joints are matched by name, in any case; weight on a
/// joint that the other does not have counts in full.
struct WeightDifference {
    double mean_l1 = 0;  ///< mean over the vertices of sum |a_j - b_j|: 0 equal, 2 nothing in common
    double max_l1 = 0;
    double precision = 0;  ///< part of the other's influences above 1e-4 that the reference has too
    double recall = 0;     ///< part of the reference's influences that the other has too
    std::size_t vertices = 0;
};

/// \throws Error when one has no skin or the vertex counts differ.
WeightDifference measure_weights(const model::Character& reference, const model::Character& other);

// --- How good a set of weights is without knowing the right ones: where they leak, how steep they are, and
// what bending every joint does to the surface

struct WeightQuality {
    /// Mean over the vertices of the weight on joints that are neither the vertex's heaviest joint nor its
    /// parent, child or sister: what an elbow holds of the chest.
    double leakage = 0;
    double max_leakage = 0;
    double steepest = 0;    ///< largest change of a weight along an edge, per diagonal of the body
    double steep_mean = 0;  ///< the same on average over the edges, of the joint that changes most
    double influences = 0;  ///< mean joints per vertex
    int max_influences = 0;
    std::size_t torn = 0;    ///< vertices at the same position with different weights
    std::size_t unused = 0;  ///< joints that move no vertex
};

/// \throws Error when the character has no skin.
WeightQuality weight_quality(const model::Character& character);

struct SweepOptions {
    std::array<double, 4> degrees{-90, -45, 45, 90};
};

/// One joint bent, all others at rest.
struct JointSweep {
    int joint = 0;
    double worst_volume = 0;   ///< largest relative change of the enclosed volume
    double worst_stretch = 0;  ///< largest relative change of an edge that is not tiny
    double mean_stretch = 0;   ///< mean over edges that change by more than 1 in 1000
};

struct SweepQuality {
    double volume_change = 0;  ///< mean over joints of their worst
    double stretch = 0;        ///< mean over joints of their mean
    double worst_stretch = 0;
    std::vector<JointSweep> joints;  ///< those that move something and have a bone above them
};

/// Bends every joint by every angle about the axis in which its bones bend, or any across a straight one.
SweepQuality sweep_joints(const model::Character& character, const SweepOptions& options = {});

/// The axis that a joint bends about, in world space: across its bone and the one above it.
math::Vec3d bend_axis(const model::Skeleton& skeleton, int joint);
/// Local transforms of the rest pose with one joint rotated by an angle (radians) about its bend axis.
std::vector<math::Transform> bent_pose(const model::Skeleton& skeleton, int joint, double angle);

}  // namespace sinew::rig
