#include "sinew/io/trc_header.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/base/text.h"
#include "sinew/io/scan.h"

namespace sinew::io::trc {
namespace {

/// A header is short; what has no labels by then is something else.
constexpr int most_header_lines = 50;

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

/// Keys and values stand below each other; where blanks have moved some, they are matched in order.
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

/// Labels stand above the first of their three columns. Where some do not, they are taken in their order.
void read_labels(std::string_view line, const TextCursor& at, bvh::Tally& tally, Header& header) {
    std::vector<std::string_view> cells = cells_of(line, separator_of(line));
    if (cells.size() > 2 && cells[1].empty() && equal_ignoring_case(cells[2], "Time")) {
        // Two tabs stand for one.
        for (std::size_t i = 0; 2 * i < cells.size(); ++i) cells[i] = cells[2 * i];
        cells.resize((cells.size() + 1) / 2);
    }
    cells.erase(cells.begin(), cells.begin() + std::min<std::ptrdiff_t>(2, std::ssize(cells)));
    while (!cells.empty() && cells.back().empty()) cells.pop_back();
    const auto named = without_blanks(cells);
    bool in_place = line.find('\t') != std::string_view::npos || line.find(',') != std::string_view::npos;
    for (std::size_t i = 0; i < cells.size(); ++i) in_place = in_place && (i % 3 == 0 || cells[i].empty());
    // One label for each column is a dialect of its own: every third counts.
    if (!in_place) {
        if (named.size() != cells.size())
            tally.note("trc-label-shift", at, "labels do not stand above their columns; their order counts");
        for (const std::string_view label : named) header.labels.emplace_back(label);
        return;
    }
    for (std::size_t i = 0; i < cells.size(); i += 3) {
        if (cells[i].empty()) {
            tally.note("trc-no-label", at, "marker {} has no label; marker_{} stands in", i / 3 + 1,
                       i / 3 + 1);
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

/// The line behind the sub-labels (X1 Y1 Z1 ...), when there are any.
std::size_t find_rows(std::string_view text, std::size_t at) {
    for (int i = 0; i < 4 && at < text.size(); ++i) {
        const std::string_view line = line_at(text, at);
        const std::size_t first = line.find_first_not_of(" \t,");
        if (first != std::string_view::npos && line[first] != 'X' && line[first] != 'x') return at;
        at = std::min(std::min(text.find('\n', at), text.size()) + 1, text.size());
    }
    return at;
}

}  // namespace

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

Header read_header(std::string_view text, std::string_view file, bvh::Tally& tally) {
    Header header;
    TextCursor cursor(text, file);
    std::size_t at = 0;
    std::string_view before;
    bool keys_above = false;
    for (int i = 0; i < most_header_lines && at < text.size(); ++i) {
        const std::string_view line = line_at(text, at);
        const std::size_t next = std::min(std::min(text.find('\n', at), text.size()) + 1, text.size());
        cursor.seek(at);
        if (to_lower(trim(line).substr(0, 5)) == "frame" && !starts_with_number(line)) {
            read_labels(line, cursor, tally, header);
            if (header.labels.empty()) fail(cursor.place(), "the line of labels names no marker");
            header.rows = find_rows(text, next);
            return header;
        }
        if (keys_above) read_keys(before, line, header);
        keys_above = to_lower(line).find("datarate") != std::string::npos && !keys_above;
        before = line;
        at = next;
    }
    fail(cursor.place(), "no line of labels that starts with \"Frame#\": this is no TRC file");
}

}  // namespace sinew::io::trc
