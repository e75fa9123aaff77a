// SPDX-License-Identifier: MIT
#include <algorithm>
#include <utility>

#include "sinew/base/array.h"
#include "sinew/motion/markers/calibrate.h"

namespace sinew::motion {

using math::Mat3d;
using math::Quatd;
using math::Vec3d;
using model::Role;
using model::Side;

namespace {

/// Direction of a landmark from its base at rest.
Vec3d rest_direction(const Body& body, const Landmark& landmark, int carrier, int base) {
    const Vec3d bone = body.positions[at(base)] - body.positions[at(carrier)];
    const bool limb = landmark.carrier == Role::thigh || landmark.carrier == Role::shin ||
                      landmark.carrier == Role::upper_arm || landmark.carrier == Role::forearm;
    const auto squared = [&](const Vec3d& v) -> Vec3d {
        return limb && bone.norm() > 1e-3 ? (v - v.dot(bone) / bone.squaredNorm() * bone).normalized() : v;
    };
    switch (landmark.kind) {
        case LandmarkKind::lateral:
            return squared(Vec3d::UnitX());
        case LandmarkKind::forward:
            return squared(Vec3d::UnitZ());
        case LandmarkKind::up:
            return squared(Vec3d::UnitY());
        case LandmarkKind::hinge:
            return bone.cross(Vec3d::UnitZ()).normalized();
        case LandmarkKind::onward: {
            const int parent = body.skeleton.joints[at(carrier)].parent;
            if (parent < 0) return Vec3d::Zero();
            const Vec3d before = body.positions[at(carrier)] - body.positions[at(parent)];
            return before.norm() > 1e-6 ? Vec3d(before.normalized()) : Vec3d(Vec3d::Zero());
        }
        case LandmarkKind::centre:
            break;
    }
    return Vec3d::Zero();
}

const Landmark* find_centre(std::span<const Landmark> landmarks, Role role, Side side) {
    const auto found = std::find_if(landmarks.begin(), landmarks.end(), [&](const Landmark& l) {
        return l.kind == LandmarkKind::centre && l.base == role && l.side == side;
    });
    return found == landmarks.end() ? nullptr : &*found;
}

/// Two ends between which a length can be measured; Side::none is the midpoint of both sides.
struct Span {
    Role from;
    Side from_side;
    Role to;
    Side to_side;
};

/// Median ratio of the measured distance to the distance at rest; 0 when it was not measured in any frame.
double ratio(const Body& body, std::span<const std::vector<Landmark>> frames, const Span& span) {
    const auto at_rest = [&](Role role, Side side) -> Vec3d {
        const int j = body.find(role, side);
        if (j >= 0) return body.positions[at(j)];
        const int left = body.find(role, Side::left), right = body.find(role, Side::right);
        if (left < 0 || right < 0) return Vec3d::Constant(unknown);
        return (body.positions[at(left)] + body.positions[at(right)]) / 2;
    };
    const double rest = (at_rest(span.to, span.to_side) - at_rest(span.from, span.from_side)).norm();
    if (!(rest > 1e-3)) return 0;
    std::vector<double> ratios;
    for (const auto& landmarks : frames) {
        const auto measured = [&](Role role, Side side) -> Vec3d {
            if (const Landmark* l = find_centre(landmarks, role, side)) return l->position;
            const Landmark* left = find_centre(landmarks, role, Side::left);
            const Landmark* right = find_centre(landmarks, role, Side::right);
            if (left == nullptr || right == nullptr) return Vec3d::Constant(unknown);
            return (left->position + right->position) / 2;
        };
        const double now = (measured(span.to, span.to_side) - measured(span.from, span.from_side)).norm();
        if (std::isfinite(now)) ratios.push_back(now / rest);
    }
    return median(std::move(ratios));
}

/// Sets the scale factor of the joints on the path from `from` (excluded) to `to`.
void set_path(const Body& body, int from, int to, double factor, std::vector<double>& factors) {
    if (factor <= 0 || to < 0) return;
    for (int j = to; j >= 0 && j != from; j = body.skeleton.joints[at(j)].parent) factors[at(j)] = factor;
}

/// The joint at which the limb of landmark `i` begins: hip, shoulder or neck; -1 for none.
int limb_start(const std::vector<Landmark>& all, std::size_t i) {
    Role start = Role::none;
    switch (all[i].carrier) {
        case Role::thigh:
        case Role::shin:
        case Role::foot:
            start = Role::thigh;
            break;
        case Role::upper_arm:
        case Role::forearm:
        case Role::hand:
            start = Role::upper_arm;
            break;
        case Role::upper_chest:
        case Role::neck:
            start = Role::neck;
            break;
        case Role::head:
            start = Role::head;
            break;
        default:
            return -1;
    }
    for (std::size_t k = 0; k < all.size(); ++k) {
        if (all[k].kind == LandmarkKind::centre && all[k].base == start && all[k].side == all[i].side) {
            return static_cast<int>(k);
        }
    }
    return -1;
}

/// Moves the neck, and everything measured from it, along the line from the hips to the position of the
/// skeleton's own neck, so that a trunk of another length has the same inclination.
void fit_trunk(const Body& body, std::vector<Landmark>& landmarks) {
    const Landmark* left = find_centre(landmarks, Role::thigh, Side::left);
    const Landmark* right = find_centre(landmarks, Role::thigh, Side::right);
    const Landmark* neck = find_centre(landmarks, Role::neck, Side::none);
    const int l = body.find(Role::thigh, Side::left), r = body.find(Role::thigh, Side::right);
    const int n = body.find(Role::neck, Side::none);
    if (left == nullptr || right == nullptr || neck == nullptr || l < 0 || r < 0 || n < 0) return;
    const Vec3d trunk = neck->position - (left->position + right->position) / 2;
    const double rest = (body.positions[at(n)] - (body.positions[at(l)] + body.positions[at(r)]) / 2).norm();
    if (trunk.norm() < 1e-3) return;
    const Vec3d shift = (rest / trunk.norm() - 1) * trunk;
    for (Landmark& landmark : landmarks) {
        if (landmark.base == Role::neck) landmark.position += shift;
    }
}

}  // namespace

Body::Body(model::Skeleton from)
    : skeleton(std::move(from)),
      roles(model::find_roles(skeleton)),
      rest(model::rest_world_matrices(skeleton)),
      positions(model::joint_positions(rest)) {}

std::optional<Attachment> attach(const Body& body, const Landmark& landmark) {
    const int base = body.find(landmark.base, landmark.side);
    const int carrier = landmark.kind == LandmarkKind::centre
                            ? base
                            : segment_joint(body.skeleton, body.roles, landmark.carrier,
                                            landmark.carrier == Role::hips ? Side::none : landmark.side);
    if (base < 0 || carrier < 0) return std::nullopt;
    const Vec3d point =
        body.positions[at(base)] + landmark.lever * rest_direction(body, landmark, carrier, base);
    const Vec3d offset =
        body.rest[at(carrier)].topLeftCorner<3, 3>().transpose() * (point - body.positions[at(carrier)]);
    return Attachment{carrier, offset, landmark.weight};
}

Pose pose_at_pelvis(const Body& body, const PelvisFrame& pelvis, std::span<const Landmark> landmarks) {
    Pose pose = rest_pose(body.skeleton);
    int root = std::max(0, body.find(Role::hips, Side::none));
    const int hips = root;
    while (body.skeleton.joints[at(root)].parent >= 0) root = body.skeleton.joints[at(root)].parent;
    Mat3d axes;
    axes << pelvis.left, pelvis.up, pelvis.forward;
    const Quatd rotation(axes);
    pose.rotation[at(root)] = rotation * pose.rotation[at(root)];
    // The midpoint of both hip joints is the most accurate point of the pelvis.
    Vec3d at_rest = body.positions[at(hips)], now = pelvis.middle;
    const int left = body.find(Role::thigh, Side::left), right = body.find(Role::thigh, Side::right);
    const Landmark* l = find_centre(landmarks, Role::thigh, Side::left);
    const Landmark* r = find_centre(landmarks, Role::thigh, Side::right);
    if (left >= 0 && right >= 0 && l != nullptr && r != nullptr) {
        at_rest = (body.positions[at(left)] + body.positions[at(right)]) / 2;
        now = (l->position + r->position) / 2;
    }
    pose.translation[at(root)] = now - rotation * (at_rest - body.positions[at(root)]);
    return pose;
}

Pose pose_at_landmarks(const Body& body, const PelvisFrame& pelvis, std::span<const Landmark> landmarks) {
    std::vector<Attachment> attachments;
    std::vector<Landmark> used;
    for (const Landmark& landmark : landmarks) {
        const auto attachment = attach(body, landmark);
        if (!attachment) continue;
        attachments.push_back(*attachment);
        used.push_back(landmark);
    }
    fit_trunk(body, used);
    Pose pose = pose_at_pelvis(body, pelvis, landmarks);
    if (attachments.empty()) return pose;
    PoseOptions options;
    options.huber = 0.05;
    options.smoothness = 0;
    options.max_iterations = 60;
    PoseSolver solver(body.skeleton, attachments, options);
    std::vector<Vec3d> targets, points;
    // A limb may begin at another position on the skeleton than on the body, but its direction must match. So
    // the pose is fitted twice; for the second pass each limb is moved to its start on the skeleton.
    // Shoulders and head start where the trunk has them at rest: their measured positions would only raise or
    // bend the joints that carry them.
    for (int pass = 0; pass < 2; ++pass) {
        targets.clear();
        for (const Landmark& landmark : used) targets.push_back(landmark.position);
        if (pass == 1) solver.points(pose, points);
        for (std::size_t i = 0; i < used.size(); ++i) {
            const int start = limb_start(used, i);
            if (start < 0) continue;
            const Role limb = used[at(start)].base;
            if (pass == 1) {
                targets[i] += points[at(start)] - used[at(start)].position;
            } else if (limb == Role::upper_arm || limb == Role::head) {
                targets[i] = Vec3d::Constant(unknown);
            }
        }
        solver.solve(targets, pose);
    }
    return pose;
}

double scale_to_landmarks(const Body& body, std::span<const std::vector<Landmark>> frames,
                          model::Skeleton& scaled) {
    std::vector<double> factors(body.skeleton.size(), 0), measured;
    const auto apply = [&](const Span& span, int from, int to) {
        const double factor = ratio(body, frames, span);
        if (factor > 0) measured.push_back(factor);
        set_path(body, from, to, factor, factors);
    };
    const int chest = segment_joint(body.skeleton, body.roles, Role::upper_chest, Side::none);
    const int hips = body.find(Role::hips, Side::none), neck = body.find(Role::neck, Side::none);
    apply({Role::thigh, Side::none, Role::neck, Side::none}, hips, neck);
    for (const Side side : {Side::left, Side::right}) {
        const auto joint = [&](Role role) { return body.find(role, side); };
        apply({Role::upper_arm, Side::left, Role::upper_arm, Side::right}, chest, joint(Role::upper_arm));
        apply({Role::upper_arm, side, Role::forearm, side}, joint(Role::upper_arm), joint(Role::forearm));
        apply({Role::forearm, side, Role::hand, side}, joint(Role::forearm), joint(Role::hand));
        apply({Role::thigh, Side::left, Role::thigh, Side::right}, hips, joint(Role::thigh));
        apply({Role::thigh, side, Role::shin, side}, joint(Role::thigh), joint(Role::shin));
        apply({Role::shin, side, Role::foot, side}, joint(Role::shin), joint(Role::foot));
    }
    const double whole = measured.empty() ? 1 : median(measured);
    for (std::size_t j = 0; j < factors.size(); ++j) {
        const double factor = factors[j] > 0 ? factors[j] : whole;
        scaled.joints[j].rest.translation *= factor;
        if (scaled.joints[j].tip) *scaled.joints[j].tip *= whole;
    }
    return whole;
}

}  // namespace sinew::motion
