// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// A mesh and the bones in it as every method of binding sees them.

#include <vector>

#include "sinew/base/parallel.h"
#include "sinew/rig/bind/weight_table.h"
#include "sinew/rig/body/surface_on_demand.h"

namespace sinew::rig {
using math::Vec3d;

/// Of the diagonal of the mesh. Joints of artists may lie a little outside of what they move.
constexpr double max_outside = 0.03;

/// What a joint moves lies around its segments.
struct BoneSegment {
    int joint = 0;
    Vec3d start = Vec3d::Zero();
    Vec3d end = Vec3d::Zero();
};

/// One segment for each child and each tip; a joint with neither gets a point (start = end), so that every
/// joint can be near to something. Sorted by joint.
std::vector<BoneSegment> bone_segments(const model::Skeleton& skeleton);

/// The segments that skin can follow: without those of joints that only move others, such as a root on the
/// floor.
std::vector<BoneSegment> carrying_bones(SurfaceOnDemand& surface, const model::Skeleton& skeleton);

/// True when most lines from a point cross the surface an even number of times, whichever side of it is out.
bool lies_outside(const geometry::SurfaceQueries& surface, const math::Vec3f& point);

/// The nearest position on a segment, as a fraction of its length from the start: 0 for a point.
double nearest_fraction(const BoneSegment& bone, const Vec3d& point);

/// Distance from a point to a segment; a bone shorter than 1e-9 is its start.
double distance(const BoneSegment& bone, const Vec3d& point);

/// Scaled so that the diagonal of the mesh is 1, about its centre; vertices at the same position are one
/// point.
struct BindInput {
    std::vector<Vec3d> points;
    std::vector<std::uint32_t> point_of;        ///< for each vertex of the mesh
    std::vector<geometry::Triangle> triangles;  ///< of points, without those that repeat a corner
    std::vector<BoneSegment> bones;             ///< sorted by joint
    std::vector<std::uint32_t> first_bone;      ///< of each joint, and one more at the end
    std::vector<int> parents;                   ///< of each joint; -1 for a root
    Vec3d center = Vec3d::Zero();               ///< of the mesh, which is the origin here
    double scale = 1;                           ///< unit lengths in a length of the mesh

    std::size_t joints() const { return first_bone.size() - 1; }
    std::span<const BoneSegment> bones_of(std::size_t joint) const {
        return {bones.data() + first_bone[joint], bones.data() + first_bone[joint + 1]};
    }
};

/// A leaf without a tip, which is all that many files have, gets a bone through the part of the surface that
/// lies nearest to it. Joints that only move others, such as a root on the floor, get none. A mesh whose
/// vertices all lie in one point is scaled by the skeleton instead.
/// \throws Error when the mesh has no vertices, the skeleton has no joints, or a number is not finite.
BindInput bind_input(const geometry::Mesh& mesh, const model::Skeleton& skeleton);
/// The same with a tree that others use, too.
BindInput bind_input(SurfaceOnDemand& surface, const model::Skeleton& skeleton);

/// The points and triangles alone.
geometry::Mesh mesh_of(const BindInput& input);

/// The bone of a joint that is nearest to a point.
struct NearBone {
    std::size_t bone = 0;  ///< into BindInput::bones
    double distance = 0;
};
NearBone nearest_bone(const BindInput& input, std::size_t joint, const Vec3d& point);

/// Distances from a point to all joints: to the nearest of a joint's bones.
void joint_distances(const BindInput& input, const Vec3d& point, std::vector<double>& distances);

/// Gives every vertex the row of its point.
WeightTable to_vertices(const BindInput& input, const WeightTable& of_points);

/// Rows for the points by `row(point, entries)`, which appends to an empty list and is called in parallel;
/// each vertex takes the row of its point.
template <class Row>
WeightTable table_by_point(const BindInput& input, const Row& row) {
    std::vector<std::vector<JointWeight>> rows(input.points.size());
    parallel_for(rows.size(), 256, [&](std::size_t p) { row(p, rows[p]); });
    WeightTable table;
    for (const auto& entries : rows) table.push_row(entries);
    return to_vertices(input, table);
}

}  // namespace sinew::rig
