// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>

#include <Eigen/Eigenvalues>

#include "sinew/base/array.h"
#include "sinew/model/roles.h"

// Roles by shape: which limbs form pairs, and where they are attached.

namespace sinew::model {
namespace {

/// Limbs of a hand, by their numbers.
struct HandLimbs {
    std::array<std::size_t, 5> fingers = {};  ///< from the thumb to the little finger
    std::optional<std::size_t> wrist;         ///< the limb that leads to the arm, when there is one
    int junction = -1;                        ///< where most fingers begin
};

constexpr std::size_t finger_count = 5;

/// Mean of the start points of the limbs.
Vec3d middle_of(const Limbs& limbs) {
    Vec3d sum = Vec3d::Zero();
    for (const Limb& limb : limbs.limbs) sum += limb.line.front();
    return sum / static_cast<double>(limbs.limbs.size());
}

struct Fan {
    std::vector<std::size_t> limbs;  ///< in the order of their angles
    std::vector<double> angles;      ///< radians in the plane of the fan, increasing
};

/// The limbs that point in similar directions, sorted by angle in their common plane; empty when there is no
/// such plane.
std::optional<Fan> fan_of(const std::vector<Vec3d>& ends, const std::vector<std::size_t>& limbs) {
    constexpr double off_plane = 0.4, half_angle = 110;
    Vec3d mean = Vec3d::Zero();
    math::Mat3d scatter = math::Mat3d::Zero();
    for (const std::size_t l : limbs) {
        const Vec3d direction = ends[l].normalized();
        mean += direction;
        scatter += direction * direction.transpose();
    }
    if (mean.norm() < 0.5 * static_cast<double>(limbs.size())) return std::nullopt;
    const Eigen::SelfAdjointEigenSolver<math::Mat3d> solver(scatter);
    const Vec3d normal = solver.eigenvectors().col(0);
    const Vec3d along = (mean - normal * normal.dot(mean)).normalized(), across = normal.cross(along);
    std::vector<std::pair<double, std::size_t>> sorted;
    for (const std::size_t l : limbs) {
        const Vec3d direction = ends[l].normalized();
        const double angle = std::atan2(direction.dot(across), direction.dot(along));
        if (std::abs(direction.dot(normal)) > off_plane || std::abs(angle) > math::radians(half_angle))
            return std::nullopt;
        sorted.emplace_back(angle, l);
    }
    std::ranges::sort(sorted);
    Fan fan;
    for (const auto& [angle, limb] : sorted) {
        fan.limbs.push_back(limb);
        fan.angles.push_back(angle);
    }
    return fan;
}

/// Fingers have similar lengths and different directions.
bool are_fingers(const Fan& fan, const std::vector<Vec3d>& ends) {
    constexpr double min_gap = 5, widest = 80, longest = 2.5;
    double shortest = ends[fan.limbs[0]].norm(), largest = shortest;
    for (const std::size_t l : fan.limbs) {
        shortest = std::min(shortest, ends[l].norm());
        largest = std::max(largest, ends[l].norm());
    }
    for (std::size_t i = 1; i < fan.angles.size(); ++i) {
        const double gap = math::degrees(fan.angles[i] - fan.angles[i - 1]);
        if (gap < min_gap || gap > widest) return false;
    }
    return largest < longest * shortest;
}

/// The joint to which most of the fingers are attached.
int junction_of(const Limbs& limbs, const std::vector<std::size_t>& fingers) {
    std::map<int, int> count;
    for (const std::size_t l : fingers) ++count[limbs.limbs[l].junction];
    return std::ranges::max_element(count, {}, [](const auto& entry) { return entry.second; })->first;
}

/// Five limbs of similar length that form a fan: in one plane, each in its own direction, with at most one
/// further limb on the other side. Legs do not: those of a pair have the same direction in side view, and
/// arms and head have other directions. The thumb is the outermost limb with the wider gap to its neighbour.
std::optional<HandLimbs> find_hand(const Limbs& limbs) {
    const std::size_t count = limbs.limbs.size();
    if (count != finger_count && count != finger_count + 1) return std::nullopt;
    const Vec3d middle = middle_of(limbs);
    std::vector<Vec3d> ends;
    for (const Limb& limb : limbs.limbs) ends.push_back(limb.line.back() - middle);
    for (std::size_t out = 0; out < (count == finger_count ? 1 : count); ++out) {
        std::vector<std::size_t> rest;
        Vec3d mean = Vec3d::Zero();
        for (std::size_t l = 0; l < count; ++l) {
            if (count > finger_count && l == out) continue;
            rest.push_back(l);
            mean += ends[l].normalized();
        }
        if (count > finger_count && ends[out].normalized().dot(mean.normalized()) > -0.3) continue;
        std::optional<Fan> fan = fan_of(ends, rest);
        if (!fan || !are_fingers(*fan, ends)) continue;
        const double first = fan->angles[1] - fan->angles[0], last = fan->angles[4] - fan->angles[3];
        if (last > first) std::ranges::reverse(fan->limbs);
        HandLimbs hand;
        std::ranges::copy(fan->limbs, hand.fingers.begin());
        if (count > finger_count) hand.wrist = out;
        hand.junction = junction_of(limbs, rest);
        if (hand.junction >= 0) return hand;
    }
    return std::nullopt;
}

struct Pair {
    std::size_t left = 0, right = 0;  ///< limbs; left is the one at +x
    double end = 0;                   ///< height of the ends
};

class ShapeRoles {
  public:
    explicit ShapeRoles(const Skeleton& skeleton)
        : skeleton_(skeleton),
          limbs_(limbs_of(skeleton)),
          at_(joint_positions(rest_world_matrices(skeleton))),
          roles_(skeleton.size()) {}

