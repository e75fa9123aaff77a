// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Do two triangles touch? Exact for the coordinates given; closed sets, so touching counts; a triangle
/// without area is a segment or a point.

#include <array>
#include <cstdint>

#include "sinew/collide/body.h"

namespace sinew::collide {

/// By definition: they touch when an edge of one meets the other. The reference for the next function.
bool triangles_meet_reference(const Corners& a, const Corners& b);

/// The same result for every input, but faster: planes first, then two orientations (Guigue & Devillers
/// 2003).
bool triangles_meet(const Corners& a, const Corners& b);

/// The same for corners in single precision, four floats each of which the last is 0: single precision is
/// used where it decides.
using CornerRows = std::array<const float*, 3>;
bool triangles_meet(const CornerRows& a, const CornerRows& b);

/// On which side of the other's plane the corners of a triangle lie, where single precision decides: bit k of
/// one or both is for corner k.
struct RoughSides {
    std::uint32_t below = 0, above = 0;

    bool one_sided() const { return below == 7 || above == 7; }
    bool decided() const { return (below | above) == 7; }
    /// The corner that is alone on its side; all are decided, and not one-sided.
    std::size_t lone() const {
        const std::uint32_t single = (below & (below - 1)) == 0 ? below : above;
        return single >> 1;  // 1, 2, 4 to 0, 1, 2
    }
};
/// The same when the sides are known already.
bool triangles_meet(const CornerRows& a, const RoughSides& sides_a, const CornerRows& b,
                    const RoughSides& sides_b);

/// Squared distance of two triangles, 0 when they meet.
double squared_distance(const Corners& a, const Corners& b);

}  // namespace sinew::collide
