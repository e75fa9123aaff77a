#pragma once
/// \file
/// Steps of the search that queries share. Inside the room only.

#include <bit>

#include "sinew/collide/body_blend.h"
#include "sinew/collide/query.h"

namespace sinew::collide {

/// Corners of a triangle whose leaf has been made.
inline Corners made_corners(const Body& body, std::uint32_t triangle) {
    const geometry::Triangle& t = body.tree().triangles[triangle];
    return {body.made_vertex(t[0]).point().cast<double>(), body.made_vertex(t[1]).point().cast<double>(),
            body.made_vertex(t[2]).point().cast<double>()};
}

inline CornerRows corner_rows(const Body& body, std::uint32_t triangle) {
    const geometry::Triangle& t = body.tree().triangles[triangle];
    return {body.made_vertex(t[0]).at, body.made_vertex(t[1]).at, body.made_vertex(t[2]).at};
}

/// Touching for tolerance 0, exactly; otherwise no farther apart than it.
inline bool triangles_near(const Body& a, std::uint32_t ta, const Body& b, std::uint32_t tb,
                           double tolerance) {
    if (tolerance <= 0) return triangles_meet(corner_rows(a, ta), corner_rows(b, tb));
    return squared_distance(made_corners(a, ta), made_corners(b, tb)) <= tolerance * tolerance;
}

/// As disjoint() of balls, for balls as they are kept: true only when they surely share no point.
inline bool apart(const StoredBall& a, const StoredBall& b, float tolerance) {
    constexpr float slack = 8 * 0x1p-24f;
    const Float4 off = (load4(a.center.data()) - load4(b.center.data())) * make4(1, 1, 1, 0);
    const float reach = a.radius + b.radius + tolerance;
    return dot4(off, off) * (1 - slack) > reach * reach * (1 + slack);
}

/// A tolerance for `apart` that is not below the one given.
inline float rounded_up(double tolerance) {
    return static_cast<float>(tolerance) * (1 + 0x1p-22f);
}

/// A box and how far around it something may be.
struct Region {
    Float4 low, high;

    /// Box i of a block.
    Region(const BoxBlock& block, std::uint32_t i, double tolerance)
        : low(make4(block.low[0][i], block.low[1][i], block.low[2][i], 0)),
          high(make4(block.high[0][i], block.high[1][i], block.high[2][i], 0)) {
        if (tolerance > 0) grow(static_cast<float>(tolerance));
    }
    Region(const Box4& box, double tolerance) : low(load4(box.low.at)), high(load4(box.high.at)) {
        if (tolerance > 0) grow(static_cast<float>(tolerance));
    }
    void grow(float tolerance) {
        const Float4 size = max4(max4(low, high), max4(all4(0) - low, all4(0) - high));
        const Float4 step = (all4(tolerance) + size * all4(0x1p-22f)) * all4(1 + 0x1p-20f);
        low = low - step;
        high = high + step;
    }
    /// Bit i is set where the region meets box i of a block.
    std::uint32_t bits(const BoxBlock& block) const {
        const Interval4 own[3]{{spread4<0>(low), spread4<0>(high)},
                               {spread4<1>(low), spread4<1>(high)},
                               {spread4<2>(low), spread4<2>(high)}};
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
    bool meets(const Box4& box) const {
        return all_at_most(low, load4(box.high.at), load4(box.low.at), high);
    }
};

/// Calls `take(ta, tb)` for the pairs of triangles of two made leaves that are near; it says whether to go
/// on. `skip(ta, tb)` leaves pairs out.
template <class Take, class Skip>
class LeafSearch {
  public:
    LeafSearch(const Body& a, const Body& b, QueryRoom& room, double tolerance, const Take& take,
               const Skip& skip)
        : a_(a), b_(b), room_(room), tolerance_(tolerance), take_(take), skip_(skip) {}

    /// Blocks that meet the other leaf, then pairs of them.
    bool run(std::uint32_t leaf_a, std::uint32_t leaf_b) {
        const Region around_b(b_.leaf_box(leaf_b), tolerance_);
        if (!around_b.meets(a_.leaf_box(leaf_a))) return true;
        const Node &x = a_.tree().nodes[leaf_a], &y = b_.tree().nodes[leaf_b];
        gather_blocks(b_, y, Region(a_.leaf_box(leaf_a), tolerance_));
        for (std::uint32_t k = 0; k < x.block_count(); ++k) {
            const Box4& box = a_.block_box(x.first_block + k);
            if (!around_b.meets(box)) continue;
            const Region region(box, tolerance_);
            bool made = false;
            for (std::size_t i = 0; i < room_.near_blocks.size(); ++i) {
                if (!region.meets(b_.block_box(y.first_block + room_.near_blocks[i]))) continue;
                if (!made) boxes_a_ = a_.triangle_boxes(x, k);
                made = true;
                if (!search_blocks(x, k, y, i)) return false;
            }
        }
        return true;
    }

