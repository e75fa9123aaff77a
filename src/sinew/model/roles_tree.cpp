// Roles by name, put right by the tree around them.
#include <algorithm>
#include <map>

#include "sinew/base/array.h"
#include "sinew/model/roles.h"

namespace sinew::model {
namespace {

/// Nearest ancestor with a role.
int role_above(const Skeleton& skeleton, const std::vector<JointRole>& roles, int joint) {
    int j = skeleton.joints[at(joint)].parent;
    while (j >= 0 && !roles[at(j)]) j = skeleton.joints[at(j)].parent;
    return j;
}

/// A limb whose first joint has the name of a different one: a clavicle that goes on as a forearm is the
/// upper arm, a shin without a thigh above is the thigh.
void settle_limb_starts(const Skeleton& skeleton, std::vector<JointRole>& roles) {
    for (std::size_t j = 0; j < skeleton.size(); ++j) {
        const int above = role_above(skeleton, roles, static_cast<int>(j));
        const JointRole upper = above < 0 ? JointRole{} : roles[at(above)];
        JointRole& role = roles[j];
        const bool same_side = upper.side == role.side;
        if (role.role == Role::forearm && upper.role == Role::clavicle && same_side) {
            roles[at(above)].role = Role::upper_arm;
        }
        // Both "LeftHip" and "LeftThigh": the lower one is the thigh.
        if (role.role == Role::thigh && upper.role == Role::thigh && same_side) roles[at(above)] = {};
    }
    for (const Side side : {Side::left, Side::right}) {
        const int shin = find_role(roles, Role::shin, side);
        if (find_role(roles, Role::thigh, side) >= 0 || shin < 0) continue;
        roles[at(shin)].role = Role::thigh;
    }
}

/// One joint for each role of a limb: the one nearest to the trunk.
void keep_first(std::vector<JointRole>& roles) {
    std::map<std::pair<Role, Side>, bool> seen;
    for (JointRole& role : roles) {
        const bool single = role.role == Role::hips || role.role == Role::head || role.role == Role::chest ||
                            role.role == Role::upper_chest ||
                            (role.role >= Role::clavicle && role.role <= Role::hand) ||
                            (role.role >= Role::thigh && role.role <= Role::toe);
        if (!single) continue;
        role.number = 0;
        bool& taken = seen[{role.role, role.side}];
        if (taken && role.role == Role::chest)
            role.role = Role::upper_chest;
        else if (taken)
            role = {};
        taken = true;
    }
}

/// The joint that the arms hang from, by its name only one more of the spine, is the chest.
void find_chest(const Skeleton& skeleton, std::vector<JointRole>& roles) {
    if (find_role(roles, Role::chest) >= 0) return;
    int arm = find_role(roles, Role::clavicle, Side::left);
    if (arm < 0) arm = find_role(roles, Role::upper_arm, Side::left);
    if (arm < 0) return;
    const int above = role_above(skeleton, roles, arm);
    const int next = above < 0 ? -1 : role_above(skeleton, roles, above);
    if (next >= 0 && roles[at(above)].role == Role::spine) roles[at(above)].role = Role::chest;
}

/// The last joint of a neck that leads to no head is the head.
void find_head(std::vector<JointRole>& roles) {
    if (find_role(roles, Role::head) >= 0) return;
    int last = -1, count = 0;
    for (std::size_t j = 0; j < roles.size(); ++j) {
        if (roles[j].role != Role::neck) continue;
        last = static_cast<int>(j);
        ++count;
    }
    if (count > 1) roles[at(last)].role = Role::head;
}

void find_hips(const Skeleton& skeleton, std::vector<JointRole>& roles) {
    if (find_role(roles, Role::hips) >= 0) return;
    const int left = find_role(roles, Role::thigh, Side::left),
              right = find_role(roles, Role::thigh, Side::right);
    if (left < 0 || right < 0) return;
    std::vector<char> above_left(skeleton.size(), 0);
    for (int j = left; j >= 0; j = skeleton.joints[at(j)].parent) above_left[at(j)] = 1;
    int common = skeleton.joints[at(right)].parent;
    while (common >= 0 && above_left[at(common)] == 0) common = skeleton.joints[at(common)].parent;
    if (common >= 0) roles[at(common)] = {Role::hips, Side::none, 0};
}

bool is_run(Role role) {
    return role == Role::spine || role == Role::neck || role == Role::tail ||
           (role >= Role::thumb && role <= Role::little);
}

/// Counts runs from 1 outwards. A finger that starts with its "Distal" keeps what its names say.
void number_runs(const Skeleton& skeleton, std::vector<JointRole>& roles) {
    for (std::size_t j = 0; j < skeleton.size(); ++j) {
        JointRole& role = roles[j];
        if (!is_run(role.role)) {
            role.number = 0;
            continue;
        }
        const int above = role_above(skeleton, roles, static_cast<int>(j));
        const bool continues =
            above >= 0 && roles[at(above)].role == role.role && roles[at(above)].side == role.side;
        const bool finger = role.role >= Role::thumb && role.role <= Role::little;
        const int least = continues ? roles[at(above)].number + 1 : 1;
        role.number = finger && role.number > 0 && role.number < 4 ? std::max(role.number, least) : least;
    }
}

}  // namespace

std::vector<JointRole> roles_from_names(const Skeleton& skeleton) {
    std::vector<JointRole> roles;
    roles.reserve(skeleton.size());
    for (const Joint& joint : skeleton.joints) roles.push_back(role_from_name(joint.name));
    settle_limb_starts(skeleton, roles);
    keep_first(roles);
    find_hips(skeleton, roles);
    find_chest(skeleton, roles);
    find_head(roles);
    number_runs(skeleton, roles);
    return roles;
}

std::vector<JointRole> find_roles(const Skeleton& skeleton) {
    std::vector<JointRole> roles = roles_from_names(skeleton);
    const std::vector<JointRole> shape = roles_from_shape(skeleton);
    const auto within = [](Role first, Role last) {
        return [=](const JointRole& role) { return role.role >= first && role.role <= last; };
    };
    const auto silent = [&](Role first, Role last) {
        return std::none_of(roles.begin(), roles.end(), within(first, last));
    };
    // Names that explain no more than the start of an arm ("arm_joint_R" before "arm_joint_R__2_") say less
    // than the shape.
    const auto forearms = within(Role::forearm, Role::hand);
    if (std::none_of(roles.begin(), roles.end(), forearms) &&
        std::any_of(shape.begin(), shape.end(), forearms)) {
        std::replace_if(roles.begin(), roles.end(), within(Role::clavicle, Role::upper_arm), JointRole{});
    }
    // By groups, so that a limb is not half of one opinion and half of the other.
    const bool trunk = silent(Role::hips, Role::upper_chest), head = silent(Role::neck, Role::head),
               arms = silent(Role::upper_arm, Role::hand), legs = silent(Role::thigh, Role::foot),
               tail = silent(Role::tail, Role::tail), fingers = silent(Role::thumb, Role::little);
    for (std::size_t j = 0; j < skeleton.size(); ++j) {
        const Role role = shape[j].role;
        const bool wanted = (trunk && role >= Role::hips && role <= Role::upper_chest) ||
                            (head && (role == Role::neck || role == Role::head)) ||
                            (arms && role >= Role::clavicle && role <= Role::hand) ||
                            (legs && role >= Role::thigh && role <= Role::toe) ||
                            (tail && role == Role::tail) ||
                            (fingers && role >= Role::thumb && role <= Role::little) ||
                            (role == Role::hips && find_role(roles, Role::hips) < 0);
        if (wanted && (!roles[j] || role == Role::hips)) roles[j] = shape[j];
    }
    find_chest(skeleton, roles);
    number_runs(skeleton, roles);
    return roles;
}

}  // namespace sinew::model
