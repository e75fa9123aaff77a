// SPDX-License-Identifier: MIT
#include "rig_edit.h"

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
