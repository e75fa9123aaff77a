// SPDX-License-Identifier: MIT
#include "articulated/bodies.h"

#include "sinew/articulated/closing/stages.h"
#include "sinew/articulated/gaps.h"
#include "sinew/base/error.h"
#include "sinew/deform/deformer.h"

namespace sinew::articulated {
namespace {

PartMotion bending(const GapCloser& closer) {
    PartMotion motion{"bend", 10, {}};
    for (const double degrees : {0.0, 30.0, 60.0, 90.0})
        motion.frames.push_back(bent(closer, Vec3d::UnitX(), degrees));
    return motion;
}

/// What is seen at a time: triangles of pieces that have no size are gone.
Mesh seen_at(const model::Character& character, double time) {
    Mesh mesh = character.mesh;
    mesh.positions =
        deform::Deformer(character, {.method = deform::Method::lbs}).at(&character.clips[0], time).positions;
    std::erase_if(mesh.triangles, [&](const geometry::Triangle& t) {
        return mesh.positions[t[0]] == mesh.positions[t[1]] && mesh.positions[t[1]] == mesh.positions[t[2]];
    });
    mesh.parts.clear();
    return mesh;
}

TEST(GapClip, EveryFrameOfTheAnimationIsItsClosedMesh) {
    const GapCloser closer(rigid_parts_of_skin(tube()).body);
    const PartMotion motion = bending(closer);
    const model::Character character = gap_character(closer, motion);
    model::validate(character, "closed");
    EXPECT_GE(character.skeleton.size(), 1 + 2 + 4u);  // a root, the parts, the frames, and shared pieces
    for (std::size_t f = 0; f < 4; ++f) {
        const Mesh mesh = seen_at(character, static_cast<double>(f) / 10);
        const GapFrame frame = closer.close(motion.frames[f]);
        EXPECT_EQ(mesh.triangles.size(), frame.mesh.triangles.size());
        const double expected = geometry::signed_volume(frame.mesh.positions, frame.mesh.triangles);
        EXPECT_NEAR(geometry::signed_volume(mesh.positions, mesh.triangles), expected, 1e-5 * expected);
    }
    // Between two frames the nearest patch is shown.
    EXPECT_EQ(seen_at(character, 0.14).triangles.size(),
              closer.close(motion.frames[1]).mesh.triangles.size());
    EXPECT_EQ(seen_at(character, 0.16).triangles.size(),
              closer.close(motion.frames[2]).mesh.triangles.size());
}

TEST(GapClip, RestIsTheFirstFrame) {
    const GapCloser closer(rigid_parts_of_skin(tube()).body);
    PartMotion motion{"bend", 10, {}};
    for (const double degrees : {50.0, 60.0, 70.0})
        motion.frames.push_back(bent(closer, Vec3d::UnitX(), degrees));
    const model::Character character = gap_character(closer, motion);
    const GapFrame frame = closer.close(motion.frames[0]);
    Mesh mesh = character.mesh;
    mesh.positions = deform::Deformer(character, {.method = deform::Method::lbs}).at(nullptr, 0).positions;
    EXPECT_NEAR(geometry::signed_volume(mesh.positions, mesh.triangles),
                geometry::signed_volume(frame.mesh.positions, frame.mesh.triangles), 1e-8);
}

TEST(GapClip, FramesWithTheSameCutShareItsTriangles) {
    // To and fro: every pose comes twice, and the kept triangles beside the cut are there once for both.
    const GapCloser closer(rigid_parts_of_skin(tube(0.1)).body);
    PartMotion once{"bend", 10, {}};
    for (double degrees = 20; degrees <= 60; degrees += 20)
        once.frames.push_back(bent(closer, Vec3d::UnitX(), degrees));
    PartMotion thrice = once;
    for (int i = 0; i < 2; ++i)
        thrice.frames.insert(thrice.frames.end(), once.frames.begin(), once.frames.end());
    const model::Character a = gap_character(closer, once), b = gap_character(closer, thrice);
    std::size_t changed = 0;  // vertices of patches and of what surrounds them
    for (const std::vector<Rigidd>& world : once.frames) {
        const GapFrame frame = closer.close(world);
        changed += 6 * (frame.patches[0].strip.loop_points() + frame.added_vertices);
    }
    EXPECT_LT(b.mesh.vertex_count() - a.mesh.vertex_count(), changed);
    const Mesh early = seen_at(b, 0.1), late = seen_at(b, 0.7);
    EXPECT_EQ(early.triangles.size(), late.triangles.size());
    EXPECT_NEAR(geometry::signed_volume(early.positions, early.triangles),
                geometry::signed_volume(late.positions, late.triangles), 1e-9);
}

TEST(GapClip, ConstantTopologyIsAPlainSkin) {
    const GapCloser closer(rigid_parts_of_skin(tube()).body, {.constant_topology = true});
    PartMotion motion{"bend", 10, {}};
    for (const double degrees : {0.0, 40.0, 80.0, 110.0})
        motion.frames.push_back(bent(closer, Vec3d(0.6, 0, 0.8), degrees));
    const model::Character character = gap_character(closer, motion);
    model::validate(character, "spread");
    EXPECT_EQ(character.skeleton.size(), 1 + 2 + 3u);  // three rows of new points in the gap
    for (std::size_t f = 0; f < 4; ++f) {
        const GapFrame frame = closer.close(motion.frames[f]);
        deform::Deformer deformer(character, {.method = deform::Method::lbs});
        const deform::DeformedSkin& posed = deformer.at(&character.clips[0], static_cast<double>(f) / 10);
        ASSERT_EQ(posed.positions.size(), frame.mesh.vertex_count());
        EXPECT_EQ(character.mesh.triangles, frame.mesh.triangles);
        for (std::size_t v = 0; v < posed.positions.size(); ++v)
            ASSERT_LT((posed.positions[v] - frame.mesh.positions[v]).norm(), 2e-6f) << f << " " << v;
    }
    EXPECT_THROW(spread_character(GapCloser(rigid_parts_of_skin(tube()).body), motion), Error);
}

TEST(GapClip, FarFromTheGapThereIsOneCopy) {
    const GapCloser closer(rigid_parts_of_skin(tube()).body);
    const model::Character character = gap_character(closer, bending(closer));
    EXPECT_LT(character.mesh.vertex_count(), 2 * closer.body().mesh.vertex_count());
    EXPECT_THROW(gap_character(closer, {}), Error);
}

}  // namespace
}  // namespace sinew::articulated
