// SPDX-License-Identifier: MIT
// Motion and storage files of OpenSim: columns over time after a short header.

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>

#include "sinew/base/array.h"
#include "sinew/base/error.h"
#include "sinew/base/text.h"
#include "sinew/io/trial/trial_formats.h"

namespace sinew::io {
namespace {

using model::PointInfo;
using model::PointKind;

/// Maps a coordinate of OpenSim's gait models to a component of a model output. Axes of the pelvis are x
/// forward, y up, z to the right, which determines the signs; those of the knee differ between models
/// (knee_sign).
struct Coordinate {
    std::string_view name, output;
    int component;
    double sign;
};
constexpr std::array coordinates = {
    Coordinate{"pelvis_tilt", "LPelvisAngles", 0, -1},
    Coordinate{"pelvis_tilt", "RPelvisAngles", 0, -1},
    Coordinate{"pelvis_list", "LPelvisAngles", 1, 1},
    Coordinate{"pelvis_list", "RPelvisAngles", 1, -1},
    Coordinate{"pelvis_rotation", "LPelvisAngles", 2, -1},
    Coordinate{"pelvis_rotation", "RPelvisAngles", 2, 1},
    Coordinate{"hip_flexion_l", "LHipAngles", 0, 1},
    Coordinate{"hip_flexion_r", "RHipAngles", 0, 1},
    Coordinate{"hip_adduction_l", "LHipAngles", 1, 1},
    Coordinate{"hip_adduction_r", "RHipAngles", 1, 1},
    Coordinate{"hip_rotation_l", "LHipAngles", 2, 1},
    Coordinate{"hip_rotation_r", "RHipAngles", 2, 1},
    Coordinate{"knee_angle_l", "LKneeAngles", 0, 1},
    Coordinate{"knee_angle_r", "RKneeAngles", 0, 1},
    Coordinate{"ankle_angle_l", "LAnkleAngles", 0, 1},
    Coordinate{"ankle_angle_r", "RAnkleAngles", 0, 1},
};

struct MotTable {
    bool degrees = true;
    std::vector<std::string> names;  ///< without the time
    std::vector<double> times;
    std::vector<std::vector<double>> rows;  ///< by time, then column
};

class TableReader {
  public:
    TableReader(std::string_view text, std::string_view file, Monitor& monitor)
        : cursor_(text, file), monitor_(monitor) {}

    MotTable run() {
        read_header();
        read_names();
        while (!cursor_.at_end()) read_row();
        if (table_.times.size() < 2)
            fail(cursor_.location(), "has {} rows: a motion needs two", table_.times.size());
        if (rows_ && *rows_ != table_.times.size())
            warn(monitor_, "mot-rows", "the header says {} rows and there are {}: those are read", *rows_,
                 table_.times.size());
        return std::move(table_);
    }

  private:
    void read_header() {
        bool ended = false;
        for (int line = 0; line < 10000 && !cursor_.at_end() && !ended; ++line) {
            const std::string text = to_lower(cursor_.rest_of_line());
            const std::size_t sign = text.find('=');
            const std::string key(trim(std::string_view(text).substr(0, sign)));
            const std::string_view value = sign == std::string::npos
                                               ? std::string_view()
                                               : trim(std::string_view(text).substr(sign + 1));
            double count = 0;
            ended = key == "endheader";
            if (key == "indegrees") table_.degrees = value != "no";
            if ((key == "nrows" || key == "datarows") && parse_exact(value, count) && count >= 0 &&
                count < 1e9)
                rows_ = static_cast<std::size_t>(count);
        }
        if (!ended)
            fail(cursor_.location(),
                 "there is no line \"endheader\": this is not a motion or storage file of OpenSim");
    }

