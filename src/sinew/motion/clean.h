// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Cleaning, cutting, resampling and mirroring of trials. Each gives a new trial.
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

/// The coefficients of a Butterworth low-pass of second order: y0 = a (x0 + 2 x1 + x2) + b1 y1 + b2 y2.
struct LowPass {
    double a = 1;
    double b1 = 0;
    double b2 = 0;
};

/// A filter of second order that is to run forwards and then backwards: together of fourth order and without
/// lag, with half the power gone (-3 dB) at `cutoff`. Each pass alone must have its corner higher by
/// (sqrt 2 - 1)^(-1/4) for that (Winter 2009, 3.5.3).
/// \throws Error unless 0 < cutoff < rate / 2.
LowPass zero_lag_butterworth(double cutoff, double rate);

/// Both passes over evenly spaced values. The ends are continued by point reflection, 2 x_0 - x_k, so that
/// level and slope are kept there.
std::vector<double> filtered(std::span<const double> values, const LowPass& filter);

struct Gap {
    std::size_t marker = 0;
    std::size_t first = 0;  ///< frame
    std::size_t count = 0;  ///< frames

    bool operator==(const Gap&) const = default;
};

/// Every run of missing samples, those at the ends included; markers that were never seen have one.
std::vector<Gap> find_gaps(const model::Points& points);

struct GapReport {
    std::size_t spline = 0;  ///< samples filled by a curve
    std::size_t rigid = 0;   ///< samples filled by the other markers of the segment
    std::vector<Gap> left;   ///< too long, or at an end of the trial
};

/// Fills gaps of the markers in place: short ones by a cubic spline through up to four samples on either
/// side, longer ones by the rigid motion of at least three other markers of the segment, carried over from
/// both borders of the gap and blended. The rest stays missing. A filled sample has the residual 0, as C3D
/// marks modelled points.
GapReport fill_gaps(model::Trial& trial);

struct CleanOptions {
    bool spikes = true;
    bool gaps = true;
    double cutoff = 6;  ///< of the zero-lag Butterworth filter in Hz; 0 leaves the noise
};

struct CleanReport {
    std::size_t spikes = 0;  ///< samples taken out
    GapReport gaps;
    std::size_t filtered = 0;    ///< markers that the filter ran over
    std::size_t short_runs = 0;  ///< runs of samples between gaps too short to filter, left as they are
    double moved_rms = 0;        ///< how far filtering moved the samples, in metres
    double moved_max = 0;
};

/// Makes samples missing that jump away from both neighbours; returns how many.
std::size_t remove_spikes(model::Trial& trial);

/// Filters every run of samples between gaps (zero_lag_butterworth). Model outputs and analog channels stay.
/// \throws Error when the cut-off does not fit the rate.
void smooth(model::Trial& trial, double cutoff, CleanReport& report);

struct CleanResult {
    model::Trial trial;
    CleanReport report;
};

/// Spikes, gaps, filter, in this order, on a copy: compare it with `raw` to see what was lost.
/// \param raw the trial as it was measured
/// \param options what is done
/// \param monitor hears of gaps that are left and of a filter that does not fit the rate
/// \return the cleaned trial, and what was done to it
/// \throws Error when the cut-off does not fit the rate.
CleanResult clean(const model::Trial& raw, const CleanOptions& options = {}, Monitor& monitor = silent());

/// Frames first to last, both included, with the analog samples and events that lie in them.
/// \param trial the whole
/// \param first,last frames from 0
/// \return the part as a trial of its own
/// \throws Error when the range is empty or outside the trial.
model::Trial trimmed(const model::Trial& trial, std::size_t first, std::size_t last);

/// Markers and model outputs at another rate, by cubic interpolation inside runs of samples; gaps stay gaps.
/// Lower rates are filtered first, so that nothing above half of the new rate folds back. Analog channels
/// keep their times as nearly as a whole number of samples per frame allows.
/// \param trial at its own rate
/// \param rate frames per second
/// \return the trial at that rate
/// \throws Error for a rate that is not above 0.
model::Trial resampled(const model::Trial& trial, double rate);

/// The same motion by a mirror image of the person: positions are reflected across the vertical plane that
/// holds the main direction of the trial, and left and right change their labels. Model outputs swap sides;
/// their signs are per side already. Analog channels, platforms and segment rotations cannot be mirrored and
/// are dropped.
model::Trial mirrored(const model::Trial& trial);

}  // namespace sinew::motion
