// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// The search for the first contact of two bodies, each between two poses.

#include <algorithm>
#include <cmath>
#include <optional>

#include "sinew/collide/query/leaf_search.h"

namespace sinew::collide {

/// A body at the start and at the end of a step.
struct PosedMotion {
    PosedBody* start = nullptr;
    PosedBody* end = nullptr;
};

/// First time from 0 to `latest` at which two spheres touch whose centres and radii change linearly. A convex
/// combination of spheres is a sphere that contains the vertices of a node that move along straight lines.
std::optional<double> first_overlap(const Sphere& a0, const Sphere& a1, const Sphere& b0, const Sphere& b1,
                                    double latest);

/// The first contact of one pair of triangles; empty when they stay farther apart than the tolerance.
std::optional<double> first_touch(const Corners& a0, const Corners& a1, const Corners& b0, const Corners& b1,
                                  double latest, double tolerance);

/// Upper bound of the speed at which two points of the triangles approach each other, when corners move along
/// straight lines from time 0 to 1.
inline double fastest(const Corners& a0, const Corners& a1, const Corners& b0, const Corners& b1) {
    double speed = 0;
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t k = 0; k < 3; ++k)
            speed = std::max(speed, ((a1[i] - a0[i]) - (b1[k] - b0[k])).norm());
    }
    return speed;
}

/// Conservative advancement from a start time: `a(t)` and `b(t)` give the corners, which approach each other
/// at most with `speed`.
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

/// Best-first search by the time at which the spheres of a pair first touch. `Pair` defines how vertices
/// move: `reach(n, m)` is the distance of the straight paths of two nodes up to which they matter, and
/// `touch(nodes, i, k, latest)` is the time at which triangle i of one leaf meets triangle k of the other.
template <class Pair>
class TouchSearch {
  public:
    TouchSearch(const PosedMotion& a, const PosedMotion& b, SearchScratch& scratch, Pair& pair)
        : a_(a), b_(b), scratch_(scratch), pair_(pair) {}

    FirstTouch run() {
        scratch_.stack.clear();
        if (!a_.start->tree().nodes.empty() && !b_.start->tree().nodes.empty()) push(0, 0);
        while (!scratch_.stack.empty()) {
            std::pop_heap(scratch_.stack.begin(), scratch_.stack.end(), later);
            const NodePair pair = scratch_.stack.back();
            scratch_.stack.pop_back();
            if (best_.touching && (best_.time <= 0 || -pair.overlap > best_.time)) break;
            const Node &x = a_.start->tree().nodes[pair.a], &y = b_.start->tree().nodes[pair.b];
            if (x.leaf() && y.leaf()) {
                for (PosedBody* body : {a_.start, a_.end}) body->need_leaf(pair.a, scratch_.refit);
                for (PosedBody* body : {b_.start, b_.end}) body->need_leaf(pair.b, scratch_.refit);
                test(pair);
            } else {
                open_larger(*a_.start, *b_.start, pair, scratch_,
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
        ++scratch_.counts().sphere_tests;
        Sphere a0 = a_.start->sphere(n, scratch_.refit).widen(),
               a1 = a_.end->sphere(n, scratch_.refit).widen();
        const Sphere b0 = b_.start->sphere(m, scratch_.refit).widen(),
                     b1 = b_.end->sphere(m, scratch_.refit).widen();
        const double reach = pair_.reach(n, m);
        a0.radius += reach;
        a1.radius += reach;
        const auto time = first_overlap(a0, a1, b0, b1, best_.time);
        if (!time) return;
        scratch_.stack.push_back({n, m, -*time});
        std::push_heap(scratch_.stack.begin(), scratch_.stack.end(), later);
    }

    /// Bounding box of a block during its motion.
    static Box4 swept(const PosedMotion& motion, std::uint32_t block) {
        Box4 box = motion.start->vertices().block_box(block);
        const Box4& end = motion.end->vertices().block_box(block);
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
                ++scratch_.counts().triangle_tests;
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

    const PosedMotion& a_;
    const PosedMotion& b_;
    SearchScratch& scratch_;
    Pair& pair_;
    FirstTouch best_;
};

}  // namespace sinew::collide
