// SPDX-License-Identifier: MIT
#include "sinew/rig/joints/segment_template.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/array.h"
#include "sinew/base/error.h"
#include "sinew/model/roles.h"
#include "sinew/rig/edit/skeleton_edit.h"
#include "sinew/rig/templates/template_curve.h"

namespace sinew::rig {

namespace {

/// Of the segment: an existing joint this near is used.
constexpr double near_enough = 0.15;

/// Joints from `start` down to `end`, both included.
std::vector<int> chain(const model::Skeleton& skeleton, int start, int end) {
    std::vector<int> joints = {end};
    while (joints.back() != start) {
        const int parent = skeleton.joints[at(joints.back())].parent;
        if (parent < 0) fail("segment", "its start is not above its end");
        joints.push_back(parent);
    }
    std::reverse(joints.begin(), joints.end());
    return joints;
}

int nearest_node(const CurveSkeleton& curve, const Vec3d& point) {
    const auto best =
        std::min_element(curve.nodes.begin(), curve.nodes.end(), [&](const auto& a, const auto& b) {
            return (a.position - point).squaredNorm() < (b.position - point).squaredNorm();
        });
    return static_cast<int>(best - curve.nodes.begin());
}

/// The curve between two joints, with the joints themselves as its ends.
CurveLine line_between(const CurveSkeleton& curve, const Vec3d& from, const Vec3d& to) {
    CurveLine line;
    const CurveTree tree(curve, 0);
    const int first = nearest_node(curve, from), last = nearest_node(curve, to);
    line.push(from, curve.nodes[at(first)].radius);
    if (!tree.empty()) {
        const std::vector<int> path = tree.path(first, last);
        for (std::size_t i = 1; i + 1 < path.size(); ++i)
            line.push(tree.node(path[i]).position, tree.node(path[i]).radius);
    }
    line.push(to, curve.nodes[at(last)].radius);
    return line;
}

/// The thinnest point within `reach` of s that is thinner than its surroundings by a twelfth, else s.
double snapped(const CurveLine& line, double s, double reach) {
    const double around = (line.radius(s - reach) + line.radius(s + reach)) / 2;
    double best = s, min = (1 - 1.0 / 12) * around;
    for (int k = -20; k <= 20; ++k) {
        const double here = s + reach * k / 20;
        if (line.radius(here) >= min) continue;
        min = line.radius(here);
        best = here;
    }
    return best;
}

/// Ends and lengths agree within a quarter, and they lie on different sides.
bool are_twins(const model::Limb& a, const model::Limb& b) {
    if (a.junction < 0 || a.junction != b.junction) return false;
    const Vec3d end_a = a.line.back() - a.line.front(), end_b = b.line.back() - b.line.front();
    const double size = std::max(a.length, b.length);
    const Vec3d image(-end_a.x(), end_a.y(), end_a.z());
    return (image - end_b).norm() < 0.25 * size && std::abs(end_a.x() - end_b.x()) > 0.05 * size &&
           std::abs(a.length - b.length) < 0.25 * size;
}

/// Where the joints of a limb lie between its first and its last.
SegmentTemplate segment_of(const model::Skeleton& skeleton, const model::Limb& limb) {
    const auto positions = model::joint_positions(model::rest_world_matrices(skeleton));
    CurveLine line;
    for (const int joint : limb.joints) line.push(positions[at(joint)], 0);
    SegmentTemplate segment;
    for (std::size_t i = 1; i + 1 < limb.joints.size(); ++i)
        segment.parts.push_back(line.arc(i) / line.length());
    return segment;
}

}  // namespace

SegmentTemplate arm_segment() {
    return {{0.42, 0.78}};
}

SegmentTemplate leg_segment() {
    return {{0.46, 0.86}};
}

model::Skeleton with_segment(const model::Skeleton& skeleton, const CurveSkeleton& curve, int start, int end,
                             const SegmentTemplate& segment, double snap) {
    if (curve.empty()) fail("segment", "there is no curve to place joints on");
    model::Skeleton result = skeleton;
    const auto positions = model::joint_positions(model::rest_world_matrices(skeleton));
    std::vector<std::string> names;
    for (const int joint : chain(skeleton, start, end)) names.push_back(skeleton.joints[at(joint)].name);
    const CurveLine line = line_between(curve, positions[at(start)], positions[at(end)]);
    std::vector<double> arcs;  // of the joints in `names`
    for (const std::string& name : names) arcs.push_back(line.nearest(positions[at(skeleton.find(name))]));
    for (const double part : segment.parts) {
        const double wanted = snapped(line, part * line.length(), snap * line.length());
        const bool known = std::any_of(arcs.begin() + 1, arcs.end() - 1, [&](double arc) {
            return std::abs(arc - part * line.length()) < near_enough * line.length();
        });
        const auto below = std::upper_bound(arcs.begin() + 1, arcs.end() - 1, wanted) - arcs.begin();
        if (known) continue;
        const int child = result.find(names[at(below)]);
        const std::string name = fmt::format("{}_{:.0f}", skeleton.joints[at(start)].name, 100 * part);
        result = insert_joint(result, child, 0.5, name);
        result = move_joint(result, result.find(name), line.point(wanted));
        names.insert(names.begin() + below, name);
        arcs.insert(arcs.begin() + below, wanted);
    }
    return result;
}

model::Skeleton with_twin_joints(const model::Skeleton& skeleton, const CurveSkeleton& curve) {
    model::Skeleton result = skeleton;
    const model::Limbs limbs = model::limbs_of(skeleton);
    for (const model::Limb& poor : limbs.limbs) {
        for (const model::Limb& rich : limbs.limbs) {
            if (poor.joints.size() < 2 || poor.joints.size() >= rich.joints.size() || !are_twins(poor, rich))
                continue;
            const auto find = [&](int joint) { return result.find(skeleton.joints[at(joint)].name); };
            result = with_segment(result, curve, find(poor.joints.front()), find(poor.joints.back()),
                                  segment_of(skeleton, rich), 0);
        }
    }
    return result;
}

model::Skeleton with_middle_joints(const model::Skeleton& given, const CurveSkeleton& curve) {
    const model::Skeleton skeleton = with_twin_joints(given, curve);
    model::Skeleton result = skeleton;
    const std::vector<model::JointRole> roles = model::find_roles(skeleton);
    const auto below = model::children(skeleton);
    for (std::size_t j = 0; j < roles.size(); ++j) {
        const bool arm = roles[j].role == model::Role::upper_arm, leg = roles[j].role == model::Role::thigh;
        if (!arm && !leg) continue;
        int end = static_cast<int>(j);
        while (below[at(end)].size() == 1) end = below[at(end)].front();
        if (end == static_cast<int>(j) || !below[at(end)].empty()) continue;
        result =
            with_segment(result, curve, result.find(skeleton.joints[j].name),
                         result.find(skeleton.joints[at(end)].name), arm ? arm_segment() : leg_segment());
    }
    return result;
}

}  // namespace sinew::rig
