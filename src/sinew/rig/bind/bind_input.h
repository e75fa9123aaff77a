// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// A mesh and its bones in the form that all binding methods use.

#include <vector>

#include "sinew/base/parallel.h"
#include "sinew/rig/bind/weight_table.h"
#include "sinew/rig/body/surface_on_demand.h"

namespace sinew::rig {
using math::Vec3d;

/// In diagonals of the mesh. Artists sometimes place joints slightly outside of the skin that they move.
constexpr double max_outside = 0.03;

/// A segment of a joint; the skin that the joint moves lies around its segments.
struct BoneSegment {
    int joint = 0;
    Vec3d start = Vec3d::Zero();
    Vec3d end = Vec3d::Zero();
};

/// One segment per child and per tip; a joint with neither gets a point (start = end), so that every joint
/// has a position. Sorted by joint.
std::vector<BoneSegment> bone_segments(const model::Skeleton& skeleton);

/// Segments that skin can follow: without those of joints that only move other joints, such as a root on the
/// floor.
std::vector<BoneSegment> carrying_bones(SurfaceOnDemand& surface, const model::Skeleton& skeleton);

/// True when most lines from a point cross the surface an even number of times; independent of the
/// orientation of the surface.
bool lies_outside(const geometry::SurfaceQueries& surface, const math::Vec3f& point);

/// The nearest position on a segment, as a fraction of its length from the start; 0 for a point.
double nearest_fraction(const BoneSegment& bone, const Vec3d& point);

/// Distance from a point to a segment; a segment shorter than 1e-9 counts as its start point.
double distance(const BoneSegment& bone, const Vec3d& point);

/// Mesh and bones, centred and scaled so that the diagonal of the mesh is 1; vertices at the same position
/// are one point.
struct BindInput {
    std::vector<Vec3d> points;
    std::vector<std::uint32_t> point_of;        ///< for each vertex of the mesh
    std::vector<geometry::Triangle> triangles;  ///< triangles of points, without those with a repeated corner
    std::vector<BoneSegment> bones;             ///< sorted by joint
    std::vector<std::uint32_t> first_bone;      ///< of each joint, and one past the end
    std::vector<int> parents;                   ///< of each joint; -1 for a root
    Vec3d center = Vec3d::Zero();               ///< of the mesh, which is the origin here
    double scale = 1;                           ///< unit lengths per length of the mesh

    std::size_t joints() const { return first_bone.size() - 1; }
    std::span<const BoneSegment> bones_of(std::size_t joint) const {
        return {bones.data() + first_bone[joint], bones.data() + first_bone[joint + 1]};
    }
};

/// A leaf joint without a tip, as in many files, gets a bone through the part of the surface nearest to it.
/// Joints that only move other joints, such as a root on the floor, get none. If all vertices of a mesh
/// coincide, the skeleton defines the scale.
/// \throws Error when the mesh has no vertices, the skeleton has no joints, or a number is not finite
BindInput bind_input(const geometry::Mesh& mesh, const model::Skeleton& skeleton);
/// The same with a search tree that is shared with others.
BindInput bind_input(SurfaceOnDemand& surface, const model::Skeleton& skeleton);

/// Only the points and triangles.
geometry::Mesh mesh_of(const BindInput& input);

/// The bone of a joint that is nearest to a point.
struct NearBone {
    std::size_t bone = 0;  ///< index into BindInput::bones
    double distance = 0;
};
NearBone nearest_bone(const BindInput& input, std::size_t joint, const Vec3d& point);

/// Distances from a point to all joints: each to the nearest of the joint's bones.
void joint_distances(const BindInput& input, const Vec3d& point, std::vector<double>& distances);

/// Gives every vertex the row of its point.
WeightTable to_vertices(const BindInput& input, const WeightTable& of_points);

/// Rows for all points, computed by `row(point, entries)`, which appends to an empty list and is called in
/// parallel. Each vertex takes the row of its point.
template <class Row>
WeightTable table_by_point(const BindInput& input, const Row& row) {
    std::vector<std::vector<JointWeight>> rows(input.points.size());
    parallel_for(rows.size(), 256, [&](std::size_t p) { row(p, rows[p]); });
    WeightTable table;
    for (const auto& entries : rows) table.push_row(entries);
    return to_vertices(input, table);
}

}  // namespace sinew::rig
