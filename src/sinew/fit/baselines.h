#pragma once
/// \file
/// What fits are measured against: principal components of the positions (Alexa and Mueller 2000), and rigid
/// parts without blending (Collins and Hilton 2005).

#include "sinew/fit/result.h"

namespace sinew::fit {

/// Positions as mean + `components` shapes with an amount for each frame.
struct PcaFit {
    std::size_t components = 0;
    double error_percent = 0;  ///< as SequenceError has it
    std::size_t bytes = 0;     ///< mean, shapes and amounts in single precision, without normals
};

/// The best error that `components` principal components can have: the singular values that are left out.
PcaFit pca_baseline(const model::MeshSequence& sequence, std::size_t components);
/// As many components as fit into so many bytes.
PcaFit pca_for_bytes(const model::MeshSequence& sequence, std::size_t bytes);

/// Every vertex follows one rigid bone.
FitResult fit_unblended(const model::MeshSequence& sequence, int bones, Monitor& monitor = silent());

}  // namespace sinew::fit
