// SPDX-License-Identifier: MIT
#include "sinew/motion/retarget.h"

#include <algorithm>

#include "sinew/base/array.h"
#include "sinew/base/error.h"
#include "sinew/motion/retarget/frames.h"
#include "sinew/motion/retarget/plan.h"

namespace sinew::motion {

using math::Mat4d;
using math::Vec3d;
using model::Clip;
using model::Skeleton;
using model::Track;
using model::Transform;

namespace {

const Track* find_track(const Clip& clip, int joint) {
    for (const Track& track : clip.tracks) {
        if (track.joint == joint) return &track;
    }
    return nullptr;
}

/// Which keys of the source may be copied.
struct Copying {
    bool rotations = true;
    bool positions = true;
};

/// Copies the source's own keys where they have the same meaning; true when translation or scale keys were
/// lost.
bool copy_keys(const RetargetPlan& plan, const Clip& motion, const Copying& copying, Track& track) {
    const RetargetPart& part = plan.parts[at(track.joint)];
    if (part.source < 0) return false;
    const Track* from = find_track(motion, part.source);
    if (part.same && copying.rotations)
        track.rotation = from == nullptr ? model::Keys<math::Quatf>{} : from->rotation;
    const Transform& a = plan.source.joints[at(part.source)].rest;
    const Transform& b = plan.target.joints[at(track.joint)].rest;
    const bool same_rest = (a.translation - b.translation).norm() <= 1e-9 * plan.target_rest.height &&
                           (a.scale - b.scale).norm() <= 1e-9 && std::abs(plan.scale - 1) <= 1e-9;
    if (part.same && same_rest && copying.positions) {
        track.translation = from == nullptr ? model::Keys<math::Vec3f>{} : from->translation;
        track.scale = from == nullptr ? model::Keys<math::Vec3f>{} : from->scale;
        return false;
    }
    const auto moves = [](const model::Keys<math::Vec3f>& keys) {
        return std::ranges::any_of(keys.values,
                                   [&](const math::Vec3f& v) { return v != keys.values.front(); });
    };
    const bool travels = std::ranges::any_of(
        plan.parts, [&](const RetargetPart& other) { return other.top && other.source == part.source; });
    return from != nullptr && ((!travels && moves(from->translation)) || moves(from->scale));
}

void list_joints(const RetargetPlan& plan, RetargetResult& result) {
    std::vector<bool> used(plan.source.size(), false);
    for (std::size_t j = 0; j < plan.parts.size(); ++j) {
        const RetargetPart& part = plan.parts[j];
        if (part.source < 0) {
            result.unmapped.push_back(plan.target.joints[j].name);
            continue;
        }
        const int main = part.second >= 0 && part.blend > 0.5 ? part.second : part.source;
        result.mapped.emplace_back(plan.source.joints[at(main)].name, plan.target.joints[j].name);
        used[at(part.source)] = true;
        if (part.second >= 0) used[at(part.second)] = true;
    }
    for (std::size_t s = 0; s < used.size(); ++s) {
        if (!used[s]) result.unused.push_back(plan.source.joints[s].name);
    }
}

/// True for joints that pinned feet or forearm twist have rotated.
bool was_changed(const RetargetPlan& plan, const RetargetResult& result, const RetargetOptions& options,
                 int joint) {
    const model::JointRole& role = plan.target_roles[at(joint)];
    const bool lower_arm = role.role == model::Role::forearm || role.role == model::Role::hand;
    if (options.forearm_twist > 0 && lower_arm) return true;
    const bool arm = lower_arm || role.role == model::Role::upper_arm;
    const bool leg =
        role.role == model::Role::thigh || role.role == model::Role::shin || role.role == model::Role::foot;
    return std::ranges::any_of(result.feet, [&](const FootPlant& foot) {
        return foot.pinned && foot.side == role.side && (foot.front ? arm : leg);
    });
}

/// Retargets to a skeleton whose mapped joints form one tree.
RetargetResult run_connected(const Skeleton& source, const Clip& motion, const Skeleton& target,
                             const JointMap& map, std::span<const ChainLink> links,
                             const RetargetOptions& options, Monitor& monitor) {
    RetargetPlan plan = plan_retarget(source, target, map, links, options);
    RetargetResult result;
    list_joints(plan, result);
    result.scale = plan.scale;
    result.facing = math::rotation_vector(plan.facing).y();
    result.clip.name = motion.name;
    if (model::time_range(motion).duration() <= 0 && motion.tracks.empty()) return result;
    const double rate = options.rate > 0 ? options.rate : model::frame_rate(motion);
    RetargetFrames frames = rotate_frames(plan, motion, rate, monitor);
    set_roots(plan, frames);
    result.feet = plant_feet(plan, options, frames);
    share_twists(plan, options.forearm_twist, frames);
    if (options.in_place) hold_root(frames);
    std::size_t dropped = 0;
    for (Track& track : tracks_of(plan, frames)) {
        const bool own = options.rate <= 0 && !was_changed(plan, result, options, track.joint);
        dropped += copy_keys(plan, motion, {own, own && !options.in_place}, track) ? 1 : 0;
        if (!track.translation.empty() || !track.rotation.empty() || !track.scale.empty()) {
            result.clip.tracks.push_back(std::move(track));
        }
    }
    if (dropped > 0) {
        warn(monitor, "retarget-stretch",
             "{} joints stretch or scale in the motion: only their rotations were kept", dropped);
    }
    return result;
}

RetargetResult run(const Skeleton& source, const Clip& motion, const Skeleton& target, const JointMap& map,
                   std::span<const ChainLink> links, const RetargetOptions& options, Monitor& monitor) {
    const std::optional<ConnectedRig> rig = connect_detached_joints(source, target, map, links);
    if (!rig) return run_connected(source, motion, target, map, links, options, monitor);
    RetargetOptions connected = options;
    for (auto& sole : connected.soles) {
        for (SolePoint& point : sole)
            point.joint =
                static_cast<int>(std::ranges::find(rig->original, point.joint) - rig->original.begin());
    }
    RetargetResult result =
        run_connected(source, motion, rig->skeleton, rig->map, rig->links, connected, monitor);
    result.clip = restore_hierarchy(*rig, target, result.clip);
    return result;
}

bool is_below(std::span<const int> parents, int joint, int above) {
    while (joint >= 0 && joint != above) joint = parents[at(joint)];
    return joint >= 0;
}

/// A rig while it is converted to one tree.
class Gatherer {
  public:
    Gatherer(const Skeleton& source, const Skeleton& rig, JointMap map)
        : source_(source), rig_(rig), map_(std::move(map)) {
        for (const model::Joint& joint : rig.joints) parents_.push_back(joint.parent);
    }

