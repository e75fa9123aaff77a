// SPDX-License-Identifier: MIT
// The man's walk: published joint angles give the shape of the motion, the feet do not slide.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>

#include "sinew/math/quaternion.h"
#include "sinew/math/transform.h"
#include "sinew/math/types.h"
#include "sinew/sample/bodies/implicit.h"
#include "sinew/sample/bodies/man.h"
#include "sinew/sample/samples.h"

namespace sinew::sample {
namespace {

// A leg that walks: published angles give the shape of the motion, the ground corrects it.

/// A left leg at rest, relative to its hip joint; the sole touches the ground at heel, ball and toe.
struct LegShape {
    math::Vec3d hip;           ///< relative to the root joint of the skeleton
    math::Vec3d thigh;         ///< hip to knee
    math::Vec3d shank;         ///< knee to ankle
    math::Vec3d heel;          ///< ankle to the point of the sole that lands first
    math::Vec3d ball_of_foot;  ///< ankle to the sole under the joint of the toes
    math::Vec3d toe;           ///< ankle to the last point of the sole to leave
};

struct LegPose {
    math::Quatd upper;  ///< in the world
    math::Quatd knee;   ///< relative to the thigh
    math::Quatd ankle;  ///< relative to the shank
    math::Quatd toes;   ///< relative to the foot
};

/// Walk of a body with two such legs. Phase 0 is the heel contact of this leg; a stride is one cycle.
class LegGait {
  public:
    explicit LegGait(const LegShape& shape);

    double stride() const { return stride_; }
    /// Root joint in the world, with x towards this leg; z grows by a stride each cycle. For the other leg it
    /// is the mirror image half a cycle later.
    math::Vec3d root(double phase) const;
    /// Rotation of the root joint.
    math::Quatd pelvis(double phase) const;
    /// Joint rotations that bring the foot to its target.
    LegPose pose(double phase) const;
    /// Position of the ankle in the world.
    math::Vec3d ankle(double phase) const;

  private:
    math::Vec3d rolling_ankle(double phase) const;
    math::Vec3d free_ankle(double phase) const;
    math::Vec3d stance_root(double phase) const;
    void fit_root();
    void keep_in_reach();

