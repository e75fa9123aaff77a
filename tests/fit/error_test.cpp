// SPDX-License-Identifier: MIT
#include "sinew/base/error.h"

#include <cmath>

#include "support/random.h"
#include <gtest/gtest.h>

#include "sinew/fit/fit.h"

namespace sinew::fit {
namespace {

using math::Vec3f;
using model::MeshSequence;

/// Two vertices over two frames. Vertex 0 goes from 0 to (2,0,0), vertex 1 stays at (0,4,0).
MeshSequence reference() {
    MeshSequence s;
    s.rest.positions = {{0, 0, 0}, {0, 4, 0}};
    s.frames = {{{0, 0, 0}, {0, 4, 0}}, {{2, 0, 0}, {0, 4, 0}}};
    return s;
}

TEST(SequenceError, ByHand) {
    const MeshSequence a = reference();
    MeshSequence b = a;
    b.frames[1][1] += Vec3f(0, 0, 3);
    b.frames[0][0] += Vec3f(0, 1, 0);
    const SequenceError e = sequence_error(a, b);
    // |A - B|^2 = 9 + 1; vertex 0 leaves its mean by 1 in both frames: |A - A_mean|^2 = 2.
    EXPECT_NEAR(e.error_percent, 100 * std::sqrt(10.0 / 2), 1e-9);
    // Centroids (0,2,0) and (1,2,0): squares 4 + 4 and 5 + 5.
    EXPECT_NEAR(e.kg_percent, 100 * std::sqrt(10.0 / 18), 1e-9);
    EXPECT_NEAR(e.erms, 1000 * std::sqrt(10.0 / 12) / 2, 1e-9);
    EXPECT_NEAR(e.rms, std::sqrt(10.0 / 4), 1e-12);
    EXPECT_NEAR(e.mean, 1, 1e-12);
    EXPECT_EQ(e.max, 3);
    EXPECT_EQ(e.worst_frame, 1u);
    EXPECT_EQ(e.worst_vertex, 1u);
    ASSERT_EQ(e.frame_rms.size(), 2u);
    EXPECT_NEAR(e.frame_rms[0], std::sqrt(0.5), 1e-12);
    EXPECT_NEAR(e.frame_rms[1], std::sqrt(4.5), 1e-12);
}

TEST(SequenceError, EqualIsZeroAndTheMeanIsAHundredPercent) {
    test::Random random;
    MeshSequence a;
    a.rest.positions.assign(50, Vec3f::Zero());
    a.frames.assign(20, a.rest.positions);
    for (auto& frame : a.frames) {
        for (Vec3f& p : frame) p = random.vector().cast<float>();
    }
    EXPECT_EQ(sequence_error(a, a).error_percent, 0);
    EXPECT_EQ(sequence_error(a, a).max, 0);
    MeshSequence mean = a;
    for (std::size_t v = 0; v < 50; ++v) {
        math::Vec3d sum = math::Vec3d::Zero();
        for (const auto& frame : a.frames) sum += frame[v].cast<double>() / 20;
        for (auto& frame : mean.frames) frame[v] = sum.cast<float>();
    }
    EXPECT_NEAR(sequence_error(a, mean).error_percent, 100, 1e-4);
}

TEST(SequenceError, ScaleDoesNotChangeTheRelativeMeasures) {
    MeshSequence a = reference(), b = a;
    b.frames[0][0] += Vec3f(0.25f, 0.5f, 0);
    const SequenceError before = sequence_error(a, b);
    for (MeshSequence* s : {&a, &b}) {
        for (Vec3f& p : s->rest.positions) p *= 8;
        for (auto& frame : s->frames) {
            for (Vec3f& p : frame) p *= 8;
        }
    }
    const SequenceError after = sequence_error(a, b);
    EXPECT_NEAR(after.error_percent, before.error_percent, 1e-9);
    EXPECT_NEAR(after.kg_percent, before.kg_percent, 1e-9);
    EXPECT_NEAR(after.erms, before.erms, 1e-9);
    EXPECT_NEAR(after.rms, 8 * before.rms, 1e-9);
}

TEST(SequenceError, WhereBothStandDoesNotMatter) {
    MeshSequence a = reference(), b = a;
    b.frames[0][0] += Vec3f(0.25f, 0.5f, 0);
    const SequenceError before = sequence_error(a, b);
    for (MeshSequence* s : {&a, &b}) {
        for (auto& frame : s->frames) {
            for (Vec3f& p : frame) p += Vec3f(16, -8, 4);
        }
    }
    const SequenceError after = sequence_error(a, b);
    EXPECT_NEAR(after.error_percent, before.error_percent, 1e-9);
    EXPECT_NEAR(after.kg_percent, before.kg_percent, 1e-9);
    EXPECT_NEAR(after.rms, before.rms, 1e-12);
}

TEST(SequenceError, StillReference) {
    MeshSequence a = reference();
    a.frames = {a.rest.positions, a.rest.positions};
    EXPECT_EQ(sequence_error(a, a).error_percent, 0);
    EXPECT_TRUE(sequence_error(a, a).still);
    EXPECT_FALSE(sequence_error(reference(), reference()).still);
    MeshSequence b = a;
    b.frames[0][0].x() = 1;
    EXPECT_TRUE(std::isinf(sequence_error(a, b).error_percent));
    EXPECT_TRUE(std::isfinite(sequence_error(a, b).rms));
}

TEST(SequenceError, Errors) {
    const MeshSequence a = reference();
    MeshSequence b = a;
    b.frames.pop_back();
    EXPECT_THROW(sequence_error(a, b), Error);
    b = a;
    b.frames[1].pop_back();
    EXPECT_THROW(sequence_error(a, b), Error);
    EXPECT_THROW(sequence_error(MeshSequence{}, MeshSequence{}), Error);
}

}  // namespace
}  // namespace sinew::fit
