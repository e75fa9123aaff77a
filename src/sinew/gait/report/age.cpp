// SPDX-License-Identifier: MIT
#include "sinew/gait/report/age.h"

#include <array>
#include <cmath>

#include <fmt/format.h>

#include "sinew/math/types.h"

namespace sinew::gait {
namespace {

/// Mean minus and plus one deviation, lengths in centimetres.
struct Range {
    double low = 0, high = 0;
};

/// Children of 5 to 13 years at self-selected speed on a walkway (Lythgo 2011).
struct ChildRow {
    int from, to;  // years, both included
    Range cadence, stride_time, stride_length, step_length, step_width, stance, single_support,
        double_support;
};
constexpr std::array<ChildRow, 8> children = {{
    {5,
     5,
     {127.1, 152.9},
     {.78, .94},
     {99.1, 119.3},
     {49.4, 59.6},
     {6, 9.6},
     {55.8, 59.4},
     {40.7, 44.1},
     {12.2, 18}},
    {6,
     6,
     {124.5, 148.7},
     {.81, .97},
     {105.5, 127.1},
     {52.8, 63.4},
     {6.2, 9.4},
     {55.1, 58.5},
     {41.3, 44.7},
     {10.3, 16.7}},
    {7,
     7,
     {120.5, 145.7},
     {.83, .99},
     {107.9, 131.3},
     {53.8, 65.6},
     {6.4, 10.6},
     {55.1, 58.9},
     {41.1, 44.7},
     {10.3, 17.9}},
    {8,
     8,
     {119.1, 142.5},
     {.84, 1.01},
     {114.7, 137.1},
     {57.5, 68.7},
     {5.8, 10.2},
     {55.2, 59},
     {41.1, 44.9},
     {10.4, 17.6}},
    {9,
     9,
     {114.9, 136.7},
     {.88, 1.05},
     {116.7, 140.1},
     {57.1, 69.1},
     {7, 10.8},
     {55.8, 59.2},
     {41, 44.2},
     {11.4, 18.2}},
    {10,
     10,
     {113.6, 133.2},
     {.91, 1.06},
     {122.4, 147.4},
     {61.1, 73.7},
     {7.1, 11.1},
     {55.4, 59},
     {40.8, 44.6},
     {10.7, 18.1}},
    {11,
     11,
     {112.5, 127.3},
     {.95, 1.07},
     {125.8, 149},
     {63, 74.4},
     {6.7, 11.3},
     {56.6, 60},
     {39.9, 43.5},
     {12.9, 20.1}},
    {12,
     13,
     {106.9, 122.3},
     {.98, 1.12},
     {129.3, 160.7},
     {64.7, 80.5},
     {6.8, 10.6},
     {56.5, 59.7},
     {40.1, 43.5},
     {12.8, 19.4}},
}};

/// Adults: speed in cm/s and step length in cm (means), steps per second (mean and deviation) (Öberg 1993).
struct AdultRow {
    int from, to;
    double speed, step_length, frequency, deviation;
};
constexpr std::array<AdultRow, 6> women = {{
    {15, 19, 123.9, 59.3, 2.09, .18},
    {20, 29, 124.1, 59.1, 2.08, .15},
    {30, 39, 128.5, 59.7, 2.13, .17},
    {40, 49, 124.7, 57.3, 2.16, .16},
    {50, 59, 110.5, 53.9, 2.03, .13},
    {60, 69, 115.7, 55.3, 2.06, .17},
}};
constexpr std::array<AdultRow, 6> men = {{
    {15, 19, 135.1, 66.0, 2.02, .20},
    {20, 29, 122.7, 61.6, 1.98, .13},
    {30, 39, 131.6, 64.9, 2.00, .14},
    {40, 49, 132.8, 64.7, 2.01, .11},
    {50, 59, 125.2, 63.5, 1.96, .18},
    {60, 69, 127.7, 65.0, 1.95, .14},
}};

/// 70 years and older at self-selected speed on a walkway (Hollman 2011).
struct OldRow {
    int from, to;
    Range speed, cadence, stride_time, step_time, stride_length, step_length, step_width, stance,
        single_support, double_support;
};
constexpr std::array<OldRow, 4> old_women = {{
    {70,
     74,
     {96, 136},
     {93, 133},
     {.93, 1.19},
     {.47, .59},
     {106, 140},
     {52, 70},
     {3.5, 10.5},
     {60.2, 66.4},
     {33.8, 40.2},
     {23.1, 31.1}},
    {75,
     79,
     {95, 129},
     {101, 127},
     {.94, 1.18},
     {.47, .59},
     {103, 133},
     {52, 66},
     {3.7, 11.7},
     {60.9, 66.9},
     {31, 40.6},
     {22, 34.8}},
    {80,
     84,
     {86, 116},
     {101, 119},
     {1.01, 1.19},
     {.5, .6},
     {97, 125},
     {48, 62},
     {3.8, 12},
     {61.9, 67.1},
     {33.2, 38},
     {24.4, 33.6}},
    {85,
     89,
     {78, 118},
     {98, 118},
     {1.01, 1.23},
     {.51, .61},
     {91, 127},
     {45, 63},
     {6.5, 11.7},
     {62, 67},
     {32.9, 38.5},
     {23.9, 33.5}},
}};
constexpr std::array<OldRow, 4> old_men = {{
    {70,
     74,
     {101, 133},
     {94, 110},
     {1.1, 1.26},
     {.54, .64},
     {125, 153},
     {61, 77},
     {6.7, 12.7},
     {61.1, 65.3},
     {35.3, 38.9},
     {23.3, 29.3}},
    {75,
     79,
     {107, 137},
     {96, 116},
     {1.04, 1.22},
     {.51, .61},
     {125, 149},
     {61, 75},
     {3.7, 14.1},
     {61.5, 66.5},
     {35.3, 38.7},
     {24.2, 28.8}},
    {80,
     84,
     {95, 129},
     {95, 111},
     {1.08, 1.24},
     {.55, .63},
     {114, 148},
     {57, 73},
     {7.2, 15.2},
     {61.1, 66.5},
     {34.3, 38.7},
     {22.7, 32.1}},
    {85,
     89,
     {79, 123},
     {91, 113},
     {1.05, 1.33},
     {.51, .67},
     {98, 140},
     {49, 69},
     {5.1, 14.7},
     {62.2, 67.6},
     {33.1, 37.3},
     {26.8, 33.8}},
}};

template <class Row, std::size_t n>
const Row* row_of(const std::array<Row, n>& rows, double age) {
    for (const Row& row : rows)
        if (age >= row.from && age < row.to + 1) return &row;
    return nullptr;
}

std::string years(int from, int to) {
    return from == to ? fmt::format("{} years", from) : fmt::format("{} to {} years", from, to);
}

}  // namespace

std::string add_values_of_age(const BodyMeasures& subject,
                              std::map<std::string, std::pair<double, double>>& values) {
    if (!subject.age) return {};
    const double age = *subject.age;
    const auto set = [&](const char* key, Range range, double unit = 1) {
        values[key] = {unit * (range.low + range.high) / 2, unit * (range.high - range.low) / 2};
    };
    if (const ChildRow* row = row_of(children, age)) {
        set("cadence", row->cadence), set("stride_time", row->stride_time);
        set("stride_length", row->stride_length, 0.01), set("step_length", row->step_length, 0.01);
        set("step_width", row->step_width, 0.01), set("stance", row->stance);
        set("single_support", row->single_support), set("double_support", row->double_support);
        return fmt::format("children of {} (N. Lythgo, C. Wilson, M. Galea, Gait & Posture 33 (2011) 29-35).",
                           years(row->from, row->to));
    }
    if (row_of(women, age) == nullptr && row_of(old_women, age) == nullptr)
        return fmt::format("no table of {:.0f} years is built in.", age);
    if (!subject.sex) return "tables of this age are by sex, which is not known.";
    const bool female = *subject.sex == Sex::female;
    const char* const who = female ? "women" : "men";
    if (const OldRow* row = row_of(female ? old_women : old_men, age)) {
        set("speed", row->speed, 0.01), set("cadence", row->cadence);
        set("stride_time", row->stride_time), set("step_time", row->step_time);
        set("stride_length", row->stride_length, 0.01), set("step_length", row->step_length, 0.01);
        set("step_width", row->step_width, 0.01), set("stance", row->stance);
        set("single_support", row->single_support), set("double_support", row->double_support);
        return fmt::format(
            "{} of {} (J. H. Hollman, E. M. McDade, R. C. Petersen, Gait & Posture 34 (2011) 111-118).", who,
            years(row->from, row->to));
    }
    const AdultRow* row = row_of(female ? women : men, age);
    values["cadence"] = {60 * row->frequency, 60 * row->deviation};
    values["speed"] = {0.01 * row->speed, math::nan};
    values["step_length"] = {0.01 * row->step_length, math::nan};
    return fmt::format(
        "{} of {} (T. Öberg, A. Karsznia, K. Öberg, Journal of Rehabilitation Research and Development 30 "
        "(1993) 210-223).",
        who, years(row->from, row->to));
}

}  // namespace sinew::gait
