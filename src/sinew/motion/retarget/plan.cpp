// SPDX-License-Identifier: MIT
#include "sinew/motion/retarget/plan.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/array.h"
#include "sinew/base/error.h"
#include "sinew/base/text.h"

namespace sinew::motion {

using math::Mat4d;
using math::Quatd;
using math::Vec3d;
using model::JointRole;
using model::Role;
using model::Side;
using model::Skeleton;

namespace {

/// Horizontal facing direction of a body from the direction from its right to its left; zero without sides.
Vec3d facing_of(const RestPose& rest, const std::vector<JointRole>& roles) {
    Vec3d left = Vec3d::Zero();
    for (const Role role : {Role::thigh, Role::upper_arm, Role::clavicle, Role::foot}) {
        const int l = model::find_role(roles, role, Side::left),
                  r = model::find_role(roles, role, Side::right);
        if (l < 0 || r < 0) continue;
        Vec3d path = rest.positions[at(l)] - rest.positions[at(r)];
        path.y() = 0;
        if (path.norm() > 1e-6 * rest.height) left += path.normalized();
    }
    const Vec3d forward = left.cross(Vec3d::UnitY());
    return forward.norm() > 0.1 ? Vec3d(forward.normalized()) : Vec3d(Vec3d::Zero());
}

/// The first mapped joint below a joint, on every branch.
std::vector<int> mapped_below(const std::vector<std::vector<int>>& children, const JointMap& map, int joint) {
    std::vector<int> found, open = children[at(joint)];
    while (!open.empty()) {
        const int next = open.back();
        open.pop_back();
        if (map[at(next)] >= 0) {
            found.push_back(next);
        } else {
            open.insert(open.end(), children[at(next)].begin(), children[at(next)].end());
        }
    }
    return found;
}

/// Bone of a mapped joint in both skeletons, at rest.
struct BonePair {
    Vec3d source = Vec3d::Zero();
    Vec3d target = Vec3d::Zero();
};

/// A bone without length has no direction.
std::optional<BonePair> with_length(const RetargetPlan& plan, const BonePair& pair) {
    const bool good = pair.source.norm() > 1e-6 * plan.source_rest.height &&
                      pair.target.norm() > 1e-6 * plan.target_rest.height;
    return good ? std::optional(pair) : std::nullopt;
}

/// Bones that have one direction even when several joints are attached to their end, such as a forearm that
/// carries fingers without a hand.
bool is_long_bone(Role role) {
    return role == Role::upper_arm || role == Role::forearm || role == Role::thigh || role == Role::shin;
}

/// To the only mapped child; for a long bone to the centroid of its mapped children; otherwise to the tip.
std::optional<BonePair> bone_pair(const RetargetPlan& plan, const JointMap& map,
                                  const std::vector<std::vector<int>>& children, int joint) {
    const int from = map[at(joint)];
    const std::vector<int> below = mapped_below(children, map, joint);
    const RestPose &a = plan.source_rest, &b = plan.target_rest;
    if (below.size() == 1 || (!below.empty() && is_long_bone(plan.target_roles[at(joint)].role))) {
        BonePair sum;
        for (const int end : below) {
            sum.source += a.positions[at(map[at(end)])] - a.positions[at(from)];
            sum.target += b.positions[at(end)] - b.positions[at(joint)];
        }
        return with_length(plan, sum);
    }
    const auto& source_tip = plan.source.joints[at(from)].tip;
    const auto& target_tip = plan.target.joints[at(joint)].tip;
    if (!below.empty() || !source_tip || !target_tip) return std::nullopt;
    return with_length(plan, {a.world[at(from)].topLeftCorner<3, 3>() * *source_tip,
                              b.world[at(joint)].topLeftCorner<3, 3>() * *target_tip});
}

/// Joints whose slopes at rest belong to the shape of a body, not to its pose: a hunched back and a level
/// head are kept. They rotate by the same amount as those of the source.
bool keeps_shape(Role role) {
    switch (role) {
        case Role::hips:
        case Role::spine:
        case Role::chest:
        case Role::upper_chest:
        case Role::neck:
        case Role::head:
        case Role::jaw:
        case Role::eye:
        case Role::ear:
        case Role::tail:
            return true;
        default:
            return false;
    }
}

/// From the hips to the root of the neck, or to the head; zero when one of them has no role.
Vec3d trunk_of(const RestPose& rest, const std::vector<JointRole>& roles) {
    const int hips = model::find_role(roles, Role::hips);
    int end = model::find_role(roles, Role::neck);
    if (end < 0) end = model::find_role(roles, Role::head);
    if (hips < 0 || end < 0) return Vec3d::Zero();
    return rest.positions[at(end)] - rest.positions[at(hips)];
}

/// Rotates the trunk of the target at rest to that of the source when only one of them lies; otherwise the
/// identity.
Quatd trunk_rotation(const RetargetPlan& plan) {
    const double alike = math::radians(45);  // a hunched back compared with a straight one
    const Vec3d a = plan.facing * trunk_of(plan.source_rest, plan.source_roles),
                b = trunk_of(plan.target_rest, plan.target_roles);
    if (!(a.norm() > 0 && b.norm() > 0)) return Quatd::Identity();
    const Quatd rotation = math::rotation_between<double>(b.normalized(), a.normalized());
    return math::rotation_vector(rotation).norm() < alike ? Quatd::Identity() : rotation;
}

bool is_flat(const Vec3d& bone) {
    return std::hypot(bone.x(), bone.z()) > 0.3 * bone.norm();
}

/// Feet stand flat at rest whatever the height of their ankles, and collar bones begin at different heights
/// of the chest: their slope is shape, not pose, so only the heading of such a bone is compared. A foot of
/// the motion that points steeply down is excluded.
void level_slopes(const RetargetPlan& plan, int joint, BonePair& pair) {
    const Role role = plan.target_roles[at(joint)].role;
    if (role != Role::foot && role != Role::toe && role != Role::clavicle) return;
    if (!is_flat(pair.source) || !is_flat(pair.target)) return;
    pair.source.y() = pair.target.y() = 0;
}

/// True for a foot of the target whose toes are straight below the ankle, as in short feet: it has no
/// heading, but still rests flat.
bool stands_below(const RetargetPlan& plan, int joint, const BonePair& pair) {
    return plan.target_roles[at(joint)].role == Role::foot && is_flat(pair.source) && !is_flat(pair.target) &&
           pair.target.y() < 0;
}

bool near_identity(const Quatd& q) {
    return math::log_shortest(q).norm() < 1e-9;
}

/// True when keys of the source joint mean the same in the target joint.
bool same_frames(const RetargetPlan& plan, const JointMap& map, int joint) {
    const RetargetPart& part = plan.parts[at(joint)];
    const int parent = plan.target.joints[at(joint)].parent;
    const int source_parent = plan.source.joints[at(part.source)].parent;
    const auto agree = [&](int a, int b) {
        return math::angle_between(plan.source_rest.rotations[at(a)], plan.target_rest.rotations[at(b)]) <
               1e-9;
    };
    if (part.second >= 0 || plan.turned) return false;
    if (!near_identity(part.correction) || !agree(part.source, joint)) return false;
    if (parent < 0 || source_parent < 0) return parent < 0 && source_parent < 0;
    const RetargetPart& above = plan.parts[at(parent)];
    return map[at(parent)] == source_parent && above.second < 0 && near_identity(above.correction) &&
           agree(source_parent, parent);
}

/// Corrections and copies of all joints, parents first.
void plan_parts(RetargetPlan& plan, const JointMap& map, std::span<const ChainLink> links) {
    const auto children = model::children(plan.target);
    const Quatd trunk = trunk_rotation(plan);
    std::vector<bool> below_mapped(plan.target.size(), false);
    for (std::size_t j = 0; j < plan.target.size(); ++j) {
        RetargetPart part;
        const int parent = plan.target.joints[j].parent;
        part.source = map[j];
        if (parent >= 0) {
            part.correction = plan.parts[at(parent)].correction;
            below_mapped[j] = below_mapped[at(parent)] || map[at(parent)] >= 0;
        }
        if (part.source >= 0) {
            part.top = !below_mapped[j];
            auto pair = keeps_shape(plan.target_roles[j].role)
                            ? std::nullopt
                            : bone_pair(plan, map, children, static_cast<int>(j));
            if (part.top) part.correction = trunk;
            if (pair && stands_below(plan, static_cast<int>(j), *pair)) {
                part.correction = trunk;
            } else if (pair) {
                level_slopes(plan, static_cast<int>(j), *pair);
                part.correction = math::rotation_between<double>(pair->target.normalized(),
                                                                 (plan.facing * pair->source).normalized());
            }
            const Quatd rest = plan.facing.conjugate() * part.correction * plan.target_rest.rotations[j];
            const auto after = [&](int source) {
                return Quatd(plan.source_rest.rotations[at(source)].conjugate() * rest).normalized();
            };
            const auto link = std::ranges::find(links, static_cast<int>(j), &ChainLink::target);
            if (link != links.end() && link->fraction < 1 && link->from >= 0) {
                part.source = link->from;
                part.second = link->to;
                part.blend = link->fraction;
                part.after_second = after(part.second);
            }
            part.after = after(part.source);
        }
        plan.parts.push_back(part);
        if (part.source >= 0) plan.parts[j].same = same_frames(plan, map, static_cast<int>(j));
    }
}

/// Ratio of the hip heights, or of the skeletons' sizes when a hip is at ground level.
double travel_scale(const RetargetPlan& plan) {
    for (std::size_t j = 0; j < plan.parts.size(); ++j) {
        if (!plan.parts[j].top) continue;
        const double from =
            plan.source_rest.positions[at(plan.parts[j].source)].y() - plan.source_rest.lowest;
        const double to = plan.target_rest.positions[j].y() - plan.target_rest.lowest;
        if (from > 0.05 * plan.source_rest.height && to > 0.05 * plan.target_rest.height) return to / from;
        break;
    }
    const bool sized = plan.source_rest.height > 0 && plan.target_rest.height > 0;
    return sized ? plan.target_rest.height / plan.source_rest.height : 1;
}

std::string some_names(const Skeleton& skeleton) {
    std::string names;
    for (std::size_t j = 0; j < std::min<std::size_t>(skeleton.size(), 6); ++j) {
        names += (j > 0 ? ", " : "") + skeleton.joints[j].name;
    }
    return names + (skeleton.size() > 6 ? ", ..." : "");
}

void check(const Skeleton& source, const Skeleton& target, const JointMap& map) {
    if (map.size() != target.size())
        fail("retarget", "the map has {} joints, the skeleton {}", map.size(), target.size());
    for (const int joint : map) {
        if (joint >= static_cast<int>(source.size()))
            fail("retarget", "the map names joint {} of {}", joint, source.size());
    }
    if (std::ranges::none_of(map, [](int joint) { return joint >= 0; })) {
        fail("retarget", "no joint of the motion ({}) fits one of the character ({})", some_names(source),
             some_names(target));
    }
}

bool says_twist(const std::string& name) {
    const std::string plain = to_lower(name);
    return plain.find("twist") != std::string::npos || plain.find("roll") != std::string::npos;
}

/// The next joint of the limb, or -1.
Role next_of(Role role) {
    switch (role) {
        case Role::upper_arm:
            return Role::forearm;
        case Role::forearm:
            return Role::hand;
        case Role::thigh:
            return Role::shin;
        case Role::shin:
            return Role::foot;
        default:
            return Role::none;
    }
}

}  // namespace

RestPose::RestPose(const Skeleton& skeleton) : world(model::rest_world_matrices(skeleton)) {
    for (const model::Joint& joint : skeleton.joints) {
        const Quatd above = joint.parent < 0 ? Quatd::Identity() : rotations[at(joint.parent)];
        rotations.push_back((above * joint.rest.rotation).normalized());
    }
    positions = model::joint_positions(world);
    height = model::height(skeleton);
    lowest = positions.empty() ? 0 : positions[0].y();
    for (std::size_t j = 0; j < positions.size(); ++j) {
        lowest = std::min(lowest, positions[j].y());
        const auto& tip = skeleton.joints[j].tip;
        if (tip) lowest = std::min(lowest, math::transform_point(world[j], *tip).y());
    }
}

Quatd facing_rotation(const RestPose& from, const std::vector<JointRole>& from_roles, const RestPose& to,
                      const std::vector<JointRole>& to_roles) {
    const Vec3d a = facing_of(from, from_roles), b = facing_of(to, to_roles);
    if (a.isZero() || b.isZero()) return Quatd::Identity();
    const double angle = std::atan2(a.cross(b).y(), a.dot(b));
    if (std::abs(angle) < math::radians(30)) return Quatd::Identity();
    return math::axis_angle<double>(Vec3d::UnitY(), angle);
}

std::optional<LegJoints> find_leg(const Skeleton& skeleton, const RestPose& rest,
                                  const std::vector<JointRole>& roles, const LegName& name) {
    LegJoints leg;
    leg.thigh = model::find_role(roles, name.front ? Role::upper_arm : Role::thigh, name.side);
    leg.shin = model::find_role(roles, name.front ? Role::forearm : Role::shin, name.side);
    leg.foot = model::find_role(roles, name.front ? Role::hand : Role::foot, name.side);
    if (!name.front) leg.toe = model::find_role(roles, Role::toe, name.side);
    if (leg.thigh < 0 || leg.shin <= leg.thigh || leg.foot <= leg.shin) return std::nullopt;
    const Vec3d foot = rest.positions[at(leg.foot)];
    leg.metatarsal_rest = foot;
    const auto& tip = skeleton.joints[at(leg.foot)].tip;
    if (leg.toe > leg.foot)
        leg.metatarsal_rest = rest.positions[at(leg.toe)];
    else if (tip)
        leg.metatarsal_rest = math::transform_point(rest.world[at(leg.foot)], *tip);
    leg.metatarsal = rest.rotations[at(leg.foot)].conjugate() * (leg.metatarsal_rest - foot);
    const Vec3d knee = rest.positions[at(leg.shin)];
    leg.length = (knee - rest.positions[at(leg.thigh)]).norm() + (foot - knee).norm();
    if (!(leg.length > 0)) return std::nullopt;
    return leg;
}

RetargetPlan plan_retarget(const Skeleton& source, const Skeleton& target, const JointMap& map,
                           std::span<const ChainLink> links, const RetargetOptions& options) {
    check(source, target, map);
    RetargetPlan plan{source,
                      target,
                      RestPose(source),
                      RestPose(target),
                      model::find_roles(source),
                      model::find_roles(target),
                      {},
                      stands_on_four(source) && stands_on_four(target)};
    if (options.align_facing)
        plan.facing =
            facing_rotation(plan.source_rest, plan.source_roles, plan.target_rest, plan.target_roles);
    plan.turned = !near_identity(plan.facing);
    plan_parts(plan, map, links);
    plan.scale = options.scale.value_or(travel_scale(plan));
    plan.twists = find_twist_joints(target, plan.target_roles);
    std::erase_if(plan.twists,
                  [&](const TwistJoint& twist) { return plan.parts[at(twist.joint)].source >= 0; });
    return plan;
}

double twist_angle(const Quatd& rotation, const Vec3d& axis) {
    const double along = rotation.vec().dot(axis);
    if (along == 0 && rotation.w() == 0) return 0;
    double angle = 2 * std::atan2(along, rotation.w());
    if (angle > math::pi) angle -= 2 * math::pi;
    if (angle <= -math::pi) angle += 2 * math::pi;
    return angle;
}

std::vector<TwistJoint> find_twist_joints(const model::Skeleton& skeleton,
                                          const std::vector<model::JointRole>& roles) {
    const std::vector<math::Mat4d> world = model::rest_world_matrices(skeleton);
    const std::vector<Vec3d> positions = model::joint_positions(world);
    std::vector<TwistJoint> found;
    for (std::size_t j = 0; j < skeleton.size(); ++j) {
        const int bone = skeleton.joints[j].parent;
        if (bone < 0 || roles[j] || !says_twist(skeleton.joints[j].name)) continue;
        const model::JointRole& role = roles[at(bone)];
        const int next = model::find_role(roles, next_of(role.role), role.side);
        if (next_of(role.role) == Role::none || next < 0) continue;
        const Vec3d length = positions[at(next)] - positions[at(bone)];
        if (!(length.norm() > 0)) continue;
        const double path =
            std::clamp((positions[j] - positions[at(bone)]).dot(length) / length.squaredNorm(), 0.0, 1.0);
        const bool lower = role.role == Role::forearm || role.role == Role::shin;
        TwistJoint twist{static_cast<int>(j), bone, lower ? next : bone, lower ? path : path - 1, {}};
        const math::Mat3d rotation = math::decompose(world[at(bone)]).transform.rotation.toRotationMatrix();
        twist.axis = rotation.transpose() * length.normalized();
        found.push_back(twist);
    }
    return found;
}

}  // namespace sinew::motion
