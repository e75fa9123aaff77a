// SPDX-License-Identifier: MIT
#include "sinew/model/detail/roles_names.h"

#include <algorithm>
#include <array>

namespace sinew::model {
namespace {

struct Row {
    std::string_view words;
    Role role;
    int number = 0;
};

// Sorted by name, because it is searched by halving.
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

}  // namespace

std::optional<Alias> find_alias(std::string_view words) {
    const auto row = std::lower_bound(rows.begin(), rows.end(), words,
                                      [](const Row& r, std::string_view text) { return r.words < text; });
    if (row == rows.end() || row->words != words) return std::nullopt;
    return Alias{row->role, row->number};
}

}  // namespace sinew::model
