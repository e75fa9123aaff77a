// SPDX-License-Identifier: MIT
#include "sinew/articulated/figure.h"

#include <algorithm>

#include "articulated/bodies.h"

#include "sinew/articulated/body/part_collision.h"
#include "sinew/math/quaternion.h"
#include "sinew/model/channels.h"

namespace sinew::articulated {
namespace {

double distance(const Rigidd& a, const Rigidd& b) {
    return (a.matrix() - b.matrix()).cwiseAbs().maxCoeff();
}

TEST(PartFigure, TurnsAboutItsJoint) {
    const ChainFigure chain(2);
    ArticulatedFigure figure = chain.figure();
    FigureJoint& joint = figure.joints()[1];
    joint.position = {1, 0, 0};
    joint.align = Quatd::Identity();
    const std::vector<Vec3d> angles = {Vec3d::Zero(), Vec3d(0, 0, math::pi / 2)};
    EXPECT_TRUE(figure.pose(angles).clean());
    EXPECT_LT((figure.world()[1] * Vec3d(2, 0, 0) - Vec3d(1, 1, 0)).norm(), 1e-15);
    EXPECT_LT((figure.world()[1] * Vec3d(1, 0, 0) - Vec3d(1, 0, 0)).norm(), 1e-15);
}

TEST(PartFigure, FramesLookAtTheParent) {
    const ChainFigure chain(3);
    ArticulatedFigure figure = chain.figure();
    EXPECT_EQ(figure.joints()[0].align.vec().norm(), 0);
    for (int p : {1, 2}) {
        const FigureJoint& joint = figure.joints()[static_cast<std::size_t>(p)];
        const Vec3d axis = chain.features[static_cast<std::size_t>(p - 1)].centre - joint.position;
        EXPECT_LT((joint.align * axis.normalized() - Vec3d::UnitZ()).norm(), 1e-12);
        // An angle about z is a twist about that axis.
        std::vector<Vec3d> angles(3, Vec3d::Zero());
        angles[static_cast<std::size_t>(p)] = {0, 0, 1};
        figure.reset();
        figure.pose(angles);
        const Vec3d rotation = math::rotation_vector(figure.world()[static_cast<std::size_t>(p)].rotation);
        EXPECT_LT((rotation - axis.normalized()).norm(), 1e-12);
    }
}

TEST(PartFigure, EqualsProductsOfMatrices) {
    const ChainFigure chain(5);
    test::Random random;
    ArticulatedFigure figure = chain.figure();
    for (int n = 0; n < 50; ++n) {
        std::vector<Vec3d> angles;
        for (FigureJoint& joint : figure.joints()) {
            joint.position = random.vector(2);
            joint.align = random.rotation();
            angles.push_back(random.vector(3));
        }
        FigureMover mover{random.vector(), random.vector(3)};
        figure.pose(angles, mover);
        const auto about = [](int axis, double angle) {
            math::Mat4d m = math::Mat4d::Identity();
            m.topLeftCorner<3, 3>() = Eigen::AngleAxisd(angle, Vec3d::Unit(axis)).toRotationMatrix();
            return m;
        };
        const auto moved = [](const Vec3d& by) {
            math::Mat4d m = math::Mat4d::Identity();
            m.topRightCorner<3, 1>() = by;
            return m;
        };
        const auto turned = [&](const Vec3d& a) {
            return math::Mat4d(about(2, a.z()) * about(1, a.y()) * about(0, a.x()));
        };
        math::Mat4d world = moved(mover.translation) * turned(mover.angles);
        for (std::size_t j = 0; j < angles.size(); ++j) {
            const FigureJoint& joint = figure.joints()[j];
            math::Mat4d align = math::Mat4d::Identity();
            align.topLeftCorner<3, 3>() = joint.align.toRotationMatrix();
            world = world * moved(joint.position) * align.transpose() * turned(angles[j]) * align *
                    moved(-joint.position);
            EXPECT_LT((world - figure.world()[j].matrix()).cwiseAbs().maxCoeff(), 1e-12);
            if (j > 0) {  // the joint is where its parent takes it
                EXPECT_LT(
                    (figure.world()[j] * joint.position - figure.world()[j - 1] * joint.position).norm(),
                    1e-12);
            }
            const Vec3d a = random.vector(), b = random.vector();
            EXPECT_NEAR((figure.world()[j] * a - figure.world()[j] * b).norm(), (a - b).norm(),
                        1e-10 * (a - b).norm());
        }
    }
}

TEST(PartFigure, ManyFramesAndBackIsRest) {
    const ChainFigure chain(3);
    test::Random random;
    ArticulatedFigure figure = chain.figure();
    std::vector<Vec3d> angles(3);
    for (int frame = 0; frame < 100000; ++frame) {
        for (Vec3d& a : angles) a = random.vector(0.5);
        figure.pose(angles);
    }
    std::fill(angles.begin(), angles.end(), Vec3d::Zero());
    figure.pose(angles);
    for (const Rigidd& w : figure.world()) EXPECT_LT(distance(w, {}), 1e-12);
}

TEST(PartFigure, IncrementsAddUp) {
    const ChainFigure chain(3);
    ArticulatedFigure figure = chain.figure(), other = chain.figure();
    std::vector<Vec3d> step(3, Vec3d::Zero()), whole(3, Vec3d::Zero());
    step[1] = {0.001, 0, 0};
    step[2] = {0, -0.0005, 0};
    whole[1] = {1, 0, 0};
    whole[2] = {0, -0.5, 0};
    for (int i = 0; i < 1000; ++i) figure.rotate(step);
    other.pose(whole);
    for (std::size_t p = 0; p < 3; ++p) EXPECT_LT(distance(figure.world()[p], other.world()[p]), 1e-12);
    EXPECT_NEAR(figure.angles()[1].x(), 1, 1e-12);
    figure.reset();
    for (const Rigidd& w : figure.world()) EXPECT_EQ(distance(w, {}), 0);
}

TEST(PartFigure, LimitsRejectClampOrWarn) {
    const ChainFigure chain(2);
    const auto ask = [&](Veto veto, double degrees) {
        ArticulatedFigure figure = chain.figure({.limits = veto});
        figure.joints()[1].low = Vec3d(0, -0.1, -0.1);
        figure.joints()[1].high = Vec3d(math::radians(150), 0.1, 0.1);
        std::vector<Vec3d> angles = {Vec3d::Zero(), Vec3d(math::radians(40), 0, 0)};
        EXPECT_TRUE(figure.pose(angles).clean());
        angles[1].x() = math::radians(degrees);
        const FigureReport report = figure.pose(angles);
        EXPECT_EQ(report.limited.size(), degrees > 150 && veto != Veto::off ? 1u : 0u);
        if (!report.limited.empty()) {
            EXPECT_EQ(report.limited[0].joint, 1);
            EXPECT_EQ(report.limited[0].axis, 0);
        }
        return math::degrees(math::rotation_vector(figure.world()[1].rotation).norm());
    };
    EXPECT_NEAR(ask(Veto::reject, 150), 150, 1e-9);
    EXPECT_NEAR(ask(Veto::reject, 151), 40, 1e-9);
    EXPECT_NEAR(ask(Veto::clamp, 151), 150, 1e-9);
    EXPECT_NEAR(ask(Veto::warn, 151), 151, 1e-9);
    EXPECT_NEAR(ask(Veto::off, 151), 151, 1e-9);
}

/// A chain that curls up until its ends meet.
std::vector<Vec3d> curl(std::size_t parts, double degrees) {
    std::vector<Vec3d> angles(parts, Vec3d::Zero());
    for (std::size_t j = 1; j < parts; ++j) angles[j].x() = math::radians(degrees);
    return angles;
}

TEST(PartFigure, OfSeveralHitsTheNearestBySpheresIsNamed) {
    const ChainFigure chain(8);
    test::Random random;
    int hits = 0, not_the_first = 0;
    for (int n = 0; n < 300; ++n) {
        ArticulatedFigure figure = chain.figure();
        std::vector<Vec3d> angles(8);
        for (Vec3d& a : angles) a = random.vector(1.5);
        figure.pose(angles);
        const PartCollision& collision = figure.collision();
        const int part = random.integer(2, 6);
        double least = 2;
        std::optional<PartPair> expected, first;
        for (int a = part; a < 8; ++a) {
            for (int b = 0; b + 1 < part || (b < part && a > part); ++b) {
                if (!collision.collide(a, b, figure.world())) continue;
                const geometry::OrientedBox &one = collision.box(a), &two = collision.box(b);
                const double apart = (figure.world()[static_cast<std::size_t>(a)] * one.centre -
                                      figure.world()[static_cast<std::size_t>(b)] * two.centre)
                                         .norm();
                const double w = std::pow(apart / (one.half.norm() + two.half.norm()), 2);
                EXPECT_LE(w, 1);  // spheres drop nothing that the boxes find
                if (!first) first = PartPair{a, b};
                if (w < least) expected = PartPair{a, b};
                least = std::min(least, w);
            }
        }
        const std::optional<PartPair> hit = collision.first_hit(part, figure.world());
        ASSERT_EQ(hit.has_value(), expected.has_value());
        if (!hit) continue;
        ++hits;
        EXPECT_EQ(std::pair(hit->a, hit->b), std::pair(expected->a, expected->b));
        not_the_first += std::pair(first->a, first->b) != std::pair(expected->a, expected->b) ? 1 : 0;
    }
    EXPECT_GT(hits, 20);
    EXPECT_GT(not_the_first, 10);
}

class PartCollisions : public testing::TestWithParam<bool> {};

TEST_P(PartCollisions, AreRejectedAndNamed) {
    const ChainFigure chain(6);
    ArticulatedFigure figure = chain.figure({.collisions = Veto::reject, .exact = GetParam()});
    EXPECT_TRUE(figure.pose(curl(6, 20)).clean());
    const std::vector<Vec3d> before = figure.angles();
    const FigureReport report = figure.pose(curl(6, 88));
    ASSERT_FALSE(report.collided.empty());
    const FigureReport::Collided& hit = report.collided.front();
    EXPECT_EQ(figure.angles()[static_cast<std::size_t>(hit.joint)],
              before[static_cast<std::size_t>(hit.joint)]);
    EXPECT_GT(std::abs(hit.pair.a - hit.pair.b), 1);
    EXPECT_GE(hit.pair.a, hit.joint);
    EXPECT_LT(hit.pair.b, hit.joint);
    for (int a = 0; a < 6; ++a)
        for (int b = a + 2; b < 6; ++b)
            EXPECT_FALSE(figure.collision().collide(a, b, figure.world())) << a << b;
    Collector collector;
    warn_about(report, chain.cut.names, collector);
    EXPECT_TRUE(collector.has("part-collision"));
}

TEST_P(PartCollisions, AreClampedToTheLastValidAngle) {
    const ChainFigure chain(5);
    ArticulatedFigure figure =
        chain.figure({.collisions = Veto::clamp, .exact = GetParam(), .bisections = 20});
    std::vector<Vec3d> angles = curl(5, 50);
    angles[4].setZero();
    ASSERT_TRUE(figure.pose(angles).clean());
    angles[4].x() = math::radians(175);
    const FigureReport report = figure.pose(angles);
    ASSERT_EQ(report.collided.size(), 1u);
    const double valid = figure.angles()[4].x();
    EXPECT_GT(valid, 0);
    EXPECT_LT(valid, math::radians(175));
    EXPECT_FALSE(figure.collision().first_hit(4, figure.world()));
    // A little further is too far.
    ArticulatedFigure further = chain.figure({.collisions = Veto::warn, .exact = GetParam()});
    angles[4].x() = valid + 1e-4;
    EXPECT_EQ(further.pose(angles).collided.size(), 1u);
    angles[4].x() = valid - 1e-4;
    further.reset();
    EXPECT_TRUE(further.pose(angles).clean());
}

TEST_P(PartCollisions, NothingPassesThroughOnTheWay) {
    // The chain bends back to the side of its first part, which the last part then swings across, from one
    // side to the other.
    const ChainFigure chain(5, 0.05, 2.5);
    const Quatd above = math::axis_angle<double>(Vec3d::UnitX(), 3.6);
    const auto swung = [&](double angle) {
        const Vec3d direction(std::sin(angle), 0, -std::cos(angle));
        return math::rotation_between<double>(Vec3d::UnitY(), above.conjugate() * direction);
    };
    const auto ask = [&](bool continuous) {
        ArticulatedFigure figure = chain.figure(
            {.collisions = Veto::clamp, .exact = GetParam(), .continuous = continuous, .bisections = 20});
        for (FigureJoint& joint : figure.joints()) joint.align = Quatd::Identity();
        std::vector<Quatd> rotations(5, Quatd::Identity());
        rotations[2] = math::axis_angle<double>(Vec3d::UnitX(), 2.0);
        rotations[3] = math::axis_angle<double>(Vec3d::UnitX(), 1.6);
        rotations[4] = swung(-1.1);
        figure.options().collisions = Veto::off;  // however it got there
        figure.pose(rotations);
        figure.options().collisions = Veto::clamp;
        rotations[4] = swung(1.1);
        const FigureReport report = figure.pose(rotations);
        return std::pair(report.collided.size(),
                         math::angle_between<double>(figure.rotations()[4], swung(1.1)));
    };
    EXPECT_EQ(ask(false), std::pair(std::size_t{0}, 0.0));
    const auto [hits, rest] = ask(true);
    EXPECT_EQ(hits, 1u);
    EXPECT_GT(rest, 0.5);  // it stopped on its side
    EXPECT_LT(rest, 2.1);  // but not at once
}

INSTANTIATE_TEST_SUITE_P(BoxesAndTriangles, PartCollisions, testing::Bool());

TEST(PartFigure, OthersAreWhatIsNotBelow) {
    const ChainFigure chain(4);
    const ArticulatedFigure figure = chain.figure();
    EXPECT_EQ(figure.collision().others(2), (std::vector<int>{0, 1}));
    EXPECT_EQ(figure.collision().subtree(2), (std::vector<int>{2, 3}));
    EXPECT_FALSE(figure.collision().counts(1, 2));  // they share an opening
    EXPECT_TRUE(figure.collision().counts(0, 2));
}

/// The figure as a skeleton in its rest pose, with limits in the frames of its joints.
model::Skeleton figure_skeleton(const ArticulatedFigure& figure, const std::vector<std::string>& names) {
    model::Skeleton skeleton;
    std::vector<int> number(figure.joints().size(), -1);
    for (const int p : figure.order()) {
        const auto j = static_cast<std::size_t>(p);
        const FigureJoint& from = figure.joints()[j];
        number[j] = static_cast<int>(skeleton.size());
        model::Joint joint;
        joint.name = names[j];
        joint.rest.translation = from.position;
        if (from.parent >= 0) {
            joint.parent = number[static_cast<std::size_t>(from.parent)];
            joint.rest.translation -= figure.joints()[static_cast<std::size_t>(from.parent)].position;
        }
        joint.limits = model::JointLimits{from.align.conjugate(), from.low, from.high};
        skeleton.joints.push_back(std::move(joint));
    }
    return skeleton;
}

TEST(PartFigure, PlayerAgreesWithTheChannelPlayerOfItsSkeleton) {
    const ChainFigure chain(4);
    ArticulatedFigure figure = chain.figure();
    model::ChannelSet set;
    set.end = 2;
    test::Random random;
    for (int id = 0; id < 18; ++id) {
        model::Channel channel;
        channel.id = id;
        for (int k = 0; k < 4; ++k) channel.keys.push_back({0.5 * k, random.uniform(-50, 50)});
        set.channels.push_back(channel);
    }
    Collector collector;
    FigurePlayer player(figure, set, collector);
    EXPECT_TRUE(collector.warnings().empty());
    const model::Skeleton skeleton = figure_skeleton(figure, chain.cut.names);
    model::ChannelPlayer reference(set, skeleton);
    const std::vector<math::Mat4d> rest = model::rest_world_matrices(skeleton);
    for (const double time : {0.0, 0.3, 1.1, 2.5}) {
        player.play(time);
        const std::vector<math::Mat4d> world = model::world_matrices(skeleton, reference.pose(time));
        for (std::size_t n = 0; n < skeleton.size(); ++n) {
            const auto part = static_cast<std::size_t>(figure.order()[n]);
            EXPECT_LT((world[n] * rest[n].inverse() - figure.world()[part].matrix()).cwiseAbs().maxCoeff(),
                      1e-12);
        }
    }
    EXPECT_EQ(player.frame_count(30), 61u);
    // Another clip at run time; what it does not move stays at rest.
    model::ChannelSet second;
    second.channels = {set.channels[3], {.id = 99, .keys = {{0, 1}}}};
    player.load(second, collector);
    EXPECT_TRUE(collector.has("channel-without-joint"));
    figure.reset();
    player.play(0);
    EXPECT_EQ(distance(figure.world()[0], {}), 0);
    EXPECT_GT(distance(figure.world()[1], {}), 0.01);
}

TEST(PartFigure, QuaternionsPoseLikeTheirAngles) {
    const ChainFigure chain(3);
    test::Random random;
    ArticulatedFigure figure = chain.figure(), other = chain.figure();
    for (int n = 0; n < 50; ++n) {
        std::vector<Quatd> rotations;
        for (int j = 0; j < 3; ++j) rotations.push_back(random.rotation(1.2));
        figure.pose(rotations);
        other.pose(figure.angles());
        Rigidd world;
        for (std::size_t p = 0; p < 3; ++p) {
            EXPECT_LT(distance(figure.world()[p], other.world()[p]), 1e-9);
            // In the frame of the joint, about its position, then as the parent goes.
            const FigureJoint& joint = figure.joints()[p];
            const Quatd turn = joint.align.conjugate() * rotations[p] * joint.align;
            world = world * Rigidd{turn, joint.position - turn * joint.position};
            EXPECT_LT(distance(figure.world()[p], world), 1e-12);
        }
    }
}

}  // namespace
}  // namespace sinew::articulated