    void read_names() {
        while (cursor_.skip_space() && table_.names.empty()) {
            location_ = cursor_.location();
            for (std::string_view word = cursor_.word_on_line(); !word.empty(); word = cursor_.word_on_line())
                table_.names.emplace_back(word);
            cursor_.rest_of_line();
        }
        if (table_.names.size() < 2 || !equal_ignoring_case(table_.names.front(), "time"))
            fail(location_, "expected names of columns that begin with \"time\", found \"{}\"",
                 table_.names.empty() ? "nothing" : table_.names.front());
        table_.names.erase(table_.names.begin());
        std::vector<std::string> sorted = table_.names;
        std::ranges::sort(sorted);
        if (const auto twice = std::ranges::adjacent_find(sorted); twice != sorted.end())
            fail(location_, "there are two columns \"{}\"", *twice);
    }

    void read_row() {
        if (!cursor_.skip_space()) return;
        location_ = cursor_.location();
        std::vector<double> row;
        for (std::string_view word = cursor_.word_on_line(); !word.empty(); word = cursor_.word_on_line()) {
            double value = math::nan;
            if (!parse_exact(word, value) && !to_lower(word).ends_with("nan"))
                fail(location_, "\"{}\" in column {} is not a number", word, row.size() + 1);
            row.push_back(std::isfinite(value) ? value : math::nan);
        }
        cursor_.rest_of_line();
        if (row.size() != table_.names.size() + 1)
            fail(location_, "has {} cells under {} names of columns", row.size(), table_.names.size() + 1);
        if (!std::isfinite(row[0]) || (!table_.times.empty() && row[0] <= table_.times.back()))
            fail(location_, "the time {:g} does not follow {:g}", row[0],
                 table_.times.empty() ? 0 : table_.times.back());
        table_.times.push_back(row[0]);
        row.erase(row.begin());
        table_.rows.push_back(std::move(row));
    }

