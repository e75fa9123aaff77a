// SPDX-License-Identifier: MIT
#pragma once
// Small meshes with known answers.

#include <cmath>
#include <numbers>

#include "sinew/geometry/mesh.h"

namespace sinew::test {

using geometry::Mesh;
using geometry::Triangle;
using geometry::Vec3f;

inline void add_quad(Mesh& mesh, std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
    mesh.triangles.push_back({a, b, c});
    mesh.triangles.push_back({a, c, d});
}

/// Axis-aligned cube, 8 vertices, 12 triangles, outward.
inline Mesh cube(const Vec3f& center = Vec3f::Zero(), float side = 1) {
    Mesh mesh;
    for (int i = 0; i < 8; ++i) {
        const Vec3f corner(i & 1 ? 0.5f : -0.5f, i & 2 ? 0.5f : -0.5f, i & 4 ? 0.5f : -0.5f);
        mesh.positions.push_back(center + side * corner);
    }
    add_quad(mesh, 0, 2, 3, 1);
    add_quad(mesh, 4, 5, 7, 6);
    add_quad(mesh, 0, 1, 5, 4);
    add_quad(mesh, 2, 6, 7, 3);
    add_quad(mesh, 0, 4, 6, 2);
    add_quad(mesh, 1, 3, 7, 5);
    return mesh;
}

/// Grid of nu x nv vertices that may close in either direction; `twist` closes u upside down (Moebius strip).
inline std::vector<Triangle> grid(std::uint32_t nu, std::uint32_t nv, bool wrap_u, bool wrap_v,
                                  bool twist = false) {
    Mesh mesh;
    for (std::uint32_t i = 0; i < (wrap_u ? nu : nu - 1); ++i) {
        for (std::uint32_t j = 0; j < (wrap_v ? nv : nv - 1); ++j) {
            const auto at = [&](std::uint32_t u, std::uint32_t v) {
                const bool over = twist && u >= nu;
                return (u % nu) * nv + (over ? nv - 1 - v % nv : v % nv);
            };
            add_quad(mesh, at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1));
        }
    }
    return mesh.triangles;
}

inline Mesh torus(std::uint32_t around = 12, std::uint32_t across = 8) {
    Mesh mesh;
    for (std::uint32_t i = 0; i < around; ++i) {
        for (std::uint32_t j = 0; j < across; ++j) {
            const double a = 2 * std::numbers::pi * i / around, b = 2 * std::numbers::pi * j / across;
            const double r = 2 + 0.5 * std::cos(b);
            mesh.positions.push_back(
                Vec3f(math::Vec3d(r * std::cos(a), r * std::sin(a), 0.5 * std::sin(b)).cast<float>()));
        }
    }
    mesh.triangles = grid(around, across, true, true);
    return mesh;
}

/// Flat sheet of nu x nv vertices in the xy plane, facing +z.
inline Mesh sheet(std::uint32_t nu = 4, std::uint32_t nv = 3) {
    Mesh mesh;
    for (std::uint32_t i = 0; i < nu; ++i) {
        for (std::uint32_t j = 0; j < nv; ++j)
            mesh.positions.emplace_back(static_cast<float>(i), static_cast<float>(j), 0.0f);
    }
    mesh.triangles = grid(nu, nv, false, false);
    return mesh;
}

/// Open tube along y from 0 to `length`: `rings` rings of `around` vertices, normals outward.
inline Mesh tube(std::uint32_t rings, std::uint32_t around, double radius, double length) {
    Mesh mesh;
    for (std::uint32_t i = 0; i < rings; ++i) {
        for (std::uint32_t j = 0; j < around; ++j) {
            const double a = 2 * std::numbers::pi * j / around;
            const math::Vec3d normal(std::cos(a), 0, std::sin(a));
            const math::Vec3d height(0, length * i / (rings - 1), 0);
            mesh.positions.push_back(Vec3f((radius * normal + height).cast<float>()));
            mesh.normals.push_back(Vec3f(normal.cast<float>()));
        }
    }
    mesh.triangles = grid(rings, around, false, true);
    return mesh;
}

}  // namespace sinew::test
