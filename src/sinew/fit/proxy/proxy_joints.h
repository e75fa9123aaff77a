// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Proxy joints: positions spread evenly over the rest pose, and weights that fall off around them (Kavan,
/// McDonnell, Dobbyn, Zara and O'Sullivan 2007, section 3).

#include <optional>
#include <span>

#include "sinew/fit/fit.h"

namespace sinew::fit {

/// How far two vertices are from each other.
enum class JointMetric {
    straight,  ///< through space, as published
    surface,   ///< along edges: layers that lie on each other, and shells, stay apart
};

struct PlacementOptions {
    JointMetric metric = JointMetric::straight;
    std::optional<std::uint32_t> first;  ///< first joint; otherwise the vertex farthest from the centroid
    /// How much denser joints stand around each vertex: its distances count so many times, and hats are
    /// narrower by as much. Empty: evenly.
    std::vector<double> density = {};
    int relaxations = 0;  ///< rounds of moving every joint to the middle of the vertices nearest to it
};

/// Joints stand on vertices, pairwise at least `radius` apart unless they were relaxed; no vertex is farther
/// than that from one, distances taken times its density.
struct ProxyJoints {
    std::vector<std::uint32_t> vertices;
    std::vector<double> radii;  ///< covering radius of the first 1, 2, ... joints
    JointMetric metric = JointMetric::straight;
    std::vector<double> density = {};  ///< of the vertices; empty: 1

    double radius() const { return radii.empty() ? 0 : radii.back(); }
};

/// Greedy centres (Gonzalez 1985): each at the vertex farthest from those before; the first p of more joints
/// are the joints of p. Ends early when every position has its joint (`fit-fewer-bones`).
ProxyJoints set_joint_positions(const geometry::Mesh& rest, int count, const PlacementOptions& options = {},
                                Monitor& monitor = silent());

/// A density for joints from how much a sequence bends: the root of 1 + strength times b over its mean, b the
/// root mean square over frames of how far the normals of the triangles around a vertex spread more than at
/// rest, smoothed. The root, because what joints leave grows with bending and the square of their distance.
std::vector<double> bending_density(const model::MeshSequence& sequence, double strength = 1);

struct HatOptions {
    double reach = 1.5;  ///< of the radius; at least 1.05, because at 1 a vertex can be left without weight
    std::size_t influences = 0;  ///< at most so many, before the fit; 0 keeps all
};

/// w = max(0, 1 - d / (reach r)), with sum 1. A vertex that no hat reaches goes to its nearest joint.
BlendWeights hat_weights(const geometry::Mesh& rest, const ProxyJoints& joints,
                         const HatOptions& options = {});

/// How far a hat reaches.
double hat_radius(const ProxyJoints& joints, const HatOptions& options);

/// The same through space for any points and centres: where a mesh is refined or replaced, its weights
/// follow.
BlendWeights hat_weights_at(std::span<const math::Vec3f> points, std::span<const Vec3d> centers, double reach,
                            std::size_t influences = 0);

}  // namespace sinew::fit
