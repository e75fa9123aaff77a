// SPDX-License-Identifier: MIT
#include "sinew/model/roles.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <unordered_set>

#include "sinew/base/text.h"

namespace sinew::model {
namespace {

/// The meaning of a name's words, joined, without side, numbers and padding: "upperarm", "findex".
struct Alias {
    Role role = Role::none;
    int number = 0;
};

struct Row {
    std::string_view words;
    Role role;
    int number = 0;
};

// Sorted by name for binary search.
constexpr std::array rows = {
    Row{"abdomen", Role::spine},
    Row{"ankle", Role::foot},
    Row{"arm", Role::upper_arm},
    Row{"armlower", Role::forearm},
    Row{"armupper", Role::upper_arm},
    Row{"backfoot", Role::foot},
    Row{"backlowerleg", Role::shin},
    Row{"backshin", Role::shin},
    Row{"backthigh", Role::thigh},
    Row{"backtoe", Role::toe},
    Row{"backtoes", Role::toe},
    Row{"backupperleg", Role::thigh},
    Row{"ball", Role::toe},
    Row{"bicep", Role::upper_arm},
    Row{"calf", Role::shin},
    Row{"chest", Role::chest},
    Row{"clavicle", Role::clavicle},
    Row{"collar", Role::clavicle},
    Row{"collarbone", Role::clavicle},
    Row{"ear", Role::ear},
    Row{"elbow", Role::forearm},
    Row{"eye", Role::eye},
    Row{"eyeball", Role::eye},
    Row{"femur", Role::thigh},
    Row{"findex", Role::index},
    Row{"fingers", Role::middle},
    Row{"fmiddle", Role::middle},
    Row{"foot", Role::foot},
    Row{"forearm", Role::forearm},
    Row{"forefoot", Role::hand},
    Row{"forelowerleg", Role::forearm},
    Row{"foreupperleg", Role::upper_arm},
    Row{"fpinky", Role::little},
    Row{"fring", Role::ring},
    Row{"frontfoot", Role::hand},
    Row{"frontlowerleg", Role::forearm},
    Row{"frontshin", Role::forearm},
    Row{"frontthigh", Role::upper_arm},
    Row{"frontupperleg", Role::upper_arm},
    Row{"fthumb", Role::thumb},
    Row{"hand", Role::hand},
    Row{"handindex", Role::index},
    Row{"handmiddle", Role::middle},
    Row{"handpinky", Role::little},
    Row{"handring", Role::ring},
    Row{"handthumb", Role::thumb},
    Row{"head", Role::head},
    Row{"hindfoot", Role::foot},
    Row{"hindlowerleg", Role::shin},
    Row{"hindshin", Role::shin},
    Row{"hindthigh", Role::thigh},
    Row{"hindtoes", Role::toe},
    Row{"hindupperleg", Role::thigh},
    Row{"hip", Role::hips},
    Row{"hips", Role::hips},
    Row{"humerus", Role::upper_arm},
    Row{"index", Role::index},
    Row{"indexdistal", Role::index, 3},
    Row{"indexfinger", Role::index},
    Row{"indexintermediate", Role::index, 2},
    Row{"indexproximal", Role::index, 1},
    Row{"jaw", Role::jaw},
    Row{"knee", Role::shin},
    Row{"leg", Role::shin},
    Row{"leglower", Role::shin},
    Row{"legupper", Role::thigh},
    Row{"little", Role::little},
    Row{"littledistal", Role::little, 3},
    Row{"littlefinger", Role::little},
    Row{"littleintermediate", Role::little, 2},
    Row{"littleproximal", Role::little, 1},
    Row{"loarm", Role::forearm},
    Row{"loleg", Role::shin},
    Row{"lowerarm", Role::forearm},
    Row{"lowerback", Role::spine},
    Row{"lowerleg", Role::shin},
    Row{"lowerneck", Role::neck},
    Row{"lowerspine", Role::spine},
    Row{"mid", Role::middle},
    Row{"middle", Role::middle},
    Row{"middledistal", Role::middle, 3},
    Row{"middlefinger", Role::middle},
    Row{"middleintermediate", Role::middle, 2},
    Row{"middleproximal", Role::middle, 1},
    Row{"neck", Role::neck},
    Row{"pelvis", Role::hips},
    Row{"pinky", Role::little},
    Row{"pinkyfinger", Role::little},
    Row{"radius", Role::forearm},
    Row{"rearfoot", Role::foot},
    Row{"rearlowerleg", Role::shin},
    Row{"rearshin", Role::shin},
    Row{"rearthigh", Role::thigh},
    Row{"rearupperleg", Role::thigh},
    Row{"ribcage", Role::chest},
    Row{"ring", Role::ring},
    Row{"ringdistal", Role::ring, 3},
    Row{"ringfinger", Role::ring},
    Row{"ringintermediate", Role::ring, 2},
    Row{"ringproximal", Role::ring, 1},
    Row{"shank", Role::shin},
    Row{"shin", Role::shin},
    Row{"shldr", Role::upper_arm},
    Row{"shoulder", Role::clavicle},
    Row{"skull", Role::head},
    Row{"spine", Role::spine},
    Row{"spinelower", Role::spine},
    Row{"spinemiddle", Role::spine},
    Row{"spineupper", Role::spine},
    Row{"tail", Role::tail},
    Row{"thigh", Role::thigh},
    Row{"thorax", Role::chest},
    Row{"thumb", Role::thumb},
    Row{"thumbdistal", Role::thumb, 3},
    Row{"thumbfinger", Role::thumb},
    Row{"thumbintermediate", Role::thumb, 2},
    Row{"thumbproximal", Role::thumb, 1},
    Row{"tibia", Role::shin},
    Row{"toe", Role::toe},
    Row{"toebase", Role::toe},
    Row{"toes", Role::toe},
    Row{"torso", Role::spine},
    Row{"uparm", Role::upper_arm},
    Row{"upleg", Role::thigh},
    Row{"upperarm", Role::upper_arm},
    Row{"upperback", Role::spine},
    Row{"upperchest", Role::upper_chest},
    Row{"upperleg", Role::thigh},
    Row{"upperneck", Role::neck},
    Row{"upperspine", Role::spine},
    Row{"waist", Role::spine},
    Row{"wrist", Role::hand},
};

constexpr bool sorted_rows() {
    for (std::size_t i = 1; i < rows.size(); ++i) {
        if (!(rows[i - 1].words < rows[i].words)) return false;
    }
    return true;
}
static_assert(sorted_rows());

std::optional<Alias> find_alias(std::string_view words) {
    const auto row = std::lower_bound(rows.begin(), rows.end(), words,
                                      [](const Row& r, std::string_view text) { return r.words < text; });
    if (row == rows.end() || row->words != words) return std::nullopt;
    return Alias{row->role, row->number};
}

struct Words {
    std::vector<std::string> words;  ///< lower case, without numbers
    int number = -1;                 ///< the last one in the name
};

/// Splits "DEF-upper_arm.L.001", "LeftUpLeg", "LHipJoint" into words: at separators, between lower and upper
/// case, before the last capital of a run, and around digits.
Words split(std::string_view name) {
    Words result;
    std::string word, digits;
    const auto end_word = [&] {
        if (!word.empty()) result.words.push_back(to_lower(word));
        word.clear();
    };
    const auto is_upper = [&](std::size_t i) {
        return i < name.size() && std::isupper(static_cast<unsigned char>(name[i])) != 0;
    };
    const auto is_lower = [&](std::size_t i) {
        return i < name.size() && std::islower(static_cast<unsigned char>(name[i])) != 0;
    };
    for (std::size_t i = 0; i < name.size(); ++i) {
        const bool digit = std::isdigit(static_cast<unsigned char>(name[i])) != 0;
        if (digit) {
            end_word();
            digits += name[i];
            continue;
        }
        if (!digits.empty()) result.number = digits.size() < 6 ? std::stoi(digits) : -1;
        digits.clear();
        if (!is_upper(i) && !is_lower(i)) {
            end_word();
            continue;
        }
        const bool hump = is_upper(i) && !word.empty() && (is_lower(i - 1) || is_lower(i + 1));
        if (hump) end_word();
        word += name[i];
    }
    end_word();
    if (!digits.empty()) result.number = digits.size() < 6 ? std::stoi(digits) : -1;
    return result;
}

Side side_of(std::string_view word) {
    if (word == "left" || word == "l" || word == "lft" || word == "lt") return Side::left;
    if (word == "right" || word == "r" || word == "rgt" || word == "rt") return Side::right;
    return Side::none;
}

bool is_handle(std::string_view word) {
    static const std::unordered_set<std::string_view> words = {
        "end",    "site",       "nub",    "leaf",   "tip",     "twist", "roll",   "ik",     "fk",
        "pole",   "ctrl",       "target", "helper", "top",     "heel",  "aux",    "palm",   "meta",
        "carpal", "metacarpal", "org",    "mch",    "buttock", "tweak", "socket", "weapon", "prop"};
    return words.contains(word);
}

bool is_padding(std::string_view word) {
    static const std::unordered_set<std::string_view> words = {
        "joint", "bone", "jnt", "def", "bip", "skeleton", "skel",  "character",
        "rig",   "b",    "bn",  "j",   "cc",  "base",     "valve", "biped"};
    return words.contains(word);
}

std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) text += word;
    return text;
}

