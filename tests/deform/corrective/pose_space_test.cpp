// SPDX-License-Identifier: MIT
#include "sinew/deform/corrective/pose_space.h"

#include "deform/rig.h"
#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/deform/deformer.h"
#include "sinew/sample/samples.h"

namespace sinew::deform {
namespace pose_space_test {

using math::Transform;
using math::Vec3f;

Eigen::MatrixXd random_positions(test::Random& random, int count, int dimension) {
    Eigen::MatrixXd positions(count, dimension);
    for (int r = 0; r < count; ++r)
        for (int c = 0; c < dimension; ++c) positions(r, c) = random.uniform(-1, 1);
    return positions;
}

TEST(CardinalBasis, IsOneAtItsOwnExampleAndZeroAtOthers) {
    test::Random random(1);
    for (const BasisKind kind : {BasisKind::gaussian, BasisKind::linear}) {
        for (const int count : {1, 2, 3, 9}) {
            const Eigen::MatrixXd positions = random_positions(random, count, 3);
            const CardinalBasis basis(positions, kind);
            for (int e = 0; e < count; ++e) {
                const Eigen::VectorXd expected = Eigen::VectorXd::Unit(count, e);
                EXPECT_LT((basis.weights(positions.row(e)) - expected).cwiseAbs().maxCoeff(), 1e-5);
            }
        }
    }
}

TEST(CardinalBasis, TheLinearPartIsExactWhereALineOrPlaneFits) {
    const CardinalBasis line(Eigen::Vector2d(0, 10), BasisKind::linear);
    const Eigen::VectorXd third = line.weights(Eigen::VectorXd::Constant(1, 3));
    EXPECT_NEAR(third[0], 0.7, 1e-12);
    EXPECT_NEAR(third[1], 0.3, 1e-12);
    Eigen::MatrixXd corners(3, 2);
    corners << 0, 0, 1, 0, 0, 1;
    const Eigen::VectorXd inside =
        CardinalBasis(corners, BasisKind::linear).weights(Eigen::Vector2d(0.2, 0.5));
    EXPECT_LT((inside - Eigen::Vector3d(0.3, 0.2, 0.5)).norm(), 1e-12);
    // Functions of linear examples sum to one everywhere: shapes blend, they do not grow.
    test::Random random(2);
    const CardinalBasis many(random_positions(random, 8, 2), BasisKind::linear);
    EXPECT_LT(std::abs(many.weights(Eigen::Vector2d(3, -4)).sum() - 1), 1e-6);
}

TEST(CardinalBasis, GaussiansFadeFarAway) {
    test::Random random(3);
    const CardinalBasis basis(random_positions(random, 5, 2));
    EXPECT_LT(basis.weights(Eigen::Vector2d(50, 50)).norm(), 1e-9);
    EXPECT_THROW(basis.weights(Eigen::VectorXd::Zero(3)), Error);
    EXPECT_THROW(CardinalBasis(Eigen::MatrixXd::Zero(2, 2)), Error);
    EXPECT_THROW(CardinalBasis(Eigen::MatrixXd(0, 2)), Error);
}

/// A tube with a shape sculpted for some poses of its clips: the skinned one with a ring pushed out.
struct Sculpted {
    model::Character tube = sample::make("tube");
    model::InfluenceSets sets = model::group_by_influences(tube.skin, &tube.skeleton);
    RestShape<double> rest = {rest_shape<double>(tube.mesh).positions};

