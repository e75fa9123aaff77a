// SPDX-License-Identifier: MIT
#pragma once
// Bodies that are cut into parts, for tests of parts.

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

#include "support/shapes.h"

#include "sinew/geometry/cut_mesh.h"
#include "sinew/math/types.h"

namespace sinew::test {

using geometry::CutMesh;
using geometry::Mesh;
using geometry::Triangle;
using math::Vec3d;
using math::Vec3f;

/// A prism over a polygon in the plane z = 0 (anticlockwise, triangulated as a fan of the given triangles).
inline Mesh prism(const std::vector<Vec3d>& outline, const std::vector<Triangle>& faces, double height) {
    Mesh mesh;
    const auto n = static_cast<std::uint32_t>(outline.size());
    for (const double z : {0.0, height})
        for (const Vec3d& p : outline) mesh.positions.push_back(Vec3d(p.x(), p.y(), z).cast<float>());
    for (const auto& [a, b, c] : faces) {
        mesh.triangles.push_back({a, c, b});
        mesh.triangles.push_back({a + n, b + n, c + n});
    }
    for (std::uint32_t i = 0; i < n; ++i) {
        const std::uint32_t j = (i + 1) % n;
        mesh.triangles.push_back({i, j, j + n});
        mesh.triangles.push_back({i, j + n, i + n});
    }
    return mesh;
}

/// ([0,2]x[0,1] u [0,1]x[0,2]) x [0,1].
inline Mesh l_prism() {
    return prism({{0, 0, 0}, {2, 0, 0}, {2, 1, 0}, {1, 1, 0}, {1, 2, 0}, {0, 2, 0}},
                 {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}}, 1);
}

/// Two towers on a beam: no place sees all of it.
inline Mesh u_prism() {
    return prism({{0, 0, 0}, {3, 0, 0}, {3, 3, 0}, {2, 3, 0}, {2, 1, 0}, {1, 1, 0}, {1, 3, 0}, {0, 3, 0}},
                 {{0, 1, 4}, {1, 2, 3}, {1, 3, 4}, {0, 4, 5}, {0, 5, 6}, {0, 6, 7}}, 1);
}

/// A tube along z with rings at the given heights, closed by fans, whose parts are the stretches between the
/// rings named by `cuts` (indices of rings). Part i is called "part_i" from below.
inline Mesh cut_tube(const std::vector<double>& heights, const std::vector<std::size_t>& cuts,
                     const std::function<double(double)>& radius, std::uint32_t around = 16) {
    Mesh mesh;
    for (const double z : heights)
        for (std::uint32_t j = 0; j < around; ++j) {
            const double a = 2 * math::pi * j / around;
            mesh.positions.push_back(
                Vec3d(radius(z) * std::cos(a), radius(z) * std::sin(a), z).cast<float>());
        }
    const auto bottom = static_cast<std::uint32_t>(mesh.positions.size());
    mesh.positions.push_back({0, 0, static_cast<float>(heights.front())});
    mesh.positions.push_back({0, 0, static_cast<float>(heights.back())});
    const auto rings = static_cast<std::uint32_t>(heights.size());
    const auto start_part = [&] {
        mesh.parts.push_back({"part_" + std::to_string(mesh.parts.size()),
                              static_cast<std::uint32_t>(mesh.triangles.size()), 0, -1});
    };
    start_part();
    for (std::uint32_t j = 0; j < around; ++j) mesh.triangles.push_back({bottom, (j + 1) % around, j});
    for (std::uint32_t i = 0; i + 1 < rings; ++i) {
        if (std::find(cuts.begin(), cuts.end(), i) != cuts.end()) start_part();
        for (std::uint32_t j = 0; j < around; ++j) {
            const std::uint32_t k = (j + 1) % around;
            const std::uint32_t a = i * around + j, b = i * around + k, c = a + around, d = b + around;
            mesh.triangles.push_back({a, b, d});
            mesh.triangles.push_back({a, d, c});
        }
    }
    for (std::uint32_t j = 0; j < around; ++j) {
        const std::uint32_t last = (rings - 1) * around;
        mesh.triangles.push_back({bottom + 1, last + j, last + (j + 1) % around});
    }
    for (std::size_t p = 0; p < mesh.parts.size(); ++p) {
        const std::size_t end = p + 1 < mesh.parts.size() ? mesh.parts[p + 1].first : mesh.triangles.size();
        mesh.parts[p].count = static_cast<std::uint32_t>(end - mesh.parts[p].first);
    }
    return mesh;
}

/// A unit cube about a place of whole numbers, and the part that it belongs to.
struct CubeCell {
    Eigen::Vector3i at;
    int part = 0;
};

/// The surface of a body of cubes, without the faces between two of them.
inline Mesh cubes(const std::vector<CubeCell>& cells, const std::vector<std::string>& names) {
    const auto filled = [&](const Eigen::Vector3i& at) {
        return std::any_of(cells.begin(), cells.end(), [&](const CubeCell& c) { return c.at == at; });
    };
    Mesh mesh;
    for (std::size_t part = 0; part < names.size(); ++part) {
        const auto first = static_cast<std::uint32_t>(mesh.triangles.size());
        for (const CubeCell& cell : cells) {
            if (cell.part != static_cast<int>(part)) continue;
            for (int side = 0; side < 6; ++side) {
                const Eigen::Vector3i out = (side % 2 == 0 ? 1 : -1) * Eigen::Vector3i::Unit(side / 2);
                if (filled(cell.at + out)) continue;
                const Vec3d n = out.cast<double>(), u = Vec3d::Unit((side / 2 + 1) % 3), v = n.cross(u);
                const auto base = static_cast<std::uint32_t>(mesh.positions.size());
                for (const auto& [a, b] : {std::pair{-1, -1}, {1, -1}, {1, 1}, {-1, 1}})
                    mesh.positions.push_back(
                        Vec3d(cell.at.cast<double>() + (n + a * u + b * v) / 2).cast<float>());
                add_quad(mesh, base, base + 1, base + 2, base + 3);
            }
        }
        mesh.parts.push_back(
            {names[part], first, static_cast<std::uint32_t>(mesh.triangles.size()) - first, -1});
    }
    return mesh;
}

/// Three cylinders of radius 1 on each other: 0..2, 2..5, 5..7.
inline Mesh three_cylinders() {
    return cut_tube({0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5, 5.5, 6, 6.5, 7}, {4, 10},
                    [](double) { return 1.0; });
}

}  // namespace sinew::test
