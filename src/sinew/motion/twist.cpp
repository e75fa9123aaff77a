#include "sinew/motion/twist.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/array.h"
#include "sinew/base/text.h"

namespace sinew::motion {

using math::Quatd;
using math::Vec3d;
using model::Role;

namespace {

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
    const std::vector<Vec3d> places = model::joint_positions(world);
    std::vector<TwistJoint> found;
    for (std::size_t j = 0; j < skeleton.size(); ++j) {
        const int bone = skeleton.joints[j].parent;
        if (bone < 0 || roles[j] || !says_twist(skeleton.joints[j].name)) continue;
        const model::JointRole& role = roles[at(bone)];
        const int next = model::find_role(roles, next_of(role.role), role.side);
        if (next_of(role.role) == Role::none || next < 0) continue;
        const Vec3d length = places[at(next)] - places[at(bone)];
        if (!(length.norm() > 0)) continue;
        const double way =
            std::clamp((places[j] - places[at(bone)]).dot(length) / length.squaredNorm(), 0.0, 1.0);
        const bool lower = role.role == Role::forearm || role.role == Role::shin;
        TwistJoint twist{static_cast<int>(j), bone, lower ? next : bone, lower ? way : way - 1, {}};
        const math::Mat3d turn = math::decompose(world[at(bone)]).transform.rotation.toRotationMatrix();
        twist.axis = turn.transpose() * length.normalized();
        found.push_back(twist);
    }
    return found;
}

}  // namespace sinew::motion
