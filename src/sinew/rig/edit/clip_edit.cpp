// SPDX-License-Identifier: MIT
// Adapts motions when a skeleton is changed.

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "sinew/base/array.h"
#include "sinew/rig/edit/skeleton_edit.h"

namespace sinew::rig {
namespace {

using math::Quatf;
using math::Vec3d;

/// Adds an offset to positions, not to their tangents.
void shift(model::Keys<math::Vec3f>& keys, const math::Vec3f& offset) {
    const std::size_t first = keys.stride() == 3 ? 1 : 0;
    for (std::size_t i = first; i < keys.values.size(); i += keys.stride()) keys.values[i] += offset;
}

/// Keys of a joint whose rest rotation changed by r: rotations since rest stay, q0' q0^-1 q.
void rotate(model::Keys<Quatf>& keys, const Quatf& by) {
    for (Quatf& value : keys.values) value = by * value;
}

}  // namespace

model::Clip adapted_clip(const model::Clip& clip, const Skeleton& before, const Skeleton& after) {
    model::Clip result = clip;
    result.tracks.clear();
    for (model::Track track : clip.tracks) {
        const model::Joint& old = before.joints[static_cast<std::size_t>(track.joint)];
        track.joint = after.find(old.name);
        if (track.joint < 0) continue;
        const model::Joint& now = after.joints[static_cast<std::size_t>(track.joint)];
        const Vec3d moved = now.rest.translation - old.rest.translation;
        if (now.parent >= 0) shift(track.translation, moved.cast<float>());
        rotate(track.rotation, (now.rest.rotation * old.rest.rotation.conjugate()).cast<float>());
        result.tracks.push_back(std::move(track));
    }
    std::stable_sort(result.tracks.begin(), result.tracks.end(),
                     [](const model::Track& a, const model::Track& b) { return a.joint < b.joint; });
    return result;
}

namespace {

using math::Mat4d;
using model::Track;

/// Relation of a joint of the new skeleton to the old one: world frame = world frame of the source * offset.
struct Follower {
    int source = -1;
    Mat4d offset = Mat4d::Identity();
    bool same = true;  ///< no offset
};

/// Joints of the old skeleton whose motion changes the transform of one joint relative to another (-1: the
/// world).
std::vector<int> joints_between(const Skeleton& skeleton, int a, int b) {
    const auto up = [&](int j) { return skeleton.joints[at(j)].parent; };
    std::set<int> above;
    for (int j = a; j >= 0; j = up(j)) above.insert(j);
    std::vector<int> between;
    int common = b;
    for (; common >= 0 && !above.contains(common); common = up(common)) between.push_back(common);
    for (int j = a; j >= 0 && j != common; j = up(j)) between.push_back(j);
    return between;
}

/// The key times needed for a new track, and its interpolation.
struct KeyPlan {
    model::KeyTimes times;
    model::Interpolation mode = model::Interpolation::linear;
};

KeyPlan plan_keys(const model::Clip& clip, const std::vector<const Track*>& tracks) {
    std::vector<const model::KeyTimes*> lists;
    bool cubic = false, step = true;
    const auto look = [&](const auto& keys) {
        if (keys.empty()) return;
        lists.push_back(&keys.times);
        cubic = cubic || keys.mode == model::Interpolation::cubic;
        step = step && keys.mode == model::Interpolation::step;
    };
    for (const Track* track : tracks) look(track->translation), look(track->rotation), look(track->scale);
    KeyPlan plan;
    if (lists.empty()) return plan;
    if (step) plan.mode = model::Interpolation::step;
    const auto equal = [&](const model::KeyTimes* list) { return *list == *lists.front(); };
    if (!cubic && std::all_of(lists.begin(), lists.end(), equal)) {
        plan.times = *lists.front();
        return plan;
    }
    std::set<float> all;
    for (const model::KeyTimes* list : lists)
        for (std::size_t i = 0; i < list->size(); ++i) all.insert(static_cast<float>((*list)[i]));
    if (cubic) {  // between such keys the motion is not linear
        const double start = static_cast<double>(*all.begin()), end = static_cast<double>(*all.rbegin());
        const double rate = std::max(30.0, model::frame_rate(clip));
        for (std::size_t k = 1; start + static_cast<double>(k) / rate < end; ++k)
            all.insert(static_cast<float>(start + static_cast<double>(k) / rate));
    }
    plan.times = model::KeyTimes::listed({all.begin(), all.end()});
    return plan;
}

/// Sampled world poses of a clip, each computed once.
class WorldPoses {
  public:
    WorldPoses(const model::Clip& clip, const Skeleton& skeleton) : clip_(clip), skeleton_(skeleton) {}
    const std::vector<Mat4d>& at_time(double time) {
        auto& world = known_[time];
        if (world.empty()) world = model::world_matrices(skeleton_, model::sample(clip_, skeleton_, time));
        return world;
    }

