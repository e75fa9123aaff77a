// SPDX-License-Identifier: MIT
#include "io/mesh/mesh_support.h"
#include "support/data.h"

#include "sinew/io/rig/rig_formats.h"
#include "sinew/model/channels.h"

namespace sinew::io {
namespace clip_file_test {

using model::Extrapolation;
using model::Tangent;

constexpr std::string_view swing = R"(animation {
    range 0 2.5
    numChannels 2
    channel 3 {
        extrapolate constant cycle
        keys 3 {
            0 0 linear linear
            0.5 30.25 smooth flat
            1 0 -2.5 linear
        }
    }
    channel 7 {
        extrapolate 4 3
        keys 1 {
            0 12 flat flat
        }
    }
}
)";

Asset read_text(std::string_view text, Monitor& monitor = silent(), bool legacy = false) {
    ReadOptions options;
    options.legacy_tangents = legacy;
    return read_clip(as_bytes(text), "a.clip", options, monitor);
}
std::string error_of(std::string_view text) {
    return test::read_error(read_clip, text, "a.clip");
}
std::string with_keys(std::string_view keys, int count) {
    return fmt::format("animation {{\nrange 0 1\nnumChannels 1\nchannel 0 {{\nkeys {} {{\n{}\n}}\n}}\n}}",
                       count, keys);
}

TEST(ClipFile, WordsCodesAndSlopes) {
    Collector collector;
    const model::ChannelSet set = read_text(swing, collector).channels;
    EXPECT_TRUE(collector.warnings().empty());
    EXPECT_EQ(set.end, 2.5);
    ASSERT_EQ(set.channels.size(), 2u);
    EXPECT_EQ(set.channels[0].after, Extrapolation::cyclic);
    EXPECT_EQ(set.channels[1].before, Extrapolation::bounce);
    EXPECT_EQ(set.channels[1].after, Extrapolation::cyclic_offset);
    const model::ChannelKey& last = set.channels[0].keys[2];
    EXPECT_EQ(last.in, (model::TangentRule{Tangent::fixed, -2.5}));
    EXPECT_EQ(last.out.kind, Tangent::linear);
    EXPECT_EQ(set.channels[0].keys[1].out.kind, Tangent::flat);
}

TEST(ClipFile, CameraLightsAndColoursHaveNames) {
    const std::string text =
        "animation {\nrange 0 2\nnumChannels 3\nchannel 4 { keys 1 { 0 9 flat flat } }\n"
        "channel Camera.Azimuth {\nextrapolate constant cycle_offset\nkeys 2 {\n0 0 linear linear\n"
        "2 90 linear linear\n}\n}\nchannel background.red { keys 1 { 0 0.5 flat flat } }\n}";
    Collector collector;
    const Asset asset = read_text(text, collector);
    EXPECT_TRUE(collector.warnings().empty());
    const model::ChannelSet& set = asset.channels;
    ASSERT_EQ(set.channels.size(), 1u);
    ASSERT_EQ(set.stage.size(), 2u);
    EXPECT_EQ(set.stage[0].value, model::StageValue::camera_azimuth);
    EXPECT_EQ(set.stage[0].curve.after, Extrapolation::cyclic_offset);
    model::StagePlayer player(set);
    EXPECT_EQ(player.value(model::StageValue::camera_azimuth, 1), 45);
    EXPECT_EQ(player.value(model::StageValue::background_red, 7), 0.5);
    EXPECT_FALSE(player.value(model::StageValue::camera_zoom, 0));
    EXPECT_EQ(read_text(write_clip(asset, "b.clip", {}, silent())).channels.stage, set.stage);
    // A clip of stage channels alone is one too.
    EXPECT_FALSE(read_text("animation { range 0 1 numChannels 1 channel camera.zoom { keys 1 { 0 2 flat "
                           "flat } } }")
                     .channels.empty());
    const std::string unknown = error_of("animation {\nrange 0 1\nnumChannels 1\nchannel camera.tilt {");
    EXPECT_NE(unknown.find("a.clip:4"), std::string::npos) << unknown;
    EXPECT_NE(unknown.find("camera.roll"), std::string::npos) << unknown;
    EXPECT_NE(error_of("animation { range 0 1 numChannels 2 channel camera.fov { keys 0 { } } channel "
                       "camera.FOV { keys 0 { } } }")
                  .find("is defined twice"),
              std::string::npos);
}

