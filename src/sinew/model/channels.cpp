// SPDX-License-Identifier: MIT
#include "sinew/model/channels.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "sinew/base/error.h"

namespace sinew::model {
namespace {

using KeyList = std::vector<ChannelKey>;

bool has_span(const KeyList& keys, std::size_t k) {
    return k + 1 < keys.size() && keys[k + 1].time > keys[k].time;
}

double span_slope(const KeyList& keys, std::size_t k) {
    return (keys[k + 1].value - keys[k].value) / (keys[k + 1].time - keys[k].time);
}

/// The slope of `rule` at key k. A cut has no length, so a key on its other side is not a neighbour. With one
/// neighbour, its span is used on both sides; without neighbours the curve is flat.
double slope(const KeyList& keys, std::size_t k, const TangentRule& rule, bool incoming) {
    if (rule.kind == Tangent::flat) return 0;
    if (rule.kind == Tangent::fixed) return rule.slope;
    const bool left = k > 0 && has_span(keys, k - 1);
    const bool right = has_span(keys, k);
    if (!left && !right) return 0;
    if (!left) return span_slope(keys, k);
    if (!right) return span_slope(keys, k - 1);
    if (rule.kind == Tangent::linear) return span_slope(keys, incoming ? k - 1 : k);
    return (keys[k + 1].value - keys[k - 1].value) / (keys[k + 1].time - keys[k - 1].time);
}

/// [a b c d] = H [f0 f1 D m0 D m1], H the Hermite matrix; slopes are per second, hence the length D.
ChannelCurve::Cubic hermite(double f0, double f1, double m0, double m1) {
    return {2 * f0 - 2 * f1 + m0 + m1, -3 * f0 + 3 * f1 - 2 * m0 - m1, m0, f0};
}

bool holds(const ChannelCurve& curve, std::size_t span, double time) {
    return span + 1 < curve.times.size() && curve.times[span] <= time && time < curve.times[span + 1];
}

/// The value at a time from the first to the last key.
double inside(const ChannelCurve& curve, double time, ChannelCursor& cursor) {
    if (time >= curve.times.back()) return curve.values.back();
    if (!holds(curve, cursor.span, time)) {
        ++cursor.span;
        if (!holds(curve, cursor.span, time)) {
            const auto after = std::upper_bound(curve.times.begin(), curve.times.end(), time);
            cursor.span = static_cast<std::size_t>(after - curve.times.begin()) - 1;
        }
    }
    const std::size_t k = cursor.span;
    if (time == curve.times[k]) return curve.values[k];
    const double u = (time - curve.times[k]) / (curve.times[k + 1] - curve.times[k]);
    const auto& [a, b, c, d] = curve.spans[k];
    return d + u * (c + u * (b + u * a));
}

double outside(const ChannelCurve& curve, double time, ChannelCursor& cursor) {
    const bool before = time < curve.times.front();
    const Extrapolation mode = before ? curve.before : curve.after;
    const double first = curve.times.front(), last = curve.times.back(), length = last - first;
    const double end_value = before ? curve.values.front() : curve.values.back();
    const double rounds = std::floor((time - first) / length);
    if (mode == Extrapolation::constant || !(length > 0) || !std::isfinite(rounds)) return end_value;
    if (mode == Extrapolation::linear) {
        return end_value + (before ? curve.first_slope * (time - first) : curve.last_slope * (time - last));
    }
    const double rest = std::clamp(time - first - rounds * length, 0.0, length);
    if (mode == Extrapolation::bounce) {
        const bool backwards = std::fmod(rounds, 2) != 0;
        return inside(curve, std::clamp(backwards ? last - rest : first + rest, first, last), cursor);
    }
    // first + rest may round up to the last key, which is the start of the next cycle.
    const double time_inside = first + rest < last ? first + rest : std::nextafter(last, first);
    const double value = inside(curve, std::max(first, time_inside), cursor);
    if (mode == Extrapolation::cyclic) return value;
    return value + rounds * (curve.values.back() - curve.values.front());
}

/// `name` is the number of the channel, or the name of what it drives.
template <class Name>
void check_keys(const KeyList& keys, const Name& name, std::string_view location) {
    for (std::size_t k = 0; k < keys.size(); ++k) {
        for (const double number : {keys[k].time, keys[k].value, keys[k].in.slope, keys[k].out.slope}) {
            if (!std::isfinite(number)) fail(location, "channel {} has a number that is not finite", name);
        }
        if (k > 0 && keys[k].time < keys[k - 1].time) {
            fail(location, "channel {} has key times that fall at key {}", name, k);
        }
    }
}

}  // namespace

const Channel* ChannelSet::find(int id) const {
    const auto found =
        std::find_if(channels.begin(), channels.end(), [&](const Channel& c) { return c.id == id; });
    return found == channels.end() ? nullptr : &*found;
}

void validate(const ChannelSet& set, std::string_view location) {
    if (!std::isfinite(set.start) || !std::isfinite(set.end) || set.end < set.start) {
        fail(location, "the range {} to {} is not an interval", set.start, set.end);
    }
    std::set<int> seen;
    for (const Channel& channel : set.channels) {
        if (channel.id < 0) fail(location, "channel {} has a negative number", channel.id);
        if (!seen.insert(channel.id).second) fail(location, "channel {} is defined twice", channel.id);
        check_keys(channel.keys, channel.id, location);
    }
    std::set<StageValue> driven;
    for (const StageChannel& channel : set.stage) {
        if (!driven.insert(channel.value).second)
            fail(location, "channel {} is defined twice", name_of(channel.value));
        check_keys(channel.curve.keys, name_of(channel.value), location);
    }
}

ChannelCurve prepare(const Channel& channel) {
    const KeyList& keys = channel.keys;
    ChannelCurve curve;
    curve.before = channel.before;
    curve.after = channel.after;
    for (const ChannelKey& key : keys) {
        curve.times.push_back(key.time);
        curve.values.push_back(key.value);
    }
    for (std::size_t k = 0; k + 1 < keys.size(); ++k) {
        const double length = keys[k + 1].time - keys[k].time;
        curve.spans.push_back(hermite(keys[k].value, keys[k + 1].value,
                                      length * slope(keys, k, keys[k].out, false),
                                      length * slope(keys, k + 1, keys[k + 1].in, true)));
    }
    if (!keys.empty()) {
        curve.first_slope = slope(keys, 0, keys[0].in, true);
        curve.last_slope = slope(keys, keys.size() - 1, keys.back().out, false);
    }
    return curve;
}

double evaluate(const ChannelCurve& curve, double time, ChannelCursor& cursor) {
    if (curve.empty()) return 0;
    if (time < curve.times.front() || time > curve.times.back()) return outside(curve, time, cursor);
    if (std::isnan(time)) return curve.values.front();
    return inside(curve, time, cursor);
}

double evaluate(const ChannelCurve& curve, double time) {
    ChannelCursor cursor;
    return evaluate(curve, time, cursor);
}

std::vector<int> depth_first_numbers(const Skeleton& skeleton) {
    const std::vector<std::vector<int>> below = children(skeleton);
    std::vector<int> numbers(skeleton.size(), -1);
    std::vector<int> stack;
    for (std::size_t j = skeleton.size(); j-- > 0;) {
        if (skeleton.joints[j].parent < 0) stack.push_back(static_cast<int>(j));
    }
    for (int next = 0; !stack.empty(); ++next) {
        const auto joint = static_cast<std::size_t>(stack.back());
        stack.pop_back();
        numbers[joint] = next;
        stack.insert(stack.end(), below[joint].rbegin(), below[joint].rend());
    }
    return numbers;
}

ChannelPlayer::ChannelPlayer(const ChannelSet& set, const Skeleton& skeleton, const ChannelOptions& options)
    : skeleton_(&skeleton),
      order_(options.order),
      numbers_(depth_first_numbers(skeleton)),
      of_channel_(3 * skeleton.size() + 6, -1) {
    for (const Channel& channel : set.channels) {
        if (channel.id < 0 || static_cast<std::size_t>(channel.id) >= of_channel_.size()) continue;
        if (channel.keys.empty()) continue;
        of_channel_[static_cast<std::size_t>(channel.id)] = static_cast<int>(played_.size());
        played_.push_back({prepare(channel), {}});
    }
}

std::vector<const ChannelCurve*> ChannelPlayer::curves_of(std::size_t joint) const {
    std::vector<const ChannelCurve*> curves;
    const auto add = [&](std::size_t first, std::size_t count) {
        for (std::size_t c = first; c < first + count; ++c) {
            if (of_channel_[c] >= 0)
                curves.push_back(&played_[static_cast<std::size_t>(of_channel_[c])].curve);
        }
    };
    add(3 * static_cast<std::size_t>(numbers_[joint]), 3);
    if (skeleton_->joints[joint].parent < 0) add(3 * numbers_.size(), 6);
    return curves;
}

double ChannelPlayer::value(std::size_t channel, double time) {
    if (of_channel_[channel] < 0) return 0;
    Played& played = played_[static_cast<std::size_t>(of_channel_[channel])];
    return evaluate(played.curve, time, played.cursor);
}

Quatd ChannelPlayer::rotation(std::size_t first, double time) {
    Vec3d angles;
    for (int i = 0; i < 3; ++i) {
        const int axis = order_[static_cast<std::size_t>(i)];
        angles[i] = math::radians(value(first + static_cast<std::size_t>(axis), time));
    }
    return math::from_euler(order_, angles);
}

Transform ChannelPlayer::local(std::size_t joint, double time) {
    const Joint& j = skeleton_->joints[joint];
    const Quatd frame = j.limits ? j.limits->frame : Quatd::Identity();
    Transform local = j.rest;
    local.rotation = j.rest.rotation * frame * rotation(3 * static_cast<std::size_t>(numbers_[joint]), time) *
                     frame.conjugate();
    if (j.parent < 0) {
        const std::size_t mover = 3 * numbers_.size();
        const Quatd mover_rotation = rotation(mover + 3, time);
        const Vec3d move(value(mover, time), value(mover + 1, time), value(mover + 2, time));
        local.rotation = mover_rotation * local.rotation;
        local.translation = move + mover_rotation * local.translation;
    }
    return local;
}

std::vector<Transform> ChannelPlayer::pose(double time) {
    std::vector<Transform> result;
    result.reserve(skeleton_->size());
    for (std::size_t j = 0; j < skeleton_->size(); ++j) result.push_back(local(j, time));
    return result;
}

}  // namespace sinew::model
