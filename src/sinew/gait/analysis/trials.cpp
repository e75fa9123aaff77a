// SPDX-License-Identifier: MIT
// Several trials of one subject combined.

#include <algorithm>
#include <cmath>

#include "sinew/base/array.h"
#include "sinew/base/error.h"
#include "sinew/gait/gait.h"

namespace sinew::gait {

using model::Side;

namespace {

/// All cycles of all trials; each curve has the number of its cycle in the combined list.
CycleCurve pooled(const std::vector<GaitAnalysis>& trials, const std::vector<std::size_t>& first,
                  auto&& curve_of) {
    std::vector<std::vector<double>> each;
    std::vector<std::size_t> cycles;
    for (std::size_t t = 0; t < trials.size(); ++t) {
        const CycleCurve* const curve = curve_of(trials[t]);
        if (curve == nullptr) continue;
        for (std::size_t i = 0; i < curve->each.size(); ++i) {
            each.push_back(curve->each[i]);
            cycles.push_back(first[t] + (i < curve->cycles.size() ? curve->cycles[i] : i));
        }
    }
    CycleCurve all = summarise(std::move(each));
    all.cycles = std::move(cycles);
    return all;
}

/// Means of values, weighted by their numbers of cycles.
SpatioTemporal mean_values(const std::vector<GaitAnalysis>& trials, std::size_t side) {
    SpatioTemporal mean;
    for (const GaitAnalysis& trial : trials) mean.cycles += trial.sides[side].cycles;
    for (const SpatioTemporalRow& row : spatiotemporal_rows()) {
        double sum = 0, weight = 0;
        for (const GaitAnalysis& trial : trials) {
            const SpatioTemporal& values = trial.sides[side];
            if (!(values.*row.value)) continue;
            const auto cycles = static_cast<double>(std::max<std::size_t>(1, values.cycles));
            sum += cycles * *(values.*row.value), weight += cycles;
        }
        if (weight > 0) mean.*row.value = sum / weight;
    }
    return mean;
}

/// Curves over all cycles of all trials.
std::optional<PhaseBoundaries> phases_of(const std::vector<GaitAnalysis>& trials, std::size_t side) {
    std::vector<PhaseBoundaries> each;
    for (const GaitAnalysis& trial : trials)
        if (trial.phases[side])
            each.insert(each.end(), std::max<std::size_t>(1, trial.sides[side].cycles), *trial.phases[side]);
    return each.empty() ? std::nullopt : std::optional(mean_phases(each));
}

/// Root mean square distance of a cycle's curve from the median curve.
std::vector<double> distances(const CycleCurve& curve) {
    std::vector<double> middle;
    for (std::size_t k = 0; k < curve.mean.size(); ++k) {
        std::vector<double> values;
        for (const auto& each : curve.each) values.push_back(each[k]);
        middle.push_back(median(values));
    }
    std::vector<double> result;
    for (const auto& each : curve.each) {
        double squares = 0;
        for (std::size_t k = 0; k < middle.size(); ++k)
            squares += (each[k] - middle[k]) * (each[k] - middle[k]);
        result.push_back(std::sqrt(squares / static_cast<double>(middle.size())));
    }
    return result;
}

/// Each source once, with the numbers of its trials when there are several sources.
std::string sources_of(const std::vector<GaitAnalysis>& trials) {
    std::vector<std::pair<std::string, std::string>> sources;
    for (std::size_t t = 0; t < trials.size(); ++t) {
        const std::string& source = trials[t].traces.source;
        const auto same = std::ranges::find(sources, source, &std::pair<std::string, std::string>::first);
        if (same == sources.end())
            sources.emplace_back(source, fmt::format("{}", t + 1));
        else
            same->second += fmt::format(", {}", t + 1);
    }
    if (sources.size() == 1) return sources.front().first;
    std::string text;
    for (const auto& [source, numbers] : sources)
        text += fmt::format("{}{} (trial {})", text.empty() ? "" : "; ", source.empty() ? "nowhere" : source,
                            numbers);
    return text;
}

/// Reasons against a mean over the trials.
void tell_differences(const std::vector<GaitAnalysis>& trials, GaitAnalysis& all) {
    if (all.traces.source != trials.front().traces.source)
        all.notes.push_back("the angles of the trials were not computed alike, and are averaged: " +
                            all.traces.source);
    double low = 0, high = 0;
    for (const GaitAnalysis& trial : trials)
        if (const auto leg = trial.measures.leg_length()) {
            low = low == 0 ? *leg : std::min(low, *leg);
            high = std::max(high, *leg);
        }
    if (high > 1.03 * low)
        all.notes.push_back(fmt::format(
            "legs are {:.2f} m long in one trial and {:.2f} m in another: they may be of different people",
            low, high));
}

}  // namespace

GaitAnalysis combine(std::vector<GaitAnalysis> trials) {
    if (trials.empty()) fail("", "there are no trials to combine");
    std::vector<std::size_t> first;
    std::vector<GaitCycleSpan> cycles;
    for (std::size_t t = 0; t < trials.size(); ++t) {
        first.push_back(cycles.size());
        for (GaitCycleSpan cycle : trials[t].cycles) {
            cycle.trial = t;
            cycles.push_back(cycle);
        }
    }
    GaitAnalysis all = trials.front();
    all.trials = trials.size();
    all.traces.source = sources_of(trials);
    for (const GaitAnalysis& trial : trials)
        if (!all.measures.leg_length()) all.measures = trial.measures;
    all.cycles = std::move(cycles);
    for (const std::size_t s : {0u, 1u}) {
        for (std::size_t c = 0; c < curve_count; ++c)
            all.curves[s][c] = pooled(trials, first, [&](const GaitAnalysis& a) { return &a.curves[s][c]; });
        for (const GaitAnalysis& trial : trials)
            for (std::size_t c = 0; c < curve_count; ++c)
                if (all.doubts[s][c].empty()) all.doubts[s][c] = trial.doubts[s][c];
        all.sides[s] = mean_values(trials, s);
        all.phases[s] = phases_of(trials, s);
        for (EmgCurve& muscle : all.emg_curves)
            muscle.sides[s] = pooled(trials, first, [&](const GaitAnalysis& a) -> const CycleCurve* {
                const auto same = std::ranges::find(a.emg_curves, muscle.label, &EmgCurve::label);
                return same == a.emg_curves.end() ? nullptr : &same->sides[s];
            });
    }
    for (std::size_t t = 0; trials.size() > 1 && t < trials.size(); ++t) {
        if (t == 0) all.notes.clear();
        for (const std::string& note : trials[t].notes)
            all.notes.push_back(fmt::format("trial {}: {}", t + 1, note));
    }
    tell_differences(trials, all);
    mark_outliers(all);
    return all;
}

void mark_outliers(GaitAnalysis& a) {
    for (GaitCycleSpan& cycle : a.cycles) cycle.outlier = false;
    for (const std::size_t s : {0u, 1u}) {
        std::vector<std::vector<double>> far(
            a.cycles.size());  // by cycle and curve, relative to the median distance
        for (std::size_t c = 0; c < sheet_angles; ++c) {
            const CycleCurve& curve = a.curves[s][c];
            if (curve.each.size() < 4 || curve.cycles.size() != curve.each.size()) continue;
            const std::vector<double> distance = distances(curve);
            const double usual = std::max(median(distance), 5.0 / 3);
            for (std::size_t i = 0; i < distance.size(); ++i)
                far[curve.cycles[i]].push_back(distance[i] / usual);
        }
        for (std::size_t i = 0; i < far.size(); ++i)
            if (!far[i].empty() && median(far[i]) > 3) a.cycles[i].outlier = true;
    }
}

}  // namespace sinew::gait
