#include "sinew/motion/clean.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/base/array.h"
#include "sinew/motion/filter.h"

namespace sinew::motion {
namespace {

using math::Vec3d;
using model::Points;

/// |x(f-1) - 2 x(f) + x(f+1)| of one marker in metres; negative where a sample is missing.
std::vector<double> second_differences(const model::Trial& trial, std::size_t marker) {
    const Points& points = trial.markers;
    std::vector<double> result(trial.frames, -1);
    for (std::size_t f = 1; f + 1 < trial.frames; ++f) {
        if (!points.valid(f - 1, marker) || !points.valid(f, marker) || !points.valid(f + 1, marker))
            continue;
        const Vec3d bend =
            (points.at(f - 1, marker) - 2 * points.at(f, marker) + points.at(f + 1, marker)).cast<double>();
        result[f] = trial.to_world.scale * bend.norm();
    }
    return result;
}

/// Second difference from which a sample of this marker is a spike.
double spike_limit(const std::vector<double>& bends, double rate, const SpikeOptions& options) {
    std::vector<double> known;
    std::copy_if(bends.begin(), bends.end(), std::back_inserter(known), [](double b) { return b >= 0; });
    if (known.empty()) return 0;
    const double middle = median(known);
    for (double& b : known) b = std::abs(b - middle);
    // 1.4826 MAD is the standard deviation of normal noise.
    const double by_noise = middle + options.deviations * 1.4826 * median(known);
    return std::max(by_noise, options.acceleration / (rate * rate));
}

void smooth_run(model::Trial& trial, std::size_t marker, std::size_t first, std::size_t end,
                const LowPass& filter, CleanReport& report, double& moved) {
    Points& points = trial.markers;
    std::vector<double> values(end - first);
    std::vector<Vec3d> before(end - first);
    for (std::size_t f = first; f < end; ++f) before[f - first] = points.at(f, marker).cast<double>();
    for (int axis = 0; axis < 3; ++axis) {
        for (std::size_t i = 0; i < values.size(); ++i) values[i] = before[i][axis];
        const std::vector<double> smoothed = filtered(values, filter);
        for (std::size_t i = 0; i < values.size(); ++i) {
            points.positions[(first + i) * points.count() + marker][axis] = static_cast<float>(smoothed[i]);
        }
    }
    for (std::size_t i = 0; i < before.size(); ++i) {
        const Vec3d after = points.at(first + i, marker).cast<double>();
        const double distance = trial.to_world.scale * (after - before[i]).norm();
        moved += distance * distance;
        report.moved_max = std::max(report.moved_max, distance);
    }
}

}  // namespace

std::size_t remove_spikes(model::Trial& trial, const SpikeOptions& options) {
    Points& points = trial.markers;
    if (trial.rate <= 0) return 0;
    std::size_t removed = 0;
    for (std::size_t m = 0; m < points.count(); ++m) {
        const std::vector<double> bends = second_differences(trial, m);
        const double limit = spike_limit(bends, trial.rate, options);
        for (std::size_t f = 1; f + 1 < trial.frames; ++f) {
            // A spike of height e bends by 2e at itself and by e at its neighbours, which are innocent.
            if (bends[f] <= limit || bends[f] < bends[f - 1] || bends[f] < bends[f + 1]) continue;
            points.positions[f * points.count() + m].setConstant(std::numeric_limits<float>::quiet_NaN());
            points.residuals[f * points.count() + m] = Points::missing;
            ++removed;
        }
    }
    return removed;
}

void smooth(model::Trial& trial, double cutoff, CleanReport& report) {
    constexpr std::size_t shortest_run = 4;
    const LowPass filter = zero_lag_butterworth(cutoff, trial.rate);
    const Points& points = trial.markers;
    double moved = 0;
    std::size_t samples = 0;
    for (std::size_t m = 0; m < points.count(); ++m) {
        bool any = false;
        for (std::size_t f = 0; f < trial.frames;) {
            std::size_t end = f;
            while (end < trial.frames && points.valid(end, m)) ++end;
            if (end - f >= shortest_run) {
                smooth_run(trial, m, f, end, filter, report, moved);
                samples += end - f;
                any = true;
            } else if (end > f) {
                ++report.short_runs;
            }
            f = std::max(end, f + 1);
        }
        report.filtered += any;
    }
    report.moved_rms = samples == 0 ? 0 : std::sqrt(moved / static_cast<double>(samples));
}

CleanResult clean(const model::Trial& raw, const CleanOptions& options, Monitor& monitor) {
    CleanResult result{raw, {}};
    if (options.spikes) result.report.spikes = remove_spikes(result.trial, options.spike);
    if (options.gaps) result.report.gaps = fill_gaps(result.trial, options.gap);
    if (options.cutoff > 0 && result.trial.rate > 2 * options.cutoff) {
        smooth(result.trial, options.cutoff, result.report);
    } else if (options.cutoff > 0) {
        warn(monitor, "clean-not-filtered",
             "a cut-off of {} Hz means nothing at {} frames a second: the markers are not filtered",
             options.cutoff, result.trial.rate);
    }
    if (!result.report.gaps.left.empty()) {
        std::size_t samples = 0;
        for (const Gap& gap : result.report.gaps.left) samples += gap.count;
        warn(monitor, "clean-gaps-left", "{} gaps with {} samples are too long to fill, or at the ends",
             result.report.gaps.left.size(), samples);
    }
    return result;
}

}  // namespace sinew::motion
