// SPDX-License-Identifier: MIT
#include "fit/sequences.h"
#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/fit/decomposition/corrections.h"
#include "sinew/fit/fit.h"
#include "sinew/fit/fit_file.h"
#include "sinew/fit/result/character.h"

namespace sinew::fit {
namespace {

using model::MeshSequence;

MeshSequence bent(double direction, std::size_t frames, double rate) {
    MeshSequence sequence = test::played(test::bar(20), frames, [&](const Vec3d& p, double time) {
        return test::hinged(p, direction * time);
    });
    sequence.rate = rate;
    return sequence;
}

/// Three motions, two of them of the same name.
JoinedSequence three() {
    std::vector<std::pair<std::string, MeshSequence>> motions;
    motions.emplace_back("up", bent(1, 6, 30));
    motions.emplace_back("down", bent(-1, 4, 60));
    motions.emplace_back("up", bent(0.5, 3, 30));
    return joined(std::move(motions));
}

FitResult fit_of(const JoinedSequence& joined, std::size_t corrections = 0) {
    FitResult fit = fit::fit(joined.sequence, {.bones = 2, .corrections = corrections}).fit;
    fit.clips = joined.clips;
    return fit;
}

TEST(Clips, LieOneBehindTheOtherWithNamesOfTheirOwn) {
    const JoinedSequence all = three();
    EXPECT_EQ(all.sequence.frames.size(), 13u);
    const std::vector<ClipRange> expected = {{"up", 0, 6, 30}, {"down", 6, 4, 60}, {"up_2", 10, 3, 30}};
    EXPECT_EQ(all.clips, expected);
    EXPECT_EQ(all.sequence.frames[7], bent(-1, 4, 60).frames[1]);
}

TEST(Clips, ShareBonesAndWeightsAndPlayByThemselves) {
    const JoinedSequence all = three();
    const FitResult fit = fit_of(all, 1);
    EXPECT_LT(fit_error(all.sequence, fit).rms, 1e-3);
    const model::Character characters[] = {to_character(fit)};
    for (const model::Character& character : characters) {
        model::validate(character, "fit");
        ASSERT_EQ(character.clips.size(), 3u);
        for (std::size_t c = 0; c < 3; ++c) {
            const ClipRange& range = all.clips[c];
            EXPECT_EQ(character.clips[c].name, range.name);
            EXPECT_NEAR(model::time_range(character.clips[c]).duration(),
                        static_cast<double>(range.count - 1) / range.rate, 1e-6);
            for (std::size_t f = 0; f < range.count; ++f) {
                const auto world = model::world_matrices(character, &character.clips[c],
                                                         static_cast<double>(f) / range.rate);
                const std::vector<math::Mat4d> palette = model::palette(character.skin, world);
                for (std::size_t j = 0; j < fit.bone_count(); ++j)
                    EXPECT_LT((palette[j].topRows<3>() - fit.frames[range.first + f].matrices[j]).norm(),
                              1e-4)
                        << c << " " << f;
            }
        }
    }
    ASSERT_EQ(characters[0].clips[1].morph_tracks.size(), 1u);
    EXPECT_EQ(characters[0].clips[1].morph_tracks[0].weight.values.size(), 4u);
}

TEST(Clips, AreKeptInFilesOfFits) {
    const FitResult fit = fit_of(three());
    std::string bytes = write_fit(fit);
    EXPECT_EQ(read_fit(as_bytes(bytes), "a.fit").clips, fit.clips);
    // A clip that is longer than the file says is named with its byte.
    const std::size_t slot = bytes.find("CLIP") + 12 + 4 + 2 + 2;
    bytes[slot] = 99;
    EXPECT_THROW(read_fit(as_bytes(bytes), "a.fit"), Error);
}

TEST(Clips, HaveErrorsOfTheirOwn) {
    SequenceError error;
    error.frame_rms = {1, 1, 0, 3, 4};
    const std::vector<ClipRange> clips = {{"a", 0, 3, 30}, {"b", 3, 2, 30}};
    const std::vector<double> rms = clip_rms(clips, error);
    EXPECT_NEAR(rms[0], std::sqrt(2.0 / 3), 1e-12);
    EXPECT_NEAR(rms[1], std::sqrt(12.5), 1e-12);
}

TEST(Clips, OfAnotherMeshAreNamed) {
    std::vector<std::pair<std::string, MeshSequence>> motions;
    motions.emplace_back("bar", bent(1, 3, 30));
    motions.emplace_back("sheet", test::played(test::sheet(5), 3, test::rolled));
    try {
        joined(std::move(motions));
        FAIL();
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("sheet: has 25 vertices"), std::string::npos)
            << error.what();
    }
    std::vector<NamedSource> sources;
    const MeshSequence first = bent(1, 3, 30);
    MeshSequence second = first;
    std::swap(second.rest.triangles[0], second.rest.triangles[1]);
    sources.push_back({"a", source_of(first)});
    sources.push_back({"b", source_of(second)});
    EXPECT_THROW(joined(std::move(sources)), Error);
    EXPECT_THROW(joined(std::vector<NamedSource>{}), Error);
}

TEST(Clips, StreamLikeTheWhole) {
    const MeshSequence up = bent(1, 6, 30), down = bent(-1, 4, 60);
    std::vector<NamedSource> motions;
    motions.push_back({"up", source_of(up)});
    motions.push_back({"down", source_of(down)});
    const JoinedSource all = joined(std::move(motions));
    ASSERT_EQ(all.source.count, 10u);
    EXPECT_EQ(all.source.frame(5), up.frames[5]);
    EXPECT_EQ(all.source.frame(6), down.frames[0]);
    const Fitted part = fit(all.source, {.bones = 2}, 5);
    EXPECT_EQ(part.fit.frames.size(), 10u);
    EXPECT_LT(part.error.rms, 1e-2);
}

}  // namespace
}  // namespace sinew::fit
