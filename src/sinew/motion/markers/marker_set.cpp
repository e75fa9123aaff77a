// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cctype>
#include <set>
#include <span>
#include <unordered_map>

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/base/report.h"
#include "sinew/base/text.h"
#include "sinew/motion/solve.h"

namespace sinew::motion {

using model::Role;
using model::Side;

namespace {

/// A name with "%" means two locations, one per side: "%ASI" is LASI and RASI.
struct LocationRow {
    std::string_view name;
    model::Role segment;
};

/// Labels in lower case without punctuation; "%" is the side, at the beginning or end, as a letter or as a
/// word.
struct AliasRow {
    std::string_view set;
    std::string_view location;
    std::string_view labels;  ///< separated by blanks
};

std::span<const LocationRow> location_rows() {
    static constexpr LocationRow rows[] = {
        // Pelvis: front and back spines, sacrum, crest, hip side.
        {"%ASI", Role::hips},
        {"%PSI", Role::hips},
        {"SACR", Role::hips},
        {"%ILC", Role::hips},
        {"PEL1", Role::hips},
        {"PEL2", Role::hips},
        {"PEL3", Role::hips},
        {"PEL4", Role::hips},
        // Leg: the suffix M means the medial side, a number is the position in a cluster.
        {"%TRO", Role::thigh},
        {"%THI", Role::thigh},
        {"%THI1", Role::thigh},
        {"%THI2", Role::thigh},
        {"%THI3", Role::thigh},
        {"%THI4", Role::thigh},
        {"%KNE", Role::thigh},
        {"%KNEM", Role::thigh},
        {"%TIB", Role::shin},
        {"%TIB1", Role::shin},
        {"%TIB2", Role::shin},
        {"%TIB3", Role::shin},
        {"%TIB4", Role::shin},
        {"%ANK", Role::shin},
        {"%ANKM", Role::shin},
        {"%HEE", Role::foot},
        {"%TOE", Role::foot},
        {"%MT1", Role::foot},
        {"%MT5", Role::foot},
        {"%FOO1", Role::foot},
        {"%FOO2", Role::foot},
        {"%FOO3", Role::foot},
        {"%TIP", Role::toe},
        // Trunk and head.
        {"C7", Role::upper_chest},
        {"T10", Role::upper_chest},
        {"CLAV", Role::upper_chest},
        {"STRN", Role::upper_chest},
        {"%BAK", Role::upper_chest},
        {"%CLA", Role::upper_chest},
        {"%FHD", Role::head},
        {"%BHD", Role::head},
        {"%TEM", Role::head},
        {"TOPH", Role::head},
        // Arm.
        {"%SHO", Role::clavicle},
        {"%UPA", Role::upper_arm},
        {"%ELB", Role::upper_arm},
        {"%ELBM", Role::upper_arm},
        {"%FRM", Role::forearm},
        {"%WRA", Role::forearm},
        {"%WRB", Role::forearm},
        {"%FIN", Role::hand},
    };
    return rows;
}

std::span<const AliasRow> alias_rows() {
    static constexpr AliasRow rows[] = {
        {"plug-in-gait", "%ASI", "%asi"},
        {"plug-in-gait", "%PSI", "%psi"},
        {"plug-in-gait", "SACR", "sacr"},
        {"plug-in-gait", "%THI", "%thi"},
        {"plug-in-gait", "%KNE", "%kne"},
        {"plug-in-gait", "%KNEM", "%knem %mkne"},
        {"plug-in-gait", "%TIB", "%tib"},
        {"plug-in-gait", "%ANK", "%ank"},
        {"plug-in-gait", "%ANKM", "%ankm %mank %med"},
        {"plug-in-gait", "%HEE", "%hee"},
        {"plug-in-gait", "%TOE", "%toe"},
        {"plug-in-gait", "C7", "c7"},
        {"plug-in-gait", "T10", "t10"},
        {"plug-in-gait", "CLAV", "clav"},
        {"plug-in-gait", "STRN", "strn"},
        {"plug-in-gait", "%BAK", "%bak"},
        {"plug-in-gait", "%CLA", "%cla"},
        {"plug-in-gait", "%SHO", "%sho"},
        {"plug-in-gait", "%UPA", "%upa"},
        {"plug-in-gait", "%ELB", "%elb"},
        {"plug-in-gait", "%FRM", "%frm %fra"},
        {"plug-in-gait", "%WRA", "%wra"},
        {"plug-in-gait", "%WRB", "%wrb"},
        {"plug-in-gait", "%FIN", "%fin"},
        {"plug-in-gait", "%FHD", "%fhd"},
        {"plug-in-gait", "%BHD", "%bhd"},
        {"cmu", "%ASI", "%fwt"},
        {"cmu", "%PSI", "%bwt"},
        {"cmu", "%TIB", "%shn"},
        {"cmu", "%BAK", "%bac"},
        {"cmu", "%MT5", "%mt5"},
        {"cmu", "%MT1", "%mt1"},
        {"helen-hayes", "%ASI", "%asis %frontwaist"},
        {"helen-hayes", "%PSI", "%psis %backwaist"},
        {"helen-hayes", "SACR", "sacral vsacral sacrum vsac"},
        {"helen-hayes", "%TRO", "%troch %trochanter %gtro"},
        {"helen-hayes", "%THI", "%thigh %thighwand"},
        {"helen-hayes", "%KNE", "%knee %kneelat %latknee %lknee"},
        {"helen-hayes", "%KNEM", "%kneemed %medknee"},
        {"helen-hayes", "%TIB", "%shank %shankwand %tibia"},
        {"helen-hayes", "%ANK", "%ankle %anklelat %latankle"},
        {"helen-hayes", "%ANKM", "%anklemed %medankle"},
        {"helen-hayes", "%HEE", "%heel"},
        {"helen-hayes", "%TOE", "%toes %met2 %mt2"},
        {"cleveland", "%THI1", "%thighupper %thightop"},
        {"cleveland", "%THI2", "%thighfront"},
        {"cleveland", "%THI3", "%thighrear"},
        {"cleveland", "%TIB1", "%shankupper %shanktop"},
        {"cleveland", "%TIB2", "%shankfront"},
        {"cleveland", "%TIB3", "%shankrear"},
        {"cleveland", "%FOO1", "%midfootsup"},
        {"cleveland", "%FOO2", "%midfootlat"},
        {"cleveland", "%MT5", "%toelat"},
        {"cleveland", "%MT1", "%toemed"},
        {"cleveland", "%TIP", "%toetip"},
        {"cleveland", "%SHO", "%acromium %acromion %shoulder"},
        {"cleveland", "%UPA", "%bicep %biceps"},
        {"cleveland", "%ELB", "%elbow %elbowlat"},
        {"cleveland", "%ELBM", "%elbowmed"},
        {"cleveland", "%FRM", "%forearm"},
        {"cleveland", "%WRA", "%wristlat %wrist"},
        {"cleveland", "%WRB", "%wristmed"},
        {"cleveland", "STRN", "sternum"},
        {"cleveland", "%TEM", "%temple"},
        {"cleveland", "TOPH", "tophead headtop"},
        {"cast", "PEL1", "pv1 pelv1"},
        {"cast", "PEL2", "pv2 pelv2"},
        {"cast", "PEL3", "pv3 pelv3"},
        {"cast", "PEL4", "pv4 pelv4"},
        {"cast", "%ILC", "%ic %icr"},
        {"cast", "%THI1", "%th1"},
        {"cast", "%THI2", "%th2"},
        {"cast", "%THI3", "%th3"},
        {"cast", "%THI4", "%th4"},
        {"cast", "%KNE", "%lfc %le %lcon"},
        {"cast", "%KNEM", "%mfc %me %mcon"},
        {"cast", "%TIB1", "%sk1 %tb1 %sh1"},
        {"cast", "%TIB2", "%sk2 %tb2 %sh2"},
        {"cast", "%TIB3", "%sk3 %tb3 %sh3"},
        {"cast", "%TIB4", "%sk4 %tb4 %sh4"},
        {"cast", "%ANK", "%lmal %lm"},
        {"cast", "%ANKM", "%mmal %mm"},
        {"cast", "%HEE", "%cal %ca"},
        {"cast", "%FOO1", "%ft1"},
        {"cast", "%FOO2", "%ft2"},
        {"cast", "%FOO3", "%ft3"},
    };
    return rows;
}

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
    int location = -1;
    std::string_view set;
};

/// Every spelling of every alias. When rows share a spelling, the first row has it.
std::unordered_map<std::string, Meaning> spellings() {
    std::unordered_map<std::string, Meaning> table;
    const auto location_named = [](std::string_view name) {
        const auto& locations = marker_locations();
        const auto found = std::find_if(locations.begin(), locations.end(),
                                        [&](const MarkerLocation& p) { return p.name == name; });
        return static_cast<int>(found - locations.begin());
    };
    struct SideWords {
        std::string_view location, letter, word;
    };
    for (const AliasRow& row : alias_rows()) {
        for (const SideWords& side : {SideWords{"L", "l", "left"}, SideWords{"R", "r", "right"}}) {
            const Meaning meaning{location_named(with_side(row.location, side.location)), row.set};
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

/// The user's own names, then the tables; a location without a segment when the label is unknown.
MarkerLocation location_of(std::string_view label, const MarkerNames& names, std::string_view& set) {
    const std::string plain = plain_label(label);
    for (const auto& [alias, name] : names.aliases) {
        if (plain_label(alias) != plain) continue;
        const auto& locations = marker_locations();
        const auto found = std::find_if(locations.begin(), locations.end(), [&](const MarkerLocation& p) {
            return equal_ignoring_case(p.name, name);
        });
        if (found != locations.end()) return *found;
    }
    for (const auto& [own, joint] : names.segments) {
        if (plain_label(own) != plain) continue;
        const model::JointRole role = model::role_from_name(joint);
        return {std::string(label), role.role, role.side};
    }
    const Meaning* meaning = meaning_of(plain);
    if (meaning == nullptr) return {};
    set = meaning->set;
    return marker_locations()[static_cast<std::size_t>(meaning->location)];
}

/// The subject with the most known labels.
std::string main_subject(const model::Points& markers, const MarkerNames& names) {
    std::map<std::string, int> known;
    for (const model::PointInfo& info : markers.info) {
        std::string_view set;
        known[info.subject] += location_of(info.label, names, set).segment != model::Role::none;
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

const std::vector<MarkerLocation>& marker_locations() {
    static const std::vector<MarkerLocation> locations = [] {
        std::vector<MarkerLocation> all;
        for (const LocationRow& row : location_rows()) {
            if (row.name.find('%') == std::string_view::npos) {
                all.push_back({std::string(row.name), row.segment, Side::none});
                continue;
            }
            // Both sides of trunk and head belong to the one central segment.
            const bool middle = row.segment == model::Role::hips || row.segment == model::Role::head ||
                                row.segment == model::Role::upper_chest;
            all.push_back({with_side(row.name, "L"), row.segment, middle ? Side::none : Side::left});
            all.push_back({with_side(row.name, "R"), row.segment, middle ? Side::none : Side::right});
        }
        return all;
    }();
    return locations;
}

MarkerNames parse_marker_names(std::string_view json, std::string_view location) {
    const Json file = Json::parse(json, nullptr, false);
    if (!file.is_object()) fail(location, "is not a JSON object with \"aliases\" or \"segments\"");
    MarkerNames names;
    const auto read_table = [&](const char* key, std::map<std::string, std::string>& table) {
        if (!file.contains(key)) return;
        if (!file[key].is_object()) fail(location, "\"{}\" is not an object", key);
        for (const auto& [label, value] : file[key].items()) {
            if (!value.is_string()) fail(location, "\"{}\" of \"{}\" is not a name", label, key);
            table[label] = value.get<std::string>();
        }
    };
    read_table("aliases", names.aliases);
    read_table("segments", names.segments);
    for (const auto& [label, name] : names.aliases) {
        const auto& locations = marker_locations();
        const bool known = std::any_of(locations.begin(), locations.end(), [&](const MarkerLocation& p) {
            return equal_ignoring_case(p.name, name);
        });
        if (!known)
            fail(location, "\"{}\" is mapped to \"{}\", which is not a known marker position", label, name);
    }
    for (const auto& [label, joint] : names.segments) {
        if (!model::role_from_name(joint)) {
            fail(location, "\"{}\" is attached to \"{}\", which is not a known segment", label, joint);
        }
    }
    return names;
}

MarkerNames read_marker_names(const std::filesystem::path& path) {
    const FileView file(path);
    return parse_marker_names(file.text(), path.string());
}

int MarkerMap::find(std::string_view location) const {
    const auto found = std::find_if(markers.begin(), markers.end(),
                                    [&](const MappedMarker& m) { return m.location.name == location; });
    return found == markers.end() ? -1 : static_cast<int>(found - markers.begin());
}

MarkerMap map_markers(const model::Points& markers, const MarkerNames& names) {
    MarkerMap map;
    std::map<std::string_view, int> sets;
    const std::string subject = main_subject(markers, names);
    for (std::size_t i = 0; i < markers.count(); ++i) {
        const model::PointInfo& info = markers.info[i];
        std::string_view set;
        MarkerLocation location = location_of(info.label, names, set);
        if (info.label.starts_with('*'))
            location = {};  // an unlabelled marker, whatever follows the asterisk
        if (location.segment == model::Role::none) {
            const bool computed = is_computed(plain_label(info.label));
            (computed                    ? map.computed
             : is_unlabelled(info.label) ? map.unlabelled
                                         : map.unknown)
                .push_back(info.label);
        } else if (info.subject != subject || map.find(location.name) >= 0) {
            map.repeated.push_back(info.subject.empty() ? info.label : info.subject + ":" + info.label);
        } else if (!ever_seen(markers, i)) {
            map.unseen.push_back(info.label);
        } else {
            if (!set.empty()) ++sets[set];
            map.markers.push_back({i, std::move(location)});
        }
    }
    // A set is identified by labels that only it has; CMU shares those of Plug-in Gait.
    int largest = 0;
    for (const auto& [set, count] : sets) {
        const int score = set == "cmu" ? 10 * count : count;
        if (score > largest) {
            largest = score;
            map.set = set;
        }
    }
    return map;
}

std::vector<std::vector<std::size_t>> rigid_bodies(const MarkerMap& map) {
    std::map<std::pair<model::Role, Side>, std::vector<std::size_t>> bodies;
    for (const MappedMarker& m : map.markers)
        bodies[{m.location.segment, m.location.side}].push_back(m.point);
    std::vector<std::vector<std::size_t>> result;
    for (auto& [segment, points] : bodies) result.push_back(std::move(points));
    return result;
}

}  // namespace sinew::motion
