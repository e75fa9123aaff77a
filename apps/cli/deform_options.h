// SPDX-License-Identifier: MIT
#pragma once
// Command-line options of a deformer: corrections of the skin, and hand-made shapes that are applied to the
// rest shape of a character before skinning.

#include "common.h"

#include "sinew/deform/deformer.h"

namespace sinew::cli {

void add_refine_options(CLI::App& verb, deform::CorrectiveOptions& options);

struct ExampleOptions {
    std::vector<std::string> poses;   ///< SHAPE@TIME of the clip
    std::vector<std::string> shapes;  ///< SHAPE@X,Y,...: a position in a space of parameters
    std::vector<double> parameters;   ///< the requested position
    deform::BasisKind basis = deform::BasisKind::gaussian;  ///< for interpolation over the poses

    bool any() const { return !poses.empty() || !shapes.empty(); }
};
void add_example_options(CLI::App& verb, ExampleOptions& options);

/// Reads the shapes.
/// \throws Error when a shape is neither a file nor a shape key, does not fit the mesh, or has no position.
deform::DeformerOptions deformer_options(Run& run, const model::Character& character, const model::Clip* clip,
                                         deform::Method method, const deform::CorrectiveOptions& corrective,
                                         const ExampleOptions& examples);

}  // namespace sinew::cli
