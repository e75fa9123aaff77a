#pragma once
/// \file
/// The rigid motions that a unit dual quaternion can be, side by side.

#include "sinew/model/character.h"

namespace sinew::sample {

/// Four blocks, each beside its axis: joints Rotation (one turn), Translation (up and down), Screw (turns and
/// climbs) and MovingAxis (turns about an axis that leans and goes around, the joint Axis). The clip
/// `motions` lasts 4 seconds and loops; every key is a unit dual quaternion made from the screw of its
/// moment.
model::Character make_screws();

}  // namespace sinew::sample
