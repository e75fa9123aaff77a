#include "sinew/sample/bodies/skeleton_plan.h"

#include <algorithm>

namespace sinew::sample {
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
