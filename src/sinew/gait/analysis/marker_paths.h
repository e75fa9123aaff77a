// SPDX-License-Identifier: MIT
#pragma once
// Markers of a trial by their location on the body.

#include <string_view>
#include <vector>

#include "sinew/gait/gait.h"
#include "sinew/motion/solve.h"

namespace sinew::gait {

using Path = std::vector<math::Vec3d>;

/// The name of the source for traces that another program computed.
inline constexpr std::string_view stored_angles = "model outputs stored in the file";

class MarkerPaths {
  public:
    explicit MarkerPaths(const model::Trial& trial)
        : trial_(trial), map_(motion::map_markers(trial.markers)) {}

    /// A marker in every frame, in metres with +y up; gaps up to a tenth of a second are interpolated
    /// linearly, other gaps are NaN. Empty when it was never visible.
    Path of(std::size_t marker) const;
    /// For a location ("LASI"); empty when there is none.
    Path find(std::string_view location) const;
    /// Mean of two paths that must both exist.
    Path mean(std::string_view first, std::string_view second) const;

    const motion::MarkerMap& map() const { return map_; }

  private:
    const model::Trial& trial_;
    motion::MarkerMap map_;
};

}  // namespace sinew::gait
