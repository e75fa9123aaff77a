#pragma once
/// \file
/// Undo and redo.

#include <string>
#include <vector>

#include "sinew/rig/skeleton_edit.h"

namespace sinew::rig {

/// Keeps what a skeleton was after every step, with the joints that were locked. The oldest steps are
/// forgotten beyond `most`.
class EditHistory {
  public:
    struct State {
        Skeleton skeleton;
        LockedJoints locked;
    };

    explicit EditHistory(Skeleton start, std::size_t most = 200);

    const Skeleton& skeleton() const { return steps_[now_].state.skeleton; }
    const LockedJoints& locked() const { return steps_[now_].state.locked; }

    /// A step: what it is called and what it gives. Steps that were undone are gone.
    void push(std::string what, Skeleton skeleton);
    void lock(const std::string& joint);    ///< \throws Error when there is no such joint
    void unlock(const std::string& joint);  ///< nothing happens when it is not locked
    /// What a new run of skeletonization found, with the locked joints as they are here.
    void rerun(const Skeleton& fresh);

    bool can_undo() const { return now_ > 0; }
    bool can_redo() const { return now_ + 1 < steps_.size(); }
    /// Name of the step that was undone or redone; empty when there was none.
    std::string undo();
    std::string redo();

  private:
    struct Step {
        std::string what;
        State state;
    };
    void add(Step step);
    std::vector<Step> steps_;
    std::size_t now_ = 0;
    std::size_t most_;
};

}  // namespace sinew::rig
