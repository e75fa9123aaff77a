// SPDX-License-Identifier: MIT
// Names of joints as other programs have them.

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

/// "mixamorig:LeftForeArm"; `number` counts the joints of the spine, the neck, the tail or a finger from 1.
std::string mixamo_name(const JointRole& role, int number) {
    const auto numbered = [&](std::string_view word) {
        return number > 1 ? fmt::format("{}{}", word, number - 1) : std::string(word);
    };
    std::string name;
    switch (role.role) {
        case Role::hips:
            name = "Hips";
            break;
        case Role::spine:
        case Role::chest:
        case Role::upper_chest:
            name = numbered("Spine");
            break;
        case Role::neck:
            name = numbered("Neck");
            break;
        case Role::head:
            name = "Head";
            break;
        case Role::clavicle:
            name = "Shoulder";
            break;
        case Role::upper_arm:
            name = "Arm";
            break;
        case Role::forearm:
            name = "ForeArm";
            break;
        case Role::hand:
            name = "Hand";
            break;
        case Role::thumb:
            name = fmt::format("HandThumb{}", number);
            break;
        case Role::index:
            name = fmt::format("HandIndex{}", number);
            break;
        case Role::middle:
            name = fmt::format("HandMiddle{}", number);
            break;
        case Role::ring:
            name = fmt::format("HandRing{}", number);
            break;
        case Role::little:
            name = fmt::format("HandPinky{}", number);
            break;
        case Role::thigh:
            name = "UpLeg";
            break;
        case Role::shin:
            name = "Leg";
            break;
        case Role::foot:
            name = "Foot";
            break;
        case Role::toe:
            name = "ToeBase";
            break;
        case Role::eye:
            name = "Eye";
            break;
        default:
            return {};
    }
    return fmt::format("mixamorig:{}{}", model::name_of(role.side), name);
}

std::string unreal_name(const JointRole& role, int number) {
    std::string name;
    switch (role.role) {
        case Role::hips:
            name = "pelvis";
            break;
        case Role::spine:
        case Role::chest:
        case Role::upper_chest:
            name = fmt::format("spine_{:02}", number);
            break;
        case Role::neck:
            name = fmt::format("neck_{:02}", number);
            break;
        case Role::head:
            name = "head";
            break;
        case Role::clavicle:
            name = "clavicle";
            break;
        case Role::upper_arm:
            name = "upperarm";
            break;
        case Role::forearm:
            name = "lowerarm";
            break;
        case Role::hand:
            name = "hand";
            break;
        case Role::thumb:
            name = fmt::format("thumb_{:02}", number);
            break;
        case Role::index:
            name = fmt::format("index_{:02}", number);
            break;
        case Role::middle:
            name = fmt::format("middle_{:02}", number);
            break;
        case Role::ring:
            name = fmt::format("ring_{:02}", number);
            break;
        case Role::little:
            name = fmt::format("pinky_{:02}", number);
            break;
        case Role::thigh:
            name = "thigh";
            break;
        case Role::shin:
            name = "calf";
            break;
        case Role::foot:
            name = "foot";
            break;
        case Role::toe:
            name = "ball";
            break;
        default:
            return {};
    }
    return name + (role.side == Side::left ? "_l" : role.side == Side::right ? "_r" : "");
}

/// Where a joint stands in the run of joints that share its name: one more than its nearest ancestor of the
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
        // A palm's own bone is no phalanx.
        if (is_finger(roles[j].role) && roles[j].role != Role::thumb && roles[j].number == 0) numbers[j] = 0;
    }
    return numbers;
}

}  // namespace

int rename_joints(model::Skeleton& skeleton, JointNames names) {
    const std::vector<JointRole> roles = model::find_roles(skeleton);
    if (names == JointNames::sinew || names == JointNames::vrm) {
        model::use_canonical_names(skeleton, roles);
    }
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
