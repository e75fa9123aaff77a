// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/gait/report.h"

namespace sinew::gait {
namespace {

// Section 5.4 of the specification: positive findings of one rater on three videos and their animations.
constexpr std::string_view video_a =
    "lateral lean: LR MSt TSt PSw\ninadequate hip extension: MSt TSt PSw\n"
    "excessive knee flexion: LR MSt PSw ISw MSw\nfoot flat contact: LR\nlate heel off: PSw\n";
constexpr std::string_view anim_1 =
    "backward lean: LR MSt TSt PSw\ninadequate hip extension: MSt TSt PSw\n"
    "excessive knee flexion: LR MSt\nuncontrolled knee extension: LR MSt\n"
    "foot flat contact: LR\nlate heel off: PSw\n";
constexpr std::string_view video_b =
    "inadequate hip extension: MSt TSt PSw\ninadequate knee flexion: PSw ISw MSw\nlate heel off: PSw\n";
constexpr std::string_view anim_2 =
    "backward lean: LR MSt TSt\nexcessive knee flexion: LR MSt PSw ISw MSw\n"
    "inadequate knee flexion: PSw ISw MSw\nfoot flat contact: LR\nlate heel off: PSw\n";
constexpr std::string_view video_c =
    "excessive knee flexion: LR MSt PSw ISw MSw\nfoot flat contact: LR\nlate heel off: PSw\n";
constexpr std::string_view anim_3 =
    "inadequate hip extension: MSt TSt PSw\nexcessive knee flexion: LR MSt PSw ISw MSw\nforefoot contact: "
    "LR\n";

struct Expected {
    std::size_t hits, misses, extra;
    double percent, kappa;
};

void expect(const Agreement& a, const Expected& e) {
    EXPECT_EQ(a.hits, e.hits);
    EXPECT_EQ(a.misses, e.misses);
    EXPECT_EQ(a.extra, e.extra);
    EXPECT_NEAR(a.percent(), e.percent, 0.05);
    EXPECT_NEAR(a.kappa(), e.kappa, 0.005);
}

// Mocap test 34.
TEST(Checklist, ReproducesThePublishedAgreement) {
    const std::pair<std::string_view, std::string_view> pairs[] = {
        {video_a, anim_1}, {video_b, anim_2}, {video_c, anim_3}};
    const Expected whole[] = {{7, 7, 6, 72.9, 0.33}, {4, 3, 9, 75.0, 0.26}, {5, 2, 4, 87.5, 0.55}};
    const Expected without[] = {{7, 3, 2, 86.1, 0.64}, {4, 3, 6, 75.0, 0.31}, {5, 2, 4, 83.3, 0.52}};
    Agreement all, all_without;
    for (std::size_t i = 0; i < 3; ++i) {
        const Checklist video = parse_checklist(pairs[i].first, "video"),
                        anim = parse_checklist(pairs[i].second, "anim");
        expect(agreement(video, anim), whole[i]);
        expect(agreement(video, anim, false), without[i]);
        all += agreement(video, anim);
        all_without += agreement(video, anim, false);
    }
    expect(all, {16, 12, 19, 78.5, 0.37});
    expect(all_without, {16, 8, 12, 81.5, 0.49});
}

TEST(Checklist, FortyEightCellsApply) {
    std::size_t cells = 0;
    for (const ChecklistRow& row : checklist_rows())
        for (const bool applies : row.applicable) cells += applies ? 1 : 0;
    EXPECT_EQ(cells, 48u);
    EXPECT_EQ(checklist_rows().size(), 16u);
    EXPECT_EQ(agreement({}, {}).cells(), 48u);
    EXPECT_EQ(agreement({}, {}).kappa(), 1);
}

TEST(Checklist, CellsThatDoNotApplyAreRefused) {
    Checklist sheet;
    EXPECT_THROW(sheet.set("foot slap", GaitPhase::msw), Error);
    EXPECT_THROW(sheet.set("limping", GaitPhase::lr), Error);
    sheet.set("foot slap", GaitPhase::lr);
    EXPECT_EQ(sheet.findings(), 1u);
    sheet.set("foot slap", GaitPhase::lr, false);
    EXPECT_EQ(sheet.findings(), 0u);
}

TEST(Checklist, TextGoesThereAndBack) {
    EXPECT_EQ(to_text(parse_checklist(video_a, "a")), std::string(video_a));
    try {
        parse_checklist("# sheet\nlate heel off: PSw\nfoot slap: XX\n", "sheet.txt");
        ADD_FAILURE();
    } catch (const Error& error) {
        EXPECT_EQ(error.location(), "sheet.txt:3");
    }
    EXPECT_THROW(parse_checklist("foot slap: TSw\n", "s"), Error);
    EXPECT_THROW(parse_checklist("foot slap LR\n", "s"), Error);
}

}  // namespace
}  // namespace sinew::gait
