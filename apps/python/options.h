// SPDX-License-Identifier: MIT
#pragma once
// Options that several functions of the Python module have, and results with their figures.

#include "binding.h"

#include "sinew/pipeline/rig.h"

namespace sinew::python {

/// Options of a rig by their words. Raises TypeError for a word that is none of them.
pipeline::RigOptions rig_options(const py::kwargs& words);

/// Takes `progress` out of the words.
py::object take_progress(py::kwargs& words);

/// A Character with the attribute `report`.
py::object with_report(model::Character character, const Json& report);

}  // namespace sinew::python
