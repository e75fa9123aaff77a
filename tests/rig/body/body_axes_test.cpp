// SPDX-License-Identifier: MIT
#include "sinew/rig/body/body_axes.h"

#include "rig/bodies.h"
#include "support/samples.h"
#include <gtest/gtest.h>

#include "sinew/rig/skeletonize.h"

namespace sinew::rig {
namespace {

geometry::Mesh turned(const geometry::Mesh& mesh, const model::Similarity& by) {
    model::Character character;
    character.mesh = mesh;
    model::apply(character, by);
    return character.mesh;
}

model::Similarity turn(double degrees, const Vec3d& axis, double scale = 1) {
    return {scale, math::Quatd(Eigen::AngleAxisd(math::radians(degrees), axis)), scale * Vec3d(3, -2, 5)};
}

std::vector<Vec3d> joints_of(const model::Skeleton& skeleton) {
    return model::joint_positions(model::rest_world_matrices(skeleton));
}

void add_box(geometry::Mesh& mesh, const Vec3d& size, const Vec3d& at) {
    const geometry::Mesh box = test::box(size);
    const auto first = static_cast<std::uint32_t>(mesh.positions.size());
    for (const auto& p : box.positions) mesh.positions.emplace_back((p.cast<double>() + at).cast<float>());
    for (const auto& t : box.triangles) mesh.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
}

/// A table whose legs are of one length.
geometry::Mesh table() {
    geometry::Mesh mesh;
    add_box(mesh, {2, 0.2, 1}, Vec3d::Zero());
    for (const double x : {-0.9, 0.9})
        for (const double z : {-0.4, 0.4}) add_box(mesh, {0.1, 1, 0.1}, {x, -0.5, z});
    return mesh;
}

/// Like no body that is known.
geometry::Mesh crane() {
    geometry::Mesh mesh;
    add_box(mesh, {0.4, 3, 0.4}, Vec3d::Zero());
    add_box(mesh, {0.2, 0.2, 2.4}, {0, 1.3, 1});
    add_box(mesh, {1.6, 0.2, 0.3}, {0.5, -1.4, 0.3});
    add_box(mesh, {0.3, 0.2, 1.2}, {-0.1, -1.4, -0.4});
    return mesh;
}

TEST(BodyAxes, ASkeletonTurnsWithItsBody) {
    for (const std::string name : {"horse", "crane"}) {
        const geometry::Mesh mesh = name == "crane" ? crane() : test::sample(name, test::few_faces).mesh;
        const SkeletonizeResult truth = skeletonize(mesh);
        const double size = static_cast<double>(geometry::bounds(mesh.positions).diagonal());
        for (const model::Similarity& by : {turn(45, Vec3d::UnitY()), turn(200, Vec3d::UnitY(), 100)}) {
            const SkeletonizeResult found = skeletonize(turned(mesh, by));
            ASSERT_EQ(found.skeleton.size(), truth.skeleton.size()) << name;
            const std::vector<Vec3d> want = joints_of(truth.skeleton), have = joints_of(found.skeleton);
            for (std::size_t j = 0; j < want.size(); ++j) {
                EXPECT_EQ(found.skeleton.joints[j].name, truth.skeleton.joints[j].name) << name;
                EXPECT_LT((have[j] - by * want[j]).norm(), 0.002 * by.scale * size)
                    << name << " " << truth.skeleton.joints[j].name;
            }
        }
    }
}

TEST(BodyAxes, WhoLeansGetsTheSameSkeleton) {
    const geometry::Mesh mesh = test::sample("man").mesh;
    const std::vector<Vec3d> want = joints_of(skeletonize(mesh).skeleton);
    const double size = static_cast<double>(geometry::bounds(mesh.positions).diagonal());
    for (const Vec3d& axis : {Vec3d(1, 0, 0), Vec3d(0, 0, 1), Vec3d(-0.6, 0, 0.8)}) {
        const model::Similarity by = turn(15, axis);
        const std::vector<Vec3d> have = joints_of(skeletonize(turned(mesh, by)).skeleton);
        ASSERT_EQ(have.size(), want.size());
        for (std::size_t j = 0; j < want.size(); ++j)
            EXPECT_LT((have[j] - by * want[j]).norm(), 0.02 * size) << axis.transpose() << ", joint " << j;
    }
}

TEST(BodyAxes, AMeshIsTheSameInTheAxesOfItsBodyHoweverItIsTurned) {
    const geometry::Mesh& mesh = test::sample("cat", test::few_faces).mesh;
    const geometry::Mesh want = in_axes(mesh, body_axes(mesh, Vec3d::UnitY()));
    const geometry::Mesh other = turned(mesh, turn(77, Vec3d::UnitY(), 0.01));
    const geometry::Mesh have = in_axes(other, body_axes(other, Vec3d::UnitY()));
    std::size_t same = 0;
    for (std::size_t v = 0; v < want.positions.size(); ++v) {
        EXPECT_LT((want.positions[v] - have.positions[v]).norm(), 2e-4f);
        same += want.positions[v] == have.positions[v] ? 1 : 0;
    }
    EXPECT_GT(same, want.positions.size() * 9 / 10);
    EXPECT_NEAR(static_cast<double>(geometry::bounds(want.positions).diagonal()), 1, 1e-3);
}

TEST(BodyAxes, WhatLeansComesToRestOnItsFeet) {
    const model::Similarity lean = turn(15, Vec3d(1, 0, 0.3).normalized());
    const auto up = resting_up(turned(table(), lean));
    ASSERT_TRUE(up);
    EXPECT_GT(up->dot(lean.rotation * Vec3d::UnitY()), std::cos(math::radians(0.1)));
    EXPECT_GT(resting_up(table())->y(), 1 - 1e-9);
    EXPECT_FALSE(resting_up(turned(table(), turn(45, Vec3d::UnitX())))) << "meant to lie";
}

}  // namespace
}  // namespace sinew::rig
