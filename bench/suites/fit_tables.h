// SPDX-License-Identifier: MIT
#pragma once
// Plots and pictures of `sinew-bench fit`.

#include <filesystem>

#include "suites.h"

#include "sinew/fit/fit.h"

namespace sinew::bench {

/// Error over corrections with the singular values beside it, and over the frames.
void plot_corrections(const std::filesystem::path& folder, const model::MeshSequence& sequence,
                      const fit::FitResult& fit);

/// Original, fitted and corrected side by side with the error as heat, and joints with their influences.
void draw_fit(const std::filesystem::path& folder, const model::MeshSequence& sequence,
              const fit::FitResult& fit);

// A crowd that plays one fit: skinned on the graphics card, and with vertices that are sent up every frame.

/// A thousand instances, as in Kavan et al. 2007, figure 8; fewer and smaller ones when `quick`.
void show_crowd(Run& run, bool quick);

// The most memory that `sinew fit` takes, as a program of its own, on sequences of several sizes.

void show_memory(Run& run, bool quick);

}  // namespace sinew::bench