    static constexpr std::size_t harmonics = 2;
    LegShape shape_;
    double stride_ = 0;
    std::array<math::Vec3d, 2 * harmonics + 1>
        root_{};  ///< Fourier series over half a cycle, without the travel
};

using math::pi;
using math::Quatd;
using math::radians;
using math::Vec3d;

constexpr double lift_off = 0.57;       // phase at which the toes leave the ground
constexpr double double_support = 0.1;  // length of the phase in which both feet are on the ground
constexpr double track = 0.066;         // ankle to the line of progression, metres
constexpr double clearance = 0.030;  // additional lift of the swinging foot over the published angles, metres
constexpr double sway = 0.018;       // of the root to the side of the standing leg

Quatd about_x(double angle) {
    return math::axis_angle<double>(Vec3d::UnitX(), angle);
}
Quatd about_y(double angle) {
    return math::axis_angle<double>(Vec3d::UnitY(), angle);
}
Quatd about_z(double angle) {
    return math::axis_angle<double>(Vec3d::UnitZ(), angle);
}

/// Toes up is positive. In the curves a flat foot is within two degrees of level; on the ground it is exactly
/// level.
double foot_pitch(double phase) {
    const GaitAngles a = gait_angles(phase);
    const double pitch = radians(a.hip_flexion - a.knee_flexion + a.ankle_dorsiflexion), flat = radians(2.5);
    return pitch - flat * std::tanh(pitch / flat);
}

/// Bend of the toes: they stay on the ground while the heel rises, as far as they can.
double toe_bend(double phase) {
    constexpr double max = radians(32);
    const double rise = std::max(-foot_pitch(phase), 0.0);
    return max * std::tanh(rise / max);
}

double fraction(double phase) {
    return phase - std::floor(phase);
}

/// Knee angle at which hip and ankle are `reach` apart: thigh . Rx(k) shank = c + r cos(k - d).
double knee_angle(const LegShape& leg, double reach) {
    const Vec3d &t = leg.thigh, &s = leg.shank;
    const double a = t.y() * s.y() + t.z() * s.z(), b = t.z() * s.y() - t.y() * s.z();
    const double dot = (reach * reach - t.squaredNorm() - s.squaredNorm()) / 2 - t.x() * s.x();
    return std::atan2(b, a) + std::acos(std::clamp(dot / std::hypot(a, b), -1.0, 1.0));
}

/// Rz Rx that takes vector l (which hangs down) to vector t of the same length.
Quatd aim_leg(const Vec3d& l, const Vec3d& t) {
    const double radius = std::hypot(l.y(), l.z());
    const double turned = pi - std::asin(std::clamp(t.z() / radius, -1.0, 1.0));
    const double b = turned - std::atan2(l.z(), l.y()), y = radius * std::cos(turned);
    const double a = std::atan2(t.y(), t.x()) - std::atan2(y, l.x());
    return about_z(a) * about_x(b);
}

LegGait::LegGait(const LegShape& shape) : shape_(shape) {
    // In double support both feet must give the same root position: that determines the length of a step.
    constexpr int samples = 16;
    double step = 0;
    for (int n = 0; n < samples; ++n) {
        const double phase = double_support * (n + 0.5) / samples;
        step += (stance_root(phase + 0.5) - stance_root(phase)).z() / samples;
    }
    stride_ = 2 * step;
    fit_root();
    keep_in_reach();
}

/// Ankle of a foot that rolls from heel over ball to toe without slipping; the origin is where the ball is
/// set down.
Vec3d LegGait::rolling_ankle(double phase) const {
    const double pitch = foot_pitch(phase);
    if (pitch >= 0) return shape_.heel - shape_.ball_of_foot - about_x(-pitch) * shape_.heel;
    const double toes = pitch + toe_bend(phase);  // of the toes on the ground
    const Vec3d tip = shape_.toe - shape_.ball_of_foot;
    return tip - about_x(-toes) * tip - about_x(-pitch) * shape_.ball_of_foot;
}

/// Ankle relative to the hip by the published angles alone, in the plane of progression.
Vec3d LegGait::free_ankle(double phase) const {
    const GaitAngles a = gait_angles(phase);
    const Quatd hip = about_x(-radians(a.hip_flexion)), knee = about_x(radians(a.knee_flexion));
    return hip * (shape_.thigh + knee * shape_.shank);
}

/// Position of the root if this leg stood with the published angles.
Vec3d LegGait::stance_root(double phase) const {
    return rolling_ankle(phase) - free_ankle(phase) - shape_.hip;
}

/// The root moves from one standing leg to the other; a short Fourier series smooths the change.
void LegGait::fit_root() {
    constexpr int samples = 128;
    root_.fill(Vec3d::Zero());
    for (int n = 0; n < samples; ++n) {
        const double phase = 0.5 * n / samples;
        const double taken = smooth_step(0, double_support, phase);
        Vec3d at = taken * stance_root(phase);
        if (taken < 1) at += (1 - taken) * (stance_root(phase + 0.5) - Vec3d(0, 0, stride_ / 2));
        at.z() -= stride_ * phase;
        root_[0] += at / samples;
        for (std::size_t h = 1; h <= harmonics; ++h) {
            const double angle = 4 * pi * static_cast<double>(h) * phase;
            root_[2 * h - 1] += 2 * std::cos(angle) / samples * at;
            root_[2 * h] += 2 * std::sin(angle) / samples * at;
        }
    }
    // Rigid feet vary the speed of the body more than in people, whose speed varies by about a tenth.
    constexpr double hurry = 0.4;
    for (std::size_t term = 1; term < root_.size(); ++term) root_[term].z() *= hurry;
    for (Vec3d& term : root_) term.x() = 0;
}

/// Lowers the root until the leg never has to be longer than it is.
void LegGait::keep_in_reach() {
    const double length = 0.997 * (shape_.thigh.norm() + shape_.shank.norm());
    for (int pass = 0; pass < 3; ++pass) {
        double excess = 0;
        for (int n = 0; n < 200; ++n) {
            const double phase = n / 200.0;
            const Vec3d leg = ankle(phase) - root(phase) - pelvis(phase) * shape_.hip;
            if (leg.norm() <= length) continue;
            const double allowed = std::sqrt(length * length - leg.x() * leg.x() - leg.z() * leg.z());
            excess = std::max(excess, -leg.y() - allowed);
        }
        root_[0].y() -= excess;
    }
}

Vec3d LegGait::root(double phase) const {
    Vec3d at = root_[0];
    for (std::size_t h = 1; h <= harmonics; ++h) {
        const double angle = 4 * pi * static_cast<double>(h) * phase;
        at += std::cos(angle) * root_[2 * h - 1] + std::sin(angle) * root_[2 * h];
    }
    at.x() = sway * std::cos(2 * pi * (phase - 0.30));
    at.z() += stride_ * phase;
    return at;
}

Quatd LegGait::pelvis(double phase) const {
    const GaitAngles a = gait_angles(phase);
    return about_y(-radians(a.pelvis_forward)) * about_z(radians(a.pelvis_up)) * about_x(radians(2));
}

Vec3d LegGait::ankle(double phase) const {
    const double whole = std::floor(phase), p = phase - whole;
    const Vec3d set(0, 0, whole * stride_);
    const auto ground = [&](double q) { return Vec3d(rolling_ankle(q)); };
    const auto air = [&](double q) { return Vec3d(root(q) + shape_.hip + free_ankle(q)); };
    Vec3d at;
    if (p <= lift_off) {
        at = ground(p);
    } else {
        // In the air: the published path, moved so that it leaves the ground path softly and meets it at heel
        // contact. The offset keeps part of its speed at lift-off and loses all of it at contact: the heel
        // strikes.
        constexpr double h = 1e-4, kept_speed = 0.4;
        const double length = 1 - lift_off, t = (p - lift_off) / length, s = 1 - t;
        const auto offset = [&](double q) { return Vec3d(ground(q) - air(q)); };
        const Vec3d d0 = offset(lift_off), d1 = ground(0) + Vec3d(0, 0, stride_) - air(1);
        const Vec3d m0 = kept_speed * length * (d0 - offset(lift_off - h)) / h;
        at = air(p) + (d0 * (1 + 2 * t) + m0 * t) * s * s + d1 * (1 + 2 * s) * t * t;
        at.y() += clearance * std::sin(pi * t) * s;
    }
    at.x() = track;
    return at + set;
}

LegPose LegGait::pose(double phase) const {
    const Vec3d leg = ankle(phase) - root(phase) - pelvis(phase) * shape_.hip;
    const double bend = knee_angle(shape_, leg.norm()), p = fraction(phase);
    LegPose pose;
    pose.knee = about_x(bend);
    pose.upper = aim_leg(shape_.thigh + pose.knee * shape_.shank, leg);
    pose.ankle = (pose.upper * pose.knee).conjugate() * about_x(-foot_pitch(phase));
    pose.toes = about_x(-toe_bend(phase) * (1 - smooth_step(lift_off, 0.75, p)));
    return pose;
}
using Curve = std::array<double, 20>;  // at 0, 5, ..., 95 % of the cycle

constexpr Curve hip_flexion_table{25,  24,  21.5, 17, 12, 7,  1.5, -4, -9.5, -14.5,
                                  -18, -17, -11,  0,  11, 19, 25,  28, 28.5, 27};
constexpr Curve knee_flexion_table{5,    11, 17,   19, 17.5, 14,   10.5, 7.5, 6,  8,
                                   13.5, 23, 36.5, 50, 59,   60.5, 54,   41,  24, 9};
constexpr Curve ankle_dorsiflexion_table{0, -5, -3.5, 0,   3,     5,    6.5, 8, 9.5, 10,
                                         7, -1, -12,  -17, -11.5, -4.5, 0,   2, 2,   1};

/// Periodic cubic through the table (Catmull and Rom 1974).
double at(const Curve& curve, double phase) {
    const double x = (phase - std::floor(phase)) * static_cast<double>(curve.size());
    const std::size_t n = curve.size(), i = static_cast<std::size_t>(x) % n;
    const double t = x - std::floor(x);
    const double a = curve[(i + n - 1) % n], b = curve[i], c = curve[(i + 1) % n], d = curve[(i + 2) % n];
    return b + 0.5 * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)));
}

}  // namespace

