// SPDX-License-Identifier: MIT
#pragma once
// Options for reading files and for deforming, shared by all command lines.

#include "sinew/deform/method.h"
#include "sinew/io/io.h"

namespace CLI {
class App;
}

namespace sinew::app {

/// Options for reading: --strict, --units, --up, --convention and others; without --fps for a verb that has
/// its own.
void add_read_options(CLI::App& verb, io::ReadOptions& options, bool with_rate = true);

/// --method with the names of the deformers.
void add_method_option(CLI::App& verb, deform::Method& method);

}  // namespace sinew::app
