// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Eight triangles at once against one: which of them lie on one side of its plane, and whether it lies on
/// one side of theirs. Single precision with a bound on its error; undecided results are reported as such.

#include "sinew/collide/body/simd.h"
#include "sinew/collide/tree/tree_data.h"
#include "sinew/collide/triangle/triangle_pair.h"

namespace sinew::collide {

/// Boxes of the triangles of a block, coordinate by coordinate; lanes without a triangle overlap nothing.
struct alignas(16) BoxBlock {
    float low[3][block_size];
    float high[3][block_size];
};

/// Triangles of a block, coordinate by coordinate.
struct alignas(16) TriangleBlock {
    float corners[3][3][block_size];  ///< corner, coordinate, triangle
    float normals[3][block_size];     ///< valid if `planes` is set
    float errors[block_size];         ///< of a height over the plane, for an offset of 1
    BoxBlock boxes;
    bool planes = false;
    bool slab = false;      ///< computed: the following members are valid
    float direction[3];     ///< mean normal of the triangles, of any length
    float lowest, highest;  ///< heights of the corners in that direction over the first corner of the first
    float slack;            ///< of a height, for an offset of 1
};

/// Error of (e x f) . o for |o| <= 1, where e and f have the largest coordinates E and F: below 48 u E F O,
/// that is 8 u E F in each component of the normal, 18 u in the product, 6 u in the offset.
inline constexpr float height_error = 64 * 0x1p-24f;
/// Smaller results may have lost their precision.
inline constexpr float min_height = 0x1p-120f;

/// On which side of a plane the corners of the triangles of a block lie: bit i of `below[k]` and `above[k]`
/// is for corner k of triangle i; neither is set where single precision does not decide.
struct BlockSides {
    std::uint32_t below[3]{}, above[3]{};

    std::uint32_t one_sided() const {
        return (below[0] & below[1] & below[2]) | (above[0] & above[1] & above[2]);
    }
    RoughSides of(std::uint32_t i) const {
        const auto three = [&](const std::uint32_t(&bits)[3]) {
            return (bits[0] >> i & 1) | (bits[1] >> i & 1) << 1 | (bits[2] >> i & 1) << 2;
        };
        return {three(below), three(above)};
    }
};

namespace detail {

inline Vec3x4 load_three(const float (&rows)[3][block_size], std::uint32_t at) {
    return {load4(rows[0] + at), load4(rows[1] + at), load4(rows[2] + at)};
}
inline Vec3x4 spread_three(Float4 a) {
    return {spread4<0>(a), spread4<1>(a), spread4<2>(a)};
}
inline Float4 largest(const Vec3x4& a) {
    return max4(max4(absolute(a.x), absolute(a.y)), absolute(a.z));
}

/// Heights of three offsets over planes, in four lanes from `at` on.
inline void add_sides(BlockSides& sides, const Vec3x4& normal, const Vec3x4 (&offsets)[3], Float4 error,
                      std::uint32_t at) {
    const Float4 reach = max4(max4(largest(offsets[0]), largest(offsets[1])), largest(offsets[2]));
    const Float4 slack = error * reach + all4(min_height), lowest = all4(0) - slack;
    for (int k = 0; k < 3; ++k) {
        const Float4 height = dot(normal, offsets[k]);
        sides.above[k] |= bits_above(height, slack) << at;
        sides.below[k] |= bits_above(lowest, height) << at;
    }
}

}  // namespace detail

/// A plane through a triangle.
struct RoughPlane {
    Vec3x4 base, normal;
    Float4 error;