    std::vector<Transform> pose(const char* clip, double time) const {
        return model::sample(*model::find_clip(tube, clip), tube.skeleton, time);
    }
    std::vector<Mat4d> palette(const std::vector<Transform>& pose) const {
        return model::palette(tube.skin, model::world_matrices(tube.skeleton, pose));
    }
    std::vector<Vec3f> skinned(const std::vector<Transform>& pose, const RestShape<double>& shape) const {
        std::vector<Vec3f> result;
        for (const Vec3d& p : deform<double>(shape, tube.skin, sets, palette(pose), Method::dqs).positions)
            result.push_back(p.cast<float>());
        return result;
    }
    /// What an artist made of the skinned pose.
    std::vector<Vec3f> sculpt(const std::vector<Transform>& pose, float swell) const {
        std::vector<Vec3f> shape = skinned(pose, rest);
        const std::vector<Vec3f> normals = geometry::vertex_normals(shape, tube.mesh.triangles);
        const float joint = 0.5f * geometry::bounds(tube.mesh.positions).high.y();
        for (std::size_t v = 0; v < shape.size(); ++v) {
            const float away = (tube.mesh.positions[v].y() - joint) / 0.1f;
            shape[v] += swell * std::exp(-away * away) * normals[v];
        }
        return shape;
    }
    PoseExample example(const std::vector<Transform>& pose, const std::vector<Vec3f>& shape) const {
        Deformer deformer(tube, {.method = Method::dqs});
        deformer.at(pose);
        return {pose, deformer.displacements_to(shape)};
    }
    std::vector<Vec3f> corrected(const PoseSpace& space, const std::vector<Transform>& pose) const {
        RestShape<double> shape = rest;
        const std::vector<Vec3d> d = space.displacements(pose);
        for (std::size_t v = 0; v < d.size(); ++v) shape.positions[v] += d[v];
        return skinned(pose, shape);
    }
};

double farthest(const std::vector<Vec3f>& a, const std::vector<Vec3f>& b) {
    const std::vector<float> distances = vertex_distances(a, b);
    return *std::ranges::max_element(distances);
}

TEST(PoseSpace, ReplaysEveryExampleAndTheRestPose) {
    const Sculpted s;
    const auto bent = s.pose("bend", 0.6), more = s.pose("bend", 1.0), turned = s.pose("twist", 0.5);
    const std::vector<std::pair<std::vector<Transform>, std::vector<Vec3f>>> sculpts = {
        {bent, s.sculpt(bent, 0.03f)}, {more, s.sculpt(more, 0.06f)}, {turned, s.sculpt(turned, -0.02f)}};
    std::vector<PoseExample> examples;
    for (const auto& [pose, shape] : sculpts) examples.push_back(s.example(pose, shape));
    for (const BasisKind kind : {BasisKind::gaussian, BasisKind::linear}) {
        const PoseSpace space(s.tube.skeleton, s.tube.skin, examples, kind);
        for (const auto& [pose, shape] : sculpts) {
            EXPECT_LT(farthest(s.corrected(space, pose), shape), 1e-5);
            EXPECT_GT(farthest(s.skinned(pose, s.rest), shape), 0.01) << "the examples say something";
        }
        const auto still = s.pose("bend", 0);
        EXPECT_LT(farthest(s.corrected(space, still), s.skinned(still, s.rest)), 1e-5);
    }
}

TEST(PoseSpace, SwellsGraduallyTowardsAnExample) {
    const Sculpted s;
    const auto bent = s.pose("bend", 1.0);
    const PoseSpace space(s.tube.skeleton, s.tube.skin, {s.example(bent, s.sculpt(bent, 0.06f))},
                          BasisKind::linear);
    double before = -1e-9;
    for (const double time : {0.0, 0.25, 0.5, 0.75, 1.0}) {
        const auto pose = s.pose("bend", time);
        const double swell = farthest(s.corrected(space, pose), s.skinned(pose, s.rest));
        EXPECT_GT(swell, before) << time;
        EXPECT_LT(swell, 0.0601);
        before = swell;
    }
}

TEST(PoseSpace, OtherJointsAreNotAsked) {
    const model::Character man = sample::make("man");
    std::vector<Transform> pose;
    for (const model::Joint& joint : man.skeleton.joints) pose.push_back(joint.rest);
    const auto rest = pose;
    const auto elbow = static_cast<std::size_t>(man.skeleton.find("LeftLowerArm")),
               knee = static_cast<std::size_t>(man.skeleton.find("RightLowerLeg"));
    pose[elbow].rotation = pose[elbow].rotation * math::axis_angle<double>(Vec3d::UnitY(), 1.5);
    const PoseSpace space(man.skeleton, man.skin,
                          {{pose, std::vector<Vec3d>(man.mesh.vertex_count(), Vec3d(0, 0.01, 0))}});
    const auto at_example = space.displacements(pose);
    auto with_knee = pose;
    with_knee[knee].rotation = with_knee[knee].rotation * math::axis_angle<double>(Vec3d::UnitX(), 1);
    EXPECT_EQ(space.displacements(with_knee), at_example) << "a knee does not change an elbow";
    std::size_t moved = 0;
    for (const Vec3d& d : at_example) moved += d.norm() > 0.009;
    EXPECT_GT(moved, 100u);
    EXPECT_LT(moved, man.mesh.vertex_count() / 4) << "only what sees the elbow";
    for (const Vec3d& d : space.displacements(rest)) EXPECT_LT(d.norm(), 1e-6);
}

TEST(PoseSpace, RefusesWhatDoesNotFit) {
    const Sculpted s;
    const auto bent = s.pose("bend", 0.6);
    EXPECT_THROW(s.example(bent, {}), Error);
    EXPECT_THROW(PoseSpace(s.tube.skeleton, s.tube.skin, {{bent, {}}}), Error);
    EXPECT_THROW(PoseSpace(s.tube.skeleton, s.tube.skin, {}).displacements({}), Error);
    auto flat = bent;
    flat[0].scale.y() = 0;
    Deformer deformer(s.tube, {.method = Method::lbs});
    deformer.at(flat);
    EXPECT_THROW(deformer.displacements_to(s.tube.mesh.positions), Error);
}

}  // namespace pose_space_test
}  // namespace sinew::deform
