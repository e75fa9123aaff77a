// SPDX-License-Identifier: MIT
#include "sinew/motion/clean.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Eigenvalues>

#include "sinew/base/array.h"
#include "sinew/base/error.h"
#include "sinew/math/transform.h"
#include "sinew/math/types.h"
#include "sinew/motion/solve.h"

namespace sinew::motion {

using math::Vec3d;
using model::Points;

namespace {

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

/// Magnitude of the second difference above which a sample of this marker counts as a spike.
double spike_limit(const std::vector<double>& bends, double rate) {
    constexpr double deviations = 4;      // of the second difference from its median
    constexpr double acceleration = 100;  // m/s^2; a body does not accelerate faster
    std::vector<double> known;
    std::copy_if(bends.begin(), bends.end(), std::back_inserter(known), [](double b) { return b >= 0; });
    if (known.empty()) return 0;
    const double middle = median(known);
    for (double& b : known) b = std::abs(b - middle);
    // 1.4826 MAD is the standard deviation of normal noise.
    const double by_noise = middle + deviations * 1.4826 * median(known);
    return std::max(by_noise, acceleration / (rate * rate));
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

/// One pass in place; values before the start are assumed equal to the first value.
void run(std::vector<double>& values, const LowPass& f) {
    double x1 = values.front(), x2 = x1, y1 = x1, y2 = x1;
    for (double& value : values) {
        const double y = f.a * (value + 2 * x1 + x2) + f.b1 * y1 + f.b2 * y2;
        x2 = x1;
        x1 = value;
        y2 = y1;
        y1 = y;
        value = y;
    }
}

Vec3d marker_position(const Points& points, std::size_t frame, std::size_t marker) {
    return points.at(frame, marker).cast<double>();
}

void put(Points& points, std::size_t frame, std::size_t marker, const Vec3d& position) {
    points.positions[frame * points.count() + marker] = position.cast<float>();
    points.residuals[frame * points.count() + marker] = 0;
}

struct Knot {
    double time;
    Vec3d value;
};

/// Second derivatives of the natural cubic spline through the knots (tridiagonal system, Thomas' method).
std::vector<Vec3d> spline_bends(const std::vector<Knot>& knots) {
    const std::size_t n = knots.size();
    std::vector<Vec3d> bend(n, Vec3d::Zero()), right(n, Vec3d::Zero());
    std::vector<double> upper(n, 0);
    for (std::size_t i = 1; i + 1 < n; ++i) {
        const double before = knots[i].time - knots[i - 1].time, after = knots[i + 1].time - knots[i].time;
        const Vec3d slope_change =
            (knots[i + 1].value - knots[i].value) / after - (knots[i].value - knots[i - 1].value) / before;
        const double diagonal = 2 * (before + after) - before * upper[i - 1];
        upper[i] = after / diagonal;
        right[i] = (6 * slope_change - before * right[i - 1]) / diagonal;
    }
    for (std::size_t i = n - 1; i-- > 1;) bend[i] = right[i] - upper[i] * bend[i + 1];
    return bend;
}

/// The samples nearest to a gap, at most `each` on either side.
std::vector<Knot> knots_around(const Points& points, const Gap& gap, std::size_t each) {
    std::vector<Knot> knots;
    for (std::size_t f = gap.first; f-- > 0 && knots.size() < each;) {
        if (!points.valid(f, gap.marker)) break;
        knots.push_back({static_cast<double>(f), marker_position(points, f, gap.marker)});
    }
    std::reverse(knots.begin(), knots.end());
    const std::size_t before = knots.size(), end = gap.first + gap.count;
    for (std::size_t f = end; f < points.frames() && knots.size() < before + each; ++f) {
        if (!points.valid(f, gap.marker)) break;
        knots.push_back({static_cast<double>(f), marker_position(points, f, gap.marker)});
    }
    return knots;
}

void fill_by_spline(Points& points, const Gap& gap) {
    const std::vector<Knot> knots = knots_around(points, gap, 4);
    const std::vector<Vec3d> bend = spline_bends(knots);
    std::size_t k = 0;
    while (knots[k + 1].time < static_cast<double>(gap.first)) ++k;
    const double h = knots[k + 1].time - knots[k].time;
    for (std::size_t f = gap.first; f < gap.first + gap.count; ++f) {
        const double b = (static_cast<double>(f) - knots[k].time) / h, a = 1 - b;
        const Vec3d curve = (a * a * a - a) * bend[k] + (b * b * b - b) * bend[k + 1];
        put(points, f, gap.marker, a * knots[k].value + b * knots[k + 1].value + h * h / 6 * curve);
    }
}

/// The rigid motion of the other markers from one frame to another (Kabsch 1976); false when fewer than three
/// are visible in both frames, or when they lie on a line.
bool motion_between(const Points& points, const std::vector<std::size_t>& others, std::size_t from,
                    std::size_t to, math::Rigidd& motion) {
    std::vector<Vec3d> a, b;
    for (const std::size_t m : others) {
        if (!points.valid(from, m) || !points.valid(to, m)) continue;
        a.push_back(marker_position(points, from, m));
        b.push_back(marker_position(points, to, m));
    }
    if (a.size() < 3) return false;
    Vec3d mean_a = Vec3d::Zero(), mean_b = Vec3d::Zero();
    for (std::size_t i = 0; i < a.size(); ++i) {
        mean_a += a[i] / static_cast<double>(a.size());
        mean_b += b[i] / static_cast<double>(a.size());
    }
    math::Mat3d covariance = math::Mat3d::Zero(), spread = math::Mat3d::Zero();
    for (std::size_t i = 0; i < a.size(); ++i) {
        covariance += (b[i] - mean_b) * (a[i] - mean_a).transpose();
        spread += (a[i] - mean_a) * (a[i] - mean_a).transpose();
    }
    const Vec3d sizes = spread.selfadjointView<Eigen::Lower>().eigenvalues();
    if (sizes[1] < 1e-4 * sizes[2]) return false;
    motion.rotation = math::from_matrix<double>(math::nearest_rotation(covariance));
    motion.translation = mean_b - motion.rotation * mean_a;
    return true;
}

/// Fills all samples of the gap or none.
bool fill_by_segment(Points& points, const Gap& gap, const std::vector<std::vector<std::size_t>>& bodies) {
    std::vector<std::size_t> others;
    for (const auto& body : bodies) {
        if (std::find(body.begin(), body.end(), gap.marker) == body.end()) continue;
        for (const std::size_t m : body) {
            if (m != gap.marker) others.push_back(m);
        }
    }
    const std::size_t before = gap.first - 1, after = gap.first + gap.count;
    std::vector<Vec3d> filled;
    for (std::size_t f = gap.first; f < after; ++f) {
        math::Rigidd forward, backward;
        if (!motion_between(points, others, before, f, forward) ||
            !motion_between(points, others, after, f, backward)) {
            return false;
        }
        const double t = static_cast<double>(f - before) / static_cast<double>(after - before);
        filled.push_back((1 - t) * (forward * marker_position(points, before, gap.marker)) +
                         t * (backward * marker_position(points, after, gap.marker)));
    }
    for (std::size_t i = 0; i < filled.size(); ++i) put(points, gap.first + i, gap.marker, filled[i]);
    return true;
}

}  // namespace

std::size_t remove_spikes(model::Trial& trial) {
    Points& points = trial.markers;
    if (trial.rate <= 0) return 0;
    std::size_t removed = 0;
    for (std::size_t m = 0; m < points.count(); ++m) {
        const std::vector<double> bends = second_differences(trial, m);
        const double limit = spike_limit(bends, trial.rate);
        for (std::size_t f = 1; f + 1 < trial.frames; ++f) {
            // A spike of height e changes the second difference by 2e at its own sample and by e at its
            // neighbours, which are valid.
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
    if (options.spikes) result.report.spikes = remove_spikes(result.trial);
    if (options.gaps) result.report.gaps = fill_gaps(result.trial);
    if (options.cutoff > 0 && result.trial.rate > 2 * options.cutoff) {
        smooth(result.trial, options.cutoff, result.report);
    } else if (options.cutoff > 0) {
        warn(monitor, "clean-not-filtered",
             "a cut-off of {} Hz is too high for {} frames per second: the markers are not filtered",
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

LowPass zero_lag_butterworth(double cutoff, double rate) {
    if (!(cutoff > 0) || !(cutoff < rate / 2)) {
        fail("filter", "a cut-off of {} Hz needs a rate above {} frames per second, not {}", cutoff,
             2 * cutoff, rate);
    }
    const double corner = std::tan(math::pi * cutoff / rate) / std::pow(std::sqrt(2.0) - 1, 0.25);
    const double k1 = std::sqrt(2.0) * corner, k2 = corner * corner;
    LowPass f;
    f.a = k2 / (1 + k1 + k2);
    f.b1 = 2 * f.a * (1 / k2 - 1);
    f.b2 = 1 - 4 * f.a - f.b1;
    return f;
}

std::vector<double> filtered(std::span<const double> values, const LowPass& filter) {
    const std::size_t n = values.size();
    if (n < 2) return {values.begin(), values.end()};
    // A lower cut-off needs more samples until the start has no influence.
    const double memory = 3 / std::sqrt(filter.a);
    const std::size_t pad = std::min(n - 1, static_cast<std::size_t>(std::min(memory, 1e6)) + 1);
    std::vector<double> padded(n + 2 * pad);
    for (std::size_t k = 1; k <= pad; ++k) {
        padded[pad - k] = 2 * values[0] - values[k];
        padded[pad + n - 1 + k] = 2 * values[n - 1] - values[n - 1 - k];
    }
    std::copy(values.begin(), values.end(), padded.begin() + static_cast<std::ptrdiff_t>(pad));
    for (int pass = 0; pass < 2; ++pass) {
        run(padded, filter);
        std::reverse(padded.begin(), padded.end());
    }
    const auto start = padded.begin() + static_cast<std::ptrdiff_t>(pad);
    return {start, start + static_cast<std::ptrdiff_t>(n)};
}

std::vector<Gap> find_gaps(const Points& points) {
    std::vector<Gap> gaps;
    for (std::size_t m = 0; m < points.count(); ++m) {
        bool inside = false;
        for (std::size_t f = 0; f < points.frames(); ++f) {
            const bool missing = !points.valid(f, m);
            if (missing && !inside) gaps.push_back({m, f, 0});
            if (missing) ++gaps.back().count;
            inside = missing;
        }
    }
    return gaps;
}

GapReport fill_gaps(model::Trial& trial) {
    constexpr std::size_t longest_spline =
        10;  // frames that a spline through the neighbouring samples may bridge
    constexpr std::size_t longest_rigid =
        200;  // frames that the rigid motion of the segment's other markers may bridge
    Points& points = trial.markers;
    const auto bodies = rigid_bodies(map_markers(points));
    GapReport report;
    std::vector<Gap> longer;
    for (const Gap& gap : find_gaps(points)) {
        const bool inner = gap.first > 0 && gap.first + gap.count < points.frames();
        if (inner && gap.count <= longest_spline) {
            fill_by_spline(points, gap);
            report.spline += gap.count;
        } else {
            longer.push_back(gap);
        }
    }
    for (const Gap& gap : longer) {
        const bool inner = gap.first > 0 && gap.first + gap.count < points.frames();
        if (inner && gap.count <= longest_rigid && fill_by_segment(points, gap, bodies)) {
            report.rigid += gap.count;
        } else {
            report.left.push_back(gap);
        }
    }
    return report;
}

}  // namespace sinew::motion
