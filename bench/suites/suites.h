// SPDX-License-Identifier: MIT
#pragma once
// What the suites of sinew-bench share: the run, tables of measured figures (printed as Markdown, kept in the
// report), and the suites themselves, each in its own file.

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "sinew/base/report.h"

namespace sinew::bench {

/// What a suite gets while it runs.
struct Run {
    Report& report;
    Monitor& monitor;
    bool quiet = false;

    /// A line for the person at the terminal; nothing with --quiet.
    template <class... Args>
    void say(fmt::format_string<Args...> text, Args&&... args) const {
        if (quiet) return;
        fmt::print("{}\n", fmt::format(text, std::forward<Args>(args)...));
        std::fflush(stdout);
    }
};

/// A cell is text, or a number with its decimals.
struct Cell {
    std::string text;
    Json value;
    Cell(std::string words)
        : text(std::move(words)), value(text) {}           // NOLINT: cells are written as plain words
    Cell(const char* words) : Cell(std::string(words)) {}  // NOLINT
    Cell(double number, int decimals) : text(fmt::format("{:.{}f}", number, decimals)), value(number) {}
    Cell(std::size_t number) : text(std::to_string(number)), value(number) {}  // NOLINT
};

struct Table {
    std::string title;
    std::vector<std::string> columns;
    std::vector<std::vector<Cell>> rows;
};

/// Prints a table and adds its rows to the report.
void show(const Run& run, const Table& table);

/// Seconds of one call: the fastest tenth of `repetitions`, because other work on the machine only ever adds
/// time.
template <class Work>
double seconds_of_call(int repetitions, const Work& work) {
    std::vector<double> times;
    for (int i = 0; i < repetitions; ++i) {
        const auto start = std::chrono::steady_clock::now();
        work();
        times.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    std::sort(times.begin(), times.end());
    return times[times.size() / 10];
}

struct SuiteOptions {
    bool quick = false;            ///< seconds instead of minutes; the long tables are left out
    std::filesystem::path folder;  ///< for plots and pictures; none when empty
    std::filesystem::path data;    ///< real characters, in `rigs` and `gltf`; absent ones are left out
};

/// What is wrong with each method: numbers beside the formulas, and a picture for each scene.
void bench_artifacts(Run& run, const SuiteOptions& options);
/// Axioms of the blends, and how far the fast ones are from constant speed.
void bench_blending(Run& run, const SuiteOptions& options);
/// Fits of cloth and soft bodies beside the published columns, and how the time grows.
void bench_fit(Run& run, const SuiteOptions& options);
/// Skinning speed against the layout that most engines use.
void bench_skinning(Run& run, const SuiteOptions& options);
/// Its first table: real characters of 2,000 to 30,000 vertices.
void compare_characters(Run& run, const SuiteOptions& options);

}  // namespace sinew::bench