    /// Of triangle i of a block whose planes are computed.
    RoughPlane(const TriangleBlock& block, std::uint32_t i)
        : base{all4(block.corners[0][0][i]), all4(block.corners[0][1][i]), all4(block.corners[0][2][i])},
          normal{all4(block.normals[0][i]), all4(block.normals[1][i]), all4(block.normals[2][i])},
          error(all4(block.errors[i])) {}
    explicit RoughPlane(const CornerRows& t) {
        const Float4 a = load4(t[0]), e = load4(t[1]) - a, f = load4(t[2]) - a;
        base = detail::spread_three(a);
        normal = detail::spread_three(cross3(e, f));
        error = all4(height_error * largest3(absolute(e)) * largest3(absolute(f)));
    }
    /// Sides of one triangle.
    RoughSides sides(const CornerRows& t) const {
        Float4 x = load4(t[0]), y = load4(t[1]), z = load4(t[2]), none = z;
        transpose4(x, y, z, none);  // corners become lanes
        const Vec3x4 offsets = Vec3x4{x, y, z} - base;
        const Float4 slack = error * detail::largest(offsets) + all4(min_height);
        const Float4 height = dot(normal, offsets);
        return {bits_above(all4(0) - slack, height) & 7, bits_above(height, slack) & 7};
    }
    /// Sides of the triangles of a block.
    BlockSides sides(const TriangleBlock& block) const {
        BlockSides sides;
        for (std::uint32_t at = 0; at < block_size; at += 4) {
            const Vec3x4 offsets[3]{detail::load_three(block.corners[0], at) - base,
                                    detail::load_three(block.corners[1], at) - base,
                                    detail::load_three(block.corners[2], at) - base};
            detail::add_sides(sides, normal, offsets, error, at);
        }
        return sides;
    }
};

/// Normals of a block's triangles, computed once.
inline void make_planes(TriangleBlock& block) {
    if (block.planes) return;
    for (std::uint32_t at = 0; at < block_size; at += 4) {
        const Vec3x4 base = detail::load_three(block.corners[0], at);
        const Vec3x4 e = detail::load_three(block.corners[1], at) - base,
                     f = detail::load_three(block.corners[2], at) - base;
        const Vec3x4 normal = cross(e, f);
        store4(block.normals[0] + at, normal.x);
        store4(block.normals[1] + at, normal.y);
        store4(block.normals[2] + at, normal.z);
        store4(block.errors + at, all4(height_error) * detail::largest(e) * detail::largest(f));
    }
    block.planes = true;
}

/// The slab between two parallel planes that contains the triangles of a block, computed once. A block is
/// nearly flat, so its slab excludes many triangles that its box does not.
inline void make_slab(TriangleBlock& block) {
    if (block.slab) return;
    make_planes(block);
    for (int axis = 0; axis < 3; ++axis)
        block.direction[axis] = sum4(load4(block.normals[axis]) + load4(block.normals[axis] + 4));
    const Float4 direction = make3(block.direction[0], block.direction[1], block.direction[2]);
    const Vec3x4 n = detail::spread_three(direction);
    const Vec3x4 base{all4(block.corners[0][0][0]), all4(block.corners[0][1][0]),
                      all4(block.corners[0][2][0])};
    Float4 lowest = all4(0), highest = all4(0);
    for (const auto& corner : block.corners) {
        for (std::uint32_t at = 0; at < block_size; at += 4) {
            const Float4 height = dot(n, detail::load_three(corner, at) - base);
            lowest = min4(lowest, height);
            highest = max4(highest, height);
        }
    }
    block.lowest = -largest_of(all4(0) - lowest);
    block.highest = largest_of(highest);
    // Three products of differences, summed: an error below 6 u |n| |o| in each.
    block.slack = 32 * 0x1p-24f * largest3(absolute(direction));
    block.slab = true;
}

/// Triangles of a block that may overlap the slab of another, as bits; `reach` is the largest coordinate of a
/// corner of either relative to the first corner of the other.
inline std::uint32_t in_slab(const TriangleBlock& slab, const TriangleBlock& block, float reach) {
    const Vec3x4 n{all4(slab.direction[0]), all4(slab.direction[1]), all4(slab.direction[2])};
    const Vec3x4 base{all4(slab.corners[0][0][0]), all4(slab.corners[0][1][0]), all4(slab.corners[0][2][0])};
    const float slack = 2 * slab.slack * reach + min_height;
    const Float4 low = all4(slab.lowest - slack), high = all4(slab.highest + slack);
    std::uint32_t outside = 0;
    for (std::uint32_t at = 0; at < block_size; at += 4) {
        const Float4 a = dot(n, detail::load_three(block.corners[0], at) - base),
                     b = dot(n, detail::load_three(block.corners[1], at) - base),
                     c = dot(n, detail::load_three(block.corners[2], at) - base);
        outside |= (bits_above(min4(min4(a, b), c), high) | bits_above(low, max4(max4(a, b), c))) << at;
    }
    return ~outside;
}

/// Sides of one triangle's corners relative to the planes of a block: bit i is for the plane of triangle i.
inline BlockSides sides_over(const TriangleBlock& block, const CornerRows& t) {
    const Vec3x4 corners[3]{detail::spread_three(load4(t[0])), detail::spread_three(load4(t[1])),
                            detail::spread_three(load4(t[2]))};
    BlockSides sides;
    for (std::uint32_t at = 0; at < block_size; at += 4) {
        const Vec3x4 base = detail::load_three(block.corners[0], at);
        const Vec3x4 offsets[3]{corners[0] - base, corners[1] - base, corners[2] - base};
        detail::add_sides(sides, detail::load_three(block.normals, at), offsets, load4(block.errors + at),
                          at);
    }
    return sides;
}

}  // namespace sinew::collide