  private:
    void gather_blocks(const Body& body, const Node& leaf, const Region& region) {
        room_.near_blocks.clear();
        for (std::uint32_t k = 0; k < leaf.block_count(); ++k) {
            if (region.meets(body.block_box(leaf.first_block + k))) room_.near_blocks.push_back(k);
        }
        room_.near_made.assign(room_.near_blocks.size(), 0);
        if (room_.near_boxes.size() < room_.near_blocks.size())
            room_.near_boxes.resize(room_.near_blocks.size());
    }

    /// `place` is that of the other block in the list.
    bool search_blocks(const Node& x, std::uint32_t block_a, const Node& y, std::size_t place) {
        const std::uint32_t block_b = room_.near_blocks[place];
        const std::uint32_t at_a = x.first_block + block_a, at_b = y.first_block + block_b;
        std::uint32_t near_a = Region(b_.block_box(at_b), tolerance_).bits(boxes_a_);
        if (near_a == 0) return true;
        if (!room_.near_made[place]) room_.near_boxes[place] = b_.triangle_boxes(y, block_b);
        room_.near_made[place] = 1;
        const BoxBlock& boxes_b = room_.near_boxes[place];
        const std::uint32_t near_b = Region(a_.block_box(at_a), tolerance_).bits(boxes_b);
        if (near_b == 0) return true;
        const std::uint32_t first_a = x.first_triangle + block_a * block_size,
                            first_b = y.first_triangle + block_b * block_size;
        for (; near_a != 0; near_a &= near_a - 1) {
            const auto i = static_cast<std::uint32_t>(std::countr_zero(near_a));
            std::uint32_t near = near_b & Region(boxes_a_, i, tolerance_).bits(boxes_b);
            for (; near != 0; near &= near - 1) {
                const std::uint32_t ta = first_a + i,
                                    tb = first_b + static_cast<std::uint32_t>(std::countr_zero(near));
                if (skip_(ta, tb)) continue;
                ++room_.counts().triangle_tests;
                if (triangles_near(a_, ta, b_, tb, tolerance_) && !take_(ta, tb)) return false;
            }
        }
        return true;
    }

    const Body& a_;
    const Body& b_;
    QueryRoom& room_;
    double tolerance_;
    const Take& take_;
    const Skip& skip_;
    BoxBlock boxes_a_;
};

template <class Take, class Skip>
bool search_leaves(Body& a, std::uint32_t leaf_a, Body& b, std::uint32_t leaf_b, QueryRoom& room,
                   double tolerance, const Take& take, const Skip& skip) {
    a.need_leaf(leaf_a, room.refit);
    b.need_leaf(leaf_b, room.refit);
    return LeafSearch<Take, Skip>(a, b, room, tolerance, take, skip).run(leaf_a, leaf_b);
}

/// Pushes a pair unless its balls are apart.
inline void push_if_near(Body& a, std::uint32_t node_a, Body& b, std::uint32_t node_b, QueryRoom& room,
                         float tolerance) {
    const StoredBall &x = a.kept_ball(node_a, room.refit), &y = b.kept_ball(node_b, room.refit);
    ++room.counts().ball_tests;
    if (!apart(x, y, tolerance)) room.stack.push_back({node_a, node_b, 0});
}

/// Opens the node with the larger ball and hands its children with the other to `push(a, b)`.
template <class Push>
void open_larger(Body& a, Body& b, const NodePair& pair, QueryRoom& room, const Push& push) {
    const Node& x = a.tree().nodes[pair.a];
    const Node& y = b.tree().nodes[pair.b];
    const bool into_a = !x.leaf() && (y.leaf() || a.kept_ball(pair.a, room.refit).radius >=
                                                      b.kept_ball(pair.b, room.refit).radius);
    if (into_a) {
        for (std::uint32_t c = 0; c < x.child_count; ++c) push(x.first_child + c, pair.b);
    } else {
        for (std::uint32_t c = 0; c < y.child_count; ++c) push(pair.a, y.first_child + c);
    }
}

}  // namespace sinew::collide
