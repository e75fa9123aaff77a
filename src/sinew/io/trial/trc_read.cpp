// SPDX-License-Identifier: MIT

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/base/error.h"
#include "sinew/base/parallel.h"
#include "sinew/base/text.h"
#include "sinew/io/text/scan.h"
#include "sinew/io/text/tokens.h"
#include "sinew/io/text/units.h"
#include "sinew/io/trial/trial_formats.h"
#include "sinew/model/trial.h"

namespace sinew::io::trc {
namespace {

// The content above the rows of a TRC file.

struct Header {
    double rate = 0;                ///< DataRate; 0 when there is none
    std::optional<double> frames;   ///< NumFrames
    std::optional<double> markers;  ///< NumMarkers
    std::string unit;
    std::vector<std::string> labels;  ///< at least one
    std::size_t rows = 0;             ///< offset of the first row
};

/// The character that separates cells of a line: tab, else comma, else space.
char separator_of(std::string_view line);

/// Cells of a line, trimmed; runs of spaces are one separator.
std::vector<std::string_view> cells_of(std::string_view line, char separator);

/// A header is short; a longer text without labels is not a TRC file.
constexpr int max_header_lines = 50;

std::vector<std::string_view> without_blanks(std::vector<std::string_view> cells) {
    std::erase_if(cells, [](std::string_view cell) { return cell.empty(); });
    return cells;
}

std::string_view line_at(std::string_view text, std::size_t at) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = text.substr(at, end - at);
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line;
}

/// Keys are in one line and values in the next; if blanks have moved some, they are matched in order.
void read_keys(std::string_view key_line, std::string_view value_line, Header& header) {
    auto keys = cells_of(key_line, separator_of(key_line));
    auto values = cells_of(value_line, separator_of(value_line));
    if (without_blanks(keys).size() == without_blanks(values).size()) {
        keys = without_blanks(std::move(keys));
        values = without_blanks(std::move(values));
    }
    for (std::size_t i = 0; i < std::min(keys.size(), values.size()); ++i) {
        double value = 0;
        const bool number = parse_exact(values[i], value) && std::isfinite(value);
        if (equal_ignoring_case(keys[i], "Units")) header.unit = values[i];
        if (!number) continue;
        if (equal_ignoring_case(keys[i], "DataRate")) header.rate = std::max(value, 0.0);
        if (equal_ignoring_case(keys[i], "NumFrames")) header.frames = value;
        if (equal_ignoring_case(keys[i], "NumMarkers")) header.markers = value;
    }
}

/// Labels are above the first of their three columns. If some are not, they are assigned in their order.
void read_labels(std::string_view line, const TextCursor& at, bvh::Tally& tally, Header& header) {
    std::vector<std::string_view> cells = cells_of(line, separator_of(line));
    if (cells.size() > 2 && cells[1].empty() && equal_ignoring_case(cells[2], "Time")) {
        // Two tabs separate the cells.
        for (std::size_t i = 0; 2 * i < cells.size(); ++i) cells[i] = cells[2 * i];
        cells.resize((cells.size() + 1) / 2);
    }
    cells.erase(cells.begin(), cells.begin() + std::min<std::ptrdiff_t>(2, std::ssize(cells)));
    while (!cells.empty() && cells.back().empty()) cells.pop_back();
    const auto named = without_blanks(cells);
    bool in_place = line.find('\t') != std::string_view::npos || line.find(',') != std::string_view::npos;
    for (std::size_t i = 0; i < cells.size(); ++i) in_place = in_place && (i % 3 == 0 || cells[i].empty());
    // One label per column is another dialect: every third label is used.
    if (!in_place) {
        if (named.size() != cells.size())
            tally.note("trc-label-shift", at, "labels are not above their columns; their order is used");
        for (const std::string_view label : named) header.labels.emplace_back(label);
        return;
    }
    for (std::size_t i = 0; i < cells.size(); i += 3) {
        if (cells[i].empty()) {
            tally.note("trc-no-label", at, "marker {} has no label; marker_{} is used", i / 3 + 1, i / 3 + 1);
            header.labels.push_back(fmt::format("marker_{}", i / 3 + 1));
        } else {
            header.labels.emplace_back(cells[i]);
        }
    }
}

bool starts_with_number(std::string_view line) {
    const auto cells = cells_of(line, separator_of(line));
    double value = 0;
    return !cells.empty() && parse_exact(cells[0], value);
}

/// The line after the sub-labels (X1 Y1 Z1 ...), if there are any.
std::size_t find_rows(std::string_view text, std::size_t at) {
    for (int i = 0; i < 4 && at < text.size(); ++i) {
        const std::string_view line = line_at(text, at);
        const std::size_t first = line.find_first_not_of(" \t,");
        if (first != std::string_view::npos && line[first] != 'X' && line[first] != 'x') return at;
        at = std::min(std::min(text.find('\n', at), text.size()) + 1, text.size());
    }
    return at;
}

char separator_of(std::string_view line) {
    if (line.find('\t') != std::string_view::npos) return '\t';
    return line.find(',') != std::string_view::npos ? ',' : ' ';
}

std::vector<std::string_view> cells_of(std::string_view line, char separator) {
    std::vector<std::string_view> cells;
    if (separator == ' ') line = trim(line);
    while (true) {
        const std::size_t end = std::min(line.find(separator), line.size());
        cells.push_back(trim(line.substr(0, end)));
        if (end == line.size()) return cells;
        line.remove_prefix(end + 1);
        if (separator == ' ') line = trim(line);
    }
}

/// \throws Error when there is no line of labels.
Header read_header(std::string_view text, std::string_view file, bvh::Tally& tally) {
    Header header;
    TextCursor cursor(text, file);
    std::size_t at = 0;
    std::string_view before;
    bool keys_above = false;
    for (int i = 0; i < max_header_lines && at < text.size(); ++i) {
        const std::string_view line = line_at(text, at);
        const std::size_t next = std::min(std::min(text.find('\n', at), text.size()) + 1, text.size());
        cursor.seek(at);
        if (to_lower(trim(line).substr(0, 5)) == "frame" && !starts_with_number(line)) {
            read_labels(line, cursor, tally, header);
            if (header.labels.empty()) fail(cursor.location(), "the line of labels names no marker");
            header.rows = find_rows(text, next);
            return header;
        }
        if (keys_above) read_keys(before, line, header);
        keys_above = to_lower(line).find("datarate") != std::string::npos && !keys_above;
        before = line;
        at = next;
    }
    fail(cursor.location(), "no line of labels that starts with \"Frame#\": this is not a TRC file");
}

// The rows of a TRC file.

/// A row of the table. Cells are separated by single tabs.
struct Row {
    std::size_t cells;  ///< first byte behind frame and time
    double time;        ///< NaN when it is not given
};

struct Rows {
    std::string_view text;  ///< of the whole file
    std::vector<Row> rows;
    std::int64_t first_frame = 1;
    std::optional<std::size_t> jump;  ///< first row whose frame number is not consecutive
};

using math::nan;
using math::Vec3f;

enum class Cell : std::uint8_t { number, missing, bad, comma };

/// Words that programs write for missing numbers.
bool says_missing(std::string_view word) {
    if (word.empty()) return true;
    if (word.starts_with('-') || word.starts_with('+')) word.remove_prefix(1);
    const std::string lower = to_lower(word.substr(0, 8));
    constexpr std::string_view words[] = {"", "-", "*", "na", "n/a", "#n/a", "null", "none", "missing"};
    return std::find(std::begin(words), std::end(words), lower) != std::end(words) ||
           lower.starts_with("nan") || lower.starts_with("1.#");
}

Cell read_word(std::string_view word, double& value) {
    word = trim(word);
    if (word.size() > bvh::max_token) return Cell::bad;
    const bool number = parse_exact(word, value);
    if (number && std::abs(value) < 3e38) return Cell::number;
    if (says_missing(word)) return Cell::missing;
    const std::size_t comma = word.find(',');
    if (comma == std::string_view::npos) return Cell::bad;
    std::string with_point(word);
    with_point[comma] = '.';
    return parse_exact(with_point, value) && std::abs(value) < 3e38 ? Cell::comma : Cell::bad;
}

/// Reads a cell and moves `at` to the tab or line end after it.
inline Cell read_cell(const char*& at, const char* end, double& value) {
    if (const char* const behind = scan_double(at, end, value);
        behind != nullptr && behind < end && (*behind == '\t' || *behind == '\n') && std::abs(value) < 3e38) {
        at = behind;
        return Cell::number;
    }
    const char* stop = at;
    while (stop < end && *stop != '\t' && *stop != '\n') ++stop;
    const Cell kind = stop == at ? Cell::missing : read_word({at, stop}, value);
    at = stop;
    return kind;
}

bool line_is_over(const char* at, const char* end) {
    return at == end || *at == '\n';
}

/// Problems of some rows: their number and the first location.
struct Odd {
    enum Kind : std::uint8_t { bad, comma, partial, few, many, kinds };
    struct Entry {
        std::size_t count = 0;
        std::size_t first = 0;
    };
    std::array<Entry, kinds> entries;

