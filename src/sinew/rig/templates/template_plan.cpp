// SPDX-License-Identifier: MIT
#include "sinew/rig/templates/template_plan.h"

#include <algorithm>

#include "sinew/base/array.h"
#include "sinew/base/error.h"
#include "sinew/base/text.h"

namespace sinew::rig {

namespace {

using model::JointRole;
using model::Role;
using model::Side;

/// "HeadTop_End", "ball_leaf_l": a joint that marks where its limb ends.
bool marks_end(const std::string& name) {
    const std::string lower = to_lower(name);
    for (const std::string_view word : {"end", "leaf", "nub", "site", "tip"}) {
        if (lower.find(word) != std::string::npos) return true;
    }
    return false;
}

class TipMaker {
  public:
    TipMaker(const model::Skeleton& skeleton, const std::vector<JointRole>& roles)
        : skeleton_(skeleton),
          roles_(roles),
          world_(model::rest_world_matrices(skeleton)),
          at_(model::joint_positions(world_)) {}

    /// Where the limb of a last joint ends, in the world.
    Vec3d end_of(int joint) const {
        const JointRole role = roles_[at(joint)];
        const int parent = skeleton_.joints[at(joint)].parent;
        const Vec3d here = at_[at(joint)];
        const Vec3d bone = parent < 0 ? Vec3d(Vec3d::UnitY()) : Vec3d(here - at_[at(parent)]);
        const double length = bone.norm();
        const Vec3d along = length > 0 ? Vec3d(bone / length) : Vec3d(Vec3d::UnitY());
        switch (role.role) {
            case Role::hand:
                return here + along * std::max(0.7 * length, 0.3 * length);
            case Role::head:
                return here + along_neck(joint, along) * head_length(joint, length);
            case Role::foot:
                return here + forward() * (0.5 * length) - Vec3d::UnitY() * (0.15 * length);
            case Role::toe:
                return here + forward() * toe_length(joint, length);
            default:
                return here + along * (0.5 * length);
        }
    }

  private:
    double between(Role a, Role b, Side side) const {
        const int i = model::find_role(roles_, a, side), j = model::find_role(roles_, b, side);
        return i < 0 || j < 0 ? 0 : (at_[at(i)] - at_[at(j)]).norm();
    }
    double head_length(int head, double neck) const {
        const int hips = model::find_role(roles_, Role::hips);
        return hips < 0 ? 2 * neck : (at_[at(head)] - at_[at(hips)]).norm() / 3;
    }
    double toe_length(int toe, double foot) const {
        const double shin = between(Role::shin, Role::foot, roles_[at(toe)].side);
        return std::max(0.55 * shin - foot, 0.3 * foot);
    }
    Vec3d along_neck(int head, const Vec3d& along) const {
        const int hips = model::find_role(roles_, Role::hips),
                  thigh = model::find_role(roles_, Role::thigh, Side::left);
        if (hips < 0 || thigh < 0) return along;
        const Vec3d up = (at_[at(head)] - at_[at(hips)]).normalized();
        return up.y() > 0.7 ? up : along;  // a head on an upright body
    }
    /// Of a body with +y up: from its left and right, else +z.
    Vec3d forward() const {
        const int left = model::find_role(roles_, Role::thigh, Side::left),
                  right = model::find_role(roles_, Role::thigh, Side::right);
        if (left < 0 || right < 0) return Vec3d::UnitZ();
        const Vec3d front = (at_[at(left)] - at_[at(right)]).cross(Vec3d::UnitY());
        return front.norm() > 0 ? Vec3d(front.normalized()) : Vec3d(Vec3d::UnitZ());
    }

