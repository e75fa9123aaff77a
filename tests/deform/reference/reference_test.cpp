// SPDX-License-Identifier: MIT
#include "reference/deform/reference.h"

#include <algorithm>
#include <numeric>

#include "deform/rig.h"
#include "support/shapes.h"
#include <gtest/gtest.h>

#include "sinew/base/error.h"

namespace sinew::deform {
namespace {

using math::radians;

Mat4d turn_z(double angle, const Vec3d& through = Vec3d::Zero()) {
    return math::rotation_about<double>(through, Vec3d::UnitZ(), angle).matrix();
}

Vec3d blend_two(const Vec3d& v, double w, const Mat4d& a, const Mat4d& b, Method method) {
    return one_point(v, {1 - w, w})({a, b}, method).positions[0];
}

// Skinning T7, mocap test 7: radius left by half a twist.
TEST(Twist, LinearShrinksAndDualQuaternionsDoNot) {
    const std::vector<std::array<double, 4>> table = {
        {90, 0.905539, 0.790569, 0.707107}, {120, 0.854400, 0.661438, 0.5}, {180, 0.8, 0.5, 0}};
    const std::array<double, 3> weights = {0.1, 0.25, 0.5};
    for (const auto& row : table) {
        for (std::size_t i = 0; i < 3; ++i) {
            const Mat4d twist = turn_z(radians(row[0]));
            const Vec3d v(1, 0, 3);
            const Vec3d linear = blend_two(v, weights[i], Mat4d::Identity(), twist, Method::lbs);
            EXPECT_NEAR(linear.head<2>().norm(), row[i + 1], 1e-6);
            const Vec3d dual = blend_two(v, weights[i], Mat4d::Identity(), twist, Method::dqs);
            EXPECT_NEAR(dual.head<2>().norm(), 1, 1e-14);
            EXPECT_NEAR(dual.z(), 3, 1e-14);
        }
    }
    for (const auto& [angle, radius] : {std::pair{30, 0.9659258}, {105, 0.6087614}, {180, 0.0}}) {
        const Vec3d v = blend_two({1, 0, 0}, 0.5, Mat4d::Identity(), turn_z(radians(angle)), Method::lbs);
        EXPECT_NEAR(v.norm(), radius, 1e-7);
    }
    for (double angle = 1; angle < 180; angle += 0.5) {
        const Vec3d v = blend_two({1, 0, 0}, 0.5, Mat4d::Identity(), turn_z(radians(angle)), Method::dqs);
        EXPECT_NEAR(v.norm(), 1, 1e-14);
    }
    const Vec3d almost = blend_two({1, 0, 0}, 0.3, Mat4d::Identity(), turn_z(radians(179.9)), Method::dqs);
    EXPECT_NEAR(almost.norm(), 1, 1e-14);
}

// Skinning T8.
TEST(Bend, DualQuaternionsKeepTheDistanceFromTheJoint) {
    test::Random random;
    for (int n = 0; n < 300; ++n) {
        const Vec3d joint = random.vector(), v = random.vector();
        const Mat4d a = math::rotation_about(joint, random.unit_vector(), random.uniform(0, 2.5)).matrix();
        const Mat4d b = math::rotation_about(joint, random.unit_vector(), random.uniform(0, 2.5)).matrix();
        const Vec3d moved_point = blend_two(v, random.uniform(), a, b, Method::dqs);
        EXPECT_NEAR((moved_point - joint).norm(), (v - joint).norm(), 1e-12);
    }
}

// Skinning T18.
TEST(Bend, HalfAQuarterTurnAboutAPoint) {
    const Vec3d v = blend_two({3, 0, 0}, 0.5, Mat4d::Identity(), turn_z(radians(90), {2, 0, 0}), Method::dqs);
    EXPECT_LT((v - Vec3d(2 + std::sqrt(0.5), std::sqrt(0.5), 0)).norm(), 1e-14);
}

// Skinning T12 and T15 on a skin.
TEST(Bend, ScrewAndThreeTurns) {
    const auto screw = math::from_screw(math::Screw<double>{Vec3d::UnitZ(), Vec3d(0, -1, 0), radians(90), 2});
    const Vec3d v = blend_two({2, 0, 0}, 0.25, Mat4d::Identity(), to_rigid(screw).matrix(), Method::dqs);
    EXPECT_LT((v - Vec3d(1.9297883, 0.3680947, 0.4383064)).norm(), 1e-7);
    const auto three = one_point({1, 0, 0}, {0.5, 0.25, 0.25})(
        {turn_z(0), turn_z(radians(60)), turn_z(radians(120))}, Method::dqs);
    EXPECT_NEAR(std::atan2(three.positions[0].y(), three.positions[0].x()), radians(44.177326), 1e-8);
}

/// Three joints in a row, or in reverse index order, one point bound to all of them alike.
Rig chained(bool hierarchy) {
    Rig rig = one_point({1, 0, 0}, {1.0 / 3, 1.0 / 3, 1.0 / 3});
    model::Skeleton skeleton;
    for (int j = 0; j < 3; ++j) skeleton.joints.push_back({"j" + std::to_string(j), j - 1, {}, {}});
    if (hierarchy) rig.sets = model::group_by_influences(rig.skin, &skeleton);
    return rig;
}

double angle_of(const Vec3d& v) {
    const double degrees = math::degrees(std::atan2(v.y(), v.x()));
    return degrees < -1e-9 ? degrees + 360 : degrees;
}

// Skinning T25: a chain twisted by 0, 120 and 240 degrees, equal weights.
TEST(Signs, HierarchyHandlesATwistBeyondHalfATurn) {
    const std::vector<Mat4d> palette = {turn_z(0), turn_z(radians(120)), turn_z(radians(240))};
    const auto result = chained(true)(palette, Method::dqs);
    EXPECT_NEAR(angle_of(result.positions[0]), 120, 1e-6);
    EXPECT_EQ(result.counts.degenerate_blends, 0u);
    // ||s|| = 2/3
    std::vector<math::DualQuatd> motions;
    for (const Mat4d& m : palette) {
        motions.push_back(math::to_dual_quaternion(
            Rigidd{math::from_matrix(Mat3d(m.topLeftCorner<3, 3>())), Vec3d::Zero()}));
    }
    const Rig rig = chained(true);
    const model::InfluenceSet& set = rig.sets.sets[0];
    align_signs<double>(motions, rig.sets.sign_parents_of(set), model::sign_order(rig.sets, set));
    const std::vector<double> thirds(3, 1.0 / 3);
    EXPECT_NEAR(math::weighted_sum<double>(thirds, motions).real.norm(), 2.0 / 3, 1e-12);
}

// Mocap test 8, skinning T24: the sign a quaternion came with does not matter.
TEST(Signs, AnySignsGiveTheSameBlend) {
    test::Random random;
    for (int n = 0; n < 200; ++n) {
        const int joints = random.integer(2, 6);
        const Rig rig = one_point(random.vector(), random.weights(joints));
        const model::InfluenceSet& set = rig.sets.sets[0];
        std::vector<math::DualQuatd> motions, flipped;
        for (int j = 0; j < joints; ++j) {
            motions.push_back(math::to_dual_quaternion(random.rigid()));
            flipped.push_back(random.integer(0, 1) == 1 ? -motions.back() : motions.back());
        }
        const auto order = model::sign_order(rig.sets, set);
        align_signs<double>(motions, rig.sets.sign_parents_of(set), order);
        align_signs<double>(flipped, rig.sets.sign_parents_of(set), order);
        const double sign = math::dot(motions[0].real, flipped[0].real);
        for (int j = 0; j < joints; ++j) {
            const auto i = static_cast<std::size_t>(j);
            EXPECT_LT((motions[i].real.coeffs() - sign * flipped[i].real.coeffs()).norm(), 1e-12);
            EXPECT_LT((motions[i].dual.coeffs() - sign * flipped[i].dual.coeffs()).norm(), 1e-12);
        }
    }
}

// Rotations that cancel: three joints of a star around a heaviest one that is not in their blend.
TEST(Signs, CancelledBlendFollowsTheHeaviestAndIsCounted) {
    // Signs run along the chain 0 -> 1 -> 2 -> 3 in quarter-space steps of 180 degrees less a little: the
    // last is nearly minus the first.
    model::Skeleton skeleton;
    std::vector<Mat4d> palette;
    std::vector<double> weights;
    for (int j = 0; j < 4; ++j) {
        skeleton.joints.push_back({"j" + std::to_string(j), j - 1, {}, {}});
        palette.push_back(turn_z(radians(120.0 * j)));
        weights.push_back(j == 0 || j == 3 ? 0.5 : 1e-9);
    }
    Rig rig = one_point({1, 0, 0}, weights);
    rig.sets = model::group_by_influences(rig.skin, &skeleton);
    const auto result = rig(palette, Method::dqs);
    EXPECT_EQ(result.counts.degenerate_blends, 1u);
    EXPECT_LT((result.positions[0] - Vec3d(1, 0, 0)).norm(), 1e-12);
}

// Skinning T29.
TEST(Linear, TwoVerticesByHand) {
    const Mat4d shift = Rigidd{Quatd::Identity(), Vec3d(1, 2, 3)}.matrix();
    const Mat4d turn = turn_z(radians(90), {1, 0, 0});
    const Rig rig = make_rig(2, {{1, 1, 1}, {2, 0, 5}}, {{{0, 1.0f}}, {{0, 0.5f}, {1, 0.5f}}});
    const auto result = rig({shift, turn}, Method::lbs);
    EXPECT_LT((result.positions[0] - Vec3d(2, 3, 4)).norm(), 1e-15);
    EXPECT_LT((result.positions[1] - Vec3d(2, 1.5, 6.5)).norm(), 1e-15);
}

// Mocap test 9.
TEST(Linear, BlendRatioIsTheWeightRatio) {
    const Mat4d a = turn_z(0.3, {1, 1, 0}), b = turn_z(1.4, {1, 1, 0});
    const Vec3d v(4, 0, 1), blended = blend_two(v, 0.667, a, b, Method::lbs);
    EXPECT_NEAR(
        (blended - math::transform_point(a, v)).norm() / (blended - math::transform_point(b, v)).norm(), 2,
        1e-2);
}

// Skinning T32: inside the hull of the transformed points; here by the support in many directions.
TEST(Linear, StaysInTheHullAndPruningIsBounded) {
    test::Random random;
    for (int n = 0; n < 200; ++n) {
        const int joints = random.integer(2, 6);
        const auto palette = random_palette(random, joints);
        const auto weights = random.weights(joints);
        const Vec3d v = random.vector();
        const Rig full = one_point(v, weights);
        const Vec3d blended = full(palette, Method::lbs).positions[0];
        std::vector<Vec3d> images;
        for (const Mat4d& c : palette) images.push_back(math::transform_point(c, v));
        for (int k = 0; k < 50; ++k) {
            const Vec3d d = random.unit_vector();
            double support = -1e30;
            for (const Vec3d& p : images) support = std::max(support, d.dot(p));
            EXPECT_LE(d.dot(blended), support + 1e-12);
        }
        Rig pruned = full;
        clean(pruned.skin, {1, 0});
        pruned.sets = model::group_by_influences(pruned.skin, nullptr);
        double span = 0;
        for (const Vec3d& a : images) {
            for (const Vec3d& b : images) span = std::max(span, (a - b).norm());
        }
        const double lost = 1 - *std::max_element(weights.begin(), weights.end());
        EXPECT_LE((pruned(palette, Method::lbs).positions[0] - blended).norm(), lost * span + 1e-6);
    }
}

std::vector<Mat4d> affine_palette(test::Random& random, int joints) {
    std::vector<Mat4d> palette = random_palette(random, joints);
    for (Mat4d& c : palette) {
        Mat3d stretch = Mat3d::Identity();
        for (int i = 0; i < 9; ++i) stretch(i / 3, i % 3) += random.uniform(-0.3, 0.3);
        c.topLeftCorner<3, 3>() = c.topLeftCorner<3, 3>() * stretch;
    }
    return palette;
}

// Skinning T33.
TEST(TwoPhase, OneAffineJointIsExactAlsoMirrored) {
    test::Random random;
    Rig rig = random_rig(random, 4, 200);
    std::vector<std::vector<Influence>> lists;
    for (std::uint32_t v = 0; v < 200; ++v) lists.push_back({{v % 4, 1.0f}});
    rig.skin = make_skin(4, lists);
    for (auto& joint : rig.skin.joints) joint.inverse_bind = random.rigid(2).matrix();
    rig.sets = model::group_by_influences(rig.skin, nullptr);
    std::vector<Mat4d> palette = affine_palette(random, 4);
    palette[1].col(0) *= -1;  // mirror
    palette[2].col(1) *= 1e-3;
    palette[3].topLeftCorner<3, 3>() *= 40;
    const auto dual = rig(palette, Method::dqs), linear = rig(palette, Method::lbs);
    EXPECT_EQ(dual.counts.nonrigid_joints, 4u);
    for (std::size_t v = 0; v < 200; ++v) {
        const double size = palette[v % 4].norm();
        EXPECT_LT((dual.positions[v] - math::transform_point(palette[v % 4], rig.rest.positions[v])).norm(),
                  1e-13 * size);
        EXPECT_LT((dual.normals[v] - linear.normals[v]).norm(), 1e-9);
    }
}

TEST(TwoPhase, SettlesContinuouslyOnARigidPalette) {
    test::Random random;
    Rig rig = random_rig(random, 4, 300);
    for (auto& joint : rig.skin.joints) joint.inverse_bind = random.rigid(2).matrix();
    const auto palette = random_palette(random, 4);
    const auto rigid = rig(palette, Method::dqs);
    std::vector<Mat4d> stretched = palette;
    for (Mat4d& c : stretched) c.col(1) *= 1 + 2 * rigid_tolerance;
    const auto two_phase = rig(stretched, Method::dqs);
    EXPECT_EQ(two_phase.counts.nonrigid_joints, 4u);
    EXPECT_LT(largest_distance(rigid.positions, two_phase.positions), 10 * rigid_tolerance);
    EXPECT_LT(largest_distance(rigid.normals, two_phase.normals), 10 * rigid_tolerance);
}

TEST(TwoPhase, CommonScaleScalesTheCharacter) {
    test::Random random;
    const Rig rig = random_rig(random, 4, 300);
    const auto palette = random_palette(random, 4);
    std::vector<Mat4d> doubled = palette;
    for (Mat4d& c : doubled) c.topLeftCorner<3, 3>() *= 2, c.topRightCorner<3, 1>() *= 2;
    for (const Method method : {Method::lbs, Method::dqs, Method::rigid}) {
        std::vector<Vec3d> twice = rig(palette, method).positions;
        for (Vec3d& p : twice) p *= 2;
        EXPECT_LT(largest_distance(rig(doubled, method).positions, twice), 1e-12);
    }
}

// Skinning T31, first half: for constant weights a normal is the normal of the deformed plane.
TEST(Normals, LinearNormalsStayAcrossTheSurface) {
    test::Random random;
    for (int n = 0; n < 300; ++n) {
        const int joints = random.integer(1, 5);
        const Vec3d a = random.vector(), b = random.vector(), c = random.vector();
        const Vec3d normal = (b - a).cross(c - a).normalized();
        std::vector<Influence> list;
        const auto weights = random.weights(joints);
        for (int j = 0; j < joints; ++j) {
            list.push_back(
                {static_cast<std::uint32_t>(j), static_cast<float>(weights[static_cast<std::size_t>(j)])});
        }
        Rig rig = make_rig(static_cast<std::size_t>(joints), {a, b, c}, {list, list, list});
        rig.rest.normals = {normal, normal, normal};
        const auto result = rig(affine_palette(random, joints), Method::lbs);
        const auto& p = result.positions;
        const Vec3d expected = (p[1] - p[0]).cross(p[2] - p[0]);
        if (expected.norm() < 1e-3) continue;
        EXPECT_LT((result.normals[0] - expected.normalized()).norm(), 1e-9);
    }
}

TEST(Normals, CollapsedTwistFallsBackAndIsCounted) {
    Rig rig = make_rig(2, {{1, 0, 0}, {1, 0, 0}, {0, 0, 0}},
                       std::vector<std::vector<Influence>>(3, {{0, 0.5f}, {1, 0.5f}}));
    rig.rest.normals = {Vec3d(1, 0, 0), Vec3d(0.6, 0, 0.8), Vec3d::Zero()};
    const auto result = rig({Mat4d::Identity(), turn_z(math::pi)}, Method::lbs);
    EXPECT_EQ(result.counts.degenerate_normals, 2u);
    EXPECT_LT((result.normals[0] - Vec3d(1, 0, 0)).norm(), 1e-12);  // as the heaviest (first) joint turns it
    EXPECT_LT((result.normals[1] - Vec3d(0, 0, 1)).norm(), 1e-12);  // sum of the turned normals
    EXPECT_EQ(result.normals[2], Vec3d(Vec3d::Zero()));             // never had a direction
}

TEST(Normals, ScaleDoesNotLookLikeACollapse) {
    for (const double scale : {1e-6, 1e-3, 1e4}) {
        Mat4d m = Mat4d::Identity();
        m.topLeftCorner<3, 3>() *= scale;
        Rig rig = one_point({1, 2, 3}, {0.5, 0.5});
        rig.rest.normals = {Vec3d(0, 1, 0)};
        for (const Method method : {Method::lbs, Method::dqs, Method::rigid}) {
            const auto result = rig({m, m}, method);
            EXPECT_EQ(result.counts.degenerate_normals, 0u);
            EXPECT_LT((result.normals[0] - Vec3d(0, 1, 0)).norm(), 1e-12);
        }
    }
}

TEST(Method, NamesParseAndPrint) {
    for (const MethodInfo& info : methods()) {
        EXPECT_EQ(parse_method(info.name), info.method);
        EXPECT_EQ(name(info.method), info.name);
    }
    EXPECT_EQ(parse_method("DQS"), Method::dqs);
    try {
        parse_method("sqd");
        ADD_FAILURE();
    } catch (const Error& error) {
        EXPECT_NE(error.reason().find("lbs, sbs, sbs-weighted, dqs"), std::string::npos);
    }
}

TEST(Deform, WrongSizesAreErrors) {
    test::Random random;
    const Rig rig = random_rig(random, 3, 10);
    const std::vector<Mat4d> palette(3, Mat4d::Identity());
    EXPECT_THROW(rig(std::vector<Mat4d>(2, Mat4d::Identity()), Method::lbs), Error);
    Rig broken = rig;
    broken.rest.positions.pop_back();
    EXPECT_THROW(broken(palette, Method::lbs), Error);
    broken = rig;
    broken.rest.normals.pop_back();
    EXPECT_THROW(broken(palette, Method::lbs), Error);
    broken = rig;
    broken.sets = model::group_by_influences(random_rig(random, 3, 9).skin, nullptr);
    EXPECT_THROW(broken(palette, Method::lbs), Error);
    broken = rig;
    broken.skin = Skin{};
    broken.skin.joints = rig.skin.joints;
    for (int v = 0; v < 10; ++v) broken.skin.push_vertex({});
    broken.sets = model::group_by_influences(broken.skin, nullptr);
    EXPECT_THROW(broken(palette, Method::lbs), Error);
}

/// A tube along y with a joint at its foot and one halfway; the clip bends the upper one by 90 degrees in a
/// second.
model::Character bending_tube() {
    model::Character c;
    c.mesh = test::tube(21, 12, 0.2, 2);
    c.skeleton.joints = {{"lower", -1, {}, {}},
                         {"upper", 0, {Vec3d(0, 1, 0), Quatd::Identity(), Vec3d::Ones()}, Vec3d(0, 1, 0)}};
    c.skin.joints = model::bind_at_rest(c.skeleton);
    for (const auto& p : c.mesh.positions) {
        const float w = std::clamp((p.y() - 0.8f) / 0.4f, 0.0f, 1.0f);
        c.skin.push_vertex(std::vector<Influence>{{0, 1 - w}, {1, w}});
    }
    clean(c.skin);
    model::Track track;
    track.joint = 1;
    track.rotation = {model::KeyTimes::even(0, 1, 2),
                      {math::Quatf::Identity(), math::axis_angle<float>(math::Vec3f::UnitZ(), 1.5707963f)},
                      model::Interpolation::linear};
    model::Clip clip;
    clip.tracks = {track};
    c.clips = {clip};
    return c;
}

// Mocap test 5.
TEST(Deform, CharacterAtRestIsTheMesh) {
    const model::Character c = bending_tube();
    validate(c, "tube");
    for (const MethodInfo& info : methods()) {
        for (const model::Clip* clip : {static_cast<const model::Clip*>(nullptr), &c.clips[0]}) {
            const auto result = deform(c, clip, 0, info.method);
            for (std::size_t v = 0; v < c.mesh.vertex_count(); ++v) {
                EXPECT_LT((result.positions[v] - c.mesh.positions[v]).norm(), 1e-6f * 2);
                EXPECT_LT((result.normals[v] - c.mesh.normals[v]).norm(), 1e-6f * 2);
            }
        }
    }
}

TEST(Deform, CharacterBends) {
    const model::Character c = bending_tube();
    const auto linear = deform<double>(c, &c.clips[0], 1, Method::lbs);
    const auto dual = deform<double>(c, &c.clips[0], 1, Method::dqs);
    // The top ring hangs out to the side, one unit from the bend.
    Vec3d top = Vec3d::Zero();
    for (std::size_t v = c.mesh.vertex_count() - 12; v < c.mesh.vertex_count(); ++v)
        top += linear.positions[v] / 12;
    EXPECT_LT((top - Vec3d(-1, 1, 0)).norm(), 1e-6);
    // The ring at the joint: radius 0.2 cos(45 degrees) for LBS across the bend axis, 0.2 for DQS.
    for (std::size_t j = 0; j < 12; ++j) {
        const std::size_t v = 10 * 12 + j;
        const Vec3d rest = c.mesh.positions[v].cast<double>() - Vec3d(0, 1, 0);
        EXPECT_NEAR((dual.positions[v] - Vec3d(0, 1, 0)).norm(), rest.norm(), 1e-6);
        EXPECT_NEAR((linear.positions[v] - Vec3d(0, 1, 0)).head<2>().norm(),
                    std::abs(rest.x()) * std::sqrt(0.5), 1e-6);
    }
}

TEST(Deform, MorphsComeBeforeTheSkin) {
    model::Character c = bending_tube();
    geometry::Morph morph;
    morph.name = "up";
    morph.first = static_cast<std::uint32_t>(c.mesh.vertex_count() - 12);
    morph.positions.assign(12, math::Vec3f(0, 0.5f, 0));
    morph.normals.assign(12, math::Vec3f(0, 1, 0));
    morph.weight = 0.5f;
    c.mesh.morphs = {morph};
    model::MorphTrack track;
    track.weight = {model::KeyTimes::even(0, 1, 2), {0, 1}, model::Interpolation::linear};
    c.clips[0].morph_tracks = {track};
    validate(c, "tube");
    const std::size_t v = c.mesh.vertex_count() - 5, untouched = 3;
    EXPECT_NEAR(deform(c, nullptr, 0, Method::lbs).positions[v].y(), 2.25, 1e-6);
    const auto bent = deform(c, &c.clips[0], 1, Method::dqs);
    EXPECT_NEAR(bent.positions[v].x(), -1.5, 1e-5);
    EXPECT_NEAR(bent.normals[v].norm(), 1, 1e-6);
    EXPECT_EQ(bent.positions[untouched], c.mesh.positions[untouched]);
    EXPECT_THROW(morphed(c.mesh, std::vector<float>{}), Error);
    c.mesh.morphs[0].first += 1;
    EXPECT_THROW(deform(c, nullptr, 0, Method::lbs), Error);
}

TEST(Deform, MeshWithoutSkinKeepsItsRestPose) {
    model::Character c;
    c.mesh = test::cube();
    EXPECT_EQ(deform(c, nullptr, 0, Method::dqs).positions, c.mesh.positions);
    EXPECT_EQ(deform(c.mesh, c.skin, {}, {}, Method::lbs).positions, c.mesh.positions);
    EXPECT_TRUE(deform(model::Character{}, nullptr, 0, Method::lbs).positions.empty());
}

}  // namespace
}  // namespace sinew::deform
