// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Finds the triangles of two leaves that are close: blocks by their boxes, then triangles by their boxes,
/// then separating planes, eight at a time.

#include <bit>

#include "sinew/collide/body/posed_body.h"
#include "sinew/collide/query/search_scratch.h"

namespace sinew::collide {

inline CornerRows corner_rows(const PosedBody& body, std::uint32_t triangle) {
    const geometry::Triangle& t = body.tree().triangles[triangle];
    const VertexPose& made = body.vertices();
    return {made.vertex(t[0]).at, made.vertex(t[1]).at, made.vertex(t[2]).at};
}

/// For tolerance 0 exact contact; otherwise a distance of at most the tolerance.
inline bool triangles_near(const PosedBody& a, std::uint32_t ta, const PosedBody& b, std::uint32_t tb,
                           double tolerance) {
    if (tolerance <= 0) return triangles_meet(corner_rows(a, ta), corner_rows(b, tb));
    return squared_distance(made_corners(a, ta), made_corners(b, tb)) <= tolerance * tolerance;
}

/// Bit i is set where a box, broadcast to all lanes, overlaps box i of a block.
inline std::uint32_t meeting_boxes(const Interval4 (&own)[3], const BoxBlock& block) {
    std::uint32_t bits = 0;
    for (std::uint32_t group = 0; group < block_size; group += 4) {
        const auto along = [&](int axis) {
            return Interval4{load4(block.low[axis] + group), load4(block.high[axis] + group)};
        };
        const Interval4 four[3]{along(0), along(1), along(2)};
        bits |= meeting_bits(own, four) << group;
    }
    return bits;
}

/// The same for box i of another block.
inline std::uint32_t meeting_boxes(const BoxBlock& own, std::uint32_t i, const BoxBlock& block) {
    const Interval4 box[3]{{all4(own.low[0][i]), all4(own.high[0][i])},
                           {all4(own.low[1][i]), all4(own.high[1][i])},
                           {all4(own.low[2][i]), all4(own.high[2][i])}};
    return meeting_boxes(box, block);
}

/// An outward step from a box that certainly covers the distance `tolerance` around it.
inline Float4 step_out(Float4 low, Float4 high, float tolerance) {
    const Float4 size = max4(absolute(low), absolute(high));
    return (all4(tolerance) + size * all4(0x1p-22f)) * all4(1 + 0x1p-20f);
}

/// Grows the boxes of a block by a tolerance.
inline void grow_boxes(BoxBlock& boxes, double tolerance) {
    for (int axis = 0; axis < 3; ++axis) {
        for (std::uint32_t group = 0; group < block_size; group += 4) {
            const Float4 low = load4(boxes.low[axis] + group), high = load4(boxes.high[axis] + group);
            const Float4 step = step_out(low, high, static_cast<float>(tolerance));
            store4(boxes.low[axis] + group, low - step);
            store4(boxes.high[axis] + group, high + step);
        }
    }
}

/// A box and the distance around it that has to be searched.
struct Region {
    Float4 low, high;

    Region(const Box4& box, double tolerance) : low(load4(box.low.at)), high(load4(box.high.at)) {
        if (tolerance > 0) grow(static_cast<float>(tolerance));
    }
    void grow(float tolerance) {
        const Float4 step = step_out(low, high, tolerance);
        low = low - step;
        high = high + step;
    }
    /// Bit i is set where the region overlaps box i of a block.
    std::uint32_t bits(const BoxBlock& block) const {
        const Interval4 own[3]{{spread4<0>(low), spread4<0>(high)},
                               {spread4<1>(low), spread4<1>(high)},
                               {spread4<2>(low), spread4<2>(high)}};
        return meeting_boxes(own, block);
    }
    /// Largest coordinate difference between points of both.
    float span_with(const Region& other) const {
        return largest3(max4(high, other.high) - min4(low, other.low));
    }
    bool meets(const Box4& box) const {
        return all_at_most(low, load4(box.high.at), load4(box.low.at), high);
    }
};

/// False when the box of a computed leaf certainly does not overlap a sphere.
inline bool leaf_meets(const PosedBody& body, std::uint32_t leaf, const StoredSphere& sphere,
                       double tolerance) {
    const Region region(body.vertices().leaf_box(leaf), tolerance);
    const Float4 center = center_of(sphere);
    const Float4 off = first3(max4(max4(region.low - center, center - region.high), all4(0)));
    constexpr float slack = 16 * 0x1p-24f;
    return !(dot4(off, off) * (1 - slack) > sphere.radius * sphere.radius * (1 + slack));
}

/// Calls `take(ta, tb)` for the pairs of close triangles of two computed leaves; it returns whether to
/// continue. `skip(ta, tb)` excludes pairs.
template <class Take, class Skip>
class LeafSearch {
  public:
    LeafSearch(const PosedBody& a, const PosedBody& b, SearchScratch& scratch, double tolerance,
               const Take& take, const Skip& skip)
        : a_(a), b_(b), scratch_(scratch), tolerance_(tolerance), take_(take), skip_(skip) {}

