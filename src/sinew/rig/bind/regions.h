#pragma once
/// \file
/// Skin weights from regions: every joint gets the skin beyond it, cut where the body is thinnest, and the
/// weights change across the cuts (Xie 2009, chapter 4, with repairs). A joint only moves skin that hangs
/// together with it: nothing leaks over the gap between arm and trunk.

#include "sinew/base/monitor.h"
#include "sinew/geometry/topology.h"
#include "sinew/rig/bind/dividing_points.h"
#include "sinew/rig/bind/region_grow.h"
#include "sinew/rig/bind/weight_table.h"

namespace sinew::rig {

enum class BoundaryMode {
    non_planar,  ///< four plane pieces through the dividing points
    planar,      ///< the plane half-way between the bones, to compare with
    geodesic,    ///< shortest ways over the skin between the dividing points
};

enum class DistanceMode {
    geodesic,    ///< along the skin from the true curve
    simplified,  ///< straight to the polygon of the dividing points, as the source does
};

enum class RegionWeightMode {
    hierarchical_band,   ///< one half on the boundary, a band on both sides
    continuous_shepard,  ///< one-sided, made continuous
    source_shepard,      ///< as published: jumps where the shadow begins
};

/// How a weight rises across a band.
enum class Ease { smooth, linear, quintic };

struct RegionOptions {
    int rays = 100;           ///< of each of the four fans of a joint
    double sigma = 2;         ///< smoothing of the distance profiles, in rays
    double straightness = 2;  ///< how much less the skin counts that is nearest in a slant; 0 as the source
    BoundaryMode boundary = BoundaryMode::non_planar;
    DistanceMode distance = DistanceMode::geodesic;
    RegionWeightMode weights = RegionWeightMode::hierarchical_band;
    double softness = 0.5;               ///< eta: 0 rigid, 1 as wide as the region
    std::vector<double> joint_softness;  ///< by joint; empty, or below 0, takes `softness`
    double alpha = 2;                    ///< drop rate of the Shepard modes
    Ease ease = Ease::smooth;
    /// Bands count no longer stretch of a limb than this many radii of the boundary as its region, because
    /// skin gives over about the thickness of a limb, not over its length; 0 sets no limit.
    double band_radii = 2;
    bool exclude_end_sites = true;  ///< leaves named as ends of bones move nothing
};

/// The boundary of a joint in the space of the mesh.
struct JointBoundary {
    int joint = 0;
    int parent = -1;  ///< joint whose region lies on the other side
    BoundaryKind kind = BoundaryKind::none;
    std::vector<DividingPoint> points;  ///< +Y, +Z, -Y, -Z and what gaps needed; triangles of `RegionResult`
    std::vector<Vec3d> simplified;      ///< the polygon through the points
    std::vector<std::vector<Vec3d>> curve;
    std::vector<CrossedEdge> crossed;  ///< vertices of the mesh; `edge` counts within the boundary
    double radius = 0;                 ///< mean distance of the curve from its middle
};

struct RegionResult {
    WeightTable weights;                    ///< every vertex of the mesh, sum 1
    std::vector<JointBoundary> boundaries;  ///< of the joints that have one, by joint
    std::vector<int> region_of_vertex;
    geometry::Rows shadows;  ///< for each vertex the children in whose shadow it lies; none: dominant area
    std::vector<double> own_distance;    ///< d_B to the boundary of the own region; infinite at the root's
    std::vector<double> child_distance;  ///< d_c to the nearest boundary of a child
    std::vector<int> nearest_child;      ///< that child, or -1
    std::vector<Warning> warnings;

    bool dominant(std::size_t vertex) const { return shadows[vertex].empty(); }
};

/// Never leaves a vertex without weights. The same for every thread count.
/// \throws Error when the mesh has no surface or the skeleton no joint.
RegionResult region_weights(const geometry::Mesh& mesh, const model::Skeleton& skeleton,
                            const RegionOptions& options = {}, Monitor& monitor = silent());

}  // namespace sinew::rig
