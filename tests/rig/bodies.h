// SPDX-License-Identifier: MIT
#pragma once
// Bodies whose views, outlines and axes are known.

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "rig/limbs.h"
#include "support/random.h"
#include "support/shapes.h"

#include "sinew/rig/silhouette/silhouette_surface.h"

namespace sinew::test {

using geometry::Mesh;
using geometry::Vec2d;
using rig::Projection;
using rig::ViewFrame;
using rig::WeldedSurface;

inline Mesh box(const Vec3d& size) {
    Mesh mesh = cube();
    for (auto& p : mesh.positions) p = p.cwiseProduct(size.cast<float>());
    return mesh;
}

/// A sphere of 20 * 4^levels faces, stretched to the radii.
inline Mesh icosphere(int levels, const Vec3d& radii = Vec3d::Ones()) {
    const double g = (1 + std::sqrt(5.0)) / 2;
    std::vector<Vec3d> points{{-1, g, 0},  {1, g, 0},  {-1, -g, 0}, {1, -g, 0}, {0, -1, g},  {0, 1, g},
                              {0, -1, -g}, {0, 1, -g}, {g, 0, -1},  {g, 0, 1},  {-g, 0, -1}, {-g, 0, 1}};
    std::vector<Triangle> faces{{0, 11, 5}, {0, 5, 1},  {0, 1, 7},   {0, 7, 10}, {0, 10, 11},
                                {1, 5, 9},  {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8},
                                {3, 9, 4},  {3, 4, 2},  {3, 2, 6},   {3, 6, 8},  {3, 8, 9},
                                {4, 9, 5},  {2, 4, 11}, {6, 2, 10},  {8, 6, 7},  {9, 8, 1}};
    for (int level = 0; level < levels; ++level) {
        std::map<std::array<std::uint32_t, 2>, std::uint32_t> halves;
        const auto half = [&](std::uint32_t a, std::uint32_t b) {
            const auto [at, made] = halves.try_emplace({std::min(a, b), std::max(a, b)},
                                                       static_cast<std::uint32_t>(points.size()));
            if (made) points.push_back(points[a].normalized() + points[b].normalized());
            return at->second;
        };
        std::vector<Triangle> finer;
        for (const Triangle& t : faces) {
            const std::uint32_t a = half(t[0], t[1]), b = half(t[1], t[2]), c = half(t[2], t[0]);
            finer.insert(finer.end(), {{t[0], a, c}, {t[1], b, a}, {t[2], c, b}, {a, b, c}});
        }
        faces = std::move(finer);
    }
    Mesh mesh;
    for (const Vec3d& p : points) {
        mesh.positions.push_back(p.normalized().cwiseProduct(radii).cast<float>());
    }
    mesh.triangles = faces;
    return mesh;
}

/// What a closed section sweeps along a curve. The frame at a place: the tangent, `side` made perpendicular
/// to it, and their product. The ends are closed by fans.
struct Sweep {
    std::function<Vec3d(double)> curve;    ///< over 0..1
    std::function<Vec2d(double)> section;  ///< over 0..1, anticlockwise, around the origin
    Vec3d side = Vec3d::UnitZ();           ///< the second axis of the section, about
    std::uint32_t rings = 60, around = 24;
};

inline Mesh swept(const Sweep& sweep) {
    Mesh mesh;
    const auto point_at = [&](double t, const Vec2d& at) {
        const Vec3d along = (sweep.curve(t + 1e-5) - sweep.curve(t - 1e-5)).normalized();
        const Vec3d v = (sweep.side - sweep.side.dot(along) * along).normalized(), u = v.cross(along);
        return Vec3f((sweep.curve(t) + at.x() * u + at.y() * v).cast<float>());
    };
    for (std::uint32_t i = 0; i < sweep.rings; ++i) {
        for (std::uint32_t j = 0; j < sweep.around; ++j) {
            mesh.positions.push_back(point_at(static_cast<double>(i) / (sweep.rings - 1),
                                              sweep.section(static_cast<double>(j) / sweep.around)));
        }
    }
    mesh.triangles = grid(sweep.rings, sweep.around, false, true);
    for (const std::uint32_t end : {0u, sweep.rings - 1}) {
        const auto middle = static_cast<std::uint32_t>(mesh.positions.size());
        Vec3f sum = Vec3f::Zero();
        for (std::uint32_t j = 0; j < sweep.around; ++j) sum += mesh.positions[end * sweep.around + j];
        mesh.positions.push_back(sum / static_cast<float>(sweep.around));
        for (std::uint32_t j = 0; j < sweep.around; ++j) {
            const std::uint32_t a = end * sweep.around + j, b = end * sweep.around + (j + 1) % sweep.around;
            mesh.triangles.push_back(end == 0 ? Triangle{middle, a, b} : Triangle{middle, b, a});
        }
    }
    if (geometry::signed_volume(mesh.positions, mesh.triangles) < 0) {
        for (Triangle& t : mesh.triangles) std::swap(t[1], t[2]);
    }
    return mesh;
}

inline std::function<Vec2d(double)> ellipse(double a, double b, double turned = 0) {
    return [=](double s) {
        const double angle = 2 * math::pi * s, x = a * std::cos(angle), y = b * std::sin(angle);
        return Vec2d(std::cos(turned) * x - std::sin(turned) * y,
                     std::sin(turned) * x + std::cos(turned) * y);
    };
}

/// The tubes of the published checks, radius 0.35.
inline Mesh bent() {
    return swept({[](double t) { return Vec3d(2 * std::cos(2.5 * t), 2 * std::sin(2.5 * t), 0.3 * t); },
                  ellipse(0.35, 0.35)});
}
inline Mesh s_shaped() {
    return swept(
        {[](double t) { return Vec3d(4 * t, 0.6 * std::sin(6 * t), 0.3 * t); }, ellipse(0.35, 0.35)});
}
inline Mesh self_overlapping() {
    // Up to t = 1.3: at 1 its second turn has not yet reached the first.
    return swept({[](double s) {
                      const double t = 1.3 * s;
                      return Vec3d(2 * std::cos(7.5 * t) + 1.5 * t, 2 * std::sin(7.5 * t), 2 * t);
                  },
                  ellipse(0.35, 0.35), Vec3d::UnitZ(), 120});
}
/// Flat at z = 0, round above, along y from -3 to 3.
inline Mesh half_disc_prism() {
    const auto section = [](double s) {
        // The flat side has a third of the points, the corners among them.
        if (s < 1.0 / 3) return Vec2d(-1 + 6 * s, 0);
        const double angle = math::pi * (s - 1.0 / 3) * 1.5;
        return Vec2d(std::cos(angle), std::sin(angle));
    };
    return swept({[](double t) { return Vec3d(0, 6 * t - 3, 0); }, section, Vec3d::UnitZ(), 40, 36});
}
/// A wrist, a palm that widens, four fingers and a thumb that leaves below them.
inline std::vector<Limb> glove() {
    return {{{0, -2, 0}, {0, 0, 0}, 0.34},           {{0, 0, 0}, {0, 0.9, 0}, 0.42},
            {{0.0, 0.95, 0}, {-1.15, 2.0, 0}, 0.13}, {{0.0, 0.95, 0}, {-0.42, 2.5, 0}, 0.13},
            {{0.0, 0.95, 0}, {0.42, 2.5, 0}, 0.13},  {{0.0, 0.95, 0}, {1.15, 2.0, 0}, 0.13},
            {{0, -0.2, 0}, {1.5, 0.35, 0}, 0.15}};
}

/// A view along a random direction, upright in a random one.
inline ViewFrame random_view(Random& random) {
    const Vec3d direction = random.unit_vector();
    return rig::view_frame(direction, random.unit_vector(), Vec3d::UnitX());
}
inline Projection seen_along_z(const WeldedSurface& surface) {
    return rig::project(surface, ViewFrame{});
}

}  // namespace sinew::test
