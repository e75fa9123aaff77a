#include "sinew/motion/level_move.h"

#include <cmath>

#include "sinew/base/array.h"
#include "sinew/model/roles.h"

namespace sinew::motion {

using math::Quatd;
using math::Transform;
using math::Vec3d;

namespace {

Quatd about_vertical(double turn) {
    return math::axis_angle<double>(Vec3d::UnitY(), turn);
}

/// Joints that show where a body looks, the hips first.
std::vector<int> heading_joints(const model::Skeleton& skeleton) {
    using model::Role;
    const std::vector<model::JointRole> roles = model::find_roles(skeleton);
    std::vector<int> found;
    for (const Role role : {Role::hips, Role::spine, Role::chest, Role::upper_chest}) {
        const int joint = model::find_role(roles, role);
        if (joint >= 0) found.push_back(joint);
    }
    if (found.empty()) found.push_back(0);
    return found;
}

Quatd world_rotation(const model::Skeleton& skeleton, std::span<const Transform> pose, int joint) {
    Quatd turn = Quatd::Identity();
    for (int j = joint; j >= 0; j = skeleton.joints[at(j)].parent) turn = pose[at(j)].rotation * turn;
    return turn;
}

std::vector<Transform> pose_at(const model::Skeleton& skeleton, const ClipWindow& window, double fraction) {
    return model::sample(*window.clip, skeleton, window.start + fraction * (window.end - window.start));
}

Vec3d place_of(const model::Skeleton& skeleton, std::span<const Transform> pose, int joint) {
    return model::joint_positions(model::world_matrices(skeleton, pose))[at(joint)];
}

}  // namespace

LevelMove combined(const LevelMove& outer, const LevelMove& inner) {
    return {outer.turn + inner.turn, about_vertical(outer.turn) * inner.shift + outer.shift};
}

void apply(const LevelMove& move, const model::Skeleton& skeleton, std::span<Transform> pose) {
    if (move.turn == 0 && move.shift.isZero(0)) return;  // to the last digit where nothing is to be done
    const Quatd turn = about_vertical(move.turn);
    for (std::size_t j = 0; j < skeleton.size(); ++j) {
        if (skeleton.joints[j].parent >= 0) continue;
        pose[j].rotation = turn * pose[j].rotation;
        pose[j].translation = turn * pose[j].translation + move.shift;
    }
}

LevelMove meeting_move(const model::Skeleton& skeleton, const ClipWindow& first, const ClipWindow& second,
                       double meet) {
    constexpr int steps = 8;
    const std::vector<int> joints = heading_joints(skeleton);
    double sine = 0, cosine = 0;
    for (int i = 0; i <= steps; ++i) {
        const double fraction = static_cast<double>(i) / steps;
        const std::vector<Transform> a = pose_at(skeleton, first, fraction);
        const std::vector<Transform> b = pose_at(skeleton, second, fraction);
        for (const int joint : joints) {
            const Quatd r =
                world_rotation(skeleton, a, joint) * world_rotation(skeleton, b, joint).conjugate();
            sine += 2 * r.w() * r.y();
            cosine += r.w() * r.w() - r.y() * r.y();
        }
    }
    LevelMove move;
    move.turn = std::atan2(sine, cosine);
    const Vec3d goal = place_of(skeleton, pose_at(skeleton, first, meet), joints.front());
    const Vec3d own = place_of(skeleton, pose_at(skeleton, second, meet), joints.front());
    move.shift = goal - about_vertical(move.turn) * own;
    move.shift.y() = 0;
    return move;
}

}  // namespace sinew::motion
