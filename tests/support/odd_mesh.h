// SPDX-License-Identifier: MIT
#pragma once
// Meshes as they come: bodies of limbs, soups, strips, hair cards, fins, faces without area, doubled, in any
// unit.

#include <cstdint>
#include <span>

#include "rig/limbs.h"
#include "support/shapes.h"

#include "sinew/geometry/mesh.h"
#include "sinew/math/transform.h"

namespace sinew::test {

/// Numbers from bytes; when they are used up a generator goes on from them.
class Dice {
  public:
    explicit Dice(std::span<const std::uint8_t> bytes) : bytes_(bytes) {
        for (const std::uint8_t byte : bytes) state_ = (state_ ^ byte) * 1099511628211u;
    }
    explicit Dice(std::uint32_t seed) { state_ = (state_ ^ seed) * 1099511628211u; }

    /// From 0 to count - 1.
    int pick(int count) { return static_cast<int>(next() % static_cast<unsigned>(count)); }
    double between(double low, double high) { return low + (high - low) * next() / 255.0; }
    Vec3d point() {
        const double x = between(-1, 1), y = between(-1, 1);
        return {x, y, between(-1, 1)};
    }

  private:
    unsigned next() {
        if (used_ < bytes_.size()) return bytes_[used_++];
        state_ = state_ * 6364136223846793005u + 1442695040888963407u;
        return static_cast<unsigned>(state_ >> 56);
    }

    std::span<const std::uint8_t> bytes_;
    std::size_t used_ = 0;
    std::uint64_t state_ = 14695981039346656037u;
};

/// A trunk with two to seven limbs, in pairs or alone, some of two pieces.
inline std::vector<Limb> random_limbs(Dice& dice) {
    const Vec3d top(0, dice.between(0.6, 1.4), dice.between(-0.8, 0.8));
    std::vector<Limb> limbs{{Vec3d::Zero(), top, dice.between(0.12, 0.3)}};
    const bool mirrored = dice.pick(3) > 0;
    const int count = 2 + dice.pick(6);
    for (int i = 0; i < count; ++i) {
        const Vec3d from = dice.between(0, 1) * top;
        const Vec3d to = from + dice.between(0.4, 1.1) * (dice.point() + Vec3d(0.3, 0, 0)).normalized();
        std::vector<Limb> limb{{from, to, dice.between(0.05, 0.15)}};
        if (dice.pick(2) == 0) limb.push_back({to, to + 0.5 * dice.point(), limb[0].radius});
        for (const Limb& piece : limb) {
            limbs.push_back(piece);
            if (mirrored)
                limbs.push_back({{-piece.from.x(), piece.from.y(), piece.from.z()},
                                 {-piece.to.x(), piece.to.y(), piece.to.z()},
                                 piece.radius});
        }
    }
    return limbs;
}

/// A closed surface with a body's limbs; coarse ones have several hundred vertices.
inline Mesh random_body(Dice& dice, double cell = 0.09) {
    return body_of(random_limbs(dice), cell);
}

inline void add_loose(Mesh& mesh, const Vec3d& a, const Vec3d& b, const Vec3d& c) {
    const auto first = static_cast<std::uint32_t>(mesh.vertex_count());
    for (const Vec3d& corner : {a, b, c}) mesh.positions.emplace_back(corner.cast<float>());
    mesh.triangles.push_back({first, first + 1, first + 2});
}

/// One piece of one of eight kinds.
inline Mesh odd_piece(Dice& dice) {
    Mesh mesh;
    const Vec3d middle = dice.point();
    const int count = 1 + dice.pick(60);
    switch (dice.pick(8)) {
        case 0:
        case 1:
            return random_body(dice, 0.12);
        case 2:  // triangles that do not know of each other
            for (int i = 0; i < count; ++i) {
                const Vec3d at = middle + dice.point();
                const double size = dice.between(0, 0.5);
                add_loose(mesh, at, at + size * dice.point(), at + size * dice.point());
            }
            return mesh;
        case 3:  // a flat strip, open on all sides
            mesh = sheet(2, static_cast<std::uint32_t>(2 + count));
            for (auto& p : mesh.positions) p = 0.05f * p + middle.cast<float>();
            return mesh;
        case 4:  // cards of hair: thin quads side by side
            for (int i = 0; i < count; ++i) {
                const Vec3d from = middle + 0.3 * dice.point(),
                            to = from + Vec3d(0, -0.5, 0) + 0.2 * dice.point();
                const Vec3d side(0.02, 0, 0.01);
                add_loose(mesh, from, to, to + side);
                add_loose(mesh, from, to + side, from + side);
            }
            return mesh;
        case 5:  // fins: many triangles at one edge
            mesh.positions = {middle.cast<float>(), (middle + Vec3d::UnitY()).cast<float>()};
            for (int i = 0; i < count; ++i) {
                mesh.positions.emplace_back((middle + dice.point()).cast<float>());
                mesh.triangles.push_back({0, 1, static_cast<std::uint32_t>(2 + i)});
            }
            return mesh;
        case 6:  // faces without area: points and segments
            for (int i = 0; i < count; ++i) {
                const Vec3d a = middle + dice.point(), b = dice.pick(2) == 0 ? a : Vec3d(middle);
                add_loose(mesh, a, b, dice.pick(2) == 0 ? a : Vec3d((a + b) / 2));
            }
            return mesh;
        default: {
            mesh = cube(middle.cast<float>(), static_cast<float>(dice.between(0, 1)));
            if (dice.pick(3) == 0) mesh.triangles.resize(1);
            return mesh;
        }
    }
}

/// One to three pieces, perhaps doubled or turned inside out, with loose vertices, from 1e-6 to 1e6 units
/// across, near or far from the origin.
inline Mesh odd_mesh(Dice& dice) {
    Mesh mesh;
    for (int pieces = 1 + dice.pick(3); pieces > 0; --pieces) geometry::append(mesh, odd_piece(dice));
    if (dice.pick(8) == 0) geometry::append(mesh, Mesh(mesh));
    if (dice.pick(8) == 0)
        for (Triangle& triangle : mesh.triangles) std::swap(triangle[0], triangle[1]);
    if (dice.pick(8) == 0) mesh.positions.emplace_back(dice.point().cast<float>());
    if (dice.pick(16) == 0) mesh.triangles.resize(mesh.triangles.size() / 2);
    constexpr double units[] = {1, 1, 1, 100, 1e-3, 1e-6, 1e6};
    const double unit = units[dice.pick(7)];
    const Vec3d shift = dice.pick(8) == 0 ? Vec3d(1000 * dice.point()) : Vec3d(Vec3d::Zero());
    for (auto& p : mesh.positions) p = (unit * (p.cast<double>() + shift)).cast<float>();
    return mesh;
}

}  // namespace sinew::test
