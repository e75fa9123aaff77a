// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/base/text.h"
#include "sinew/motion/clean.h"
#include "sinew/motion/solve.h"

namespace sinew::motion {

using math::Vec3d;
using math::Vec3f;
using model::Points;
using model::Trial;

namespace {

Points cut(const Points& points, std::size_t first, std::size_t count) {
    Points result;
    result.info = points.info;
    const auto slice = [&](const auto& from, auto& to) {
        if (from.empty()) return;
        const auto start = from.begin() + static_cast<std::ptrdiff_t>(first * points.count());
        to.assign(start, start + static_cast<std::ptrdiff_t>(count * points.count()));
    };
    slice(points.positions, result.positions);
    slice(points.residuals, result.residuals);
    slice(points.cameras, result.cameras);
    return result;
}

/// Cubic through four neighbours (Catmull and Rom 1974) where all four exist, otherwise linear.
Vec3f between(const Points& points, std::size_t frame, double t, std::size_t p) {
    const Vec3f &b = points.at(frame, p), &c = points.at(frame + 1, p);
    const auto u = static_cast<float>(t);
    if (frame == 0 || frame + 2 >= points.frames() || !points.valid(frame - 1, p) ||
        !points.valid(frame + 2, p)) {
        return (1 - u) * b + u * c;
    }
    const Vec3f &a = points.at(frame - 1, p), &d = points.at(frame + 2, p);
    return b + 0.5f * u * (c - a + u * (2 * a - 5 * b + 4 * c - d + u * (3 * (b - c) + d - a)));
}

Points sampled(const Points& points, const std::vector<double>& frames) {
    Points result;
    result.info = points.info;
    for (const double at : frames) {
        const std::size_t f = std::min(static_cast<std::size_t>(at), points.frames() - 1);
        const double t = at - static_cast<double>(f);
        for (std::size_t p = 0; p < points.count(); ++p) {
            const bool on_frame = t < 1e-6 || f + 1 >= points.frames();
            const bool valid = points.valid(f, p) && (on_frame || points.valid(f + 1, p));
            const float nothing = std::numeric_limits<float>::quiet_NaN();
            result.positions.push_back(!valid     ? Vec3f::Constant(nothing)
                                       : on_frame ? points.at(f, p)
                                                  : between(points, f, t, p));
            result.residuals.push_back(valid ? points.residuals[f * points.count() + p] : Points::missing);
        }
    }
    return result;
}

model::Analog sampled(const model::Analog& analog, const std::vector<double>& frames, double ratio) {
    if (analog.empty()) return analog;
    model::Analog result;
    result.channels = analog.channels;
    const double wanted = static_cast<double>(analog.samples_per_frame) * ratio;
    result.samples_per_frame = static_cast<std::size_t>(std::max(1.0, std::round(wanted)));
    const auto each = static_cast<double>(result.samples_per_frame);
    for (const double frame : frames) {
        for (std::size_t k = 0; k < result.samples_per_frame; ++k) {
            const double at = (frame + ratio * static_cast<double>(k) / each) *
                              static_cast<double>(analog.samples_per_frame);
            const auto nearest = static_cast<std::size_t>(std::round(at));
            const std::size_t sample = std::min(nearest, analog.samples() - 1);
            for (std::size_t c = 0; c < analog.count(); ++c) result.values.push_back(analog.at(sample, c));
        }
    }
    return result;
}

model::SegmentRotations sampled(const model::SegmentRotations& rotations, const std::vector<double>& frames) {
    if (rotations.empty() || rotations.samples() == 0) return rotations;
    model::SegmentRotations result;
    result.labels = rotations.labels;
    for (const double frame : frames) {
        const double at = std::round(frame * static_cast<double>(rotations.samples_per_frame));
        const std::size_t sample = std::min(static_cast<std::size_t>(at), rotations.samples() - 1);
        for (std::size_t s = 0; s < rotations.labels.size(); ++s) {
            result.matrices.push_back(rotations.matrices[sample * rotations.labels.size() + s]);
            result.reliability.push_back(rotations.reliability[sample * rotations.labels.size() + s]);
        }
    }
    return result;
}

/// Exchanges sides: "LASI" and "RASI", "Left heel" and "Right heel". A label without a side is not changed.
std::string other_side(const std::string& label) {
    const std::string low = to_lower(label);
    if (low.starts_with("left")) return (label[0] == 'L' ? "Right" : "right") + label.substr(4);
    if (low.starts_with("right")) return (label[0] == 'R' ? "Left" : "left") + label.substr(5);
    constexpr std::string_view from = "LRlr", to = "RLrl";
    const std::size_t letter = label.empty() ? std::string_view::npos : from.find(label[0]);
    return letter == std::string_view::npos ? label : to[letter] + label.substr(1);
}

/// The horizontal axis of the file along which the markers move least.
int mirror_axis(const Trial& trial) {
    const Vec3d up = (trial.to_world.rotation.conjugate() * Vec3d::UnitY()).cwiseAbs();
    Vec3d travel = Vec3d::Zero();
    for (std::size_t p = 0; p < trial.markers.count(); ++p) {
        Eigen::AlignedBox3d box;
        for (std::size_t f = 0; f < trial.frames; ++f) {
            if (trial.markers.valid(f, p)) box.extend(trial.markers.at(f, p).cast<double>());
        }
        if (!box.isEmpty()) travel += box.sizes();
    }
    int vertical = 0, smallest = 0;
    up.maxCoeff(&vertical);
    travel[vertical] = std::numeric_limits<double>::infinity();
    travel.minCoeff(&smallest);
    return smallest;
}

}  // namespace

Trial trimmed(const Trial& trial, std::size_t first, std::size_t last) {
    if (first > last || last >= trial.frames) {
        fail(trial.name, "frames {} to {} cannot be cut from a trial of {}", first, last, trial.frames);
    }
    Trial result = trial;
    const std::size_t count = last - first + 1;
    result.frames = count;
    result.first_frame = trial.first_frame + static_cast<std::int64_t>(first);
    result.markers = cut(trial.markers, first, count);
    result.outputs = cut(trial.outputs, first, count);
    const auto slice = [&](auto& values, std::size_t per_frame) {
        const std::size_t end = std::min((last + 1) * per_frame, values.size());
        const std::size_t start = std::min(first * per_frame, end);
        values.erase(values.begin() + static_cast<std::ptrdiff_t>(end), values.end());
        values.erase(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(start));
    };
    slice(result.analog.values, trial.analog.count() * trial.analog.samples_per_frame);
    slice(result.rotations.matrices, trial.rotations.labels.size() * trial.rotations.samples_per_frame);
    slice(result.rotations.reliability, trial.rotations.labels.size() * trial.rotations.samples_per_frame);
    const double start = trial.rate > 0 ? static_cast<double>(first) / trial.rate : 0;
    const double end = start + result.duration();
    std::erase_if(result.events,
                  [&](const model::Event& e) { return e.time < start - 1e-9 || e.time > end + 1e-9; });
    for (model::Event& event : result.events) event.time = std::max(0.0, event.time - start);
    return result;
}

Trial resampled(const Trial& trial, double rate) {
    if (!(rate > 0) || !std::isfinite(rate))
        fail(trial.name, "{} frames per second is not a frame rate", rate);
    if (trial.frames == 0 || trial.rate <= 0) return trial;
    Trial result = trial;
    if (rate < trial.rate) {
        CleanReport ignored;
        smooth(result, 0.45 * rate, ignored);
    }
    const double ratio = trial.rate / rate;
    const double count = std::floor(static_cast<double>(trial.frames - 1) / ratio + 1e-6) + 1;
    if (count > 1e7) fail(trial.name, "{} frames per second would make {:.3g} frames", rate, count);
    std::vector<double> frames(static_cast<std::size_t>(count));
    for (std::size_t f = 0; f < frames.size(); ++f) frames[f] = static_cast<double>(f) * ratio;
    result.frames = frames.size();
    result.rate = rate;
    result.first_frame = 1 + std::llround(static_cast<double>(trial.first_frame - 1) / ratio);
    result.markers = sampled(result.markers, frames);
    result.outputs = sampled(trial.outputs, frames);
    result.analog = sampled(trial.analog, frames, ratio);
    result.rotations = sampled(trial.rotations, frames);
    return result;
}

Trial mirrored(const Trial& trial) {
    Trial result = trial;
    const int axis = mirror_axis(trial);
    for (Vec3f& position : result.markers.positions) position[axis] = -position[axis];
    const MarkerMap map = map_markers(trial.markers);
    for (const MappedMarker& marker : map.markers) {
        if (marker.location.name == other_side(marker.location.name)) continue;
        std::string& label = result.markers.info[marker.point].label;
        label = other_side(label);
    }
    for (const std::string& label : map.computed) {
        result.markers.info[static_cast<std::size_t>(trial.markers.find(label))].label = other_side(label);
    }
    for (model::PointInfo& info : result.outputs.info) info.label = other_side(info.label);
    for (model::Event& event : result.events) event.context = other_side(event.context);
    result.analog = {};
    result.platforms.clear();
    result.rotations = {};
    return result;
}

}  // namespace sinew::motion
