// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <list>

#include "sinew/base/error.h"
#include "sinew/base/report.h"
#include "sinew/base/text.h"
#include "sinew/motion/edit.h"

namespace sinew::motion {
namespace {

std::string listed_names(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text.append(text.empty() ? "" : ", ").append(name);
    return text;
}

bool fits(std::string_view wanted, std::string_view name) {
    return wanted.empty() || equal_ignoring_case(wanted, name);
}

/// The clip between the start and end time of its shot.
model::Clip range_of(const Shot& shot, const model::Clip& clip) {
    const model::TimeRange range = model::time_range(clip);
    const double start = shot.start.value_or(range.start), end = shot.end.value_or(range.end);
    constexpr double rounding = 1e-6;
    if (start < range.start - rounding || end > range.end + rounding)
        fail(shot.location, "{} s to {} s is outside the clip, which runs from {:.3f} s to {:.3f} s", start,
             end, range.start, range.end);
    return shot.start || shot.end ? model::trimmed(clip, start, end) : clip;
}

constexpr int max_repeats = 1000;

/// Invalid JSON is reported with its line number, so that it can be found in an editor.
Json parsed_json(std::string_view bytes, std::string_view name) {
    std::string storage;
    const std::string_view text = as_utf8(bytes, storage);
    try {
        return Json::parse(text);
    } catch (const Json::parse_error& error) {
        const std::size_t byte = std::min(error.byte > 0 ? error.byte - 1 : 0, text.size());
        const auto line =
            1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(byte), '\n');
        fail(fmt::format("{}:{}", name, line), "this is not valid JSON, here or just before");
    } catch (const Json::exception&) {
        fail(name, "this is not valid JSON");
    }
}

/// A value as text for an error; of lists and objects only the type, because they may be large.
std::string told(const Json& value) {
    return value.is_structured() ? fmt::format("an {}", value.type_name()) : value.dump();
}

/// Defaults for everything inside a production or a sequence, unless an inner object sets them again.
struct Manner {
    double fade = 0.3;
    bool match_steps = false;
    bool align = true;
};

/// An object of the list with its JSON pointer, and checked access to its values.
class Entry {
  public:
    Entry(const Json& json, std::string file, std::string pointer)
        : json_(json), file_(std::move(file)), pointer_(std::move(pointer)) {
        if (!json.is_object()) fail(location(), "expected an object in braces");
    }
    std::string location() const { return pointer_.empty() ? file_ : fmt::format("{}: {}", file_, pointer_); }

    std::string text(const char* key) const {
        const Json* const value = find(key);
        if (value == nullptr) return {};
        if (value->is_string()) return value->get<std::string>();
        // Shots and clips may also be named by numbers.
        if (value->is_number_integer()) return value->dump();
        fail(location(), "\"{}\" must be text, but is {}", key, told(*value));
    }
    std::optional<double> number(const char* key, double smallest, double largest) const {
        const Json* const value = find(key);
        if (value == nullptr) return std::nullopt;
        const double number = value->is_number() ? value->get<double>() : NAN;
        if (!(number >= smallest && number <= largest))
            fail(location(), "\"{}\" must be a number from {} to {}, but is {}", key, smallest, largest,
                 told(*value));
        return number;
    }
    bool flag(const char* key, bool otherwise) const {
        const Json* const value = find(key);
        if (value == nullptr) return otherwise;
        if (!value->is_boolean())
            fail(location(), "\"{}\" must be true or false, but is {}", key, told(*value));
        return value->get<bool>();
    }
    Manner manner(const Manner& around) const {
        return {number("fade", 0, 3600).value_or(around.fade), flag("match_steps", around.match_steps),
                flag("align", around.align)};
    }
    /// Entries of a list that must not be empty.
    std::vector<Entry> list(const char* key) const {
        const Json* const value = find(key);
        if (value == nullptr || !value->is_array() || value->empty())
            fail(location(), "\"{}\" must be a list with at least one entry", key);
        std::vector<Entry> entries;
        for (std::size_t i = 0; i < value->size(); ++i)
            entries.emplace_back((*value)[i], file_, fmt::format("{}/{}/{}", pointer_, key, i));
        return entries;
    }
    void warn_of_others(std::initializer_list<std::string_view> known, Monitor& monitor) const {
        for (const auto& [key, value] : json_.items())
            if (std::ranges::find(known, std::string_view(key)) == known.end())
                warn(monitor, "shots-unknown-key", "{}: \"{}\" is not known and changes nothing", location(),
                     key);
    }

  private:
    const Json* find(const char* key) const {
        const auto found = json_.find(key);
        return found == json_.end() || found->is_null() ? nullptr : &*found;
    }

