// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "sinew/sample/bodies/man.h"
#include "sinew/sample/samples.h"

namespace sinew::sample {
namespace man_walk_test {

using math::Vec3d;

constexpr int cycle = 66;
constexpr double leg_length = 0.915;

const model::Character& man() {
    static const model::Character character = make_man();
    return character;
}

const model::Clip& walk() {
    return *model::find_clip(man(), "walk");
}

/// Skinned positions of some vertices in a frame.
std::vector<Vec3d> skinned(const std::vector<std::uint32_t>& vertices, const model::Clip& clip,
                           std::size_t frame) {
    const auto palette =
        model::palette(man().skin, model::world_matrices(man(), &clip, model::frame_time(clip, frame)));
    std::vector<Vec3d> points;
    for (const std::uint32_t v : vertices) {
        Vec3d p = Vec3d::Zero();
        for (const model::Influence& i : man().skin.of(v))
            p += i.weight * math::transform_point(palette[i.joint], man().mesh.positions[v].cast<double>());
        points.push_back(p);
    }
    return points;
}

/// Vertices of the soles, of the left side or of the right.
std::vector<std::uint32_t> sole(bool left) {
    std::vector<std::uint32_t> vertices;
    for (std::uint32_t v = 0; v < man().mesh.positions.size(); ++v) {
        const auto& p = man().mesh.positions[v];
        if (p.y() < 0.006f && (p.x() > 0) == left) vertices.push_back(v);
    }
    return vertices;
}

double lowest(const std::vector<Vec3d>& points) {
    double low = 1e9;
    for (const Vec3d& p : points) low = std::min(low, p.y());
    return low;
}

double knee(const model::Clip& clip, std::size_t frame, const char* joint) {
    const auto pose = model::sample(clip, man().skeleton, model::frame_time(clip, frame));
    return math::degrees(
        math::rotation_vector(pose[static_cast<std::size_t>(man().skeleton.find(joint))].rotation).x());
}

TEST(GaitCurves, ReachThePublishedLandmarks) {
    double knee_peak = 0, dorsi = 0, plantar = 0;
    for (int n = 0; n < 200; ++n) {
        const GaitAngles a = gait_angles(n / 200.0);
        knee_peak = std::max(knee_peak, a.knee_flexion);
        dorsi = std::max(dorsi, a.ankle_dorsiflexion);
        plantar = std::min(plantar, a.ankle_dorsiflexion);
    }
    EXPECT_NEAR(knee_peak, 60, 3);
    EXPECT_NEAR(dorsi, 10, 2);
    EXPECT_NEAR(plantar, -17, 3);
    EXPECT_NEAR(gait_angles(0.3).hip_flexion, gait_angles(7.3).hip_flexion, 1e-9);
}

TEST(ManWalk, GoesForwardAtAWalkersSpeed) {
    const model::TimeRange range = model::time_range(walk());
    EXPECT_GE(range.duration(), 4 * 1.1 - 1e-9);
    const auto root = [&](double t) { return model::sample(walk(), man().skeleton, t)[0].translation; };
    EXPECT_NEAR(root(0).z(), 0, 1e-6);
    const double speed = root(range.end).z() / range.duration();
    EXPECT_GT(speed, 1.1);
    EXPECT_LT(speed, 1.5);
    double low = 9, high = 0;
    for (int n = 0; n < cycle; ++n) {
        low = std::min(low, root(n / 60.0).y());
        high = std::max(high, root(n / 60.0).y());
        EXPECT_LT(std::abs(root(n / 60.0).x()), 0.03);
    }
    EXPECT_GT(high - low, 0.02);  // the body rises and falls by a few centimetres
    EXPECT_LT(high - low, 0.06);
}

TEST(ManWalk, IsPeriodicAndTheSidesAlternate) {
    const auto pose = [&](std::size_t frame) {
        return model::sample(walk(), man().skeleton, model::frame_time(walk(), frame));
    };
    const auto first = pose(10), later = pose(10 + 2 * cycle), half = pose(10 + cycle / 2);
    const std::vector<int> other = opposite_joints(man().skeleton);
    for (std::size_t j = 0; j < first.size(); ++j) {
        EXPECT_LT(math::angle_between(first[j].rotation, later[j].rotation), 1e-5);
        const math::Quatd& q = half[static_cast<std::size_t>(other[j])].rotation;
        EXPECT_LT(math::angle_between(first[j].rotation, math::Quatd(q.w(), q.x(), -q.y(), -q.z())), 1e-5)
            << man().skeleton.joints[j].name;
    }
    const double stride = later[0].translation.z() - first[0].translation.z();
    EXPECT_NEAR(half[0].translation.z() - first[0].translation.z(), stride / 4, 1e-5);
}

TEST(ManWalk, InPlaceLoops) {
    const model::Clip& clip = *model::find_clip(man(), "walk-in-place");
    const auto start = model::sample(clip, man().skeleton, 0), end = model::sample(clip, man().skeleton, 1.1);
    for (std::size_t j = 0; j < start.size(); ++j) {
        EXPECT_LT((start[j].translation - end[j].translation).norm(), 1e-6);
        EXPECT_LT(math::angle_between(start[j].rotation, end[j].rotation), 1e-6);
    }
    for (int n = 0; n < cycle; ++n) {
        EXPECT_LT(std::abs(model::sample(clip, man().skeleton, n / 60.0)[0].translation.z()), 0.06);
    }
}

TEST(ManWalk, KneeBendsAsPublished) {
    double swing = 0, stance = 0;
    for (std::size_t n = 0; n < cycle; ++n) {
        double& peak = n < 0.4 * cycle ? stance : swing;
        peak = std::max(peak, knee(walk(), n, "LeftLowerLeg"));
        EXPECT_GT(knee(walk(), n, "LeftLowerLeg"), 0) << "frame " << n;  // never bent forward
        EXPECT_NEAR(knee(walk(), n, "LeftLowerLeg"), gait_angles(n / double(cycle)).knee_flexion, 12)
            << "frame " << n;
    }
    EXPECT_NEAR(swing, 60, 5);
    EXPECT_NEAR(stance, 18, 5);
}

TEST(ManWalk, FeetStayOnTheGround) {
    for (std::size_t n = 0; n < cycle; ++n) {
        const double left = lowest(skinned(sole(true), walk(), n)),
                     right = lowest(skinned(sole(false), walk(), n));
        EXPECT_NEAR(std::min(left, right), 0, 0.01) << "frame " << n;
    }
}

TEST(ManWalk, StandingFootDoesNotSlide) {
    for (const bool left : {true, false}) {
        const auto vertices = sole(left);
        auto before = skinned(vertices, walk(), 0);
        double worst = 0;
        for (std::size_t n = 1; n <= 2 * cycle; ++n) {
            const auto now = skinned(vertices, walk(), n);
            // The lowest point of the sole is the one that touches.
            std::size_t touching = 0;
            for (std::size_t k = 0; k < now.size(); ++k)
                if (now[k].y() + before[k].y() < now[touching].y() + before[touching].y()) touching = k;
            const bool stands = std::max(now[touching].y(), before[touching].y()) < 0.004;
            const Vec3d move = now[touching] - before[touching];
            if (stands) worst = std::max(worst, std::hypot(move.x(), move.z()));
            before = now;
        }
        EXPECT_LT(worst, 0.01 * leg_length);
        EXPECT_GT(worst, 0);
    }
}

TEST(ManWalk, LegsDoNotMeet) {
    // The thighs and shanks, as capsules around their bones, keep apart.
    const auto at = [&](const std::vector<math::Mat4d>& world, const char* name) {
        return Vec3d(world[static_cast<std::size_t>(man().skeleton.find(name))].topRightCorner<3, 1>());
    };
    for (std::size_t n = 0; n < cycle; ++n) {
        const auto world = model::world_matrices(man(), &walk(), model::frame_time(walk(), n));
        double nearest = 1;
        for (int i = 0; i <= 20; ++i)
            for (int j = 0; j <= 20; ++j) {
                const double s = i / 20.0, t = j / 20.0;
                const Vec3d a = (1 - s) * at(world, "LeftLowerLeg") + s * at(world, "LeftFoot");
                const Vec3d b = (1 - t) * at(world, "RightLowerLeg") + t * at(world, "RightFoot");
                nearest = std::min(nearest, (a - b).norm());
            }
        EXPECT_GT(nearest, 0.115) << "frame " << n;
    }
}

}  // namespace man_walk_test
}  // namespace sinew::sample
