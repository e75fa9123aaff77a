// SPDX-License-Identifier: MIT
#include "sinew/sample/sequences.h"

#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/geometry/topology.h"

namespace sinew::sample {
namespace {

TEST(Sequences, HaveThePublishedCountsAndAreSound) {
    EXPECT_EQ(sequences().size(), 12u);
    for (const SequenceSample& sample : sequences()) {
        const model::MeshSequence sequence = make_sequence(sample.name, {.vertices = 0, .frames = 4});
        EXPECT_EQ(sequence.rest.positions.size(), sample.vertices) << sample.name;
        EXPECT_EQ(sequence.frames.size(), 4u);
        model::validate(sequence, sample.name);
        EXPECT_EQ(sequence.frames[0], sequence.rest.positions) << sample.name;
    }
}

TEST(Sequences, SkirtsAreTubesAndBodiesAreClosed) {
    const auto borders = [](std::string_view name) {
        return geometry::topology(make_sequence(name, {.vertices = 700, .frames = 1}).rest);
    };
    EXPECT_FALSE(borders("falling-skirt-1").closed);
    EXPECT_TRUE(borders("falling-skirt-1").manifold);
    EXPECT_TRUE(borders("cloth-body").closed);
    EXPECT_TRUE(borders("soft-body").manifold);
}

/// Longest edge of the last frame over that at rest.
double stretch(const model::MeshSequence& sequence) {
    double max = 0;
    for (const geometry::Triangle& t : sequence.rest.triangles) {
        for (std::size_t i = 0; i < 3; ++i) {
            const std::uint32_t a = t[i], b = t[(i + 1) % 3];
            const double rest =
                static_cast<double>((sequence.rest.positions[a] - sequence.rest.positions[b]).norm());
            const double now =
                static_cast<double>((sequence.frames.back()[a] - sequence.frames.back()[b]).norm());
            max = std::max(max, now / rest);
        }
    }
    return max;
}

TEST(Sequences, ClothMovesAndIsNotTornApart) {
    for (const char* name : {"falling-skirt-1", "skirt-walk-1", "curtain", "flag"}) {
        const model::MeshSequence sequence = make_sequence(name, {.vertices = 500, .frames = 40});
        EXPECT_LT(stretch(sequence), 1.5) << name;
        double moved = 0;
        for (std::size_t v = 0; v < 500; ++v)
            moved = std::max(
                moved, static_cast<double>((sequence.frames.back()[v] - sequence.rest.positions[v]).norm()));
        EXPECT_GT(moved, 0.3) << name;
    }
}

TEST(Sequences, AreTheSameEveryTimeAndUnknownNamesAreListed) {
    const SequenceOptions options{.vertices = 300, .frames = 10};
    EXPECT_EQ(make_sequence("flag", options).frames, make_sequence("flag", options).frames);
    try {
        make_sequence("cape");
        FAIL();
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("curtain"), std::string::npos);
    }
}

}  // namespace
}  // namespace sinew::sample
