// SPDX-License-Identifier: MIT
#include "sinew/deform/corrective/delta_mush.h"

#include "support/random.h"
#include "support/shapes.h"
#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/deform/deformer.h"
#include "sinew/sample/samples.h"

namespace sinew::deform {
namespace delta_mush_test {

using math::Vec3f;

double largest(const std::vector<Vec3f>& a, const std::vector<Vec3f>& b) {
    double max = 0;
    for (const float distance : vertex_distances(a, b)) max = std::max(max, double(distance));
    return max;
}

TEST(DeltaMush, KeepsTheRestPoseAndRigidMoves) {
    test::Random random(5);
    for (const geometry::Mesh& mesh : {test::torus(), sample::make("tube").mesh, test::cube()}) {
        const DeltaMush mush(mesh);
        EXPECT_LT(largest(mush.apply(mesh.positions), mesh.positions), 1e-5);
        const math::Rigidd move = random.rigid(3);
        std::vector<Vec3f> moved;
        for (const Vec3f& p : mesh.positions) moved.push_back((move * p.cast<double>()).cast<float>());
        EXPECT_LT(largest(mush.apply(moved), moved), 1e-4);
    }
}

TEST(DeltaMush, SoftensARigidBend) {
    const model::Character tube = sample::make("tube");
    const auto measures = compare_methods(tube, model::find_clip(tube, "bend"), 0.6);
    const auto rigid = std::ranges::find(measures, Method::rigid, &MethodMeasure::method);
    const DeltaMush mush(tube.mesh);
    const std::vector<Vec3f> soft = mush.apply(rigid->positions);
    double before = 0, after = 0;
    for (const geometry::Edge& edge : geometry::edge_table(tube.mesh.triangles).edges) {
        const double rest = (tube.mesh.positions[edge.a] - tube.mesh.positions[edge.b]).norm();
        before = std::max(before, (rigid->positions[edge.a] - rigid->positions[edge.b]).norm() / rest);
        after = std::max(after, (soft[edge.a] - soft[edge.b]).norm() / rest);
    }
    EXPECT_GT(before, 4);
    EXPECT_LT(after, 0.6 * before);
    // Far from the joint nothing changes.
    for (std::size_t v = 0; v < soft.size(); ++v)
        if (tube.mesh.positions[v].y() < 0) {
            EXPECT_LT((soft[v] - rigid->positions[v]).norm(), 2e-4f);
        }
}

TEST(DeltaMush, SeamsStayClosedAndLonePointsStay) {
    geometry::Mesh mesh = test::cube();
    // Every triangle with its own corners, and a point without triangles.
    geometry::Mesh split;
    for (const geometry::Triangle& t : mesh.triangles) {
        const auto first = static_cast<std::uint32_t>(split.positions.size());
        for (const std::uint32_t corner : t) split.positions.push_back(mesh.positions[corner]);
        split.triangles.push_back({first, first + 1, first + 2});
    }
    split.positions.emplace_back(9, 9, 9);
    const DeltaMush mush(split);
    std::vector<Vec3f> posed = split.positions;
    for (Vec3f& p : posed)
        if (p.x() > 0 && p.x() < 9) p.x() += 0.5f;
    const std::vector<Vec3f> soft = mush.apply(posed);
    EXPECT_EQ(soft.back(), Vec3f(9, 9, 9));
    const auto twins = geometry::weld_map(split.positions);
    for (std::size_t v = 0; v < soft.size(); ++v) EXPECT_EQ(soft[v], soft[twins[v]]);
}

TEST(DeltaMush, BadRequestsAreErrors) {
    EXPECT_THROW(DeltaMush(test::cube(), {-1, 0.5}), Error);
    EXPECT_THROW(DeltaMush(test::cube(), {1, 1.5}), Error);
    EXPECT_THROW(DeltaMush(test::cube()).apply({}), Error);
}

}  // namespace delta_mush_test
}  // namespace sinew::deform
