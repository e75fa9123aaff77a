// SPDX-License-Identifier: MIT
#include "sinew/rig/bind/bind_input.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/base/error.h"
#include "sinew/geometry/topology.h"

namespace sinew::rig {
std::vector<BoneSegment> bone_segments(const model::Skeleton& skeleton) {
    const auto world = model::rest_world_matrices(skeleton);
    std::vector<BoneSegment> segments;
    std::vector<char> has_bone(skeleton.size(), 0);
    for (const model::Bone& bone : model::bones(skeleton, world)) {
        segments.push_back({bone.joint, bone.start, bone.end});
        has_bone[static_cast<std::size_t>(bone.joint)] = 1;
    }
    for (std::size_t j = 0; j < skeleton.size(); ++j) {
        if (has_bone[j] != 0) continue;
        const Vec3d position = world[j].block<3, 1>(0, 3);
        segments.push_back({static_cast<int>(j), position, position});
    }
    std::stable_sort(segments.begin(), segments.end(),
                     [](const BoneSegment& a, const BoneSegment& b) { return a.joint < b.joint; });
    return segments;
}

double nearest_fraction(const BoneSegment& bone, const Vec3d& point) {
    const Vec3d along = bone.end - bone.start;
    const double length2 = along.squaredNorm();
    return length2 > 1e-18 ? std::clamp((point - bone.start).dot(along) / length2, 0.0, 1.0) : 0;
}

double distance(const BoneSegment& bone, const Vec3d& point) {
    return (bone.start + nearest_fraction(bone, point) * (bone.end - bone.start) - point).norm();
}

namespace {

struct Scaling {
    Vec3d center = Vec3d::Zero();
    double scale = 1;
    Vec3d operator()(const Vec3d& point) const { return (point - center) * scale; }
};

Scaling scaling_of(const geometry::Mesh& mesh, std::span<const BoneSegment> bones) {
    geometry::Box box = geometry::bounds(mesh.positions);
    if (!(box.diagonal() > 0)) {
        for (const BoneSegment& bone : bones) {
            box.include(bone.start.cast<float>());
            box.include(bone.end.cast<float>());
        }
    }
    const auto diagonal = static_cast<double>(box.diagonal());
    return {box.center().cast<double>(), diagonal > 0 ? 1 / diagonal : 1};
}

/// A third of the area of the triangles around each point; a little where there are none.
std::vector<double> point_areas(const BindInput& input) {
    std::vector<double> areas(input.points.size(), 1e-12);
    for (const geometry::Triangle& t : input.triangles) {
        const Vec3d u = input.points[t[1]] - input.points[t[0]], v = input.points[t[2]] - input.points[t[0]];
        for (const std::uint32_t p : t) areas[p] += u.cross(v).norm() / 6;
    }
    return areas;
}

/// The joint that is nearest to each point; of the joints at the same distance the highest, so that what lies
/// beyond the end of a bone is the leaf's that stands there.
std::vector<std::uint32_t> nearest_joints(const BindInput& input) {
    std::vector<std::uint32_t> nearest(input.points.size());
    parallel_for(nearest.size(), 256, [&](std::size_t p) {
        double min = std::numeric_limits<double>::infinity();
        for (const BoneSegment& bone : input.bones) {
            const double away = distance(bone, input.points[p]);
            if (away > min * (1 + 1e-12)) continue;
            min = std::min(min, away);
            nearest[p] = static_cast<std::uint32_t>(bone.joint);
        }
    });
    return nearest;
}

/// A leaf that is a point gets a bone along what lies nearest to it: a bone lies in the middle of its limb,
/// so it ends as far behind the centre of the surface as it starts before it.
void extend_leaves(BindInput& input) {
    const auto is_point = [](const BoneSegment& bone) { return bone.start == bone.end; };
    if (std::none_of(input.bones.begin(), input.bones.end(), is_point)) return;
    const std::vector<double> areas = point_areas(input);
    const std::vector<std::uint32_t> nearest = nearest_joints(input);
    std::vector<double> area(input.joints(), 0);
    std::vector<Vec3d> sum(input.joints(), Vec3d::Zero());
    for (std::size_t p = 0; p < areas.size(); ++p) {
        area[nearest[p]] += areas[p];
        sum[nearest[p]] += areas[p] * input.points[p];
    }
    for (BoneSegment& bone : input.bones) {
        const auto j = static_cast<std::size_t>(bone.joint);
        if (is_point(bone) && area[j] > 0 && input.bones_of(j).size() == 1)
            bone.end = 2 * sum[j] / area[j] - bone.start;
    }
}

}  // namespace

BindInput bind_input(const geometry::Mesh& mesh, const model::Skeleton& skeleton) {
    if (mesh.positions.empty()) fail(mesh.name, "the mesh has no vertices to bind");
    if (skeleton.empty()) fail(mesh.name, "the skeleton has no joints to bind to");
    for (const auto& p : mesh.positions)
        if (!p.allFinite()) fail(mesh.name, "a vertex is not at a finite place");
    BindInput input;
    input.bones = bone_segments(skeleton);
    const Scaling unit = scaling_of(mesh, input.bones);
    input.center = unit.center;
    input.scale = unit.scale;
    const auto map = geometry::weld_map(mesh.positions);
    for (std::size_t v = 0; v < map.size(); ++v) {
        if (map[v] == v) {
            input.point_of.push_back(static_cast<std::uint32_t>(input.points.size()));
            input.points.push_back(unit(mesh.positions[v].cast<double>()));
        } else {
            input.point_of.push_back(input.point_of[map[v]]);
        }
    }
    for (const geometry::Triangle& t : mesh.triangles) {
        const geometry::Triangle u = {input.point_of[t[0]], input.point_of[t[1]], input.point_of[t[2]]};
        if (u[0] != u[1] && u[1] != u[2] && u[2] != u[0]) input.triangles.push_back(u);
    }
    input.first_bone.assign(skeleton.size() + 1, 0);
    for (BoneSegment& bone : input.bones) {
        if (!bone.start.allFinite() || !bone.end.allFinite())
            fail(mesh.name, "a joint is not at a finite place");
        bone.start = unit(bone.start);
        bone.end = unit(bone.end);
        ++input.first_bone[static_cast<std::size_t>(bone.joint) + 1];
    }
    for (std::size_t j = 0; j < skeleton.size(); ++j) input.first_bone[j + 1] += input.first_bone[j];
    extend_leaves(input);
    return input;
}

geometry::Mesh mesh_of(const BindInput& input) {
    geometry::Mesh mesh;
    mesh.positions.reserve(input.points.size());
    for (const Vec3d& p : input.points) mesh.positions.emplace_back(p.cast<float>());
    mesh.triangles = input.triangles;
    return mesh;
}

NearBone nearest_bone(const BindInput& input, std::size_t joint, const Vec3d& point) {
    NearBone near{input.first_bone[joint], std::numeric_limits<double>::infinity()};
    for (std::size_t b = input.first_bone[joint]; b < input.first_bone[joint + 1]; ++b) {
        const double away = distance(input.bones[b], point);
        if (away < near.distance) near = {b, away};
    }
    return near;
}

void joint_distances(const BindInput& input, const Vec3d& point, std::vector<double>& distances) {
    distances.assign(input.joints(), std::numeric_limits<double>::infinity());
    for (const BoneSegment& bone : input.bones) {
        double& min = distances[static_cast<std::size_t>(bone.joint)];
        min = std::min(min, distance(bone, point));
    }
}

WeightTable to_vertices(const BindInput& input, const WeightTable& of_points) {
    WeightTable table;
    table.offsets.reserve(input.point_of.size() + 1);
    for (const std::uint32_t point : input.point_of) {
        const auto row = of_points[point];
        table.entries.insert(table.entries.end(), row.begin(), row.end());
        table.offsets.push_back(static_cast<std::uint32_t>(table.entries.size()));
    }
    return table;
}

}  // namespace sinew::rig
