// SPDX-License-Identifier: MIT
#include <algorithm>

#include "sinew/base/error.h"
#include "sinew/rig/edit.h"

namespace sinew::rig {
EditHistory::EditHistory(model::Skeleton start, std::size_t max) : max_(std::max<std::size_t>(max, 1)) {
    steps_.push_back({"", {std::move(start), {}}});
}

void EditHistory::add(Step step) {
    steps_.resize(now_ + 1);
    steps_.push_back(std::move(step));
    if (steps_.size() > max_ + 1) steps_.erase(steps_.begin());
    now_ = steps_.size() - 1;
}

void EditHistory::push(std::string what, model::Skeleton skeleton) {
    // A lock on a joint that is gone would bring it back with the next run.
    LockedJoints still;
    for (const std::string& name : locked()) {
        if (skeleton.find(name) >= 0) still.insert(name);
    }
    add({std::move(what), {std::move(skeleton), std::move(still)}});
}

void EditHistory::lock(const std::string& joint) {
    if (skeleton().find(joint) < 0) fail("skeleton", "there is no joint \"{}\" to lock", joint);
    State state = steps_[now_].state;
    if (!state.locked.insert(joint).second) return;
    add({"lock " + joint, std::move(state)});
}

void EditHistory::unlock(const std::string& joint) {
    State state = steps_[now_].state;
    if (state.locked.erase(joint) == 0) return;
    add({"unlock " + joint, std::move(state)});
}

void EditHistory::rerun(const model::Skeleton& fresh) {
    push("run again", keep_locked(fresh, skeleton(), locked()));
}

std::string EditHistory::undo() {
    return can_undo() ? steps_[now_--].what : std::string();
}

std::string EditHistory::redo() {
    return can_redo() ? steps_[++now_].what : std::string();
}

}  // namespace sinew::rig
