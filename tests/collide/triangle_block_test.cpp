// SPDX-License-Identifier: MIT
// Eight triangles at once: what single precision decides must be what exact arithmetic says.

#include "sinew/collide/triangle/triangle_block.h"

#include "support/random.h"
#include <gtest/gtest.h>

#include "sinew/collide/triangle/orientation.h"

namespace sinew::collide {
namespace {

using test::Random;

struct FloatTriangle {
    float rows[3][4] = {};

    CornerRows corners() const { return {rows[0], rows[1], rows[2]}; }
    Corners exact() const {
        const auto corner = [&](int k) {
            return Vec3d(static_cast<double>(rows[k][0]), static_cast<double>(rows[k][1]),
                         static_cast<double>(rows[k][2]));
        };
        return {corner(0), corner(1), corner(2)};
    }
};

/// On a lattice many are degenerate, coplanar or touching.
FloatTriangle random_triangle(Random& random, bool lattice, double far) {
    FloatTriangle t;
    for (auto& row : t.rows) {
        for (int k = 0; k < 3; ++k) {
            const double x = lattice ? random.integer(-2, 2) : random.uniform(-1, 1);
            row[k] = static_cast<float>(x + far);
        }
    }
    return t;
}

TriangleBlock block_of(const std::vector<FloatTriangle>& triangles) {
    TriangleBlock block;
    for (std::uint32_t i = 0; i < block_size; ++i) {
        for (int corner = 0; corner < 3; ++corner) {
            for (int axis = 0; axis < 3; ++axis)
                block.corners[corner][axis][i] = triangles[i].rows[corner][axis];
        }
    }
    return block;
}

void expect_right(const RoughSides& sides, const Corners& plane, const Corners& points) {
    for (std::size_t k = 0; k < 3; ++k) {
        const int exact = orient3d(plane[0], plane[1], plane[2], points[k]);
        if (sides.below >> k & 1) {
            ASSERT_EQ(exact, 1);
        }
        if (sides.above >> k & 1) {
            ASSERT_EQ(exact, -1);
        }
    }
}

TEST(TriangleBlock, SidesAndSlabsAreNeverWrong) {
    Random random(91);
    std::size_t decided = 0, meeting = 0, kept = 0, tests = 0;
    for (int round = 0; round < 4000; ++round) {
        const bool lattice = round % 2 == 0;
        const double far = round % 3 == 0 ? 1000 : 0;
        std::vector<FloatTriangle> own, others;
        for (std::uint32_t i = 0; i < block_size; ++i) {
            own.push_back(random_triangle(random, lattice, far));
            others.push_back(random_triangle(random, lattice, far));
        }
        TriangleBlock a = block_of(own), b = block_of(others);
        make_slab(a);
        make_planes(b);
        const std::uint32_t in = in_slab(a, b, 8);
        const BlockSides below = RoughPlane(a, 0).sides(b), over = sides_over(b, own[0].corners());
        for (std::uint32_t i = 0; i < block_size; ++i) {
            const Corners x = own[0].exact(), y = others[i].exact();
            expect_right(below.of(i), x, y);
            expect_right(over.of(i), y, x);
            decided += below.of(i).decided();
            const bool meet = triangles_meet_reference(x, y);
            meeting += meet;
            kept += in >> i & 1;
            ++tests;
            if (meet) {
                ASSERT_TRUE(in >> i & 1);
                ASSERT_FALSE(below.of(i).one_sided() || over.of(i).one_sided());
            }
            ASSERT_EQ(triangles_meet(own[0].corners(), over.of(i), others[i].corners(), below.of(i)), meet);
        }
    }
    EXPECT_GT(decided, tests / 3);
    EXPECT_GT(meeting, tests / 10);
    EXPECT_GT(kept, meeting);
}

TEST(TriangleBlock, AFlatBlockKeepsOffWhatLiesBesideIt) {
    Random random(92);
    std::vector<FloatTriangle> flat, beside;
    for (std::uint32_t i = 0; i < block_size; ++i) {
        flat.push_back(random_triangle(random, false, 0));
        for (auto& row : flat.back().rows) row[1] = row[0];  // the plane x = y
        beside.push_back(flat.back());
        for (auto& row : beside.back().rows) row[1] += i < 4 ? 0.1f : 0.0f;
    }
    TriangleBlock a = block_of(flat);
    make_slab(a);
    EXPECT_EQ(in_slab(a, block_of(beside), 4) & 0xff, 0xf0u);
}

}  // namespace
}  // namespace sinew::collide
