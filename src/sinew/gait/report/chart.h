// SPDX-License-Identifier: MIT
#pragma once
// Drawings of a gait report.

#include "sinew/gait/report.h"

namespace sinew::gait {

inline constexpr double chart_width = 360, chart_height = 230;

/// One curve of both sides: over the cycle with spread, norm and foot off; over time when neither side has a
/// cycle.
std::string curve_chart(const GaitPage& page, const GaitAnalysis& analysis, GaitCurve curve);

/// True when there are values of a curve to draw.
bool has_curve(const GaitAnalysis& analysis, GaitCurve curve);

/// The seven phases of both sides over the cycle, with dark stance and light swing.
std::string phase_bar(const GaitAnalysis& analysis);

/// A muscle over time, raw or rectified with its envelope; and the envelope over the cycles of both sides.
std::string emg_chart(const GaitAnalysis& analysis, const EmgChannel& channel, bool rectified);
std::string emg_cycle_chart(const GaitAnalysis& analysis, const EmgCurve& muscle);

/// The force of the ground on a foot from the side, from its centre of pressure, ten milliseconds apart
/// (Pedotti 1977).
std::string force_chart(const GaitAnalysis& analysis, const PlateHit& hit);

/// Colours and line styles of all drawings.
extern const std::string_view chart_style;

}  // namespace sinew::gait
