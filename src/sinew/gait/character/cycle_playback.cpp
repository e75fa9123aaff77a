// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/gait/gait.h"
#include "sinew/math/quaternion.h"

namespace sinew::gait {
namespace {

using math::Quatd;
using math::Vec3d;
using model::GaitCycle;
using model::GaitVariable;
using model::Side;

/// The rotations of one joint on one side.
struct JointCurves {
    std::array<const char*, 3>
        names;  ///< flexion, adduction, rotation; null for curves that files do not have
    std::array<double, 3> left_signs;
    std::array<double, 3> right_signs;
    bool rotation_before_adduction = false;
};

constexpr JointCurves pelvis = {{"PelvicTilt", "PelvicObliquity", "PelvicRotation"}, {1, 1, -1}, {1, -1, 1}};
constexpr JointCurves hip = {{"HipFlexExt", "HipAbAdduct", "HipRotation"}, {-1, -1, -1}, {-1, 1, 1}};
constexpr JointCurves knee = {{"KneeFlexExt", "KneeValgVar", "KneeRotation"}, {1, -1, -1}, {1, 1, 1}};
constexpr JointCurves ankle = {{"DorsiPlanFlex", nullptr, "FootRotation"}, {-1, -1, -1}, {-1, 1, 1}, true};

/// Forward, left and up of the laboratory are z, x and y here.
constexpr int left_axis = 0, up_axis = 1, forward_axis = 2;

enum Joints : std::size_t {
    at_pelvis,
    left_thigh,
    left_shank,
    left_foot,
    right_thigh,
    right_shank,
    right_foot
};

/// Lengths of segments as fractions of the height (Drillis and Contini 1966).
model::Skeleton lower_body(double height) {
    const double hip_half = 0.0955 * height, thigh = 0.245 * height, shank = 0.246 * height;
    const double ankle_height = 0.039 * height, foot = 0.152 * height;
    model::Skeleton skeleton;
    const auto add = [&](const char* name, int parent, const Vec3d& offset) {
        model::Joint joint;
        joint.name = name;
        joint.parent = parent;
        joint.rest.translation = offset;
        skeleton.joints.push_back(std::move(joint));
    };
    add("pelvis", -1, {0, thigh + shank + ankle_height, 0});
    for (const double side : {1.0, -1.0}) {
        const int first = static_cast<int>(skeleton.size());
        add(side > 0 ? "left_thigh" : "right_thigh", 0, {side * hip_half, 0, 0});
        add(side > 0 ? "left_shank" : "right_shank", first, {0, -thigh, 0});
        add(side > 0 ? "left_foot" : "right_foot", first + 1, {0, -shank, 0});
        skeleton.joints.back().tip = Vec3d(0, -ankle_height, foot * 0.75);
    }
    return skeleton;
}

class CyclePlayer {
  public:
    CyclePlayer(const GaitCycle& cycle, const CycleOptions& options, Monitor& monitor)
        : cycle_(cycle), options_(options), monitor_(monitor), skeleton_(lower_body(options.height)) {}
    model::Character run();

  private:
    double stride_time();
    double contact();
    void check_curves();
    Quatd rotation(const JointCurves& joint, Side side, double phase) const;
    Quatd pelvis_rotation(double phase) const;
    double ground_height(const std::vector<math::Transform>& pose) const;
    double stride_length() const;

