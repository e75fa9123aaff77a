// SPDX-License-Identifier: MIT
#include "sinew/sample/bodies/skeleton_plan.h"

#include <algorithm>

#include "sinew/base/parallel.h"

namespace sinew::sample {
namespace {

double value(const Gate& gate, const Vec3d& point) {
    return smooth_step(-gate.before, gate.after, gate.normal.dot(point - gate.point) / gate.normal.norm());
}

double value(const JointShare& share, const Vec3d& point) {
    const Vec3d p = share.mirrored ? Vec3d(-point.x(), point.y(), point.z()) : point;
    double product = 1;
    for (const Gate& gate : share.gates) {
        product *= value(gate, p);
        if (product == 0) break;
    }
    return product;
}

constexpr double negligible = 1e-4;

}  // namespace

std::vector<double> tree_weights(const model::Skeleton& skeleton, const std::vector<JointShare>& shares,
                                 const Vec3d& point) {
    std::vector<double> share(skeleton.size(), 0), reach(skeleton.size(), 1), kept(skeleton.size(), 1);
    for (const JointShare& s : shares) {
        if (!s.apart) continue;
        reach[static_cast<std::size_t>(s.joint)] = value(s, point) * reach[0];
        reach[0] -= reach[static_cast<std::size_t>(s.joint)];
    }
    for (const bool late : {false, true}) {
        const std::vector<double> left = kept;
        for (const JointShare& s : shares) {
            const std::size_t parent =
                static_cast<std::size_t>(skeleton.joints[static_cast<std::size_t>(s.joint)].parent);
            if (s.apart || s.late != late) continue;
            share[static_cast<std::size_t>(s.joint)] = value(s, point) * (late ? left[parent] : 1.0);
            kept[parent] -= share[static_cast<std::size_t>(s.joint)];
        }
    }
    std::vector<char> apart(skeleton.size(), 0);
    for (const JointShare& s : shares) apart[static_cast<std::size_t>(s.joint)] = s.apart ? 1 : 0;
    for (std::size_t j = 0; j < skeleton.size(); ++j)
        if (const int parent = skeleton.joints[j].parent; parent >= 0 && apart[j] == 0)
            reach[j] = reach[static_cast<std::size_t>(parent)] * share[j];
    std::vector<double> weights(skeleton.size());
    for (std::size_t j = 0; j < weights.size(); ++j) weights[j] = reach[j] * std::max(kept[j], 0.0);
    return weights;
}

model::Skin symmetric_skin(const model::Skeleton& skeleton, const std::vector<JointShare>& shares,
                           const std::vector<Vec3d>& positions, const std::vector<std::uint32_t>& twin,
                           const std::vector<int>& other_joint) {
    std::vector<std::vector<model::Influence>> lists(positions.size());
    parallel_for(positions.size(), 256, [&](std::size_t v) {
        if (positions[v].x() < 0) return;
        const std::vector<double> weights = tree_weights(skeleton, shares, positions[v]);
        for (std::size_t j = 0; j < weights.size(); ++j) {
            if (weights[j] < negligible) continue;
            const float weight = static_cast<float>(weights[j]);
            lists[v].push_back({static_cast<std::uint32_t>(j), weight});
            if (twin[v] != v) lists[twin[v]].push_back({static_cast<std::uint32_t>(other_joint[j]), weight});
        }
    });
    model::Skin skin;
    skin.joints = model::bind_at_rest(skeleton);
    for (const auto& list : lists) skin.push_vertex(list);
    model::SkinCleanOptions options;
    options.max_influences = 4;
    model::clean(skin, options);
    return skin;
}

std::vector<int> opposite_joints(const model::Skeleton& skeleton) {
    std::vector<int> other;
    for (std::size_t j = 0; j < skeleton.size(); ++j) {
        std::string name = skeleton.joints[j].name;
        if (name.starts_with("Left"))
            name.replace(0, 4, "Right");
        else if (name.starts_with("Right"))
            name.replace(0, 5, "Left");
        const int found = skeleton.find(name);
        other.push_back(found < 0 ? static_cast<int>(j) : found);
    }
    return other;
}

namespace {

const JointPlan* find(const std::vector<JointPlan>& plan, const std::string& name) {
    const auto found =
        std::find_if(plan.begin(), plan.end(), [&](const JointPlan& p) { return p.name == name; });
    return found == plan.end() ? nullptr : &*found;
}

/// Along the bones: from the parent to the joint, and on to its first child or its tip.
Vec3d direction_at(const std::vector<JointPlan>& plan, const JointPlan& joint) {
    Vec3d direction = Vec3d::Zero();
    if (const JointPlan* parent = find(plan, joint.parent)) direction += (joint.at - parent->at).normalized();
    const auto child =
        std::find_if(plan.begin(), plan.end(), [&](const JointPlan& p) { return p.parent == joint.name; });
    if (child != plan.end())
        direction += (child->at - joint.at).normalized();
    else if (joint.tip)
        direction += (*joint.tip - joint.at).normalized();
    return direction;
}

std::vector<Gate> placed_gates(const std::vector<JointPlan>& plan, const JointPlan& joint) {
    std::vector<Gate> gates = joint.gates;
    for (Gate& gate : gates) {
        if (!gate.normal.isZero()) continue;
        gate.point = joint.at;
        gate.normal = direction_at(plan, joint);
    }
    return gates;
}

}  // namespace

int SkeletonBuilder::add(const std::string& name, const std::string& parent, const Vec3d& at) {
    model::Joint joint;
    joint.name = name;
    joint.parent = skeleton_.find(parent);
    joint.rest.translation = joint.parent < 0 ? at : Vec3d(at - at_[static_cast<std::size_t>(joint.parent)]);
    skeleton_.joints.push_back(joint);
    at_.push_back(at);
    return static_cast<int>(skeleton_.size()) - 1;
}

void SkeletonBuilder::tip(const std::string& name, const Vec3d& at) {
    const std::size_t joint = static_cast<std::size_t>(skeleton_.find(name));
    skeleton_.joints[joint].tip = at - at_[joint];
}

void ShareBuilder::add(const std::string& name, const std::vector<Gate>& gates, bool late, bool apart) {
    if (const int joint = skeleton_.find(name); joint >= 0)
        shares_.push_back({joint, false, late, gates, apart});
}

void ShareBuilder::add_both(const std::string& name, const std::vector<Gate>& gates, bool late, bool apart) {
    shares_.push_back({skeleton_.find("Left" + name), false, late, gates, apart});
    shares_.push_back({skeleton_.find("Right" + name), true, late, gates, apart});
}

Gate bend_gate(double before, double after) {
    return {Vec3d::Zero(), Vec3d::Zero(), before, after};
}

model::Skeleton skeleton_of(const std::vector<JointPlan>& plan) {
    SkeletonBuilder builder;
    const auto add = [&](const JointPlan& joint, const std::string& side, double sign) {
        const auto on_side = [&](const Vec3d& p) { return Vec3d(sign * p.x(), p.y(), p.z()); };
        const JointPlan* parent = find(plan, joint.parent);
        builder.add(side + joint.name, parent && parent->paired ? side + joint.parent : joint.parent,
                    on_side(joint.at));
        if (joint.tip) builder.tip(side + joint.name, on_side(*joint.tip));
    };
    for (const JointPlan& joint : plan)
        if (!joint.paired) add(joint, "", 1);
    for (const auto& [side, sign] : {std::pair{"Left", 1.0}, std::pair{"Right", -1.0}})
        for (const JointPlan& joint : plan)
            if (joint.paired) add(joint, side, sign);
    return builder.skeleton();
}

std::vector<JointShare> shares_of(const std::vector<JointPlan>& plan, const model::Skeleton& skeleton) {
    ShareBuilder builder(skeleton);
    for (const JointPlan& joint : plan) {
        if (joint.parent.empty()) continue;
        if (joint.paired)
            builder.add_both(joint.name, placed_gates(plan, joint), joint.late, joint.apart);
        else
            builder.add(joint.name, placed_gates(plan, joint), joint.late, joint.apart);
    }
    return builder.shares();
}

}  // namespace sinew::sample