    const Json& json_;
    std::string file_;
    std::string pointer_;
};

Shot parse_shot(const Entry& entry, const Manner& around, std::size_t number, Monitor& monitor) {
    entry.warn_of_others(
        {"shot", "file", "clip", "start", "end", "repeat", "fade", "match_steps", "align", "note"}, monitor);
    Shot shot;
    shot.location = entry.location();
    shot.name = entry.text("shot");
    if (shot.name.empty()) shot.name = fmt::format("{}", 10 * (number + 1));
    shot.file = entry.text("file");
    if (shot.file.empty()) fail(shot.location, "the shot names no \"file\"");
    shot.clip = entry.text("clip");
    shot.start = entry.number("start", -1e6, 1e6);
    shot.end = entry.number("end", -1e6, 1e6);
    if (shot.start && shot.end && *shot.end <= *shot.start)
        fail(shot.location, "the shot ends at {} s, not after its start at {} s", *shot.end, *shot.start);
    const double repeat = entry.number("repeat", 1, max_repeats).value_or(1);
    if (repeat != std::floor(repeat))
        fail(shot.location, "\"repeat\" must be a whole number, but is {}", repeat);
    shot.repeat = static_cast<int>(repeat);
    const Manner own = entry.manner(around);
    shot.fade = own.fade;
    shot.match_steps = own.match_steps;
    shot.align = own.align;
    return shot;
}

}  // namespace

Production selected(const Production& production, std::string_view sequence, std::string_view shot) {
    Production result = production;
    std::vector<std::string> sequences, shots;
    result.sequences.clear();
    for (const Sequence& each : production.sequences) {
        sequences.push_back(each.name);
        if (!fits(sequence, each.name)) continue;
        Sequence kept{each.name, {}};
        for (const Shot& own : each.shots) {
            shots.push_back(own.name);
            if (fits(shot, own.name)) kept.shots.push_back(own);
        }
        if (!kept.shots.empty()) result.sequences.push_back(std::move(kept));
    }
    if (shots.empty())
        fail(production.name, "has no sequence \"{}\"; there are {}", sequence, listed_names(sequences));
    if (result.sequences.empty())
        fail(production.name, "has no shot \"{}\"; there are {}", shot, listed_names(shots));
    return result;
}

Produced produce(const Production& production, const model::Skeleton& skeleton, const ShotClip& clip_of,
                 const StepFinder& steps, Monitor& monitor) {
    std::list<model::Clip> clips;  // pieces point to them
    std::vector<JoinPiece> pieces;
    Produced result;
    std::vector<std::size_t> last;  // index of the piece of each shot
    for (const Sequence& sequence : production.sequences) {
        for (const Shot& shot : sequence.shots) {
            clips.push_back(range_of(shot, clip_of(shot)));
            for (int i = 0; i < shot.repeat; ++i)
                pieces.push_back({&clips.back(), shot.location, shot.fade, shot.match_steps, shot.align});
            result.shots.push_back({sequence.name, shot.name, 0, 0});
            last.push_back(pieces.size() - 1);
        }
    }
    JoinResult joined = join_clips(skeleton, pieces, {production.rate, steps}, monitor);
    for (std::size_t i = 0; i < result.shots.size(); ++i) {
        result.shots[i].start = joined.parts[i == 0 ? 0 : last[i - 1] + 1].start;
        result.shots[i].end = joined.parts[last[i]].end;
    }
    result.clip = std::move(joined.clip);
    if (!production.name.empty()) result.clip.name = production.name;
    return result;
}

Production parse_production(std::string_view json, std::string_view name, Monitor& monitor) {
    const Json file = parsed_json(json, name);
    const Entry top(file, std::string(name), "");
    top.warn_of_others({"production", "rate", "rig", "fade", "match_steps", "align", "sequences", "note"},
                       monitor);
    Production production;
    production.name = top.text("production");
    production.rig = top.text("rig");
    production.rate = top.number("rate", 1e-3, 1e5).value_or(0);
    const Manner manner = top.manner({});
    for (const Entry& part : top.list("sequences")) {
        part.warn_of_others({"sequence", "shots", "fade", "match_steps", "align", "note"}, monitor);
        Sequence sequence{part.text("sequence"), {}};
        if (sequence.name.empty()) sequence.name = fmt::format("{}", production.sequences.size() + 1);
        const Manner inside = part.manner(manner);
        for (const Entry& shot : part.list("shots"))
            sequence.shots.push_back(parse_shot(shot, inside, sequence.shots.size(), monitor));
        production.sequences.push_back(std::move(sequence));
    }
    return production;
}

}  // namespace sinew::motion
