#pragma once
/// \file
/// Sticks, crutches and frames that a patient walks with: no marker shows them, but the character is not to
/// walk on air.

#include <optional>
#include <string_view>
#include <vector>

#include "sinew/model/character.h"
#include "sinew/model/roles.h"

namespace sinew::motion {

enum class AidKind : std::uint8_t {
    cane,    ///< a stick from hand to ground
    crutch,  ///< from the armpit past the hand to the ground
    walker,  ///< a frame on four legs before the body
};
std::string_view name_of(AidKind kind);

/// A walking aid, and the side of the hand that holds it; a walker has none.
struct WalkingAid {
    AidKind kind = AidKind::cane;
    model::Side side = model::Side::right;
};

/// Reads "cane-left", "cane-right", "canes", "crutch-left", "crutch-right", "crutches", "walker".
/// Nothing for another word.
std::optional<std::vector<WalkingAid>> parse_walking_aids(std::string_view word);

/// Adds the aid to a character as a root joint of its own with a rigid mesh: it stands upright under the hand
/// (a walker before the hips), turned as the hips are turned, as long as the hand is high in the middle of
/// the first clip; it follows every clip.
/// \throws Error when there is no skin, no hips or no hand to hold it.
void add_walking_aid(model::Character& character, const WalkingAid& aid);

}  // namespace sinew::motion
