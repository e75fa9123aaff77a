// SPDX-License-Identifier: MIT
// Every joint of the sample figures bent through its whole range, one at a time.

#include <cstdlib>

#include "articulated/crossings.h"
#include "support/samples.h"

#include "sinew/articulated/closing/stages.h"
#include "sinew/geometry/surface_queries.h"

namespace sinew::articulated {
namespace parts_sweep_test {

/// The child of a gap and everything below it turned about its pivot.
std::vector<Rigidd> turned(const PartBody& body, const Gap& gap, const Vec3d& axis, double degrees) {
    std::vector<Rigidd> world(body.part_count());
    for (std::size_t p = 0; p < body.part_count(); ++p) {
        int at = static_cast<int>(p);
        while (at >= 0 && at != gap.child) at = body.parent[static_cast<std::size_t>(at)];
        if (at == gap.child) world[p] = math::rotation_about<double>(gap.pivot, axis, math::radians(degrees));
    }
    return world;
}

struct Sweep {
    std::size_t poses = 0;
    std::size_t open = 0;     ///< not one closed surface of the genus of the figure
    std::size_t slivers = 0;  ///< with a triangle of quality 0.01 or less
    std::size_t crossed = 0;  ///< the patch goes through itself
};

void sweep(const GapCloser& closer, const Gap& gap, int genus, double step, Sweep& sum) {
    const Vec3d x = gap.normal.unitOrthogonal();
    for (const Vec3d& axis : {x, Vec3d(gap.normal.cross(x)), gap.normal}) {
        for (double degrees = -90; degrees <= 90; degrees += step) {
            if (degrees == 0) continue;
            const GapFrame frame = closer.close(turned(closer.body(), gap, axis, degrees));
            const geometry::Topology topology = geometry::topology(frame.mesh);
            ++sum.poses;
            sum.open += !topology.closed || !topology.manifold || topology.genus != genus;
            sum.slivers += worst_quality(frame.mesh, first_patch_triangle(frame)) <= 0.01;
            sum.crossed += crossings(frame).in_patch > 0;
        }
    }
}

TEST(GapSweep, LimbsOfTheManBendWithoutFault) {
    const model::Character& character = test::sample("man");
    const RigidPartsOfSkin parts = rigid_parts_of_skin(character);
    const GapCloser closer(parts.body);
    Sweep sum;
    for (const Gap& gap : closer.gaps()) {
        const std::string& name = parts.body.cut.names[static_cast<std::size_t>(gap.child)];
        if (name == "LeftLowerLeg" || name == "RightLowerArm" || name == "LeftHand")
            sweep(closer, gap, 0, 45, sum);
    }
    EXPECT_EQ(sum.poses, 36u);
    EXPECT_EQ(sum.open, 0u);
    EXPECT_EQ(sum.slivers, 0u);
    EXPECT_EQ(sum.crossed, 0u);
}

/// Shoulders, hips, the neck and the roots of fingers sit in folds where, far beyond what they do in life,
/// the loops that are left go through each other before any patch is made: there a patch must cross itself.
/// The bounds are what is measured, with a little room.
struct Figure {
    const char* name;
    double slivers, crossed;  ///< largest part of the poses
};
void PrintTo(const Figure& figure, std::ostream* out) {
    *out << figure.name;
}

class GapFigures : public testing::TestWithParam<Figure> {};

TEST_P(GapFigures, AreClosedAtEveryAngleOfEveryJoint) {
    if (std::getenv("SINEW_SLOW") == nullptr) GTEST_SKIP() << "a matter of minutes: SINEW_SLOW asks for it";
    const model::Character& character = test::sample(GetParam().name);
    const GapCloser closer(rigid_parts_of_skin(character).body);
    const int genus = *geometry::topology(character.mesh).genus;
    Sweep sum;
    for (const Gap& gap : closer.gaps()) sweep(closer, gap, genus, 15, sum);
    const auto poses = static_cast<double>(sum.poses);
    RecordProperty("poses", static_cast<int>(sum.poses));
    RecordProperty("slivers", static_cast<int>(sum.slivers));
    RecordProperty("crossed", static_cast<int>(sum.crossed));
    EXPECT_EQ(sum.open, 0u);
    EXPECT_LE(static_cast<double>(sum.slivers), GetParam().slivers * poses);
    EXPECT_LE(static_cast<double>(sum.crossed), GetParam().crossed * poses);
}

INSTANTIATE_TEST_SUITE_P(All, GapFigures,
                         testing::Values(Figure{"man", 0.001, 0.05}, Figure{"cat", 0.005, 0.04},
                                         Figure{"horse", 0.005, 0.05}, Figure{"hand", 0.01, 0.1},
                                         Figure{"ostrich", 0.02, 0.17}));

/// A flat strip of squares between two loops that are rows here, with one point pulled through the sheet.
StripPatch pulled_through() {
    StripPatch patch;
    constexpr std::uint32_t wide = 7, high = 7;
    patch.parent_count = patch.child_count = wide;
    const auto place = [](std::uint32_t x, std::uint32_t y) { return Vec3d(x, y, 0); };
    for (std::uint32_t x = 0; x < wide; ++x) patch.points.push_back(place(x, 0));
    for (std::uint32_t x = 0; x < wide; ++x) patch.points.push_back(place(x, high - 1));
    for (std::uint32_t y = 1; y + 1 < high; ++y)
        for (std::uint32_t x = 0; x < wide; ++x) patch.points.push_back(place(x, y));
    const auto at = [&](std::uint32_t x, std::uint32_t y) {
        return y == 0 ? x : y == high - 1 ? wide + x : 2 * wide + (y - 1) * wide + x;
    };
    for (std::uint32_t y = 0; y + 1 < high; ++y) {
        for (std::uint32_t x = 0; x + 1 < wide; ++x) {
            patch.triangles.push_back({at(x, y), at(x + 1, y), at(x + 1, y + 1)});
            patch.triangles.push_back({at(x, y), at(x + 1, y + 1), at(x, y + 1)});
        }
    }
    patch.points[at(3, 3)] = Vec3d(3, 3, 1.5);
    patch.points[at(2, 3)] = Vec3d(4.6, 3.3, -0.8);
    return patch;
}

/// Every pair of triangles looked at.
std::vector<std::array<std::uint32_t, 2>> brute_force(const StripPatch& patch) {
    std::vector<std::array<std::uint32_t, 2>> pairs;
    const auto corners = [&](const geometry::Triangle& t) {
        return geometry::TriangleCorners{patch.points[t[0]], patch.points[t[1]], patch.points[t[2]]};
    };
    for (std::uint32_t a = 0; a < patch.triangles.size(); ++a) {
        for (std::uint32_t b = a + 1; b < patch.triangles.size(); ++b) {
            const geometry::Triangle &s = patch.triangles[a], &t = patch.triangles[b];
            if (std::ranges::find_first_of(s, t) != s.end()) continue;
            if (geometry::triangles_cross(corners(s), corners(t))) pairs.push_back({a, b});
        }
    }
    return pairs;
}

TEST(SelfCrossings, AreThoseOfBruteForceHoweverPointsMove) {
    StripPatch patch = pulled_through();
    SelfCrossings crossings(patch.points, patch.triangles);
    test::Random random(5);
    for (int step = 0; step < 40; ++step) {
        EXPECT_EQ(crossings.pairs(), brute_force(patch)) << step;
        std::vector<std::uint32_t> moved;
        for (int i = random.integer(0, 5); i-- > 0;) {
            moved.push_back(static_cast<std::uint32_t>(random.integer(0, 48)));
            patch.points[moved.back()] += random.vector();
        }
        crossings.update(moved);
    }
    EXPECT_GT(crossings.pairs().size(), 20u);
}

TEST(GapUntangle, SmoothsWhereAPatchGoesThroughItself) {
    StripPatch patch = pulled_through();
    ASSERT_FALSE(SelfCrossings(patch.points, patch.triangles).pairs().empty());
    const std::vector<Vec3d> before = patch.points;
    EXPECT_EQ(untangle(patch, 16), 0u);
    EXPECT_TRUE(SelfCrossings(patch.points, patch.triangles).pairs().empty());
    for (std::size_t p = 0; p < patch.loop_points(); ++p) EXPECT_EQ(patch.points[p], before[p]);
    const std::vector<Vec3d> smooth = patch.points;
    EXPECT_EQ(untangle(patch, 16), 0u);
    EXPECT_EQ(patch.points, smooth);  // nothing to do
}

TEST(GapUntangle, DiagonalsOfSliversAreTurned) {
    // A kite whose long diagonal makes two slivers; the short one does not.
    StripPatch patch;
    patch.points = {{0, 0, 0}, {10, 0, 0}, {5, 0.02, 0}, {5, -4, 0}};
    patch.triangles = {{0, 1, 2}, {1, 0, 3}};
    EXPECT_EQ(flip_diagonals(patch, 0.05), 1u);
    EXPECT_EQ(patch.triangles[0], (geometry::Triangle{0, 3, 2}));
    EXPECT_EQ(patch.triangles[1], (geometry::Triangle{3, 1, 2}));
    EXPECT_EQ(flip_diagonals(patch, 0.05), 0u);
}

}  // namespace parts_sweep_test
}  // namespace sinew::articulated
