// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Frames of a motion during retargeting, and its foot contacts.

#include <cstddef>
#include <span>
#include <vector>

#include "sinew/math/quaternion.h"
#include "sinew/math/types.h"
#include "sinew/motion/retarget/plan.h"

namespace sinew::motion {

/// Contacts of a point (the ball of the foot), with positions in any unit, +y up. The ground is the locally
/// lowest position of the point, so that stairs and slopes work. Two speed thresholds prevent noise from
/// splitting a contact.
std::vector<Contact> find_contacts(std::span<const math::Vec3d> positions, double rate, double leg_length);

/// See FootSlide.
FootSlide measure_slide(std::span<const math::Vec3d> positions, std::span<const Contact> contacts,
                        double leg_length);

/// Corrections of the path of a point so that it rests in each contact: `rest[i]` is its position in contact
/// i. Between contacts the correction is interpolated smoothly; before the first and after the last it is
/// constant. Empty when there are no contacts.
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
    math::Quatd upper = math::Quatd::Identity();  ///< additional world rotation of the upper bone
    math::Quatd lower = math::Quatd::Identity();  ///< additional world rotation of the lower bone
    math::Vec3d middle = math::Vec3d::Zero();     ///< resulting positions of the joints
    math::Vec3d end = math::Vec3d::Zero();
    bool reached = true;  ///< false when the goal is too far or too near
};

/// Two-bone inverse kinematics: rotates two bones so that their end reaches `goal`, or comes as close as
/// their lengths allow. The middle angle follows from the law of cosines. The limb stays in its bending
/// plane; a nearly straight limb bends about `hinge` (unit; a positive rotation moves the end backwards, as a
/// knee does when the hinge points to the left of the body), so that it never flips.
TwoBoneRotations reach(const TwoBones& limb, const math::Vec3d& goal, const math::Vec3d& hinge);

/// World-space frames of the source motion and the resulting target.
struct RetargetFrames {
    model::KeyTimes times;
    double rate = 0;
    std::size_t joints = 0;                     ///< of the target
    std::vector<math::Quatd> rotations;         ///< frame * joints + joint
    std::vector<int> roots;                     ///< target joints with translation
    std::vector<math::Vec3d> positions;         ///< positions of the roots: frame * roots + top
    std::vector<math::Vec3d> source_positions;  ///< positions of the joints they follow: frame * roots + top
    std::array<std::vector<math::Vec3d>, 4>
        metatarsals;             ///< balls of the source's feet (leg_names), per frame; may be empty
    std::vector<double> lowest;  ///< height of the lowest joint of the source, per frame

    std::size_t frames() const { return times.size(); }
    std::span<math::Quatd> frame(std::size_t f) { return std::span(rotations).subspan(f * joints, joints); }
};

/// Rotations of all frames, in parallel; `positions` is left empty (see set_roots).
RetargetFrames rotate_frames(const RetargetPlan& plan, const model::Clip& motion, double rate,
                             Monitor& monitor);

/// Height of the ground of a motion above the lowest point of its skeleton at rest. Many skeletons rest with
/// their hips at the origin while the motion stands on y = 0; 0 is used as ground when the lowest points of
/// the motion are closer to it than to the lowest point of the rest pose.
double ground_difference(const RestPose& rest, std::span<const double> lowest);

/// Fills `positions`: p_T0 + k Y (p_S - p_S0), each p0 relative to its ground.
void set_roots(const RetargetPlan& plan, RetargetFrames& frames);

/// Keeps the roots in position: of their horizontal path only the deviation from its mean over one second
/// remains.
void hold_root(RetargetFrames& frames);

/// Distributes the twist of a limb to the twist joints of the target, and that of hands to forearms.
void share_twists(const RetargetPlan& plan, double forearm_share, RetargetFrames& frames);

/// Creates keys of the target from the frames.
std::vector<model::Track> tracks_of(const RetargetPlan& plan, const RetargetFrames& frames);

/// Finds the contacts of the source's feet and pins those of the target by two-bone inverse kinematics: the
/// ball of the foot rests, the foot keeps its rotation, knee and hip adapt, and the sole stays above the
/// ground. Nothing changes when the legs of both skeletons are equal. Sliding is measured in both cases.
std::vector<FootPlant> plant_feet(const RetargetPlan& plan, const RetargetOptions& options,
                                  RetargetFrames& frames);

}  // namespace sinew::motion
