// SPDX-License-Identifier: MIT
#include <cmath>

#include "io/mesh/mesh_support.h"
#include "support/data.h"

#include "sinew/base/error.h"
#include "sinew/io/trial/trial_formats.h"

namespace sinew::io {
namespace trc_test {

using math::Vec3d;
using math::Vec3f;

const std::string keys =
    "PathFileType\t4\t(X/Y/Z)\twalk.trc\n"
    "DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\tOrigNumFrames\n";
const std::string values = "100\t100\t3\t2\tmm\t100\t1\t3\n";
const std::string labels = "Frame#\tTime\tLASI\t\t\tRASI\t\t\n\t\tX1\tY1\tZ1\tX2\tY2\tZ2\n\n";
const std::string rows =
    "1\t0.00\t1\t2\t3\t4\t5\t6\n2\t0.01\t1.5\t2\t3\t-4\t5\t6e1\n3\t0.02\t1\t2\t3\t4\t5\t6\n";

Asset read(std::string_view text, Monitor& monitor = silent(), const ReadOptions& options = {}) {
    Asset asset = read_trc(as_bytes(text), "test.trc", options, monitor);
    model::validate(asset.trial, "test.trc");
    return asset;
}

std::string error_of(std::string_view text) {
    return test::read_error(read_trc, text, "test.trc");
}

std::string changed(std::string text, std::string_view from, std::string_view to) {
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
}

/// Reads with exactly one warning.
Asset read_warned(const std::string& text, std::string_view code, std::string_view part) {
    Collector collector;
    Asset asset = read(text, collector);
    EXPECT_TRUE(collector.has(code)) << code;
    for (const Warning& warning : collector.warnings()) {
        EXPECT_EQ(warning.code, code) << warning.text;
        EXPECT_HAS(warning.text, part);
    }
    return asset;
}

/// Everything of the plain file is there.
void expect_plain(const Asset& asset) {
    ASSERT_EQ(asset.trial.frames, 3u);
    ASSERT_EQ(asset.trial.markers.count(), 2u);
    EXPECT_EQ(asset.trial.markers.info[0].label, "LASI");
    EXPECT_EQ(asset.trial.markers.info[1].label, "RASI");
    EXPECT_EQ(asset.trial.markers.at(0, 1), Vec3f(4, 5, 6));
    EXPECT_EQ(asset.trial.markers.at(1, 0), Vec3f(1.5f, 2, 3));
    EXPECT_EQ(asset.trial.markers.at(1, 1), Vec3f(-4, 5, 60));
    EXPECT_EQ(asset.trial.rate, 100);
}

TEST(Trc, PlainFile) {
    Collector collector;
    const Asset asset = read(keys + values + labels + rows, collector);
    EXPECT_TRUE(collector.warnings().empty());
    expect_plain(asset);
    EXPECT_EQ(asset.trial.first_frame, 1);
    EXPECT_EQ(asset.trial.unit, "mm");
    EXPECT_EQ(asset.trial.to_world.scale, 0.001);
    ASSERT_EQ(asset.guesses.size(), 1u);
    EXPECT_EQ(asset.guesses[0].subject, "up");
}

TEST(Trc, MissingMarkersInAnySpelling) {
    for (const char* const missing :
         {"\t\t", "NaN\tnan\t-nan", " \t  \t ", "1.#QNAN\t-1.#IND\tnan(ind)", "N/A\tnull\t-"}) {
        Collector collector;
        const Asset asset = read(keys + values + labels + changed(rows, "1.5\t2\t3", missing), collector);
        EXPECT_TRUE(collector.warnings().empty()) << missing;
        EXPECT_FALSE(asset.trial.markers.valid(1, 0));
        EXPECT_TRUE(std::isnan(asset.trial.markers.at(1, 0).x()));
        EXPECT_EQ(asset.trial.markers.residuals[2], -1);
        EXPECT_EQ(asset.trial.markers.at(1, 1), Vec3f(-4, 5, 60)) << "the next marker keeps its columns";
    }
    const Asset asset = read_warned(keys + values + labels + changed(rows, "1.5\t2\t3", "1.5\t\t3"),
                                    "trc-partial-marker", "test.trc:8");
    EXPECT_FALSE(asset.trial.markers.valid(1, 0));
    read_warned(keys + values + labels + changed(rows, "1.5\t2\t3", "inf\tinf\tinf"), "trc-bad-cell",
                "test.trc:8");
}

TEST(TrcLenient, CountsThatAreWrong) {
    expect_plain(
        read_warned(keys + "100\t100\t900\t2\tmm\t100\t1\t3\n" + labels + rows, "trc-frame-count", "900"));
    expect_plain(
        read_warned(keys + "100\t100\t3\t41\tmm\t100\t1\t3\n" + labels + rows, "trc-marker-count", "41"));
    const Asset more =
        read_warned(keys + values + "Frame#\tTime\tLASI\n" + rows, "trc-marker-count", "says 2");
    EXPECT_EQ(more.trial.markers.info.at(1).label, "marker_2");
    EXPECT_EQ(more.trial.markers.at(0, 1), Vec3f(4, 5, 6));
    // Counted, but neither named nor measured.
    const std::string empty = "1\t0.00\t1\t2\t3\t\t\t\n2\t0.01\t1.5\t2\t3\t\t\t\n3\t0.02\t1\t2\t3\t\t\t\n";
    EXPECT_EQ(read(keys + values + "Frame#\tTime\tLASI\n" + empty).trial.markers.count(), 1u);
}

TEST(TrcLenient, LabelsThatAreShifted) {
    expect_plain(read_warned(keys + values + "Frame#\tTime\t\tLASI\t\t\tRASI\n\t\tX1\n\n" + rows,
                             "trc-label-shift", "test.trc:4"));
    const Asset asset = read_warned(keys + values + "Frame#\tTime\t\t\t\tRASI\n\t\tX1\n\n" + rows,
                                    "trc-no-label", "marker_1");
    EXPECT_EQ(asset.trial.markers.info[1].label, "RASI");
    const Asset twice =
        read_warned(keys + values + "Frame#\tTime\tLASI\t\t\tLASI\n" + rows, "trc-double-label", "LASI");
    EXPECT_EQ(twice.trial.markers.info[1].label, "LASI_2");
    const Asset subject = read(keys + values + "Frame#\tTime\tAnna:LASI\t\t\tAnna:RASI\n" + rows);
    EXPECT_EQ(subject.trial.markers.info[0].subject, "Anna");
    EXPECT_EQ(subject.trial.markers.info[0].label, "LASI");
}

TEST(TrcLenient, OtherSeparators) {
    const std::string text = keys + values + labels + rows;
    const auto with = [&](std::string_view separator) {
        std::string result;
        for (const char c : text) result += c == '\t' ? std::string(separator) : std::string(1, c);
        return result;
    };
    expect_plain(read_warned(with(","), "trc-commas", "test.trc:7"));
    expect_plain(read_warned(with("\t\t"), "trc-double-tabs", "test.trc:7"));
    std::string spaced;
    for (const char c : rows) spaced += c == '\t' ? std::string("  ") : std::string(1, c);
    expect_plain(read_warned(keys + values + labels + spaced, "trc-spaces", "test.trc:7"));
    std::string crlf, cr;
    for (const char c : text) {
        crlf += c == '\n' ? "\r\n" : std::string(1, c);
        cr += c == '\n' ? '\r' : c;
    }
    expect_plain(read(crlf));
    expect_plain(read(cr));
    expect_plain(read("\xEF\xBB\xBF" + text));
    expect_plain(
        read_warned(keys + values + labels + changed(rows, "1.5", "1,5"), "trc-comma-decimal", "test.trc:8"));
}

TEST(TrcLenient, RatesFromTimes) {
    const std::string none = keys + "0\t0\t3\t2\tmm\t0\t1\t3\n" + labels;
    const Asset asset = read_warned(none + rows, "trc-no-rate", "test.trc:7");
    EXPECT_EQ(asset.trial.rate, 100);
    EXPECT_EQ(asset.guesses.at(0).subject, "fps");
    ReadOptions options;
    options.rate = 50;
    EXPECT_EQ(read(none + rows, silent(), options).trial.rate, 50);
    read_warned(keys + "50\t50\t3\t2\tmm\t50\t1\t3\n" + labels + rows, "trc-rate", "the times say 100");
}

TEST(TrcLenient, ThinnedRowsHaveARateOfTheirOwn) {
    // Every fourth frame of a recording of 100 a second.
    const std::string thinned = changed(changed(rows, "2\t0.01", "5\t0.04"), "3\t0.02", "9\t0.08");
    Collector warnings;
    const Asset asset = read(keys + values + labels + thinned, warnings);
    EXPECT_TRUE(warnings.has("trc-rate"));
    EXPECT_FALSE(warnings.has("trc-time-gap"));
    EXPECT_EQ(asset.trial.rate, 25);
    ASSERT_EQ(asset.trial.frames, 3u);
    for (std::size_t f = 0; f < 3; ++f) EXPECT_TRUE(asset.trial.markers.valid(f, 0)) << f;
    // Times in milliseconds are no rate.
    const std::string milliseconds = changed(changed(rows, "2\t0.01", "2\t10"), "3\t0.02", "3\t20");
    EXPECT_EQ(read(keys + values + labels + milliseconds).trial.rate, 100);
}

TEST(TrcLenient, TimeGapsAreFramesWithoutMarkers) {
    const Asset asset = read_warned(keys + values + labels + changed(rows, "3\t0.02", "6\t0.05"),
                                    "trc-time-gap", "test.trc:9: 3 frames are missing");
    ASSERT_EQ(asset.trial.frames, 6u);
    for (std::size_t f = 0; f < 6; ++f) EXPECT_EQ(asset.trial.markers.valid(f, 0), f < 2 || f == 5);
    EXPECT_EQ(asset.trial.markers.at(5, 1), Vec3f(4, 5, 6));
    const Asset far = read_warned(keys + values + labels + changed(rows, "3\t0.02", "3\t90000"),
                                  "trc-time-gap", "too many");
    EXPECT_EQ(far.trial.frames, 3u);
    read_warned(keys + values + labels + changed(rows, "3\t0.02", "3\t0.01"), "trc-time-order", "test.trc:9");
    read_warned(keys + values + labels + changed(rows, "3\t0.02", "7\t0.02"), "trc-frame-number",
                "test.trc:9");
}

TEST(TrcLenient, ShortLongAndStrangeRows) {
    const Asset asset =
        read_warned(keys + values + labels + changed(rows, "\t5\t6e1", ""), "trc-short-row", "test.trc:8");
    EXPECT_FALSE(asset.trial.markers.valid(1, 1));
    EXPECT_TRUE(asset.trial.markers.valid(1, 0));
    expect_plain(read_warned(keys + values + labels + changed(rows, "6\n2", "6\t7\n2"), "trc-surplus-cells",
                             "test.trc:7"));
    expect_plain(read_warned(keys + values + labels + rows + "the end\n", "trc-bad-row", "test.trc:10"));
}

TEST(TrcLenient, WhatIsNoTrcFileIsRefused) {
    EXPECT_HAS(error_of("hello\n"), "this is not a TRC file");
    EXPECT_HAS(error_of(""), "empty");
    EXPECT_HAS(error_of(keys + values + labels), "there are no rows");
    EXPECT_HAS(error_of(keys + values + "Frame#\tTime\n" + rows), "names no marker");
    std::string many = keys + values + "Frame#\tTime";
    for (int m = 0; m < 5000; ++m) many += fmt::format("\tm{}\t\t", m);
    for (int f = 0; f < 5000; ++f) many += "\n1\t0";
    EXPECT_HAS(error_of(many), "cells for few of them");
}

TEST(TrcLenient, AnyCutAndAnyByteIsReadOrRefused) {
    const std::string text = keys + values + labels + rows;
    for (std::size_t size = 0; size < text.size(); ++size) error_of(text.substr(0, size));
    for (std::size_t at = 0; at < text.size(); ++at) {
        for (const char c : {'\0', ' ', '\n', '\t', ',', '9', 'x', '\xFF'}) {
            std::string broken = text;
            broken[at] = c;
            error_of(broken);
        }
    }
}

TEST(Trc, UnitsAndAxes) {
    ReadOptions options;
    options.up = "z";
    const Asset up = read(keys + "100\t100\t3\t2\tcm\t100\t1\t3\n" + labels + rows, silent(), options);
    EXPECT_LT((model::world_position(up.trial, 0, 0) - Vec3d(0.01, 0.03, -0.02)).norm(), 1e-9);
    EXPECT_TRUE(up.guesses.empty());
    options.units = "m";
    options.up = "x";
    const Asset x = read(keys + values + labels + rows, silent(), options);
    EXPECT_LT((model::world_position(x.trial, 0, 0) - Vec3d(-2, 1, 3)).norm(), 1e-9);
    read_warned(keys + "100\t100\t3\t2\tfurlong\t100\t1\t3\n" + labels + rows, "trc-units", "furlong");
    options.up = "w";
    EXPECT_THROW(read(keys + values + labels + rows, silent(), options), Error);
}

void expect_equal(const model::Trial& a, const model::Trial& b) {
    ASSERT_EQ(a.frames, b.frames);
    ASSERT_EQ(a.markers.count(), b.markers.count());
    EXPECT_EQ(a.rate, b.rate);
    EXPECT_EQ(a.unit, b.unit);
    EXPECT_EQ(a.first_frame, b.first_frame);
    for (std::size_t m = 0; m < a.markers.count(); ++m) {
        EXPECT_EQ(a.markers.info[m].label, b.markers.info[m].label);
        EXPECT_EQ(a.markers.info[m].subject, b.markers.info[m].subject);
    }
    for (std::size_t i = 0; i < a.markers.positions.size(); ++i) {
        ASSERT_EQ(a.markers.residuals[i] < 0, b.markers.residuals[i] < 0);
        if (a.markers.residuals[i] >= 0) {
            ASSERT_EQ(a.markers.positions[i], b.markers.positions[i]);
        }
    }
}

TEST(TrcWrite, ReadsBackExactly) {
    test::Random random(5);
    Asset first;
    model::Trial& trial = first.trial;
    trial.rate = 59.94;
    trial.frames = 40;
    trial.first_frame = 185;
    trial.unit = "m";
    for (int m = 0; m < 7; ++m) {
        trial.markers.info.emplace_back();
        trial.markers.info.back().label = fmt::format("marker {}", m);
    }
    trial.markers.info[2].subject = "Anna";
    for (std::size_t i = 0; i < 40 * 7; ++i) {
        const bool missing = random.uniform() < 0.2;
        trial.markers.positions.push_back(missing ? Vec3f::Constant(NAN)
                                                  : Vec3f(random.vector(2).cast<float>()));
        trial.markers.residuals.push_back(missing ? -1.f : 0.f);
    }
    Collector collector;
    const std::string text = write_trc(first, "a.trc", {}, collector);
    expect_equal(first.trial, read(text, collector).trial);
    EXPECT_TRUE(collector.warnings().empty()) << collector.warnings()[0].text;
    trial.events.push_back({"Foot Strike", "Left", 0.1, "", "", false});
    EXPECT_EQ(write_trc(first, "a.trc", {}, collector), text);
    EXPECT_TRUE(collector.has("trc-markers-only"));
    trial.rate = 0;
    EXPECT_THROW(write_trc(first, "a.trc", {}, silent()), Error);
    EXPECT_THROW(write_trc({}, "a.trc", {}, silent()), Error);
}

TEST(TrcRealFiles, AreReadAndRoundTrip) {
    SINEW_NEEDS_DATA();
    Collector collector;
    const Asset walk = io::read(test::data("trc/walk_free_01.trc"), {}, collector);
    EXPECT_EQ(walk.trial.markers.count(), 41u);
    EXPECT_EQ(walk.trial.rate, 60);
    EXPECT_EQ(walk.trial.first_frame, 185);
    EXPECT_EQ(walk.trial.markers.at(0, 0), Vec3f(596.88123f, 1044.68286f, 118.56002f));
    EXPECT_EQ(walk.guesses.at(0).value, "y");
    // The file says 900 frames and has fewer rows.
    ASSERT_EQ(collector.warnings().size(), 1u);
    EXPECT_EQ(collector.warnings()[0].code, "trc-frame-count");
    expect_equal(walk.trial, read(write_trc(walk, "b.trc", {}, silent())).trial);
    const Asset blanks = io::read(test::data("trc/blanks_for_missing.trc"));
    EXPECT_EQ(blanks.trial.frames, 464u);
    EXPECT_EQ(blanks.trial.markers.count(), 40u);
    EXPECT_FALSE(blanks.trial.markers.valid(0, 0));
    EXPECT_EQ(blanks.guesses.at(0).value, "z");
    expect_equal(blanks.trial, read(write_trc(blanks, "b.trc", {}, silent())).trial);
}

}  // namespace trc_test
}  // namespace sinew::io