    void note(Kind kind, std::size_t at) {
        if (entries[kind].count++ == 0) entries[kind].first = at;
    }
    void merge(const Odd& later) {
        for (std::size_t k = 0; k < kinds; ++k) {
            if (entries[k].count == 0) entries[k].first = later.entries[k].first;
            entries[k].count += later.entries[k].count;
        }
    }
};

/// Reads one row into one frame.
void read_row(std::string_view text, std::size_t start, std::size_t markers, Vec3f* positions,
              float* residuals, Odd& odd) {
    const char* at = text.data() + start;
    const char* const end = text.data() + text.size();
    bool open = !line_is_over(at, end);
    for (std::size_t m = 0; m < markers; ++m) {
        double xyz[3];
        int numbers = 0;
        for (double& value : xyz) {
            if (!open) {
                odd.note(Odd::few, start);
                return;
            }
            const Cell kind = read_cell(at, end, value);
            numbers += kind == Cell::number || kind == Cell::comma ? 1 : 0;
            if (kind == Cell::bad) odd.note(Odd::bad, start);
            if (kind == Cell::comma) odd.note(Odd::comma, start);
            open = !line_is_over(at, end);
            if (open) ++at;
        }
        if (numbers == 3) {
            positions[m] =
                Vec3f(static_cast<float>(xyz[0]), static_cast<float>(xyz[1]), static_cast<float>(xyz[2]));
            residuals[m] = 0;
        } else if (numbers > 0) {
            odd.note(Odd::partial, start);
        }
    }
    while (at < end && is_blank(*at)) ++at;
    if (!line_is_over(at, end)) odd.note(Odd::many, start);
}

void report(const Odd& odd, TextCursor& cursor, bvh::Tally& tally) {
    constexpr std::pair<std::string_view, std::string_view> words[] = {
        {"trc-bad-cell", "cells hold no number; their markers are missing there"},
        {"trc-comma-decimal", "numbers have commas for points"},
        {"trc-partial-marker", "markers have one or two of three numbers; they are missing there"},
        {"trc-short-row", "rows end before their last marker, which is missing there"},
        {"trc-surplus-cells", "rows have cells after their last marker; they are ignored"}};
    for (std::size_t k = 0; k < Odd::kinds; ++k) {
        const Odd::Entry& entry = odd.entries[k];
        if (entry.count == 0) continue;
        cursor.seek(entry.first);
        tally.note(words[k].first, cursor, "{} {}", entry.count, words[k].second);
    }
}

/// True when a whole line is separated by double tabs.
bool tabs_are_doubled(const std::vector<std::string_view>& cells, std::size_t wanted) {
    if (cells.size() < 2 * wanted - 1) return false;
    for (std::size_t i = 1; i < 2 * wanted - 1; i += 2) {
        if (!cells[i].empty()) return false;
    }
    return true;
}

std::string_view first_row(std::string_view text) {
    while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n'));
        if (!trim(line).empty()) return line;
        text.remove_prefix(std::min(line.size() + 1, text.size()));
    }
    return {};
}

