// SPDX-License-Identifier: MIT
// Closed surfaces whatever the pose, the character and the options.

#include <set>

#include "articulated/crossings.h"
#include "support/samples.h"
#include "support/shapes.h"

#include "sinew/articulated/closing/gap.h"
#include "sinew/articulated/closing/stages.h"

namespace sinew::articulated {
namespace {

const Vec3d axes[] = {Vec3d::UnitX(), Vec3d::UnitY(), Vec3d(0.6, 0.64, 0.48)};

TEST(GapsClosed, TubeAtEveryAngleAboutEveryAxis) {
    const GapCloser closer(rigid_parts_of_skin(tube()).body);
    for (const Vec3d& axis : axes) {
        for (double degrees = -165; degrees <= 165; degrees += 15) {
            if (degrees == 0) continue;
            SCOPED_TRACE(degrees);
            const GapFrame frame = closer.close(bent(closer, axis, degrees));
            expect_closed(frame.mesh);
            EXPECT_GT(worst_quality(frame.mesh, first_patch_triangle(frame)), 0.01);
            EXPECT_EQ(frame.patches[0].drawn, 0u);
        }
    }
}

TEST(GapsClosed, NothingCrossesUpToARightAngle) {
    const GapCloser closer(rigid_parts_of_skin(tube()).body);
    for (const Vec3d& axis : axes) {
        for (const double degrees : {-90.0, -60.0, -30.0, 15.0, 45.0, 75.0, 90.0}) {
            SCOPED_TRACE(degrees);
            EXPECT_EQ(crossings(closer.close(bent(closer, axis, degrees))).total(), 0u);
        }
    }
}

TEST(GapsClosed, NeighbouringNormalsDoNotFlip) {
    const GapCloser closer(rigid_parts_of_skin(tube()).body);
    for (const Vec3d& axis : axes) {
        const GapFrame frame = closer.close(bent(closer, axis, 80));
        for (std::size_t t = first_patch_triangle(frame); t < frame.mesh.triangles.size(); ++t) {
            const auto& c = frame.mesh.triangles[t];
            for (std::size_t k = 0; k < 3; ++k)
                EXPECT_GT(frame.mesh.normals[c[k]].dot(frame.mesh.normals[c[(k + 1) % 3]]), 0);
        }
    }
}

class GapChoices : public testing::TestWithParam<GapOptions> {};

TEST_P(GapChoices, EveryChoiceIsClosed) {
    const GapCloser closer(rigid_parts_of_skin(tube()).body, GetParam());
    for (const Vec3d& axis : axes) {
        for (const double degrees : {-140.0, -65.0, -3.0, 8.0, 40.0, 110.0}) {
            SCOPED_TRACE(degrees);
            const GapFrame frame = closer.close(bent(closer, axis, degrees));
            expect_closed(frame.mesh);
            for (const geometry::Vec3f& n : frame.mesh.normals) EXPECT_NEAR(n.norm(), 1, 1e-5);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(All, GapChoices,
                         testing::Values(GapOptions{.inside = InsideTest::box},
                                         GapOptions{.inside = InsideTest::hull}, GapOptions{.lambda = 0},
                                         GapOptions{.lambda = 1}, GapOptions{.sharpness = 0.9},
                                         GapOptions{.softness = 0}, GapOptions{.fairing = 5}));

TEST(GapsClosed, ConstantTopologyKeepsItsTriangles) {
    const GapCloser closer(rigid_parts_of_skin(tube()).body, {.constant_topology = true});
    const GapFrame first = closer.close(bent(closer, Vec3d::UnitX(), 20));
    expect_closed(first.mesh);
    for (const double degrees : {-50.0, 35.0, 120.0}) {
        const GapFrame frame = closer.close(bent(closer, Vec3d(0.6, 0, 0.8), degrees));
        EXPECT_EQ(frame.mesh.triangles, first.mesh.triangles);
        EXPECT_EQ(frame.mesh.vertex_count(), first.mesh.vertex_count());
    }
}

TEST(GapsClosed, TwistBandsHaveNoSlivers) {
    const GapCloser closer(rigid_parts_of_skin(tube()).body);
    for (const double degrees : {20.0, 90.0, 170.0}) {
        const GapFrame frame = closer.close(bent(closer, Vec3d::UnitY(), degrees));
        EXPECT_TRUE(frame.patches[0].motion.band);
        EXPECT_GT(worst_quality(frame.mesh, first_patch_triangle(frame)), 0.5);
        // Nothing is lost: blending would make a candy wrapper of it.
        const double rest =
            geometry::signed_volume(closer.body().mesh.positions, closer.body().mesh.triangles);
        EXPECT_NEAR(geometry::signed_volume(frame.mesh.positions, frame.mesh.triangles), rest, 0.001 * rest);
    }
}

TEST(GapsClosed, FairingSmoothsWithoutMovingTheEnds) {
    const GapCloser plain(rigid_parts_of_skin(tube()).body),
        faired(rigid_parts_of_skin(tube()).body, {.fairing = 10});
    const std::vector<Rigidd> world = bent(plain, Vec3d::UnitX(), 100);
    const GapFrame a = plain.close(world), b = faired.close(world);
    ASSERT_EQ(a.mesh.triangles, b.mesh.triangles);
    const auto roughness = [](const GapFrame& frame) {
        const StripPatch& strip = frame.patches[0].strip;
        const geometry::Rows around = geometry::vertex_neighbors(strip.points.size(), strip.triangles);
        double sum = 0;
        for (std::size_t i = strip.loop_points(); i < strip.points.size(); ++i) {
            Vec3d mean = Vec3d::Zero();
            for (const std::uint32_t n : around[i])
                mean += strip.points[n] / static_cast<double>(around[i].size());
            sum += (mean - strip.points[i]).squaredNorm();
        }
        return sum;
    };
    EXPECT_LT(roughness(b), roughness(a));
    const std::size_t kept = a.mesh.vertex_count() - a.added_vertices;
    for (std::size_t v = 0; v < kept; ++v) EXPECT_EQ(a.mesh.positions[v], b.mesh.positions[v]);
}

TEST(GapsClosed, AttributesGoOnAcrossThePatch) {
    model::Character character = tube();
    for (const geometry::Vec3f& p : character.mesh.positions) {
        character.mesh.uvs[0].emplace_back(p.y(), 0.25f);
        character.mesh.colors.emplace_back(0.1f, p.y(), 0.3f, 1.0f);
    }
    const GapCloser closer(rigid_parts_of_skin(character).body);
    const GapFrame frame = closer.close(bent(closer, Vec3d::UnitX(), 60));
    ASSERT_EQ(frame.mesh.uvs[0].size(), frame.mesh.vertex_count());
    ASSERT_EQ(frame.mesh.colors.size(), frame.mesh.vertex_count());
    geometry::validate(frame.mesh, "frame");
    for (std::size_t v = frame.mesh.vertex_count() - frame.added_vertices; v < frame.mesh.vertex_count();
         ++v) {
        EXPECT_NEAR(frame.mesh.uvs[0][v].x(), 0.4, 0.12);  // the joint stands at 0.4
        EXPECT_FLOAT_EQ(frame.mesh.uvs[0][v].y(), 0.25f);
        EXPECT_NEAR(frame.mesh.colors[v].y(), frame.mesh.uvs[0][v].x(), 1e-5);
    }
    std::set<std::string> names;
    for (const geometry::Part& part : frame.mesh.parts) names.insert(part.name);
    EXPECT_TRUE(names.contains("gap Upper"));
}

TEST(GapsClosed, ShortPartsStayClosed) {
    // Five rings of facets in the middle part: both of its joints are near each other.
    const ChainFigure chain(9, 0.1, 0.6);
    ArticulatedFigure figure = chain.figure();
    const PartBody body = part_body(chain.mesh, chain.cut, chain.tree, chain.features);
    Collector collector;
    const GapCloser closer(body, {}, collector);
    test::Random random;
    for (int n = 0; n < 20; ++n) {
        std::vector<Vec3d> angles;
        for (int p = 0; p < 9; ++p) angles.push_back(random.vector(0.4));
        figure.pose(angles);
        expect_closed(closer.close(figure.world()).mesh);
    }
}

class GapSamples : public testing::TestWithParam<const char*> {};

TEST_P(GapSamples, AreClosedInTheirClipsAndInRandomPoses) {
    const std::string name = GetParam();
    const model::Character& character = test::sample(name);
    const geometry::Topology rest = geometry::topology(character.mesh);
    ASSERT_TRUE(rest.closed);
    const RigidPartsOfSkin parts = rigid_parts_of_skin(character);
    const GapCloser closer(parts.body);
    EXPECT_EQ(closer.close(std::vector<Rigidd>(parts.body.part_count())).mesh.positions,
              character.mesh.positions);
    const auto check = [&](std::span<const math::Mat4d> palette) {
        expect_closed(closer.close(part_transforms(parts, palette)).mesh, *rest.genus);
    };
    // All frames and a thousand poses are a matter of minutes: SINEW_SLOW asks for them.
    const bool slow = std::getenv("SINEW_SLOW") != nullptr;
    for (const model::Clip& clip : character.clips) {
        const std::size_t frames = model::frame_count(clip),
                          step = slow ? 1 : std::max<std::size_t>(frames / 6, 1);
        for (std::size_t f = 0; f < frames; f += step)
            check(model::palette(character.skin,
                                 model::world_matrices(character, &clip, model::frame_time(clip, f))));
    }
    test::Random random;
    for (int n = 0; n < (slow ? 1000 : 8); ++n) check(random_pose(character, random, n % 2 == 0 ? 45 : 110));
}

std::vector<const char*> sample_names() {
    if (std::getenv("SINEW_SLOW") == nullptr) return {"man", "cat"};
    return {"man", "cat", "horse", "ostrich", "hand"};
}
INSTANTIATE_TEST_SUITE_P(All, GapSamples, testing::ValuesIn(sample_names()));

TEST(PartSeams, TidyPartsMeetInSimpleLoops) {
    for (const char* name : {"man", "cat"}) {
        const model::Character& character = test::sample(name);
        const RigidPartsOfSkin parts = rigid_parts_of_skin(character);
        std::vector<std::uint32_t> seen;
        for (const Seam& seam : find_seams(parts.body.cut, parts.body.parent)) {
            EXPECT_TRUE(seam.closed);
            EXPECT_GE(seam.loop.size(), 3u);
            seen.insert(seen.end(), seam.loop.begin(), seam.loop.end());
        }
        const std::set<std::uint32_t> once(seen.begin(), seen.end());
        EXPECT_EQ(once.size(), seen.size());
    }
}

TEST(PartSeams, ThreePartsGiveWayToTheOneBetween) {
    // A sheet in three strips that meet in a point: root below, two children side by side above it.
    Mesh sheet = test::sheet(9, 9);
    std::vector<int> part_of;
    for (const geometry::Triangle& t : sheet.triangles) {
        const geometry::Vec3f middle =
            (sheet.positions[t[0]] + sheet.positions[t[1]] + sheet.positions[t[2]]) / 3;
        part_of.push_back(middle.y() < 4 ? 0 : middle.x() < 4 ? 1 : 2);
    }
    geometry::CutMesh cut = geometry::cut_mesh(sheet, part_of, {"root", "left", "right"});
    const std::vector<int> parent = {-1, 0, 0};
    EXPECT_GT(tidy_parts(cut, parent).junctions, 0u);
    for (const Seam& seam : find_seams(cut, parent)) {
        EXPECT_EQ(seam.parent, 0);  // the children do not touch any more
        EXPECT_FALSE(seam.closed);
    }
    EXPECT_EQ(tidy_parts(cut, parent).moved(), 0u);
}

TEST(PartSeams, OpenMeshesAreClosedAlongTheirSeams) {
    // An open tube: its borders stay, nothing else opens.
    Mesh mesh = test::tube(21, 16, 0.1, 1);
    std::vector<int> part_of;
    for (const geometry::Triangle& t : mesh.triangles)
        part_of.push_back(
            (mesh.positions[t[0]].y() + mesh.positions[t[1]].y() + mesh.positions[t[2]].y()) / 3 > 0.5f ? 1
                                                                                                        : 0);
    PartBody body;
    body.mesh = mesh;
    body.cut = geometry::cut_mesh(mesh, part_of, {"a", "b"});
    body.parent = {-1, 0};
    body.pivot = {Vec3d::Zero(), Vec3d(0, 0.5, 0)};
    add_plain_features(body);
    const GapCloser closer(body);
    const geometry::Topology before = geometry::topology(mesh);
    for (const double degrees : {5.0, 70.0}) {
        const geometry::Topology after =
            geometry::topology(closer.close(bent(closer, Vec3d::UnitX(), degrees)).mesh);
        EXPECT_EQ(after.border_edges, before.border_edges);
        EXPECT_EQ(after.border_loops, 2u);
        EXPECT_TRUE(after.manifold);
        EXPECT_EQ(after.euler, before.euler);
    }
}

}  // namespace
}  // namespace sinew::articulated
