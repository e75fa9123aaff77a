#include "sinew/motion/solve.h"

#include <algorithm>
#include <cctype>
#include <unordered_map>

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/base/report.h"
#include "sinew/base/text.h"
#include "sinew/motion/marker_tables.h"

namespace sinew::motion {
namespace {

using model::Side;

std::string with_side(std::string_view pattern, std::string_view side) {
    std::string result(pattern);
    const std::size_t at = result.find('%');
    return at == std::string::npos ? result : result.replace(at, 1, side);
}

/// Lower case, letters and digits only.
std::string plain_label(std::string_view label) {
    std::string result;
    for (const char c : label) {
        const auto byte = static_cast<unsigned char>(c);
        if (std::isalnum(byte) != 0) result += static_cast<char>(std::tolower(byte));
    }
    return result;
}

struct Meaning {
    int place = -1;
    std::string_view set;
};

/// Every spelling of every alias. The first row that claims a spelling has it.
std::unordered_map<std::string, Meaning> spellings() {
    std::unordered_map<std::string, Meaning> table;
    const auto place_named = [](std::string_view name) {
        const auto& places = marker_places();
        const auto found =
            std::find_if(places.begin(), places.end(), [&](const MarkerPlace& p) { return p.name == name; });
        return static_cast<int>(found - places.begin());
    };
    struct SideWords {
        std::string_view place, letter, word;
    };
    for (const AliasRow& row : alias_rows()) {
        for (const SideWords& side : {SideWords{"L", "l", "left"}, SideWords{"R", "r", "right"}}) {
            const Meaning meaning{place_named(with_side(row.place, side.place)), row.set};
            TextCursor words(row.labels, "aliases");
            for (std::string_view word = words.word(); !word.empty(); word = words.word()) {
                const std::string bare = with_side(word, "");
                table.emplace(with_side(word, side.letter), meaning);
                table.emplace(with_side(word, side.word), meaning);
                if (bare.size() < word.size()) {
                    table.emplace(bare + std::string(side.letter), meaning);
                    table.emplace(bare + std::string(side.word), meaning);
                }
            }
        }
    }
    return table;
}

const Meaning* meaning_of(const std::string& plain) {
    static const std::unordered_map<std::string, Meaning> table = spellings();
    const auto found = table.find(plain);
    return found == table.end() ? nullptr : &found->second;
}

/// Segment axes as Plug-in Gait stores them (origin, proximal, anterior, lateral: "LFEO") and joint centres.
bool is_computed(const std::string& plain) {
    static constexpr std::string_view bones[] = {
        "pel", "thx", "trx", "hed", "spi", "lfe", "rfe", "lti", "rti", "lfo", "rfo", "lto", "rto",
        "lhu", "rhu", "lra", "rra", "lhn", "rhn", "lcl", "rcl", "lrd", "rrd", "luf", "ruf"};
    if (plain.size() == 4 && plain.find_first_of("opal", 3) == 3) {
        const std::string_view bone = std::string_view(plain).substr(0, 3);
        if (std::find(std::begin(bones), std::end(bones), bone) != std::end(bones)) return true;
    }
    return plain.size() == 4 && plain.ends_with("jc");
}

bool is_unlabelled(std::string_view label) {
    if (label.empty() || label.front() == '*') return true;
    const std::string plain = plain_label(label);
    const std::size_t digits = plain.find_first_of("0123456789");
    const std::string_view word = std::string_view(plain).substr(0, digits);
    const bool numbered =
        digits != std::string::npos && plain.find_first_not_of("0123456789", digits) == std::string::npos;
    return word == "unlabeled" || word == "unlabelled" || word == "uname" || word == "unnamed" ||
           (numbered && (word.empty() || word == "u" || word == "m" || word == "marker" || word == "point"));
}

/// The user's own names, else the tables; a place without a segment when nobody knows the label.
MarkerPlace place_of(std::string_view label, const MarkerNames& names, std::string_view& set) {
    const std::string plain = plain_label(label);
    for (const auto& [alias, name] : names.aliases) {
        if (plain_label(alias) != plain) continue;
        const auto& places = marker_places();
        const auto found = std::find_if(places.begin(), places.end(), [&](const MarkerPlace& p) {
            return equal_ignoring_case(p.name, name);
        });
        if (found != places.end()) return *found;
    }
    for (const auto& [own, joint] : names.segments) {
        if (plain_label(own) != plain) continue;
        const model::JointRole role = model::role_from_name(joint);
        return {std::string(label), role.role, role.side};
    }
    const Meaning* meaning = meaning_of(plain);
    if (meaning == nullptr) return {};
    set = meaning->set;
    return marker_places()[static_cast<std::size_t>(meaning->place)];
}

/// The subject with the most labels that mean something.
std::string main_subject(const model::Points& markers, const MarkerNames& names) {
    std::map<std::string, int> known;
    for (const model::PointInfo& info : markers.info) {
        std::string_view set;
        known[info.subject] += place_of(info.label, names, set).segment != model::Role::none;
    }
    const auto best = std::max_element(known.begin(), known.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    return best == known.end() ? std::string() : best->first;
}

bool ever_seen(const model::Points& markers, std::size_t point) {
    for (std::size_t f = 0; f < markers.frames(); ++f) {
        if (markers.valid(f, point)) return true;
    }
    return false;
}

}  // namespace

const std::vector<MarkerPlace>& marker_places() {
    static const std::vector<MarkerPlace> places = [] {
        std::vector<MarkerPlace> all;
        for (const PlaceRow& row : place_rows()) {
            if (row.name.find('%') == std::string_view::npos) {
                all.push_back({std::string(row.name), row.segment, Side::none});
                continue;
            }
            // Both sides of trunk and head ride on the one segment in the middle.
            const bool middle = row.segment == model::Role::hips || row.segment == model::Role::head ||
                                row.segment == model::Role::upper_chest;
            all.push_back({with_side(row.name, "L"), row.segment, middle ? Side::none : Side::left});
            all.push_back({with_side(row.name, "R"), row.segment, middle ? Side::none : Side::right});
        }
        return all;
    }();
    return places;
}

MarkerNames parse_marker_names(std::string_view json, std::string_view place) {
    const Json file = Json::parse(json, nullptr, false);
    if (!file.is_object()) fail(place, "is not a JSON object with \"aliases\" or \"segments\"");
    MarkerNames names;
    const auto read_table = [&](const char* key, std::map<std::string, std::string>& table) {
        if (!file.contains(key)) return;
        if (!file[key].is_object()) fail(place, "\"{}\" is not an object", key);
        for (const auto& [label, value] : file[key].items()) {
            if (!value.is_string()) fail(place, "\"{}\" of \"{}\" is not a name", label, key);
            table[label] = value.get<std::string>();
        }
    };
    read_table("aliases", names.aliases);
    read_table("segments", names.segments);
    for (const auto& [label, name] : names.aliases) {
        const auto& places = marker_places();
        const bool known = std::any_of(places.begin(), places.end(), [&](const MarkerPlace& p) {
            return equal_ignoring_case(p.name, name);
        });
        if (!known) fail(place, "\"{}\" stands for \"{}\", which is no known place", label, name);
    }
    for (const auto& [label, joint] : names.segments) {
        if (!model::role_from_name(joint)) {
            fail(place, "\"{}\" rides on \"{}\", which is no known segment", label, joint);
        }
    }
    return names;
}

MarkerNames read_marker_names(const std::filesystem::path& path) {
    const FileView file(path);
    return parse_marker_names(file.text(), path.string());
}

int MarkerMap::find(std::string_view place) const {
    const auto found = std::find_if(markers.begin(), markers.end(),
                                    [&](const MappedMarker& m) { return m.place.name == place; });
    return found == markers.end() ? -1 : static_cast<int>(found - markers.begin());
}

MarkerMap map_markers(const model::Points& markers, const MarkerNames& names) {
    MarkerMap map;
    std::map<std::string_view, int> sets;
    const std::string subject = main_subject(markers, names);
    for (std::size_t i = 0; i < markers.count(); ++i) {
        const model::PointInfo& info = markers.info[i];
        std::string_view set;
        MarkerPlace place = place_of(info.label, names, set);
        if (info.label.starts_with('*')) place = {};  // whatever stands behind: nobody named it
        if (place.segment == model::Role::none) {
            const bool computed = is_computed(plain_label(info.label));
            (computed                    ? map.computed
             : is_unlabelled(info.label) ? map.unlabelled
                                         : map.unknown)
                .push_back(info.label);
        } else if (info.subject != subject || map.find(place.name) >= 0) {
            map.repeated.push_back(info.subject.empty() ? info.label : info.subject + ":" + info.label);
        } else if (!ever_seen(markers, i)) {
            map.unseen.push_back(info.label);
        } else {
            if (!set.empty()) ++sets[set];
            map.markers.push_back({i, std::move(place)});
        }
    }
    // A set is named by the labels that only it has; Plug-in Gait's are shared by CMU.
    int most = 0;
    for (const auto& [set, count] : sets) {
        const int score = set == "cmu" ? 10 * count : count;
        if (score > most) {
            most = score;
            map.set = set;
        }
    }
    return map;
}

std::vector<std::vector<std::size_t>> rigid_bodies(const MarkerMap& map) {
    std::map<std::pair<model::Role, Side>, std::vector<std::size_t>> bodies;
    for (const MappedMarker& m : map.markers) bodies[{m.place.segment, m.place.side}].push_back(m.point);
    std::vector<std::vector<std::size_t>> result;
    for (auto& [segment, points] : bodies) result.push_back(std::move(points));
    return result;
}

}  // namespace sinew::motion
