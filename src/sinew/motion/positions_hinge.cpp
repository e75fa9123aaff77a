#include <algorithm>
#include <cmath>
#include <optional>

#include "sinew/model/roles.h"
#include "sinew/motion/positions_fit.h"

namespace sinew::motion {
namespace {

using math::Quatd;
using math::Vec3d;
using model::Role;
using model::Side;

/// Angle about `axis` that takes a to b, both across it.
double angle_about(const Vec3d& axis, const Vec3d& a, const Vec3d& b) {
    return std::atan2(axis.dot(a.cross(b)), a.dot(b) - axis.dot(a) * axis.dot(b));
}

/// Straight lines between what is known, level beyond it; zero when nothing is.
std::vector<double> bridged(const std::vector<std::optional<double>>& values) {
    std::vector<double> result(values.size(), 0);
    std::optional<std::size_t> last;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (!values[i]) continue;
        const std::size_t from = last ? *last : i;
        for (std::size_t k = last ? *last : 0; k <= i; ++k) {
            const double t = from == i ? 1 : static_cast<double>(k - from) / static_cast<double>(i - from);
            result[k] = (1 - t) * *values[from] + t * *values[i];
        }
        last = i;
    }
    if (last) std::fill(result.begin() + static_cast<std::ptrdiff_t>(*last), result.end(), *values[*last]);
    return result;
}

}  // namespace

std::vector<Hinge> find_hinges(const model::Skeleton& skeleton) {
    const std::vector<model::JointRole> roles = model::find_roles(skeleton);
    const std::vector<Vec3d> rest = model::joint_positions(model::rest_world_matrices(skeleton));
    std::vector<Hinge> hinges;
    for (const Side side : {Side::left, Side::right}) {
        for (const bool leg : {true, false}) {
            const int upper = model::find_role(roles, leg ? Role::thigh : Role::upper_arm, side);
            const int lower = model::find_role(roles, leg ? Role::shin : Role::forearm, side);
            const int end = model::find_role(roles, leg ? Role::foot : Role::hand, side);
            if (upper < 0 || lower < 0 || end < 0) continue;
            Hinge hinge{static_cast<std::size_t>(upper), static_cast<std::size_t>(lower),
                        static_cast<std::size_t>(end)};
            const Vec3d bone = rest[hinge.lower] - rest[hinge.upper];
            if (bone.norm() < 1e-9) continue;
            hinge.along = bone.normalized();
            // Facing +z a knee bends backwards and an elbow forwards: the axis is across bone and bend.
            const Vec3d across = hinge.along.cross(leg ? Vec3d(-Vec3d::UnitZ()) : Vec3d::UnitZ());
            if (across.norm() < 0.1) continue;
            hinge.axis = across.normalized();
            hinges.push_back(hinge);
        }
    }
    return hinges;
}

std::vector<double> hinge_twists(const Hinge& hinge, std::span<const JointPlaces> frames,
                                 std::span<const Quatd> upper_turns, double least_bend) {
    std::vector<std::optional<double>> seen(frames.size());
    std::optional<double> last;
    for (std::size_t f = 0; f < frames.size(); ++f) {
        const Vec3d a = frames[f][hinge.lower] - frames[f][hinge.upper];
        const Vec3d b = frames[f][hinge.end] - frames[f][hinge.lower];
        if (!a.allFinite() || !b.allFinite() || a.norm() < 1e-9 || b.norm() < 1e-9) continue;
        const Vec3d normal = a.cross(b);
        if (std::atan2(normal.norm(), a.dot(b)) < least_bend) continue;
        double twist = angle_about(a.normalized(), upper_turns[f] * hinge.axis, normal.normalized());
        // A joint bent a little the wrong way has its plane turned over; and angles go on, not around.
        if (std::abs(twist) > math::pi / 2) twist -= std::copysign(math::pi, twist);
        if (last) twist -= math::pi * std::round((twist - *last) / math::pi);
        seen[f] = last = twist;
    }
    return bridged(seen);
}

}  // namespace sinew::motion
