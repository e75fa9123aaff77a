#pragma once
/// \file
/// Markers as joints, so that a trial can be drawn, and opened in programs that know no markers.

#include "sinew/model/character.h"
#include "sinew/model/trial.h"

namespace sinew::model {

/// One root joint for every marker that was seen at all, with a translation key for every frame in which it
/// was: in metres, +Y up. Over a gap the keys around it are joined.
Character markers_as_joints(const Trial& trial);

}  // namespace sinew::model
