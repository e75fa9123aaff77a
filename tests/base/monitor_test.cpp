// SPDX-License-Identifier: MIT
#include "sinew/base/monitor.h"

#include <atomic>

#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/base/parallel.h"

namespace sinew {
namespace {

struct Recorder : Monitor {
    std::vector<std::pair<std::string, double>> steps;
    std::vector<Warning> warnings;
    bool stop = false;

    void progress(std::string_view stage, double fraction) override { steps.emplace_back(stage, fraction); }
    void warn(Warning warning) override { warnings.push_back(std::move(warning)); }
    bool cancelled() const override { return stop; }
};

TEST(Error, PlaceAndReason) {
    const Error error("walk.bvh:17", "no");
    EXPECT_STREQ(error.what(), "walk.bvh:17: no");
    EXPECT_EQ(error.location(), "walk.bvh:17");
    EXPECT_EQ(error.reason(), "no");
    EXPECT_STREQ(Error("", "no place").what(), "no place");
    try {
        fail("f", "{} of {}", 1, "two");
        FAIL();
    } catch (const Error& thrown) {
        EXPECT_STREQ(thrown.what(), "f: 1 of two");
    }
}

TEST(Monitor, SilentIgnoresEverything) {
    warn(silent(), "code", "text");
    step(silent(), "stage", 0.5);
    EXPECT_FALSE(silent().cancelled());
}

TEST(Monitor, StepReportsUntilCancelled) {
    Recorder recorder;
    step(recorder, "load", 0.25);
    ASSERT_EQ(recorder.steps.size(), 1u);
    EXPECT_EQ(recorder.steps[0], (std::pair<std::string, double>("load", 0.25)));
    recorder.stop = true;
    EXPECT_THROW(step(recorder, "load", 0.5), Cancelled);
    EXPECT_EQ(recorder.steps.size(), 1u);
}

TEST(Collector, KeepsAndPassesOn) {
    Recorder recorder;
    Collector collector(recorder);
    warn(collector, "bvh-name", "joint {}", 3);
    step(collector, "stage", 1);
    EXPECT_TRUE(collector.has("bvh-name"));
    EXPECT_FALSE(collector.has("bvh"));
    const std::vector<Warning> expected{{"bvh-name", "joint 3"}};
    EXPECT_EQ(collector.warnings(), expected);
    EXPECT_EQ(recorder.warnings, expected);
    EXPECT_EQ(recorder.steps.size(), 1u);
    recorder.stop = true;
    EXPECT_TRUE(collector.cancelled());
}

TEST(Collector, MayPassOnToAnother) {
    Collector outer;
    Monitor& next = outer;
    Collector inner(next);
    warn(inner, "odd", "something");
    EXPECT_TRUE(outer.has("odd"));
    EXPECT_TRUE(inner.has("odd"));
}

TEST(Collector, TakesWarningsFromAllThreads) {
    Collector collector;
    parallel_for(1000, 1, [&](std::size_t i) { warn(collector, "code", "{}", i); });
    std::vector<std::string> texts;
    for (const Warning& warning : collector.warnings()) texts.push_back(warning.text);
    std::sort(texts.begin(), texts.end());
    EXPECT_EQ(std::unique(texts.begin(), texts.end()) - texts.begin(), 1000);
}

TEST(Cancelled, IsNoErrorThatOtherWorkFollows) {
    EXPECT_STREQ(Cancelled().what(), "cancelled");
    EXPECT_FALSE((std::is_base_of_v<Error, Cancelled>));
}

}  // namespace
}  // namespace sinew
