// SPDX-License-Identifier: MIT
#include "sinew/deform/deformer.h"

#include "reference/deform/reference.h"
#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/sample/samples.h"

namespace sinew::deform {
namespace deformer_test {

using math::Vec3d;
using math::Vec3f;

double farthest(std::span<const Vec3f> a, std::span<const Vec3f> b) {
    double largest = 0;
    for (const float d : vertex_distances(a, b)) largest = std::max(largest, double(d));
    return largest;
}

std::vector<Vec3f> narrowed(const std::vector<Vec3d>& points) {
    std::vector<Vec3f> result;
    for (const Vec3d& p : points) result.push_back(p.cast<float>());
    return result;
}

/// The middle of the tube pushed out, and its normals bent, by a shape key that a clip drives.
model::Character tube_with_morph() {
    model::Character tube = sample::make("tube");
    geometry::Morph morph;
    morph.name = "wide";
    morph.weight = 0.25f;
    for (std::size_t v = 0; v < tube.mesh.vertex_count(); ++v) {
        morph.positions.push_back(0.05f * tube.mesh.normals[v]);
        morph.normals.emplace_back(0, 0.3f, 0);
    }
    tube.mesh.morphs.push_back(morph);
    model::MorphTrack track;
    track.morph = 0;
    track.weight.times = model::KeyTimes::even(0, 2, 2);
    track.weight.values = {0, 1};
    tube.clips[0].morph_tracks.push_back(track);
    return tube;
}

TEST(Deformer, GivesWhatTheFormulasGiveForEveryMethod) {
    const model::Character tube = sample::make("tube");
    for (const MethodInfo& info : methods()) {
        Deformer deformer(tube, {.method = info.method});
        for (const char* name : {"bend", "twist"}) {
            const model::Clip* clip = model::find_clip(tube, name);
            const DeformedSkin& skin = deformer.at(clip, 0.6);
            const auto expected = deform<double>(tube, clip, 0.6, info.method);
            EXPECT_LT(farthest(skin.positions, narrowed(expected.positions)), 2e-5)
                << info.name << " " << name;
            EXPECT_LT(farthest(skin.normals, narrowed(expected.normals)), 2e-3) << info.name << " " << name;
            EXPECT_GT(skin.seconds, 0);
        }
    }
}

TEST(Deformer, AtRestIsTheRestMesh) {
    const model::Character man = sample::make("man");
    Deformer deformer(man, {.method = Method::lbs});
    EXPECT_LT(farthest(deformer.at(nullptr, 0).positions, man.mesh.positions), 1e-6);
}

TEST(Deformer, MorphsComeBeforeTheSkin) {
    const model::Character tube = tube_with_morph();
    const model::Clip* clip = &tube.clips[0];
    Deformer deformer(tube, {.method = Method::dqs});
    for (const double time : {0.0, 0.5, 1.0, 0.5}) {
        const DeformedSkin& skin = deformer.at(clip, time);
        const auto expected = deform<float>(tube, clip, time, Method::dqs);
        EXPECT_LT(farthest(skin.positions, expected.positions), 2e-5) << time;
        EXPECT_LT(farthest(skin.normals, expected.normals), 2e-3) << time;
    }
    EXPECT_LT(farthest(deformer.at(clip, 0).positions, tube.mesh.positions), 1e-6) << "weight 0 at rest";
    const std::vector<Vec3f> wide = deformer.at(nullptr, 0).positions;
    EXPECT_NEAR(farthest(wide, tube.mesh.positions), 0.25 * 0.05, 1e-5) << "rest weight of the morph";
    // A character without a skin has its morphs, too.
    model::Character bare;
    bare.mesh = tube.mesh;
    EXPECT_LT(farthest(Deformer(bare).at(nullptr, 0).positions, wide), 1e-5);
}

TEST(Deformer, PosesAndPackedClipsAreTheClip) {
    const model::Character man = sample::make("man");
    const model::Clip* walk = model::find_clip(man, "walk");
    Deformer deformer(man);
    const std::vector<Vec3f> expected = deformer.at(walk, 0.5).positions;
    EXPECT_EQ(deformer.at(model::sample(*walk, man.skeleton, 0.5)).positions, expected);
    EXPECT_LT(farthest(deformer.at(model::pack(*walk, man.skeleton), 0.5).positions, expected), 1e-4);
    EXPECT_THROW(deformer.at(std::vector<math::Transform>(2)), Error);
}

TEST(Deformer, CorrectionsComeAfterTheSkin) {
    const model::Character tube = sample::make("tube");
    const model::Clip* bend = model::find_clip(tube, "bend");
    Deformer plain(tube, {.method = Method::dqs});
    const std::vector<Vec3f> blended = plain.at(bend, 1).positions;
    for (const Corrective kind : {Corrective::delta_mush, Corrective::direct_delta_mush,
                                  Corrective::swing_twist, Corrective::limit_bulge}) {
        DeformerOptions options;
        options.corrective.kind = kind;
        Deformer deformer(tube, options);
        EXPECT_LT(farthest(deformer.at(nullptr, 0).positions, tube.mesh.positions), 1e-4) << name(kind);
        const DeformedSkin& skin = deformer.at(bend, 1);
        EXPECT_GT(farthest(skin.positions, blended), 1e-3) << name(kind);
        EXPECT_LT(farthest(skin.positions, blended), 0.3) << name(kind);
        EXPECT_EQ(skin.normals.size(), tube.mesh.vertex_count());
    }
}

TEST(Deformer, TransformsTakeTheRestMeshToTheFrame) {
    const model::Character tube = sample::make("tube");
    const model::Clip* bend = model::find_clip(tube, "bend");
    for (const MethodInfo& info : methods()) {
        Deformer deformer(tube, {.method = info.method});
        const std::vector<Vec3f> moved = deformer.at(bend, 0.8).positions;
        const std::vector<math::Mat4d> maps = deformer.transforms();
        for (std::size_t v = 0; v < maps.size(); ++v)
            EXPECT_LT((math::transform_point(maps[v], tube.mesh.positions[v].cast<double>()) -
                       moved[v].cast<double>())
                          .norm(),
                      1e-5)
                << info.name;
        EXPECT_EQ(deformer.at(bend, 0.8).positions, moved) << "asking changes nothing";
    }
}

TEST(Deformer, ChangesItsMethodAndRefusesWhatDoesNotFit) {
    model::Character tube = sample::make("tube");
    const model::Clip* bend = model::find_clip(tube, "bend");
    Deformer deformer(tube);
    deformer.set_method(Method::cor);
    EXPECT_LT(farthest(deformer.at(bend, 1).positions, deform<float>(tube, bend, 1, Method::cor).positions),
              2e-5);
    EXPECT_THROW(Deformer(tube, {.displacements = {Vec3d::Zero()}}), Error);
    model::Character loose = tube;
    loose.skin.influences.clear();
    std::ranges::fill(loose.skin.offsets, 0u);
    EXPECT_THROW(Deformer{loose}, Error);
    const geometry::Mesh mesh = deformer.mesh_at(bend, 1);
    EXPECT_EQ(mesh.positions, deformer.skin().positions);
    EXPECT_TRUE(mesh.morphs.empty());
}

}  // namespace deformer_test
}  // namespace sinew::deform