    /// Blocks that overlap the other leaf, then pairs of them.
    bool run(std::uint32_t leaf_a, std::uint32_t leaf_b) {
        const Region around_b(b_.vertices().leaf_box(leaf_b), tolerance_);
        if (!around_b.meets(a_.vertices().leaf_box(leaf_a))) return true;
        const Node &x = a_.tree().nodes[leaf_a], &y = b_.tree().nodes[leaf_b];
        if (x.triangle_count == 1 && y.triangle_count == 1) return test(x.first_triangle, y.first_triangle);
        gather_blocks(y, Region(a_.vertices().leaf_box(leaf_a), tolerance_));
        for (std::uint32_t k = 0; k < x.block_count(); ++k) {
            const Box4& box = a_.vertices().block_box(x.first_block + k);
            if (around_b.meets(box) && !search_block(x, k, Region(box, tolerance_), y)) return false;
        }
        return true;
    }

  private:
    /// The blocks of leaf b that overlap the region, with their boxes in groups.
    void gather_blocks(const Node& leaf, const Region& region) {
        scratch_.near_blocks.clear();
        for (std::uint32_t k = 0; k < leaf.block_count(); ++k) {
            const Box4& box = b_.vertices().block_box(leaf.first_block + k);
            if (!region.meets(box)) continue;
            const std::size_t slot = scratch_.near_blocks.size();
            if (scratch_.near_boxes.size() <= slot / block_size) scratch_.near_boxes.emplace_back();
            put_box(scratch_.near_boxes[slot / block_size], slot % block_size, box);
            scratch_.near_blocks.push_back(k);
        }
        scratch_.near_made.assign(scratch_.near_blocks.size(), 0);
        if (scratch_.near_triangles.size() < scratch_.near_blocks.size())
            scratch_.near_triangles.resize(scratch_.near_blocks.size());
    }

    static void put_box(BoxBlock& group, std::size_t i, const Box4& box) {
        for (int axis = 0; axis < 3; ++axis) {
            group.low[axis][i] = box.low.at[axis];
            group.high[axis][i] = box.high.at[axis];
        }
    }

    /// Block k of leaf a with the nearby blocks of leaf b.
    bool search_block(const Node& x, std::uint32_t k, const Region& region, const Node& y) {
        bool made = false;
        const std::size_t count = scratch_.near_blocks.size();
        for (std::size_t first = 0; first < count; first += block_size) {
            std::uint32_t near = region.bits(scratch_.near_boxes[first / block_size]);
            if (count - first < block_size) near &= (1u << (count - first)) - 1;
            for (; near != 0; near &= near - 1) {
                if (!made) make_own(x, k);
                made = true;
                const std::size_t slot = first + static_cast<std::size_t>(std::countr_zero(near));
                if (!search_blocks(x, k, region, y, slot)) return false;
            }
        }
        return true;
    }

    void make_own(const Node& x, std::uint32_t k) {
        a_.vertices().fill_block(x, k, own_);
        if (tolerance_ > 0) grow_boxes(own_.boxes, tolerance_);
    }

    /// `slot` is the position of the other block in the list.
    bool search_blocks(const Node& x, std::uint32_t block_a, const Region& region, const Node& y,
                       std::size_t slot) {
        const std::uint32_t block_b = scratch_.near_blocks[slot];
        const Region around_b(b_.vertices().block_box(y.first_block + block_b), 0);
        std::uint32_t near_a = around_b.bits(own_.boxes);
        if (near_a == 0) return true;
        TriangleBlock& other = scratch_.near_triangles[slot];
        if (!scratch_.near_made[slot]) b_.vertices().fill_block(y, block_b, other);
        scratch_.near_made[slot] = 1;
        std::uint32_t near_b = region.bits(other.boxes);
        if (near_b == 0 || !thin_by_slabs(near_a, other, near_b, region.span_with(around_b))) return true;
        for (; near_a != 0; near_a &= near_a - 1) {
            const auto i = static_cast<std::uint32_t>(std::countr_zero(near_a));
            const std::uint32_t near = near_b & meeting_boxes(own_.boxes, i, other.boxes);
            if (near != 0 && !search_triangle(x.first_triangle + block_a * block_size, i, near, other,
                                              y.first_triangle + block_b * block_size))
                return false;
        }
        return true;
    }

    /// Discards triangles outside the other block; false when none are left on one side.
    bool thin_by_slabs(std::uint32_t& near_a, TriangleBlock& other, std::uint32_t& near_b, float reach) {
        const bool several = ((near_a & (near_a - 1)) | (near_b & (near_b - 1))) != 0;
        if (tolerance_ > 0 || !several) return true;
        make_slab(own_);
        near_b &= in_slab(own_, other, reach);
        if (near_b == 0) return false;
        make_slab(other);
        near_a &= in_slab(other, own_, reach);
        return near_a != 0;
    }

