#pragma once
/// \file
/// Which of q and -q enters a blend (Kavan 2007, 3.3; they are the same rotation, their sums are not). Each
/// rule gives +1 or -1 for every quaternion of a list.

#include <span>
#include <vector>

#include "sinew/math/dual_quaternion.h"

namespace sinew::math {

using Signs = std::vector<double>;

/// The sign of every quaternion that brings it nearer to `pivot`.
Signs signs_like(std::span<const Quatd> quaternions, const Quatd& pivot);

/// Rule A, the source's: like the first. Depends on the order of the list.
Signs first_signs(std::span<const Quatd> quaternions);

/// Rule B: like the heaviest, the earlier one of equals. The sum is never shorter than the largest weight.
Signs heaviest_signs(std::span<const double> weights, std::span<const Quatd> quaternions);

/// Rule C: like the parent, top-down, so that a chain may twist by more than half a turn in all. `parents`
/// are places in the list, -1 for a root, and come before their children; further roots follow the first.
Signs hierarchy_signs(std::span<const int> parents, std::span<const Quatd> quaternions);

/// Rule E: like the dominant eigenvector of sum w q q^T (Johnson 2003), which no choice of signs, no order
/// and no change of coordinates can alter.
Signs principal_signs(std::span<const double> weights, std::span<const Quatd> quaternions);

/// Rule D: as the hierarchy on the first frame; later the rotation relative to the parent stays on the side
/// where it was a frame before, so a joint may turn beyond half a turn without a pop. Depends on history.
class TemporalSigns {
  public:
    Signs next(std::span<const int> parents, std::span<const Quatd> quaternions);
    void reset() { relative_.clear(); }

  private:
    std::vector<Quatd> relative_;  ///< to the parent, in the last frame
};

/// Place of the largest weight, the first of equals.
std::size_t heaviest_of(std::span<const double> weights);

std::vector<Quatd> rotations_of(std::span<const Rigidd> transforms);
std::vector<DualQuatd> dual_quaternions_of(std::span<const Rigidd> transforms);

/// The lists with the signs applied: all eight numbers of a dual quaternion together.
std::vector<Quatd> with_signs(std::span<const Quatd> quaternions, const Signs& signs);
std::vector<Rigidd> with_signs(std::span<const Rigidd> transforms, const Signs& signs);
std::vector<DualQuatd> with_signs(std::span<const DualQuatd> quaternions, const Signs& signs);

}  // namespace sinew::math