    const GaitCycle& cycle_;
    const CycleOptions& options_;
    Monitor& monitor_;
    model::Skeleton skeleton_;
    double shift_ = 0.5;  ///< phase of the left cycle at right foot contact
};

double CyclePlayer::stride_time() {
    for (const Side side : {Side::left, Side::right}) {
        const double time = cycle_.value(side, "StrideTime").value_or(0);
        if (time > 0.1 && time < 20) return time;
        const double cadence = cycle_.value(side, "Cadence").value_or(0);  // steps per minute
        if (cadence > 6 && cadence < 600) return 120 / cadence;
    }
    warn(monitor_, "cycle-no-time", "neither StrideTime nor Cadence is given; a cycle takes 1.1 s");
    return 1.1;
}

double CyclePlayer::contact() {
    const auto good = [](std::optional<double> percent) { return percent && *percent > 0 && *percent < 100; };
    const std::optional<double> left = cycle_.value(Side::left, "OppositeFootContact");
    if (good(left)) return *left / 100;
    const std::optional<double> right = cycle_.value(Side::right, "OppositeFootContact");
    if (good(right)) return 1 - *right / 100;
    warn(monitor_, "cycle-no-contact", "OppositeFootContact is not given; the sides are half a cycle apart");
    return 0.5;
}

void CyclePlayer::check_curves() {
    std::string missing;
    std::size_t found = 0;
    for (const JointCurves* const joint : {&pelvis, &hip, &knee, &ankle}) {
        for (const char* const name : joint->names) {
            if (name == nullptr) continue;
            const bool left = cycle_.find(Side::left, name) != nullptr;
            const bool right = cycle_.find(Side::right, name) != nullptr;
            found += left || right ? 1 : 0;
            // The pelvis is common to both sides, so the curve of either side is used.
            if ((left && right) || (joint == &pelvis && (left || right))) continue;
            missing.append(missing.empty() ? "" : ", ")
                .append(left    ? "Right"
                        : right ? "Left"
                                : "")
                .append(name);
        }
    }
    if (found == 0) fail("", "the gait cycle has no angle curve such as LeftHipFlexExt");
    if (!missing.empty()) warn(monitor_, "cycle-no-curve", "{} stay at 0: they are not given", missing);
}

Quatd CyclePlayer::rotation(const JointCurves& joint, Side side, double phase) const {
    const std::array<double, 3>& signs = side == Side::left ? joint.left_signs : joint.right_signs;
    std::array<double, 3> a{};
    for (std::size_t i = 0; i < 3; ++i) {
        const GaitVariable* const curve =
            joint.names[i] == nullptr ? nullptr : cycle_.find(side, joint.names[i]);
        if (curve != nullptr) a[i] = math::radians(signs[i] * model::sample(*curve, phase, true));
    }
    if (joint.rotation_before_adduction)
        return math::from_euler({left_axis, up_axis, forward_axis}, {a[0], a[2], a[1]});
    return math::from_euler({left_axis, forward_axis, up_axis}, {a[0], a[1], a[2]});
}

Quatd CyclePlayer::pelvis_rotation(double phase) const {
    for (const char* const name : pelvis.names) {
        if (cycle_.find(Side::left, name) != nullptr) return rotation(pelvis, Side::left, phase);
    }
    return rotation(pelvis, Side::right, phase - shift_);
}

/// Height of the lowest point of the feet.
double CyclePlayer::ground_height(const std::vector<math::Transform>& pose) const {
    const std::vector<math::Mat4d> world = model::world_matrices(skeleton_, pose);
    double lowest = std::numeric_limits<double>::infinity();
    for (const std::size_t foot : {left_foot, right_foot}) {
        const Vec3d toe = *skeleton_.joints[foot].tip;
        const Vec3d heel(0, toe.y(), -toe.z() / 3);
        for (const Vec3d& point : {toe, heel})
            lowest = std::min(lowest, math::transform_point(world[foot], point).y());
    }
    return lowest;
}

/// Metres; files use metres or millimetres.
double CyclePlayer::stride_length() const {
    for (const Side side : {Side::left, Side::right}) {
        const double length = cycle_.value(side, "StrideLength").value_or(0);
        if (length > 0) return length > 10 ? length / 1000 : length;
    }
    return 0.8 * options_.height;
}

model::Character CyclePlayer::run() {
    check_curves();
    const double time = stride_time();
    shift_ = contact();
    const auto per_cycle = static_cast<std::size_t>(std::max(1.0, std::round(time * options_.rate)));
    const std::size_t frames = per_cycle * static_cast<std::size_t>(options_.cycles) + 1;
    const auto times = model::KeyTimes::even(0, time / static_cast<double>(per_cycle), frames);
    model::Character character;
    model::Clip clip;
    clip.name = "cycle";
    for (std::size_t j = 0; j < skeleton_.size(); ++j) {
        clip.tracks.emplace_back();
        clip.tracks[j].joint = static_cast<int>(j);
        clip.tracks[j].rotation.times = times;
    }
    clip.tracks[at_pelvis].translation.times = times;
    const double speed = options_.travel ? stride_length() : 0;
    for (std::size_t f = 0; f < frames; ++f) {
        const double cycles = static_cast<double>(f) / static_cast<double>(per_cycle);
        // The last frame of a cycle equals the first of the next exactly.
        const double phase = static_cast<double>(f % per_cycle) / static_cast<double>(per_cycle);
        std::vector<math::Transform> pose;
        for (const model::Joint& joint : skeleton_.joints) pose.push_back(joint.rest);
        pose[at_pelvis].rotation = pelvis_rotation(phase);
        for (const Side side : {Side::left, Side::right}) {
            const std::size_t first = side == Side::left ? left_thigh : right_thigh;
            const double own = side == Side::left ? phase : phase - shift_;
            pose[first].rotation = rotation(hip, side, own);
            pose[first + 1].rotation = rotation(knee, side, own);
            pose[first + 2].rotation = rotation(ankle, side, own);
        }
        pose[at_pelvis].translation.y() -= ground_height(pose);
        pose[at_pelvis].translation.z() += speed * cycles;
        clip.tracks[at_pelvis].translation.values.emplace_back(pose[at_pelvis].translation.cast<float>());
        for (std::size_t j = 0; j < pose.size(); ++j) {
            std::vector<math::Quatf>& values = clip.tracks[j].rotation.values;
            const math::Quatf q = pose[j].rotation.cast<float>();
            values.push_back(values.empty() ? q : math::aligned(q, values.back()));
        }
    }
    character.name = "gait cycle";
    character.skeleton = std::move(skeleton_);
    character.clips.push_back(std::move(clip));
    return character;
}

}  // namespace

model::Character play_cycle(const GaitCycle& cycle, const CycleOptions& options, Monitor& monitor) {
    const bool good = options.height > 0 && options.height < 1e6 && options.rate > 0 &&
                      options.rate <= 10'000 && options.cycles >= 1 && options.cycles <= 1000;
    if (!good) {
        fail("", "a body of {} m, {} frames per second and {} cycles cannot be played", options.height,
             options.rate, options.cycles);
    }
    return CyclePlayer(cycle, options, monitor).run();
}

}  // namespace sinew::gait
