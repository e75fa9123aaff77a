// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
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

constexpr std::array<AngleInfo, angle_count> infos = {{
    {"pelvic_tilt", "Pelvic tilt", "sagittal", "anterior", "posterior", "PelvisAngles", 0, "PelvicTilt"},
    {"pelvic_obliquity", "Pelvic obliquity", "coronal", "up", "down", "PelvisAngles", 1, "PelvicObliquity"},
    {"pelvic_rotation", "Pelvic rotation", "transverse", "internal", "external", "PelvisAngles", 2,
     "PelvicRotation"},
    {"hip_flexion", "Hip flexion", "sagittal", "flexion", "extension", "HipAngles", 0, "HipFlexExt"},
    {"hip_adduction", "Hip ab/adduction", "coronal", "adduction", "abduction", "HipAngles", 1, "HipAbAdduct"},
    {"hip_rotation", "Hip rotation", "transverse", "internal", "external", "HipAngles", 2, "HipRotation"},
    {"knee_flexion", "Knee flexion", "sagittal", "flexion", "extension", "KneeAngles", 0, "KneeFlexExt"},
    {"ankle_dorsiflexion", "Ankle dorsiflexion", "sagittal", "dorsiflexion", "plantar flexion", "AnkleAngles",
     0, "DorsiPlanFlex"},
    {"ankle_rotation", "Ankle rotation", "transverse", "internal", "external", "AnkleAngles", 2,
     "FootRotation"},
}};

/// Columns forward, left, up: up kept, left as near to the given as it can be.
Mat3d upright_frame(const Vec3d& up, const Vec3d& left) {
    Mat3d frame;
    frame.col(2) = up.normalized();
    frame.col(1) = (left - left.dot(frame.col(2)) * frame.col(2)).normalized();
    frame.col(0) = frame.col(1).cross(frame.col(2));
    return frame;
}

/// A level frame whose x points along a direction.
Mat3d level_frame(const Vec3d& forward) {
    return upright_frame(Vec3d::UnitY(), Vec3d::UnitY().cross(forward));
}

/// A segment: its joint, and its anatomical axes in the joint's frame.
struct Segment {
    int joint = -1;
    Quatd axes = Quatd::Identity();
};

struct LowerBody {
    Segment pelvis;
    std::array<Segment, 2> thigh, shank, foot;
};

std::optional<Vec3d> foot_end(const model::Skeleton& skeleton, const std::vector<math::Mat4d>& rest,
                              const std::vector<model::JointRole>& roles, Side side, int foot) {
    const int toe = model::find_role(roles, Role::toe, side);
    if (toe >= 0) return Vec3d(rest[at(toe)].topRightCorner<3, 1>());
    const auto& tip = skeleton.joints[at(foot)].tip;
    if (tip) return math::transform_point(rest[at(foot)], *tip);
    return std::nullopt;
}

LowerBody body_of(const model::Skeleton& skeleton) {
    const std::vector<model::JointRole> roles = model::find_roles(skeleton);
    const std::vector<math::Mat4d> rest = model::rest_world_matrices(skeleton);
    const std::vector<Vec3d> positions = model::joint_positions(rest);
    const auto segment = [&](int joint, const Mat3d& axes) {
        const Quatd rotation = math::decompose(rest[at(joint)]).transform.rotation;
        return Segment{joint, (rotation.conjugate() * math::from_matrix<double>(axes)).normalized()};
    };
    LowerBody body;
    const int hips = model::find_role(roles, Role::hips);
    const int l = model::find_role(roles, Role::thigh, Side::left),
              r = model::find_role(roles, Role::thigh, Side::right);
    Vec3d left = l >= 0 && r >= 0 ? Vec3d(positions[at(l)] - positions[at(r)]) : Vec3d(Vec3d::UnitX());
    left.y() = 0;
    if (!(left.norm() > 0)) left = Vec3d::UnitX();
    if (hips >= 0) body.pelvis = segment(hips, upright_frame(Vec3d::UnitY(), left));
    for (const Side side : {Side::left, Side::right}) {
        const std::size_t s = side == Side::left ? 0 : 1;
        const int thigh = model::find_role(roles, Role::thigh, side),
                  shin = model::find_role(roles, Role::shin, side);
        const int foot = model::find_role(roles, Role::foot, side);
        if (thigh < 0 || shin < 0) continue;
        body.thigh[s] = segment(thigh, upright_frame(positions[at(thigh)] - positions[at(shin)], left));
        if (foot < 0) continue;
        body.shank[s] = segment(shin, upright_frame(positions[at(shin)] - positions[at(foot)], left));
        const auto end = foot_end(skeleton, rest, roles, side, foot);
        Vec3d direction = end ? Vec3d(*end - positions[at(foot)]) : Vec3d(left.cross(Vec3d::UnitY()));
        direction.y() = 0;
        if (direction.norm() > 0) body.foot[s] = segment(foot, level_frame(direction));
    }
    return body;
}