  private:
    const model::Clip& clip_;
    const Skeleton& skeleton_;
    std::map<double, std::vector<Mat4d>> known_;
};

/// Removes a list that contains only the value at rest.
template <class Value, class Distance>
void drop_constant(model::Keys<Value>& keys, const Value& rest, const Distance& distance) {
    const bool rests = std::all_of(keys.values.begin(), keys.values.end(),
                                   [&](const Value& value) { return distance(value, rest) < 1e-6f; });
    if (rests) keys = {};
}

Track baked_track(int joint, const model::Joint& rest, const Follower& own, const Follower& parent,
                  const KeyPlan& plan, WorldPoses& poses) {
    Track track;
    track.joint = joint;
    for (std::size_t k = 0; k < plan.times.size(); ++k) {
        const std::vector<Mat4d>& world = poses.at_time(plan.times[k]);
        Mat4d local = world[at(own.source)] * own.offset;
        if (parent.source >= 0) {
            const Mat4d above = world[at(parent.source)] * parent.offset;
            local = math::inverse_affine(above) * local;
        }
        const math::Transform value = math::decompose(local).transform;
        Quatf rotation = value.rotation.cast<float>();
        if (k > 0 && rotation.dot(track.rotation.values.back()) < 0) rotation.coeffs() *= -1;
        track.translation.values.push_back(value.translation.cast<float>());
        track.rotation.values.push_back(rotation);
        track.scale.values.push_back(value.scale.cast<float>());
    }
    track.translation.times = track.rotation.times = track.scale.times = plan.times;
    track.translation.mode = track.rotation.mode = track.scale.mode = plan.mode;
    const math::Vec3f position = rest.rest.translation.cast<float>(), scale = rest.rest.scale.cast<float>();
    const float size = 1 + position.norm();
    const auto off = [&](const math::Vec3f& a, const math::Vec3f& b) { return (a - b).norm() / size; };
    const auto turned = [](const Quatf& a, const Quatf& b) { return 1 - std::abs(a.dot(b)); };
    drop_constant(track.translation, position, off);
    drop_constant(track.scale, scale, off);
    drop_constant(track.rotation, Quatf(rest.rest.rotation.cast<float>()), turned);
    return track;
}

}  // namespace

model::Clip followed_clip(const model::Clip& clip, const Skeleton& before, const Skeleton& after,
                          const std::vector<int>& source) {
    const auto old_world = model::rest_world_matrices(before), new_world = model::rest_world_matrices(after);
    std::vector<Follower> followers(after.size());
    for (std::size_t j = 0; j < after.size(); ++j) {
        Follower& follower = followers[j];
        follower.source = source[j];
        if (source[j] < 0) continue;
        const Mat4d& from = old_world[at(source[j])];
        follower.same = (from - new_world[j]).norm() <= 1e-9 * (1 + from.norm());
        if (!follower.same) follower.offset = math::inverse_affine(from) * new_world[j];
    }
    std::vector<const Track*> track_of(before.size(), nullptr);
    for (const Track& track : clip.tracks) track_of[at(track.joint)] = &track;
    model::Clip result = clip;
    result.tracks.clear();
    WorldPoses poses(clip, before);
    for (std::size_t j = 0; j < after.size(); ++j) {
        const int parent = after.joints[j].parent;
        const Follower own = followers[j], above = parent < 0 ? Follower{} : followers[at(parent)];
        if (own.source < 0 || (above.source == own.source && parent >= 0)) continue;
        const int old_parent = before.joints[at(own.source)].parent;
        if (own.same && above.same && old_parent == above.source) {
            if (track_of[at(own.source)] == nullptr) continue;
            result.tracks.push_back(*track_of[at(own.source)]);
            result.tracks.back().joint = static_cast<int>(j);
            continue;
        }
        std::vector<const Track*> tracks;
        for (const int k : joints_between(before, own.source, above.source))
            if (track_of[at(k)] != nullptr) tracks.push_back(track_of[at(k)]);
        const KeyPlan plan = plan_keys(clip, tracks);
        if (plan.times.empty()) continue;
        Track track = baked_track(static_cast<int>(j), after.joints[j], own, above, plan, poses);
        const bool says = !track.translation.empty() || !track.rotation.empty() || !track.scale.empty();
        if (says) result.tracks.push_back(std::move(track));
    }
    return result;
}

}  // namespace sinew::rig