TEST(ClipFile, LegacySwitchTurnsNumbersIntoCodes) {
    const std::string text = with_keys("0 5 0 1\n1 6 2 1", 2);
    EXPECT_EQ(read_text(text).channels.channels[0].keys[1].in, (model::TangentRule{Tangent::fixed, 2}));
    const model::Channel old = read_text(text, silent(), true).channels.channels[0];
    EXPECT_EQ(old.keys[0].in.kind, Tangent::flat);
    EXPECT_EQ(old.keys[0].out.kind, Tangent::linear);
    EXPECT_EQ(old.keys[1].in.kind, Tangent::smooth);
    EXPECT_THROW(read_text(with_keys("0 5 3 1", 1), silent(), true), Error);
}

TEST(ClipFile, ReadWriteReadIsIdentical) {
    const Asset once = read_text(swing);
    const std::string text = write_clip(once, "a.clip", {}, silent());
    const Asset twice = read_text(text);
    EXPECT_EQ(once.channels, twice.channels);
    EXPECT_EQ(write_clip(twice, "a.clip", {}, silent()), text);
    test::Random random(9);
    Asset made;
    made.channels.start = random.normal();
    made.channels.end = made.channels.start + 1;
    for (int id = 0; id < 40; ++id) {
        model::Channel channel{
            id, static_cast<Extrapolation>(id % 5), static_cast<Extrapolation>(id % 3), {}};
        for (int k = 0; k < id % 7; ++k) {
            const auto rule = [&] {
                const auto kind = static_cast<Tangent>(random.integer(0, 3));
                return model::TangentRule{kind, kind == Tangent::fixed ? random.normal() * 1e5 : 0};
            };
            channel.keys.push_back({k / 3 + random.uniform() * 1e-3, random.normal(), rule(), rule()});
        }
        std::sort(channel.keys.begin(), channel.keys.end(),
                  [](const auto& a, const auto& b) { return a.time < b.time; });
        made.channels.channels.push_back(channel);
    }
    made.channels.name = "a";
    EXPECT_EQ(read_text(write_clip(made, "a.clip", {}, silent())).channels, made.channels);
}

TEST(ClipFile, OdditiesAreSaid) {
    const auto codes = [](std::string_view text) {
        Collector collector;
        read_text(text, collector);
        std::string list;
        for (const Warning& w : collector.warnings()) {
            EXPECT_TRUE(w.text.starts_with("a.clip:")) << w.text;
            list += w.code + " ";
        }
        return list;
    };
    EXPECT_EQ(codes(with_keys("1 5 flat flat 0 3 flat flat", 2)), "clip-key-order ");
    EXPECT_EQ(codes(with_keys("0 5 flat flat", 2)), "clip-key-count ");
    EXPECT_EQ(codes("animation { range 0 1 numChannels 1 }"), "clip-channel-count ");
    EXPECT_EQ(codes("animation { range 1 0 numChannels 0 }"), "clip-range ");
    EXPECT_EQ(codes("ANIMATION{NUMCHANNELS 0}"), "clip-range ");
    const Asset sorted = read_text(with_keys("1 5 flat flat 0 3 flat flat", 2));
    EXPECT_EQ(sorted.channels.channels[0].keys[0].value, 3);
}

TEST(ClipFile, ErrorsNameTheLine) {
    EXPECT_EQ(error_of("walk"), "a.clip:1: expected \"animation\" at the start, found \"walk\"");
    EXPECT_HAS(error_of("animation {\nrange 0 1\n}"), "a.clip:3: \"numChannels\" is missing");
    EXPECT_HAS(error_of("animation {\nrange 0\n1\nfoo"), "a.clip:4: expected \"range\", ");
    EXPECT_HAS(error_of("animation {\nnumChannels -1 }"), "a.clip:2: the number of channels must be");
    EXPECT_HAS(error_of("animation {\nnumChannels 1\nchannel 2.5 {"), "a.clip:3: the number of a channel");
    EXPECT_HAS(error_of(with_keys("0 nan flat flat", 1)),
               "a.clip:6: the value of a key is not a finite number");
    EXPECT_HAS(error_of(with_keys("0 1 flat", 1)), "a.clip:7: expected a tangent");
    EXPECT_HAS(error_of(with_keys("0 1 curly flat", 1)), "found \"curly\"");
    EXPECT_HAS(error_of("animation { numChannels 1 channel 0 { extrapolate 5 0"), "found \"5\"");
    EXPECT_HAS(error_of("animation { numChannels 1 channel 0 { keys { } } }"), "expected the number of keys");
    EXPECT_HAS(error_of("animation { numChannels 1 channel 0 { } }"), "has no \"keys\"");
    EXPECT_HAS(error_of("animation { range 0 1 numChannels 0 } }"), "expected the end of the file");
    EXPECT_HAS(error_of("animation { range 0 1 numChannels 0"), "the end of the file");
    EXPECT_HAS(error_of("animation { channel 0 { keys 0 { } } channel 0 { keys 0 {} } }"),
               "is defined twice");
}

