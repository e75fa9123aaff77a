// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Avoids local minima: tries several seeds on a few vertices and frames; the best bones start the
/// decomposition of the whole sequence.

#include "sinew/fit/decomposition/decomposition.h"

namespace sinew::fit {

/// True when the sequence is large enough, relative to the number of bones, for a search on a part of it.
bool can_search(const model::MeshSequence& sequence, int bones);

/// \param sequence the sequence to fit
/// \param options options of the decomposition that continues from the result
/// \param starts number of seeds to try
/// \param monitor receives progress; can cancel
/// \pre can_search(sequence, options.bones)
/// \return bones and weights of the best seed, extended to all vertices and frames
FitResult searched_start(const model::MeshSequence& sequence, const DecompositionOptions& options, int starts,
                         Monitor& monitor = silent());

}  // namespace sinew::fit
