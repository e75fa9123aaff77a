// SPDX-License-Identifier: MIT
#include "quality.h"

#include <gtest/gtest.h>

namespace sinew::studio {
namespace {

Quality after(QualityControl& control, int pictures, double seconds) {
    for (int i = 0; i < pictures; ++i) control.next(true, seconds);
    return control.now();
}

TEST(StudioQuality, SlowMovingPicturesBecomeSimpler) {
    QualityControl control;
    EXPECT_EQ(after(control, 100, 0.02), Quality::full) << "fast enough";
    QualityControl slow;
    EXPECT_EQ(after(slow, 2, 0.1), Quality::full) << "one slow picture says nothing";
    EXPECT_EQ(after(slow, 1, 0.1), Quality::plain);
    EXPECT_EQ(after(slow, 3, 0.1), Quality::half);
    EXPECT_EQ(after(slow, 100, 0.1), Quality::half) << "there is nothing simpler";
    EXPECT_EQ(after(slow, 200, 0.002), Quality::full) << "and back when there is time to spare";
}

TEST(StudioQuality, WhoActsIsAnsweredSoonerThanWhoWatches) {
    QualityControl control;
    EXPECT_EQ(after(control, 50, 0.02), Quality::full) << "fast enough to watch";
    EXPECT_EQ(control.next(true, 0.02, true), Quality::plain) << "not to act: two pictures take too long";
    EXPECT_EQ(control.next(true, 0.01, true), Quality::plain);
    EXPECT_EQ(control.next(true, 0.02, true), Quality::half);
    EXPECT_EQ(control.next(true, 0.005, false), Quality::full) << "as before, when the hand rests";
}

TEST(StudioQuality, AStillPictureIsDrawnInFull) {
    QualityControl control;
    after(control, 6, 0.1);
    ASSERT_EQ(control.now(), Quality::half);
    EXPECT_EQ(control.next(false, 0.1), Quality::full);
    EXPECT_EQ(control.next(false, 0.1), Quality::full);
}

}  // namespace
}  // namespace sinew::studio