    TextCursor cursor_;
    Monitor& monitor_;
    MotTable table_;
    std::optional<std::size_t> rows_;
    std::string location_;
};

/// Rows at even times, linearly interpolated, if the steps of the file differ by more than a hundredth.
void make_even(MotTable& table, double step, Monitor& monitor) {
    const std::vector<double>& times = table.times;
    bool even = true;
    for (std::size_t i = 1; i < times.size(); ++i)
        even = even && std::abs(times[i] - times[i - 1] - step) < 0.01 * step;
    if (even) return;
    const double count = std::floor((times.back() - times.front()) / step + 1e-6) + 1;
    if (count > 1e7)
        fail("", "its times run from {:g} to {:g} in steps of {:g}", times.front(), times.back(), step);
    warn(monitor, "mot-uneven",
         "its rows are not evenly spaced: read at {:g} per second, straight between them", 1 / step);
    std::vector<std::vector<double>> rows;
    std::size_t from = 0;
    for (double i = 0; i < count; ++i) {
        const double time = times.front() + i * step;
        while (from + 2 < times.size() && times[from + 1] < time) ++from;
        const double t = std::clamp((time - times[from]) / (times[from + 1] - times[from]), 0.0, 1.0);
        std::vector<double>& row = rows.emplace_back();
        for (std::size_t c = 0; c < table.names.size(); ++c)
            row.push_back(t == 0 ? table.rows[from][c]
                                 : (1 - t) * table.rows[from][c] + t * table.rows[from + 1][c]);
    }
    table.rows = std::move(rows);
}

/// The unit of a column, from OpenSim's names; empty when they do not determine it.
std::string unit_of(std::string_view name) {
    const auto has = [&](std::initializer_list<std::string_view> words) {
        return std::ranges::any_of(words, [&](std::string_view w) { return name.find(w) != name.npos; });
    };
    const auto ends = [&](std::initializer_list<std::string_view> words) {
        return std::ranges::any_of(words, [&](std::string_view w) { return name.ends_with(w); });
    };
    if (has({"force"})) return ends({"px", "py", "pz"}) ? "m" : "N";
    if (has({"torque", "moment"})) return "Nm";
    if (ends({"_tx", "_ty", "_tz"})) return "m";
    const bool angle = has(
        {"_flex", "_add", "_rot", "_angle", "_tilt", "_list", "_bending", "_extension", "_dev", "pro_sup"});
    return angle ? "deg" : "";
}

/// Converts angles to degrees.
void use_degrees(MotTable& table) {
    for (std::size_t c = 0; c < table.names.size(); ++c)
        if (!table.degrees && unit_of(table.names[c]) == "deg")
            for (auto& row : table.rows) row[c] = math::degrees(row[c]);
}

/// Sign of knee flexion: every walk bends the knees. In older models (gait2392) flexion is negative.
double knee_sign(const MotTable& table, std::size_t column) {
    std::vector<double> angles;
    for (const auto& row : table.rows)
        if (std::isfinite(row[column])) angles.push_back(row[column]);
    return angles.empty() || median(angles) >= 0 ? 1 : -1;
}

void add_outputs(const MotTable& table, model::Trial& trial, Monitor& monitor) {
    struct Found {
        std::size_t output, column;
        const Coordinate* coordinate;
        double factor;
    };
    std::vector<Found> found;
    bool bent = false;
    for (const Coordinate& coordinate : coordinates) {
        const auto column = std::ranges::find(table.names, coordinate.name);
        if (column == table.names.end()) continue;
        int output = trial.outputs.find(coordinate.output);
        if (output < 0) {
            PointInfo info;
            info.label = coordinate.output;
            info.kind = PointKind::angle;
            info.unit = "deg";
            trial.outputs.info.push_back(info);
            output = static_cast<int>(trial.outputs.count()) - 1;
        }
        const auto c = static_cast<std::size_t>(column - table.names.begin());
        double factor = coordinate.sign;
        if (coordinate.name.starts_with("knee_angle") && knee_sign(table, c) < 0)
            factor = -factor, bent = true;
        found.push_back({at(output), c, &coordinate, factor});
    }
    if (bent)
        warn(monitor, "mot-knee", "its knees bend by negative angles: model outputs have them positive");
    model::Points& outputs = trial.outputs;
    outputs.positions.assign(trial.frames * outputs.count(), math::Vec3f::Zero());
    outputs.residuals.assign(outputs.positions.size(), 0);
    for (std::size_t f = 0; f < trial.frames; ++f)
        for (const Found& each : found) {
            const std::size_t i = f * outputs.count() + each.output;
            const double value = each.factor * table.rows[f][each.column];
            if (!std::isfinite(value)) outputs.residuals[i] = model::Points::missing;
            outputs.positions[i][each.coordinate->component] = static_cast<float>(value);
        }
    for (std::size_t i = 0; i < outputs.positions.size(); ++i)
        if (outputs.residuals[i] < 0)
            outputs.positions[i].setConstant(std::numeric_limits<float>::quiet_NaN());
}

/// Index of an output, also under names of model variants (LHipAnglesV); or -1.
int find_output(const model::Trial& trial, std::string_view name) {
    for (const char* const suffix : {"", "V", "_V", "1"})
        if (const int found = trial.outputs.find(std::string(name) + suffix); found >= 0) return found;
    return -1;
}

/// Whether a component of an output exists: components without a coordinate in the model are 0 in all frames.
bool has_component(const model::Trial& trial, int output, int component) {
    for (std::size_t f = 0; output >= 0 && f < trial.frames; ++f) {
        const float value = trial.outputs.at(f, at(output))[component];
        if (std::isfinite(value) && value != 0) return true;
    }
    return false;
}

/// Replaces blanks, which would end a name.
std::string column_name(std::string label) {
    for (char& c : label)
        if (static_cast<unsigned char>(c) <= ' ') c = '_';
    return label.empty() ? "channel" : label;
}

}  // namespace

Asset read_mot(Bytes bytes, const std::filesystem::path& path, const ReadOptions&, Monitor& monitor) {
    std::string storage;
    MotTable table = TableReader(as_utf8(as_text(bytes), storage), path.string(), monitor).run();
    std::vector<double> steps;
    for (std::size_t i = 1; i < table.times.size(); ++i) steps.push_back(table.times[i] - table.times[i - 1]);
    const double step = median(steps);
    make_even(table, step, monitor);
    use_degrees(table);
    Asset asset;
    model::Trial& trial = asset.trial;
    trial.name = path.stem().string();
    trial.unit = "m";
    trial.frames = table.rows.size();
    // Times are written with few digits: a rate within a thousandth of an integer is rounded to it.
    trial.rate = 1 / step;
    if (std::abs(trial.rate - std::round(trial.rate)) < 1e-3 * trial.rate && trial.rate > 0.5)
        trial.rate = std::round(trial.rate);
    trial.first_frame =
        1 + static_cast<std::int64_t>(std::llround(std::clamp(table.times.front() * trial.rate, 0.0, 1e6)));
    for (const std::string& name : table.names)
        trial.analog.channels.push_back({name, "", unit_of(name), 1, 0});
    for (const auto& row : table.rows)
        for (const double value : row) trial.analog.values.push_back(static_cast<float>(value));
    add_outputs(table, trial, monitor);
    return asset;
}

std::string write_mot(const Asset& asset, const std::filesystem::path& path, const WriteOptions&,
                      Monitor& monitor) {
    const model::Trial& trial = asset.trial;
    if (!(trial.rate > 0) || trial.frames < 2)
        fail(path.string(), "needs a trial of two frames and their rate");
    const bool channels = !trial.analog.empty() && trial.analog.samples_per_frame == 1 &&
                          trial.analog.samples() == trial.frames;
    std::vector<const Coordinate*> angles;
    for (const Coordinate& each : coordinates) {
        const bool there = channels && std::ranges::count(trial.analog.channels, each.name,
                                                          &model::AnalogChannel::label) > 0;
        const bool before = !angles.empty() && angles.back()->name == each.name;
        if (!there && !before && has_component(trial, find_output(trial, each.output), each.component))
            angles.push_back(&each);
    }
    if (angles.empty() && !channels)
        fail(path.string(),
             "a motion file of OpenSim needs joint angles, or channels with one sample a frame; ground "
             "reactions are written by the verb gait");
    if (!trial.markers.empty() || !trial.platforms.empty() || (!trial.analog.empty() && !channels))
        warn(monitor, "mot-angles-only",
             "markers, platforms and their channels are left out: only angles are written");
    const auto columns = 1 + angles.size() + (channels ? trial.analog.count() : 0);
    std::string text = fmt::format("{}\nversion=1\nnRows={}\nnColumns={}\ninDegrees=yes\nendheader\ntime",
                                   path.stem().string(), trial.frames, columns);
    for (const Coordinate* each : angles) fmt::format_to(std::back_inserter(text), "\t{}", each->name);
    for (std::size_t c = 0; channels && c < trial.analog.count(); ++c)
        text += "\t" + column_name(trial.analog.channels[c].label);
    for (std::size_t f = 0; f < trial.frames; ++f) {
        const auto number = static_cast<double>(trial.first_frame - 1 + static_cast<std::int64_t>(f));
        fmt::format_to(std::back_inserter(text), "\n{:.6f}", number / trial.rate);
        for (const Coordinate* each : angles) {
            const auto output = at(find_output(trial, each->output));
            fmt::format_to(std::back_inserter(text), "\t{}",
                           each->sign * static_cast<double>(trial.outputs.at(f, output)[each->component]));
        }
        for (std::size_t c = 0; channels && c < trial.analog.count(); ++c)
            fmt::format_to(std::back_inserter(text), "\t{}", trial.analog.at(f, c));
    }
    return text + "\n";
}

}  // namespace sinew::io
