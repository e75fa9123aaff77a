// SPDX-License-Identifier: MIT
#include "rig/bind/support.h"
#include "support/data.h"
#include "support/random.h"
#include "support/samples.h"
#include "support/shapes.h"

#include "sinew/base/error.h"
#include "sinew/base/parallel.h"
#include "sinew/io/io.h"
#include "sinew/rig/bind/bind_solid.h"
#include "sinew/rig/bind/methods.h"
#include "sinew/rig/measure.h"

namespace sinew::rig {
namespace bind_voxel_test {

using math::Vec3d;
using test::difference;
using test::expect_convex;
using test::weight;

/// A block of cells with random holes, and a border of outside.
geometry::VoxelSolid random_solid(int side, double full) {
    geometry::VoxelSolid solid;
    const auto n = static_cast<std::size_t>(side);
    solid.lattice.points = {n, n, n};
    solid.lattice.step = Vec3d::Constant(0.5);
    solid.inside.assign(n * n * n, 0);
    test::Random random;
    for (std::size_t k = 1; k + 1 < n; ++k)
        for (std::size_t j = 1; j + 1 < n; ++j)
            for (std::size_t i = 1; i + 1 < n; ++i)
                solid.inside[solid.lattice.index(i, j, k)] = random.uniform() < full ? 1 : 0;
    return solid;
}

/// Relaxes all steps until nothing changes.
std::vector<float> brute_force_distances(const CellGraph& graph, const std::vector<CellDistance>& seeds) {
    std::vector<float> distance(graph.size(), CellGraph::unreached);
    for (const CellDistance& seed : seeds) distance[seed.cell] = std::min(distance[seed.cell], seed.distance);
    for (bool changed = true; changed;) {
        changed = false;
        for (std::uint32_t c = 0; c < graph.size(); ++c) {
            graph.for_each_neighbour(c, [&](std::uint32_t n, float length) {
                if (!(distance[n] + length < distance[c])) return;
                distance[c] = distance[n] + length;
                changed = true;
            });
        }
    }
    return distance;
}

TEST(CellSearch, EqualsBruteForceExactly) {
    const CellGraph graph(random_solid(32, 0.25));
    const std::vector<CellDistance> seeds = {
        {0, 0}, {17, 2.5f}, {static_cast<std::uint32_t>(graph.size() / 2), 0}};
    CellSearch search(graph);
    search.run({{CellDistance{5, 0}}});  // what an earlier search leaves does not matter
    search.run(seeds);
    EXPECT_EQ(search.distances(), brute_force_distances(graph, seeds));
    EXPECT_GT(search.reached().size(), graph.size() / 2);
}

TEST(CellSearch, LimitsLeaveOutOnlyWhatCannotMatter) {
    const CellGraph graph(random_solid(24, 0.3));
    CellSearch all(graph), limited(graph);
    const std::vector<CellDistance> seeds = {{3, 0}};
    all.run(seeds);
    // Only a few cells matter, and each has its own bound.
    std::vector<float> bound(graph.size(), -1);
    for (std::uint32_t c = 0; c < graph.size(); c += 97) bound[c] = static_cast<float>(c % 23);
    limited.run(seeds, farthest_that_matters(graph, bound));
    EXPECT_LT(limited.reached().size(), all.reached().size());
    for (std::uint32_t c = 0; c < graph.size(); ++c) {
        if (all.distance(c) <= bound[c]) {
            EXPECT_EQ(limited.distance(c), all.distance(c));
        }
    }
}

TEST(CellGraph, InterpolatesBetweenCells) {
    const auto solid = random_solid(6, 1);
    const CellGraph graph(solid);
    EXPECT_EQ(graph.size(), 64u);
    const CellCorners corners = graph.around({1.1, 1.2, 1.3});
    double sum = 0;
    Vec3d mean = Vec3d::Zero();
    for (std::uint32_t i = 0; i < corners.count; ++i) {
        sum += static_cast<double>(corners.part[i]);
        mean += static_cast<double>(corners.part[i]) * graph.center(corners.cell[i]);
    }
    EXPECT_NEAR(sum, 1, 1e-6);
    EXPECT_LT((mean - Vec3d(1.1, 1.2, 1.3)).norm(), 1e-6);
    EXPECT_EQ(graph.at({-4, 0, 0}), CellGraph::none);
    EXPECT_EQ(graph.around({0, 0, 0}).count, 0u);
}

TEST(VoxelWeights, BandAroundAJoint) {
    const auto mesh = test::body_of(test::capsule(), 0.05);
    VoxelBindOptions options;
    options.smoothing = 0;
    const auto table = voxel_weights(mesh, test::capsule_skeleton(), options);
    expect_convex(table, mesh.positions.size());
    for (std::size_t v = 0; v < table.size(); ++v) {
        const float y = mesh.positions[v].y();
        if (std::abs(y) < 0.01f) {
            EXPECT_NEAR(weight(table, v, 0), 0.5, 0.1);
        }
        if (std::abs(y) > 0.25f) {
            EXPECT_EQ(weight(table, v, y > 0 ? 1 : 0), 1) << y;  // a radius away
        }
    }
}

TEST(VoxelWeights, AreRigidWithoutSoftness) {
    const auto mesh = test::body_of(test::capsule(), 0.08);
    VoxelBindOptions options;
    options.softness = 0;
    options.smoothing = 0;
    const auto table = voxel_weights(mesh, test::capsule_skeleton(), options);
    for (std::size_t v = 0; v < table.size(); ++v)
        if (std::abs(mesh.positions[v].y()) > 0.01f) {
            EXPECT_EQ(table[v].size(), 1u);
        }
}

TEST(VoxelWeights, DoNotJumpOverAGap) {
    // A hairpin: the path from one side to the other is over the bend.
    const std::vector<test::Limb> limbs = {{{-0.12, -1, 0}, {-0.12, 1, 0}, 0.08},
                                           {{-0.12, 1, 0}, {0.12, 1, 0}, 0.08},
                                           {{0.12, 1, 0}, {0.12, -1, 0}, 0.08}};
    const auto mesh = test::body_of(limbs, 0.03);
    auto skeleton = test::skeleton_at(
        {{"left", -1, {-0.12, -1, 0}}, {"bend", 0, {-0.12, 1, 0}}, {"right", 1, {0.12, 1, 0}}});
    test::set_tip(skeleton, "right", {0, -2, 0});
    const auto low_left = [](const Vec3d& p) { return p.x() < 0 && p.y() < 0.5; };
    const auto table = voxel_weights(mesh, skeleton);
    expect_convex(table, mesh.positions.size());
    EXPECT_LT(test::max_weight(table, mesh, 2, low_left), 0.03);
    EXPECT_GT(test::max_weight(nearest_weights(mesh, skeleton), mesh, 2, low_left), 0.05);
}

TEST(VoxelWeights, AreSymmetricOnASymmetricBody) {
    const auto mesh = test::body_of(test::figure(), 0.06);
    const auto skeleton = test::figure_skeleton();
    auto mirrored = mesh;
    for (auto& p : mirrored.positions) p.x() = -p.x();
    for (auto& t : mirrored.triangles) std::swap(t[1], t[2]);
    const auto table = voxel_weights(mesh, skeleton), other = voxel_weights(mirrored, skeleton);
    const int partner[] = {0, 1, 2, 4, 3, 6, 5, 8, 7};
    double worst = 0;
    for (std::size_t v = 0; v < table.size(); ++v)
        for (int j = 0; j < 9; ++j)
            worst = std::max(worst, std::abs(weight(table, v, j) - weight(other, v, partner[j])));
    EXPECT_LT(worst, 1e-4);
}

TEST(VoxelWeights, DoNotDependOnScaleOrThreads) {
    const auto mesh = test::body_of(test::figure(), 0.08);
    const auto skeleton = test::figure_skeleton();
    const auto table = voxel_weights(mesh, skeleton);
    for (const double factor : {1.0 / (1 << 20), static_cast<double>(1 << 20)}) {
        const auto other =
            voxel_weights(test::scaled(mesh, static_cast<float>(factor)), test::scaled(skeleton, factor));
        EXPECT_LT(difference(table, other), 1e-6);
    }
    set_thread_count(1);
    EXPECT_EQ(difference(table, voxel_weights(mesh, skeleton)), 0);
    set_thread_count(0);
}

TEST(VoxelWeights, OpenAndLoosePartsFollow) {
    // The capsule without its lower end, a button on it and a loose vertex.
    auto mesh = test::body_of(test::capsule(), 0.06);
    std::erase_if(mesh.triangles, [&](const auto& t) { return mesh.positions[t[0]].y() < -1.1f; });
    const std::size_t body = mesh.positions.size();
    geometry::append(mesh, test::cube({0.45f, 0.8f, 0}, 0.05f));
    mesh.positions.emplace_back(0.3f, -0.9f, 0);
    const auto table = voxel_weights(mesh, test::capsule_skeleton());
    expect_convex(table, mesh.positions.size());
    for (std::size_t v = body; v + 1 < mesh.positions.size(); ++v) EXPECT_GT(weight(table, v, 1), 0.99);
    EXPECT_GT(weight(table, mesh.positions.size() - 1, 0), 0.99);
}

TEST(VoxelWeights, AJointOutsideMovesNothing) {
    // A root on the floor and a handle beside the body, as game characters have them.
    const auto mesh = test::body_of(test::capsule(), 0.06);
    auto skeleton = test::skeleton_at({{"floor", -1, {0, -4, 0}},
                                       {"low", 0, {0, -1, 0}},
                                       {"high", 1, {0, 0, 0}},
                                       {"handle", 0, {0.5, 0, 0.5}}});
    test::set_tip(skeleton, "high", {0, 1, 0});
    test::set_tip(skeleton, "handle", {0, 0.1, 0});
    const auto table = voxel_weights(mesh, skeleton);
    const auto anywhere = [](const Vec3d&) { return true; };
    EXPECT_EQ(test::max_weight(table, mesh, 0, anywhere), 0);
    EXPECT_EQ(test::max_weight(table, mesh, 3, anywhere), 0);
    EXPECT_EQ(test::max_weight(table, mesh, 1, anywhere), 1);
}

TEST(VoxelWeights, ABoneALittleOutsideMovesItsLimbAndNoOther) {
    // A bone of the left of two limbs lies between both, nearer to the right one.
    const auto mesh =
        test::body_of({{{0, -1, 0}, {0, 1, 0}, 0.25}, {{0.62, -1, 0}, {0.62, 1, 0}, 0.25}}, 0.06);
    auto skeleton = test::skeleton_at(
        {{"low", -1, {0, -0.9, 0}}, {"beside", 0, {0.325, -0.3, 0}}, {"right", 0, {0.62, -0.9, 0}}});
    test::set_tip(skeleton, "beside", {0, 0.5, 0});
    test::set_tip(skeleton, "right", {0, 1.8, 0});
    const auto table = voxel_weights(mesh, skeleton);
    const auto of_right = [](const Vec3d& p) { return p.x() > 0.31; };
    EXPECT_EQ(test::max_weight(table, mesh, 1, of_right), 0);
    EXPECT_GT(test::max_weight(table, mesh, 1, [&](const Vec3d& p) { return !of_right(p); }), 0.5);
}

TEST(VoxelWeights, ASkeletonOutsideIsSaid) {
    const auto mesh = test::body_of(test::capsule(), 0.08);
    auto skeleton = test::capsule_skeleton();
    skeleton.joints[0].rest.translation += Vec3d(1, 0, 0);
    Collector monitor;
    expect_convex(voxel_weights(mesh, skeleton, {}, monitor), mesh.positions.size());
    EXPECT_TRUE(monitor.has("skeleton-outside"));
}

TEST(VoxelWeights, AChainWhoseJointsAreAllChildrenOfTheRootIsAChain) {
    // As in hands of games, in no order.
    const auto mesh = test::body_of(test::capsule(), 0.06);
    const auto skeleton = test::skeleton_at({{"root", -1, {0, -1, 0}},
                                             {"tip", 0, {0, 0.7, 0}},
                                             {"b", 0, {0, -0.4, 0}},
                                             {"d", 0, {0, 0.2, 0}},
                                             {"a", 0, {0, -0.7, 0}},
                                             {"c", 0, {0, -0.1, 0}},
                                             {"e", 0, {0, 0.45, 0}}});
    const auto table = voxel_weights(mesh, skeleton);
    for (int j = 0; j < 7; ++j) {
        const double start = skeleton.joints[at(j)].rest.translation.y() + (j == 0 ? 0 : -1);
        const auto beyond = [&](const Vec3d& p) { return p.y() > start + 0.08 && p.y() < start + 0.17; };
        EXPECT_GT(test::max_weight(table, mesh, j, beyond), 0.6) << skeleton.joints[at(j)].name;
    }
    EXPECT_GT(test::max_weight(table, mesh, 1, [](const Vec3d& p) { return p.y() > 1; }), 0.99);
}

TEST(VoxelWeights, OneJointAndManyJoints) {
    const auto mesh = test::body_of(test::capsule(), 0.08);
    const auto one = voxel_weights(mesh, test::skeleton_at({{"only", -1, {0, 0, 0}}}));
    for (std::size_t v = 0; v < one.size(); ++v) EXPECT_EQ(weight(one, v, 0), 1);
    std::vector<test::JointPlace> places;
    for (int j = 0; j < 300; ++j) places.push_back({"", j - 1, {0, -1 + j / 150.0, 0}});
    auto skeleton = test::skeleton_at(places);
    model::make_names_unique(skeleton);
    expect_convex(voxel_weights(mesh, skeleton), mesh.positions.size());
}

TEST(VoxelWeights, NoExtentIsAnError) {
    geometry::Mesh mesh;
    mesh.positions.assign(3, {1, 2, 3});
    mesh.triangles = {{0, 1, 2}};
    EXPECT_THROW(voxel_weights(mesh, test::capsule_skeleton()), Error);
    mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};  // one triangle is a sheet, and can be bound
    expect_convex(voxel_weights(mesh, test::capsule_skeleton()), 3);
}

/// The same character with weights of another method.
model::Character rebound(const model::Character& character, const WeightTable& table) {
    model::Character other = character;
    other.skin = make_skin(table, character.skeleton, character.mesh);
    return other;
}

TEST(VoxelWeights, AreNearerToTheTruthThanTheClassicOnes) {
    const model::Character truth = test::sample("man");
    const auto l1 = [&](const WeightTable& table) {
        return measure_weights(truth, rebound(truth, table)).mean_l1;
    };
    const double ours = l1(voxel_weights(truth.mesh, truth.skeleton));
    EXPECT_LT(ours, 0.25);
    EXPECT_LT(ours, l1(distance_weights(truth.mesh, truth.skeleton)));
    EXPECT_LT(ours, l1(nearest_weights(truth.mesh, truth.skeleton)));
    EXPECT_LT(ours, l1(rigid_weights(truth.mesh, truth.skeleton)));
    EXPECT_LT(ours, l1(heat_weights(truth.mesh, truth.skeleton)));
}

/// Mean distance between the vertices of two skins in motion, in percent of the diagonal.
double surface_error(const model::Character& reference, const model::Character& other) {
    double sum = 0;
    int frames = 0;
    const auto at = [](const model::Character& c, std::span<const math::Mat4d> palette, std::size_t v) {
        Eigen::Vector4d place = Eigen::Vector4d::Zero(), rest;
        rest << c.mesh.positions[v].cast<double>(), 1;
        for (const auto& i : c.skin.of(v)) place += static_cast<double>(i.weight) * (palette[i.joint] * rest);
        return Vec3d(place.head<3>());
    };
    const model::TimeRange range = model::time_range(reference.clips[0]);
    for (int i = 0; i < 8; ++i, ++frames) {
        const auto world =
            model::world_matrices(reference, &reference.clips[0], range.start + range.duration() * i / 7);
        const auto a = model::palette(reference.skin, world), b = model::palette(other.skin, world);
        for (std::size_t v = 0; v < reference.mesh.positions.size(); ++v)
            sum += (at(reference, a, v) - at(other, b, v)).norm();
    }
    return 100 * sum / frames / static_cast<double>(reference.mesh.positions.size()) /
           static_cast<double>(geometry::bounds(reference.mesh.positions).diagonal());
}

TEST(VoxelWeights, MoveRealCharactersAsTheirArtistsMeant) {
    SINEW_NEEDS_DATA();
    for (const char* name : {"gltf/CesiumMan.glb", "gltf/RiggedFigure.glb", "gltf/dragon.glb"}) {
        const model::Character artist = io::read(test::data(name)).character;
        const auto error = [&](const WeightTable& table) {
            return surface_error(artist, rebound(artist, table));
        };
        const double ours = error(voxel_weights(artist.mesh, artist.skeleton));
        EXPECT_LT(ours, 0.25) << name;
        EXPECT_LT(ours, error(heat_weights(artist.mesh, artist.skeleton))) << name;
        EXPECT_LT(ours, error(nearest_weights(artist.mesh, artist.skeleton))) << name;
        EXPECT_LT(ours, error(rigid_weights(artist.mesh, artist.skeleton))) << name;
    }
}

TEST(VoxelWeights, ASolidThatIsKnownGivesTheSame) {
    const auto mesh = test::scaled(test::body_of(test::figure(), 0.06), 3);
    const auto skeleton = test::scaled(test::figure_skeleton(), 3);
    const int resolution = bind_resolution(mesh);
    const geometry::VoxelSolid solid = geometry::voxel_solid(mesh, {resolution, true, true});
    const auto table = voxel_weights(mesh, skeleton);
    EXPECT_LT(difference(table, voxel_weights(mesh, skeleton, {}, silent(), &solid)), 0.05);
    // Another size is good enough as well.
    const geometry::VoxelSolid coarse = geometry::voxel_solid(mesh, {resolution / 2, true, true});
    EXPECT_LT(difference(table, voxel_weights(mesh, skeleton, {}, silent(), &coarse)), 0.5);
}

TEST(VoxelWeights, ABoneOfNoLengthOutsideTheMeshIsNoTrap) {
    const auto mesh = test::body_of(test::capsule(), 0.1);
    const auto skeleton = test::skeleton_at({{"a", -1, {0, 5, 0}}, {"b", 0, {0, 5, 0}}, {"c", 1, {0, 6, 0}}});
    Collector warnings;
    expect_convex(voxel_weights(mesh, skeleton, {}, warnings), mesh.positions.size());
    EXPECT_TRUE(warnings.has("skeleton-outside"));
}

}  // namespace bind_voxel_test
}  // namespace sinew::rig
