#include "sinew/motion/retarget.h"

#include <algorithm>

#include "sinew/base/error.h"
#include "sinew/base/array.h"
#include "sinew/motion/retarget_feet.h"
#include "sinew/motion/retarget_loose.h"

namespace sinew::motion {

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

/// What of the source's keys may be taken over.
struct Copying {
    bool turns = true;
    bool places = true;
};

/// Puts the source's own keys where they mean the same; true when translation or scale keys had no place to
/// go.
bool copy_keys(const RetargetPlan& plan, const Clip& motion, const Copying& copying, Track& track) {
    const RetargetPart& part = plan.parts[at(track.joint)];
    if (part.source < 0) return false;
    const Track* from = find_track(motion, part.source);
    if (part.same && copying.turns)
        track.rotation = from == nullptr ? model::Keys<math::Quatf>{} : from->rotation;
    const Transform& a = plan.source.joints[at(part.source)].rest;
    const Transform& b = plan.target.joints[at(track.joint)].rest;
    const bool same_rest = (a.translation - b.translation).norm() <= 1e-9 * plan.target_rest.height &&
                           (a.scale - b.scale).norm() <= 1e-9 && std::abs(plan.scale - 1) <= 1e-9;
    if (part.same && same_rest && copying.places) {
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

/// True when the joint is one that pinned feet have turned, or forearms that took twists.
bool was_changed(const RetargetPlan& plan, const RetargetResult& result, const RetargetOptions& options,
                 int joint) {
    const model::JointRole& role = plan.target_roles[at(joint)];
    const bool arm = role.role == model::Role::forearm || role.role == model::Role::hand;
    if (options.forearm_twist > 0 && arm) return true;
    const bool leg =
        role.role == model::Role::thigh || role.role == model::Role::shin || role.role == model::Role::foot;
    return leg && std::ranges::any_of(result.feet, [&](const FootPlant& foot) {
               return foot.pinned && foot.side == role.side;
           });
}

/// Onto a skeleton whose mapped joints are one tree.
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
    RetargetFrames frames = turn_frames(plan, motion, rate, monitor);
    place_tops(plan, frames);
    result.feet = plant_feet(plan, options, frames);
    share_twists(plan, options.forearm_twist, frames);
    if (options.in_place) stay_in_place(frames);
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
             "{} joints stretch or scale in the motion: only their turns were kept", dropped);
    }
    return result;
}

RetargetResult run(const Skeleton& source, const Clip& motion, const Skeleton& target, const JointMap& map,
                   std::span<const ChainLink> links, const RetargetOptions& options, Monitor& monitor) {
    const std::optional<GatheredRig> rig = gather(source, target, map, links);
    if (!rig) return run_connected(source, motion, target, map, links, options, monitor);
    RetargetResult result =
        run_connected(source, motion, rig->skeleton, rig->map, rig->links, options, monitor);
    result.clip = scattered(*rig, target, result.clip);
    return result;
}

}  // namespace

double rest_height(const Skeleton& skeleton, int joint) {
    const RestPose rest(skeleton);
    return rest.positions[at(joint)].y() - rest.lowest;
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

}  // namespace sinew::motion