/// "lfemur": a side without a separator from its word.
bool unstick_side(std::string& text, Side& side) {
    if (side != Side::none || text.size() < 2 || find_alias(text)) return false;
    for (const std::string_view prefix : {"left", "right", "l", "r"}) {
        if (!text.starts_with(prefix) || !find_alias(std::string_view(text).substr(prefix.size()))) continue;
        side = side_of(prefix);
        text.erase(0, prefix.size());
        return true;
    }
    return false;
}

bool has_side(Role role) {
    return role >= Role::eye && role != Role::tail;
}

/// A bare "leg_joint_R_2": numbered joints of a limb, whose role depends on their position in it.
bool counted_limb(const std::string& text, int number) {
    return number > 0 && (text == "arm" || text == "leg");
}

}  // namespace

Side opposite(Side side) {
    return side == Side::left ? Side::right : side == Side::right ? Side::left : Side::none;
}

std::string_view role_name(Role role) {
    constexpr std::array<std::string_view, 24> names = {
        "none",   "hips", "spine",    "chest",     "upper chest", "neck", "head",  "jaw",
        "eye",    "ear",  "clavicle", "upper arm", "forearm",     "hand", "thumb", "index",
        "middle", "ring", "little",   "thigh",     "shin",        "foot", "toe",   "tail"};
    return names[static_cast<std::size_t>(role)];
}

