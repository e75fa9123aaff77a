// SPDX-License-Identifier: MIT
#include "io/mesh/mesh_support.h"

#include "sinew/io/rig/rig_formats.h"

namespace sinew::io {
namespace skel_test {

constexpr std::string_view arm = R"(
Body  -inf inf  -inf inf  -inf inf
{
    Arm  -30 30  0 150  -10 10
    {
        Hand 0 0 -45.5 45.5 0 0 { End Site { } }
    }
    Tail -1 1 -1 1 -1 1 {
        End Site
    }
}
)";

Asset read_text(std::string_view text, Monitor& monitor = silent()) {
    return read_skel(as_bytes(text), "a.skel", {}, monitor);
}
std::string error_of(std::string_view text) {
    return test::read_error(read_skel, text, "a.skel");
}
std::string codes_of(std::string_view text) {
    Collector collector;
    read_text(text, collector);
    std::string codes;
    for (const Warning& warning : collector.warnings()) {
        EXPECT_TRUE(warning.text.starts_with("a.skel:")) << warning.text;
        codes += warning.code + " ";
    }
    return codes;
}

TEST(Skel, HierarchyAndLimitsInRadians) {
    EXPECT_EQ(codes_of(arm), "");
    const model::Skeleton s = read_text(arm).character.skeleton;
    ASSERT_EQ(s.size(), 4u);
    EXPECT_FALSE(s.joints[0].limits.has_value());
    EXPECT_EQ(s.joints[1].name, "Arm");
    EXPECT_EQ(s.joints[2].parent, 1);
    EXPECT_EQ(s.joints[3].parent, 0);
    ASSERT_TRUE(s.joints[1].limits.has_value());
    EXPECT_NEAR(s.joints[1].limits->low.x(), -math::pi / 6, 1e-15);
    EXPECT_NEAR(s.joints[1].limits->high.y(), math::pi * 5 / 6, 1e-15);
    EXPECT_EQ(s.joints[2].limits->high.z(), 0);
}

TEST(Skel, LooseLayoutReadsTheSame) {
    const std::string loose =
        "Body -inf inf -inf inf -inf inf{Arm -30 30 0 150 -10 10{Hand\t0\n0 -45.5 45.5 0 0// no End Site\n}"
        "Tail -1 1 -1 1 -1 1{EndSite}# comment\n}";
    const std::string bare =
        "\xEF\xBB\xBF"
        "Body -inf inf -inf inf -inf inf\r\n{\r\nArm -30 30 0 150 -10 10 {Hand 0 0 -45.5 45.5 0 0 }"
        "Tail -1 1 -1 1 -1 1 end SITE\r\n}";
    const std::string expected = write_skel(read_text(arm), "b.skel", {}, silent());
    EXPECT_EQ(write_skel(read_text(loose), "b.skel", {}, silent()), expected);
    EXPECT_EQ(write_skel(read_text(bare), "b.skel", {}, silent()), expected);
    EXPECT_EQ(codes_of(loose) + codes_of(bare), "");
}

TEST(Skel, OdditiesAreSaid) {
    EXPECT_EQ(codes_of("A 10 20 0 0 -3 -1"), "skel-rest-outside-limits ");
    EXPECT_EQ(codes_of("A 30 -30 0 0 0 0"), "skel-limits-order ");
    EXPECT_EQ(codes_of("A 0 0 0 0 0 0 {} B 0 0 0 0 0 0 {}"), "skel-several-roots ");
    EXPECT_EQ(codes_of("A 0 0 0 0 0 0 { A 0 0 0 0 0 0 }"), "skel-name ");
    EXPECT_EQ(read_text("A 0 0 0 0 0 0 { A 0 0 0 0 0 0 }").character.skeleton.joints[1].name, "A_2");
}

TEST(Skel, ErrorsNameTheLine) {
    EXPECT_EQ(error_of(""), "a.skel: holds no joint");
    EXPECT_EQ(error_of("A 0 0 0 0 0\n{\n}"), "a.skel:2: expected the highest z angle, found \"{\"");
    EXPECT_EQ(error_of("A 0 0\n0 nan 0 0 {}"),
              "a.skel:2: the highest y angle is not a finite number: \"nan\"");
    EXPECT_HAS(error_of("A 0 0 0 0 0 0 {\nB 0 0 0 0 0 0 {\n}\n"), "a.skel:4: the file ends inside \"A\"");
    EXPECT_HAS(error_of("A 0 0 0 0 0 0 {\n}\n}"), "a.skel:3: a closing brace");
    EXPECT_HAS(error_of("A 0 0 0 0 0 0 {\n End Here }"), "a.skel:2: expected \"End Site\"");
    EXPECT_HAS(error_of("End Site"), "outside every joint");
    EXPECT_HAS(error_of("{"), "expected the name of a joint");
}

TEST(Skel, RoundTripIsExact) {
    test::Random random(5);
    for (int round = 0; round < 20; ++round) {
        Asset asset;
        for (int j = 0; j < 30; ++j) {
            model::Joint joint;
            joint.name = fmt::format("part{}", j);
            joint.parent = j == 0 ? -1 : j - 1 - random.integer(0, std::min(j - 1, 1));
            joint.limits.emplace();
            for (int axis = 0; axis < 3; ++axis) {
                joint.limits->low[axis] = math::radians(-random.uniform() * 180);
                joint.limits->high[axis] = math::radians(random.uniform() * 180);
            }
            asset.character.skeleton.joints.push_back(joint);
        }
        const std::string once = write_skel(asset, "a.skel", {}, silent());
        const Asset back = read_text(once);
        EXPECT_EQ(write_skel(back, "a.skel", {}, silent()), once);
        for (const model::Joint& joint : asset.character.skeleton.joints) {
            const int found = back.character.skeleton.find(joint.name);
            ASSERT_GE(found, 0);
            const model::Joint& other = back.character.skeleton.joints[static_cast<std::size_t>(found)];
            EXPECT_LT((joint.limits->low - other.limits->low).norm(), 1e-15);
            EXPECT_LT((joint.limits->high - other.limits->high).norm(), 1e-15);
        }
    }
    // Files with few digits come back letter for letter.
    const std::string text = write_skel(read_text(arm), "a.skel", {}, silent());
    EXPECT_HAS(text, "Hand  0 0  -45.5 45.5  0 0\n");
    EXPECT_HAS(text, "Body  -inf inf  -inf inf  -inf inf\n");
}

TEST(Skel, WritingSaysWhatIsLost) {
    Asset asset;
    asset.character.skeleton.joints.resize(2);
    asset.character.skeleton.joints[0].name = "left arm";
    asset.character.skeleton.joints[1] = {"end", 0, {}, math::Vec3d(1, 0, 0), {}};
    Collector collector;
    const Asset back = read_text(write_skel(asset, "a.skel", {}, collector));
    EXPECT_TRUE(collector.has("skel-lost-places"));
    EXPECT_TRUE(collector.has("skel-name"));
    EXPECT_EQ(back.character.skeleton.joints[0].name, "left_arm");
    EXPECT_EQ(back.character.skeleton.size(), 2u);
}

TEST(Skel, ANameLikeAByteOrderMarkSurvives) {
    Asset asset;
    asset.character.skeleton.joints.resize(1);
    asset.character.skeleton.joints[0].name = "\xFE\xFF:a";
    const Asset back = read_text(write_skel(asset, "a.skel", {}, silent()));
    EXPECT_EQ(back.character.skeleton.joints[0].name, "\xFE\xFF:a");
}

TEST(Skel, DeepNestingNeedsNoStack) {
    std::string text;
    for (int i = 0; i < 20000; ++i) text += "j 0 0 0 0 0 0{";
    text += std::string(20000, '}');
    EXPECT_EQ(read_text(text).character.skeleton.size(), 20000u);
}

}  // namespace skel_test
}  // namespace sinew::io
