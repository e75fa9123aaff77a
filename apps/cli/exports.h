// SPDX-License-Identifier: MIT
#pragma once
// Palettes and transforms of vertices over a clip, for other programs.

#include "common.h"

namespace sinew::cli {

struct ExportOptions {
    std::filesystem::path palette;     ///< .npy or .csv; none when empty
    std::filesystem::path transforms;  ///< likewise
    bool dual_quaternions = false;     ///< 8 numbers instead of a 3 x 4 matrix

    bool any() const { return !palette.empty() || !transforms.empty(); }
};
void add_export_options(CLI::App& verb, ExportOptions& options);

/// Writes the requested data at the given times of the clip. Matrices are 3 rows of 4; dual quaternions are
/// (w x y z) of the real part, then of the dual part. The array has the axes frame, joint or vertex, numbers.
/// \throws Error when dual quaternions are requested for transforms that are not rigid.
void write_exports(Run& run, const model::Character& character, const model::Clip* clip,
                   std::span<const double> times, deform::Method method, const ExportOptions& options);

}  // namespace sinew::cli
