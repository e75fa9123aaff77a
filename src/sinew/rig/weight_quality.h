#pragma once
/// \file
/// How good a set of weights is without knowing the right ones: where they leak, how steep they are, and what
/// bending every joint does to the surface.

#include <array>

#include "sinew/deform/method.h"
#include "sinew/model/character.h"

namespace sinew::rig {

struct WeightQuality {
    /// Mean over the vertices of the weight on joints that are neither the vertex's heaviest joint nor its
    /// parent, child or sister (auto-rig 5.3): what an elbow holds of the chest.
    double leakage = 0;
    double most_leakage = 0;
    double steepest = 0;    ///< largest change of a weight along an edge, per diagonal of the body
    double steep_mean = 0;  ///< the same on average over the edges, of the joint that changes most
    double influences = 0;  ///< mean joints a vertex
    int most_influences = 0;
    std::size_t torn = 0;    ///< vertices at the same place with different weights
    std::size_t unused = 0;  ///< joints that move no vertex
};

/// \throws Error when the character has no skin.
WeightQuality weight_quality(const model::Character& character);

struct SweepOptions {
    std::array<double, 4> degrees{-90, -45, 45, 90};
    deform::Method method = deform::Method::lbs;
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
/// Local transforms of the rest pose with one joint turned by an angle (radians) about its bend axis.
std::vector<math::Transform> bent_pose(const model::Skeleton& skeleton, int joint, double angle);

}  // namespace sinew::rig
