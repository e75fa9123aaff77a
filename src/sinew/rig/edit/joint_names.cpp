// SPDX-License-Identifier: MIT
// Names of joints as other programs use them.

#include <algorithm>

#include <fmt/format.h>

#include "sinew/rig/edit.h"

namespace sinew::rig {
namespace {

using model::JointRole;
using model::Role;
using model::Side;

bool is_spine(Role role) {
    return role == Role::spine || role == Role::chest || role == Role::upper_chest;
}
bool is_finger(Role role) {
    return role >= Role::thumb && role <= Role::little;
}

/// Names of a role; a '#' stands for the index of the joint in its run.
struct RoleNames {
    Role role;
    std::string_view mixamo, unreal;
};

constexpr RoleNames role_names[] = {
    {Role::hips, "Hips", "pelvis"},
    {Role::spine, "Spine#", "spine_#"},
    {Role::chest, "Spine#", "spine_#"},
    {Role::upper_chest, "Spine#", "spine_#"},
    {Role::neck, "Neck#", "neck_#"},
    {Role::head, "Head", "head"},
    {Role::eye, "Eye", ""},
    {Role::clavicle, "Shoulder", "clavicle"},
    {Role::upper_arm, "Arm", "upperarm"},
    {Role::forearm, "ForeArm", "lowerarm"},
    {Role::hand, "Hand", "hand"},
    {Role::thumb, "HandThumb#", "thumb_#"},
    {Role::index, "HandIndex#", "index_#"},
    {Role::middle, "HandMiddle#", "middle_#"},
    {Role::ring, "HandRing#", "ring_#"},
    {Role::little, "HandPinky#", "pinky_#"},
    {Role::thigh, "UpLeg", "thigh"},
    {Role::shin, "Leg", "calf"},
    {Role::foot, "Foot", "foot"},
    {Role::toe, "ToeBase", "ball"},
};

const RoleNames* names_of(Role role) {
    const auto found = std::ranges::find(role_names, role, &RoleNames::role);
    return found == std::end(role_names) ? nullptr : found;
}

std::string numbered(std::string_view pattern, std::string_view number) {
    const std::size_t mark = pattern.find('#');
    if (mark == std::string_view::npos) return std::string(pattern);
    return fmt::format("{}{}", pattern.substr(0, mark), number);
}

/// "mixamorig:LeftForeArm"; spines and necks count Spine, Spine1, Spine2, fingers from 1.
std::string mixamo_name(const JointRole& role, int number) {
    const RoleNames* names = names_of(role.role);
    if (names == nullptr) return {};
    const bool counts = is_finger(role.role) || number > 1;
    const std::string text = counts ? fmt::format("{}", is_finger(role.role) ? number : number - 1) : "";
    return fmt::format("mixamorig:{}{}", model::name_of(role.side), numbered(names->mixamo, text));
}

/// "lowerarm_l"
std::string unreal_name(const JointRole& role, int number) {
    const RoleNames* names = names_of(role.role);
    if (names == nullptr || names->unreal.empty()) return {};
    return numbered(names->unreal, fmt::format("{:02}", number)) + (role.side == Side::left    ? "_l"
                                                                    : role.side == Side::right ? "_r"
                                                                                               : "");
}

/// The index of a joint in the run of joints that share its name: one more than its nearest ancestor of the
/// same kind and side.
std::vector<int> run_numbers(const model::Skeleton& skeleton, const std::vector<JointRole>& roles) {
    const auto alike = [](const JointRole& a, const JointRole& b) {
        return a.side == b.side && (a.role == b.role || (is_spine(a.role) && is_spine(b.role)));
    };
    std::vector<int> numbers(skeleton.size(), 1);
    for (std::size_t j = 0; j < skeleton.size(); ++j) {
        for (int up = skeleton.joints[j].parent; up >= 0;
             up = skeleton.joints[static_cast<std::size_t>(up)].parent) {
            const auto above = static_cast<std::size_t>(up);
            if (!roles[j] || !alike(roles[j], roles[above])) continue;
            numbers[j] = numbers[above] + 1;
            break;
        }
        // A bone of the palm is not a phalanx.
        if (is_finger(roles[j].role) && roles[j].role != Role::thumb && roles[j].number == 0) numbers[j] = 0;
    }
    return numbers;
}

}  // namespace

int rename_joints(model::Skeleton& skeleton, JointNames names) {
    const std::vector<JointRole> roles = model::find_roles(skeleton);
    if (names == JointNames::sinew || names == JointNames::vrm) model::use_canonical_names(skeleton, roles);
    const std::vector<int> numbers = run_numbers(skeleton, roles);
    int named = 0;
    for (std::size_t j = 0; j < skeleton.size(); ++j) {
        std::string& name = skeleton.joints[j].name;
        if (!roles[j]) continue;
        std::string fresh = names == JointNames::mixamo   ? mixamo_name(roles[j], numbers[j])
                            : names == JointNames::unreal ? unreal_name(roles[j], numbers[j])
                                                          : name;
        if (fresh.empty()) continue;
        if (names == JointNames::vrm) fresh[0] = static_cast<char>(fresh[0] | 0x20);
        name = std::move(fresh);
        ++named;
    }
    model::make_names_unique(skeleton);
    return named;
}

}  // namespace sinew::rig