    const model::Skeleton& skeleton_;
    const std::vector<JointRole>& roles_;
    std::vector<math::Mat4d> world_;
    std::vector<Vec3d> at_;
};

/// Parts of the face, and handles that stand outside of the body.
std::vector<char> no_limbs(const model::Skeleton& skeleton, const std::vector<JointRole>& roles) {
    std::vector<char> result(skeleton.size(), 0);
    for (std::size_t j = 0; j < skeleton.size(); ++j) {
        const Role role = roles[j].role;
        const std::string name = to_lower(skeleton.joints[j].name);
        const bool handle =
            name.find("pole") != std::string::npos || name.find("target") != std::string::npos;
        result[j] = role == Role::eye || role == Role::ear || role == Role::jaw || handle ? 1 : 0;
    }
    return result;
}

LimbKind kind_of(const model::Limb& limb, const std::vector<JointRole>& roles) {
    for (const int joint : limb.joints) {
        const Role role = roles[at(joint)].role;
        if (role >= Role::upper_arm && role <= Role::hand) return LimbKind::arm;
        if (role >= Role::thigh && role <= Role::toe) return LimbKind::leg;
        if (role == Role::neck || role == Role::head) return LimbKind::head;
    }
    return LimbKind::other;
}

void add_points(TemplatePlan& plan) {
    const std::vector<math::Mat4d> world = model::rest_world_matrices(plan.skeleton);
    plan.points = model::joint_positions(world);
    plan.tip_of.assign(plan.joint_count(), -1);
    for (const model::Joint& joint : plan.skeleton.joints) plan.parent.push_back(joint.parent);
    for (std::size_t j = 0; j < plan.joint_count(); ++j) {
        if (!plan.skeleton.joints[j].tip) continue;
        plan.tip_of[j] = static_cast<int>(plan.points.size());
        plan.points.push_back(math::transform_point(world[j], *plan.skeleton.joints[j].tip));
        plan.parent.push_back(static_cast<int>(j));
    }
    Vec3d low = plan.points[0], high = low;
    for (const Vec3d& point : plan.points) {
        low = low.cwiseMin(point);
        high = high.cwiseMax(point);
    }
    plan.size = (high - low).norm();
}

/// Twins have the same role and number on the other side.
void find_mirrors(TemplatePlan& plan) {
    plan.mirror.resize(plan.points.size());
    for (std::size_t p = 0; p < plan.points.size(); ++p) plan.mirror[p] = static_cast<int>(p);
    for (std::size_t a = 0; a < plan.joint_count(); ++a) {
        const JointRole role = plan.roles[a];
        if (!role || role.side != Side::left) continue;
        const JointRole wanted{role.role, Side::right, role.number};
        const auto found = std::find(plan.roles.begin(), plan.roles.end(), wanted);
        if (found == plan.roles.end()) continue;
        const int b = static_cast<int>(found - plan.roles.begin());
        const auto pair = [&](int x, int y) {
            plan.mirror[at(x)] = y;
            plan.mirror[at(y)] = x;
        };
        pair(static_cast<int>(a), b);
        if (plan.tip_of[a] >= 0 && plan.tip_of[at(b)] >= 0) pair(plan.tip_of[a], plan.tip_of[at(b)]);
    }
}

}  // namespace

std::vector<int> TemplatePlan::limb_points(std::size_t limb) const {
    const model::Limb& l = limbs.limbs[limb];
    std::vector<int> result;
    if (l.junction >= 0) result.push_back(l.junction);
    result.insert(result.end(), l.joints.begin(), l.joints.end());
    if (tip_of[at(l.joints.back())] >= 0) result.push_back(tip_of[at(l.joints.back())]);
    return result;
}

std::vector<int> TemplatePlan::path(int from, int to) const {
    std::vector<int> up, down;
    std::vector<char> above(points.size(), 0);
    for (int p = from; p >= 0; p = parent[at(p)]) above[at(p)] = 1;
    int top = to;
    while (top >= 0 && above[at(top)] == 0) {
        down.push_back(top);
        top = parent[at(top)];
    }
    for (int p = from; p >= 0 && p != top; p = parent[at(p)]) up.push_back(p);
    if (top >= 0) up.push_back(top);
    up.insert(up.end(), down.rbegin(), down.rend());
    return up;
}

double TemplatePlan::length(const std::vector<int>& path) const {
    double sum = 0;
    for (std::size_t i = 1; i < path.size(); ++i)
        sum += (points[at(path[i])] - points[at(path[i - 1])]).norm();
    return sum;
}

TemplatePlan plan_template(const model::Skeleton& skeleton) {
    if (skeleton.empty()) fail("template", "a skeleton without joints cannot be placed");
    if (!(model::height(skeleton) > 0)) fail("template", "a skeleton without extent cannot be placed");
    TemplatePlan plan;
    plan.skeleton = skeleton;
    plan.roles = model::find_roles(skeleton);
    plan.virtual_tip.assign(skeleton.size(), 0);
    const std::vector<char> ignored = no_limbs(skeleton, plan.roles);
    const TipMaker tips(skeleton, plan.roles);
    const std::vector<math::Mat4d> world = model::rest_world_matrices(skeleton);
    for (const model::Limb& limb : model::limbs_of(skeleton, ignored).limbs) {
        const int last = limb.joints.back();
        model::Joint& joint = plan.skeleton.joints[at(last)];
        if (joint.tip || (!plan.roles[at(last)] && marks_end(joint.name))) continue;
        joint.tip = math::transform_point(math::inverse_affine(world[at(last)]), tips.end_of(last));
        plan.virtual_tip[at(last)] = 1;
    }
    add_points(plan);
    plan.limbs = model::limbs_of(plan.skeleton, ignored);
    for (const model::Limb& limb : plan.limbs.limbs) plan.kinds.push_back(kind_of(limb, plan.roles));
    find_mirrors(plan);
    return plan;
}

}  // namespace sinew::rig
