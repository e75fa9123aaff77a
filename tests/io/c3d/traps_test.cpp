// SPDX-License-Identifier: MIT
// What real C3D files get wrong, each on bytes made by hand.

#include <cmath>

#include "io/c3d/support.h"
#include <gtest/gtest.h>

#include "sinew/base/error.h"

namespace sinew::io {
namespace c3d_traps_test {

using test::C3dBuilder;
using test::C3dResult;

/// Two points over eight frames: (frame, point, 7).
C3dBuilder plain(int processor = 84, double scale = -1) {
    C3dBuilder b(processor);
    b.points = 2;
    b.scale = scale;
    b.point_group(8);
    return b;
}
C3dBuilder& fill(C3dBuilder& b, int frames = 8) {
    for (int f = 0; f < frames; ++f) b.point(f + 1, 1, 7, 0).point(f + 1, 2, 7, 0);
    return b;
}
void expect_plain(const C3dResult& result, std::size_t frames = 8) {
    const model::Trial& t = result.asset.trial;
    ASSERT_EQ(t.markers.count(), 2u) << result.codes();
    ASSERT_EQ(t.frames, frames) << result.codes();
    for (std::size_t f = 0; f < frames; ++f) {
        EXPECT_EQ(t.markers.at(f, 1), math::Vec3f(static_cast<float>(f + 1), 2, 7));
    }
}

TEST(C3dTraps, MissingPointsStoredAs65535) {
    C3dBuilder b = plain();
    for (int f = 0; f < 8; ++f) b.point(f, 1, 7, 65535).point(f, 2, 7, 65536 * 9.0);
    const C3dResult result = test::read_c3d(b.build());
    EXPECT_TRUE(result.has("c3d-residual"));
    EXPECT_FALSE(result.asset.trial.markers.valid(3, 0));
    EXPECT_FALSE(result.asset.trial.markers.valid(3, 1));
}

TEST(C3dTraps, NanAndInfinityAreMissing) {
    C3dBuilder b = plain();
    for (int f = 0; f < 8; ++f) b.point(f, std::nan(""), 7, 0).point(HUGE_VAL, 2, 7, std::nan(""));
    const model::Points points = test::read_c3d(b.build()).asset.trial.markers;
    EXPECT_FALSE(points.valid(0, 0));
    EXPECT_FALSE(points.valid(0, 1));
    EXPECT_EQ(points.residuals[0], -1);
}

TEST(C3dTraps, ZeroIsMissingWhenTheMarkerIsElsewhere) {
    C3dBuilder b = plain();
    for (int f = 0; f < 8; ++f) b.point(f == 3 ? 0 : 5, 0, 0, 0).point(0, 0, 0, 0);
    const C3dResult result = test::read_c3d(b.build());
    EXPECT_TRUE(result.has("c3d-zero-point"));
    EXPECT_FALSE(result.asset.trial.markers.valid(3, 0));
    EXPECT_TRUE(result.asset.trial.markers.valid(2, 0));
    EXPECT_TRUE(result.asset.trial.markers.valid(3, 1))
        << "a marker that is always at the origin may be there";
}

C3dBuilder analog(std::vector<int> offsets, const std::string& format) {
    C3dBuilder b;
    b.scale = 1;
    b.analog_values = 2;
    b.samples = 1;
    b.point_group(1)
        .group(2, "ANALOG")
        .words(2, "USED", {2})
        .reals(2, "SCALE", {1, 1})
        .words(2, "OFFSET", offsets);
    if (!format.empty()) b.texts(2, "FORMAT", {format});
    b.value(40000).value(100);
    return b;
}

TEST(C3dTraps, UnsignedOffsetsAreUnsignedToo) {
    const C3dResult result = test::read_c3d(analog({-32768, -32768}, "UNSIGNED").build());
    EXPECT_TRUE(result.warnings.empty()) << result.codes();
    EXPECT_EQ(result.asset.trial.analog.at(0, 0), 7232);
    EXPECT_EQ(result.asset.trial.analog.channels[0].offset, 32768);
}

TEST(C3dTraps, FormatIsMissing) {
    const C3dResult as_signed = test::read_c3d(analog({0, 2048}, "").build());
    EXPECT_EQ(as_signed.asset.trial.analog.at(0, 0), 40000 - 65536);
    EXPECT_EQ(as_signed.asset.trial.analog.at(0, 1), -1948);
    const C3dResult as_unsigned = test::read_c3d(analog({-32768, -32768}, "").build());
    EXPECT_EQ(as_unsigned.asset.trial.analog.at(0, 0), 7232);
    EXPECT_TRUE(as_unsigned.has("c3d-analog-format"));
}

TEST(C3dTraps, TheOffsetToTheNextRecordIsTheTruth) {
    for (const int change : {-2, 5}) {
        C3dBuilder b = plain();
        b.group(5, "ODD").parameter(5, "LIST", 2, {4}, std::string("\1\0\2\0\3\0\4\0", 8), "", false, change);
        if (change > 0) b.records().text(std::string(5, 'x'));
        // Two bytes less: the last value and the description are not there.
        if (change < 0) b.records().bytes.resize(b.records().bytes.size() - 2);
        b.words(5, "AFTER", {77});
        const C3dResult result = test::read_c3d(fill(b).build());
        EXPECT_TRUE(result.has("c3d-parameter-size"));
        const model::Parameters& p = result.asset.trial.parameters;
        ASSERT_NE(p.find("ODD", "AFTER"), nullptr);
        EXPECT_EQ(p.find("ODD", "AFTER")->number(0), 77);
        EXPECT_EQ(p.find("ODD", "LIST")->size(), change < 0 ? 3u : 4u);
        expect_plain(result);
    }
}

TEST(C3dTraps, AParameterGivenTwice) {
    C3dBuilder b = plain();
    b.group(5, "ODD").words(5, "TWICE", {1}).words(5, "twice", {2}).words(5, "TWICE", {}, {0});
    const C3dResult result = test::read_c3d(fill(b).build());
    EXPECT_TRUE(result.has("c3d-duplicate"));
    EXPECT_EQ(result.asset.trial.parameters.find("ODD", "TWICE")->number(0), 2);
    EXPECT_EQ(result.asset.trial.parameters.group("ODD")->parameters.size(), 1u);
}

TEST(C3dTraps, RecordsRunPastTheStatedBlocks) {
    C3dBuilder b = plain();
    b.group(5, "LONG")
        .texts(5, "TEXT", std::vector<std::string>(10, std::string(100, 'x')))
        .words(5, "LAST", {5});
    b.parameter_blocks = 1;
    const C3dResult result = test::read_c3d(fill(b).build());
    EXPECT_TRUE(result.has("c3d-parameter-blocks"));
    EXPECT_EQ(result.asset.trial.parameters.find("LONG", "LAST")->number(0), 5);
    expect_plain(result);
    b.declare_blocks = false;
    expect_plain(test::read_c3d(b.build()));
}

TEST(C3dTraps, TheLastOffsetIsNotSwapped) {
    C3dBuilder b = plain(86);
    b.group(5, "ODD").words(5, "FIRST", {1});
    const std::size_t record = b.records().bytes.size();
    b.words(5, "LAST", {0x0102});
    std::swap(b.records().bytes[record + 6], b.records().bytes[record + 7]);
    const C3dResult result = test::read_c3d(fill(b).build());
    EXPECT_TRUE(result.has("c3d-parameter-offset"));
    EXPECT_EQ(result.asset.trial.parameters.find("ODD", "LAST")->number(0), 0x0102);
    expect_plain(result);
}

TEST(C3dTraps, TheDataOverlapTheParameters) {
    C3dBuilder b = plain();
    b.parameter_blocks = 3;  // of which the data take the last two
    const C3dResult result = test::read_c3d(fill(b).build());
    EXPECT_TRUE(result.has("c3d-overlap"));
    expect_plain(result);
}

TEST(C3dTraps, NoParametersAtAll) {
    C3dBuilder b = plain();
    std::string file = fill(b).build();
    file.replace(512, 512, std::string(512, '\0'));
    const C3dResult result = test::read_c3d(file);
    EXPECT_TRUE(result.has("c3d-no-parameters"));
    EXPECT_TRUE(result.has("c3d-processor"));
    EXPECT_EQ(result.asset.trial.markers.info[1].label, "*2");
    expect_plain(result);
}

TEST(C3dTraps, TheProcessorIsFoundFromTheHeader) {
    for (const int processor : {84, 85, 86}) {
        C3dBuilder b = plain(processor);
        std::string file = fill(b).build();
        file[515] = 1;
        const C3dResult result = test::read_c3d(file);
        EXPECT_TRUE(result.has("c3d-processor"));
        expect_plain(result);
    }
}

TEST(C3dTraps, ZerosBeforeTheHeader) {
    C3dBuilder b = plain();
    const C3dResult result = test::read_c3d(std::string(77, '\0') + fill(b).build());
    EXPECT_TRUE(result.has("c3d-leading-zeros"));
    expect_plain(result);
}

TEST(C3dTraps, HeaderAndParametersDisagreeAndTheSizeDecides) {
    struct Case {
        const char* code;
        void (*change)(C3dBuilder&);
    };
    const Case cases[] = {
        {"c3d-points", [](C3dBuilder& b) { b.words(1, "USED", {20}); }},
        {"c3d-points", [](C3dBuilder& b) { b.points = 20; }},
        {"c3d-scale", [](C3dBuilder& b) { b.reals(1, "SCALE", {0.1}); }},
        {"c3d-scale", [](C3dBuilder& b) { b.scale = 0.1; }},
        {"c3d-frames", [](C3dBuilder& b) { b.words(1, "FRAMES", {900}); }},
        {"c3d-frames", [](C3dBuilder& b) { b.last = 2000; }},
        {"c3d-data-start", [](C3dBuilder& b) { b.data_start = 90; }},
        {"c3d-data-start", [](C3dBuilder& b) { b.data_start = 1; }},
        {"c3d-analog", [](C3dBuilder& b) { b.analog_values = 300, b.samples = 10; }},
        {"c3d-analog", [](C3dBuilder& b) { b.group(2, "ANALOG").words(2, "USED", {64}); }},
    };
    for (const Case& each : cases) {
        C3dBuilder b = plain();
        b.last = 64;
        b.words(1, "FRAMES", {64});
        fill(b, 64);
        each.change(b);
        const C3dResult result = test::read_c3d(b.build());
        EXPECT_TRUE(result.has(each.code)) << each.code << "\n" << result.codes();
        expect_plain(result, 64);
    }
}

TEST(C3dTraps, AnalogThatOnlyTheHeaderKnows) {
    C3dBuilder b = plain();
    b.analog_values = 6;
    b.samples = 2;
    b.group(2, "ANALOG").words(2, "USED", {0});
    for (int f = 0; f < 8; ++f) {
        b.point(f + 1, 1, 7, 0).point(f + 1, 2, 7, 0);
        for (int i = 0; i < 6; ++i) b.value(i);
    }
    const C3dResult result = test::read_c3d(b.build());
    EXPECT_TRUE(result.has("c3d-analog"));
    EXPECT_EQ(result.asset.trial.analog.count(), 3u);
    EXPECT_EQ(result.asset.trial.analog.samples_per_frame, 2u);
    expect_plain(result);
}

TEST(C3dTraps, TheFirstFrameIsNumberZero) {
    C3dBuilder b = plain();
    b.first = 0;
    b.last = 7;
    b.group(3, "EVENT").words(3, "USED", {1}).reals(3, "TIMES", {0, 0.03}, {2, 1}).texts(3, "LABELS", {"x"});
    const C3dResult result = test::read_c3d(fill(b).build());
    EXPECT_TRUE(result.has("c3d-first-frame"));
    EXPECT_EQ(result.asset.trial.first_frame, 1);
    EXPECT_NEAR(result.asset.trial.events[0].time, 0.03, 1e-6);
    expect_plain(result);
}

TEST(C3dTraps, EventTimesCountFromTheCaptureOrFromTheTrial) {
    C3dBuilder b = plain();
    b.first = 101;
    b.last = 108;
    b.group(3, "EVENT").words(3, "USED", {4}).texts(3, "LABELS", {"in", "own", "out", "minutes"});
    b.reals(3, "TIMES", {0, 1.02, 0, 0.05, 0, 9, 1, -58.96}, {2, 4});
    b.events = {{0.021, "same", 0}, {0.07, "hdr ", 0}};
    const C3dResult result = test::read_c3d(fill(b).build());
    EXPECT_TRUE(result.has("c3d-event-time"));
    EXPECT_TRUE(result.has("c3d-event-outside"));
    const std::vector<model::Event>& events = result.asset.trial.events;
    ASSERT_EQ(events.size(), 5u);
    const char* const labels[] = {"in", "minutes", "own", "hdr", "out"};
    const double times[] = {0.02, 0.04, 0.05, 0.07, 8};
    for (std::size_t i = 0; i < 5; ++i) {
        EXPECT_EQ(events[i].label, labels[i]);
        EXPECT_NEAR(events[i].time, times[i], 1e-5);
    }
}

TEST(C3dTraps, OldHeaderEventsHaveTwoCharacters) {
    C3dBuilder b = plain();
    b.event_key = 0;
    b.events = {{0.01, "RH", 0}, {0.02, "LT", 1}};
    const C3dResult result = test::read_c3d(fill(b).build());
    ASSERT_EQ(result.asset.trial.events.size(), 2u);
    EXPECT_EQ(result.asset.trial.events[0].label, "RH");
    EXPECT_EQ(result.asset.trial.events[1].label, "LT");
    b.events.resize(19, {0.01, "RH", 0});
    EXPECT_TRUE(test::read_c3d(b.build()).has("c3d-header-events"));
}

TEST(C3dTraps, AnalogOnlyPointsOnlyRotationsOnlyAndNothing) {
    C3dBuilder b;
    b.analog_values = 1844;
    b.samples = 2;
    b.point_group(3).group(2, "ANALOG").words(2, "USED", {922}).reals(2, "RATE", {200});
    std::vector<std::string> labels(255, "ch");
    b.texts(2, "LABELS", labels)
        .texts(2, "LABELS2", labels)
        .texts(2, "LABELS3", labels)
        .texts(2, "LABELS4", {"z"});
    for (int i = 0; i < 3 * 1844; ++i) b.value(i);
    const model::Trial t = test::read_c3d(b.build()).asset.trial;
    EXPECT_TRUE(t.markers.empty());
    ASSERT_EQ(t.analog.count(), 922u);
    EXPECT_EQ(t.analog.at(5, 921), 3 * 1844 - 1);
    EXPECT_EQ(t.analog.channels[765].label, "z");
    EXPECT_EQ(t.analog.channels[921].label, "*922");
    C3dBuilder none;
    EXPECT_TRUE(test::read_c3d(none.point_group(0).build()).asset.trial.markers.empty());
}

TEST(C3dTraps, LabelsAreDoubledPrefixedStarredOrMissing) {
    C3dBuilder b;
    b.points = 7;
    b.group(1, "POINT").words(1, "USED", {7}).words(1, "FRAMES", {1}).reals(1, "SCALE", {-1});
    b.texts(1, "LABELS", {"LASI", "LASI", "Ann:LASI", "Bob:LASI", "*110", ""});
    for (int i = 0; i < 7; ++i) b.point(i, 1, 1, 0);
    const C3dResult result = test::read_c3d(b.build());
    const std::vector<model::PointInfo>& info = result.asset.trial.markers.info;
    const std::pair<const char*, const char*> expected[] = {
        {"", "LASI"}, {"", "LASI_2"}, {"Ann", "LASI"}, {"Bob", "LASI"}, {"", "*110"}, {"", "*6"}, {"", "*7"}};
    for (std::size_t i = 0; i < 7; ++i) {
        EXPECT_EQ(info[i].subject, expected[i].first);
        EXPECT_EQ(info[i].label, expected[i].second);
    }
    EXPECT_TRUE(result.has("c3d-duplicate-label"));
    EXPECT_TRUE(result.has("c3d-labels"));
    EXPECT_EQ(result.asset.trial.markers.find("bob:lasi"), 3);
}

TEST(C3dTraps, NamesInLatin1BecomeUtf8) {
    C3dBuilder b = plain();
    b.texts(1, "LABELS",
            {"H\xFC"
             "fte",
             "Fu\xC3\x9F"});
    const C3dResult result = test::read_c3d(fill(b).build());
    EXPECT_EQ(result.asset.trial.markers.info[0].label,
              "H\xC3\xBC"
              "fte");
    EXPECT_EQ(result.asset.trial.markers.info[1].label, "Fu\xC3\x9F");
}

TEST(C3dTraps, AGroupWithoutAName) {
    C3dBuilder b = plain();
    b.words(7, "LOST", {3});
    const C3dResult result = test::read_c3d(fill(b).build());
    EXPECT_TRUE(result.has("c3d-parameter-group"));
    EXPECT_EQ(result.asset.trial.parameters.find("GROUP_7", "LOST")->number(0), 3);
}

TEST(C3dTraps, ScaleOfZeroStandsForOne) {
    C3dBuilder b(84);
    b.points = 2;
    b.scale = 0;
    b.point_group(8);
    const C3dResult result = test::read_c3d(fill(b).build());
    EXPECT_TRUE(result.has("c3d-scale"));
    expect_plain(result);
}

TEST(C3dTraps, NoRate) {
    C3dBuilder b(84);
    b.points = 2;
    b.rate = 0;
    b.point_group(8);
    const std::string file = fill(b).build();
    const C3dResult result = test::read_c3d(file);
    EXPECT_TRUE(result.has("c3d-rate"));
    EXPECT_EQ(result.asset.trial.rate, 100);
    EXPECT_EQ(result.asset.guesses.at(0).subject, "fps");
    ReadOptions options;
    options.rate = 60;
    EXPECT_EQ(test::read_c3d(file, options).asset.trial.rate, 60);
}

}  // namespace c3d_traps_test
}  // namespace sinew::io
