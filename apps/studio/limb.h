// SPDX-License-Identifier: MIT
#pragma once
// Inverse kinematics for a hand on the mouse: two bones bend so that a joint comes where it is dragged.

#include "state.h"

namespace sinew::studio {

/// Turns the two joints above `joint` in the layer so that it comes to `target`, or as near as the bones
/// reach; the limb keeps the direction in which it bends. With one joint above, that one points to the
/// target.
void reach(PoseLayer& layer, const model::Skeleton& skeleton, std::span<const Transform> below, int joint,
           const Vec3d& target);

class LimbDrag {
  public:
    LimbDrag(const State& state, int joint);
    /// The joint comes to a position in the world; joints that are pinned come back to where they were. A
    /// root is moved.
    void move(State& state, const Vec3d& position);

  private:
    int joint_;
    PoseLayer start_;
    std::vector<Transform> below_;
    std::vector<std::pair<int, Vec3d>> pinned_;
};

}  // namespace sinew::studio