std::string single_tabs(std::string_view text, char separator) {
    std::string result;
    result.reserve(text.size());
    const bool pairs = separator == '\t';
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool blank = separator == ' ' ? text[i] == ' ' : text[i] == separator;
        if (!blank) {
            result += text[i];
        } else if (separator == ' ') {
            const bool between = !result.empty() && result.back() != '\n' && result.back() != '\t';
            if (between) result += '\t';
        } else {
            result += '\t';
            if (pairs && i + 1 < text.size() && text[i + 1] == '\t') ++i;
        }
    }
    return result;
}

/// Replaces commas, double tabs and spaces between the cells of the rows by single tabs: the text itself, or
/// a copy in `storage` with the same lines.
std::string_view with_tabs(std::string_view text, std::size_t rows, std::size_t markers, const TextCursor& at,
                           std::string& storage, bvh::Tally& tally) {
    const std::string_view line = first_row(text.substr(rows));
    const char separator = separator_of(line);
    if (separator == '\t' && !tabs_are_doubled(cells_of(line, separator), 2 + 3 * markers)) return text;
    if (line.empty()) return text;
    if (separator == '\t') tally.note("trc-double-tabs", at, "cells are separated by two tabs");
    if (separator == ',') tally.note("trc-commas", at, "cells are separated by commas");
    if (separator == ' ') tally.note("trc-spaces", at, "cells are separated by spaces");
    storage = std::string(text.substr(0, rows)) + single_tabs(text.substr(rows), separator);
    return storage;
}

