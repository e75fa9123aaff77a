// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "sinew/geometry/topology.h"
#include "sinew/sample/samples.h"

namespace sinew::sample {
namespace {

using math::Mat4d;
using math::Vec3d;

Vec3d moved(const Mat4d& matrix, const Vec3d& point) {
    return (matrix * point.homogeneous()).head<3>();
}

TEST(Screws, EachBlockMovesAsItsNameSays) {
    const model::Character scene = make_screws();
    const Vec3d beside(0.3, 0.2, 0), up = Vec3d::UnitY();
    for (const double time : {0.5, 1.0, 1.7, 3.0}) {
        const std::vector<Mat4d> rest = model::world_matrices(scene, nullptr, 0),
                                 now = model::world_matrices(scene, &scene.clips[0], time);
        const auto at = [&](const char* name) { return static_cast<std::size_t>(scene.skeleton.find(name)); };
        const std::size_t turn = at("Rotation"), slide = at("Translation"), screw = at("Screw"),
                          axis = at("Axis"), last = at("MovingAxis");
        // A rotation keeps its axis; a translation keeps directions; a screw slides along its axis.
        EXPECT_LT((moved(now[turn], up) - moved(rest[turn], up)).norm(), 1e-6);
        EXPECT_GT((moved(now[turn], beside) - moved(rest[turn], beside)).norm(), 0.1);
        EXPECT_LT((now[slide].topLeftCorner<3, 3>() - rest[slide].topLeftCorner<3, 3>()).norm(), 1e-6);
        const Vec3d climbed = moved(now[screw], up) - moved(rest[screw], up);
        EXPECT_NEAR(climbed.norm(), climbed.y(), 1e-6);
        EXPECT_GT(climbed.y(), 0.05);
        // What turns about the moving axis keeps its distance from it, and the axis does lean.
        EXPECT_LT((moved(now[last], up) - moved(now[axis], up)).norm(), 1e-6);
        EXPECT_NEAR((moved(now[axis], up) - moved(now[axis], Vec3d::Zero())).dot(up),
                    std::cos(25 * math::pi / 180), 1e-4);
    }
}

TEST(Screws, TheClipLoopsAndTheBlocksAreClosed) {
    const model::Character scene = make_screws();
    const model::TimeRange range = model::time_range(scene.clips[0]);
    const std::vector<Mat4d> first = model::world_matrices(scene, &scene.clips[0], range.start),
                             end = model::world_matrices(scene, &scene.clips[0], range.end);
    for (std::size_t j = 0; j < first.size(); ++j) EXPECT_LT((first[j] - end[j]).norm(), 1e-5) << j;
    EXPECT_GT(geometry::signed_volume(scene.mesh.positions, scene.mesh.triangles), 0.0);
    EXPECT_NO_THROW(model::validate(scene, "screws"));
}

}  // namespace
}  // namespace sinew::sample
