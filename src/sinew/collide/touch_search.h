#pragma once
/// \file
/// The search for the first touch of two bodies between two poses each. Inside the room only.

#include <algorithm>
#include <cmath>
#include <optional>

#include "sinew/collide/query.h"
#include "sinew/collide/query_search.h"

namespace sinew::collide {

/// No two points of two triangles come closer faster than this, when corners move along straight lines from
/// time 0 to 1.
inline double fastest(const Corners& a0, const Corners& a1, const Corners& b0, const Corners& b1) {
    double speed = 0;
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t k = 0; k < 3; ++k)
            speed = std::max(speed, ((a1[i] - a0[i]) - (b1[k] - b0[k])).norm());
    }
    return speed;
}

/// Conservative advancement from a time on: `a(t)` and `b(t)` give the corners, which come closer no faster
/// than `speed`.
template <class A, class B>
std::optional<double> advance(double time, double latest, double speed, double tolerance, const A& a,
                              const B& b) {
    while (true) {
        const double distance = std::sqrt(squared_distance(a(time), b(time)));
        if (distance <= tolerance) return time;
        if (!(speed > 0) || time >= latest) return std::nullopt;
        time += std::max(distance - tolerance / 2, tolerance / 2) / speed;
        time = std::min(time, latest);
    }
}

/// Best-first by the time at which the balls of a pair first meet. `Pair` knows how the vertices move:
/// `reach(n, m)` is how near the straight paths of two nodes must come to matter, and `touch(nodes, i, k,
/// latest)` gives the time at which triangle i of one leaf meets triangle k of the other.
template <class Pair>
class TouchSearch {
  public:
    TouchSearch(const Motion& a, const Motion& b, QueryScratch& room, Pair& pair)
        : a_(a), b_(b), room_(room), pair_(pair) {}

    FirstTouch run() {
        room_.stack.clear();
        if (!a_.start->tree().nodes.empty() && !b_.start->tree().nodes.empty()) push(0, 0);
        while (!room_.stack.empty()) {
            std::pop_heap(room_.stack.begin(), room_.stack.end(), later);
            const NodePair pair = room_.stack.back();
            room_.stack.pop_back();
            if (best_.touching && (best_.time <= 0 || -pair.overlap > best_.time)) break;
            const Node &x = a_.start->tree().nodes[pair.a], &y = b_.start->tree().nodes[pair.b];
            if (x.leaf() && y.leaf()) {
                for (Body* body : {a_.start, a_.end}) body->need_leaf(pair.a, room_.refit);
                for (Body* body : {b_.start, b_.end}) body->need_leaf(pair.b, room_.refit);
                test(pair);
            } else {
                open_larger(*a_.start, *b_.start, pair, room_,
                            [&](std::uint32_t n, std::uint32_t m) { push(n, m); });
            }
        }
        return best_;
    }

  private:
    static bool later(const NodePair& x, const NodePair& y) {
        if (x.overlap != y.overlap) return x.overlap < y.overlap;
        return std::pair(x.a, x.b) > std::pair(y.a, y.b);
    }

    void push(std::uint32_t n, std::uint32_t m) {
        ++room_.counts().ball_tests;
        Ball a0 = a_.start->ball(n, room_.refit), a1 = a_.end->ball(n, room_.refit);
        const Ball b0 = b_.start->ball(m, room_.refit), b1 = b_.end->ball(m, room_.refit);
        const double reach = pair_.reach(n, m);
        a0.radius += reach;
        a1.radius += reach;
        const auto time = first_overlap(a0, a1, b0, b1, best_.time);
        if (!time) return;
        room_.stack.push_back({n, m, -*time});
        std::push_heap(room_.stack.begin(), room_.stack.end(), later);
    }

    /// Box around a block on its way.
    static Box4 swept(const Motion& motion, std::uint32_t block) {
        Box4 box = motion.start->block_box(block);
        const Box4& end = motion.end->block_box(block);
        for (int k = 0; k < 3; ++k) {
            box.low.at[k] = std::min(box.low.at[k], end.low.at[k]);
            box.high.at[k] = std::max(box.high.at[k], end.high.at[k]);
        }
        return box;
    }

    void test(const NodePair& pair) {
        const Node &x = a_.start->tree().nodes[pair.a], &y = b_.start->tree().nodes[pair.b];
        const double reach = pair_.reach(pair.a, pair.b);
        for (std::uint32_t i = 0; i < x.block_count(); ++i) {
            const Region region(swept(a_, x.first_block + i), reach);
            for (std::uint32_t k = 0; k < y.block_count() && best_.time > 0; ++k) {
                if (region.meets(swept(b_, y.first_block + k))) test_blocks(pair, i, k);
            }
        }
    }

    void test_blocks(const NodePair& pair, std::uint32_t block_a, std::uint32_t block_b) {
        const auto run = [](const Node& leaf, std::uint32_t block) {
            const std::uint32_t first = leaf.first_triangle + block * block_size;
            return std::pair(first, std::min(first + block_size, leaf.first_triangle + leaf.triangle_count));
        };
        const auto [first_a, end_a] = run(a_.start->tree().nodes[pair.a], block_a);
        const auto [first_b, end_b] = run(b_.start->tree().nodes[pair.b], block_b);
        for (std::uint32_t i = first_a; i < end_a; ++i) {
            for (std::uint32_t k = first_b; k < end_b; ++k) {
                ++room_.counts().triangle_tests;
                take(pair_.touch(pair, i, k, best_.time),
                     {a_.start->tree().triangle_ids[i], b_.start->tree().triangle_ids[k]});
            }
        }
    }

    void take(const std::optional<double>& time, const Contact& pair) {
        if (!time) return;
        if (!best_.touching || *time < best_.time || (*time == best_.time && pair < best_.pair))
            best_ = {true, *time, pair};
    }

    const Motion& a_;
    const Motion& b_;
    QueryScratch& room_;
    Pair& pair_;
    FirstTouch best_;
};

}  // namespace sinew::collide
