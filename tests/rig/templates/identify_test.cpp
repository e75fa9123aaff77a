// SPDX-License-Identifier: MIT
// Which body is this, and which limb is which: by how it stands.

#include "rig/template_support.h"
#include "support/samples.h"
#include "support/shapes.h"
#include <gtest/gtest.h>

#include "sinew/base/monitor.h"
#include "sinew/rig/body/body_frame.h"
#include "sinew/rig/skeletonize.h"

namespace sinew::rig {
namespace identify_test {

using math::Vec3d;

geometry::Mesh warped(geometry::Mesh mesh, const std::function<Vec3d(const Vec3d&)>& warp) {
    for (auto& p : mesh.positions) p = warp(p.cast<double>()).cast<float>();
    return mesh;
}

Vec3d position(const model::Skeleton& skeleton, const char* joint) {
    const int j = skeleton.find(joint);
    EXPECT_GE(j, 0) << joint;
    return model::joint_positions(model::rest_world_matrices(skeleton))[static_cast<std::size_t>(j)];
}

TEST(IdentifyBody, SamplesAreOfTheirKind) {
    for (const auto& [name, kind] :
         {std::pair{"man", "biped"}, {"horse", "quadruped"}, {"cat", "quadruped"}}) {
        std::optional<TemplateFit> fit;
        const BodyGuess guess = identify_body(
            test::sample(name, std::string_view(name) == "man" ? 0 : test::few_faces).mesh, &fit);
        EXPECT_EQ(guess.kind, kind) << name;
        EXPECT_GT(guess.confidence, 0.5) << name;
        ASSERT_TRUE(fit);
        EXPECT_TRUE(fit->missing.empty()) << name;
    }
}

TEST(IdentifyBody, AnimalsHaveFrontAndBackLegs) {
    const model::Character& horse = test::sample("horse", test::few_faces);
    const SkeletonizeResult result = skeletonize(horse.mesh);
    ASSERT_EQ(result.kind, "quadruped") << result.reason;
    const auto roles = model::find_roles(horse.skeleton);
    const auto truth = model::joint_positions(model::rest_world_matrices(horse.skeleton));
    const double size = test::diagonal(horse.mesh);
    for (const auto& [joint, role, side] : {std::tuple{"FrontLeftFoot", model::Role::hand, model::Side::left},
                                            {"FrontRightFoot", model::Role::hand, model::Side::right},
                                            {"BackLeftLowerLeg", model::Role::shin, model::Side::left},
                                            {"BackRightLowerLeg", model::Role::shin, model::Side::right}}) {
        const int true_joint = model::find_role(roles, role, side);
        ASSERT_GE(true_joint, 0) << joint;
        EXPECT_LT((position(result.skeleton, joint) - truth[static_cast<std::size_t>(true_joint)]).norm(),
                  0.11 * size)
            << joint;
    }
    EXPECT_EQ(model::find_role(model::find_roles(result.skeleton), model::Role::hand, model::Side::left),
              result.skeleton.find("FrontLeftFoot"));
}

/// A sphere with a stalk, a ring, a beam: joints get no roles, and a warning says so.
TEST(IdentifyBody, ThingsAreNoBodies) {
    const geometry::Mesh beam =
        warped(test::cube(), [](const Vec3d& p) { return Vec3d(6 * p.x(), p.y(), p.z()); });
    for (const geometry::Mesh& mesh : {test::torus(24, 12), beam, test::sample("tube").mesh}) {
        Collector monitor;
        const SkeletonizeResult result = skeletonize(mesh, {}, monitor);
        EXPECT_EQ(result.kind, "free") << result.reason;
        for (const model::Joint& joint : result.skeleton.joints)
            EXPECT_EQ(model::role_from_name(joint.name).role, model::Role::none) << joint.name;
    }
}

/// Head, legs and arms of other sizes: a toy is a person too.
TEST(IdentifyBody, ProportionsDoNotMatter) {
    const geometry::Mesh& man = test::sample("man").mesh;
    const double neck = position(test::sample("man").skeleton, "Head").y();
    for (const double head : {1.0, 2.2}) {
        for (const double legs : {1.0, 0.6}) {
            const double hips = 0.9;
            const geometry::Mesh mesh = warped(man, [&](Vec3d p) {
                if (p.y() > neck) p = Vec3d(head * p.x(), neck + head * (p.y() - neck), head * p.z());
                p.y() = p.y() < hips ? legs * p.y() : p.y() - (1 - legs) * hips;
                return p;
            });
            const SkeletonizeResult result = skeletonize(mesh);
            ASSERT_EQ(result.kind, "biped") << head << " " << legs << ": " << result.reason;
            EXPECT_GT(position(result.skeleton, "LeftHand").x(), 0.4);
            EXPECT_LT(position(result.skeleton, "RightHand").x(), -0.4);
            EXPECT_LT(position(result.skeleton, "LeftFoot").y(), 0.2);
            EXPECT_GT(position(result.skeleton, "LeftFoot").x(), 0.02);
            EXPECT_GT(position(result.skeleton, "Head").y(), neck - (1 - legs) * hips - 0.1);
        }
    }
}

/// A tube of cloth about the y axis that narrows from its hem to its top.
void add_skirt(geometry::Mesh& mesh, double hem, double top) {
    constexpr int around = 32, rings = 12;
    const auto first = static_cast<std::uint32_t>(mesh.positions.size());
    for (int ring = 0; ring <= rings; ++ring) {
        const double t = static_cast<double>(ring) / rings;
        for (int k = 0; k < around; ++k) {
            const double angle = math::radians(360.0 * k / around), radius = 0.35 - 0.17 * t;
            mesh.positions.push_back(
                Vec3d(radius * std::cos(angle), hem + t * (top - hem), radius * std::sin(angle))
                    .cast<float>());
        }
    }
    for (std::uint32_t ring = 0; ring < rings; ++ring) {
        for (std::uint32_t k = 0; k < around; ++k) {
            const std::uint32_t a = first + ring * around + k, b = first + ring * around + (k + 1) % around;
            mesh.triangles.push_back({a, b, b + around});
            mesh.triangles.push_back({a, b + around, a + around});
        }
    }
}

/// A cape from the shoulders to the calves, wider below.
void add_cape(geometry::Mesh& mesh) {
    constexpr int columns = 16, rows = 20;
    const auto first = static_cast<std::uint32_t>(mesh.positions.size());
    for (int row = 0; row <= rows; ++row) {
        for (int column = 0; column <= columns; ++column) {
            const double down = static_cast<double>(row) / rows, across = 2.0 * column / columns - 1;
            mesh.positions.push_back(
                Vec3d((0.2 + 0.2 * down) * across, 1.45 - 1.2 * down, -0.2 - 0.2 * down).cast<float>());
        }
    }
    for (std::uint32_t row = 0; row < rows; ++row) {
        for (std::uint32_t column = 0; column < columns; ++column) {
            const std::uint32_t a = first + row * (columns + 1) + column, b = a + columns + 1;
            mesh.triangles.push_back({a, b, b + 1});
            mesh.triangles.push_back({a, b + 1, a + 1});
        }
    }
}

TEST(IdentifyBody, ClothesDoNotMatter) {
    const model::Character& man = test::sample("man");
    const auto truth = model::joint_positions(model::rest_world_matrices(man.skeleton));
    const auto roles = model::find_roles(man.skeleton);
    for (const std::string_view clothes : {"cape", "skirt", "robe"}) {
        geometry::Mesh mesh;
        mesh.positions = man.mesh.positions;
        mesh.triangles = man.mesh.triangles;
        if (clothes == "cape")
            add_cape(mesh);
        else
            add_skirt(mesh, clothes == "robe" ? 0.03 : 0.5, 1.05);
        const SkeletonizeResult result = skeletonize(mesh);
        ASSERT_EQ(result.kind, "biped") << clothes << ": " << result.reason;
        for (const auto& [joint, role] : {std::pair{"LeftUpperLeg", model::Role::thigh},
                                          {"LeftFoot", model::Role::foot},
                                          {"LeftHand", model::Role::hand},
                                          {"LeftUpperArm", model::Role::upper_arm}}) {
            const int true_joint = model::find_role(roles, role, model::Side::left);
            ASSERT_GE(true_joint, 0) << joint;
            EXPECT_LT((position(result.skeleton, joint) - truth[static_cast<std::size_t>(true_joint)]).norm(),
                      0.08 * test::diagonal(man.mesh))
                << clothes << " " << joint;
        }
    }
}

/// Arms that run into the trunk at their ends, too, have no ends until they are taken off it.
TEST(IdentifyBody, HandsMayRestOnTheHips) {
    model::Character man = test::sample("man");
    const auto turn = [&](const char* name, double degrees) {
        auto& joint = man.skeleton.joints[static_cast<std::size_t>(man.skeleton.find(name))];
        joint.rest.rotation =
            math::Quatd(Eigen::AngleAxisd(math::radians(degrees), Vec3d::UnitZ())) * joint.rest.rotation;
    };
    for (const double side : {1.0, -1.0}) {
        turn(side > 0 ? "LeftUpperArm" : "RightUpperArm", -50 * side);
        turn(side > 0 ? "LeftLowerArm" : "RightLowerArm", -85 * side);
    }
    const geometry::Mesh mesh = test::mesh_at_rest(man);
    const SkeletonizeResult result = skeletonize(mesh);
    ASSERT_EQ(result.kind, "biped") << result.reason;
    for (const char* joint : {"LeftHand", "RightHand", "LeftLowerArm", "RightLowerArm", "LeftFoot"})
        EXPECT_LT((position(result.skeleton, joint) - position(man.skeleton, joint)).norm(),
                  0.06 * test::diagonal(mesh))
            << joint;
}

/// Figures stand on discs and plates, from which no foot can be told.
TEST(IdentifyBody, ABaseIsNoPartOfABody) {
    const model::Character& man = test::sample("man");
    geometry::Mesh mesh;
    mesh.positions = man.mesh.positions;
    mesh.triangles = man.mesh.triangles;
    const float floor = geometry::bounds(mesh.positions).low.y();
    const auto first = static_cast<std::uint32_t>(mesh.positions.size());
    const geometry::Mesh cube = test::cube();
    for (const auto& corner : cube.positions)
        mesh.positions.emplace_back(0.9f * corner.x(), floor + 0.05f * (corner.y() - 0.4f),
                                    0.9f * corner.z());
    for (const geometry::Triangle& t : cube.triangles)
        mesh.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
    Collector monitor;
    const SkeletonizeResult result = skeletonize(mesh, {}, monitor);
    ASSERT_EQ(result.kind, "biped") << result.reason;
    EXPECT_TRUE(monitor.has("body-on-base"));
    for (const char* joint : {"LeftHand", "RightHand", "LeftFoot", "RightFoot"})
        EXPECT_LT((position(result.skeleton, joint) - position(man.skeleton, joint)).norm(),
                  0.04 * test::diagonal(mesh))
            << joint;
}

/// A shape cut out of paper has limbs all the same.
TEST(IdentifyBody, AFlatManIsAMan) {
    const geometry::Mesh flat =
        warped(test::sample("man").mesh, [](const Vec3d& p) { return Vec3d(p.x(), p.y(), 0.02 * p.z()); });
    EXPECT_EQ(identify_body(flat).kind, "biped");
    EXPECT_GT(identify_body(flat).confidence, min_confidence);
}

TEST(IdentifyBody, ABodyWithoutOneArmHasNoJointsForIt) {
    geometry::Mesh mesh = test::sample("man").mesh;
    std::erase_if(mesh.triangles, [&](const geometry::Triangle& t) {
        return std::ranges::any_of(t, [&](std::uint32_t v) { return mesh.positions[v].x() > 0.22f; });
    });
    mesh.parts.clear();
    const SkeletonizeResult result = skeletonize(mesh);
    ASSERT_EQ(result.kind, "biped") << result.reason;
    EXPECT_LT(result.skeleton.find("LeftHand"), 0);
    EXPECT_GE(result.skeleton.find("RightHand"), 0);
}

TEST(BodyFrame, ThePlaneOfAManIsFoundAtAnyYaw) {
    for (const double yaw : {0.0, 0.4, 1.3, 2.7}) {
        const math::Mat3d turn = Eigen::AngleAxisd(yaw, Vec3d::UnitY()).toRotationMatrix();
        const geometry::Mesh mesh =
            warped(test::sample("man").mesh, [&](const Vec3d& p) { return Vec3d(turn * p); });
        const BodyField field = body_field(mesh);
        const BodyFrame frame = symmetry_frames(field, BodyGraph(field), Vec3d::UnitY())[0];
        EXPECT_GT(std::abs(frame.plane.normal.dot(turn * Vec3d::UnitX())), 0.998) << yaw;
        EXPECT_NEAR(frame.crotch, 0.47, 0.05) << yaw;
    }
}

/// Parts are tied where they hang, not all along: an arm that stands beside the trunk is still an arm.
TEST(BodyField, PartsAreTiedAtTheirUpperEnds) {
    geometry::Mesh mesh = warped(test::cube(), [](const Vec3d& p) { return Vec3d(p.x(), 2 * p.y(), p.z()); });
    const geometry::Mesh arm =
        warped(test::cube(), [](const Vec3d& p) { return Vec3d(0.3 * p.x() + 0.7, 2 * p.y(), 0.3 * p.z()); });
    const auto first = static_cast<std::uint32_t>(mesh.positions.size());
    mesh.positions.insert(mesh.positions.end(), arm.positions.begin(), arm.positions.end());
    for (const geometry::Triangle& t : arm.triangles)
        mesh.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
    const BodyField field = body_field(mesh, {.closed_gap = 6});
    EXPECT_EQ(field.bodies, 1);
    EXPECT_TRUE(field.solid.contains(Vec3d(0.52, 0.97, 0)));
    EXPECT_FALSE(field.solid.contains(Vec3d(0.52, 0, 0)));
    EXPECT_FALSE(field.solid.contains(Vec3d(0.52, -0.9, 0)));
}

}  // namespace identify_test
}  // namespace sinew::rig
