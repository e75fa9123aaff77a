// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Frames of a motion on their way from one skeleton to another, and the feet in them.

#include <cstddef>
#include <span>
#include <vector>

#include "sinew/math/quaternion.h"
#include "sinew/math/types.h"
#include "sinew/motion/retarget/plan.h"

namespace sinew::motion {

/// Contacts of a point (the ball of the foot) with positions in metres or any unit, +y up. The ground is
/// where the point is lowest nearby, so that stairs and slopes count too; slow and fast differ so that noise
/// does not cut a contact in pieces.
std::vector<Contact> find_contacts(std::span<const math::Vec3d> positions, double rate, double leg_length);

/// See FootSlide.
FootSlide measure_slide(std::span<const math::Vec3d> positions, std::span<const Contact> contacts,
                        double leg_length);

/// What to add to the path of a point so that it rests in each contact: `rest[i]` is where it rests in
/// contact i. Between contacts the correction goes smoothly from one to the next; before the first and after
/// the last it stays. Empty when there are no contacts.
std::vector<math::Vec3d> contact_corrections(std::span<const math::Vec3d> positions,
                                             std::span<const Contact> contacts,
                                             std::span<const math::Vec3d> rest);

/// Positions of the joints of a limb in the world: hip, knee, ankle; or shoulder, elbow, wrist.
struct TwoBones {
    math::Vec3d start = math::Vec3d::Zero();
    math::Vec3d middle = math::Vec3d::Zero();
    math::Vec3d end = math::Vec3d::Zero();
};

struct TwoBoneRotations {
    math::Quatd upper =
        math::Quatd::Identity();  ///< world rotation that the upper bone makes besides its own
    math::Quatd lower = math::Quatd::Identity();  ///< likewise of the lower bone
    math::Vec3d middle = math::Vec3d::Zero();     ///< where the joints come to lie
    math::Vec3d end = math::Vec3d::Zero();
    bool reached = true;  ///< false when the goal is too far or too near
};

/// Turns two bones so that their end comes to `goal`, or as near as their lengths allow. The angle in the
/// middle follows from the law of cosines; the limb stays in the plane in which it bends, and where it is
/// nearly straight it bends about `hinge` (unit; positive turns bring the end backwards, as a knee does when
/// the hinge points to the left of the body), so that it never flips.
TwoBoneRotations reach(const TwoBones& limb, const math::Vec3d& goal, const math::Vec3d& hinge);

/// The source plays, and the target turns with it. Everything is in the world.
struct RetargetFrames {
    model::KeyTimes times;
    double rate = 0;
    std::size_t joints = 0;                     ///< of the target
    std::vector<math::Quatd> rotations;         ///< frame * joints + joint
    std::vector<int> roots;                     ///< target joints that travel
    std::vector<math::Vec3d> positions;         ///< of the roots: frame * roots + top
    std::vector<math::Vec3d> source_positions;  ///< of the joints they follow: frame * roots + top
    std::array<std::vector<math::Vec3d>, 4>
        metatarsals;             ///< of the source's feet (leg_names), by frame; or empty
    std::vector<double> lowest;  ///< lowest joint of the source, by frame

    std::size_t frames() const { return times.size(); }
    std::span<math::Quatd> frame(std::size_t f) { return std::span(rotations).subspan(f * joints, joints); }
};

/// Rotations of all frames, in parallel; `positions` is left empty (see set_roots).
RetargetFrames rotate_frames(const RetargetPlan& plan, const model::Clip& motion, double rate,
                             Monitor& monitor);

/// How much higher the ground of a motion is than the lowest point of its skeleton at rest. Skeletons often
/// rest with their hips at the origin while the motion stands on y = 0, so that is where the motion goes when
/// its lowest points are nearer to 0 than to the lowest point of the rest pose.
double ground_difference(const RestPose& rest, std::span<const double> lowest);

/// Fills `positions`: p_T0 + k Y (p_S - p_S0), each p0 brought to its ground.
void set_roots(const RetargetPlan& plan, RetargetFrames& frames);

/// Keeps the roots over one place: what is left of their level way is the sway about its mean over a second.
void hold_root(RetargetFrames& frames);

/// Gives the twist joints of the target their share, and forearms that of their hands.
void share_twists(const RetargetPlan& plan, double forearm_share, RetargetFrames& frames);

/// Keys of the target from the frames.
std::vector<model::Track> tracks_of(const RetargetPlan& plan, const RetargetFrames& frames);

/// Finds the contacts of the source's feet and pins those of the target by two-bone inverse kinematics: the
/// ball of the foot rests, the foot keeps its turn, knee and hip give, and the sole stays above the ground.
/// Skeletons whose legs are equal are left alone. Slides are measured either way.
std::vector<FootPlant> plant_feet(const RetargetPlan& plan, const RetargetOptions& options,
                                  RetargetFrames& frames);

}  // namespace sinew::motion
