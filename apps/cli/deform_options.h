// SPDX-License-Identifier: MIT
#pragma once
// What the command line can ask of a deformer: corrections of the skin, and shapes made by hand that the rest
// shape of a character follows before it is skinned.

#include "common.h"

#include "sinew/deform/deformer.h"

namespace sinew::cli {

void add_refine_options(CLI::App& verb, deform::CorrectiveOptions& options);

struct ExampleOptions {
    std::vector<std::string> poses;   ///< SHAPE@TIME of the clip
    std::vector<std::string> shapes;  ///< SHAPE@X,Y,...: a position in a space of parameters
    std::vector<double> parameters;   ///< the position that is wanted
    deform::BasisKind basis = deform::BasisKind::gaussian;  ///< over the poses

    bool any() const { return !poses.empty() || !shapes.empty(); }
};
void add_example_options(CLI::App& verb, ExampleOptions& options);

/// Reads the shapes.
/// \throws Error when a shape is neither a file nor a shape key, does not fit the mesh, or has no position.
deform::DeformerOptions deformer_options(Run& run, const model::Character& character, const model::Clip* clip,
                                         deform::Method method, const deform::CorrectiveOptions& corrective,
                                         const ExampleOptions& examples);

}  // namespace sinew::cli
