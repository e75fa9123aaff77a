// SPDX-License-Identifier: MIT
#include <set>

#include <gtest/gtest.h>

#include "sinew/math/transform.h"
#include "sinew/render/figures.h"
#include "sinew/sample/samples.h"

namespace sinew::render {
namespace {

using math::Mat4d;
using math::Vec3d;

/// The tube, bent by 60 degrees about x through (0, 0.5, 0), and turned as a whole.
struct Bent {
    model::Character tube = sample::make_tube();
    model::InfluenceSets sets = model::group_by_influences(tube.skin, &tube.skeleton);
    math::Rigidd whole{math::axis_angle<double>(Vec3d::UnitY(), 0.7), Vec3d(1, 2, 3)};
    std::vector<Mat4d> palette = {
        whole.matrix(),
        (whole * math::rotation_about<double>({0, 0.5, 0}, Vec3d::UnitX(), math::radians(60))).matrix()};

    BlendScene scene() const { return {tube.skin, tube.skeleton, sets, palette, tube.mesh.positions}; }
    Vec3f joint() const { return (whole * Vec3d(0, 0.5, 0)).cast<float>(); }
};

TEST(BlendOverlay, TheCentreOfTheBendLiesOnItsAxis) {
    const Bent bent;
    const Overlay overlay = center_overlay(bent.scene());
    ASSERT_EQ(overlay.spheres.size(), 1u) << "one set has two joints";
    // Any point of the axis is a centre: the least-norm one is at the joint.
    EXPECT_LT((overlay.spheres[0].center - bent.joint()).norm(), 1e-5f);
}

TEST(BlendOverlay, TheScrewAxisIsTheHinge) {
    const Bent bent;
    const Overlay overlay = screw_overlay(bent.scene());
    ASSERT_EQ(overlay.segments.size(), 1u);
    const SegmentShape& axis = overlay.segments[0];
    EXPECT_LT(((axis.start + axis.end) / 2 - bent.joint()).norm(), 1e-5f);
    const Vec3f hinge = (bent.whole.rotation * Vec3d::UnitX()).cast<float>();
    EXPECT_NEAR(std::abs((axis.end - axis.start).normalized().dot(hinge)), 1, 1e-5);
    Bent straight;
    straight.palette[1] = straight.palette[0];
    EXPECT_TRUE(screw_overlay(straight.scene()).segments.empty()) << "what did not turn has no axis";
}

TEST(BlendOverlay, WaysAreSegmentsOrArcs) {
    const Bent bent;
    const auto longest = [&](deform::Method method) {
        const Overlay overlay = trajectory_overlay(bent.scene(), method, 10);
        EXPECT_GE(overlay.segments.size(), 10u * 16);
        double max = 0;
        for (std::size_t i = 0; i + 15 < overlay.segments.size(); i += 16) {
            double length = 0;
            for (std::size_t k = 0; k < 16; ++k)
                length += (overlay.segments[i + k].end - overlay.segments[i + k].start).norm();
            const double chord = (overlay.segments[i + 15].end - overlay.segments[i].start).norm();
            if (chord > 1e-3) max = std::max(max, length / chord);
        }
        return max;
    };
    EXPECT_NEAR(longest(deform::Method::lbs), 1, 1e-4);
    // An arc of 60 degrees against its chord: (pi / 3) / (2 sin 30).
    EXPECT_NEAR(longest(deform::Method::dqs), math::pi / 3, 1e-3);
    EXPECT_TRUE(trajectory_overlay(bent.scene(), deform::Method::cor).segments.empty());
}

TEST(BlendOverlay, VerticesOfASetShareItsColour) {
    const Bent bent;
    const std::vector<Vec4f> colors = set_colors(bent.sets);
    ASSERT_EQ(colors.size(), bent.tube.mesh.vertex_count());
    std::set<std::array<float, 3>> seen;
    for (std::size_t v = 0; v < colors.size(); ++v) {
        const std::uint32_t first = bent.sets.vertices_of(bent.sets.sets[bent.sets.set_of[v]]).front();
        EXPECT_EQ(colors[v], colors[first]);
        seen.insert({colors[v].x(), colors[v].y(), colors[v].z()});
    }
    EXPECT_EQ(seen.size(), 3u);
}

}  // namespace
}  // namespace sinew::render
