#pragma once
/// \file
/// Samples that the cameras missed, put back from what is known around them.

#include <string>
#include <vector>

#include "sinew/model/trial.h"

namespace sinew::motion {

struct GapOptions {
    std::size_t longest_spline = 10;  ///< frames that a curve through the samples around may bridge
    std::size_t longest_rigid = 200;  ///< frames that the other markers of a rigid segment may bridge
    /// Markers that ride on one segment, by index; without any those of the known marker sets.
    std::vector<std::vector<std::size_t>> bodies;
};

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
GapReport fill_gaps(model::Trial& trial, const GapOptions& options = {});

}  // namespace sinew::motion