    std::vector<JointRole> find() {
        if (const auto hand = find_hand(limbs_)) {
            set_hand(*hand);
            return roles_;
        }
        find_pairs();
        if (pairs_.empty()) return roles_;
        std::sort(pairs_.begin(), pairs_.end(), [](const Pair& a, const Pair& b) { return a.end < b.end; });
        if (pairs_.size() > 1) tell_fore_from_hind();
        const Pair legs = pairs_[0];
        const int hips = limbs_.limbs[legs.left].junction;
        roles_[at(hips)] = {Role::hips, Side::none, 0};
        set_leg(legs.left, Side::left);
        set_leg(legs.right, Side::right);
        if (pairs_.size() > 1) set_front(pairs_[1], hips);
        for (std::size_t l = 0; l < limbs_.limbs.size(); ++l) {
            if (used_[l] == 0 && limbs_.limbs[l].junction == hips) set_tail_or_head(l);
        }
        orient_by_toes();
        return roles_;
    }

  private:
    /// Two limbs of one junction that mirror each other in x, within a quarter of their length.
    void find_pairs() {
        used_.assign(limbs_.limbs.size(), 0);
        for (std::size_t a = 0; a < limbs_.limbs.size(); ++a) {
            for (std::size_t b = a + 1; b < limbs_.limbs.size() && used_[a] == 0; ++b) {
                if (used_[b] != 0 || !mirrored(limbs_.limbs[a], limbs_.limbs[b])) continue;
                used_[a] = used_[b] = 1;
                const Vec3d &end_a = limbs_.limbs[a].line.back(), &end_b = limbs_.limbs[b].line.back();
                const bool a_left = end_a.x() > end_b.x();
                pairs_.push_back({a_left ? a : b, a_left ? b : a, (end_a.y() + end_b.y()) / 2});
            }
        }
    }

    bool mirrored(const Limb& a, const Limb& b) const {
        if (a.junction != b.junction || a.junction < 0) return false;
        const Vec3d from = at_[at(a.junction)];
        const Vec3d end_a = a.line.back() - from, end_b = b.line.back() - from;
        const Vec3d image(-end_a.x(), end_a.y(), end_a.z());
        const double size = std::max(a.length, b.length);
        return (image - end_b).norm() < 0.25 * size && std::abs(end_a.x() - end_b.x()) > 0.05 * size &&
               std::abs(a.length - b.length) < 0.25 * size;
    }

    /// Four legs on the ground. The hind legs are at the end of the trunk without the head; the head is at
    /// the higher end.
    void tell_fore_from_hind() {
        const Limb &low = limbs_.limbs[pairs_[0].left], &high = limbs_.limbs[pairs_[1].left];
        if (low.junction == high.junction) return;
        const bool both_stand = std::abs(pairs_[0].end - pairs_[1].end) < 0.2 * low.length;
        if (!both_stand) return;
        const auto highest_free_end = [&](int junction) {
            double best = -1e300;
            for (std::size_t l = 0; l < limbs_.limbs.size(); ++l) {
                if (used_[l] == 0 && limbs_.limbs[l].junction == junction)
                    best = std::max(best, limbs_.limbs[l].line.back().y());
            }
            return best;
        };
        if (highest_free_end(low.junction) > highest_free_end(high.junction)) std::swap(pairs_[0], pairs_[1]);
    }