GaitAngles gait_angles(double phase) {
    const auto wave = [&](double shift) { return std::cos(2 * math::pi * (phase - shift)); };
    GaitAngles angles;
    angles.hip_flexion = at(hip_flexion_table, phase);
    angles.knee_flexion = at(knee_flexion_table, phase);
    angles.ankle_dorsiflexion = at(ankle_dorsiflexion_table, phase);
    // The arm is furthest back just after its own side's heel contact and bends as it comes forward.
    angles.shoulder_flexion = -3 - 19 * wave(0.02);
    angles.elbow_flexion = 24 - 12 * wave(0.07);
    angles.pelvis_forward = 4.5 * wave(0.0);
    angles.pelvis_up = 3.5 * wave(0.15);
    angles.thorax_forward = -3.5 * wave(0.02);
    return angles;
}

namespace {

constexpr int keys_per_cycle = 66;

using math::Quatd;
using math::radians;
using math::Vec3d;

LegShape left_leg(const model::Skeleton& skeleton) {
    const auto world = model::joint_positions(model::rest_world_matrices(skeleton));
    const auto at = [&](const char* name) { return world[static_cast<std::size_t>(skeleton.find(name))]; };
    const Vec3d root = at("Hips"), hip = at("LeftUpperLeg"), knee = at("LeftLowerLeg"),
                ankle = at("LeftFoot");
    const Vec3d toes = at("LeftToes");
    const auto on_ground = [&](double z) { return Vec3d(0, -ankle.y(), z - ankle.z()); };
    return {hip - root, knee - hip, ankle - knee, on_ground(-0.080), on_ground(toes.z()), on_ground(0.187)};
}

using NamedRotations = std::map<std::string, Quatd>;

void set_arm(NamedRotations& pose, const GaitAngles& angles) {
    const Vec3d x = Vec3d::UnitX(), y = Vec3d::UnitY(), z = Vec3d::UnitZ();
    pose["Shoulder"] = rotation_about(z, -7) * rotation_about(y, 0.12 * -angles.shoulder_flexion);
    pose["UpperArm"] =
        rotation_about(x, -angles.shoulder_flexion) * rotation_about(z, -70) * rotation_about(x, 6);
    pose["LowerArm"] = rotation_about(y, -angles.elbow_flexion) * rotation_about(x, 8);
    pose["Hand"] = rotation_about(y, 4) * rotation_about(z, -6);
    // Relaxed: the fingers curl and close up from the spread of the T-pose.
    const std::pair<const char*, double> spread[] = {
        {"Index", 5}, {"Middle", 1}, {"Ring", -3}, {"Little", -7}};
    for (const auto& [finger, closing] : spread) {
        pose[std::string(finger) + "Proximal"] = rotation_about(y, closing) * rotation_about(z, -18);
        pose[std::string(finger) + "Distal"] = rotation_about(z, -26);
    }
    pose["ThumbProximal"] = rotation_about(y, 14) * rotation_about(z, -6);
    pose["ThumbDistal"] = rotation_about(y, 8);
}

/// Local rotations of the joints of the left side.
NamedRotations side_pose(const LegGait& gait, double phase) {
    NamedRotations pose;
    const LegPose leg = gait.pose(phase);
    pose["UpperLeg"] = gait.pelvis(phase).conjugate() * leg.upper;
    pose["LowerLeg"] = leg.knee;
    pose["Foot"] = leg.ankle;
    pose["Toes"] = leg.toes;
    set_arm(pose, gait_angles(phase));
    return pose;
}

NamedRotations whole_pose(const LegGait& gait, double phase) {
    NamedRotations pose;
    const Quatd pelvis = gait.pelvis(phase);
    const Quatd thorax = rotation_about(Vec3d::UnitY(), -gait_angles(phase).thorax_forward) *
                         rotation_about(Vec3d::UnitX(), 2.5);
    pose["Hips"] = pelvis;
    const Quatd third = math::pow<double>(pelvis.conjugate() * thorax, 1.0 / 3);
    for (const char* name : {"Spine", "Chest", "UpperChest"}) pose[name] = third;
    const Quatd half = math::pow<double>(thorax.conjugate(), 0.5);  // the head faces forward
    for (const char* name : {"Neck", "Head"}) pose[name] = half;
    for (const auto& [name, q] : side_pose(gait, phase)) pose["Left" + name] = q;
    for (const auto& [name, q] : side_pose(gait, phase + 0.5)) pose["Right" + name] = mirrored(q);
    return pose;
}

}  // namespace

