// SPDX-License-Identifier: MIT
// Moments and powers of the joints of a leg by inverse dynamics, from the foot up.

#include <algorithm>
#include <cmath>

#include "sinew/gait/analysis/marker_paths.h"
#include "sinew/gait/gait.h"
#include "sinew/math/quaternion.h"
#include "sinew/motion/clean.h"

namespace sinew::gait {

using math::Mat3d;
using math::Vec3d;
using model::Side;

namespace {

constexpr double cutoff = 6;          // Hz, for values that are differentiated
constexpr double contact_gap = 0.06;  // seconds between an event and its load

/// Inertia of a segment (Dempster 1955, as tabled by Winter 2009): mass as a fraction of the body's mass;
/// centre from the proximal joint and radius of gyration about the centre as fractions of the length.
struct SegmentMass {
    double mass, center, gyration;
};
constexpr SegmentMass foot_mass = {0.0145, 0.5, 0.475}, shank_mass = {0.0465, 0.433, 0.302},
                      thigh_mass = {0.1, 0.433, 0.323};

/// Applies the low-pass filter to every run of known values; runs that are too short for it are not changed.
Path smoothed(Path path, double rate) {
    if (rate < 2.5 * cutoff) return path;
    const motion::LowPass filter = motion::zero_lag_butterworth(cutoff, rate);
    for (std::size_t first = 0; first < path.size();) {
        std::size_t last = first;
        while (last < path.size() && path[last].allFinite()) ++last;
        if (last - first >= 12) {
            for (int axis = 0; axis < 3; ++axis) {
                std::vector<double> values;
                for (std::size_t f = first; f < last; ++f) values.push_back(path[f][axis]);
                const std::vector<double> smooth = motion::filtered(values, filter);
                for (std::size_t f = first; f < last; ++f) path[f][axis] = smooth[f - first];
            }
        }
        first = std::max(last, first + 1);
    }
    return path;
}

/// Derivative by time; NaN at the ends.
Path second_derivative(const Path& path, double rate) {
    Path result(path.size(), Vec3d::Constant(math::nan));
    for (std::size_t f = 1; f + 1 < path.size(); ++f)
        result[f] = (path[f + 1] - 2 * path[f] + path[f - 1]) * rate * rate;
    return result;
}

/// Angular velocity in the laboratory, radians per second.
Path angular_velocity(const std::vector<Mat3d>& axes, double rate) {
    Path result(axes.size(), Vec3d::Constant(math::nan));
    for (std::size_t f = 1; f + 1 < axes.size(); ++f) {
        const Mat3d change = axes[f + 1] * axes[f - 1].transpose();
        if (!change.allFinite()) continue;
        const Eigen::AngleAxisd rotation(change);
        result[f] = rotation.axis() * rotation.angle() * rate / 2;
    }
    return smoothed(std::move(result), rate);
}

/// A segment over time: a thin rod between two joints.
class Rod {
  public:
    Rod(Path proximal, Path distal, const SegmentMass& part, double mass, double rate)
        : proximal_(std::move(proximal)), distal_(std::move(distal)), mass_(part.mass * mass) {
        Path along;
        for (std::size_t f = 0; f < proximal_.size(); ++f) {
            center_.push_back(proximal_[f] + part.center * (distal_[f] - proximal_[f]));
            along.push_back((distal_[f] - proximal_[f]).normalized());
            const double radius = part.gyration * (distal_[f] - proximal_[f]).norm();
            inertia_.push_back(mass_ * radius * radius);
        }
        acceleration_ = second_derivative(smoothed(center_, rate), rate);
        const Path turning = second_derivative(smoothed(along, rate), rate);
        // For a rod with direction u: d/dt I (u x u') = I (u x u'').
        for (std::size_t f = 0; f < along.size(); ++f)
            momentum_.push_back(inertia_[f] * along[f].cross(turning[f]));
    }

    struct Load {
        Vec3d force = Vec3d::Zero(), moment = Vec3d::Zero();
    };

    /// Force and moment that the proximal segment exerts at the proximal joint, for the given load that the
    /// ground or the distal segment exerts at `at`.
    Load above(std::size_t f, const Load& below, const Vec3d& at) const {
        Load load;
        load.force = mass_ * (acceleration_[f] + Vec3d(0, 9.81, 0)) - below.force;
        load.moment = momentum_[f] - below.moment - (proximal_[f] - center_[f]).cross(load.force) -
                      (at - center_[f]).cross(below.force);
        return load;
    }
    const Vec3d& proximal(std::size_t f) const { return proximal_[f]; }

