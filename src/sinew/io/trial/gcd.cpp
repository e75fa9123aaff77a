// SPDX-License-Identifier: MIT
#include <cmath>
#include <iterator>

#include "sinew/base/error.h"
#include "sinew/base/text.h"
#include "sinew/io/text/tokens.h"
#include "sinew/io/trial/trial_formats.h"

namespace sinew::io {
namespace {

using model::GaitCycle;
using model::GaitVariable;
using model::Side;

/// Removes the side from a name.
Side take_side(std::string& name) {
    for (const Side side : {Side::left, Side::right}) {
        const std::string_view word = model::name_of(side);
        if (name.size() <= word.size() || !equal_ignoring_case(name.substr(0, word.size()), word)) continue;
        name.erase(0, word.size());
        return side;
    }
    return Side::none;
}

class GcdReader {
  public:
    GcdReader(std::string_view text, std::string_view file) : cursor_(text, file) {}
    GaitCycle run(Monitor& monitor);

  private:
    void line(std::string_view line);
    void begin_variable(std::string_view words);
    void end_variable();
    void row(std::string_view line);
    void give_sides();

    TextCursor cursor_;
    bvh::Tally tally_;
    GaitCycle cycle_;
    enum class Within : std::uint8_t { nothing, text, variable } within_ = Within::nothing;
    bool columns_given_ = false;
};

GaitCycle GcdReader::run(Monitor& monitor) {
    const std::string_view first = cursor_.remaining().substr(0, cursor_.remaining().find_first_of("\r\n"));
    if (first.starts_with("#!")) {
        cycle_.source = trim(first.substr(2));
    }
    if (to_lower(first).find("dst") == std::string::npos) {
        tally_.note("gcd-no-mark", cursor_, "the first line does not say #!DST");
    }
    while (!cursor_.at_end()) {
        TextCursor here = cursor_;
        const std::string_view text = cursor_.rest_of_line();
        std::swap(here, cursor_);  // so that notes refer to this line, not to the next
        line(text);
        std::swap(here, cursor_);
    }
    end_variable();
    if (cycle_.variables.empty())
        fail(cursor_.location(), "no variable that starts with \"!\": this is not a GCD file");
    give_sides();
    tally_.report(monitor);
    return std::move(cycle_);
}

void GcdReader::line(std::string_view line) {
    if (line.empty() || line[0] == '#') return;
    if (line.size() > 16 * bvh::max_token) fail(cursor_.location(), "a line of {} bytes", line.size());
    if (line[0] == '$' || line[0] == '!') {
        end_variable();
        if (line[0] == '!') return begin_variable(line.substr(1));
        cycle_.texts.push_back({std::string(trim(line.substr(1))), {}});
        within_ = Within::text;
    } else if (within_ == Within::text) {
        cycle_.texts.back().lines.emplace_back(line);
    } else if (within_ == Within::variable) {
        row(line);
    } else {
        tally_.note("gcd-stray-line", cursor_, "a line before the first name is skipped");
    }
}

void GcdReader::begin_variable(std::string_view words) {
    within_ = Within::variable;
    words = trim(words);
    const std::size_t space = std::min(words.find_first_of(" \t"), words.size());
    GaitVariable variable;
    variable.name = words.substr(0, space);
    variable.side = take_side(variable.name);
    std::int64_t columns = 0;
    const std::string_view rest = trim(words.substr(space));
    columns_given_ = parse_exact(rest, columns) && columns >= 1 && columns <= 1000;
    if (!rest.empty() && !columns_given_) {
        tally_.note("gcd-columns", cursor_, "\"{}\" is not a count of columns; the first row is used",
                    rest.substr(0, 40));
    }
    variable.columns = columns_given_ ? static_cast<std::size_t>(columns) : 0;
    cycle_.variables.push_back(std::move(variable));
}

/// A variable without numbers or without a name is ignored.
void GcdReader::end_variable() {
    if (within_ != Within::variable) return;
    within_ = Within::nothing;
    GaitVariable& variable = cycle_.variables.back();
    if (variable.values.empty() || variable.name.empty()) {
        tally_.note("gcd-empty", cursor_, "\"{}\" has no {}; it is dropped", variable.name.substr(0, 40),
                    variable.name.empty() ? "name" : "numbers");
        cycle_.variables.pop_back();
    }
}

void GcdReader::row(std::string_view line) {
    GaitVariable& variable = cycle_.variables.back();
    std::vector<double> values;
    while (true) {
        constexpr std::string_view gaps = " \t,;";
        line.remove_prefix(std::min(line.find_first_not_of(gaps), line.size()));
        if (line.empty()) break;
        const std::string_view word = line.substr(0, line.find_first_of(gaps));
        line.remove_prefix(word.size());
        double value = 0;
        if (word.size() > bvh::max_token || bvh::read_value(word, value) != bvh::Value::good) {
            tally_.note("gcd-bad-number", cursor_, "\"{}\" of \"{}\" is not a number; its row is dropped",
                        word.substr(0, 40), variable.name.substr(0, 40));
            return;
        }
        values.push_back(value);
    }
    // A count that differs from the first row had another meaning.
    if (variable.columns == 0 ||
        (columns_given_ && variable.values.empty() && values.size() != variable.columns)) {
        if (columns_given_) {
            tally_.note("gcd-columns", cursor_, "\"{}\" should have {} columns, but has {}",
                        variable.name.substr(0, 40), variable.columns, values.size());
        }
        variable.columns = values.size();
    }
    if (values.size() != variable.columns) {
        tally_.note("gcd-row", cursor_, "a row of \"{}\" has {} numbers, not {}; it is dropped",
                    variable.name.substr(0, 40), values.size(), variable.columns);
        return;
    }
    variable.values.insert(variable.values.end(), values.begin(), values.end());
}

void GcdReader::give_sides() {
    std::vector<Side> sides;
    for (const model::GaitText& text : cycle_.texts) {
        if (!equal_ignoring_case(text.name, "PREFIXES")) continue;
        for (std::string words : text.lines) {
            words += ' ';
            for (std::size_t at = 0, end; (end = words.find_first_of(" \t,", at)) != std::string::npos;
                 at = end + 1) {
                std::string word = words.substr(at, end - at) + "x";  // a side alone is also a side
                if (const Side side = take_side(word); side != Side::none) sides.push_back(side);
            }
        }
    }
    if (sides.empty() || sides.size() > 2) return;
    std::vector<std::pair<std::string, std::size_t>> seen;
    for (GaitVariable& variable : cycle_.variables) {
        if (variable.side != Side::none) continue;
        const auto found = std::find_if(seen.begin(), seen.end(),
                                        [&](const auto& each) { return each.first == variable.name; });
        const std::size_t times = found == seen.end() ? 0 : ++found->second;
        if (found == seen.end() && seen.size() < 1000) seen.emplace_back(variable.name, 0);
        if (sides.size() == 1) variable.side = sides[0];
        if (sides.size() == 2 && times < 2) variable.side = sides[times];
    }
}

}  // namespace

Asset read_gcd(Bytes bytes, const std::filesystem::path& path, const ReadOptions&, Monitor& monitor) {
    if (bytes.empty()) fail(path.string(), "the file is empty");
    std::string utf8;
    Asset asset;
    asset.cycle = GcdReader(as_utf8(as_text(bytes), utf8), path.string()).run(monitor);
    return asset;
}

std::string write_gcd(const Asset& asset, const std::filesystem::path& path, const WriteOptions&,
                      Monitor& monitor) {
    const GaitCycle& cycle = asset.cycle;
    if (cycle.variables.empty()) fail(path.string(), "a GCD file needs the curves of a gait cycle");
    std::string text = "#!" + (cycle.source.empty() ? std::string("DST-0.GCD") : cycle.source) + "\n";
    bool lost = false;
    for (const model::GaitText& each : cycle.texts) {
        text += "$" + each.name + "\n";
        for (const std::string& line : each.lines) {
            const bool plain = !line.empty() && line.find_first_of("\r\n") == std::string::npos &&
                               std::string_view("#$!").find(line[0]) == std::string_view::npos;
            if (plain) text += line + "\n";
            lost = lost || !plain;
        }
    }
    if (lost) warn(monitor, "gcd-text", "lines of text that would be read as something else are left out");
    for (const GaitVariable& variable : cycle.variables) {
        fmt::format_to(std::back_inserter(text), "!{}{} {}\n", model::name_of(variable.side), variable.name,
                       variable.columns);
        for (std::size_t r = 0; r < variable.rows(); ++r) {
            for (std::size_t c = 0; c < variable.columns; ++c)
                fmt::format_to(std::back_inserter(text), "{}{}", c == 0 ? "" : " ", variable.at(r, c));
            text += '\n';
        }
    }
    return text;
}

}  // namespace sinew::io