TEST(ClipFile, ASkeletonBesideItMakesAMotion) {
    const test::TemporaryFolder folder;
    test::write_text(folder / "walk.clip", swing);
    const Asset alone = read(folder / "walk.clip");
    EXPECT_FALSE(alone.character.has_skeleton());
    EXPECT_FALSE(alone.channels.empty());
    test::write_text(folder / "walk.skel", "Body 0 0 0 0 0 0 { Arm -90 90 0 0 0 0 { End Site } }");
    const Asset beside = read(folder / "walk.clip");
    ASSERT_EQ(beside.character.clips.size(), 1u);
    EXPECT_EQ(beside.character.clips[0].name, "walk");
    // Channel 3 is the x angle of the arm: at 0.5 s it is 30.25 degrees.
    const auto pose = model::sample(beside.character.clips[0], beside.character.skeleton, 0.5);
    EXPECT_NEAR(math::degrees(math::rotation_vector(pose[1].rotation).x()), 30.25, 1e-4);
    // Channel 7 is the mover's y.
    EXPECT_NEAR(pose[0].translation.y(), 12, 1e-6);
    test::write_text(folder / "other.skel", "A 0 0 0 0 0 0 { B 0 0 0 0 0 0 { C 0 0 0 0 0 0 {End Site}}}");
    ReadOptions options;
    options.skeleton = folder / "other.skel";
    EXPECT_EQ(read(folder / "walk.clip", options).character.skeleton.size(), 3u);
    // A clip without channels of its own is written from its motion.
    Asset motion = beside;
    motion.channels = {};
    write(folder / "again.clip", motion);
    const Asset again = read(folder / "again.clip");
    EXPECT_NEAR(model::evaluate(model::prepare(*again.channels.find(3)), 0.5), 30.25, 1e-3);
}

TEST(ClipFile, AMotionKeepsItsFramesAndItsRateOnTheWayThere) {
    const test::TemporaryFolder folder;
    std::string rows;
    for (int f = 0; f < 30; ++f)
        rows += fmt::format("0 1 {} {} {} {}\n", 0.1 * f, 12 * f, 5 * f, 70 * (f % 3));
    test::write_text(folder / "walk.bvh",
                     "HIERARCHY\nROOT Hips\n{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition "
                     "Zrotation Xrotation Yrotation\nEnd Site\n{\nOFFSET 0 1 0\n}\n}\nMOTION\nFrames: 30\n"
                     "Frame Time: 0.0083333333\n" +
                         rows);
    const Asset source = read(folder / "walk.bvh");
    write(folder / "walk.skel", source);
    write(folder / "walk.clip", source);
    const Asset again = read(folder / "walk.clip");
    ASSERT_EQ(again.character.clips.size(), 1u);
    const model::Clip &a = source.character.clips[0], &b = again.character.clips[0];
    EXPECT_NEAR(model::frame_rate(b), 120, 1e-3);
    ASSERT_EQ(model::frame_count(b), 30u);
    for (std::size_t f = 0; f < 30; ++f) {
        const auto p = model::world_matrices(source.character, &a, model::frame_time(a, f)),
                   q = model::world_matrices(again.character, &b, model::frame_time(b, f));
        EXPECT_LT((p[0] - q[0]).cwiseAbs().maxCoeff(), 1e-3) << f;
    }
}

}  // namespace clip_file_test
}  // namespace sinew::io
