#pragma once
/// \file
/// Cleaning a trial: spikes out, gaps filled, noise filtered. The raw trial is never changed.

#include <optional>

#include "sinew/base/monitor.h"

namespace sinew::motion {

struct SpikeOptions {
    double deviations = 4;  ///< of the second difference from its median, in median absolute deviations
    /// A sample is a spike only when it also asks for more than this: no body accelerates so hard, m/s^2.
    double acceleration = 100;
};

struct CleanOptions {
    bool spikes = true;
    bool gaps = true;
    double cutoff = 6;  ///< of the zero-lag Butterworth filter in Hz; 0 leaves the noise
    SpikeOptions spike;
    GapOptions gap;
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
std::size_t remove_spikes(model::Trial& trial, const SpikeOptions& options = {});

/// Filters every run of samples between gaps (zero_lag_butterworth). Model outputs and analog channels stay.
/// \throws Error when the cut-off does not fit the rate.
void smooth(model::Trial& trial, double cutoff, CleanReport& report);

struct CleanResult {
    model::Trial trial;
    CleanReport report;
};

/// Spikes, gaps, filter, in this order, on a copy: compare it with `raw` to see what was lost.
CleanResult clean(const model::Trial& raw, const CleanOptions& options = {}, Monitor& monitor = silent());

}  // namespace sinew::motion