/// Degrees of (flexion, adduction, rotation), with the signs of one side.
Vec3d clinical(const Quatd& proximal, const Quatd& distal, bool ankle, const Vec3d& signs) {
    const Quatd relative = proximal.conjugate() * distal;
    if (ankle) {
        const Vec3d a = math::to_euler({1, 2, 0}, relative);
        return math::degrees(1) * signs.cwiseProduct(Vec3d(a[0], a[2], a[1]));
    }
    return math::degrees(1) * signs.cwiseProduct(math::to_euler({1, 0, 2}, relative));
}

/// True for "HipAngles" and for variants with a letter behind ("HipAnglesV").
int find_output(const model::Trial& trial, const std::string& name) {
    const int exact = trial.outputs.find(name);
    if (exact >= 0) return exact;
    for (const char* const suffix : {"V", "_V", "1"}) {
        const int found = trial.outputs.find(name + suffix);
        if (found >= 0) return found;
    }
    return -1;
}

/// Jumps of whole turns between frames are taken out.
void unwrap(std::vector<double>& curve) {
    for (std::size_t f = 1; f < curve.size(); ++f) {
        if (std::isfinite(curve[f]) && std::isfinite(curve[f - 1]))
            curve[f] -= 360 * std::round((curve[f] - curve[f - 1]) / 360);
    }
}

}  // namespace

const AngleInfo& info(GaitAngle angle) {
    return infos[static_cast<std::size_t>(angle)];
}

bool GaitAngles::empty() const {
    return std::ranges::all_of(curves, [](const auto& side) {
        return std::ranges::all_of(side, [](const auto& curve) { return curve.empty(); });
    });
}

GaitAngles angles_from_outputs(const model::Trial& trial) {
    GaitAngles angles;
    angles.source = "model outputs stored in the file";
    for (const Side side : {Side::left, Side::right}) {
        for (std::size_t a = 0; a < angle_count; ++a) {
            const int output =
                find_output(trial, (side == Side::left ? "L" : "R") + std::string(infos[a].output));
            if (output < 0) continue;
            std::vector<double>& curve = angles.of(side, angle_at(a));
            bool seen = false;
            for (std::size_t f = 0; f < trial.frames; ++f) {
                const bool valid = trial.outputs.valid(f, at(output));
                seen = seen || valid;
                curve.push_back(valid
                                    ? static_cast<double>(trial.outputs.at(f, at(output))[infos[a].component])
                                    : std::numeric_limits<double>::quiet_NaN());
            }
            if (!seen) curve.clear();
        }
    }
    return angles;
}

GaitAngles angles_from_clip(const model::Skeleton& skeleton, const model::Clip& clip, const Vec3d& forward) {
    using enum GaitAngle;
    static const std::array<Vec3d, 2> pelvis_signs = {Vec3d(1, 1, -1), Vec3d(1, -1, 1)};
    static const std::array<Vec3d, 2> hip_signs = {Vec3d(-1, -1, -1), Vec3d(-1, 1, 1)};
    static const std::array<Vec3d, 2> knee_signs = {Vec3d(1, -1, -1), Vec3d(1, 1, 1)};
    const LowerBody body = body_of(skeleton);
    const Quatd laboratory = math::from_matrix<double>(level_frame(forward));
    GaitAngles angles;
    angles.source = "the moving skeleton";
    for (std::size_t f = 0; f < model::frame_count(clip); ++f) {
        const auto pose = model::sample(clip, skeleton, model::frame_time(clip, f));
        std::vector<Quatd> world;
        for (std::size_t j = 0; j < pose.size(); ++j) {
            const int parent = skeleton.joints[j].parent;
            world.push_back(parent < 0 ? pose[j].rotation : Quatd(world[at(parent)] * pose[j].rotation));
        }
        const auto rotation = [&](const Segment& segment) {
            return Quatd(world[at(segment.joint)] * segment.axes);
        };
        for (const Side side : {Side::left, Side::right}) {
            const std::size_t s = side == Side::left ? 0 : 1;
            const auto put = [&](std::initializer_list<GaitAngle> which, const Segment& above,
                                 const Segment& below, const Quatd* fixed, bool ankle, const Vec3d& signs) {
                if (below.joint < 0 || (fixed == nullptr && above.joint < 0)) return;
                const Vec3d values =
                    clinical(fixed != nullptr ? *fixed : rotation(above), rotation(below), ankle, signs);
                for (const GaitAngle angle : which)
                    angles.of(side, angle).push_back(values[info(angle).component]);
            };
            put({pelvic_tilt, pelvic_obliquity, pelvic_rotation}, {}, body.pelvis, &laboratory, false,
                pelvis_signs[s]);
            put({hip_flexion, hip_adduction, hip_rotation}, body.pelvis, body.thigh[s], nullptr, false,
                hip_signs[s]);
            put({knee_flexion}, body.thigh[s], body.shank[s], nullptr, false, knee_signs[s]);
            put({ankle_dorsiflexion, ankle_rotation}, body.shank[s], body.foot[s], nullptr, true,
                hip_signs[s]);
        }
    }
    for (auto& side : angles.curves)
        for (auto& curve : side) unwrap(curve);
    return angles;
}

}  // namespace sinew::gait
