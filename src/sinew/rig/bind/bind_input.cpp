// SPDX-License-Identifier: MIT
#include "sinew/rig/bind/bind_input.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "sinew/base/error.h"
#include "sinew/geometry/surface_queries.h"
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

bool lies_outside(const geometry::SurfaceQueries& surface, const math::Vec3f& point) {
    std::vector<geometry::RayHit> hits;
    int even = 0, odd = 0;
    for (int axis = 0; axis < 3; ++axis) {
        for (const float sign : {1.0f, -1.0f}) {
            // Slightly oblique, so that rays do not hit the edges of boxes.
            math::Vec3f direction = math::Vec3f(0.0131f, 0.0172f, 0.0119f);
            direction[axis] = sign;
            surface.all_hits(point, direction.normalized(), hits);
            ++(hits.size() % 2 == 0 ? even : odd);
        }
    }
    return even > odd;
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

/// Joints that move other joints but no skin: roots on the floor, and the helper joints of Rigify, which are
/// recognised by their names. Joints without children are never included.
std::vector<char> helper_joints(SurfaceOnDemand& tree, const model::Skeleton& skeleton) {
    const std::vector<std::vector<int>> children = model::children(skeleton);
    const std::vector<Vec3d> positions = model::joint_positions(model::rest_world_matrices(skeleton));
    const bool rigify = std::ranges::any_of(
        skeleton.joints, [](const model::Joint& joint) { return joint.name.starts_with("DEF-"); });
    const geometry::SurfaceQueries& surface = tree.queries();
    const auto far = static_cast<float>(max_outside) * geometry::bounds(tree.mesh().positions).diagonal();
    std::vector<char> helper(skeleton.size(), 0);
    for (std::size_t j = 0; j < skeleton.size(); ++j) {
        if (children[j].empty()) continue;
        const std::string& name = skeleton.joints[j].name;
        const math::Vec3f point = positions[j].cast<float>();
        helper[j] = (rigify && (name.starts_with("ORG-") || name.starts_with("MCH-"))) ||
                    (!surface.nearest(point, far) && lies_outside(surface, point));
    }
    return helper;
}

/// Removes the bones of helpers, unless no bones would remain.
void drop_helpers(std::vector<BoneSegment>& bones, SurfaceOnDemand& surface,
                  const model::Skeleton& skeleton) {
    if (surface.mesh().triangles.empty()) return;
    const std::vector<char> helper = helper_joints(surface, skeleton);
    const auto is_helper = [&](const BoneSegment& bone) {
        return helper[static_cast<std::size_t>(bone.joint)] != 0;
    };
    if (std::ranges::all_of(bones, is_helper)) return;
    std::erase_if(bones, is_helper);
}

// In lengths of a bone: the bone passes a joint that is this near to it and not at its ends.
constexpr double passed_beside = 0.12, passed_end = 0.1;
constexpr std::size_t min_children = 6;  ///< of a joint whose bones are tested: no spine has so many

bool passes(const BoneSegment& bone, const Vec3d& joint) {
    const double part = nearest_fraction(bone, joint);
    return part > passed_end && part < 1 - passed_end &&
           distance(bone, joint) < passed_beside * (bone.end - bone.start).norm();
}

/// The bone of a joint without children, one of many of its parent, ends at the nearest of them whose bone
/// passes it.
void extend_to_sibling(BoneSegment& bone, const model::Skeleton& skeleton,
                       std::span<const std::vector<int>> children, std::span<const Vec3d> positions) {
    const int parent = skeleton.joints[static_cast<std::size_t>(bone.joint)].parent;
    if (parent < 0 || children[static_cast<std::size_t>(parent)].size() < min_children) return;
    double nearest = std::numeric_limits<double>::infinity();
    for (const int sibling : children[static_cast<std::size_t>(parent)]) {
        const Vec3d& end = positions[static_cast<std::size_t>(sibling)];
        const double away = (end - bone.start).norm();
        if (sibling == bone.joint || !(away < nearest)) continue;
        if (!passes({parent, positions[static_cast<std::size_t>(parent)], end}, bone.start)) continue;
        nearest = away;
        bone.end = end;
    }
}

/// Bones as artists intend them. Bones that start at a root at the same position as one of its children
/// belong to the child. A bone from a joint with many children ends at the first joint that it passes: in a
/// hand whose joints are all children of the wrist, at the knuckle, where the bone of the knuckle starts.
void tidy_bones(std::vector<BoneSegment>& bones, const model::Skeleton& skeleton, double diagonal) {
    const std::vector<std::vector<int>> children = model::children(skeleton);
    const std::vector<Vec3d> positions = model::joint_positions(model::rest_world_matrices(skeleton));
    const double same = 1e-4 * diagonal;
    for (BoneSegment& bone : bones) {
        if (children[static_cast<std::size_t>(bone.joint)].empty())
            extend_to_sibling(bone, skeleton, children, positions);
        if (children[static_cast<std::size_t>(bone.joint)].size() < min_children) continue;
        double end = 1;
        for (const Vec3d& joint : positions)
            if (passes(bone, joint)) end = std::min(end, nearest_fraction(bone, joint));
        bone.end = bone.start + end * (bone.end - bone.start);
    }
    for (std::size_t j = 0; j < skeleton.size(); ++j) {
        if (skeleton.joints[j].parent >= 0) continue;
        std::vector<int> here;
        for (const int child : children[j])
            if ((positions[static_cast<std::size_t>(child)] - positions[j]).norm() < same)
                here.push_back(child);
        if (here.size() != 1) continue;
        for (BoneSegment& bone : bones)
            if (bone.joint == static_cast<int>(j)) bone.joint = here[0];
    }
    const auto whole = [&](const BoneSegment& bone) { return (bone.end - bone.start).norm() > same; };
    for (std::size_t j = 0; j < skeleton.size(); ++j) {
        const auto of_joint = [&](const BoneSegment& bone) { return bone.joint == static_cast<int>(j); };
        if (std::ranges::none_of(bones, [&](const BoneSegment& b) { return of_joint(b) && whole(b); }))
            continue;
        std::erase_if(bones, [&](const BoneSegment& b) { return of_joint(b) && !whole(b); });
    }
    std::ranges::stable_sort(bones, {}, &BoneSegment::joint);
}

/// A third of the area of the triangles around each point; a small value where there are none.
std::vector<double> point_areas(const BindInput& input) {
    std::vector<double> areas(input.points.size(), 1e-12);
    for (const geometry::Triangle& t : input.triangles) {
        const Vec3d u = input.points[t[1]] - input.points[t[0]], v = input.points[t[2]] - input.points[t[0]];
        for (const std::uint32_t p : t) areas[p] += u.cross(v).norm() / 6;
    }
    return areas;
}

/// The joint that is nearest to each point. Of joints at the same distance, one whose bone is a point is
/// used, otherwise the last: points beyond the end of a bone belong to the leaf at that end.
std::vector<std::uint32_t> nearest_joints(const BindInput& input) {
    std::vector<std::uint32_t> nearest(input.points.size());
    parallel_for(nearest.size(), 256, [&](std::size_t p) {
        double min = std::numeric_limits<double>::infinity();
        bool leaf = false;
        for (const BoneSegment& bone : input.bones) {
            const double away = distance(bone, input.points[p]);
            const bool nearer = away < min * (1 - 1e-12), point = bone.start == bone.end;
            if (away > min * (1 + 1e-12) || (!nearer && leaf && !point)) continue;
            min = std::min(min, away);
            leaf = point;
            nearest[p] = static_cast<std::uint32_t>(bone.joint);
        }
    });
    return nearest;
}

/// A leaf that is a point gets a bone along the surface nearest to it. A bone lies in the middle of its limb,
/// so its end is as far behind the centre of that surface as its start is in front of it.
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

std::vector<BoneSegment> carrying_bones(SurfaceOnDemand& surface, const model::Skeleton& skeleton) {
    std::vector<BoneSegment> bones = bone_segments(skeleton);
    drop_helpers(bones, surface, skeleton);
    tidy_bones(bones, skeleton, static_cast<double>(geometry::bounds(surface.mesh().positions).diagonal()));
    return bones;
}

BindInput bind_input(const geometry::Mesh& mesh, const model::Skeleton& skeleton) {
    SurfaceOnDemand surface(mesh);
    return bind_input(surface, skeleton);
}

BindInput bind_input(SurfaceOnDemand& surface, const model::Skeleton& skeleton) {
    const geometry::Mesh& mesh = surface.mesh();
    if (mesh.positions.empty()) fail(mesh.name, "the mesh has no vertices to bind");
    if (skeleton.empty()) fail(mesh.name, "the skeleton has no joints to bind to");
    for (const auto& p : mesh.positions)
        if (!p.allFinite()) fail(mesh.name, "a vertex has a position that is not finite");
    BindInput input;
    input.bones = carrying_bones(surface, skeleton);
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
    for (const model::Joint& joint : skeleton.joints) input.parents.push_back(joint.parent);
    input.first_bone.assign(skeleton.size() + 1, 0);
    for (BoneSegment& bone : input.bones) {
        if (!bone.start.allFinite() || !bone.end.allFinite())
            fail(mesh.name, "a joint has a position that is not finite");
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
