// SPDX-License-Identifier: MIT
// The study of the source, its tables 5.2 and 5.3, and a study of one's own.

#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/gait/report.h"

namespace sinew::gait {
namespace {

/// Videos A, B, C are animations 1, 2, 3; what three viewers chose, and how a fourth rated.
Study published() {
    Study study;
    study.truth.answer = {0, 1, 2};
    study.matching = {{"PM1", {2, 1, 0}}, {"PM2", {0, 1, 2}}, {"PM3", {0, 1, 2}}};
    const char* const joints[] = {"pelvis", "hip", "knee", "ankle"};
    const int values[4][6] = {{1, 3, 3, 3, 3, 3}, {1, 1, 3, 3, 2, 3}, {2, 1, 3, 3, 3, 3}, {3, 2, 3, 3, 3, 3}};
    for (std::size_t j = 0; j < 4; ++j)
        for (std::size_t k = 0; k < 6; ++k)
            study.ratings.push_back(
                {std::string(1, "ABC"[k / 2]), joints[j], k % 2 == 0 ? "sagittal" : "coronal", values[j][k]});
    return study;
}

TEST(StudyOfGait, PublishedMatchingIsSevenOfNine) {
    const Study study = published();
    const MatchingResult result = score_matching(study.truth, study.matching);
    EXPECT_EQ(result.correct, (std::vector<std::size_t>{1, 3, 3}));
    EXPECT_EQ(result.right, 7u);
    EXPECT_EQ(result.asked, 9u);
    EXPECT_DOUBLE_EQ(result.by_chance, 3);
    // An order of three has 0, 1, 3 in place with chances 1/3, 1/2, 1/6: 7 or more of 9 is 3 + 3 + 1, or all.
    EXPECT_NEAR(result.chance_of_more, 3 * (1.0 / 6) * (1.0 / 6) * (1.0 / 2) + 1.0 / 216, 1e-12);
}

TEST(StudyOfGait, PublishedRatingsHaveTheirMeans) {
    const RatingResult result = summarise_ratings(published().ratings);
    EXPECT_EQ(result.count, 24u);
    EXPECT_NEAR(result.mean, 2.54, 0.005);
    EXPECT_NEAR(result.by_item_and_plane.at("A sagittal"), 1.75, 1e-12);
    EXPECT_NEAR(result.by_item_and_plane.at("A coronal"), 1.75, 1e-12);
    EXPECT_NEAR(result.by_item_and_plane.at("B sagittal"), 3, 1e-12);
    EXPECT_NEAR(result.by_item_and_plane.at("C sagittal"), 2.75, 1e-12);
    EXPECT_NEAR(result.by_joint.at("ankle"), 17.0 / 6, 1e-12);
}

TEST(StudyOfGait, FilesGoThereAndBackAndWrongOnesSayWhy) {
    const Study study = published();
    const Json json = to_json(study);
    EXPECT_EQ(to_json(parse_study(json.dump(), "study.json")), json);
    EXPECT_EQ(score(study)["matching"]["viewers"]["PM2"], 3);
    for (const char* bad : {"[]", R"({"truth": [0]})", R"({"matching": [{"chosen": [1]}]})",
                            R"({"ratings": [{"item": "A", "joint": "hip", "plane": "sagittal"}]})"})
        EXPECT_THROW(parse_study(bad, "study.json"), Error) << bad;
    Study wrong = study;
    wrong.matching[0].chosen = {0, 1};
    EXPECT_THROW(score(wrong), Error);
    wrong = study;
    wrong.ratings[0].value = 4;
    EXPECT_THROW(score(wrong), Error);
}

TEST(StudyOfGait, BlindOrdersAreOrdersAndRepeat) {
    const BlindOrder order = blind_order(20, 7);
    std::vector<std::size_t> sorted = order.answer;
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t i = 0; i < sorted.size(); ++i) EXPECT_EQ(sorted[i], i);
    EXPECT_EQ(blind_order(20, 7).answer, order.answer);
    EXPECT_NE(blind_order(20, 8).answer, order.answer);
}

}  // namespace
}  // namespace sinew::gait
