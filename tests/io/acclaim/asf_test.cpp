// SPDX-License-Identifier: MIT
#include "io/acclaim/amc_support.h"
#include "io/mesh/mesh_support.h"

#include "sinew/io/acclaim/acclaim.h"

namespace sinew::io {
namespace asf_test {

using math::Vec3d;

constexpr const char* upper =
    "    direction 0 1 0\n    length 2\n    axis 0 0 20 XYZ\n    dof rx rz\n    limits (-10 20)\n"
    "           (-inf inf)\n";
constexpr const char* lower = "    direction 1 0 0\n    length 3\n    axis 0 0 0 XYZ\n";

Asset read(std::string_view text, Monitor& monitor = silent(), const ReadOptions& options = {}) {
    return read_asf(as_bytes(text), "test.asf", options, monitor);
}

std::string error_of(std::string_view text) {
    return test::read_error(read_asf, text, "test.asf");
}

/// The text with one part replaced.
std::string changed(std::string text, std::string_view from, std::string_view to) {
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
}

/// Reads with exactly one warning, and gives the asset.
Asset read_warned(const std::string& text, std::string_view code, std::string_view place) {
    Collector collector;
    Asset asset = read(text, collector);
    EXPECT_EQ(collector.warnings().size(), 1u);
    EXPECT_TRUE(collector.has(code)) << (collector.warnings().empty() ? "none"
                                                                      : collector.warnings()[0].code);
    if (!collector.warnings().empty()) {
        EXPECT_HAS(collector.warnings()[0].text, place);
    }
    return asset;
}

TEST(Asf, BonesAreJointsWhereTheyStart) {
    Collector collector;
    const Asset asset = read(test::two_bones(upper, lower), collector);
    EXPECT_TRUE(collector.warnings().empty());
    const auto& joints = asset.character.skeleton.joints;
    ASSERT_EQ(joints.size(), 3u);
    EXPECT_EQ(joints[0].name, "root");
    EXPECT_EQ(joints[1].name, "upper");
    EXPECT_EQ(joints[2].name, "lower");
    EXPECT_EQ(joints[1].parent, 0);
    EXPECT_EQ(joints[2].parent, 1);
    EXPECT_EQ(joints[1].rest.translation, Vec3d(0, 0, 0));
    EXPECT_EQ(joints[2].rest.translation, Vec3d(0, 2, 0));
    EXPECT_TRUE(joints[2].rest.rotation.isApprox(math::Quatd::Identity()));
    EXPECT_FALSE(joints[1].tip.has_value());
    EXPECT_EQ(joints[2].tip.value(), Vec3d(3, 0, 0));
    EXPECT_TRUE(asset.character.clips.empty());
}

TEST(Asf, LimitsComeFromDofAndAxis) {
    const Asset asset = read(test::two_bones(upper, lower));
    const model::JointLimits limits = asset.character.skeleton.joints[1].limits.value();
    EXPECT_NEAR(math::angle_between(limits.frame,
                                    math::Quatd(Eigen::AngleAxisd(math::radians(20.0), Vec3d::UnitZ()))),
                0, 1e-12);
    EXPECT_NEAR(limits.low.x(), math::radians(-10), 1e-12);
    EXPECT_NEAR(limits.high.x(), math::radians(20), 1e-12);
    EXPECT_EQ(limits.low.y(), 0);
    EXPECT_EQ(limits.high.y(), 0);
    EXPECT_EQ(limits.low.z(), -std::numeric_limits<double>::infinity());
    EXPECT_EQ(limits.high.z(), std::numeric_limits<double>::infinity());
    EXPECT_EQ(asset.character.skeleton.joints[2].limits.value().high, Vec3d(0, 0, 0));
    EXPECT_FALSE(asset.character.skeleton.joints[0].limits.has_value());
}

TEST(Asf, AxisOrderTurnsTheFirstAxisFirst) {
    const Asset asset =
        read(test::two_bones("    direction 0 1 0\n    length 1\n    axis 90 0 90 ZXY\n", lower));
    const math::Quatd axes = asset.character.skeleton.joints[1].limits.value().frame;
    // z first: x goes to y, then the turn about x takes y to z.
    EXPECT_LT((axes * Vec3d::UnitX() - Vec3d::UnitZ()).norm(), 1e-12);
}

TEST(Asf, RadiansAreRead) {
    const Asset asset =
        read(changed(test::two_bones("    direction 0 1 0\n    length 1\n    axis 0 0 1.5 XYZ\n    dof rx\n"
                                     "    limits (-0.5 0.25)\n",
                                     lower),
                     "angle deg", "angle rad"));
    const model::JointLimits limits = asset.character.skeleton.joints[1].limits.value();
    EXPECT_NEAR(math::angle_between(limits.frame, math::Quatd::Identity()), 1.5, 1e-12);
    EXPECT_EQ(limits.low.x(), -0.5);
    EXPECT_EQ(limits.high.x(), 0.25);
}

TEST(Asf, TheUnitIsAGuessUnlessItIsGiven) {
    const Asset asset = read(test::two_bones(upper, lower));
    ASSERT_EQ(asset.guesses.size(), 1u);
    EXPECT_EQ(asset.guesses[0].subject, "units");
    EXPECT_EQ(asset.guesses[0].value, "0.0564444 m");
    ReadOptions options;
    options.units = "cm";
    EXPECT_TRUE(read(test::two_bones(upper, lower), silent(), options).guesses.empty());
}

TEST(AsfLenient, SectionsCommentsAndCase) {
    std::string text = test::two_bones(upper, lower);
    text = "# a comment: begin\n" + changed(text, ":bonedata", ":BoneData # bones");
    text = changed(text, ":root", ":documentation\n  free text, root (1)\n:ROOT");
    Collector collector;
    EXPECT_EQ(read(text, collector).character.skeleton.size(), 3u);
    EXPECT_TRUE(collector.warnings().empty());
    const Asset asset = read_warned(changed(text, ":hierarchy", ":muscles\n  a 1 2\n:hierarchy"),
                                    "asf-unknown-section", "test.asf:");
    EXPECT_EQ(asset.character.skeleton.size(), 3u);
    read_warned(text + ":skin body.obj hair.obj\n", "asf-skin", "body.obj, hair.obj");
}

TEST(AsfLenient, BrokenBonesAreReadByRule) {
    const std::string text = test::two_bones(upper, lower);
    Asset asset =
        read_warned(changed(text, "direction 1 0 0", "direction 0 0 0"), "asf-direction", "\"lower\"");
    EXPECT_EQ(asset.character.skeleton.joints[2].tip.value(), Vec3d(0, 3, 0));
    asset = read_warned(changed(text, "direction 1 0 0", "direction 0 0 4"), "asf-direction", "length 4");
    EXPECT_EQ(asset.character.skeleton.joints[2].tip.value(), Vec3d(0, 0, 3));
    asset = read_warned(changed(text, "           (-inf inf)\n", ""), "asf-limit-count", "test.asf:");
    EXPECT_EQ(asset.character.skeleton.joints[1].limits.value().high.x(),
              std::numeric_limits<double>::infinity());
    read_warned(changed(text, "dof rx rz", "dof rz rx"), "asf-limit-order", "\"upper\"");
    read_warned(changed(text, "0 0 20 XYZ", "0 0 20 XXZ"), "asf-axis-order", "test.asf:");
    read_warned(changed(text, "length 3", "length nan"), "asf-bad-number", "nan");
    read_warned(changed(text, "length 3", "length 3\n    colour red"), "asf-unknown-key", "colour");
    read_warned(changed(text, "length 0.45", "length -1"), "asf-length-unit", "test.asf:");
    read_warned(changed(text, "  order TX TY TZ RX RY RZ\n", ""), "asf-root-order", "test.asf");
}

TEST(AsfLenient, BrokenHierarchiesAreReadByRule) {
    const std::string text = test::two_bones(upper, lower);
    Asset asset = read_warned(changed(text, "    upper lower\n", "    upper ghost\n    ghost lower\n"),
                              "asf-undefined-bone", "test.asf:33: bone \"ghost\"");
    EXPECT_EQ(asset.character.skeleton.size(), 2u) << "what hangs on the ghost goes with it";
    asset = read_warned(changed(text, "    upper lower\n", ""), "asf-unreached-bone", "\"lower\"");
    EXPECT_EQ(asset.character.skeleton.joints[2].parent, 0);
    EXPECT_EQ(asset.character.skeleton.joints[2].rest.translation, Vec3d(0, 0, 0));
    asset = read_warned(changed(text, "    upper lower\n", "    upper lower\n    root lower\n"),
                        "asf-second-parent", "\"lower\"");
    EXPECT_EQ(asset.character.skeleton.joints[2].parent, 1);
    read_warned(changed(text, "  end\n:hier", "  end\n  begin\n    name lower\n  end\n:hier"),
                "asf-double-bone", "\"lower\"");
}

TEST(AsfLenient, CyclesAndOtherTextsAreErrors) {
    const std::string text = test::two_bones(upper, lower);
    EXPECT_HAS(error_of(changed(text, "    root upper\n", "    lower upper\n")), "cycle");
    EXPECT_HAS(error_of(changed(text, "    root upper\n", "    upper root\n")), "the root is a child of");
    EXPECT_HAS(error_of("hello world\n"), "no :root and no :bonedata");
    EXPECT_HAS(error_of(changed(text, "length 3", "length three")),
               "test.asf:27: expected a length, found \"three\"");
    EXPECT_HAS(error_of(text.substr(0, text.find("length 3"))), "ends within a bone");
    EXPECT_HAS(error_of(""), "empty");
}

// A cut file or a changed byte is an error or a warning, or changes nothing but values; it never crashes.
TEST(AsfLenient, AnyCutAndAnyByteIsReadOrRefused) {
    const std::string text = test::two_bones(upper, lower);
    for (std::size_t size = 0; size < text.size(); ++size) error_of(text.substr(0, size));
    for (std::size_t at = 0; at < text.size(); ++at) {
        for (const char c : {'\0', ' ', '\n', ':', '9', 'x', '\xFF'}) {
            std::string broken = text;
            broken[at] = c;
            error_of(broken);
        }
    }
}

TEST(AsfRealFiles, ReadWithoutWarnings) {
    SINEW_NEEDS_DATA();
    for (const char* const name : {"01", "07", "11"}) {
        Collector collector;
        const Asset asset = io::read(test::data(fmt::format("asf-amc/{}.asf", name)), {}, collector);
        EXPECT_EQ(asset.character.skeleton.size(), 31u);
        EXPECT_TRUE(collector.warnings().empty()) << collector.warnings()[0].text;
    }
}

}  // namespace asf_test
}  // namespace sinew::io