model::Clip man_walk(const model::Skeleton& skeleton, const WalkOptions& options) {
    const LegGait gait(left_leg(skeleton));
    const int cycles = options.in_place ? 1 : options.cycles, keys = cycles * keys_per_cycle + 1;
    const auto times =
        model::KeyTimes::even(0, options.cycle_seconds / keys_per_cycle, static_cast<std::size_t>(keys));
    model::Clip clip;
    clip.name = options.in_place ? "walk-in-place" : "walk";
    clip.tracks.resize(skeleton.size());
    const double start = gait.root(0).z();
    for (int k = 0; k < keys; ++k) {
        // The phase is taken within the cycle, so that every cycle has the same bits.
        const int whole = k / keys_per_cycle, part = k % keys_per_cycle;
        const double phase = static_cast<double>(part) / keys_per_cycle;
        const NamedRotations pose = whole_pose(gait, phase);
        Vec3d root = gait.root(phase);
        root.z() += gait.stride() * (options.in_place ? -phase : whole) - start;
        for (std::size_t j = 0; j < skeleton.size(); ++j) {
            model::Track& track = clip.tracks[j];
            track.joint = static_cast<int>(j);
            if (skeleton.joints[j].parent < 0) track.translation.values.push_back(root.cast<float>());
            track.rotation.values.push_back(pose.at(skeleton.joints[j].name).cast<float>());
        }
    }
    for (model::Track& track : clip.tracks) {
        track.rotation.times = times;
        if (!track.translation.values.empty()) track.translation.times = times;
    }
    return clip;
}

}  // namespace sinew::sample
