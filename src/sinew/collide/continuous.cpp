#include "sinew/collide/continuous.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/collide/query_search.h"

namespace sinew::collide {
namespace {

Ball blend(const Ball& a, const Ball& b, double time) {
    return {(1 - time) * a.center + time * b.center, (1 - time) * a.radius + time * b.radius};
}

Corners blend(const Corners& a, const Corners& b, double time) {
    Corners result;
    for (std::size_t i = 0; i < 3; ++i) result[i] = (1 - time) * a[i] + time * b[i];
    return result;
}

/// Best-first by the time at which the balls of a pair first meet.
class TouchSearch {
  public:
    TouchSearch(const Motion& a, const Motion& b, QueryRoom& room, double tolerance)
        : a_(a), b_(b), room_(room), tolerance_(tolerance) {}

    FirstTouch run() {
        room_.stack.clear();
        if (!a_.start->tree().nodes.empty() && !b_.start->tree().nodes.empty()) push(0, 0);
        while (!room_.stack.empty()) {
            std::pop_heap(room_.stack.begin(), room_.stack.end(), later);
            const NodePair pair = room_.stack.back();
            room_.stack.pop_back();
            if (best_.touching && -pair.overlap > best_.time) break;
            const Node &x = a_.start->tree().nodes[pair.a], &y = b_.start->tree().nodes[pair.b];
            if (x.leaf() && y.leaf()) {
                for (Body* body : {a_.start, a_.end}) body->need_leaf(pair.a, room_.refit);
                for (Body* body : {b_.start, b_.end}) body->need_leaf(pair.b, room_.refit);
                test(x, y);
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
        a0.radius += tolerance_;
        a1.radius += tolerance_;
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

    void test(const Node& x, const Node& y) {
        for (std::uint32_t i = 0; i < x.block_count(); ++i) {
            const Region region(swept(a_, x.first_block + i), tolerance_);
            for (std::uint32_t k = 0; k < y.block_count(); ++k) {
                if (region.meets(swept(b_, y.first_block + k))) test_blocks(x, i, y, k);
            }
        }
    }

    void test_blocks(const Node& x, std::uint32_t block_a, const Node& y, std::uint32_t block_b) {
        const auto run = [](const Node& leaf, std::uint32_t block) {
            const std::uint32_t first = leaf.first_triangle + block * block_size;
            return std::pair(first, std::min(first + block_size, leaf.first_triangle + leaf.triangle_count));
        };
        const auto [first_a, end_a] = run(x, block_a);
        const auto [first_b, end_b] = run(y, block_b);
        for (std::uint32_t i = first_a; i < end_a; ++i) {
            const Corners a0 = made_corners(*a_.start, i), a1 = made_corners(*a_.end, i);
            for (std::uint32_t k = first_b; k < end_b; ++k) {
                ++room_.counts().triangle_tests;
                take(first_touch(a0, a1, made_corners(*b_.start, k), made_corners(*b_.end, k), best_.time,
                                 tolerance_),
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
    QueryRoom& room_;
    double tolerance_;
    FirstTouch best_;
};

/// Do boxes around whole paths, grown by the tolerance, meet?
bool paths_meet(const Corners& a0, const Corners& a1, const Corners& b0, const Corners& b1,
                double tolerance) {
    Vec3d low[2]{a0[0], b0[0]}, high[2]{a0[0], b0[0]};
    for (std::size_t i = 0; i < 3; ++i) {
        low[0] = low[0].cwiseMin(a0[i]).cwiseMin(a1[i]);
        high[0] = high[0].cwiseMax(a0[i]).cwiseMax(a1[i]);
        low[1] = low[1].cwiseMin(b0[i]).cwiseMin(b1[i]);
        high[1] = high[1].cwiseMax(b0[i]).cwiseMax(b1[i]);
    }
    return (low[0].array() <= high[1].array() + tolerance).all() &&
           (low[1].array() <= high[0].array() + tolerance).all();
}

}  // namespace

Ball ball_at(const Motion& motion, std::uint32_t node, double time, RefitRoom& room) {
    const Ball a = motion.start->ball(node, room), b = motion.end->ball(node, room);
    if (!a.bounded() || !b.bounded()) return unbounded();
    return blend(a, b, time);
}

/// (|D1|^2 - s1^2) t^2 + 2 (<D0, D1> - s0 s1) t + |D0|^2 - s0^2 <= 0 with D the difference of the centres and
/// s the sum of the radii, slightly grown against rounding.
std::optional<double> first_overlap(const Ball& a0, const Ball& a1, const Ball& b0, const Ball& b1,
                                    double latest) {
    if (!a0.bounded() || !a1.bounded() || !b0.bounded() || !b1.bounded()) return 0.0;
    const Vec3d from = a0.center - b0.center, change = (a1.center - b1.center) - from;
    const double size = from.norm() + change.norm();
    const double grown = 1e-12 * size, reach = a0.radius + b0.radius + grown,
                 grows = a1.radius + b1.radius + grown - reach;
    const double c = from.squaredNorm() - reach * reach;
    if (!(c > 0)) return 0.0;
    const double a = change.squaredNorm() - grows * grows, b = from.dot(change) - reach * grows;
    const double discriminant = b * b - a * c;
    // c > 0: for a > 0 the first root is the smaller one if it lies ahead; for a < 0 the positive one.
    if (discriminant < 0 || (a > 0 && b >= 0)) return std::nullopt;
    const double time = c / (-b + std::sqrt(discriminant));
    if (!(time >= 0) || time > latest) return std::nullopt;
    return std::max(0.0, time * (1 - 1e-9));
}

/// Conservative advancement: no two points come closer faster than the fastest pair of corners.
std::optional<double> first_touch(const Corners& a0, const Corners& a1, const Corners& b0, const Corners& b1,
                                  double latest, double tolerance) {
    if (!paths_meet(a0, a1, b0, b1, tolerance)) return std::nullopt;
    double speed = 0;
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t k = 0; k < 3; ++k)
            speed = std::max(speed, ((a1[i] - a0[i]) - (b1[k] - b0[k])).norm());
    }
    double time = 0;
    while (true) {
        const double distance = std::sqrt(squared_distance(blend(a0, a1, time), blend(b0, b1, time)));
        if (distance <= tolerance) return time;
        if (!(speed > 0) || time >= latest) return std::nullopt;
        time += std::max(distance - tolerance / 2, tolerance / 2) / speed;
        time = std::min(time, latest);
    }
}

FirstTouch find_first_touch(const Motion& a, const Motion& b, QueryRoom& room, double tolerance) {
    if (&a.start->tree() != &a.end->tree() || &b.start->tree() != &b.end->tree())
        fail("collide", "start and end of a motion have different trees");
    if (!(tolerance > 0))
        fail("collide", "the tolerance of a first touch must be positive, not {}", tolerance);
    return TouchSearch(a, b, room, tolerance).run();
}

}  // namespace sinew::collide
