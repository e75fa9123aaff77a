// SPDX-License-Identifier: MIT
// Skeletons of meshes that were turned, scaled, cut finer and shaken, and of meshes that are no characters.

#include <map>
#include <random>

#include "limbs.h"
#include "support/data.h"
#include "support/shapes.h"
#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/base/parallel.h"
#include "sinew/io/io.h"
#include "sinew/rig/bind.h"
#include "sinew/rig/skeletonize.h"

namespace sinew::rig {
namespace {

using geometry::Mesh;
using geometry::Vec3f;

Mesh turned(Mesh mesh, const math::Quatd& turn, double scale) {
    for (auto& p : mesh.positions) p = (scale * (turn * p.cast<double>())).cast<float>();
    return mesh;
}

/// Every edge halved, every triangle in four.
Mesh finer(const Mesh& mesh) {
    Mesh out;
    out.positions = mesh.positions;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> middles;
    const auto middle = [&](std::uint32_t a, std::uint32_t b) {
        const auto [at, added] =
            middles.try_emplace(std::minmax(a, b), static_cast<std::uint32_t>(out.positions.size()));
        if (added) out.positions.emplace_back((mesh.positions[a] + mesh.positions[b]) / 2);
        return at->second;
    };
    for (const auto& [a, b, c] : mesh.triangles) {
        const std::uint32_t ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
        for (const geometry::Triangle& t :
             {geometry::Triangle{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}})
            out.triangles.push_back(t);
    }
    return out;
}

/// Every vertex moved in a ball of the given part of the diagonal.
Mesh shaken(Mesh mesh, float part) {
    std::mt19937 generator(7);
    const auto uniform = [&] { return static_cast<float>(generator()) / 2147483648.0f - 1; };
    const float size = part * geometry::bounds(mesh.positions).diagonal();
    for (auto& p : mesh.positions) {
        Vec3f move;
        do move = Vec3f(uniform(), uniform(), uniform());
        while (move.norm() > 1);
        p += size * move;
    }
    return mesh;
}

std::vector<std::pair<std::string, Mesh>> variants(const Mesh& mesh) {
    const math::Quatd none = math::Quatd::Identity();
    return {{"tiny", turned(mesh, none, 1e-6)},
            {"huge", turned(mesh, none, 1e6)},
            {"turned", turned(mesh, math::Quatd(0.7, 0.3, -0.5, 0.4).normalized(), 1)},
            {"finer", finer(mesh)},
            {"shaken", shaken(mesh, 0.005f)}};
}

void expect_stable(const Mesh& mesh, int ends, SkeletonMethod method = SkeletonMethod::automatic) {
    SkeletonizeOptions options;
    options.method = method;
    options.fingers = false;  // noise may make or hide them
    const SkeletonizeResult result = skeletonize(mesh, options);
    EXPECT_EQ(result.quality.topology.ends, ends) << result.reason;
    EXPECT_EQ(result.quality.topology.pieces, 1);
    EXPECT_EQ(result.quality.inside_fraction, 1);
    // Joints of a template lie where artists put them, shoulders above the middle of the arm.
    EXPECT_LT(result.quality.centredness.limb_mean, result.fit ? 0.2 : max_center_offset);
    for (const auto& [name, changed] : variants(mesh)) {
        const SkeletonizeResult other = skeletonize(changed, options);
        EXPECT_EQ(other.quality.topology.ends, ends) << name << ": " << other.reason;
        EXPECT_EQ(other.quality.topology.pieces, 1) << name;
        EXPECT_GE(other.quality.inside_fraction, 0.99) << name;
    }
}

TEST(Robust, AFigureKeepsItsLimbs) {
    expect_stable(test::body_of(test::figure()), 5);
}

TEST(Robust, ACharacterWithArmsKeepsItsLimbs) {
    SINEW_NEEDS_DATA();
    expect_stable(io::read(test::data("mesh/homer.obj")).character.mesh, 5);
}

TEST(Robust, AnAnimalKeepsItsLegsTailAndEars) {
    SINEW_NEEDS_DATA();
    expect_stable(io::read(test::data("mesh/horse.obj")).character.mesh, 8, SkeletonMethod::voxel);
}

TEST(Robust, AnOpenCowHasAllItsNodesInside) {
    SINEW_NEEDS_DATA();
    SkeletonizeOptions options;
    options.method = SkeletonMethod::voxel;
    const SkeletonizeResult result =
        skeletonize(io::read(test::data("mesh/cow_open.off")).character.mesh, options);
    EXPECT_EQ(result.quality.inside_fraction, 1) << result.reason;
    EXPECT_EQ(result.quality.topology.pieces, 1);
    EXPECT_EQ(result.quality.topology.ends, 10) << "legs, tail, horns, ears and muzzle";
}

/// Part of their weights that two vertices do not share, from 0 to 1.
double difference(const model::Skin& skin, std::size_t a, std::size_t b) {
    std::map<std::uint32_t, double> weights;
    for (const model::Influence& i : skin.of(a)) weights[i.joint] += static_cast<double>(i.weight);
    for (const model::Influence& i : skin.of(b)) weights[i.joint] -= static_cast<double>(i.weight);
    double sum = 0;
    for (const auto& [joint, weight] : weights) sum += std::abs(weight) / 2;
    return sum;
}

TEST(Robust, SpecksOfAGeneratedMeshGoWithTheSkinBesideThem) {
    // One noisy closed surface and small tetrahedra around it, as programs make from text and pictures.
    const Mesh clean = finer(test::body_of(test::figure()));
    Mesh mesh = shaken(clean, 0.0015f);
    const std::size_t body = mesh.vertex_count();
    const float size = geometry::bounds(clean.positions).diagonal();
    const auto normals = geometry::vertex_normals(clean.positions, clean.triangles);
    for (std::size_t v = 0; v < body; v += body / 200) {
        const Vec3f middle = clean.positions[v] + 0.01f * size * normals[v];
        const auto first = static_cast<std::uint32_t>(mesh.vertex_count());
        for (const Vec3f& corner : {Vec3f(1, 1, 1), Vec3f(1, -1, -1), Vec3f(-1, 1, -1), Vec3f(-1, -1, 1)}) {
            mesh.positions.emplace_back(middle + 0.002f * size * corner);
        }
        for (const geometry::Triangle& t : {geometry::Triangle{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2}})
            mesh.triangles.push_back({first + t[0], first + t[1], first + t[2]});
    }
    SkeletonizeOptions options;
    options.fingers = false;
    const SkeletonizeResult result = skeletonize(mesh, options);
    EXPECT_EQ(result.quality.topology.ends, 5) << result.reason;
    const model::Skin skin = bind(mesh, result.skeleton).skin;
    double mean = 0;
    std::size_t apart = 0;
    const std::span<const Vec3f> skin_points(mesh.positions.data(), body);
    for (std::size_t v = body; v < mesh.vertex_count(); ++v) {
        const auto beside = std::ranges::min_element(
            skin_points, {}, [&](const Vec3f& p) { return (p - mesh.positions[v]).squaredNorm(); });
        const double part = difference(skin, v, static_cast<std::size_t>(beside - skin_points.begin()));
        mean += part / static_cast<double>(mesh.vertex_count() - body);
        apart += part > 0.5 ? 1 : 0;
    }
    EXPECT_LT(mean, 0.1);
    EXPECT_LE(apart, (mesh.vertex_count() - body) / 100) << "between two legs";
}

/// A useful skeleton, or a reason.
void expect_skeleton_or_reason(const std::string& name, const Mesh& mesh, SkeletonMethod method) {
    SkeletonizeOptions options;
    options.method = method;
    try {
        const SkeletonizeResult result = skeletonize(mesh, options);
        EXPECT_FALSE(result.skeleton.empty()) << name;
        EXPECT_NO_THROW(model::validate(result.skeleton, "skeleton")) << name;
        for (const CurveNode& node : result.curve.nodes) EXPECT_TRUE(node.position.allFinite()) << name;
        EXPECT_LT(result.curve.nodes.size(), 2000u) << name;
    } catch (const Error& error) {
        EXPECT_GT(std::string(error.what()).size(), 15u) << name;
    }
}

std::map<std::string, Mesh> bad_meshes() {
    std::map<std::string, Mesh> all;
    const Mesh figure = test::body_of(test::figure(), 0.06);
    Mesh triangle;
    triangle.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    triangle.triangles = {{0, 1, 2}};
    all["single triangle"] = triangle;
    all["flat sheet"] = test::sheet(12, 5);
    all["ball"] = test::body_of({{math::Vec3d::Zero(), math::Vec3d::Zero(), 0.5}}, 0.1);
    all["ring"] = test::torus();
    all["open"] = figure;
    all["open"].triangles.resize(figure.triangles.size() * 9 / 10);
    all["several shells"] = figure;
    geometry::append(all["several shells"], test::cube(Vec3f(0, 1, 0), 0.3f));
    geometry::append(all["several shells"], test::cube(Vec3f(0, -0.3f, 0), 0.2f));
    all["crosses itself"] = figure;
    geometry::append(all["crosses itself"], turned(figure, math::Quatd(0.9, 0.3, 0.2, 0).normalized(), 0.8));
    all["doubled"] = figure;
    geometry::append(all["doubled"], figure);
    all["loose vertices"] = figure;
    for (int i = 0; i < 50; ++i)
        all["loose vertices"].positions.emplace_back(0, 0.01f * static_cast<float>(i), 0);
    all["faces without area"] = figure;
    for (std::uint32_t i = 0; i < 20; ++i) all["faces without area"].triangles.push_back({i, i, i + 1});
    // Edges of three triangles.
    all["fins"] = figure;
    for (std::uint32_t i = 0; i < 20; ++i) {
        const geometry::Triangle t = figure.triangles[i * figure.triangles.size() / 20];
        all["fins"].positions.push_back(1.3f * figure.positions[t[0]]);
        all["fins"].triangles.push_back(
            {t[0], t[1], static_cast<std::uint32_t>(all["fins"].positions.size() - 1)});
    }
    return all;
}

TEST(Robust, BadMeshesGiveASkeletonOrAReason) {
    for (const auto& [name, mesh] : bad_meshes())
        expect_skeleton_or_reason(name, mesh, SkeletonMethod::automatic);
}

TEST(Robust, EveryMethodTakesTheWorstMeshes) {
    const std::map<std::string, Mesh> all = bad_meshes();
    for (const SkeletonMethod method :
         {SkeletonMethod::silhouette, SkeletonMethod::contraction, SkeletonMethod::voxel}) {
        for (const char* name : {"single triangle", "crosses itself", "faces without area"})
            expect_skeleton_or_reason(name, all.at(name), method);
    }
}

TEST(Robust, NothingToFindIsSaid) {
    EXPECT_THROW(skeletonize(Mesh{}), Error);
    Mesh point;
    point.positions = {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}};
    point.triangles = {{0, 1, 2}};
    EXPECT_THROW(skeletonize(point), Error);
    for (const float wrong : {std::numeric_limits<float>::quiet_NaN(), INFINITY}) {
        Mesh broken = test::body_of(test::figure(), 0.06);
        broken.positions[100].y() = wrong;
        EXPECT_THROW(skeletonize(broken), Error);
    }
}

TEST(Robust, DuplicatesAndLooseVerticesDoNotChangeTheLimbs) {
    const std::map<std::string, Mesh> all = bad_meshes();
    for (const char* name : {"doubled", "loose vertices", "faces without area"}) {
        const SkeletonizeResult result = skeletonize(all.at(name));
        EXPECT_EQ(result.quality.topology.ends, 5) << name << ": " << result.reason;
        EXPECT_EQ(result.quality.topology.pieces, 1) << name;
    }
}

TEST(Robust, TwoCharactersGetTwoTrees) {
    Mesh mesh = test::body_of(test::figure(), 0.06);
    Mesh other = mesh;
    for (auto& p : other.positions) p.x() += 4;
    geometry::append(mesh, other);
    const SkeletonizeResult result = skeletonize(mesh);
    EXPECT_EQ(result.quality.topology.pieces, 2);
    EXPECT_EQ(result.quality.topology.ends, 10);
}

TEST(Robust, EveryMethodGivesTheSameBytesOnOneThreadAndOnFour) {
    const Mesh mesh = test::body_of(test::figure(), 0.06);
    for (const SkeletonMethod method : {SkeletonMethod::automatic, SkeletonMethod::silhouette,
                                        SkeletonMethod::contraction, SkeletonMethod::voxel}) {
        SkeletonizeOptions options;
        options.method = method;
        set_thread_count(1);
        const SkeletonizeResult one = skeletonize(mesh, options);
        set_thread_count(4);
        const SkeletonizeResult four = skeletonize(mesh, options);
        set_thread_count(0);
        ASSERT_EQ(one.curve.nodes.size(), four.curve.nodes.size()) << name_of(method);
        EXPECT_EQ(one.curve.edges, four.curve.edges) << name_of(method);
        EXPECT_EQ(one.curve.node_of_vertex, four.curve.node_of_vertex) << name_of(method);
        for (std::size_t n = 0; n < one.curve.nodes.size(); ++n) {
            EXPECT_EQ(one.curve.nodes[n].position, four.curve.nodes[n].position) << name_of(method);
            EXPECT_EQ(one.curve.nodes[n].radius, four.curve.nodes[n].radius) << name_of(method);
        }
    }
}

}  // namespace
}  // namespace sinew::rig
