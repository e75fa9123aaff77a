#pragma once
/// \file
/// The frames of a trial one after the other, each started from its neighbour.

#include <functional>
#include <span>
#include <vector>

#include "sinew/base/monitor.h"
#include "sinew/motion/solve_pose.h"

namespace sinew::motion {

/// Number of places that are there.
std::size_t seen_in(const std::vector<math::Vec3d>& places);

/// A pose for a frame on its own, from its landmarks; false when they do not give one.
using RestartPose = std::function<bool(const std::vector<math::Vec3d>& places, Pose& pose)>;

/// Solves forwards. Where markers of a segment are missing that pass only holds what it saw last: so frames
/// around gaps are solved backwards too, both are blended over each gap joint by joint, and the frame is
/// solved once more from there.
struct FramePasses {
    PoseSolver& solver;
    const std::vector<std::vector<math::Vec3d>>& frames;
    const RestartPose& restart;
    double doubt;  ///< metres: a worse fit is tried again from the landmarks
    Monitor& monitor;
    std::size_t iterations = 0;

    /// Frames with fewer than three places repeat the pose before.
    std::vector<Pose> run(const Pose& first, const model::Skeleton& skeleton);

  private:
    std::vector<Pose> pass(Pose pose, bool backwards);
    void solve_frame(const std::vector<math::Vec3d>& places, bool doubtful, Pose& pose);
};

}  // namespace sinew::motion
