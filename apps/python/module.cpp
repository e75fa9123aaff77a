// SPDX-License-Identifier: MIT
// The Python module: its exceptions, and its parts.

#include "binding.h"

namespace sinew::python {
namespace {

/// sinew.Error with the attributes `location` and `reason`.
void add_errors(py::module_& module) {
    static py::handle type = py::exception<Error>(module, "Error", PyExc_RuntimeError).release();
    type.attr("__doc__") =
        "What went wrong, with the attributes `location` (a file and its line, or a name) and `reason`.";
    py::register_exception_translator([](std::exception_ptr thrown) {
        try {
            if (thrown) std::rethrow_exception(thrown);
        } catch (const Error& error) {
            py::object raised = type(error.what());
            raised.attr("location") = error.location();
            raised.attr("reason") = error.reason();
            PyErr_SetObject(type.ptr(), raised.ptr());
        } catch (const Cancelled&) {
            PyErr_SetNone(PyExc_KeyboardInterrupt);
        }
    });
}

}  // namespace

py::object to_python(const Json& json) {
    return py::module_::import("json").attr("loads")(json_text(json, -1));
}

}  // namespace sinew::python

PYBIND11_MODULE(_sinew, module) {
    using namespace sinew::python;
    module.attr("__version__") = SINEW_VERSION;
    add_errors(module);
    add_types(module);
    add_files(module);
    add_rigging(module);
    add_motion(module);
    add_playing(module);
    add_analysis(module);
}
