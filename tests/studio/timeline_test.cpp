// SPDX-License-Identifier: MIT
#include "timeline.h"

#include <gtest/gtest.h>

namespace sinew::studio {
namespace {

Timeline ten_frames() {
    Timeline timeline;
    set_range(timeline, {1, 1.9}, 10);
    return timeline;
}

TEST(Timeline, CountsFramesAndSeconds) {
    Timeline timeline = ten_frames();
    EXPECT_EQ(timeline.frame_count(), 10);
    EXPECT_EQ(timeline.frame(), 0);
    EXPECT_DOUBLE_EQ(timeline.time, 1);
    seek_frame(timeline, 4);
    EXPECT_EQ(timeline.frame(), 4);
    EXPECT_DOUBLE_EQ(timeline.time, 1.4);
    seek(timeline, 99);
    EXPECT_EQ(timeline.frame(), 9);
}

TEST(Timeline, PlaysAtItsSpeedAndLoops) {
    Timeline timeline = ten_frames();
    advance(timeline, 0.2);
    EXPECT_DOUBLE_EQ(timeline.time, 1) << "it does not play yet";
    toggle_play(timeline);
    timeline.speed = 2;
    advance(timeline, 0.2);
    EXPECT_NEAR(timeline.time, 1.4, 1e-12);
    advance(timeline, 0.3);
    EXPECT_NEAR(timeline.time, 1.1, 1e-12) << "over the end and on";
    timeline.speed = -1;
    advance(timeline, 0.2);
    EXPECT_NEAR(timeline.time, 1.8, 1e-12) << "and back";
}

TEST(Timeline, WithoutALoopItStopsAtTheEndAndStartsAgain) {
    Timeline timeline = ten_frames();
    timeline.loop = false;
    toggle_play(timeline);
    advance(timeline, 5);
    EXPECT_DOUBLE_EQ(timeline.time, 1.9);
    EXPECT_FALSE(timeline.playing);
    toggle_play(timeline);
    EXPECT_TRUE(timeline.playing);
    EXPECT_DOUBLE_EQ(timeline.time, 1);
}

TEST(Timeline, StepsAreWholeFramesAndStopPlaying) {
    Timeline timeline = ten_frames();
    toggle_play(timeline);
    advance(timeline, 0.13);
    step(timeline, 1);
    EXPECT_FALSE(timeline.playing);
    EXPECT_DOUBLE_EQ(timeline.time, 1.2);
    step(timeline, -3);
    EXPECT_EQ(timeline.frame(), 9) << "a loop goes round";
    timeline.loop = false;
    step(timeline, 1);
    EXPECT_EQ(timeline.frame(), 9);
}

TEST(Timeline, NothingToPlayIsNoTrouble) {
    Timeline timeline;
    set_clip(timeline, nullptr);
    toggle_play(timeline);
    EXPECT_FALSE(timeline.playing);
    advance(timeline, 1);
    step(timeline, 3);
    EXPECT_EQ(timeline.frame(), 0);
    model::MeshSequence sequence;
    sequence.rate = 24;
    sequence.frames.resize(25);
    set_sequence(timeline, sequence);
    EXPECT_EQ(timeline.frame_count(), 25);
    EXPECT_DOUBLE_EQ(timeline.duration(), 1);
}

}  // namespace
}  // namespace sinew::studio
