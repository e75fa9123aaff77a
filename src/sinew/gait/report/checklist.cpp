// SPDX-License-Identifier: MIT
#include <algorithm>

#include "sinew/base/error.h"
#include "sinew/base/text.h"
#include "sinew/gait/report.h"

namespace sinew::gait {
namespace {

constexpr std::array<bool, phase_count> mask(std::string_view text) {
    std::array<bool, phase_count> cells{};
    for (std::size_t i = 0; i < phase_count; ++i) cells[i] = text[i] == '.';
    return cells;
}

// Columns LR MSt TSt PSw, ISw MSw TSw.
constexpr std::array<ChecklistRow, 16> rows = {{
    {"trunk", "forward lean", mask("....###")},
    {"trunk", "backward lean", mask("....###")},
    {"trunk", "lateral lean", mask("....###")},
    {"pelvis", "no forward rotation", mask(".##....")},
    {"pelvis", "no contralateral drop", mask("..#####")},
    {"pelvis", "hiking", mask("###....")},
    {"hip", "inadequate hip extension", mask("#...###")},
    {"hip", "circumduction/abduction", mask("###....")},
    {"knee", "excessive knee flexion", mask("..#...#")},
    {"knee", "uncontrolled knee extension", mask("..####.")},
    {"knee", "inadequate knee flexion", mask("###...#")},
    {"ankle", "foot slap", mask(".######")},
    {"ankle", "forefoot contact", mask(".######")},
    {"ankle", "foot flat contact", mask(".######")},
    {"ankle", "late heel off", mask("###.###")},
    {"ankle", "contralateral vaulting", mask("####...")},
}};

std::size_t cell(std::size_t row, GaitPhase phase) {
    return row * phase_count + static_cast<std::size_t>(phase);
}

std::size_t row_of(std::string_view finding, std::string_view location) {
    const auto found = std::find_if(rows.begin(), rows.end(), [&](const ChecklistRow& row) {
        return equal_ignoring_case(row.finding, finding);
    });
    if (found == rows.end()) fail(location, "the checklist has no row \"{}\"", finding);
    return static_cast<std::size_t>(found - rows.begin());
}

GaitPhase phase_of(std::string_view word, std::string_view location) {
    for (std::size_t p = 0; p < phase_count; ++p) {
        const auto phase = static_cast<GaitPhase>(p);
        if (equal_ignoring_case(short_name(phase), word)) return phase;
    }
    fail(location, "\"{}\" is not a phase: they are LR, MSt, TSt, PSw, ISw, MSw, TSw", word);
}

}  // namespace

std::span<const ChecklistRow> checklist_rows() {
    return rows;
}

void Checklist::set(std::string_view finding, GaitPhase phase, bool seen) {
    const std::size_t row = row_of(finding, "");
    if (!rows[row].applicable[static_cast<std::size_t>(phase)])
        fail("", "\"{}\" does not apply in {}", rows[row].finding, short_name(phase));
    cells_.set(cell(row, phase), seen);
}

bool Checklist::seen(std::size_t row, GaitPhase phase) const {
    return cells_.test(cell(row, phase));
}

double Agreement::percent() const {
    return cells() == 0 ? 0 : 100.0 * static_cast<double>(hits + neither) / static_cast<double>(cells());
}

double Agreement::kappa() const {
    const auto n = static_cast<double>(cells());
    if (n == 0) return 0;
    const double first = static_cast<double>(hits + misses) / n,
                 second = static_cast<double>(hits + extra) / n;
    const double chance = first * second + (1 - first) * (1 - second);
    return chance >= 1 ? 1 : (percent() / 100 - chance) / (1 - chance);
}

Agreement& Agreement::operator+=(const Agreement& other) {
    hits += other.hits;
    misses += other.misses;
    extra += other.extra;
    neither += other.neither;
    return *this;
}

Agreement agreement(const Checklist& truth, const Checklist& other, bool with_trunk) {
    Agreement result;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        if (!with_trunk && rows[row].part == "trunk") continue;
        for (std::size_t p = 0; p < phase_count; ++p) {
            if (!rows[row].applicable[p]) continue;
            const bool a = truth.seen(row, static_cast<GaitPhase>(p)),
                       b = other.seen(row, static_cast<GaitPhase>(p));
            ++(a ? (b ? result.hits : result.misses) : (b ? result.extra : result.neither));
        }
    }
    return result;
}

std::string to_text(const Checklist& sheet) {
    std::string text;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        std::string phases;
        for (std::size_t p = 0; p < phase_count; ++p) {
            const auto phase = static_cast<GaitPhase>(p);
            if (sheet.seen(row, phase)) phases += " " + std::string(short_name(phase));
        }
        if (!phases.empty()) text += std::string(rows[row].finding) + ":" + phases + "\n";
    }
    return text;
}

Checklist parse_checklist(std::string_view text, std::string_view name) {
    Checklist sheet;
    for (TextCursor cursor(text, name); cursor.skip_space();) {
        const std::string location = cursor.location();
        std::string_view line = cursor.rest_of_line();
        line = trim(line.substr(0, line.find('#')));
        if (line.empty()) continue;
        const std::size_t colon = line.find(':');
        if (colon == std::string_view::npos)
            fail(location, "expected \"finding: phases\", found \"{}\"", line);
        const std::size_t row = row_of(trim(line.substr(0, colon)), location);
        for (TextCursor words(line.substr(colon + 1), name); words.skip_space();) {
            const GaitPhase phase = phase_of(words.word(), location);
            if (!rows[row].applicable[static_cast<std::size_t>(phase)])
                fail(location, "\"{}\" does not apply in {}", rows[row].finding, short_name(phase));
            sheet.set(rows[row].finding, phase);
        }
    }
    return sheet;
}

}  // namespace sinew::gait
