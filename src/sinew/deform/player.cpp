// SPDX-License-Identifier: MIT
#include "sinew/deform/player.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/deform/playback/hierarchy.h"

namespace sinew::deform {

using math::Transform;
using model::PackedClip;
using model::Skeleton;

LocalPose::LocalPose(std::size_t joints)
    : joint_count(joints),
      stride(model::padded_joint_count(joints)),
      data(PackedClip::rows * model::padded_joint_count(joints)) {
    for (std::size_t j = 0; j < stride; ++j) set(j, {});
}

LocalPose::LocalPose(std::span<const Transform> transforms) : LocalPose(transforms.size()) {
    for (std::size_t j = 0; j < transforms.size(); ++j) set(j, transforms[j]);
}

LocalPose rest_pose(const Skeleton& skeleton) {
    LocalPose pose(skeleton.size());
    for (std::size_t j = 0; j < skeleton.size(); ++j) pose.set(j, skeleton.joints[j].rest);
    return pose;
}

JointMask::JointMask(std::span<const float> weights)
    : joint_count_(weights.size()), weights_(model::padded_joint_count(weights.size())) {
    for (std::size_t j = 0; j < weights.size(); ++j) {
        if (!(weights[j] >= 0 && weights[j] <= 1))
            fail("joint mask", "joint {} has a weight of {}", j, weights[j]);
        weights_[j] = weights[j];
    }
}

JointMask JointMask::below(const Skeleton& skeleton, std::size_t joint) {
    if (joint >= skeleton.size())
        fail("joint mask", "joint {} does not exist: the skeleton has {}", joint, skeleton.size());
    std::vector<float> weights(skeleton.size());
    weights[joint] = 1;
    for (std::size_t j = joint + 1; j < skeleton.size(); ++j) {
        const int parent = skeleton.joints[j].parent;
        if (parent >= 0) weights[j] = weights[static_cast<std::size_t>(parent)];
    }
    return JointMask(weights);
}

FramePosition locate(const PackedClip& clip, double time, Playback playback) {
    if (!std::isfinite(time)) fail(clip.name, "cannot be played at the time {}", time);
    if (clip.frame_count == 0) fail(clip.name, "a clip without frames cannot be played");
    const auto last = static_cast<double>(clip.frame_count - 1);
    if (last == 0) return {};
    double position = (time - clip.start) * clip.rate;
    if (playback == Playback::loop && (position < 0 || position >= last)) {
        position -= last * std::floor(position / last);
    }
    position = std::clamp(position, 0.0, last);
    const double nearest = std::round(position);
    if (std::abs(position - nearest) < 1e-6) {
        const bool next_round = playback == Playback::loop && nearest == last;
        return {next_round ? 0 : static_cast<std::size_t>(nearest), 0};
    }
    const double frame = std::floor(position);
    return {static_cast<std::size_t>(frame), static_cast<float>(position - frame)};
}

void sample(const PackedClip& clip, double time, Playback playback, LocalPose& pose) {
    if (clip.joint_count != pose.joint_count || clip.pose_size() != pose.data.size()) {
        fail(clip.name, "the clip has {} joints, the pose {}", clip.joint_count, pose.joint_count);
    }
    simd::sample(clip, locate(clip, time, playback), pose.data.data());
}

namespace {

void check_kind(const PackedClip& clip, bool additive) {
    if (additive && !clip.additive) fail(clip.name, "an additive layer needs a clip of differences");
    if (!additive && clip.additive) fail(clip.name, "a clip of differences can only be an additive layer");
}

PoseInput input(const LocalPose& pose, const Layer& layer) {
    return {pose.data.data(), layer.weight, layer.mask == nullptr ? nullptr : layer.mask->data()};
}

bool is_blended(const Layer& layer) {
    return layer.mode == LayerMode::blend && layer.weight != 0;
}

}  // namespace

Player::Player(const model::Skeleton& skeleton, std::span<const model::SkinJoint> skin_joints)
    : hierarchy_(std::make_shared<const Hierarchy>(skeleton, skin_joints)),
      rest_(rest_pose(skeleton)),
      local_(rest_),
      sampled_(skeleton.size()),
      sum_(blend_rows * rest_.stride),
      world_(skeleton.size()),
      palette_(skin_joints.size()) {
    hierarchy_->evaluate(local_, world_, palette_);
}

void Player::play(const PackedClip& clip, double time, Playback playback) {
    check_kind(clip, false);
    sample(clip, time, playback, local_);
    hierarchy_->evaluate(local_, world_, palette_);
}

void Player::play(const LocalPose& pose) {
    if (pose.joint_count != local_.joint_count || pose.data.size() != local_.data.size()) {
        fail("pose", "the pose has {} joints, the skeleton {}", pose.joint_count, local_.joint_count);
    }
    std::ranges::copy(pose.data, local_.data.begin());
    hierarchy_->evaluate(local_, world_, palette_);
}

void Player::play(std::span<const Layer> layers) {
    for (const Layer& layer : layers) check(layer);
    average(layers);
    for (const Layer& layer : layers) {
        if (layer.mode == LayerMode::blend || layer.weight == 0) continue;
        sample(*layer.clip, layer.time, layer.playback, sampled_);
        const auto apply = layer.mode == LayerMode::over ? simd::lay_over : simd::add_delta;
        apply(input(sampled_, layer), local_.stride, local_.data.data());
    }
    hierarchy_->evaluate(local_, world_, palette_);
}

void Player::check(const Layer& layer) const {
    if (layer.clip == nullptr) fail("layer", "there is no clip");
    check_kind(*layer.clip, layer.mode == LayerMode::add);
    const float w = layer.weight;
    const bool fits = std::isfinite(w) && (layer.mode == LayerMode::add || w >= 0) &&
                      (layer.mode != LayerMode::over || w <= 1);
    if (!fits) fail(layer.clip->name, "a layer cannot have a weight of {}", w);
    if (layer.mask != nullptr && layer.mask->joint_count() != hierarchy_->joint_count()) {
        fail(layer.clip->name, "the mask has {} joints, the skeleton {}", layer.mask->joint_count(),
             hierarchy_->joint_count());
    }
}

void Player::average(std::span<const Layer> layers) {
    const auto first = std::ranges::find_if(layers, is_blended);
    if (first == layers.end()) {
        std::ranges::copy(rest_.data, local_.data.begin());
        return;
    }
    const auto second = std::find_if(first + 1, layers.end(), is_blended);
    if (second == layers.end() && first->mask == nullptr && first->weight >= min_blend_weight) {
        sample(*first->clip, first->time, first->playback, local_);
        return;
    }
    for (auto layer = first; layer != layers.end(); ++layer) {
        if (!is_blended(*layer)) continue;
        sample(*layer->clip, layer->time, layer->playback, sampled_);
        const auto enter = layer == first ? simd::start_blend : simd::add_to_blend;
        enter(input(sampled_, *layer), local_.stride, sum_.data());
    }
    simd::finish_blend(sum_.data(), rest_.data.data(), local_.stride, local_.data.data());
}

void Player::write_palette(std::span<Mat34f> out) const {
    if (out.size() < palette_.size()) {
        fail("pose", "space for {} palette entries, but {} are needed", out.size(), palette_.size());
    }
    std::ranges::copy(palette_, out.begin());
}

}  // namespace sinew::deform
