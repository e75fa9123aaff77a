#include "sinew/io/trc_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/base/decimal.h"
#include "sinew/base/parallel.h"
#include "sinew/base/text.h"
#include "sinew/io/scan.h"
#include "sinew/io/trc_header.h"

namespace sinew::io::trc {
namespace {

using math::Vec3f;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

enum class Cell : std::uint8_t { number, missing, bad, comma };

/// Words that programs write where there is no number.
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

/// Reads a cell and leaves `at` at the tab or line end behind it.
inline Cell read_cell(const char*& at, const char* end, double& value) {
    if (const char* const behind = parse_plain_decimal(at, end, value);
        behind != nullptr && (*behind == '\t' || *behind == '\n')) {
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

/// What was odd in some rows: how often, and where first.
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

/// One row into one frame.
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
        {"trc-surplus-cells", "rows have cells behind their last marker; they are ignored"}};
    for (std::size_t k = 0; k < Odd::kinds; ++k) {
        const Odd::Entry& entry = odd.entries[k];
        if (entry.count == 0) continue;
        cursor.seek(entry.first);
        tally.note(words[k].first, cursor, "{} {}", entry.count, words[k].second);
    }
}

/// True when two tabs stand for one all along a line.
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

}  // namespace

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

}  // namespace sinew::io::trc
