// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Cleaning, cutting, resampling and mirroring of trials. Each function returns a new trial or changes the
/// given one, as stated.
///
/// \code
/// const motion::CleanResult clean = motion::clean(trial, {.cutoff = 6});
/// const model::Trial first_second = motion::trimmed(clean.trial, 0, 99);
/// \endcode

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sinew/base/monitor.h"
#include "sinew/model/trial.h"

namespace sinew::motion {

/// Coefficients of a second-order Butterworth low-pass filter: y0 = a (x0 + 2 x1 + x2) + b1 y1 + b2 y2.
struct LowPass {
    double a = 1;
    double b1 = 0;
    double b2 = 0;
};

/// A second-order filter to be run forwards and then backwards. Together the passes have fourth order, no
/// phase lag, and half the power (-3 dB) at `cutoff`. For this, the cut-off of each pass is raised by the
/// factor (sqrt 2 - 1)^(-1/4) (Winter 2009, 3.5.3).
/// \param cutoff in Hz
/// \param rate samples per second
/// \throws Error unless 0 < cutoff < rate / 2
LowPass zero_lag_butterworth(double cutoff, double rate);

/// Applies both passes to evenly spaced values. Beyond the ends the values are continued by point reflection,
/// 2 x_0 - x_k, which keeps value and slope there.
std::vector<double> filtered(std::span<const double> values, const LowPass& filter);

struct Gap {
    std::size_t marker = 0;
    std::size_t first = 0;  ///< first frame without a sample
    std::size_t count = 0;  ///< number of frames

    bool operator==(const Gap&) const = default;
};

/// All runs of missing samples, including those at the ends. A marker without any sample has one gap over the
/// whole trial.
std::vector<Gap> find_gaps(const model::Points& points);

struct GapReport {
    std::size_t spline = 0;  ///< samples filled by a spline
    std::size_t rigid = 0;   ///< samples filled from the other markers of the segment
    std::vector<Gap> left;   ///< gaps not filled: too long, or at an end of the trial
};

/// Fills gaps of the markers in place: short gaps by a cubic spline through up to four samples on each side;
/// longer ones by the rigid motion of at least three other markers of the segment, extrapolated from both
/// ends of the gap and blended. Other gaps remain. Filled samples have residual 0, as C3D marks computed
/// points.
GapReport fill_gaps(model::Trial& trial);

struct CleanOptions {
    bool spikes = true;
    bool gaps = true;
    double cutoff = 6;  ///< cut-off frequency of the zero-lag Butterworth filter in Hz; 0 skips the filter. 6
                        ///< Hz is usual for walking
};

struct CleanReport {
    std::size_t spikes = 0;  ///< removed samples
    GapReport gaps;
    std::size_t filtered = 0;  ///< filtered markers
    std::size_t short_runs =
        0;  ///< runs of samples between gaps that are too short for the filter and remain unfiltered
    double moved_rms = 0;  ///< how far the filter moved the samples, root mean square in metres
    double moved_max = 0;
};

/// Marks samples as missing that are far from both neighbouring samples. Returns their number.
std::size_t remove_spikes(model::Trial& trial);

/// Filters every run of samples between gaps (zero_lag_butterworth). Model outputs and analog channels are
/// not changed.
/// \throws Error when the cut-off does not fit the rate
void smooth(model::Trial& trial, double cutoff, CleanReport& report);

struct CleanResult {
    model::Trial trial;
    CleanReport report;
};

/// Removes spikes, fills gaps and filters, in this order, on a copy. Compare the result with `raw` to see
/// what changed.
/// \param raw the trial as measured
/// \param options which steps to do
/// \param monitor receives warnings about remaining gaps and about a filter that does not fit the rate
/// \return the cleaned trial and a report of the changes
/// \throws Error when the cut-off does not fit the rate
CleanResult clean(const model::Trial& raw, const CleanOptions& options = {}, Monitor& monitor = silent());

/// Cuts out a range of frames with its analog samples and events.
/// \param trial the whole trial
/// \param first,last range of frames, counted from 0, both included
/// \return the range as a trial of its own
/// \throws Error when the range is empty or outside the trial
model::Trial trimmed(const model::Trial& trial, std::size_t first, std::size_t last);

/// Resamples markers and model outputs by cubic interpolation inside runs of samples; gaps remain gaps. When
/// the rate decreases, a low-pass filter is applied first to prevent aliasing. Analog channels keep their
/// sampling times as closely as a whole number of samples per frame allows.
/// \param trial the trial
/// \param rate new rate in frames per second
/// \return the resampled trial
/// \throws Error when the rate is not above 0
model::Trial resampled(const model::Trial& trial, double rate);

/// Mirrors the motion: positions are reflected across the vertical plane through the main direction of the
/// trial, and left and right labels are exchanged. Model outputs exchange sides and keep their signs, which
/// are defined per side. Analog channels, platforms and segment rotations cannot be mirrored and are dropped.
model::Trial mirrored(const model::Trial& trial);

}  // namespace sinew::motion
