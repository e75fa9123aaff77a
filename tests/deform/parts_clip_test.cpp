#include "deform/parts.h"

#include "sinew/base/error.h"
#include "sinew/deform/parts/gap_clip.h"
#include "sinew/deform/reference.h"

namespace sinew::deform {
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
    mesh.positions = deform<float>(character, &character.clips[0], time, Method::lbs).positions;
    std::erase_if(mesh.triangles, [&](const geometry::Triangle& t) {
        return mesh.positions[t[0]] == mesh.positions[t[1]] && mesh.positions[t[1]] == mesh.positions[t[2]];
    });
    mesh.parts.clear();
    return mesh;
}

TEST(GapClip, EveryFrameOfTheAnimationIsItsClosedMesh) {
    const GapCloser closer(driver_parts(tube()).body);
    const PartMotion motion = bending(closer);
    const model::Character character = gap_character(closer, motion);
    model::validate(character, "closed");
    EXPECT_EQ(character.skeleton.size(), 1 + 2 + 4u);
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

TEST(GapClip, FarFromTheGapThereIsOneCopy) {
    const GapCloser closer(driver_parts(tube()).body);
    const model::Character character = gap_character(closer, bending(closer));
    EXPECT_LT(character.mesh.vertex_count(), 2 * closer.body().mesh.vertex_count());
    EXPECT_THROW(gap_character(closer, {}), Error);
}

}  // namespace
}  // namespace sinew::deform
