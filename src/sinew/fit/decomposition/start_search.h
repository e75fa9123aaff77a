// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// A way out of local minima: bones from several seeds on a few vertices and frames, of which the best start
/// a decomposition of the whole.

#include "sinew/fit/decomposition/decomposition.h"

namespace sinew::fit {

/// True when the sequence is large enough against the number of bones for a search on a part of it.
bool can_search(const model::MeshSequence& sequence, int bones);

/// \param sequence to be fitted.
/// \param options of the decomposition that goes on from the result.
/// \param starts how many seeds are tried.
/// \param monitor progress and cancel.
/// \pre can_search(sequence, options.bones)
/// \return bones and weights of the best seed, carried over to all vertices and frames.
FitResult searched_start(const model::MeshSequence& sequence, const DecompositionOptions& options, int starts,
                         Monitor& monitor = silent());

}  // namespace sinew::fit
