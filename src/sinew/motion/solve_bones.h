#pragma once
/// \file
/// A solved motion for bones of other lengths.

#include "sinew/motion/solve.h"

namespace sinew::motion {

/// Gives the turns of a solved body to the same skeleton with other bones: its hips go where they went, moved
/// up or down by one amount so that its lower ankle stands as high.
void lend_turns(const model::Skeleton& bones, SolveResult& result);

}  // namespace sinew::motion
