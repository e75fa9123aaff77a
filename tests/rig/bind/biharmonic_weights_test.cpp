// SPDX-License-Identifier: MIT
#include "rig/bind/support.h"
#include "support/random.h"
#include <Eigen/Dense>

#include "sinew/base/parallel.h"
#include "sinew/rig/bind/methods.h"

namespace sinew::rig {
namespace {

using test::difference;
using test::expect_convex;
using test::weight;

/// Cells in a row.
FaceNeighbours row_of(std::uint32_t count) {
    FaceNeighbours neighbours(count);
    for (std::uint32_t c = 0; c < count; ++c) {
        neighbours[c].fill(c);
        if (c > 0) neighbours[c][0] = c - 1;
        if (c + 1 < count) neighbours[c][1] = c + 1;
    }
    return neighbours;
}

Eigen::MatrixXd laplacian(const FaceNeighbours& neighbours) {
    const auto n = static_cast<Eigen::Index>(neighbours.size());
    Eigen::MatrixXd k = Eigen::MatrixXd::Zero(n, n);
    for (Eigen::Index i = 0; i < n; ++i) {
        for (const std::uint32_t j : neighbours[static_cast<std::size_t>(i)]) {
            k(i, i) += 1;
            k(i, static_cast<Eigen::Index>(j)) -= 1;
        }
    }
    return k;
}

/// Solves with some cells held at values.
std::vector<double> solve(const FaceNeighbours& neighbours, const std::map<std::uint32_t, double>& held) {
    std::vector<double> x(neighbours.size(), 0.3);
    std::vector<std::uint32_t> free;
    for (std::uint32_t c = 0; c < x.size(); ++c) {
        const auto value = held.find(c);
        if (value == held.end())
            free.push_back(c);
        else
            x[c] = value->second;
    }
    minimize_bending(neighbours, free, x, 1e-10, 20000);
    return x;
}

TEST(MinimizeBending, BetweenTwoClampedEndsItIsACubic) {
    // Two cells held at each end clamp value and slope: x = 3t^2 - 2t^3 in the limit of small cells.
    const auto x = solve(row_of(200), {{0, 0}, {1, 0}, {198, 1}, {199, 1}});
    for (std::size_t i = 0; i < 200; ++i) {
        const double t = std::clamp((static_cast<double>(i) - 0.5) / 198, 0.0, 1.0);
        EXPECT_NEAR(x[i], t * t * (3 - 2 * t), 0.01);
    }
}

TEST(MinimizeBending, KeepsTheBoundsAndIsOptimal) {
    // Held at 0, 1, 0: without bounds the ends swing below 0.
    const FaceNeighbours neighbours = row_of(60);
    const std::map<std::uint32_t, double> held = {{15, 0}, {16, 0}, {30, 1}, {44, 0}, {45, 0}};
    const auto x = solve(neighbours, held);
    const Eigen::MatrixXd k = laplacian(neighbours);
    const Eigen::VectorXd gradient = k * (k * Eigen::Map<const Eigen::VectorXd>(x.data(), 60));
    int bounded = 0;
    for (std::uint32_t c = 0; c < 60; ++c) {
        EXPECT_GE(x[c], 0);
        EXPECT_LE(x[c], 1);
        if (held.contains(c)) continue;
        const double g = gradient[static_cast<Eigen::Index>(c)];
        if (x[c] <= 0) {
            EXPECT_GE(g, -1e-7);  // going below would pay, going up does not
            ++bounded;
        } else if (x[c] < 1) {
            EXPECT_NEAR(g, 0, 1e-7);
        }
    }
    EXPECT_GT(bounded, 5);
}

TEST(BiharmonicWeights, AreConvexAndHalfWhereBonesMeet) {
    const auto mesh = test::body_of(test::capsule(), 0.06);
    const auto table = biharmonic_weights(mesh, test::capsule_skeleton(), silent(), 4000);
    expect_convex(table, mesh.positions.size(), 1e-6);
    for (std::size_t v = 0; v < table.size(); ++v) {
        const float y = mesh.positions[v].y();
        if (std::abs(y) < 0.01f) {
            EXPECT_NEAR(weight(table, v, 0), 0.5, 0.1);
        }
        if (std::abs(y) > 0.5f) {
            EXPECT_GT(weight(table, v, y > 0 ? 1 : 0), 0.95) << y;
        }
    }
}

TEST(BiharmonicWeights, DoNotJumpBetweenLegs) {
    const auto mesh = test::body_of(test::figure(), 0.06);
    const auto skeleton = test::figure_skeleton();
    const auto table = biharmonic_weights(mesh, skeleton, silent(), 8000);
    expect_convex(table, mesh.positions.size(), 1e-6);
    const auto left_shin = [](const math::Vec3d& p) { return p.x() > 0.05 && p.y() < -0.8; };
    EXPECT_EQ(test::max_weight(table, mesh, skeleton.find("shin_r"), left_shin), 0);
}

TEST(BiharmonicWeights, DoNotDependOnScaleOrThreads) {
    const auto mesh = test::body_of(test::figure(), 0.08);
    const auto skeleton = test::figure_skeleton();
    const auto table = biharmonic_weights(mesh, skeleton, silent(), 4000);
    const double factor = 1 << 20;
    EXPECT_LT(difference(table, biharmonic_weights(test::scaled(mesh, static_cast<float>(factor)),
                                                   test::scaled(skeleton, factor), silent(), 4000)),
              1e-6);
    set_thread_count(1);
    EXPECT_EQ(difference(table, biharmonic_weights(mesh, skeleton, silent(), 4000)), 0);
    set_thread_count(0);
}

}  // namespace
}  // namespace sinew::rig
