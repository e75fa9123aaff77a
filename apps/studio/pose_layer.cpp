// SPDX-License-Identifier: MIT
#include "pose_layer.h"

#include <algorithm>

#include "sinew/math/quaternion.h"

namespace sinew::studio {
namespace {

std::vector<Transform> rest_pose(const model::Skeleton& skeleton) {
    std::vector<Transform> local;
    for (const model::Joint& joint : skeleton.joints) local.push_back(joint.rest);
    return local;
}

int parent_of(const model::Skeleton& skeleton, int joint) {
    return skeleton.joints[static_cast<std::size_t>(joint)].parent;
}

Quatd world_rotation(const model::Skeleton& skeleton, std::span<const Transform> local, int joint) {
    Quatd rotated = Quatd::Identity();
    for (int j = joint; j >= 0; j = parent_of(skeleton, j))
        rotated = local[static_cast<std::size_t>(j)].rotation * rotated;
    return rotated.normalized();
}

}  // namespace

bool PoseLayer::operator==(const PoseLayer& other) const {
    return std::ranges::equal(offsets, other.offsets, [](const auto& a, const auto& b) {
        return a.first == b.first && a.second.translation == b.second.translation &&
               a.second.rotation.coeffs() == b.second.rotation.coeffs() && a.second.scale == b.second.scale;
    });
}

std::vector<Transform> with_layer(std::vector<Transform> below, const PoseLayer& layer) {
    for (const auto& [joint, offset] : layer.offsets) {
        if (joint < 0 || static_cast<std::size_t>(joint) >= below.size()) continue;
        Transform& local = below[static_cast<std::size_t>(joint)];
        local.rotation = (local.rotation * offset.rotation).normalized();
        local.translation += offset.translation;
        local.scale = local.scale.cwiseProduct(offset.scale);
    }
    return below;
}

void rotate(PoseLayer& layer, const model::Skeleton& skeleton, std::span<const Transform> below, int joint,
            const Vec3d& axis, double angle, Space space) {
    const Quatd rotation = math::axis_angle<double>(axis.normalized(), angle);
    const std::vector<Transform> local = with_layer({below.begin(), below.end()}, layer);
    Transform& offset = layer.offsets[joint];
    if (space == Space::local) {
        offset.rotation = (offset.rotation * rotation).normalized();
        return;
    }
    // P local' = R P local, with P the rotation of all joints above: offset' = below^-1 P^-1 R P below
    // offset.
    const int parent = parent_of(skeleton, joint);
    const Quatd above = parent < 0 ? Quatd::Identity() : world_rotation(skeleton, local, parent);
    const Quatd start = above * below[static_cast<std::size_t>(joint)].rotation;
    offset.rotation = (start.conjugate() * rotation * start * offset.rotation).normalized();
}

void translate(PoseLayer& layer, const model::Skeleton& skeleton, std::span<const Transform> below, int joint,
               const Vec3d& shift, Space space) {
    const std::vector<Transform> local = with_layer({below.begin(), below.end()}, layer);
    Vec3d moved = shift;
    if (space == Space::local) {
        moved = local[static_cast<std::size_t>(joint)].rotation * shift;
    } else if (const int parent = parent_of(skeleton, joint); parent >= 0) {
        const math::Mat4d above = model::world_matrices(skeleton, local)[static_cast<std::size_t>(parent)];
        const math::Mat3d linear = above.topLeftCorner<3, 3>();
        if (std::abs(linear.determinant()) < 1e-12) return;
        moved = linear.inverse() * shift;
    }
    layer.offsets[joint].translation += moved;
}

void scale(PoseLayer& layer, int joint, const Vec3d& factors) {
    Transform& offset = layer.offsets[joint];
    offset.scale = offset.scale.cwiseProduct(factors);
}

math::Mat3d axes_of(const model::Skeleton& skeleton, std::span<const Transform> local, int joint,
                    Space space) {
    if (space == Space::global) return math::Mat3d::Identity();
    return world_rotation(skeleton, local, joint).toRotationMatrix();
}

model::Clip baked(const model::Skeleton& skeleton, const model::Clip* clip, const PoseLayer& layer) {
    model::Clip result;
    result.name = clip == nullptr ? "pose" : clip->name;
    if (clip != nullptr) result = *clip;
    const std::size_t frames = clip == nullptr ? 1 : std::max<std::size_t>(1, model::frame_count(*clip));
    const auto times = clip == nullptr ? model::KeyTimes::even(0, 1, 1)
                                       : model::KeyTimes::even(model::time_range(*clip).start,
                                                               1 / model::frame_rate(*clip), frames);
    std::map<int, model::Track> changed;
    for (const auto& [joint, offset] : layer.offsets) {
        model::Track& track = changed[joint];
        track.joint = joint;
        track.translation.times = track.rotation.times = track.scale.times = times;
    }
    for (std::size_t f = 0; f < frames; ++f) {
        const std::vector<Transform> local = with_layer(
            clip == nullptr ? rest_pose(skeleton) : model::sample(*clip, skeleton, times[f]), layer);
        for (auto& [joint, track] : changed) {
            const Transform& now = local[static_cast<std::size_t>(joint)];
            track.translation.values.push_back(now.translation.cast<float>());
            track.rotation.values.push_back(now.rotation.cast<float>());
            track.scale.values.push_back(now.scale.cast<float>());
        }
    }
    std::erase_if(result.tracks, [&](const model::Track& track) { return changed.contains(track.joint); });
    for (auto& [joint, track] : changed) result.tracks.push_back(std::move(track));
    std::ranges::sort(result.tracks, {}, &model::Track::joint);
    return result;
}

}  // namespace sinew::studio
