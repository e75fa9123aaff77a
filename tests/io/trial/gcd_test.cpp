// SPDX-License-Identifier: MIT
#include "io/mesh/mesh_support.h"
#include "support/data.h"

#include "sinew/base/error.h"
#include "sinew/io/trial/trial_formats.h"

namespace sinew::io {
namespace gcd_test {

using model::Side;

const std::string plain =
    "#!DST-0.GCD Laboratory\n# by hand\n$SUBJECT\nno name\n$PREFIXES\nLeft\nRight\n"
    "!LeftStrideTime\n1.10 0.05\n!LeftHipFlexExt 2\n30 3\n20.5 2\n-10 1e-1\n!RightHipFlexExt\n31\n-11\n"
    "!Cadence\n110\n!Cadence\n112\n!LeftGroundReaction 6\n1 2 3 4 5 6\n";

Asset read(std::string_view text, Monitor& monitor = silent()) {
    Asset asset = read_gcd(as_bytes(text), "test.gcd", {}, monitor);
    model::validate(asset.cycle, "test.gcd");
    return asset;
}

std::string changed(std::string text, std::string_view from, std::string_view to) {
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
}

Asset read_warned(const std::string& text, std::string_view code, std::string_view part) {
    Collector collector;
    Asset asset = read(text, collector);
    EXPECT_EQ(collector.warnings().size(), 1u);
    for (const Warning& warning : collector.warnings()) {
        EXPECT_EQ(warning.code, code);
        EXPECT_HAS(warning.text, part);
    }
    return asset;
}

TEST(Gcd, VariablesByNameAndSide) {
    Collector collector;
    const model::GaitCycle cycle = read(plain, collector).cycle;
    EXPECT_TRUE(collector.warnings().empty());
    EXPECT_EQ(cycle.source, "DST-0.GCD Laboratory");
    ASSERT_EQ(cycle.texts.size(), 2u);
    EXPECT_EQ(cycle.texts[0].lines, std::vector<std::string>{"no name"});
    EXPECT_EQ(cycle.value(Side::left, "StrideTime"), 1.1);
    const model::GaitVariable* const hip = cycle.find(Side::left, "HipFlexExt");
    ASSERT_NE(hip, nullptr);
    EXPECT_EQ(hip->rows(), 3u);
    EXPECT_EQ(hip->columns, 2u);
    EXPECT_EQ(hip->at(1), 20.5);
    EXPECT_EQ(hip->at(2, 1), 0.1);
    EXPECT_EQ(cycle.find(Side::right, "HipFlexExt")->columns, 1u);
    EXPECT_EQ(cycle.find(Side::left, "GroundReaction")->columns, 6u);
    // Names without a side belong to the prefixes in their order.
    EXPECT_EQ(cycle.value(Side::left, "Cadence"), 110);
    EXPECT_EQ(cycle.value(Side::right, "Cadence"), 112);
    const model::GaitCycle one = read(changed(plain, "Left\nRight\n", "Right\n")).cycle;
    EXPECT_EQ(one.value(Side::right, "Cadence"), 110);
}

TEST(Gcd, ReadsBackExactly) {
    const Asset first = read(plain);
    Collector collector;
    const std::string text = write_gcd(first, "test.gcd", {}, collector);
    const Asset second = read(text, collector);
    EXPECT_TRUE(collector.warnings().empty());
    EXPECT_EQ(first.cycle.variables, second.cycle.variables);
    EXPECT_EQ(first.cycle.texts, second.cycle.texts);
    EXPECT_EQ(first.cycle.source, second.cycle.source);
    EXPECT_THROW(write_gcd({}, "test.gcd", {}, silent()), Error);
    const test::TemporaryFolder folder;
    write(folder / "a.dst", first);
    EXPECT_EQ(io::read(folder / "a.dst").cycle.variables, first.cycle.variables);
}

TEST(GcdLenient, OddLinesAreReadByRule) {
    read_warned(plain.substr(plain.find('\n') + 1), "gcd-no-mark", "test.gcd:1");
    read_warned(changed(plain, "$SUBJECT", "stray\n$SUBJECT"), "gcd-stray-line", "test.gcd:3");
    const Asset bad = read_warned(changed(plain, "20.5 2", "x 2"), "gcd-bad-number", "test.gcd:12");
    EXPECT_EQ(bad.cycle.find(Side::left, "HipFlexExt")->rows(), 2u);
    read_warned(changed(plain, "20.5 2", "20.5"), "gcd-row", "test.gcd:12");
    read_warned(changed(plain, "HipFlexExt 2", "HipFlexExt many"), "gcd-columns", "many");
    const Asset columns = read_warned(changed(plain, "HipFlexExt 2", "HipFlexExt 51"), "gcd-columns", "51");
    EXPECT_EQ(columns.cycle.find(Side::left, "HipFlexExt")->columns, 2u);
    read_warned(changed(plain, "!LeftStrideTime", "!LeftNothing\n!LeftStrideTime"), "gcd-empty", "Nothing");
    EXPECT_HAS(test::read_error(read_gcd, "#!DST-0\n$TEXT\n", "test.gcd"), "no variable");
    EXPECT_HAS(test::read_error(read_gcd, "", "test.gcd"), "empty");
}

TEST(GcdLenient, AnyCutAndAnyByteIsReadOrRefused) {
    for (std::size_t size = 0; size < plain.size(); ++size)
        test::read_error(read_gcd, plain.substr(0, size), "test.gcd");
    for (std::size_t at = 0; at < plain.size(); ++at) {
        for (const char c : {'\0', ' ', '\n', '!', '$', '9', '\xFF'}) {
            std::string broken = plain;
            broken[at] = c;
            test::read_error(read_gcd, broken, "test.gcd");
        }
    }
}

}  // namespace gcd_test
}  // namespace sinew::io
