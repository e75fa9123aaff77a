// SPDX-License-Identifier: MIT
#include "sinew/model/skeleton.h"

#include <functional>
#include <limits>

#include "support/random.h"
#include <gtest/gtest.h>

#include "sinew/base/error.h"

namespace sinew::model {
namespace {

using math::radians;

Skeleton random_skeleton(test::Random& random, int count) {
    Skeleton skeleton;
    for (int j = 0; j < count; ++j) {
        const Transform rest{random.vector(), random.rotation(),
                             Vec3d(random.uniform(0.5, 2), random.uniform(0.5, 2), random.uniform(0.5, 2))};
        skeleton.joints.push_back({"j" + std::to_string(j), random.integer(-1, j - 1), rest, {}});
    }
    return skeleton;
}

TEST(Skeleton, OnePassEqualsRecursion) {
    test::Random random;
    for (int n = 0; n < 50; ++n) {
        const Skeleton skeleton = random_skeleton(random, 30);
        std::vector<Transform> local;
        for (std::size_t j = 0; j < 30; ++j)
            local.push_back({random.vector(), random.rotation(), Vec3d::Ones()});
        const std::function<Mat4d(int)> world = [&](int j) -> Mat4d {
            if (j < 0) return Mat4d::Identity();
            return world(skeleton.joints[static_cast<std::size_t>(j)].parent) *
                   local[static_cast<std::size_t>(j)].matrix();
        };
        const std::vector<Mat4d> all = world_matrices(skeleton, local);
        for (int j = 0; j < 30; ++j) EXPECT_LT((all[static_cast<std::size_t>(j)] - world(j)).norm(), 1e-10);
    }
}

/// Plane chain in the end-joint form of the worked examples (the frame of a bone lies at its end: world =
/// parent R T), put into our form: joint k stands at the start of bone k, and the last bone is a tip.
struct PlaneChain {
    Skeleton skeleton;
    std::vector<Transform> pose;
};

PlaneChain chain(const std::vector<double>& turns, const std::vector<double>& lengths) {
    PlaneChain result;
    for (std::size_t k = 0; k < turns.size(); ++k) {
        const Vec3d offset(k == 0 ? 0 : lengths[k - 1], 0, 0);
        const Transform local{offset, math::axis_angle<double>(Vec3d::UnitZ(), radians(turns[k])),
                              Vec3d::Ones()};
        result.pose.push_back(local);
        result.skeleton.joints.push_back({std::to_string(k), static_cast<int>(k) - 1, local, {}});
    }
    result.skeleton.joints.back().tip = Vec3d(lengths.back(), 0, 0);
    return result;
}

/// Frame of the end of the last bone.
Mat4d end_frame(const PlaneChain& c) {
    const Transform along{*c.skeleton.joints.back().tip, Quatd::Identity(), Vec3d::Ones()};
    return world_matrices(c.skeleton, c.pose).back() * along.matrix();
}

Vec3d end_point(const std::vector<double>& turns, const std::vector<double>& lengths) {
    const PlaneChain c = chain(turns, lengths);
    return bones(c.skeleton, world_matrices(c.skeleton, c.pose)).back().end;
}

// Mocap test 1.
TEST(Skeleton, WorkedExampleOfForwardKinematics) {
    EXPECT_LT((end_point({-90, -45, 45}, {5, 5, 5}) - Vec3d(-3.5355, -13.5355, 0)).norm(), 1e-4);
    EXPECT_LT((end_point({-90, 45, -45}, {5, 5, 5}) - Vec3d(3.5355, -13.5355, 0)).norm(), 1e-4);
    EXPECT_LT((end_point({-90, -45, 45}, {4, 2, 6}) - Vec3d(-1.4142, -11.4142, 0)).norm(), 1e-4);
}

// Mocap test 2.
TEST(Skeleton, WorkedExampleOfTheInverseBind) {
    const PlaneChain rest = chain({-60, -30, 22.5}, {5, 5, 5}), pose = chain({-90, -45, 120}, {5, 5, 5});
    const Mat4d bound = end_frame(rest), moved = end_frame(pose);
    EXPECT_LT((bound.topRightCorner<3, 1>() - Vec3d(4.4134, -13.9495, 0)).norm(), 1e-4);
    EXPECT_LT((moved.topRightCorner<3, 1>() - Vec3d(1.2941, -9.8296, 0)).norm(), 1e-4);
    const Vec3d local = math::transform_point(math::inverse_affine(bound), Vec3d(2.5, -13.5, 0));
    EXPECT_LT((local - Vec3d(-1.1475, -1.5957, 0)).norm(), 1e-4);
    EXPECT_LT((math::transform_point(moved, local) - Vec3d(-0.2274, -11.0740, 0)).norm(), 1e-4);
}

/// Hips with two legs and a spine; the left leg has a tip.
Skeleton small_body() {
    Skeleton s;
    const auto at = [](double x, double y) {
        return Transform{Vec3d(x, y, 0), Quatd::Identity(), Vec3d::Ones()};
    };
    s.joints = {{"hips", -1, at(0, 1), {}},
                {"left", 0, at(0.1, 0), Vec3d(0, -1, 0)},
                {"right", 0, at(-0.1, 0), {}},
                {"spine", 0, at(0, 0.5), {}}};
    return s;
}

TEST(Skeleton, BonesBelongToTheirStart) {
    const Skeleton s = small_body();
    const auto world = rest_world_matrices(s);
    const std::vector<Bone> all = bones(s, world);
    ASSERT_EQ(all.size(), 4u);  // one to each child, one to the tip; right and spine have none of their own
    std::vector<std::array<int, 2>> ends;
    for (const Bone& bone : all) ends.push_back({bone.joint, bone.end_joint});
    EXPECT_EQ(ends, (std::vector<std::array<int, 2>>{{0, 1}, {1, -1}, {0, 2}, {0, 3}}));
    EXPECT_LT((all[1].end - Vec3d(0.1, 0, 0)).norm(), 1e-15);
    EXPECT_EQ(children(s)[0], (std::vector<int>{1, 2, 3}));
    EXPECT_TRUE(children(s)[1].empty());
}

TEST(Skeleton, HeightIsTheLargestSideWithTips) {
    EXPECT_DOUBLE_EQ(height(small_body()), 1.5);
    EXPECT_EQ(height(Skeleton{}), 0);
    EXPECT_EQ(height(Skeleton{{{"one", -1, {}, {}}}}), 0);
}

TEST(Skeleton, FindByName) {
    EXPECT_EQ(small_body().find("spine"), 3);
    EXPECT_EQ(small_body().find("Spine"), -1);
    EXPECT_EQ(Skeleton{}.find(""), -1);
}

TEST(Skeleton, ParentsFirstOrdersAnyForest) {
    test::Random random;
    for (int n = 0; n < 100; ++n) {
        // A forest with shuffled names.
        const int count = random.integer(1, 40);
        std::vector<int> shuffled(static_cast<std::size_t>(count));
        for (int i = 0; i < count; ++i) shuffled[static_cast<std::size_t>(i)] = i;
        for (int i = count - 1; i > 0; --i) {
            std::swap(shuffled[static_cast<std::size_t>(i)],
                      shuffled[static_cast<std::size_t>(random.integer(0, i))]);
        }
        std::vector<int> parents(static_cast<std::size_t>(count), -1);
        for (int i = 1; i < count; ++i) {
            const int parent = random.integer(-1, i - 1);
            if (parent >= 0)
                parents[static_cast<std::size_t>(shuffled[static_cast<std::size_t>(i)])] =
                    shuffled[static_cast<std::size_t>(parent)];
        }
        const std::vector<int> order = parents_first(parents, "f");
        ASSERT_EQ(order.size(), parents.size());
        std::vector<bool> placed(parents.size(), false);
        for (const int j : order) {
            const int parent = parents[static_cast<std::size_t>(j)];
            EXPECT_TRUE(parent < 0 || placed[static_cast<std::size_t>(parent)]);
            EXPECT_FALSE(placed[static_cast<std::size_t>(j)]);
            placed[static_cast<std::size_t>(j)] = true;
        }
    }
    EXPECT_EQ(parents_first(std::vector<int>{-1, 0, 0, 1}, "f"), (std::vector<int>{0, 1, 2, 3}));
}

TEST(Skeleton, ParentsFirstRefusesCyclesAndStrangers) {
    EXPECT_THROW(parents_first(std::vector<int>{-1, 2, 1}, "f"), Error);
    EXPECT_THROW(parents_first(std::vector<int>{0}, "f"), Error);
    EXPECT_THROW(parents_first(std::vector<int>{-1, 7}, "f"), Error);
    EXPECT_THROW(parents_first(std::vector<int>{-2}, "f"), Error);
}

TEST(Skeleton, NamesBecomeUnique) {
    Skeleton s;
    for (const char* name : {"a", "", "a", "b", "a", "a_2", ""}) s.joints.push_back({name, -1, {}, {}});
    EXPECT_EQ(make_names_unique(s), 5);
    EXPECT_NO_THROW(validate(s, "s"));
    EXPECT_EQ(s.joints[0].name, "a");
    EXPECT_EQ(s.joints[1].name, "joint_1");
    EXPECT_EQ(s.joints[2].name, "a_2");
    EXPECT_EQ(s.joints[4].name, "a_3");
    EXPECT_EQ(make_names_unique(s), 0);
}

TEST(Skeleton, ValidateRefusesEveryBrokenInvariant) {
    EXPECT_NO_THROW(validate(small_body(), "s"));
    const auto refuses = [](auto&& damage) {
        Skeleton s = small_body();
        damage(s);
        try {
            validate(s, "walk.bvh");
        } catch (const Error& error) {
            return error.location() == "walk.bvh";
        }
        return false;
    };
    static constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_TRUE(refuses([](Skeleton& s) { s.joints[1].parent = 1; }));
    EXPECT_TRUE(refuses([](Skeleton& s) { s.joints[1].parent = 3; }));
    EXPECT_TRUE(refuses([](Skeleton& s) { s.joints[0].parent = -2; }));
    EXPECT_TRUE(refuses([](Skeleton& s) { s.joints[1].name = "spine"; }));
    EXPECT_TRUE(refuses([](Skeleton& s) { s.joints[1].rest.translation.x() = nan; }));
    EXPECT_TRUE(refuses([](Skeleton& s) { s.joints[1].rest.scale.y() = nan; }));
    EXPECT_TRUE(refuses([](Skeleton& s) { s.joints[1].rest.rotation.w() = nan; }));
    EXPECT_TRUE(refuses([](Skeleton& s) { s.joints[1].rest.rotation.w() = 0.5; }));
    EXPECT_TRUE(refuses([](Skeleton& s) { s.joints[1].tip = Vec3d(0, nan, 0); }));
}

}  // namespace
}  // namespace sinew::model