    void run() {
        follow_hips();
        for (const int top : roots()) {
            const int carrier = carrier_of(top);
            if (carrier < 0 || is_below(parents_, carrier, top)) continue;
            parents_[at(top)] = carrier;
        }
    }

    const JointMap& map() const { return map_; }
    const std::vector<int>& parents() const { return parents_; }

  private:
    /// Mapped joints without a mapped ancestor.
    std::vector<int> roots() const {
        std::vector<char> below(rig_.size(), 0);
        std::vector<int> found;
        for (std::size_t j = 0; j < rig_.size(); ++j) {
            const int parent = rig_.joints[j].parent;
            below[j] = parent >= 0 && (below[at(parent)] != 0 || map_[at(parent)] >= 0);
            if (map_[j] >= 0 && below[j] == 0) found.push_back(static_cast<int>(j));
        }
        return found;
    }

    /// The joint that follows the nearest mapped ancestor of a joint's source, or -1.
    int carrier_of(int joint) const {
        for (int s = source_.joints[at(map_[at(joint)])].parent; s >= 0; s = source_.joints[at(s)].parent) {
            const auto found = std::ranges::find(map_, s);
            if (found != map_.end()) return static_cast<int>(found - map_.begin());
        }
        return -1;
    }

    int common_ancestor(int a, int b) const {
        while (a >= 0 && !is_below(parents_, b, a)) a = parents_[at(a)];
        return a;
    }

    /// Maps the joint that carries the first top and its dependent joints when it is near this top: a root on
    /// the ground must not rotate with the hips.
    void follow_hips() {
        constexpr double near = 0.25;  // of the height of the hips
        const std::vector<int> all = roots();
        for (const int hips : all) {
            int above = hips;
            for (const int top : all)
                if (top != hips && carrier_of(top) == hips) above = common_ancestor(above, top);
            if (above < 0 || above == hips) continue;
            const std::vector<Vec3d> positions = model::joint_positions(model::rest_world_matrices(rig_));
            const double distance = (positions[at(above)] - positions[at(hips)]).norm();
            if (distance < near * rest_height(rig_, hips)) map_[at(above)] = map_[at(hips)];
        }
    }