Rows find_rows(std::string_view text, std::size_t start, TextCursor& cursor, bvh::Tally& tally) {
    Rows result;
    result.text = text;
    const char* at = text.data() + start;
    const char* const end = text.data() + text.size();
    std::int64_t last = 0;
    while (at < end) {
        const char* const line_end = find_line_end(at, end);
        const auto offset = static_cast<std::size_t>(at - text.data());
        if (skip_blanks(at, line_end) != line_end) {
            double number = nan, time = nan;
            const Cell frame = read_cell(at, end, number);
            if (at < line_end) ++at;
            const bool timed = at < line_end && read_cell(at, end, time) == Cell::number;
            if (at < line_end) ++at;
            if (frame == Cell::bad || frame == Cell::comma) {
                cursor.seek(offset);
                tally.note("trc-bad-row", cursor, "a row that starts with no number is skipped");
            } else {
                const auto whole = static_cast<std::int64_t>(frame == Cell::number && std::abs(number) < 1e15
                                                                 ? number
                                                                 : static_cast<double>(last + 1));
                if (result.rows.empty()) {
                    result.first_frame = whole;
                } else if (whole != last + 1 && !result.jump) {
                    result.jump = result.rows.size();
                }
                last = whole;
                result.rows.push_back({static_cast<std::size_t>(at - text.data()), timed ? time : nan});
            }
        }
        at = line_end == end ? end : line_end + 1;
    }
    return result;
}

/// Reads row i into frame `frames[i]` of the points; the other frames stay missing.
void read_cells(const Rows& rows, const std::vector<std::size_t>& frames, TextCursor& cursor,
                bvh::Tally& tally, model::Points& points) {
    constexpr std::size_t grain = 64;
    const std::size_t markers = points.count();
    std::vector<Odd> odds((rows.rows.size() + grain - 1) / grain);
    parallel_blocks(rows.rows.size(), grain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const std::size_t first = frames[i] * markers;
            read_row(rows.text, rows.rows[i].cells, markers, points.positions.data() + first,
                     points.residuals.data() + first, odds[begin / grain]);
        }
    });
    Odd all;
    for (const Odd& odd : odds) all.merge(odd);
    report(all, cursor, tally);
}

/// State shared by the steps of reading one file.
struct Source {
    TextCursor cursor;
    bvh::Tally tally;
    Header header;
    Rows rows;

    template <class... Args>
    void note(std::string_view code, std::size_t row, fmt::format_string<Args...> text, Args&&... args) {
        if (row < rows.rows.size()) cursor.seek(rows.rows[row].cells);
        tally.note(code, cursor, text, std::forward<Args>(args)...);
    }
};

/// True when some row has a number after this many cells.
bool has_number_behind(std::string_view text, std::size_t rows, std::size_t cells) {
    for (std::size_t at = rows; at < text.size();) {
        const std::string_view line = line_at(text, at);
        const std::vector<std::string_view> row = cells_of(line, separator_of(line));
        for (std::size_t i = cells; i < row.size(); ++i) {
            double value = 0;
            if (read_word(row[i], value) == Cell::number) return true;
        }
        at = std::min(text.find('\n', at), text.size() - 1) + 1;
    }
    return false;
}

