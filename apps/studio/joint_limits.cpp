// SPDX-License-Identifier: MIT
#include "joint_limits.h"

#include <algorithm>
#include <cmath>

#include "actions.h"
#include "clip_keys.h"
#include "motion_edit.h"
#include "motion_layer.h"
#include "shared/plural.h"

#include "sinew/base/error.h"
#include "sinew/math/quaternion.h"

namespace sinew::studio {
namespace {

constexpr math::EulerOrder free_order = {0, 1, 2};
/// x first, then y, then z about fixed axes, as in model::JointLimits.
constexpr math::EulerOrder limit_order = {2, 1, 0};
/// Degrees by which a curve may exceed a limit between keys: errors of floats and slerp are smaller, and it
/// is not visible.
constexpr double tolerated = 0.1;
/// Frames per second, minimum: clips made by hand may have one key per second.
constexpr double lowest_rate = 30;

Vec3d radians_of(const Vec3d& degrees) {
    return degrees.unaryExpr([](double angle) { return math::radians(angle); });
}

Vec3d degrees_of(const Vec3d& radians) {
    return radians.unaryExpr([](double angle) { return math::degrees(angle); });
}

const model::Joint& joint_of(const model::Skeleton& skeleton, int joint) {
    return skeleton.joints[static_cast<std::size_t>(joint)];
}

Vec3d as_vector(const std::array<double, 3>& v) {
    return {v[0], v[1], v[2]};
}

/// Largest angle by which a rotation exceeds the limits.
double beyond(const model::Skeleton& skeleton, int joint, const std::array<double, 3>& degrees) {
    return (as_vector(degrees) - as_vector(within_limits(skeleton, joint, degrees))).cwiseAbs().maxCoeff();
}

/// Replaces the keys by keys at equal intervals, within the limits.
void make_dense(model::Clip& clip, const model::Skeleton& skeleton, int joint, double rate) {
    const auto track = std::ranges::find(clip.tracks, joint, &model::Track::joint);
    const model::KeyTimes& old = track->rotation.times;
    const model::TimeRange range{old.front(), old.back()};
    const AngleFrame frame = angle_frame(skeleton, joint);
    model::Keys<math::Quatf> keys;
    // Start and end of the curve are kept, so the rate is only approximately as requested.
    const auto count = std::max<std::size_t>(static_cast<std::size_t>(std::ceil(range.duration() * rate)), 1);
    keys.times = model::KeyTimes::even(range.start, range.duration() / static_cast<double>(count), count + 1);
    for (std::size_t i = 0; i <= count; ++i) {
        const auto now = key_values(clip, skeleton, joint, KeyProperty::rotation, keys.times[i]);
        keys.values.emplace_back(
            to_rotation(frame, as_vector(within_limits(skeleton, joint, now))).cast<float>());
    }
    track->rotation = std::move(keys);
}

}  // namespace

AngleFrame angle_frame(const model::Skeleton& skeleton, int joint) {
    AngleFrame frame;
    const model::Joint& j = joint_of(skeleton, joint);
    if (!j.limits) return frame;
    frame.limited = true;
    frame.before = j.rest.rotation * j.limits->frame;
    frame.after = j.limits->frame.conjugate();
    for (int axis = 0; axis < 3; ++axis) {
        const double middle = (j.limits->low[axis] + j.limits->high[axis]) / 2;
        if (std::isfinite(middle)) frame.middle[axis] = math::degrees(middle);
    }
    return frame;
}

Vec3d to_degrees(const AngleFrame& frame, const Quatd& rotation) {
    if (!frame.limited) return degrees_of(math::to_euler(free_order, rotation));
    const Quatd inner = (frame.before.conjugate() * rotation * frame.after.conjugate()).normalized();
    const Vec3d angles = math::unwrap_euler(limit_order, math::to_euler(limit_order, inner),
                                            radians_of(frame.middle).reverse());
    return degrees_of(angles.reverse());
}

Quatd to_rotation(const AngleFrame& frame, const Vec3d& degrees) {
    if (!frame.limited) return math::from_euler(free_order, radians_of(degrees));
    const Quatd inner = math::from_euler(limit_order, radians_of(degrees).reverse());
    return (frame.before * inner * frame.after).normalized();
}

std::array<double, 3> within_limits(const model::Skeleton& skeleton, int joint,
                                    const std::array<double, 3>& degrees) {
    const auto& limits = joint_of(skeleton, joint).limits;
    std::array<double, 3> result = degrees;
    for (std::size_t axis = 0; limits && axis < 3; ++axis) {
        const auto i = static_cast<Eigen::Index>(axis);
        result[axis] = std::clamp(degrees[axis], math::degrees(limits->low[i]),
                                  std::max(math::degrees(limits->low[i]), math::degrees(limits->high[i])));
    }
    return result;
}

LimitedClip limited(const model::Clip& clip, const model::Skeleton& skeleton) {
    LimitedClip result;
    result.clip = clip;
    const double rate = std::max(model::frame_rate(clip, lowest_rate), lowest_rate);
    for (const model::Track& track : clip.tracks) {
        const int joint = track.joint;
        if (!joint_of(skeleton, joint).limits || track.rotation.empty()) continue;
        const AngleFrame frame = angle_frame(skeleton, joint);
        std::size_t changed = 0;
        for (std::size_t k = 0; k < track.rotation.times.size(); ++k) {
            const double time = track.rotation.times[k];
            const auto now = key_values(clip, skeleton, joint, KeyProperty::rotation, time);
            if (beyond(skeleton, joint, now) <= tolerated) continue;
            set_key(result.clip, joint, KeyProperty::rotation, k, within_limits(skeleton, joint, now), frame);
            ++changed;
        }
        const model::TimeRange range{track.rotation.times.front(), track.rotation.times.back()};
        const std::size_t samples = model::sample_count(range, 4 * rate);
        bool between = false;
        for (std::size_t i = 0; i < samples && !between; ++i) {
            const double time = range.start + static_cast<double>(i) / (4 * rate);
            between =
                beyond(skeleton, joint,
                       key_values(result.clip, skeleton, joint, KeyProperty::rotation, time)) > tolerated;
        }
        if (between) make_dense(result.clip, skeleton, joint, rate);
        result.keys += changed;
        result.dense += between ? 1 : 0;
        result.joints += changed > 0 || between ? 1 : 0;
    }
    return result;
}

void set_limits(State& state, int joint, std::optional<model::JointLimits> limits, bool again) {
    if (limits && (limits->low.array() > limits->high.array()).any()) {
        state.messages.add(Severity::error, "the least angle of a limit is above the largest one");
        return;
    }
    if (!again) remember(state, "joint limits");
    model::Character changed = state.character();
    changed.skeleton.joints[static_cast<std::size_t>(joint)].limits = limits;
    state.document.character = std::make_shared<const model::Character>(std::move(changed));
}

model::JointLimits limits_of_clip(const State& state, int joint) {
    model::JointLimits limits;
    limits.low.setConstant(-math::pi);
    limits.high.setConstant(math::pi);
    const model::Clip* clip = state.playing_clip();
    if (clip == nullptr) return limits;
    model::Skeleton skeleton = state.character().skeleton;
    auto& own = skeleton.joints[static_cast<std::size_t>(joint)].limits;
    own.emplace();  // angles in the frame of limits, for any values of them
    if (const auto& now = joint_of(state.character().skeleton, joint).limits) own->frame = now->frame;
    limits.frame = own->frame;
    Vec3d low = Vec3d::Constant(360), high = Vec3d::Constant(-360);
    const model::TimeRange range = model::time_range(*clip);
    const double rate = std::max(model::frame_rate(*clip, lowest_rate), lowest_rate);
    for (std::size_t i = 0; i < model::sample_count(range, rate); ++i) {
        const Vec3d now = as_vector(key_values(*clip, skeleton, joint, KeyProperty::rotation,
                                               range.start + static_cast<double>(i) / rate));
        low = low.cwiseMin(now);
        high = high.cwiseMax(now);
    }
    limits.low = radians_of(low.array().floor().matrix());
    limits.high = radians_of(high.array().ceil().matrix());
    return limits;
}

void limit_clip(State& state) {
    const model::Skeleton& skeleton = state.character().skeleton;
    if (std::ranges::none_of(skeleton.joints, [](const model::Joint& j) { return j.limits.has_value(); })) {
        state.messages.add(Severity::error, "no joint has limits: set them for the selected joint first");
        return;
    }
    if (state.playing_clip() == nullptr) return;
    LimitedClip made = limited(*state.playing_clip(), skeleton);
    if (made.joints == 0) {
        state.messages.add(Severity::note, "the clip is within the limits: nothing was changed");
        return;
    }
    std::string text = fmt::format("{} of {} brought within the limits", app::count_of(made.keys, "key"),
                                   app::count_of(made.joints, "joint"));
    if (made.dense > 0)
        text += fmt::format("; {} got a key a frame, as curves went beyond between keys",
                            app::count_of(made.dense, "joint"));
    if (edit_clip(state, "limit angles", [&](const model::Clip&) { return std::move(made.clip); }))
        state.messages.add(Severity::note, text);
}

}  // namespace sinew::studio
