#pragma once
/// \file
/// Steps of the search that queries share. Inside the room only.

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

    Region(const Box4& box, double tolerance) : low(load4(box.low.at)), high(load4(box.high.at)) {
        if (tolerance > 0) grow(static_cast<float>(tolerance));
    }
    void grow(float tolerance) {
        const Float4 size = max4(max4(low, high), max4(all4(0) - low, all4(0) - high));
        const Float4 step = (all4(tolerance) + size * all4(0x1p-22f)) * all4(1 + 0x1p-20f);
        low = low - step;
        high = high + step;
    }
    bool meets(const Box4& box) const {
        return all_at_most(low, load4(box.high.at), load4(box.low.at), high);
    }
    void include(const Box4& box) {
        low = min4(low, load4(box.low.at));
        high = max4(high, load4(box.high.at));
    }
};

/// Triangles of a leaf whose boxes meet a region.
inline void gather(const Body& body, const Node& leaf, const Region& region,
                   std::vector<std::uint32_t>& out) {
    out.clear();
    for (std::uint32_t t = leaf.first_triangle; t < leaf.first_triangle + leaf.triangle_count; ++t) {
        if (region.meets(body.triangle_box(t))) out.push_back(t);
    }
}

/// Calls `take(ta, tb)` for the pairs of triangles of two made leaves that are near; it says whether to go
/// on. `skip(ta, tb)` leaves pairs out.
template <class Take, class Skip>
bool search_leaves(const Body& a, std::uint32_t leaf_a, const Body& b, std::uint32_t leaf_b, QueryRoom& room,
                   double tolerance, const Take& take, const Skip& skip) {
    const Region around_b(b.leaf_box(leaf_b), tolerance);
    if (!around_b.meets(a.leaf_box(leaf_a))) return true;
    gather(a, a.tree().nodes[leaf_a], around_b, room.near_a);
    if (room.near_a.empty()) return true;
    Region around_a(a.triangle_box(room.near_a[0]), 0);
    for (const std::uint32_t t : room.near_a) around_a.include(a.triangle_box(t));
    if (tolerance > 0) around_a.grow(static_cast<float>(tolerance));
    gather(b, b.tree().nodes[leaf_b], around_a, room.near_b);
    for (const std::uint32_t ta : room.near_a) {
        const Region region(a.triangle_box(ta), tolerance);
        for (const std::uint32_t tb : room.near_b) {
            if (!region.meets(b.triangle_box(tb)) || skip(ta, tb)) continue;
            ++room.counts().triangle_tests;
            if (!triangles_near(a, ta, b, tb, tolerance)) continue;
            if (!take(ta, tb)) return false;
        }
    }
    return true;
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