/// The number of labels; more markers if NumMarkers says so and the rows have numbers for them.
void settle_markers(std::string_view text, Source& source) {
    Header& header = source.header;
    const std::size_t labels = header.labels.size();
    const double claimed = header.markers.value_or(static_cast<double>(labels));
    if (claimed == static_cast<double>(labels)) return;
    source.cursor.seek(header.rows);
    source.tally.note("trc-marker-count", source.cursor, "NumMarkers says {}, but there are {} labels",
                      claimed, labels);
    const std::string_view line = text.substr(header.rows, text.find('\n', header.rows) - header.rows);
    const std::size_t cells = cells_of(line, separator_of(line)).size();
    if (!(claimed > static_cast<double>(labels)) || static_cast<double>(cells) < 2 + 3 * claimed ||
        !has_number_behind(text, header.rows, 2 + 3 * labels))
        return;
    while (static_cast<double>(header.labels.size()) < claimed)
        header.labels.push_back(fmt::format("marker_{}", header.labels.size() + 1));
}

/// "Subject:LASI" has a subject; equal labels are numbered.
std::vector<model::PointInfo> marker_info(Source& source) {
    std::vector<model::PointInfo> result;
    std::set<std::string> taken;
    for (const std::string& label : source.header.labels) {
        model::PointInfo info;
        const std::size_t colon = label.find(':');
        const bool named = colon != std::string::npos && colon > 0 && colon + 1 < label.size();
        info.subject = named ? label.substr(0, colon) : "";
        const std::string base = named ? label.substr(colon + 1) : label;
        info.label = base;
        for (int n = 2; !taken.insert(info.label).second; ++n) info.label = fmt::format("{}_{}", base, n);
        if (info.label != base) {
            source.note("trc-double-label", 0, "the label \"{}\" is given twice; {} is used",
                        base.substr(0, 40), info.label.substr(0, 40));
        }
        result.push_back(std::move(info));
    }
    return result;
}

/// Rows per second from the median step of the times; similar steps are averaged, because times are rounded.
/// 0 when there are no steps.
double measured_rate(const std::vector<Row>& rows) {
    std::vector<double> steps;
    for (std::size_t i = 1; i < rows.size(); ++i) {
        const double step = rows[i].time - rows[i - 1].time;
        if (step > 0 && std::isfinite(step)) steps.push_back(step);
    }
    if (steps.empty()) return 0;
    const auto middle = steps.begin() + (std::ssize(steps) - 1) / 2;
    std::nth_element(steps.begin(), middle, steps.end());
    const double median = *middle;
    double sum = 0, count = 0;
    for (const double step : steps) {
        if (std::abs(step - median) > 0.3 * median) continue;
        sum += step;
        ++count;
    }
    const double rate = count / sum;
    return std::abs(rate - std::round(rate)) < 0.002 * rate ? std::round(rate) : rate;
}

double find_rate(const ReadOptions& options, Source& source, std::vector<Guess>& guesses) {
    const double measured = measured_rate(source.rows.rows);
    if (source.header.rate > 0) {
        if (measured > 0 && std::abs(measured / source.header.rate - 1) > 0.05) {
            // Rows may have been removed. With a larger difference, the times are not in seconds.
            const bool sensible = measured < 500 * source.header.rate && source.header.rate < 500 * measured;
            source.note("trc-rate", 0, "DataRate is {}, but the times say {:.6g}, which {}",
                        source.header.rate, measured, sensible ? "counts" : "cannot be");
            if (sensible) return measured;
        }
        return source.header.rate;
    }
    source.note("trc-no-rate", 0, "DataRate is not given");
    if (options.rate > 0) return options.rate;
    constexpr double usual = 100;
    const bool timed = measured > 0 && std::isfinite(measured);
    guesses.push_back({"fps", fmt::format("{:.6g}", timed ? measured : usual),
                       timed ? "from the median step of the times" : "there are no times to infer it from",
                       timed ? measured : usual});
    return timed ? measured : usual;
}

