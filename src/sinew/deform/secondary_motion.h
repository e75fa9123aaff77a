#pragma once
/// \file
/// Flesh that lags behind its bones: a spring and a damper for each joint (after Larboulette et al. 2005).

#include <span>
#include <vector>

#include "sinew/math/types.h"

namespace sinew::deform {

struct SpringOptions {
    double frequency = 3;     ///< oscillations a second without damping
    double damping = 0.3;     ///< of the critical damping: 1 comes to rest without swinging over
    double limit = 0;         ///< largest offset; 0 is none
    double max_step = 0.004;  ///< seconds; longer frames are divided, so that any frame rate gives the same
};

/// One point per joint follows the joint by x'' = k (target - x) - c x'. The offset x - target is what an
/// additional, soft joint is moved by.
class SecondaryMotion {
  public:
    /// \throws Error when an option makes no sense.
    SecondaryMotion(std::size_t points, const SpringOptions& options = {});

    /// Moves on by `seconds` while the targets go evenly to their new places, and returns the offsets. The
    /// first call starts at rest. \throws Error when the count differs or the time is negative or not finite.
    std::span<const math::Vec3d> step(std::span<const math::Vec3d> targets, double seconds);
    /// Forgets all motion; the next step starts at rest.
    void reset() { started_ = false; }

  private:
    void advance(std::size_t point, const math::Vec3d& target, double h);

    SpringOptions options_;
    std::vector<math::Vec3d> places_, speeds_, targets_, offsets_;
    bool started_ = false;
};

}  // namespace sinew::deform
