// SPDX-License-Identifier: MIT
#pragma once
// Manual changes of joints and weights, each a step that can be undone.

#include "state.h"

#include "sinew/rig/edit.h"

namespace sinew::studio {

using RigEdit = std::function<model::Character(const model::Character&)>;

/// Sets the changed character as a step; the selection is kept by name. Errors become messages. False when
/// nothing was done.
bool edit_rig(State& state, const std::string& what, const RigEdit& edit);
/// The same in the background, for edits that take seconds on a large mesh; small ones are changed
/// immediately. `edit` keeps copies of its input. If the document changes meanwhile, the change is kept and
/// the result is discarded.
void edit_rig_in_background(State& state, const std::string& what, RigEdit edit);
/// Mirrors what was just painted on one side to the other, as a part of the same step.
void mirror_stroke(State& state, model::Side from);

/// Locks of the joints with these names.
rig::JointLocks locks_of(const model::Skeleton& skeleton, const std::set<std::string>& names);

/// The vertices that a joint or its parent moves: those around the border between them.
std::vector<std::uint32_t> border_vertices(const model::Character& character, int joint);
/// Weights of a joint that increase from 0 to 1 along the end of the bone before it and the beginning of its
/// own.
model::Character gradient_at_joint(const model::Character& character, int joint,
                                   const std::set<std::string>& locked);
/// The side of a joint, by its role or its name; `none` in the middle.
model::Side side_of(const model::Skeleton& skeleton, int joint);

/// A joint and its twin at rest during a drag. Clips are left out until it ends: they are long.
class JointDrag {
  public:
    JointDrag(State& state, int joint);
    /// Moves it to a position in the world.
    void move(State& state, const Vec3d& position);
    void end(State& state);

  private:
    model::Character moved(const model::Character& from) const;

    int joint_;
    JointTool tool_;
    std::shared_ptr<const model::Character> start_;
    model::Character light_;  ///< without clips
    std::optional<rig::JointMirror> mirror_;
    Document before_;
    Vec3d position_;
    bool moved_ = false;
};

}  // namespace sinew::studio
