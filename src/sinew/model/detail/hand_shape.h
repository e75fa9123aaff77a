// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// A skeleton that is a hand alone, told by its shape.

#include <array>
#include <optional>

#include "sinew/model/roles.h"

namespace sinew::model {

/// Limbs of a hand, by their numbers.
struct HandLimbs {
    std::array<std::size_t, 5> fingers = {};  ///< from the thumb to the little finger
    std::optional<std::size_t> wrist;         ///< the limb that leads to the arm, when there is one
    int junction = -1;                        ///< where most fingers begin
};

/// Five limbs of like length that spread like a fan, in one plane and each in its own direction, and at most
/// one more, on the other side. Legs do not: those of a pair point the same way seen from the side, and arms
/// and head point elsewhere. The thumb is the outermost limb with the wider gap beside it.
std::optional<HandLimbs> find_hand(const Limbs& limbs);

}  // namespace sinew::model
