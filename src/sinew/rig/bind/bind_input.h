#pragma once
/// \file
/// A mesh and the bones in it as every way of binding sees them.

#include "sinew/base/parallel.h"
#include "sinew/geometry/mesh.h"
#include "sinew/rig/bind/weight_table.h"

namespace sinew::rig {

/// Scaled so that the diagonal of the mesh is 1, about its centre; vertices at the same place are one point.
struct BindInput {
    std::vector<Vec3d> points;
    std::vector<std::uint32_t> point_of;        ///< for each vertex of the mesh
    std::vector<geometry::Triangle> triangles;  ///< of points, without those that repeat a corner
    std::vector<BoneSegment> bones;             ///< sorted by joint
    std::vector<std::uint32_t> first_bone;      ///< of each joint, and one more at the end
    double scale = 1;                           ///< unit lengths in a length of the mesh

    std::size_t joints() const { return first_bone.size() - 1; }
    std::span<const BoneSegment> bones_of(std::size_t joint) const {
        return {bones.data() + first_bone[joint], bones.data() + first_bone[joint + 1]};
    }
};

struct BindInputOptions {
    /// A leaf without a tip, which is all that many files have, gets a bone through the part of the surface
    /// that lies nearest to it. Without, such a leaf ties with the bone that ends there.
    bool extend_leaves = true;
};

/// A mesh whose vertices all lie in one place is scaled by the skeleton instead.
/// \throws Error when the mesh has no vertices, the skeleton has no joints, or a number is not finite.
BindInput bind_input(const geometry::Mesh& mesh, const model::Skeleton& skeleton,
                     const BindInputOptions& options = {});

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