/// The frame of every row: rows that are missing according to the times leave a gap.
std::vector<std::size_t> frames_of_rows(double rate, Source& source) {
    const std::vector<Row>& rows = source.rows.rows;
    std::vector<std::size_t> frames(rows.size());
    const double largest = 2 * static_cast<double>(rows.size()) + 100;
    bool holes = false;
    for (std::size_t i = 1; i < rows.size(); ++i) {
        const double steps = (rows[i].time - rows[i - 1].time) * rate;
        const double whole = std::round(steps);
        std::size_t next = 1;
        if (steps <= 0) {
            source.note("trc-time-order", i, "the time does not rise; the order of the rows is used");
        } else if (whole >= 2 && std::abs(steps - whole) < 0.3) {
            if (static_cast<double>(frames[i - 1]) + whole < largest) next = static_cast<std::size_t>(whole);
            source.note("trc-time-gap", i, "{} frames are missing; {}", whole - 1,
                        next > 1 ? "they have no markers" : "that is too many, so the gap is closed");
            holes = true;
        }
        frames[i] = frames[i - 1] + next;
    }
    if (source.rows.jump && !holes) {
        source.note("trc-frame-number", *source.rows.jump,
                    "frame numbers do not follow each other, times do");
    }
    return frames;
}

model::Trial read_trial(std::string_view text, const ReadOptions& options, Source& source,
                        std::vector<Guess>& guesses) {
    model::Trial trial;
    trial.markers.info = marker_info(source);
    trial.first_frame = source.rows.first_frame;
    trial.rate = find_rate(options, source, guesses);
    const std::size_t rows = source.rows.rows.size();
    if (!source.header.frames || *source.header.frames != static_cast<double>(rows)) {
        source.note("trc-frame-count", rows - 1, "NumFrames says {}, but there are {} rows",
                    source.header.frames ? fmt::format("{}", *source.header.frames) : "nothing", rows);
    }
    const std::vector<std::size_t> frames = frames_of_rows(trial.rate, source);
    trial.frames = frames.back() + 1;
    const std::size_t samples = trial.frames * trial.markers.count();
    // A row of blank cells takes 3 bytes per marker.
    if (samples > text.size() + 100'000) {
        fail(source.cursor.location(), "{} frames of {} markers, but cells for few of them", trial.frames,
             trial.markers.count());
    }
    trial.markers.positions.assign(samples, math::Vec3f::Constant(std::numeric_limits<float>::quiet_NaN()));
    trial.markers.residuals.assign(samples, model::Points::missing);
    read_cells(source.rows, frames, source.cursor, source.tally, trial.markers);
    return trial;
}

}  // namespace
}  // namespace sinew::io::trc

namespace sinew::io {

Asset read_trc(Bytes bytes, const std::filesystem::path& path, const ReadOptions& options, Monitor& monitor) {
    using namespace trc;
    const std::string file = path.string();
    if (bytes.empty()) fail(file, "the file is empty");
    std::string utf8, lines, tabs;
    std::string_view text = with_line_feeds(as_utf8(as_text(bytes), utf8), lines);
    Source source{TextCursor(text, file), {}, {}, {}};
    source.header = read_header(text, file, source.tally);
    settle_markers(text, source);
    source.cursor.seek(source.header.rows);
    text =
        with_tabs(text, source.header.rows, source.header.labels.size(), source.cursor, tabs, source.tally);
    source.cursor = TextCursor(text, file);
    source.rows = find_rows(text, source.header.rows, source.cursor, source.tally);
    source.cursor.seek(text.size());
    if (source.rows.rows.empty()) fail(source.cursor.location(), "there are no rows of markers");
    Asset asset;
    asset.trial = read_trial(text, options, source, asset.guesses);
    asset.trial.name = path.stem().string();
    if (!metres_of(source.header.unit) && options.units.empty()) {
        source.note("trc-units", 0, "the unit \"{}\" is not known", source.header.unit.substr(0, 40));
    }
    set_world_frame(asset.trial, {.unit = source.header.unit}, options, asset.guesses);
    source.tally.report(monitor);
    return asset;
}

}  // namespace sinew::io
