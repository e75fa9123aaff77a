// SPDX-License-Identifier: MIT
#include "io/acclaim/amc_support.h"
#include "io/mesh/mesh_support.h"

#include "sinew/io/acclaim/acclaim.h"
#include "sinew/io/bvh/bvh.h"

namespace sinew::io {
namespace amc_test {

using math::Vec3d;
using test::AmcPair;
using test::place;
using test::tip;
using test::two_bones;

constexpr const char* upper = "    direction 0 1 0\n    length 2\n    axis 0 0 90 XYZ\n    dof rx\n";
constexpr const char* lower = "    direction 1 0 0\n    length 3\n    axis 0 0 0 XYZ\n    dof rx ry rz\n";

std::string frames(std::string_view body) {
    return std::string(":FULLY-SPECIFIED\n:DEGREES\n").append(body);
}

/// Reads with exactly one warning.
Asset read_warned(const std::string& amc, std::string_view code, std::string_view text) {
    const AmcPair pair(two_bones(upper, lower), amc);
    Collector collector;
    Asset asset = pair.read({}, collector);
    EXPECT_EQ(collector.warnings().size(), 1u);
    EXPECT_TRUE(collector.has(code)) << (collector.warnings().empty() ? "none"
                                                                      : collector.warnings()[0].code);
    if (!collector.warnings().empty()) {
        EXPECT_HAS(collector.warnings()[0].text, text);
    }
    return asset;
}

// Test 17 of the specification: C M C^-1 = R_y(90) for an axis of (0, 0, 90) and rx 90.
TEST(Amc, TurnsAboutTheAxesOfTheBone) {
    const AmcPair pair(two_bones(upper, lower), frames("1\nroot 1 2 3 0 0 0\nupper 90\nlower 0 0 0\n"));
    Collector collector;
    const Asset asset = pair.read({}, collector);
    EXPECT_TRUE(collector.warnings().empty());
    const math::Mat4d world = test::world(asset, 0)[1];
    math::Mat3d expected;
    expected << 0, 0, 1, 0, 1, 0, -1, 0, 0;
    EXPECT_LT((world.topLeftCorner<3, 3>() - expected).norm(), 1e-6);
    EXPECT_LT((place(asset, 0, "upper") - Vec3d(1, 2, 3)).norm(), 1e-6);
    EXPECT_LT((place(asset, 0, "lower") - Vec3d(1, 4, 3)).norm(), 1e-6);
    EXPECT_LT((tip(asset, 0, "lower") - Vec3d(1, 4, 0)).norm(), 1e-6);
}

TEST(Amc, DofsTurnInTheirOrderAboutFixedAxes) {
    // x first, then z: the y axis goes to z and stays; z then x would leave it at -x.
    const AmcPair pair(
        two_bones("    direction 0 1 0\n    length 2\n    axis 0 0 0 XYZ\n    dof rx rz\n", lower),
        frames("1\nroot 0 0 0 0 0 0\nupper 90 90\nlower 0 0 0\n"));
    EXPECT_LT((place(pair.read(), 0, "lower") - Vec3d(0, 0, 2)).norm(), 1e-6);
    const AmcPair other(
        two_bones("    direction 0 1 0\n    length 2\n    axis 0 0 0 XYZ\n    dof rz rx\n", lower),
        frames("1\nroot 0 0 0 0 0 0\nupper 90 90\nlower 0 0 0\n"));
    EXPECT_LT((place(other.read(), 0, "lower") - Vec3d(-2, 0, 0)).norm(), 1e-6);
}

TEST(Amc, AnglesFollowTheFlagElseTheSkeleton) {
    const std::string body = "1\nroot 0 0 0 0 0 1.5707963267948966\nupper 0\nlower 0 0 0\n";
    const auto turned = [&](std::string_view flag, std::string_view units) {
        const AmcPair pair(two_bones(upper, lower, units), std::string(flag) + body);
        return (place(pair.read(), 0, "lower") - Vec3d(-2, 0, 0)).norm() < 1e-6;
    };
    EXPECT_TRUE(turned(":RADIANS\n", ""));
    EXPECT_TRUE(turned("", "  angle rad\n"));
    EXPECT_FALSE(turned("", ""));
    EXPECT_FALSE(turned(":DEGREES\n", "  angle rad\n"));
}

TEST(Amc, LengthAndTranslationDofsMoveStarts) {
    const AmcPair pair(two_bones("    direction 0 1 0\n    length 2\n    axis 0 0 0 XYZ\n    dof rz l\n",
                                 "    direction 1 0 0\n    length 3\n    axis 0 0 90 XYZ\n    dof tx ty\n"),
                       frames("1\nroot 0 0 0 0 0 0\nupper 0 0\nlower 0 0\n"
                              "2\nroot 0 0 0 0 0 0\nupper 90 1\nlower 0.5 0\n"));
    const Asset asset = pair.read();
    EXPECT_LT((place(asset, 0, "lower") - Vec3d(0, 2, 0)).norm(), 1e-6);
    // (0, 3, 0) for the longer bone, tx along the bone's x axis, which is the world's y; all turned by 90.
    EXPECT_LT((place(asset, 1, "lower") - Vec3d(-3.5, 0, 0)).norm(), 1e-6);
}

TEST(Amc, RateIsAGuessOrGiven) {
    const AmcPair pair(
        two_bones(upper, lower),
        frames("1\nroot 0 0 0 0 0 0\nupper 0\nlower 0 0 0\n2\nroot 0 0 0 0 0 0\nupper 0\nlower 0 0 0\n"));
    Asset asset = pair.read();
    EXPECT_DOUBLE_EQ(model::frame_rate(asset.character.clips.at(0)), 120);
    ASSERT_EQ(asset.guesses.size(), 1u) << "the unit was given";
    EXPECT_EQ(asset.guesses[0].subject, "fps");
    EXPECT_EQ(asset.guesses[0].value, "120");
    ReadOptions options;
    options.rate = 60;
    asset = pair.read(options);
    EXPECT_DOUBLE_EQ(model::frame_rate(asset.character.clips.at(0)), 60);
    EXPECT_TRUE(asset.guesses.empty());
}

TEST(AmcLookup, TakesTheSkeletonThatFits) {
    const test::TemporaryFolder folder;
    const std::string amc = frames("1\nroot 0 0 0 0 0 0\nupper 0\nlower 0 0 0\n");
    const auto put = [&](std::string_view name, double length) {
        test::write_text(folder / name,
                         two_bones(fmt::format("    direction 0 1 0\n    length {}\n", length), lower));
    };
    const auto length = [&](std::string_view name, ReadOptions options = {}) {
        options.units = "file";
        return io::read(folder / name, options).character.skeleton.joints.at(2).rest.translation.y();
    };
    test::write_text(folder / "01_01.amc", amc);
    const std::string none =
        test::read_error([](Bytes, const std::filesystem::path& path, const ReadOptions& options,
                            Monitor& monitor) { return io::read(path, options, monitor); },
                         "", folder / "01_01.amc");
    EXPECT_HAS(none, "needs its ASF skeleton, and there is none beside it: name the skeleton file");
    put("other.asf", 1);
    EXPECT_EQ(length("01_01.amc"), 1) << "the only one";
    put("01.asf", 2);
    EXPECT_EQ(length("01_01.amc"), 2) << "the stem before the first _";
    put("01_01.ASF", 3);
    EXPECT_EQ(length("01_01.amc"), 3) << "the same stem";
    ReadOptions options;
    options.skeleton = folder / "other.asf";
    EXPECT_EQ(length("01_01.amc", options), 1) << "as told";
    test::write_text(folder / "02_01.amc", amc);
    EXPECT_THROW(length("02_01.amc"), Error) << "three, and none fits";
}

TEST(AmcLenient, LinesAreReadByRule) {
    const std::string first = "1\nroot 0 0 0 0 0 0\nupper 10\nlower 1 2 3\n";
    const auto upper_turn = [](const Asset& asset, std::size_t frame) {
        return math::degrees(
            math::angle_between(asset.character.clips.at(0).tracks.at(1).rotation.values.at(frame),
                                math::Quatf(math::Quatf::Identity())));
    };
    Asset asset = read_warned(frames(first + "2\nroot 0 0 0 0 0 0\nlower 1 2 3\n"), "amc-missing-bone",
                              "frame 2 has 2 bones of 3");
    EXPECT_NEAR(upper_turn(asset, 1), 10, 1e-4);
    asset = read_warned(frames(first + "2\nroot 0 0 0 0 0 0\nupper\nlower 1 2 3\n"), "amc-few-numbers",
                        "walk.amc:9");
    EXPECT_NEAR(upper_turn(asset, 1), 10, 1e-4);
    asset = read_warned(frames(first + "2\nroot 0 0 0 0 0 0\nupper 20 30\nlower 1 2 3\n"), "amc-many-numbers",
                        "walk.amc:9");
    EXPECT_NEAR(upper_turn(asset, 1), 20, 1e-4);
    asset = read_warned(frames(first + "2\nroot 0 0 0 0 0 0\nupper nan\nlower 1 2 3\n"), "amc-bad-number",
                        "walk.amc:9");
    EXPECT_NEAR(upper_turn(asset, 1), 10, 1e-4);
    asset = read_warned(frames(first + "2\nroot 0 0 0 0 0 0\nhat 1\nupper 20\nlower 1 2 3\n"),
                        "amc-unknown-bone", "\"hat\"");
    EXPECT_NEAR(upper_turn(asset, 1), 20, 1e-4);
    asset = read_warned(frames(first + "2\nroot 0 0 0 0 0 0\nupper 20\nupper 30\nlower 1 2 3\n"),
                        "amc-double-bone", "\"upper\"");
    EXPECT_NEAR(upper_turn(asset, 1), 30, 1e-4);
    asset = read_warned("root 1 2 3 4 5 6\n" + frames(first), "amc-stray-line", "walk.amc:1");
    asset = read_warned(":SLOWLY\n" + first, "amc-unknown-flag", ":SLOWLY");
    asset = read_warned(frames(first + "1\nroot 0 0 0 0 0 0\nupper 20\nlower 1 2 3\n"), "amc-frame-order",
                        "walk.amc:7");
    EXPECT_EQ(model::frame_count(asset.character.clips.at(0)), 2u);
}

TEST(AmcLenient, HolesInTheFrameNumbersAreInterpolated) {
    const Asset asset = read_warned(frames("1\nroot 0 0 0 0 0 0\nupper 10\nlower 0 0 0\n"
                                           "5\nroot 4 0 0 0 0 0\nupper 50\nlower 0 0 0\n"
                                           "6\nroot 5 0 0 0 0 0\nupper 60\nlower 0 0 0\n"),
                                    "amc-frame-gap", "frame 5 follows 1");
    ASSERT_EQ(model::frame_count(asset.character.clips.at(0)), 6u);
    for (std::size_t f = 0; f < 6; ++f) {
        EXPECT_NEAR(place(asset, f, "upper").x(), static_cast<double>(f), 1e-5);
        const math::Quatf turn = asset.character.clips[0].tracks[1].rotation.values[f];
        EXPECT_NEAR(math::degrees(math::angle_between(turn, math::Quatf(math::Quatf::Identity()))),
                    10.0 * static_cast<double>(f + 1), 1e-3);
    }
}

TEST(AmcLenient, GapsOfMillionsOfFramesAreClosed) {
    const AmcPair pair(two_bones(upper, lower), frames("1\nroot 0 0 0 0 0 0\n99999999\nroot 1 0 0 0 0 0\n"));
    Collector collector;
    EXPECT_EQ(model::frame_count(pair.read({}, collector).character.clips.at(0)), 2u);
    EXPECT_TRUE(collector.has("amc-large-gap"));
}

TEST(AmcLenient, BonesBeforeTheFirstFrameAreSkipped) {
    const Asset asset =
        read_warned("-1\nroot 9 9 9 0 0 0\nupper 9\n1\nroot 1 2 3 0 0 0\n", "amc-stray-line", "walk.amc:1");
    EXPECT_EQ(model::frame_count(asset.character.clips.at(0)), 1u);
    EXPECT_LT((place(asset, 0, "upper") - Vec3d(1, 2, 3)).norm(), 1e-6);
}

TEST(AmcLenient, ABoneThatComesLateIsAtRestBefore) {
    const Asset asset =
        read_warned(frames("1\nroot 1 0 0 0 0 0\n2\nroot 2 0 0 0 0 0\nupper 40\n3\nroot 3 0 0 0 0 0\n"),
                    "amc-missing-bone", "frame 3");
    const auto& track = asset.character.clips.at(0).tracks.at(1);
    ASSERT_EQ(track.rotation.values.size(), 3u);
    EXPECT_NEAR(track.rotation.values[0].w(), 1, 1e-7);
    EXPECT_NEAR(track.rotation.values[1].w(), std::cos(math::radians(20)), 1e-6);
    EXPECT_NEAR(track.rotation.values[2].w(), std::cos(math::radians(20)), 1e-6);
    EXPECT_EQ(asset.character.clips[0].tracks.size(), 2u) << "a bone without values has no keys";
}

TEST(AmcLenient, LineEndsCommentsAndSeparators) {
    const std::string text = frames("# by hand\n1\nroot 1 2 3 0 0 0\nupper 90\nlower 0 0 0\n");
    const auto check = [](const std::string& amc) {
        const AmcPair pair(two_bones(upper, lower), amc);
        Collector collector;
        EXPECT_LT((tip(pair.read({}, collector), 0, "lower") - Vec3d(1, 4, 0)).norm(), 1e-6);
        EXPECT_TRUE(collector.warnings().empty()) << collector.warnings()[0].text;
    };
    std::string crlf, cr;
    for (const char c : text) {
        crlf += c == '\n' ? "\r\n" : std::string(1, c);
        cr += c == '\n' ? '\r' : c;
    }
    check(crlf);
    check(cr);
    check(frames("1\nroot (1, 2, 3) 0 0 0 # there\nupper +9e1\n\nlower 0 0 0"));
}

TEST(AmcLenient, FewNumbersForManyFramesAreRefused) {
    std::string amc = frames("1\nroot 0 0 0 0 0 0\nupper 0\nlower 0 0 0\n");
    for (int f = 2; f < 300'000; ++f) amc += "1\n";
    EXPECT_HAS(AmcPair(two_bones(upper, lower), amc).error(), "numbers for few");
    EXPECT_HAS(AmcPair(two_bones(upper, lower), "").error(), "empty");
}

TEST(AmcLenient, AnyCutAndAnyByteIsReadOrRefused) {
    const std::string text =
        frames("1\nroot 1 2 3 0 0 0\nupper 90\nlower 0 0 0\n2\nroot 1 2 3 0 0 0\nupper 1e1\nlower 0 0 9\n");
    const test::TemporaryFolder folder;
    test::write_text(folder / "a.asf", two_bones(upper, lower));
    ReadOptions options;
    options.skeleton = folder / "a.asf";
    const auto attempt = [&](const std::string& broken) {
        try {
            const Asset asset = read_amc(as_bytes(broken), "test.amc", options, silent());
            model::validate(asset.character, "test.amc");
        } catch (const Error&) {
        }
    };
    for (std::size_t size = 0; size < text.size(); ++size) attempt(text.substr(0, size));
    for (std::size_t at = 0; at < text.size(); ++at) {
        for (const char c : {'\0', ' ', '\n', ':', '9', 'x', '\xFF'}) {
            std::string broken = text;
            broken[at] = c;
            attempt(broken);
        }
    }
}

/// Bones that the conversion to BVH shortened to nothing.
void shorten(model::Skeleton& skeleton) {
    for (model::Joint& joint : skeleton.joints) {
        if (joint.parent < 0) continue;
        const std::string& parent = skeleton.joints[static_cast<std::size_t>(joint.parent)].name;
        if (parent == "thorax" || parent == "lwrist" || parent == "rwrist") joint.rest.translation.setZero();
    }
}

class AmcArchive : public testing::TestWithParam<const char*> {};

// The same trials as BVH: every joint on every frame within 0.1 mm.
TEST_P(AmcArchive, EqualsThePublishedBvh) {
    SINEW_NEEDS_DATA();
    Collector collector;
    ReadOptions plain;
    plain.units = "file";
    Asset amc = io::read(test::data(fmt::format("asf-amc/{}.amc", GetParam())), plain, collector);
    EXPECT_TRUE(collector.warnings().empty()) << collector.warnings()[0].text;
    const Asset bvh = io::read(test::data(fmt::format("bvh/cmu_{}.bvh", GetParam())), plain);
    shorten(amc.character.skeleton);
    const auto& ours = amc.character.skeleton.joints;
    const auto& theirs = bvh.character.skeleton.joints;
    ASSERT_EQ(ours.size(), theirs.size());
    const std::pair<const char*, const char*> names[] = {
        {"root", "Hips"},     {"lfemur", "LeftUpLeg"},        {"rtoes", "RightToeBase"},
        {"thorax", "Spine1"}, {"lowerneck", "Neck"},          {"lwrist", "LeftHand"},
        {"lthumb", "LThumb"}, {"rfingers", "RightHandIndex1"}};
    for (const auto& [a, b] : names)
        EXPECT_EQ(amc.character.skeleton.find(a), bvh.character.skeleton.find(b))
            << "both are written depth first";
    const std::size_t frames = model::frame_count(amc.character.clips.at(0));
    ASSERT_EQ(frames + 1, model::frame_count(bvh.character.clips.at(0)));
    const double metres = 0.0254 / 0.45;
    double worst = 0;
    for (std::size_t f = 0; f < frames; ++f) {
        const auto a = model::joint_positions(test::world(amc, f)),
                   b = model::joint_positions(test::world(bvh, f + 1));
        for (std::size_t j = 0; j < a.size(); ++j) worst = std::max(worst, metres * (a[j] - b[j]).norm());
    }
    EXPECT_LT(worst, 1e-4);
    RecordProperty("worst_mm", fmt::format("{}", worst * 1e3));
}

INSTANTIATE_TEST_SUITE_P(Cmu, AmcArchive, testing::Values("01_01", "07_05", "11_01"));

}  // namespace amc_test
}  // namespace sinew::io