std::string plain_name(std::string_view name) {
    const std::size_t separator = name.find_last_of(":|");
    // A name that ends in the separator is kept whole, because nothing would be left of it.
    if (separator != std::string_view::npos && separator + 1 < name.size()) name.remove_prefix(separator + 1);
    std::string plain = to_lower(trim(name));
    constexpr std::string_view rest_of_namespace = "mixamorig";
    if (!plain.starts_with(rest_of_namespace)) return plain;
    std::size_t end = plain.find_first_not_of("0123456789", rest_of_namespace.size());
    if (end != std::string::npos && plain[end] == '_') ++end;
    return end >= plain.size() ? plain : plain.substr(end);
}

JointRole role_from_name(std::string_view name) {
    name = trim(name);
    // plain_name removes the namespace; the remaining part is taken from the original, which has capitals.
    name.remove_prefix(name.size() - std::min(name.size(), plain_name(name).size()));
    const Words parts = split(name);
    JointRole result;
    std::vector<std::string> words;
    for (const std::string& word : parts.words) {
        if (is_handle(word)) return {};
        const Side side = side_of(word);
        if (side != Side::none)
            result.side = side;
        else if (!is_padding(word))
            words.push_back(word);
    }
    std::string text = joined(words);
    unstick_side(text, result.side);
    if (text == "hipjoint" || counted_limb(text, parts.number)) return {};
    const std::optional<Alias> alias = find_alias(text);
    if (!alias) return {};
    // CMU's LHipJoint is a joint between hips and thigh; LeftHip is the thigh itself.
    const bool is_hip_joint = alias->role == Role::hips && result.side != Side::none;
    if (is_hip_joint && joined(parts.words).ends_with("joint")) return {};
    result.role = is_hip_joint ? Role::thigh : alias->role;
    result.number = alias->number > 0 ? alias->number : std::max(parts.number, 0);
    if (has_side(result.role) != (result.side != Side::none) && result.role != Role::tail) return {};
    return result;
}

int find_role(const std::vector<JointRole>& roles, Role role, Side side) {
    for (std::size_t j = 0; j < roles.size(); ++j) {
        if (roles[j].role == role && roles[j].side == side) return static_cast<int>(j);
    }
    return -1;
}

std::string canonical_name(const JointRole& role) {
    constexpr std::array<std::string_view, 24> names = {
        "",       "Hips", "Spine",    "Chest",    "UpperChest", "Neck", "Head",  "Jaw",
        "Eye",    "Ear",  "Shoulder", "UpperArm", "LowerArm",   "Hand", "Thumb", "Index",
        "Middle", "Ring", "Little",   "UpperLeg", "LowerLeg",   "Foot", "Toes",  "Tail"};
    constexpr std::array<std::string_view, 4> phalanges = {"Metacarpal", "Proximal", "Intermediate",
                                                           "Distal"};
    std::string name = role.side == Side::left ? "Left" : role.side == Side::right ? "Right" : "";
    name += names[static_cast<std::size_t>(role.role)];
    const bool finger = role.role >= Role::thumb && role.role <= Role::little;
    if (finger) {
        const bool known = role.number >= 0 && role.number < 4;
        return name + (known ? std::string(phalanges[static_cast<std::size_t>(role.number)])
                             : std::to_string(role.number));
    }
    return role.number > 1 ? name + std::to_string(role.number) : name;
}

int use_canonical_names(Skeleton& skeleton, const std::vector<JointRole>& roles) {
    std::unordered_set<std::string> taken;
    std::vector<std::string> names(skeleton.size());
    for (std::size_t j = 0; j < skeleton.size(); ++j) {
        names[j] = canonical_name(roles[j]);
        if (!names[j].empty() && !taken.insert(names[j]).second) names[j].clear();
    }
    int changed = 0;
    for (std::size_t j = 0; j < skeleton.size(); ++j) {
        std::string& name = skeleton.joints[j].name;
        const std::string old = name;
        if (!names[j].empty())
            name = names[j];
        else if (taken.contains(name))
            name += "_other";
        changed += name != old;
    }
    make_names_unique(skeleton);
    return changed;
}

std::string_view name_of(Side side) {
    constexpr std::string_view names[] = {"", "Left", "Right"};
    return names[static_cast<std::size_t>(side)];
}

}  // namespace sinew::model
