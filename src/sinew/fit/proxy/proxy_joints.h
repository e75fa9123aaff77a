// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Proxy joints: positions distributed evenly over the rest pose, with weights that decrease with distance
/// (Kavan, McDonnell, Dobbyn, Zara and O'Sullivan 2007, section 3).

#include <optional>
#include <span>

#include "sinew/fit/fit.h"

namespace sinew::fit {

/// Distance between two vertices.
enum class JointMetric {
    straight,  ///< straight distance, as published
    surface,   ///< distance along edges, so that adjacent layers and shells stay separate
};

struct PlacementOptions {
    JointMetric metric = JointMetric::straight;
    std::optional<std::uint32_t> first;  ///< first joint; otherwise the vertex farthest from the centroid
    /// Density of joints around each vertex: its distances are multiplied by this factor, and hat functions
    /// are narrower by it. Empty means uniform.
    std::vector<double> density = {};
    int relaxations = 0;  ///< rounds of moving every joint to the centre of the vertices nearest to it
};

/// Joints at vertices, pairwise at least `radius` apart unless they were relaxed; every vertex is within this
/// distance of a joint, distances multiplied by its density.
struct ProxyJoints {
    std::vector<std::uint32_t> vertices;
    std::vector<double> radii;  ///< covering radius of the first 1, 2, ... joints
    JointMetric metric = JointMetric::straight;
    std::vector<double> density = {};  ///< of the vertices; empty: 1

    double radius() const { return radii.empty() ? 0 : radii.back(); }
};

/// Greedy centres (Gonzalez 1985): each at the vertex farthest from the previous ones, so that the first p
/// joints of a larger set are the set of p joints. Stops early when every position has a joint
/// (`fit-fewer-bones`).
ProxyJoints set_joint_positions(const geometry::Mesh& rest, int count, const PlacementOptions& options = {},
                                Monitor& monitor = silent());

/// Density of joints from the bending of a sequence: sqrt(1 + strength b / mean(b)), where b is the root mean
/// square over frames of how much more the normals around a vertex diverge than at rest, smoothed. The square
/// root, because the error of joints grows with the bending and the square of their distance.
std::vector<double> bending_density(const model::MeshSequence& sequence, double strength = 1);

struct HatOptions {
    double reach =
        1.5;  ///< in multiples of the radius, at least 1.05, because at 1 a vertex may have no weight
    std::size_t influences = 0;  ///< largest number per vertex before the fit; 0 keeps all
};

/// w = max(0, 1 - d / (reach r)), normalised to sum 1. A vertex outside all hats is bound to its nearest
/// joint.
BlendWeights hat_weights(const geometry::Mesh& rest, const ProxyJoints& joints,
                         const HatOptions& options = {});

/// How far a hat reaches.
double hat_radius(const ProxyJoints& joints, const HatOptions& options);

/// The same with straight distances for any points and centres, to transfer weights to a refined or replaced
/// mesh.
BlendWeights hat_weights_at(std::span<const math::Vec3f> points, std::span<const Vec3d> centers, double reach,
                            std::size_t influences = 0);

}  // namespace sinew::fit
