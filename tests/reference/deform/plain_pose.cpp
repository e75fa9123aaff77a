// SPDX-License-Identifier: MIT
// In double precision.
#include "reference/deform/plain_pose.h"

namespace sinew::deform::plain {

using math::Quatd;
using math::Transform;
using model::PackedClip;

namespace {

Transform get(const float* pose, std::size_t stride, std::size_t joint) {
    return model::load_transform({pose, PackedClip::rows * stride}, stride, joint);
}

void put(float* pose, std::size_t stride, std::size_t joint, const Transform& t) {
    model::store_transform({pose, PackedClip::rows * stride}, stride, joint, t);
}

double joint_weight(const PoseInput& input, std::size_t joint) {
    return input.mask == nullptr ? input.weight : double{input.weight} * double{input.mask[joint]};
}

/// sum + w t, component by component, with the rotation turned to the side of the sum.
Transform added(const Transform& sum, double w, const Transform& t) {
    Transform result;
    result.translation = sum.translation + w * t.translation;
    result.rotation.coeffs() = sum.rotation.coeffs() + w * math::aligned(t.rotation, sum.rotation).coeffs();
    result.scale = sum.scale + w * t.scale;
    return result;
}

const Transform nothing{math::Vec3d::Zero(), Quatd(0, 0, 0, 0), math::Vec3d::Zero()};

Transform mixed(const Transform& a, const Transform& b, double t) {
    Transform result = added(added(nothing, 1 - t, a), t, b);
    result.rotation.normalize();
    return result;
}

}  // namespace

void sample(const PackedClip& clip, const FramePosition& position, float* pose) {
    const std::span<float> out(pose, clip.pose_size());
    model::expand(clip, position.frame, out);
    if (position.fraction == 0) return;
    std::vector<float> next(clip.pose_size());
    model::expand(clip, position.frame + 1, next);
    for (std::size_t j = 0; j < clip.stride; ++j) {
        const Transform a = get(pose, clip.stride, j), b = get(next.data(), clip.stride, j);
        put(pose, clip.stride, j, mixed(a, b, position.fraction));
    }
}

void start_blend(const PoseInput& input, std::size_t stride, float* sum) {
    std::fill_n(sum, blend_rows * stride, 0.0f);
    add_to_blend(input, stride, sum);
}

void add_to_blend(const PoseInput& input, std::size_t stride, float* sum) {
    for (std::size_t j = 0; j < stride; ++j) {
        const double w = joint_weight(input, j);
        put(sum, stride, j, added(get(sum, stride, j), w, get(input.pose, stride, j)));
        sum[PackedClip::rows * stride + j] += static_cast<float>(w);
    }
}

void finish_blend(const float* sum, const float* rest, std::size_t stride, float* pose) {
    for (std::size_t j = 0; j < stride; ++j) {
        const double weight = sum[PackedClip::rows * stride + j];
        const double missing = std::max(0.0, double{min_blend_weight} - weight);
        Transform t = added(get(sum, stride, j), missing, get(rest, stride, j));
        t.translation /= weight + missing;
        t.scale /= weight + missing;
        t.rotation.normalize();
        put(pose, stride, j, t);
    }
}

void lay_over(const PoseInput& input, std::size_t stride, float* pose) {
    for (std::size_t j = 0; j < stride; ++j) {
        const double w = joint_weight(input, j);
        if (w == 0) continue;
        put(pose, stride, j, mixed(get(pose, stride, j), get(input.pose, stride, j), w));
    }
}

void add_delta(const PoseInput& input, std::size_t stride, float* pose) {
    for (std::size_t j = 0; j < stride; ++j) {
        const double w = joint_weight(input, j);
        if (w == 0) continue;
        const Transform delta = get(input.pose, stride, j);
        Transform t = get(pose, stride, j);
        t.translation += w * delta.translation;
        t.rotation = (math::pow(delta.rotation, w) * t.rotation).normalized();
        t.scale.array() *= 1 + w * (delta.scale.array() - 1);
        put(pose, stride, j, t);
    }
}

bool hierarchy(const HierarchyJob& job) {
    bool finite = true;
    std::vector<math::Mat4d> world(job.joint_count);
    const PaletteEntry* entry = job.entries;
    for (std::size_t j = 0; j < job.joint_count; ++j) {
        const math::Mat4d local = get(job.pose, job.stride, j).matrix();
        const std::int32_t parent = job.joints[j].parent;
        world[j] = parent < 0 ? local : math::Mat4d(world[static_cast<std::size_t>(parent / 12)] * local);
        job.world[j] = to_mat34(world[j]);
        finite = finite && local.allFinite();
        for (std::uint32_t n = 0; n < job.joints[j].entries; ++n, ++entry) {
            job.palette[entry->offset / 12] = to_mat34(world[j] * to_mat4(entry->inverse_bind));
        }
    }
    return finite;
}

}  // namespace sinew::deform::plain
