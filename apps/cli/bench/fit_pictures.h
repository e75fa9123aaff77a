#pragma once
// Plots and pictures of `sinew bench fit`.

#include <filesystem>

#include "sinew/fit/fit.h"

namespace sinew::cli {

/// Error over corrections with the singular values beside it, and over the frames.
void plot_corrections(const std::filesystem::path& folder, const model::MeshSequence& sequence,
                      const fit::FitResult& fit);

/// Original, fitted and corrected side by side with the error as heat, and joints with their influences.
void draw_fit(const std::filesystem::path& folder, const model::MeshSequence& sequence,
              const fit::FitResult& fit);

}  // namespace sinew::cli
