// SPDX-License-Identifier: MIT
// Playing a clip on a character with morphs allocates nothing after the first frame.

#include "sinew/deform/deformer.h"

#include "counter.h"
#include <gtest/gtest.h>

#include "sinew/sample/samples.h"

namespace sinew::deform {
namespace {

TEST(Allocations, AFrameOfADeformerNeedsNone) {
    model::Character tube = sample::make("tube");
    geometry::Morph morph;
    morph.positions.assign(tube.mesh.vertex_count(), math::Vec3f(0.1f, 0, 0));
    morph.normals = morph.positions;
    tube.mesh.morphs.push_back(morph);
    const model::Clip* bend = model::find_clip(tube, "bend");
    const model::PackedClip packed = model::pack(*bend, tube.skeleton);
    const auto pose = model::sample(*bend, tube.skeleton, 0.5);
    const std::vector<float> weights = {0.5f};
    for (const MethodInfo& info : methods()) {
        if (info.method == Method::sbs_weighted) continue;  // solved by the plain code
        Deformer deformer(tube, {.method = info.method});
        deformer.at(bend, 0);
        EXPECT_EQ(test::allocations_in([&] { deformer.at(bend, 0.7); }), 0u) << info.name;
        EXPECT_EQ(test::allocations_in([&] { deformer.at(packed, 0.7); }), 0u) << info.name;
        EXPECT_EQ(test::allocations_in([&] { deformer.at(pose, weights); }), 0u) << info.name;
    }
}

}  // namespace
}  // namespace sinew::deform
