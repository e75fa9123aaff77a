// SPDX-License-Identifier: MIT
// Segments of a moving skeleton.

#include <optional>

#include "sinew/base/array.h"
#include "sinew/gait/gait.h"
#include "sinew/math/quaternion.h"
#include "sinew/model/roles.h"

namespace sinew::gait {

using math::Mat3d;
using math::Quatd;
using math::Vec3d;
using model::Role;
using model::Side;

namespace {

/// Columns forward, left, up: `up` is kept, and left is as close to the given direction as possible.
Mat3d upright_frame(const Vec3d& up, const Vec3d& left) {
    Mat3d frame;
    frame.col(2) = up.normalized();
    frame.col(1) = (left - left.dot(frame.col(2)) * frame.col(2)).normalized();
    frame.col(0) = frame.col(1).cross(frame.col(2));
    return frame;
}

/// A segment: its joint, and its anatomical axes in the joint's frame.
struct Segment {
    int joint = -1;
    Quatd axes = Quatd::Identity();
};

struct Limb {
    Segment upper, lower, end;               ///< thigh, shank and foot; upper arm and forearm
    Vec3d toe = Vec3d::Constant(math::nan);  ///< in the frame of the foot's joint
};

struct Body {
    Segment pelvis, trunk;
    std::array<Limb, 2> legs, arms;
};

std::optional<Vec3d> foot_end(const model::Skeleton& skeleton, const std::vector<math::Mat4d>& rest,
                              const std::vector<model::JointRole>& roles, Side side, int foot) {
    const int toe = model::find_role(roles, Role::toe, side);
    if (toe >= 0) return Vec3d(rest[at(toe)].topRightCorner<3, 1>());
    const auto& tip = skeleton.joints[at(foot)].tip;
    if (tip) return math::transform_point(rest[at(foot)], *tip);
    return std::nullopt;
}

class BodyFinder {
  public:
    explicit BodyFinder(const model::Skeleton& skeleton)
        : skeleton_(skeleton),
          roles_(model::find_roles(skeleton)),
          rest_(model::rest_world_matrices(skeleton)),
          positions_(model::joint_positions(rest_)) {}

    Body find() {
        Body body;
        const int l = role(Role::thigh, Side::left), r = role(Role::thigh, Side::right);
        if (l >= 0 && r >= 0) left_ = positions_[at(l)] - positions_[at(r)];
        left_.y() = 0;
        if (!(left_.norm() > 0)) left_ = Vec3d::UnitX();
        body.pelvis = segment(role(Role::hips), Vec3d(Vec3d::UnitY()));
        for (const Role each : {Role::upper_chest, Role::chest, Role::spine})
            if (body.trunk.joint < 0) body.trunk = segment(role(each), Vec3d(Vec3d::UnitY()));
        for (const Side side : {Side::left, Side::right}) {
            find_leg(side, body.legs[side == Side::left ? 0 : 1]);
            Limb& arm = body.arms[side == Side::left ? 0 : 1];
            const int upper = role(Role::upper_arm, side), fore = role(Role::forearm, side),
                      hand = role(Role::hand, side);
            if (upper < 0 || fore < 0) continue;
            arm.upper = hanging(upper, fore);
            if (hand >= 0) arm.lower = hanging(fore, hand);
        }
        return body;
    }

  private:
    int role(Role role, Side side = Side::none) const { return model::find_role(roles_, role, side); }

    Segment segment(int joint, const Mat3d& axes) const {
        if (joint < 0) return {};
        const Quatd rotation = math::decompose(rest_[at(joint)]).transform.rotation;
        return {joint, (rotation.conjugate() * math::from_matrix<double>(axes)).normalized()};
    }
    Segment segment(int joint, const Vec3d& up) const { return segment(joint, upright_frame(up, left_)); }

    /// Axes as if the arm hung down: they are rotated by the shortest rotation from there to the rest pose.
    Segment hanging(int joint, int next) const {
        const Vec3d up = (positions_[at(joint)] - positions_[at(next)]).normalized();
        const Mat3d lift = math::to_matrix(math::rotation_between<double>(Vec3d::UnitY(), up));
        return segment(joint, Mat3d(lift * upright_frame(Vec3d::UnitY(), left_)));
    }

    void find_leg(Side side, Limb& leg) const {
        const int thigh = role(Role::thigh, side), shin = role(Role::shin, side),
                  foot = role(Role::foot, side);
        if (thigh < 0 || shin < 0) return;
        leg.upper = segment(thigh, Vec3d(positions_[at(thigh)] - positions_[at(shin)]));
        if (foot < 0) return;
        leg.lower = segment(shin, Vec3d(positions_[at(shin)] - positions_[at(foot)]));
        const auto end = foot_end(skeleton_, rest_, roles_, side, foot);
        Vec3d direction = end ? Vec3d(*end - positions_[at(foot)]) : Vec3d(left_.cross(Vec3d::UnitY()));
        if (end) leg.toe = math::transform_point(math::inverse_affine(rest_[at(foot)]), *end);
        direction.y() = 0;
        if (direction.norm() > 0)
            leg.end = segment(foot, upright_frame(Vec3d::UnitY(), Vec3d::UnitY().cross(direction)));
    }

    const model::Skeleton& skeleton_;
    std::vector<model::JointRole> roles_;
    std::vector<math::Mat4d> rest_;
    std::vector<Vec3d> positions_;
    Vec3d left_ = Vec3d::UnitX();
};

}  // namespace

std::vector<BodyFrame> body_frames(const model::Skeleton& skeleton, const model::Clip& clip) {
    const Body body = BodyFinder(skeleton).find();
    std::vector<BodyFrame> frames;
    for (std::size_t f = 0; f < model::frame_count(clip); ++f) {
        const auto pose = model::sample(clip, skeleton, model::frame_time(clip, f));
        const std::vector<math::Mat4d> world = model::world_matrices(skeleton, pose);
        const auto axes = [&](const Segment& segment) -> Mat3d {
            if (segment.joint < 0) return Mat3d::Constant(math::nan);
            Quatd rotation = Quatd::Identity();
            for (int j = segment.joint; j >= 0; j = skeleton.joints[at(j)].parent)
                rotation = pose[at(j)].rotation * rotation;
            return (rotation * segment.axes).normalized().toRotationMatrix();
        };
        const auto position = [&](const Segment& segment) -> Vec3d {
            if (segment.joint < 0) return Vec3d::Constant(math::nan);
            return world[at(segment.joint)].topRightCorner<3, 1>();
        };
        BodyFrame& frame = frames.emplace_back();
        frame.pelvis = axes(body.pelvis);
        frame.trunk = axes(body.trunk);
        for (const std::size_t s : {0u, 1u}) {
            const Limb& limb = body.legs[s];
            LegFrame& leg = frame.legs[s];
            leg.thigh = axes(limb.upper), leg.hip = position(limb.upper);
            leg.shank = leg.ankle_axes = axes(limb.lower), leg.knee = position(limb.lower);
            leg.foot = axes(limb.end), leg.ankle = position(limb.end);
            if (limb.end.joint >= 0) leg.toe = math::transform_point(world[at(limb.end.joint)], limb.toe);
            frame.upper_arms[s] = axes(body.arms[s].upper);
            frame.forearms[s] = axes(body.arms[s].lower);
        }
    }
    return frames;
}

GaitTraces angles_from_clip(const model::Skeleton& skeleton, const model::Clip& clip, const Vec3d& forward) {
    GaitTraces angles = angles_of(body_frames(skeleton, clip), forward);
    angles.source = "the moving skeleton";
    return angles;
}

}  // namespace sinew::gait
