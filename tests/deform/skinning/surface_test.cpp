// SPDX-License-Identifier: MIT
// What needs the surface around a vertex: normals, tangents, centres of rotation, bulges.

#include "deform/rig.h"
#include "support/shapes.h"
#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/base/parallel.h"
#include "sinew/deform/corrective/swing_twist.h"
#include "sinew/deform/skinner.h"
#include "sinew/geometry/topology.h"

namespace sinew::deform {
namespace {

using math::radians;
using math::Vec4f;

/// A tube of radius 0.2 along y from 0 to 2 with joints at its foot and halfway; weights change over `blend`.
model::Character jointed_tube(double blend, std::uint32_t rings = 41, std::uint32_t around = 24) {
    model::Character c;
    c.mesh = test::tube(rings, around, 0.2, 2);
    c.skeleton.joints = {{"lower", -1, {}, {}},
                         {"upper", 0, {Vec3d(0, 1, 0), Quatd::Identity(), Vec3d::Ones()}, Vec3d(0, 1, 0)}};
    c.skin.joints = model::bind_at_rest(c.skeleton);
    for (const auto& p : c.mesh.positions) {
        const double x = std::clamp((p.y() - 1 + blend / 2) / blend, 0.0, 1.0);
        const float w = static_cast<float>(x * x * (3 - 2 * x));
        c.skin.push_vertex(std::vector<Influence>{{0, 1 - w}, {1, w}});
    }
    clean(c.skin);
    return c;
}

std::vector<Mat4d> bent(double degrees, const Vec3d& axis = Vec3d::UnitZ()) {
    return {Mat4d::Identity(), math::rotation_about<double>(Vec3d(0, 1, 0), axis, radians(degrees)).matrix()};
}

DeformResult<double> run(const model::Character& c, const std::vector<Mat4d>& palette, Method method) {
    const auto sets = model::group_by_influences(c.skin, &c.skeleton);
    return deform<double>(c.mesh, c.skin, sets, palette, method);
}

/// Sums of the face normals weighted by area, unit.
std::vector<Vec3d> facet_normals(const std::vector<Vec3d>& positions,
                                 const std::vector<geometry::Triangle>& triangles) {
    std::vector<Vec3d> sums(positions.size(), Vec3d::Zero());
    for (const geometry::Triangle& t : triangles) {
        const Vec3d area = (positions[t[1]] - positions[t[0]]).cross(positions[t[2]] - positions[t[0]]);
        for (const std::uint32_t corner : t) sums[corner] += area;
    }
    for (Vec3d& sum : sums) sum.normalize();
    return sums;
}

// Skinning T31: constant weights, rigid and affine palettes.
TEST(Surface, InverseTransposeIsTheRecomputedNormalWhereWeightsAreConstant) {
    test::Random random(31);
    geometry::Mesh mesh = test::torus(24, 16);
    mesh.normals = geometry::vertex_normals(mesh.positions, mesh.triangles);
    Skin skin = make_skin(
        3, std::vector<std::vector<Influence>>(mesh.vertex_count(), {{0, 0.5f}, {1, 0.25f}, {2, 0.25f}}));
    const auto sets = model::group_by_influences(skin, nullptr);
    for (int n = 0; n < 20; ++n) {
        std::vector<Mat4d> palette = random_palette(random, 3);
        if (n % 2 == 1) {
            for (Mat4d& m : palette) {
                for (int i = 0; i < 9; ++i) m(i / 3, i % 3) += random.uniform(-0.2, 0.2);
            }
        }
        // Rest normals in double, from the same rule.
        RestShape<double> rest = rest_shape<double>(mesh);
        rest.normals = facet_normals(rest.positions, mesh.triangles);
        const auto result = deform<double>(rest, skin, sets, palette, Method::lbs);
        const auto oracle = facet_normals(result.positions, mesh.triangles);
        EXPECT_LT(largest_distance(result.normals, oracle), 1e-9);
    }
}

// Skinning T31: unit for rigid methods.
TEST(Surface, NormalsOfRigidMethodsAreUnit) {
    const model::Character c = jointed_tube(0.6);
    const auto palette = bent(100, Vec3d(1, 2, 3).normalized());
    for (const Method method :
         {Method::sbs, Method::sbs_weighted, Method::dqs, Method::dib, Method::log, Method::cor}) {
        for (const Vec3d& n : run(c, palette, method).normals) EXPECT_NEAR(n.norm(), 1, 1e-12);
    }
}

TEST(Surface, NormalsFollowARigidMove) {
    const model::Character c = jointed_tube(0.5);
    const Mat4d u = Rigidd{Quatd(1, 2, -1, 0.5).normalized(), Vec3d(1, 2, 3)}.matrix();
    const std::vector<Mat4d> palette(2, u);
    const auto expected = turned(u, run(c, {Mat4d::Identity(), Mat4d::Identity()}, Method::lbs).normals);
    for (const Method method : {Method::lbs, Method::dqs, Method::sbs, Method::cor})
        EXPECT_LT(largest_distance(run(c, palette, method).normals, expected), 1e-5);
}

TEST(Surface, TangentsStayAcrossTheNormalsAndKnowReflections) {
    model::Character c = jointed_tube(0.6);
    for (const auto& n : c.mesh.normals) {
        const math::Vec3f t = n.cross(math::Vec3f::UnitY());
        c.mesh.tangents.emplace_back(t.x(), t.y(), t.z(), 1.0f);
    }
    for (const MethodInfo& info : methods()) {
        const auto result = run(c, bent(80, Vec3d(1, 0, 2).normalized()), info.method);
        ASSERT_EQ(result.tangents.size(), c.mesh.vertex_count());
        for (std::size_t v = 0; v < result.tangents.size(); ++v) {
            const Vec3d t = result.tangents[v].head<3>();
            EXPECT_NEAR(t.norm(), 1, 1e-9);
            EXPECT_NEAR(t.dot(result.normals[v]), 0, 1e-9);
            EXPECT_EQ(result.tangents[v].w(), 1);
        }
    }
    // One joint that mirrors x: tangents mirror as vectors do, and the frame changes hands.
    std::vector<Mat4d> mirrored(2, Mat4d::Identity());
    for (Mat4d& m : mirrored) m(0, 0) = -1;
    for (const Method method : {Method::lbs, Method::dqs, Method::sbs}) {
        const auto result = run(c, mirrored, method);
        for (std::size_t v = 0; v < result.tangents.size(); ++v) {
            const Vec3d rest = c.mesh.tangents[v].head<3>().cast<double>();
            EXPECT_LT((result.tangents[v].head<3>() - Vec3d(-rest.x(), rest.y(), rest.z())).norm(), 1e-5);
            EXPECT_EQ(result.tangents[v].w(), -1);
        }
    }
}

// Skinning T37.
TEST(Surface, CentresOfATubeLieOnItsAxis) {
    const model::Character c = jointed_tube(1.2);
    const std::vector<math::Vec3f> centers = optimized_centers(c.mesh, c.skin);
    int blended = 0;
    for (std::size_t v = 0; v < centers.size(); ++v) {
        if (c.skin.of(v).size() < 2) continue;
        ++blended;
        EXPECT_LT(std::hypot(centers[v].x(), centers[v].z()), 1e-3 * 0.2) << v;
    }
    EXPECT_GT(blended, 400);
    // Vertices of equal weights share their centre; half and half lies at the joint.
    for (std::size_t v = 0; v < centers.size(); ++v) {
        if (std::abs(c.mesh.positions[v].y() - 1) < 1e-6) {
            EXPECT_NEAR(centers[v].y(), 1, 1e-3);
        }
    }
}

/// The sum over all triangles and all pairs of joints, as it stands in the paper.
Vec3d brute_force_center(const geometry::Mesh& mesh, const Skin& skin, std::size_t vertex,
                         std::size_t joints) {
    const auto dense = [&](std::size_t v) {
        Eigen::VectorXd w = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(joints));
        for (const Influence& i : skin.of(v)) w[i.joint] = i.weight;
        return w;
    };
    const Eigen::VectorXd p = dense(vertex);
    Vec3d sum = Vec3d::Zero();
    double total = 0;
    for (const auto& t : mesh.triangles) {
        const Eigen::VectorXd v = (dense(t[0]) + dense(t[1]) + dense(t[2])) / 3;
        double s = 0;
        for (Eigen::Index j = 0; j < p.size(); ++j) {
            for (Eigen::Index l = 0; l < p.size(); ++l) {
                if (j == l) continue;
                const double d = p[j] * v[l] - p[l] * v[j];
                s += p[j] * p[l] * v[j] * v[l] * std::exp(-d * d / 0.01);
            }
        }
        const Vec3d a = mesh.positions[t[0]].cast<double>(), b = mesh.positions[t[1]].cast<double>(),
                    c = mesh.positions[t[2]].cast<double>();
        const double area = (b - a).cross(c - a).norm() / 2;
        sum += s * area * (a + b + c) / 3;
        total += s * area;
    }
    return sum / total;
}

TEST(Surface, CentresAreTheSumOverAllTriangles) {
    test::Random random(54);
    const geometry::Mesh mesh = test::torus(16, 10);
    std::vector<std::vector<Influence>> lists;
    for (std::size_t v = 0; v < mesh.vertex_count(); ++v) {
        const std::vector<double> w = random.weights(3);
        const auto first = static_cast<std::uint32_t>(random.integer(0, 2));
        lists.push_back({{first, static_cast<float>(w[0])},
                         {first + 1, static_cast<float>(w[1])},
                         {first + 2, static_cast<float>(w[2])}});
    }
    const Skin skin = make_skin(5, lists);
    const auto centers = optimized_centers(mesh, skin);
    for (std::size_t v = 0; v < centers.size(); v += 7) {
        EXPECT_LT((centers[v].cast<double>() - brute_force_center(mesh, skin, v, 5)).norm(), 1e-5);
    }
    set_thread_count(1);
    const auto alone = optimized_centers(mesh, skin);
    set_thread_count(0);
    for (std::size_t v = 0; v < centers.size(); ++v) EXPECT_EQ(centers[v], alone[v]);
    Skin shorter = skin;
    shorter.offsets.pop_back();
    EXPECT_THROW(optimized_centers(mesh, shorter), Error);
}

/// Largest distance from the bent axis, which is two straight lines, over the vertices.
double largest_radius(const std::vector<Vec3d>& positions, const std::vector<Mat4d>& palette) {
    const Vec3d joint(0, 1, 0), end = math::transform_point(palette[1], Vec3d(0, 2, 0));
    const auto to_segment = [](const Vec3d& p, const Vec3d& a, const Vec3d& b) {
        const double t = std::clamp((p - a).dot(b - a) / (b - a).squaredNorm(), 0.0, 1.0);
        return (p - a - t * (b - a)).norm();
    };
    double largest = 0;
    for (const Vec3d& p : positions) {
        largest = std::max(largest, std::min(to_segment(p, Vec3d::Zero(), joint), to_segment(p, joint, end)));
    }
    return largest;
}

// Centres of rotation avoid both the collapse of linear blending and the bulge of dual quaternions.
TEST(Surface, CentresNeitherCollapseNorBulge) {
    const model::Character c = jointed_tube(0.8, 81, 32);
    const auto palette = bent(90);
    const double dual = largest_radius(run(c, palette, Method::dqs).positions, palette);
    const double centered = largest_radius(run(c, palette, Method::cor).positions, palette);
    EXPECT_GT(dual, 0.22) << "dual quaternions bulge";
    EXPECT_LT(centered, dual);
    const auto twisted = bent(180, Vec3d::UnitY());
    for (const auto& [method, min] : {std::pair(Method::cor, 0.199), std::pair(Method::dqs, 0.199)}) {
        double radius = 1;
        for (const Vec3d& p : run(c, twisted, method).positions)
            radius = std::min(radius, std::hypot(p.x(), p.z()));
        EXPECT_GT(radius, min);
    }
    double radius = 1;
    for (const Vec3d& p : run(c, twisted, Method::lbs).positions)
        radius = std::min(radius, std::hypot(p.x(), p.z()));
    EXPECT_LT(radius, 0.01) << "linear blending collapses";
}

TEST(Surface, BulgeIsLimitedToTheRestDistance) {
    const model::Character c = jointed_tube(0.8, 81, 32);
    const auto palette = bent(90);
    const auto rest = rest_shape<double>(c.mesh);
    const auto limit = [&](std::vector<Vec3d>& positions, double stretch) {
        BoneCorrector(c.skin, c.skeleton, {.stretch = stretch})
            .limit_bulge(rest.positions, palette, positions);
    };
    const auto dual = run(c, palette, Method::dqs).positions;
    auto limited = dual;
    limit(limited, 1);
    EXPECT_LT(largest_radius(limited, palette), 0.21)
        << "the bones of a vertex are averaged, so a little is left";
    EXPECT_GT(largest_radius(dual, palette), 0.22);
    auto half = dual;
    limit(half, 0.5);
    EXPECT_LT(largest_radius(half, palette), largest_radius(dual, palette));
    EXPECT_GT(largest_radius(half, palette), largest_radius(limited, palette));
    auto none = dual;
    limit(none, 0);
    EXPECT_LT(largest_distance(none, dual), 1e-12);
    none.pop_back();
    EXPECT_THROW(limit(none, 1), Error);
}

}  // namespace
}  // namespace sinew::deform
