// From frames in the world to keys of joints: twists shared, local rotations, hemispheres.

#include "sinew/base/array.h"
#include "sinew/base/parallel.h"
#include "sinew/motion/retarget_frames.h"

namespace sinew::motion {

using math::Mat4d;
using math::Quatd;
using math::Vec3d;

namespace {

/// Twist of a joint against another since rest, about an axis in the frame of `above`.
double twist_below(const RestPose& rest, std::span<const Quatd> turns, int above, int below,
                   const Vec3d& axis) {
    const Quatd at_rest = rest.rotations[at(above)].conjugate() * rest.rotations[at(below)];
    return twist_angle(turns[at(above)].conjugate() * turns[at(below)] * at_rest.conjugate(), axis);
}

/// Twist of a joint against its parent since rest, about an axis in its own frame.
double own_twist(const RetargetPlan& plan, std::span<const Quatd> turns, int joint, const Vec3d& axis) {
    const int parent = plan.target.joints[at(joint)].parent;
    const Quatd above = parent < 0 ? Quatd::Identity() : turns[at(parent)];
    const Quatd& rest = plan.target.joints[at(joint)].rest.rotation;
    return twist_angle(rest.conjugate() * above.conjugate() * turns[at(joint)], axis);
}

/// A forearm that takes a share of its hand's twist.
struct SharedBone {
    int bone;
    int hand;
    Vec3d axis;
};

std::vector<SharedBone> forearms(const RetargetPlan& plan) {
    std::vector<SharedBone> found;
    for (const model::Side side : {model::Side::left, model::Side::right}) {
        const int arm = model::find_role(plan.target_roles, model::Role::forearm, side);
        const int hand = model::find_role(plan.target_roles, model::Role::hand, side);
        if (arm < 0 || hand < 0) continue;
        const Vec3d bone = plan.target_rest.positions[at(hand)] - plan.target_rest.positions[at(arm)];
        if (bone.norm() > 0)
            found.push_back({arm, hand, plan.target_rest.rotations[at(arm)].conjugate() * bone.normalized()});
    }
    return found;
}

/// Time runs along the keys of a joint, and neighbours lie in one hemisphere.
void fill_rotations(const RetargetPlan& plan, const RetargetFrames& frames, int joint, model::Track& track) {
    const int parent = plan.target.joints[at(joint)].parent;
    track.rotation.values.resize(frames.frames());
    for (std::size_t f = 0; f < frames.frames(); ++f) {
        const Quatd* const turns = frames.turns.data() + f * frames.joints;
        const Quatd local = parent < 0 ? turns[joint] : Quatd(turns[parent].conjugate() * turns[joint]);
        const math::Quatf turn = local.normalized().cast<float>();
        track.rotation.values[f] = f == 0 ? turn : math::aligned(turn, track.rotation.values[f - 1]);
    }
    track.rotation.times = frames.times;
}

/// Joints that are not mapped rest, so the frame above a top is that of the rest pose.
void fill_places(const RetargetPlan& plan, const RetargetFrames& frames, std::size_t top,
                 model::Track& track) {
    const int parent = plan.target.joints[at(frames.tops[top])].parent;
    const Mat4d frame =
        parent < 0 ? Mat4d(Mat4d::Identity()) : math::inverse_affine(plan.target_rest.world[at(parent)]);
    for (std::size_t f = 0; f < frames.frames(); ++f) {
        const Vec3d place = math::transform_point(frame, frames.places[f * frames.tops.size() + top]);
        track.translation.values.emplace_back(place.cast<float>());
    }
    track.translation.times = frames.times;
}

}  // namespace

void share_twists(const RetargetPlan& plan, double forearm_share, RetargetFrames& frames) {
    const std::vector<SharedBone> arms = forearm_share > 0 ? forearms(plan) : std::vector<SharedBone>{};
    if (arms.empty() && plan.twists.empty()) return;
    parallel_for(frames.frames(), 256, [&](std::size_t f) {
        const std::span<Quatd> turns = frames.frame(f);
        for (const TwistJoint& twist : plan.twists) {
            const double angle = twist.driver == twist.bone ? own_twist(plan, turns, twist.bone, twist.axis)
                                                            : twist_below(plan.target_rest, turns, twist.bone,
                                                                          twist.driver, twist.axis);
            turns[at(twist.joint)] = turns[at(twist.bone)] *
                                     math::axis_angle<double>(twist.axis, twist.share * angle) *
                                     plan.target.joints[at(twist.joint)].rest.rotation;
        }
        for (const SharedBone& arm : arms) {
            const double angle = twist_below(plan.target_rest, turns, arm.bone, arm.hand, arm.axis);
            turns[at(arm.bone)] =
                turns[at(arm.bone)] * math::axis_angle<double>(arm.axis, forearm_share * angle);
        }
    });
}

std::vector<model::Track> tracks_of(const RetargetPlan& plan, const RetargetFrames& frames) {
    std::vector<bool> keyed(frames.joints, false);
    for (std::size_t j = 0; j < frames.joints; ++j) keyed[j] = plan.parts[j].source >= 0;
    for (const TwistJoint& twist : plan.twists) keyed[at(twist.joint)] = true;
    std::vector<model::Track> tracks;
    for (std::size_t j = 0; j < frames.joints; ++j) {
        if (!keyed[j]) continue;
        tracks.emplace_back();
        tracks.back().joint = static_cast<int>(j);
    }
    parallel_for(tracks.size(), 1,
                 [&](std::size_t i) { fill_rotations(plan, frames, tracks[i].joint, tracks[i]); });
    for (std::size_t i = 0; i < frames.tops.size(); ++i) {
        const auto at = std::find_if(tracks.begin(), tracks.end(), [&](const model::Track& track) {
            return track.joint == frames.tops[i];
        });
        fill_places(plan, frames, i, *at);
    }
    return tracks;
}

}  // namespace sinew::motion