  private:
    Path proximal_, distal_, center_, acceleration_, momentum_;
    std::vector<double> inertia_;
    double mass_;
};

/// Frames in which all loads on a foot are known.
std::vector<bool> known_frames(std::size_t frames, double rate, std::span<const PlateHit> hits,
                               std::span<const GaitCycleSpan> cycles, Side side) {
    std::vector<bool> known(frames, false);
    const auto mark = [&](double from, double to) {
        for (auto f = static_cast<std::size_t>(std::max(0.0, std::floor(from * rate)));
             f < frames && static_cast<double>(f) <= std::ceil(to * rate); ++f)
            known[f] = true;
    };
    for (const PlateHit& hit : hits) {
        if (!hit.clean || hit.side != side) continue;
        mark(hit.start, hit.end);
        for (const GaitCycleSpan& cycle : cycles)
            if (cycle.side == side && cycle.off && std::abs(hit.start - cycle.start) < contact_gap &&
                std::abs(hit.end - *cycle.off) < contact_gap)
                mark(cycle.start, cycle.end);
    }
    return known;
}

Path path_of(std::span<const BodyFrame> frames, std::size_t s, Vec3d LegFrame::* point) {
    Path path;
    for (const BodyFrame& frame : frames) path.push_back(frame.legs[s].*point);
    return path;
}

Path turning_of(std::span<const BodyFrame> frames, std::size_t s, Mat3d LegFrame::* axes, double rate) {
    std::vector<Mat3d> all;
    for (const BodyFrame& frame : frames) all.push_back(frame.legs[s].*axes);
    return angular_velocity(all, rate);
}

/// The foot is modelled as a rod from ankle to toe, also when its axes are unknown.
Path foot_turning(std::span<const BodyFrame> frames, std::size_t s, double rate) {
    std::vector<Mat3d> all;
    for (const BodyFrame& frame : frames) {
        const LegFrame& leg = frame.legs[s];
        Mat3d axes;
        axes.col(0) = (leg.toe - leg.ankle).normalized();
        axes.col(2) = axes.col(0).cross(Vec3d(leg.shank.col(1))).normalized();
        axes.col(1) = axes.col(2).cross(axes.col(0));
        all.push_back(axes);
    }
    return angular_velocity(all, rate);
}

}  // namespace

void add_kinetics(std::span<const BodyFrame> frames, double rate, const GroundReactions& ground,
                  std::span<const GaitCycleSpan> cycles, double mass, const Vec3d& forward,
                  GaitTraces& traces) {
    using enum GaitCurve;
    std::vector<Mat3d> pelvis_axes;
    for (const BodyFrame& frame : frames) pelvis_axes.push_back(frame.pelvis);
    const Path pelvis = angular_velocity(pelvis_axes, rate);
    for (const Side side : {Side::left, Side::right}) {
        const std::size_t s = side == Side::left ? 0 : 1;
        const double sign = s == 0 ? 1 : -1;
        const std::vector<bool> known = known_frames(frames.size(), rate, ground.hits, cycles, side);
        if (std::ranges::count(known, true) == 0) continue;
        const Path hip = path_of(frames, s, &LegFrame::hip), knee = path_of(frames, s, &LegFrame::knee),
                   ankle = path_of(frames, s, &LegFrame::ankle), toe = path_of(frames, s, &LegFrame::toe);
        const Rod foot(ankle, toe, foot_mass, mass, rate), shank(knee, ankle, shank_mass, mass, rate),
            thigh(hip, knee, thigh_mass, mass, rate);
        const Path thigh_turning = turning_of(frames, s, &LegFrame::thigh, rate),
                   shank_turning = turning_of(frames, s, &LegFrame::shank, rate),
                   ankle_turning = foot_turning(frames, s, rate);
        const auto put = [&](GaitCurve curve, std::size_t f, double value) {
            std::vector<double>& trace = traces.of(side, curve);
            trace.resize(frames.size(), math::nan);
            trace[f] = value;
        };
        for (std::size_t f = 0; f < frames.size(); ++f) {
            if (!known[f]) continue;
            const GroundReaction& reaction = ground.feet[s][f];
            const LegFrame& leg = frames[f].legs[s];
            const Rod::Load a = foot.above(f, {reaction.force, reaction.moment}, reaction.center);
            const Rod::Load k = shank.above(f, {-a.force, -a.moment}, foot.proximal(f));
            const Rod::Load h = thigh.above(f, {-k.force, -k.moment}, shank.proximal(f));
            // About the left axis a positive moment is a plantar flexor, knee flexor or hip extensor moment.
            const Vec3d ankle_moment = leg.ankle_axes.transpose() * a.moment / mass,
                        knee_moment = leg.shank.transpose() * k.moment / mass,
                        hip_moment = leg.thigh.transpose() * h.moment / mass;
            put(GaitCurve::ankle_moment, f, ankle_moment.y());
            put(GaitCurve::knee_moment, f, -knee_moment.y());
            put(GaitCurve::hip_moment, f, hip_moment.y());
            put(hip_side_moment, f, sign * hip_moment.x());
            put(knee_side_moment, f, sign * knee_moment.x());
            put(hip_twist_moment, f, sign * hip_moment.z());
            put(ankle_power, f, a.moment.dot(ankle_turning[f] - shank_turning[f]) / mass);
            put(knee_power, f, k.moment.dot(shank_turning[f] - thigh_turning[f]) / mass);
            put(hip_power, f, h.moment.dot(thigh_turning[f] - pelvis[f]) / mass);
            put(ground_forward, f, forward.dot(reaction.force) / mass);
            put(ground_medial, f, -sign * Vec3d::UnitY().cross(forward).dot(reaction.force) / mass);
            put(ground_up, f, reaction.force.y() / mass);
        }
    }
}

}  // namespace sinew::gait
