#include "sinew/sample/bodies/man.h"

#include <algorithm>
#include <cmath>

#include "sinew/sample/bodies/implicit.h"

namespace sinew::sample {
namespace {

using math::pi;
using math::Quatd;
using math::radians;
using math::Vec3d;

constexpr double lift_off = 0.57;       // phase at which the toes leave the ground
constexpr double double_support = 0.1;  // length of the phase in which both feet are on the ground
constexpr double track = 0.066;         // ankle to the line of progression, metres
constexpr double clearance = 0.030;  // what the swinging foot is lifted beyond the published angles, metres
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

/// Toes up is positive. The curves say a foot flat within two degrees; the ground makes that zero.
double foot_pitch(double phase) {
    const GaitAngles a = gait_angles(phase);
    const double pitch = radians(a.hip_flexion - a.knee_flexion + a.ankle_dorsiflexion), flat = radians(2.5);
    return pitch - flat * std::tanh(pitch / flat);
}

/// Bend of the toes: they stay on the ground while the heel rises, as far as they can.
double toe_bend(double phase) {
    constexpr double most = radians(32);
    const double rise = std::max(-foot_pitch(phase), 0.0);
    return most * std::tanh(rise / most);
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

}  // namespace

LegGait::LegGait(const LegShape& shape) : shape_(shape) {
    // In double support both feet must agree on where the root is: that gives the length of a step.
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
    if (pitch >= 0) return shape_.heel - shape_.ball - about_x(-pitch) * shape_.heel;
    const double toes = pitch + toe_bend(phase);  // of the toes on the ground
    const Vec3d tip = shape_.toe - shape_.ball;
    return tip - about_x(-toes) * tip - about_x(-pitch) * shape_.ball;
}

/// Ankle relative to the hip by the published angles alone, in the plane of progression.
Vec3d LegGait::free_ankle(double phase) const {
    const GaitAngles a = gait_angles(phase);
    const Quatd hip = about_x(-radians(a.hip_flexion)), knee = about_x(radians(a.knee_flexion));
    return hip * (shape_.thigh + knee * shape_.shank);
}

/// Where the root would be if this leg stood by the published angles.
Vec3d LegGait::stance_root(double phase) const {
    return rolling_ankle(phase) - free_ankle(phase) - shape_.hip;
}

/// The root goes from one standing leg over to the other; a short Fourier series smooths the change.
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
    // Rigid feet make the body hurry from leg to leg more than people do: their speed varies by about a
    // tenth.
    constexpr double hurry = 0.4;
    for (std::size_t term = 1; term < root_.size(); ++term) root_[term].z() *= hurry;
    for (Vec3d& term : root_) term.x() = 0;
}

/// Lowers the root until the leg is never asked to be longer than it is.
void LegGait::keep_in_reach() {
    const double length = 0.997 * (shape_.thigh.norm() + shape_.shank.norm());
    for (int pass = 0; pass < 3; ++pass) {
        double excess = 0;
        for (int n = 0; n < 200; ++n) {
            const double phase = n / 200.0;
            const Vec3d way = ankle(phase) - root(phase) - pelvis(phase) * shape_.hip;
            if (way.norm() <= length) continue;
            const double allowed = std::sqrt(length * length - way.x() * way.x() - way.z() * way.z());
            excess = std::max(excess, -way.y() - allowed);
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
    const Vec3d way = ankle(phase) - root(phase) - pelvis(phase) * shape_.hip;
    const double bend = knee_angle(shape_, way.norm()), p = fraction(phase);
    LegPose pose;
    pose.knee = about_x(bend);
    pose.upper = aim_leg(shape_.thigh + pose.knee * shape_.shank, way);
    pose.ankle = (pose.upper * pose.knee).conjugate() * about_x(-foot_pitch(phase));
    pose.toes = about_x(-toe_bend(phase) * (1 - smooth_step(lift_off, 0.75, p)));
    return pose;
}

}  // namespace sinew::sample
