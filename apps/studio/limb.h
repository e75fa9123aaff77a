// SPDX-License-Identifier: MIT
#pragma once
// Inverse kinematics for dragging: two bones bend so that a joint moves to the position of the mouse.

#include "state.h"

namespace sinew::studio {

/// Rotates the two joints above `joint` in the layer so that it reaches `target`, or as near as the bones
/// allow; the limb keeps the direction in which it bends. With one joint above, that one points to the
/// target.
void reach(PoseLayer& layer, const model::Skeleton& skeleton, std::span<const Transform> below, int joint,
           const Vec3d& target);

class LimbDrag {
  public:
    LimbDrag(const State& state, int joint);
    /// Moves the joint to a position in the world; pinned joints return to their positions. A root is
    /// translated.
    void move(State& state, const Vec3d& position);

  private:
    int joint_;
    PoseLayer start_;
    std::vector<Transform> below_;
    std::vector<std::pair<int, Vec3d>> pinned_;
};

}  // namespace sinew::studio