    /// Triangle `own` of this block with those of the other that are marked in `near`.
    bool search_triangle(std::uint32_t first_a, std::uint32_t own, std::uint32_t near, TriangleBlock& other,
                         std::uint32_t first_b) {
        const std::uint32_t ta = first_a + own;
        if (tolerance_ > 0 || (near & (near - 1)) == 0) {
            for (; near != 0; near &= near - 1) {
                if (!test(ta, first_b + static_cast<std::uint32_t>(std::countr_zero(near)))) return false;
            }
            return true;
        }
        const CornerRows rows = corner_rows(a_, ta);
        const BlockSides sides_b = RoughPlane(own_, own).sides(other);
        const std::uint32_t left = near & ~sides_b.one_sided();
        const BlockSides sides_a = left != 0 ? sides_over(other, rows) : BlockSides{};
        for (; near != 0; near &= near - 1) {
            const auto i = static_cast<std::uint32_t>(std::countr_zero(near));
            if (skip_(ta, first_b + i)) continue;
            ++scratch_.counts().triangle_tests;
            if ((left & 1u << i) == 0) continue;
            const bool meet =
                triangles_meet(rows, sides_a.of(i), corner_rows(b_, first_b + i), sides_b.of(i));
            if (meet && !take_(ta, first_b + i)) return false;
        }
        return true;
    }

    bool test(std::uint32_t ta, std::uint32_t tb) {
        if (skip_(ta, tb)) return true;
        ++scratch_.counts().triangle_tests;
        return !triangles_near(a_, ta, b_, tb, tolerance_) || take_(ta, tb);
    }

    const PosedBody& a_;
    const PosedBody& b_;
    SearchScratch& scratch_;
    double tolerance_;
    const Take& take_;
    const Skip& skip_;
    TriangleBlock own_;
};

/// As disjoint() of spheres, for stored spheres: true only when they certainly have no common point.
inline bool apart(const StoredSphere& a, const StoredSphere& b, float tolerance) {
    constexpr float slack = 8 * 0x1p-24f;
    const Float4 off = first3(load4(a.center.data()) - load4(b.center.data()));
    const float reach = a.radius + b.radius + tolerance;
    return dot4(off, off) * (1 - slack) > reach * reach * (1 + slack);
}

template <class Take, class Skip>
bool search_leaves(PosedBody& a, std::uint32_t leaf_a, PosedBody& b, std::uint32_t leaf_b,
                   SearchScratch& scratch, double tolerance, const Take& take, const Skip& skip) {
    // Testing the box of one leaf first may avoid computing the vertices of the other.
    const bool b_first = !a.vertices().made(leaf_a) && b.vertices().made(leaf_b);
    const auto make_a = [&] {
        a.need_leaf(leaf_a, scratch.refit);
        return leaf_meets(a, leaf_a, b.sphere(leaf_b, scratch.refit), tolerance);
    };
    const auto make_b = [&] {
        b.need_leaf(leaf_b, scratch.refit);
        return leaf_meets(b, leaf_b, a.sphere(leaf_a, scratch.refit), tolerance);
    };
    if (b_first ? !make_b() || !make_a() : !make_a() || !make_b()) return true;
    return LeafSearch<Take, Skip>(a, b, scratch, tolerance, take, skip).run(leaf_a, leaf_b);
}

/// Pushes a pair unless its spheres are disjoint.
inline void push_if_near(PosedBody& a, std::uint32_t node_a, PosedBody& b, std::uint32_t node_b,
                         SearchScratch& scratch, float tolerance) {
    const StoredSphere &x = a.sphere(node_a, scratch.refit), &y = b.sphere(node_b, scratch.refit);
    ++scratch.counts().sphere_tests;
    if (!apart(x, y, tolerance)) scratch.stack.push_back({node_a, node_b, 0});
}

/// Opens the node with the larger sphere and passes its children with the other node to `push(a, b)`.
template <class Push>
void open_larger(PosedBody& a, PosedBody& b, const NodePair& pair, SearchScratch& scratch, const Push& push) {
    const Node& x = a.tree().nodes[pair.a];
    const Node& y = b.tree().nodes[pair.b];
    const bool into_a = !x.leaf() && (y.leaf() || a.sphere(pair.a, scratch.refit).radius >=
                                                      b.sphere(pair.b, scratch.refit).radius);
    if (into_a) {
        for (std::uint32_t c = 0; c < x.child_count; ++c) push(x.first_child + c, pair.b);
    } else {
        for (std::uint32_t c = 0; c < y.child_count; ++c) push(pair.a, y.first_child + c);
    }
}

inline double overlap_of(const StoredSphere& x, const StoredSphere& y) {
    const Sphere a = x.widen(), b = y.widen();
    return a.radius + b.radius - (a.center - b.center).norm();
}

inline NodePair popped(std::vector<NodePair>& stack) {
    const NodePair pair = stack.back();
    stack.pop_back();
    return pair;
}

inline bool both_leaves(const PosedBody& a, const PosedBody& b, const NodePair& pair) {
    return a.node(pair.a).leaf() && b.node(pair.b).leaf();
}

/// Excludes no pair from a leaf search.
inline constexpr auto never = [](std::uint32_t, std::uint32_t) { return false; };

}  // namespace sinew::collide
