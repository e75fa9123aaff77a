#pragma once
// Tables of measured figures: printed as Markdown, kept in the report.

#include <string>
#include <vector>

#include "program.h"

namespace sinew::cli {

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

}  // namespace sinew::cli
