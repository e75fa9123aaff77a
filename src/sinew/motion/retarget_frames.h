#pragma once
/// \file
/// Frames of a motion on their way from one skeleton to another.

#include "sinew/motion/foot_contact.h"
#include "sinew/motion/retarget_plan.h"

namespace sinew::motion {

/// The source plays, and the target turns with it. Everything is in the world.
struct RetargetFrames {
    model::KeyTimes times;
    double rate = 0;
    std::size_t joints = 0;                  ///< of the target
    std::vector<math::Quatd> turns;          ///< frame * joints + joint
    std::vector<int> tops;                   ///< target joints that travel
    std::vector<math::Vec3d> places;         ///< of the tops: frame * tops + top
    std::vector<math::Vec3d> source_places;  ///< of the joints they follow: frame * tops + top
    std::array<std::vector<math::Vec3d>, 2>
        balls;                   ///< of the source's left and right foot, by frame; or empty
    std::vector<double> lowest;  ///< lowest joint of the source, by frame

    std::size_t frames() const { return times.size(); }
    std::span<math::Quatd> frame(std::size_t f) { return std::span(turns).subspan(f * joints, joints); }
};

/// Rotations of all frames, in parallel; `places` is left empty (see place_tops).
RetargetFrames turn_frames(const RetargetPlan& plan, const model::Clip& motion, double rate,
                           Monitor& monitor);

/// How much higher the ground of a motion is than the lowest point of its skeleton at rest. Skeletons often
/// rest with their hips at the origin while the motion stands on y = 0, so that is where the motion goes when
/// its lowest points are nearer to 0 than to the lowest point of the rest pose.
double ground_difference(const RestPose& rest, std::span<const double> lowest);

/// Fills `places`: p_T0 + k Y (p_S - p_S0), each p0 brought to its ground.
void place_tops(const RetargetPlan& plan, RetargetFrames& frames);

/// Keeps the tops over one place: what is left of their level way is the sway about its mean over a second.
void stay_in_place(RetargetFrames& frames);

/// Gives the twist joints of the target their share, and forearms that of their hands.
void share_twists(const RetargetPlan& plan, double forearm_share, RetargetFrames& frames);

/// Keys of the target from the frames.
std::vector<model::Track> tracks_of(const RetargetPlan& plan, const RetargetFrames& frames);

}  // namespace sinew::motion
