// SPDX-License-Identifier: MIT
#include "reference/deform/reference.h"
#include "rig/bind/support.h"
#include "support/random.h"

#include "sinew/base/error.h"
#include "sinew/rig/bind/bind_input.h"
#include "sinew/rig/bind/methods.h"

namespace sinew::rig {
namespace {

using math::Vec3d;
using test::difference;
using test::expect_convex;
using test::weight;

/// Two upright bones, at x = 0 and x = 1 + ratio.
model::Skeleton two_bones(double ratio) {
    model::Skeleton skeleton = test::skeleton_at({{"a", -1, {0, -5, 0}}, {"b", -1, {1 + ratio, -5, 0}}});
    test::set_tip(skeleton, "a", {0, 10, 0});
    test::set_tip(skeleton, "b", {0, 10, 0});
    return skeleton;
}

geometry::Mesh points(const std::vector<Vec3d>& places) {
    geometry::Mesh mesh;
    for (const Vec3d& place : places) mesh.positions.emplace_back(place.cast<float>());
    return mesh;
}

TEST(BoneDistance, EqualsBruteForce) {
    test::Random random;
    for (int i = 0; i < 200; ++i) {
        const BoneSegment bone{0, random.vector(), random.vector()};
        const Vec3d point = random.vector(2);
        double min = INFINITY;
        for (int k = 0; k <= 20000; ++k)
            min = std::min(min, (bone.start + k / 20000.0 * (bone.end - bone.start) - point).norm());
        EXPECT_NEAR(distance(bone, point), min, 1e-4);
    }
    const BoneSegment bone{0, {0, 0, 0}, {2, 0, 0}};
    EXPECT_DOUBLE_EQ(distance(bone, {-3, 4, 0}), 5);  // before its start
    EXPECT_DOUBLE_EQ(distance(bone, {1, 0, 7}), 7);
    EXPECT_DOUBLE_EQ(distance(bone, {5, 0, 4}), 5);  // behind its end
    EXPECT_DOUBLE_EQ(distance({0, {1, 1, 1}, {1, 1, 1}}, {1, 4, 5}), 5);
}

TEST(DistanceWeights, TableOfTheSource) {
    // Nar (2008): the weight of the nearer of two bones at base 100; what is below 0.005 is dropped.
    const double rows[][2] = {{1, 0.5},      {1.05, 0.5573}, {1.1, 0.6131}, {1.25, 0.7597},
                              {1.5, 0.9091}, {2, 0.9901},    {3, 1}};
    for (const auto& [ratio, expected] : rows) {
        const auto table = distance_weights(points({{1, 0, 0}, {1, 2, 0}}), two_bones(ratio));
        EXPECT_NEAR(weight(table, 0, 0), expected, 5e-5) << ratio;
        EXPECT_NEAR(weight(table, 0, 0) + weight(table, 0, 1), 1, 1e-12);
    }
}

TEST(DistanceWeights, OnABoneItIsAll) {
    const auto table = distance_weights(points({{0, 1, 0}, {3, 0, 0}, {1, 0, 0}}), two_bones(2));
    EXPECT_EQ(weight(table, 0, 0), 1);
    EXPECT_EQ(weight(table, 1, 1), 1);
}

TEST(DistanceWeights, OnTwoBonesItIsHalf) {
    const auto skeleton = test::skeleton_at(
        {{"root", -1, {0, 0, 0}}, {"left", 0, {-1, 0, 0}}, {"elbow", 1, {-2, 0, 0}}, {"end", 2, {-3, 1, 0}}});
    const auto table = distance_weights(points({{-1, 0, 0}, {4, 4, 4}}), skeleton);
    EXPECT_EQ(weight(table, 0, 0), 0.5);
    EXPECT_EQ(weight(table, 0, 1), 0.5);
}

TEST(DistanceWeights, LimitAndDrop) {
    std::vector<test::JointPlace> places;
    for (int j = 0; j < 7; ++j) places.push_back({"", -1, {j - 3.0, 0, 0}});
    model::Skeleton skeleton = test::skeleton_at(places);
    model::make_names_unique(skeleton);
    for (auto& joint : skeleton.joints) joint.tip = Vec3d(0, 0.01, 0);
    const auto mesh = points({{0, 20, 0}, {0.1, 1, 0}});
    const auto table = distance_weights(mesh, skeleton);
    EXPECT_EQ(table[0].size(), 4u);  // all seven are nearly as far
    expect_convex(table, 2);
    for (const auto& entry : table[1]) EXPECT_GE(entry.weight, 0.005);
}

TEST(DistanceMethods, DoNotDependOnScale) {
    const auto mesh = test::body_of(test::figure(), 0.08);
    const auto skeleton = test::figure_skeleton();
    for (const double factor : {1e-6, 1e3, 1e6}) {
        const auto small = test::scaled(mesh, static_cast<float>(factor));
        const auto bones = test::scaled(skeleton, factor);
        EXPECT_LT(difference(distance_weights(mesh, skeleton), distance_weights(small, bones)), 1e-4);
        EXPECT_LT(difference(nearest_weights(mesh, skeleton), nearest_weights(small, bones)), 1e-4);
    }
}

TEST(NearestWeights, ShepardByHand) {
    // Distances 1 and 2: (1/1)^4 to (1/2)^4, so 16 to 1.
    const auto table = nearest_weights(points({{1, 0, 0}, {1, 1, 0}}), two_bones(2));
    EXPECT_NEAR(weight(table, 0, 0), 16.0 / 17, 1e-12);
    EXPECT_NEAR(weight(table, 0, 1), 1.0 / 17, 1e-12);
}

TEST(NearestWeights, AtMostFiveInfluences) {
    const auto mesh = test::body_of(test::figure(), 0.08);
    const auto table = nearest_weights(mesh, test::figure_skeleton());
    expect_convex(table, mesh.positions.size());
    for (std::size_t v = 0; v < table.size(); ++v) EXPECT_EQ(table[v].size(), 5u);
}

TEST(RigidWeights, OneInfluence) {
    const auto mesh = test::body_of(test::capsule(), 0.08);
    const auto table = rigid_weights(mesh, test::capsule_skeleton());
    for (std::size_t v = 0; v < table.size(); ++v) {
        ASSERT_EQ(table[v].size(), 1u);
        EXPECT_EQ(table[v][0].weight, 1);
        if (std::abs(mesh.positions[v].y()) > 0.01f) {
            EXPECT_EQ(table[v][0].joint, mesh.positions[v].y() > 0 ? 1 : 0);
        }
    }
}

TEST(DistanceMethods, ALeafWithoutTipTakesWhatLiesBeyondIt) {
    // The upper joint stands in the middle of the capsule and has no bone: what is above is still its own.
    const auto mesh = test::body_of(test::capsule(), 0.08);
    const auto skeleton = test::skeleton_at({{"low", -1, {0, -1, 0}}, {"high", 0, {0, 0, 0}}});
    const auto table = rigid_weights(mesh, skeleton);
    for (std::size_t v = 0; v < table.size(); ++v) {
        if (std::abs(mesh.positions[v].y()) > 0.1f) {
            EXPECT_EQ(table[v][0].joint, mesh.positions[v].y() > 0 ? 1 : 0) << mesh.positions[v].y();
        }
    }
}

TEST(DistanceMethods, VerticesAtTheSamePlaceAreOne) {
    auto mesh = test::body_of(test::capsule(), 0.1);
    const std::size_t count = mesh.positions.size();
    for (std::size_t v = 0; v < count; ++v) mesh.positions.push_back(mesh.positions[v]);
    const auto table = nearest_weights(mesh, test::capsule_skeleton());
    for (std::size_t v = 0; v < count; ++v) EXPECT_EQ(weight(table, v, 0), weight(table, v + count, 0));
}

TEST(DistanceMethods, SayWhatIsWrong) {
    const auto skeleton = test::capsule_skeleton();
    EXPECT_THROW(distance_weights({}, skeleton), Error);
    EXPECT_THROW(distance_weights(points({{0, 0, 0}}), {}), Error);
    EXPECT_THROW(rigid_weights(points({{0, NAN, 0}}), skeleton), Error);
    // One vertex and a bone without length are no error.
    const auto point = test::skeleton_at({{"only", -1, {1, 2, 3}}});
    EXPECT_EQ(weight(distance_weights(points({{1, 2, 3}}), point), 0, 0), 1);
}

TEST(MakeSkin, PlaysWithEveryWayOfBlending) {
    // A capsule bent at its middle: at rest nothing moves, and the upper end turns as its joint does.
    const auto mesh = test::body_of(test::capsule(), 0.1);
    const auto skeleton = test::capsule_skeleton();
    const model::Skin skin = make_skin(distance_weights(mesh, skeleton), skeleton, mesh);
    model::validate(skin, mesh.positions.size(), skeleton.size(), "skin");
    const auto sets = model::group_by_influences(skin, &skeleton);
    const auto rest = model::palette(skin, model::rest_world_matrices(skeleton));
    std::vector<math::Transform> bent = {skeleton.joints[0].rest, skeleton.joints[1].rest};
    bent[1].rotation = math::axis_angle<double>(Vec3d::UnitZ(), math::pi / 3);
    const auto pose = model::palette(skin, model::world_matrices(skeleton, bent));
    for (const auto method : {deform::Method::lbs, deform::Method::sbs, deform::Method::dqs}) {
        const auto still = deform::deform<double>(mesh, skin, sets, rest, method);
        const auto moved = deform::deform<double>(mesh, skin, sets, pose, method);
        for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
            const Vec3d place = mesh.positions[v].cast<double>();
            EXPECT_LT((still.positions[v] - place).norm(), 1e-6);
            if (place.y() > 0.9) {
                EXPECT_LT((moved.positions[v] - bent[1].rotation * place).norm(), 0.01);
            }
        }
    }
}

TEST(MakeSkin, IslandsWithoutWeightsTakeTheNearest) {
    // Three loose vertices beside the ends of a row of which only the ends have weights.
    const auto mesh = points({{0, 0, 0}, {10, 0, 0}, {1, 0, 0}, {9, 1, 0}, {4.9, 0, 0}});
    WeightTable table;
    table.push_row(std::vector<JointWeight>{{0, 1}});
    table.push_row(std::vector<JointWeight>{{1, 1}});
    for (int i = 0; i < 3; ++i) table.push_row({});
    const model::Skin skin = make_skin(table, two_bones(1), mesh);
    const std::uint32_t expected[] = {0, 1, 0, 1, 0};
    for (std::size_t v = 0; v < 5; ++v) {
        ASSERT_EQ(skin.of(v).size(), 1u);
        EXPECT_EQ(skin.of(v)[0].joint, expected[v]);
    }
}

}  // namespace
}  // namespace sinew::rig
