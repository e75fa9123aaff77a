// SPDX-License-Identifier: MIT
#include "limb.h"

#include <algorithm>
#include <cmath>

namespace sinew::studio {
namespace {

int parent_of(const model::Skeleton& skeleton, int joint) {
    return skeleton.joints[static_cast<std::size_t>(joint)].parent;
}

std::vector<Vec3d> positions_of(const model::Skeleton& skeleton, std::span<const Transform> below,
                                const PoseLayer& layer) {
    return model::joint_positions(
        model::world_matrices(skeleton, with_layer({below.begin(), below.end()}, layer)));
}

/// Rotates a joint so that the direction `from` becomes `to`.
void swing(PoseLayer& layer, const model::Skeleton& skeleton, std::span<const Transform> below, int joint,
           const Vec3d& from, const Vec3d& to) {
    const Eigen::AngleAxisd rotation(math::rotation_between<double>(from.normalized(), to.normalized()));
    if (!(std::abs(rotation.angle()) > 1e-9)) return;
    rotate(layer, skeleton, below, joint, rotation.axis(), rotation.angle(), Space::global);
}

/// The angle at the corner between sides a and b of a triangle whose third side is c.
double corner(double a, double b, double c) {
    return std::acos(std::clamp((a * a + b * b - c * c) / std::max(2 * a * b, 1e-12), -1.0, 1.0));
}

}  // namespace

void reach(PoseLayer& layer, const model::Skeleton& skeleton, std::span<const Transform> below, int joint,
           const Vec3d& target) {
    const int middle = parent_of(skeleton, joint);
    if (middle < 0) return;
    const int start = parent_of(skeleton, middle);
    std::vector<Vec3d> p = positions_of(skeleton, below, layer);
    const auto at = [&](int j) -> const Vec3d& { return p[static_cast<std::size_t>(j)]; };
    const double upper = start < 0 ? 0 : (at(middle) - at(start)).norm();
    const double lower = (at(joint) - at(middle)).norm();
    if (start < 0 || upper < 1e-9 || lower < 1e-9) {
        swing(layer, skeleton, below, middle, at(joint) - at(middle), target - at(middle));
        return;
    }
    // The bend first (law of cosines), about the present bending axis of the limb.
    const double wanted =
        std::clamp((target - at(start)).norm(), std::abs(upper - lower) + 1e-6, upper + lower - 1e-6);
    const Vec3d a = at(start) - at(middle), b = at(joint) - at(middle);
    Vec3d axis = a.cross(b);
    if (axis.norm() < 1e-6 * a.norm() * b.norm()) axis = b.unitOrthogonal();
    const double bend =
        corner(upper, lower, wanted) - std::acos(std::clamp(a.normalized().dot(b.normalized()), -1.0, 1.0));
    rotate(layer, skeleton, below, middle, axis.normalized(), bend, Space::global);
    // Then the complete limb is pointed at the target.
    p = positions_of(skeleton, below, layer);
    swing(layer, skeleton, below, start, at(joint) - at(start), target - at(start));
}

LimbDrag::LimbDrag(const State& state, int joint)
    : joint_(joint), start_(state.pose), below_(pose_below(state)) {
    const auto positions = positions_of(state.character().skeleton, below_, start_);
    for (const int pin : state.motion_tool.pins)
        if (pin != joint && pin >= 0 && static_cast<std::size_t>(pin) < positions.size())
            pinned_.emplace_back(pin, positions[static_cast<std::size_t>(pin)]);
}

void LimbDrag::move(State& state, const Vec3d& position) {
    const model::Skeleton& skeleton = state.character().skeleton;
    PoseLayer layer = start_;
    if (parent_of(skeleton, joint_) < 0) {
        const Vec3d now = positions_of(skeleton, below_, layer)[static_cast<std::size_t>(joint_)];
        translate(layer, skeleton, below_, joint_, position - now, Space::global);
    } else {
        reach(layer, skeleton, below_, joint_, position);
    }
    for (const auto& [pin, where] : pinned_) reach(layer, skeleton, below_, pin, where);
    state.pose = std::move(layer);
}

}  // namespace sinew::studio
