// SPDX-License-Identifier: MIT
#pragma once
// Options shared by several functions of the Python module, and results with their reports.

#include "binding.h"

#include "sinew/pipeline/rig.h"

namespace sinew::python {

/// Options of a rig from keyword arguments. Raises TypeError for an unknown keyword.
pipeline::RigOptions rig_options(const py::kwargs& words);

/// Removes `progress` from the keyword arguments.
py::object take_progress(py::kwargs& words);

/// A Character with the attribute `report`.
py::object with_report(model::Character character, const Json& report);

}  // namespace sinew::python