    const Skeleton& source_;
    const Skeleton& rig_;
    JointMap map_;
    std::vector<int> parents_;
};

}  // namespace

double rest_height(const Skeleton& skeleton, int joint) {
    const RestPose rest(skeleton);
    return rest.positions[at(joint)].y() - rest.lowest;
}

bool stands_on_four(const Skeleton& skeleton) {
    const std::vector<model::JointRole> roles = model::find_roles(skeleton);
    const int head = model::find_role(roles, model::Role::head);
    const int foot = model::find_role(roles, model::Role::foot, model::Side::left);
    const int hand = model::find_role(roles, model::Role::hand, model::Side::left);
    if (head < 0 || foot < 0 || hand < 0) return false;
    constexpr double low =
        0.25;  // of the height of the head: the hands of a quadruped are as low as its feet
    return rest_height(skeleton, hand) < low * rest_height(skeleton, head);
}

RetargetResult retarget(const Skeleton& source, const Clip& motion, const Skeleton& target,
                        const JointMap& map, const RetargetOptions& options, Monitor& monitor) {
    return run(source, motion, target, map, {}, options, monitor);
}

RetargetResult retarget(const Skeleton& source, const Clip& motion, const Skeleton& target,
                        const RetargetOptions& options, Monitor& monitor) {
    JointMap map = match_joints(source, target);
    const std::vector<ChainLink> links = link_chains(source, target);
    for (const ChainLink& link : links) map[at(link.target)] = link.to;
    return run(source, motion, target, map, links, options, monitor);
}

std::optional<ConnectedRig> connect_detached_joints(const Skeleton& source, const Skeleton& rig,
                                                    const JointMap& map, std::span<const ChainLink> links) {
    const auto known = [&](int joint) { return joint < static_cast<int>(source.size()); };
    if (map.size() != rig.size() || !std::ranges::all_of(map, known)) return std::nullopt;
    Gatherer gatherer(source, rig, map);
    gatherer.run();
    ConnectedRig result;
    result.original = model::parents_first(gatherer.parents(), "retarget");
    std::vector<int> position(rig.size());
    for (std::size_t j = 0; j < rig.size(); ++j) position[at(result.original[j])] = static_cast<int>(j);
    const std::vector<Mat4d> world = model::rest_world_matrices(rig);
    for (std::size_t j = 0; j < rig.size(); ++j) {
        const int old = result.original[j], parent = gatherer.parents()[at(old)];
        model::Joint joint = rig.joints[at(old)];
        if (parent != joint.parent) {
            result.moved.push_back(static_cast<int>(j));
            joint.rest = math::decompose(math::inverse_affine(world[at(parent)]) * world[at(old)]).transform;
        }
        joint.parent = parent < 0 ? -1 : position[at(parent)];
        result.skeleton.joints.push_back(std::move(joint));
        result.map.push_back(gatherer.map()[at(old)]);
    }
    if (result.moved.empty() && gatherer.map() == map) return std::nullopt;
    for (ChainLink link : links) {
        link.target = position[at(link.target)];
        result.links.push_back(link);
    }
    return result;
}

model::Clip restore_hierarchy(const ConnectedRig& connected, const Skeleton& rig, const model::Clip& clip) {
    model::Clip result = clip;
    for (model::Track& track : result.tracks) track.joint = connected.original[at(track.joint)];
    std::ranges::sort(result.tracks, {}, &model::Track::joint);
    if (connected.moved.empty() || clip.tracks.empty()) return result;
    const model::TimeRange range = model::time_range(clip);
    const double rate = model::frame_rate(clip);
    const auto times = model::KeyTimes::even(range.start, 1 / rate, model::sample_count(range, rate));
    std::vector<model::Track> moved(connected.moved.size());
    for (std::size_t f = 0; f < times.size(); ++f) {
        const std::vector<Mat4d> world =
            model::world_matrices(connected.skeleton, model::sample(clip, connected.skeleton, times[f]));
        for (std::size_t i = 0; i < moved.size(); ++i) {
            const int joint = connected.moved[i],
                      parent = rig.joints[at(connected.original[at(joint)])].parent;
            const auto above = std::ranges::find(connected.original, parent);
            const Mat4d frame =
                above == connected.original.end()
                    ? Mat4d(Mat4d::Identity())
                    : math::inverse_affine(
                          world[static_cast<std::size_t>(above - connected.original.begin())]);
            const math::Transform local = math::decompose(frame * world[at(joint)]).transform;
            const math::Quatf rotation = local.rotation.cast<float>();
            auto& rotations = moved[i].rotation.values;
            rotations.push_back(rotations.empty() ? rotation : math::aligned(rotation, rotations.back()));
            moved[i].translation.values.emplace_back(local.translation.cast<float>());
        }
    }
    for (std::size_t i = 0; i < moved.size(); ++i) {
        moved[i].joint = connected.original[at(connected.moved[i])];
        moved[i].translation.times = moved[i].rotation.times = times;
        const auto old = std::ranges::find(result.tracks, moved[i].joint, &model::Track::joint);
        if (old != result.tracks.end()) {
            *old = std::move(moved[i]);
        } else {
            result.tracks.push_back(std::move(moved[i]));
        }
    }
    std::ranges::sort(result.tracks, {}, &model::Track::joint);
    return result;
}

}  // namespace sinew::motion