    /// The bones alone do not show whether it is a left or a right hand, so names get no side.
    void set_hand(const HandLimbs& hand) {
        for (std::size_t finger = 0; finger < hand.fingers.size(); ++finger) {
            const Limb& limb = limbs_.limbs[hand.fingers[finger]];
            const auto role = static_cast<Role>(static_cast<std::size_t>(Role::thumb) + finger);
            for (std::size_t i = 0; i < limb.joints.size(); ++i)
                set(limb.joints[i], role, Side::none, static_cast<int>(i) + 1);
        }
        if (hand.wrist) {
            const Limb& wrist = limbs_.limbs[*hand.wrist];
            set(wrist.joints.front(), Role::forearm, Side::none);
        }
        set(hand.junction, Role::hand, Side::none);
    }

    void set(int joint, Role role, Side side, int number = 0) { roles_[at(joint)] = {role, side, number}; }

    double bone(const Limb& limb, std::size_t i) const {
        return i + 2 < limb.line.size() ? (limb.line[i + 2] - limb.line[i + 1]).norm() : 0;
    }

    /// The joints without those at the same position as the next joint, such as CMU's hip joints.
    std::vector<int> real_joints(const Limb& limb, std::size_t largest) const {
        std::vector<int> joints;
        for (std::size_t i = 0; i < limb.joints.size(); ++i) {
            const bool last = i + 1 == limb.joints.size();
            if (last || bone(limb, i) > 0.02 * limb.length) joints.push_back(limb.joints[i]);
        }
        while (joints.size() > largest && joints.size() > 1) {
            const double first = (at_[at(joints[1])] - at_[at(joints[0])]).norm();
            if (first > 0.15 * limb.length) break;
            joints.erase(joints.begin());
        }
        return joints;
    }

    void set_leg(std::size_t l, Side side) {
        const std::vector<int> joints = real_joints(limbs_.limbs[l], 4);
        constexpr std::array roles = {Role::thigh, Role::shin, Role::foot, Role::toe};
        for (std::size_t i = 0; i < joints.size() && i < roles.size(); ++i) set(joints[i], roles[i], side);
    }

    void set_arm(std::size_t l, Side side) {
        const Limb& limb = limbs_.limbs[l];
        const std::vector<int> joints = real_joints(limb, 8);
        constexpr std::array roles = {Role::clavicle, Role::upper_arm, Role::forearm, Role::hand};
        const auto length = [&](std::size_t i) {
            return (at_[at(joints[i + 1])] - at_[at(joints[i])]).norm();
        };
        // Three joints are upper arm, forearm and hand, unless the first bone is short.
        const bool clavicle = joints.size() > 3 || (joints.size() == 3 && length(0) < 0.6 * length(1));
        const bool bare_arm = joints.size() > 3 && length(0) > 0.8 * length(1);
        std::size_t role = clavicle && !bare_arm ? 0 : 1;
        for (std::size_t i = 0; i < joints.size() && role < roles.size(); ++i)
            set(joints[i], roles[role++], side);
    }

    /// Assigns the chest, the spine down to the hips, and the neck and head above the arms.
    void set_front(const Pair& arms, int hips) {
        const int chest = limbs_.limbs[arms.left].junction;
        set_arm(arms.left, Side::left);
        set_arm(arms.right, Side::right);
        if (chest != hips) {
            set(chest, Role::chest, Side::none);
            for (const int joint : limbs_.trunk) {
                if (!roles_[at(joint)]) set(joint, Role::spine, Side::none);
            }
        }
        std::size_t head = limbs_.limbs.size();
        for (std::size_t l = 0; l < limbs_.limbs.size(); ++l) {
            if (used_[l] != 0 || limbs_.limbs[l].junction != chest) continue;
            const bool higher = head == limbs_.limbs.size() ||
                                limbs_.limbs[l].line.back().y() > limbs_.limbs[head].line.back().y();
            if (higher) head = l;
        }
        if (head < limbs_.limbs.size()) set_head(head);
    }

    void set_head(std::size_t l) {
        used_[l] = 1;
        const Limb& limb = limbs_.limbs[l];
        // Without a tip the last joint may only mark the top of the head.
        std::size_t count = limb.joints.size();
        const bool end_joint = count > 2 && !skeleton_.joints[at(limb.joints.back())].tip;
        if (end_joint) --count;
        for (std::size_t i = 0; i < count; ++i) {
            const bool last = i + 1 == count;
            set(limb.joints[i], last ? Role::head : Role::neck, Side::none,
                last ? 0 : static_cast<int>(i) + 1);
        }
    }

