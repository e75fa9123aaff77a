// SPDX-License-Identifier: MIT
#pragma once
// Common functions of the Python module: arrays, progress and cancellation, and one function for each file.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include "sinew/base/error.h"
#include "sinew/base/report.h"
#include "sinew/io/io.h"

namespace sinew::python {

namespace py = pybind11;

using CharacterPointer = std::shared_ptr<model::Character>;
using Floats = py::array_t<float, py::array::c_style | py::array::forcecast>;
using Doubles = py::array_t<double, py::array::c_style | py::array::forcecast>;
using Indices = py::array_t<std::uint32_t, py::array::c_style | py::array::forcecast>;

/// Calls progress(fraction, text) at most twenty times per second, tests for Ctrl-C, and keeps warnings until
/// the work is done. An exception of the callback, also KeyboardInterrupt, cancels the work.
class PythonMonitor : public Monitor {
  public:
    explicit PythonMonitor(py::object progress) : callback_(std::move(progress)) {}

    void progress(std::string_view stage, double fraction) override { poll(stage, fraction); }
    bool cancelled() const override {
        const_cast<PythonMonitor*>(this)->poll({}, -1);
        return stopped_;
    }
    void warn(Warning warning) override {
        const std::lock_guard lock(mutex_);
        warnings_.push_back(std::move(warning));
    }

    /// With the GIL: raises the exception that stopped the work.
    void raise() {
        if (error_) throw py::error_already_set(*error_);
    }
    /// With the GIL: reports the warnings of the work as Python warnings.
    void tell() {
        for (const Warning& warning : warnings_)
            if (PyErr_WarnEx(PyExc_UserWarning, (warning.text + " [" + warning.code + "]").c_str(), 2) != 0)
                throw py::error_already_set();
        warnings_.clear();
    }

  private:
    using Clock = std::chrono::steady_clock;

    /// Signals and callbacks are handled in the calling thread; other threads only read the flag.
    void poll(std::string_view stage, double fraction) {
        if (stopped_ || std::this_thread::get_id() != thread_) return;
        const auto now = Clock::now();
        const bool whole = fraction >= 1 && !callback_.is_none();
        if (!whole && now - last_ < std::chrono::milliseconds(50)) return;
        last_ = now;
        const py::gil_scoped_acquire held;
        try {
            if (PyErr_CheckSignals() != 0) throw py::error_already_set();
            if (fraction >= 0 && !callback_.is_none()) callback_(fraction, std::string(stage));
        } catch (const py::error_already_set& error) {
            error_.emplace(error);
            stopped_ = true;
        }
    }

    py::object callback_;
    std::thread::id thread_ = std::this_thread::get_id();
    Clock::time_point last_ = Clock::now();
    std::optional<py::error_already_set> error_;
    std::atomic<bool> stopped_ = false;
    std::mutex mutex_;
    std::vector<Warning> warnings_;
};

/// Runs work without the GIL, with a monitor.
template <class Work>
auto run(const py::object& progress, const Work& work) {
    PythonMonitor monitor(progress);
    try {
        if constexpr (std::is_void_v<std::invoke_result_t<Work, Monitor&>>) {
            {
                const py::gil_scoped_release free;
                work(monitor);
            }
            monitor.raise();
            monitor.tell();
        } else {
            auto result = [&] {
                const py::gil_scoped_release free;
                return work(monitor);
            }();
            monitor.raise();
            monitor.tell();
            return result;
        }
    } catch (const Cancelled&) {
        monitor.raise();
        throw;
    }
}

/// Rows of numbers as an array that uses the memory of `owner`.
template <class Row>
py::array view_of(std::vector<Row>& rows, const py::object& owner) {
    using Scalar = std::conditional_t<std::is_same_v<Row, geometry::Triangle>, std::uint32_t, float>;
    constexpr std::size_t columns = sizeof(Row) / sizeof(Scalar);
    return py::array_t<Scalar>({rows.size(), columns}, {sizeof(Row), sizeof(Scalar)},
                               reinterpret_cast<Scalar*>(rows.data()), owner);
}

/// An array with its own memory.
template <class Row>
py::array copy_of(const std::vector<Row>& rows) {
    constexpr std::size_t columns = sizeof(Row) / sizeof(float);
    py::array_t<float> array({rows.size(), columns});
    std::copy_n(reinterpret_cast<const float*>(rows.data()), rows.size() * columns, array.mutable_data());
    return array;
}

/// The rows of an array. \throws Error when its number of columns is wrong.
template <class Row, class Array>
std::vector<Row> rows_of(const Array& array, const char* name) {
    using Scalar = typename Array::value_type;
    constexpr std::size_t columns = sizeof(Row) / sizeof(Scalar);
    if (array.ndim() != 2 || array.shape(1) != static_cast<py::ssize_t>(columns))
        fail(name, "is an array of {} numbers a row", columns);
    std::vector<Row> rows(static_cast<std::size_t>(array.shape(0)));
    std::copy_n(array.data(), rows.size() * columns, reinterpret_cast<Scalar*>(rows.data()));
    return rows;
}

/// Matrices as an array (n, 4, 4) with its own memory.
py::array matrices_of(std::span<const math::Mat4d> matrices);

/// A report as a dictionary.
py::object to_python(const Json& json);

/// A clip by name, number or object; null for None.
const model::Clip* clip_of(const model::Character& character, const py::object& clip);

/// The content of a file or an object: a path is read.
io::Asset asset_of(const py::object& thing, Monitor& monitor);
/// The same as a Python object: a Character, Trial or MeshSequence.
py::object from_asset(io::Asset asset);

// One function per file.
void add_types(py::module_& module);
void add_files(py::module_& module);
void add_rigging(py::module_& module);
void add_motion(py::module_& module);
void add_playing(py::module_& module);
void add_analysis(py::module_& module);

}  // namespace sinew::python
