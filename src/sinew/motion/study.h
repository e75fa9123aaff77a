#pragma once
/// \file
/// Studies of how well people recognise a gait on a character: blind matching of videos to animations, and
/// ratings of likeness joint by joint.

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/base/report.h"

namespace sinew::motion {

/// Animations in an order that says nothing: item i of the videos belongs to animation `answer[i]`.
struct BlindOrder {
    std::vector<std::size_t> answer;
};
/// The same seed gives the same order everywhere.
BlindOrder blind_order(std::size_t items, unsigned seed);

/// What one viewer matched: animation by video, from 0.
struct Matching {
    std::string viewer;
    std::vector<std::size_t> chosen;
};

struct MatchingResult {
    std::vector<std::size_t> correct;  ///< of each viewer
    std::size_t right = 0;
    std::size_t asked = 0;
    double by_chance = 0;       ///< right answers that guessing gives: one a viewer, whatever the items
    double chance_of_more = 0;  ///< that viewers who guess an order get as many right or more
};
/// \throws Error when a viewer matched another number of items, or an item that there is not.
MatchingResult score_matching(const BlindOrder& truth, const std::vector<Matching>& viewers);

/// How alike a joint moves in a plane: 1 not at all, 2 in part, 3 exactly.
struct Rating {
    std::string item;   ///< "A"
    std::string joint;  ///< "knee"
    std::string plane;  ///< "sagittal"
    int value = 0;
};

struct RatingResult {
    double mean = 0;
    std::size_t count = 0;
    std::map<std::string, double> by_joint, by_plane, by_item;
    std::map<std::string, double> by_item_and_plane;  ///< "A sagittal"
};
/// \throws Error for a rating outside 1 to 3.
RatingResult summarise(const std::vector<Rating>& ratings);

/// A study as a file: {"truth": [1, 2, 3], "matching": [{"viewer": "PM1", "chosen": [3, 2, 1]}], "ratings":
/// [{"item": "A", "joint": "pelvis", "plane": "sagittal", "value": 1}]}; numbers of animations count from 1.
struct Study {
    BlindOrder truth;
    std::vector<Matching> matching;
    std::vector<Rating> ratings;
};
/// \throws Error naming what is wrong.
Study parse_study(std::string_view json, std::string_view place);
Json to_json(const Study& study);
/// Scores of a study: {"matching": {...}, "ratings": {...}}.
Json score(const Study& study);

}  // namespace sinew::motion