    void set_tail_or_head(std::size_t l) {
        const Limb& limb = limbs_.limbs[l];
        used_[l] = 1;
        const bool up = limb.line.back().y() > limb.line.front().y() + 0.5 * limb.length;
        if (up && pairs_.size() == 1) return set_head(l);
        for (std::size_t i = 0; i < limb.joints.size(); ++i)
            set(limb.joints[i], Role::tail, Side::none, static_cast<int>(i) + 1);
    }

    /// Feet point forward. When they point to -z, left and right are swapped.
    void orient_by_toes() {
        double forward = 0;
        for (const std::size_t l : {pairs_[0].left, pairs_[0].right}) {
            const Limb& limb = limbs_.limbs[l];
            if (limb.joints.size() < 3) continue;
            const Vec3d& end = limb.line.back();
            const Vec3d along = end - limb.line[limb.line.size() - 2];
            const bool lies = std::hypot(along.x(), along.z()) > std::abs(along.y());
            if (lies) forward += along.z() / limb.length;
        }
        if (forward > -0.05) return;
        for (JointRole& role : roles_) role.side = opposite(role.side);
    }

    const Skeleton& skeleton_;
    Limbs limbs_;
    std::vector<Vec3d> at_;
    std::vector<JointRole> roles_;
    std::vector<Pair> pairs_;
    std::vector<char> used_;
};

}  // namespace

std::vector<JointRole> roles_from_shape(const Skeleton& skeleton) {
    return ShapeRoles(skeleton).find();
}

}  // namespace sinew::model

// Roles by name, corrected by the hierarchy.

namespace sinew::model {
namespace {

/// Nearest ancestor with a role.
int role_above(const Skeleton& skeleton, const std::vector<JointRole>& roles, int joint) {
    int j = skeleton.joints[at(joint)].parent;
    while (j >= 0 && !roles[at(j)]) j = skeleton.joints[at(j)].parent;
    return j;
}

/// Corrects a limb whose first joint has the wrong name: a clavicle followed by a forearm is the upper arm, a
/// shin without a thigh above it is the thigh.
void settle_limb_starts(const Skeleton& skeleton, std::vector<JointRole>& roles) {
    for (std::size_t j = 0; j < skeleton.size(); ++j) {
        const int above = role_above(skeleton, roles, static_cast<int>(j));
        const JointRole upper = above < 0 ? JointRole{} : roles[at(above)];
        JointRole& role = roles[j];
        const bool same_side = upper.side == role.side;
        if (role.role == Role::forearm && upper.role == Role::clavicle && same_side) {
            roles[at(above)].role = Role::upper_arm;
        }
        // With both "LeftHip" and "LeftThigh", the lower one is the thigh.
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

/// The joint to which the arms are attached is the chest, even when its name only says spine.
void find_chest(const Skeleton& skeleton, std::vector<JointRole>& roles) {
    if (find_role(roles, Role::chest) >= 0) return;
    int arm = find_role(roles, Role::clavicle, Side::left);
    if (arm < 0) arm = find_role(roles, Role::upper_arm, Side::left);
    if (arm < 0) return;
    const int above = role_above(skeleton, roles, arm);
    const int next = above < 0 ? -1 : role_above(skeleton, roles, above);
    if (next >= 0 && roles[at(above)].role == Role::spine) roles[at(above)].role = Role::chest;
}

/// The last joint of a neck without a head below it is the head.
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

/// Numbers the joints of a chain from 1 outwards. A finger that starts with a higher number by name
/// ("Distal") keeps it.
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
        const int smallest = continues ? roles[at(above)].number + 1 : 1;
        role.number =
            finger && role.number > 0 && role.number < 4 ? std::max(role.number, smallest) : smallest;
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
    // Names that explain only the start of an arm ("arm_joint_R" before "arm_joint_R__2_") are less reliable
    // than the shape.
    const auto forearms = within(Role::forearm, Role::hand);
    if (std::none_of(roles.begin(), roles.end(), forearms) &&
        std::any_of(shape.begin(), shape.end(), forearms)) {
        std::replace_if(roles.begin(), roles.end(), within(Role::clavicle, Role::upper_arm), JointRole{});
    }
    // Decided by groups of joints, so that the two methods are not mixed within a limb.
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
