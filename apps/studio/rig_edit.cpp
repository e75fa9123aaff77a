// SPDX-License-Identifier: MIT
#include "rig_edit.h"

#include <utility>

#include "actions.h"

#include "sinew/base/error.h"
#include "sinew/model/roles.h"

namespace sinew::studio {
namespace {

std::string selected_name(const State& state) {
    const int joint = selected_joint(state);
    return joint < 0 ? "" : state.character().skeleton.joints[static_cast<std::size_t>(joint)].name;
}

Vec3d rest_position(const model::Skeleton& skeleton, int joint) {
    return model::rest_world_matrices(skeleton)[static_cast<std::size_t>(joint)].topRightCorner<3, 1>();
}

}  // namespace

rig::JointLocks locks_of(const model::Skeleton& skeleton, const std::set<std::string>& names) {
    rig::JointLocks locks(skeleton.size(), 0);
    for (std::size_t j = 0; j < skeleton.size(); ++j) locks[j] = names.contains(skeleton.joints[j].name);
    return locks;
}

bool edit_rig(State& state, const std::string& what, const RigEdit& edit) {
    try {
        const std::string name = selected_name(state);
        model::Character changed = edit(state.character());
        model::validate(changed, what);
        change(state, what, state.document.with(std::move(changed)));
        if (const int joint = state.character().skeleton.find(name); joint >= 0)
            state.selection = {SelectionKind::joint, joint};
        return true;
    } catch (const Error& error) {
        state.messages.add(Severity::error, error.what());
        return false;
    }
}

namespace {

/// This number of vertices can be changed within a frame.
constexpr std::size_t small_mesh = 2000;

bool is_small(const State& state) {
    return state.character().mesh.vertex_count() <= small_mesh;
}

}  // namespace

void edit_rig_in_background(State& state, const std::string& what, RigEdit edit) {
    if (is_small(state)) {
        edit_rig(state, what, edit);
        return;
    }
    const auto work = [open = state.document.character, what,
                       edit = std::move(edit)](Monitor&) -> Job::Apply {
        model::Character changed = edit(*open);
        model::validate(changed, what);
        return [open, what, changed = std::move(changed)](State& now) {
            if (now.document.character == open)
                edit_rig(now, what, [&](const model::Character&) { return changed; });
            else
                now.messages.add(Severity::warning,
                                 what + ": the character was changed meanwhile; do it again");
        };
    };
    if (!state.job.start(what, work))
        state.messages.add(Severity::note, "busy: wait for the running task, or cancel it");
}

void mirror_stroke(State& state, model::Side from) {
    const auto put = [](State& now, model::Character mirrored) {
        const Selection selection = now.selection;
        now.document = now.document.with(std::move(mirrored));
        now.selection = selection;
    };
    const std::shared_ptr<const model::Character> open = state.document.character;
    const auto work = [open, from, put](Monitor&) -> Job::Apply {
        return [open, from, put, mirrored = rig::mirror_weights(*open, from)](State& now) {
            const bool stroke = !now.undo.empty() && now.undo.back().what == "paint" && now.redo.empty();
            if (now.document.character == open)
                put(now, mirrored);
            else if (stroke)
                mirror_stroke(now, from);  // painting continued: mirrored with the newest stroke
        };
    };
    // Another task is running: waiting is better than a side that is not mirrored.
    if (!is_small(state) && state.job.start("Mirroring the stroke", work)) return;
    try {
        put(state, rig::mirror_weights(*open, from));
    } catch (const Error& error) {
        state.messages.add(Severity::error, error.what());
    }
}

std::vector<std::uint32_t> border_vertices(const model::Character& character, int joint) {
    const int parent = character.skeleton.joints[static_cast<std::size_t>(joint)].parent;
    std::vector<std::uint32_t> list;
    for (std::uint32_t v = 0; v < character.skin.vertex_count(); ++v)
        for (const model::Influence& influence : character.skin.of(v)) {
            const int by = character.skin.joints[influence.joint].joint;
            if (by != joint && by != parent) continue;
            list.push_back(v);
            break;
        }
    return list;
}

model::Character gradient_at_joint(const model::Character& character, int joint,
                                   const std::set<std::string>& locked) {
    const model::Skeleton& skeleton = character.skeleton;
    const int parent = skeleton.joints[static_cast<std::size_t>(joint)].parent;
    if (parent < 0) fail("gradient", "the root has no parent bone: choose another joint");
    const Vec3d at = rest_position(skeleton, joint), before = rest_position(skeleton, parent);
    const Vec3d reach = 0.25 * (at - before);
    return rig::gradient_weights(character, joint, border_vertices(character, joint), at - reach, at + reach,
                                 locks_of(skeleton, locked));
}

model::Side side_of(const model::Skeleton& skeleton, int joint) {
    return model::find_roles(skeleton)[static_cast<std::size_t>(joint)].side;
}

JointDrag::JointDrag(State& state, int joint)
    : joint_(joint),
      tool_(state.joint_tool),
      start_(state.document.character),
      light_(*start_),
      before_(state.document),
      position_(rest_position(start_->skeleton, joint)) {
    light_.clips.clear();
    if (tool_.symmetry) mirror_ = rig::joint_mirror(light_);
}

model::Character JointDrag::moved(const model::Character& from) const {
    using rig::MoveMode;
    const MoveMode mode = tool_.carry ? MoveMode::with_children : MoveMode::alone;
    model::Character result = rig::move_joint(from, joint_, position_, mode);
    const int twin = mirror_ ? mirror_->twin[static_cast<std::size_t>(joint_)] : -1;
    if (twin >= 0 && twin != joint_)
        result = rig::move_joint(result, twin, mirror_->reflect(position_), mode);
    return result;
}

void JointDrag::move(State& state, const Vec3d& position) {
    if (!moved_) remember(state, "move joint");
    moved_ = true;
    position_ = position;
    state.document.character = std::make_shared<const model::Character>(moved(light_));
}

void JointDrag::end(State& state) {
    if (!moved_) return;
    const Selection selection = state.selection;
    try {
        state.document = before_.with(moved(*start_));
    } catch (const Error& error) {
        state.document = before_;
        state.messages.add(Severity::error, error.what());
    }
    state.selection = selection;
}

}  // namespace sinew::studio
