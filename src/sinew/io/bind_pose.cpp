#include "sinew/io/export/export_formats.h"

#include <algorithm>
#include <cmath>

namespace sinew::io {
namespace {

using geometry::Vec3f;
using math::Mat4d;
using math::Vec3d;

/// Rounding of bind matrices that were stored as floats, relative to the size of what they move.
constexpr double rounding = 1e-4;

bool is_identity(const Mat4d& matrix, double size) {
    const Mat4d off = matrix - Mat4d::Identity();
    return off.allFinite() && off.topLeftCorner<3, 3>().cwiseAbs().maxCoeff() < rounding &&
           off.topRightCorner<3, 1>().cwiseAbs().maxCoeff() < rounding * size;
}

/// World matrices of the joints, where the first palette entry of each says.
void place_joints(const model::Character& character, double size, BindPose& pose) {
    const auto& joints = character.skeleton.joints;
    const std::vector<Mat4d> rest = model::rest_world_matrices(character.skeleton);
    std::vector<const Mat4d*> inverse(joints.size(), nullptr);
    for (const model::SkinJoint& entry : character.skin.joints) {
        const Mat4d*& slot = inverse[static_cast<std::size_t>(entry.joint)];
        if (slot == nullptr) slot = &entry.inverse_bind;
    }
    for (std::size_t j = 0; j < joints.size(); ++j) {
        const int parent = joints[j].parent;
        const Mat4d hanging =
            pose.is_rest || parent < 0
                ? rest[j]
                : Mat4d(pose.world[static_cast<std::size_t>(parent)] * joints[j].rest.matrix());
        const Mat4d bound = inverse[j] != nullptr ? math::inverse_affine(*inverse[j]) : hanging;
        const bool agrees =
            inverse[j] == nullptr || !bound.allFinite() || is_identity(rest[j] * *inverse[j], size);
        if (!agrees) pose.is_rest = false;
        pose.world.push_back(agrees ? (inverse[j] == nullptr ? hanging : rest[j]) : bound);
    }
}

/// Moves the vertices whose palette entries are not those of the pose.
void place_mesh(const model::Character& character, double size, BindPose& pose) {
    const model::Skin& skin = character.skin;
    std::vector<Mat4d> corrections;
    std::vector<char> needed;
    for (const model::SkinJoint& entry : skin.joints) {
        corrections.push_back(pose.world[static_cast<std::size_t>(entry.joint)] * entry.inverse_bind);
        needed.push_back(is_identity(corrections.back(), size) ? 0 : 1);
    }
    for (std::size_t v = 0; v < std::min(skin.vertex_count(), pose.positions.size()); ++v) {
        const auto list = skin.of(v);
        if (std::none_of(list.begin(), list.end(), [&](const auto& i) { return needed[i.joint] != 0; }))
            continue;
        Mat4d blend = Mat4d::Zero();
        for (const model::Influence& i : list) blend += static_cast<double>(i.weight) * corrections[i.joint];
        pose.positions[v] = math::transform_point(blend, pose.positions[v].cast<double>()).cast<float>();
        if (pose.normals.empty()) continue;
        const Vec3d normal =
            blend.topLeftCorner<3, 3>().inverse().transpose() * pose.normals[v].cast<double>();
        if (normal.allFinite() && normal.norm() > 0) pose.normals[v] = normal.normalized().cast<float>();
    }
}

}  // namespace

BindPose bind_pose(const model::Character& character) {
    BindPose pose;
    pose.positions = character.mesh.positions;
    pose.normals = character.mesh.normals;
    const double size = std::max({static_cast<double>(geometry::bounds(pose.positions).diagonal()),
                                  model::height(character.skeleton), 1e-30});
    place_joints(character, size, pose);
    place_mesh(character, size, pose);
    return pose;
}

std::vector<model::Influence> influences_by_joint(const model::Skin& skin, std::size_t vertex) {
    std::vector<model::Influence> list;
    for (const model::Influence& influence : skin.of(vertex)) {
        const auto joint = static_cast<std::uint32_t>(skin.joints[influence.joint].joint);
        const auto same =
            std::find_if(list.begin(), list.end(), [&](const auto& other) { return other.joint == joint; });
        if (same == list.end())
            list.push_back({joint, influence.weight});
        else
            same->weight += influence.weight;
    }
    std::sort(list.begin(), list.end(), [](const auto& a, const auto& b) { return a.joint < b.joint; });
    return list;
}

void warn_bind_pose(const BindPose& pose, std::string_view code, std::string_view place, Monitor& monitor) {
    if (!pose.is_rest)
        warn(monitor, code,
             "{}: the character stands in the pose in which it was bound, not in its rest pose", place);
}

}  // namespace sinew::io
