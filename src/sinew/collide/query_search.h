#pragma once
/// \file
/// Steps of the search that queries share. Inside the room only.

#include "sinew/collide/leaf_search.h"

namespace sinew::collide {

/// As disjoint() of balls, for balls as they are kept: true only when they surely share no point.
inline bool apart(const StoredBall& a, const StoredBall& b, float tolerance) {
    constexpr float slack = 8 * 0x1p-24f;
    const Float4 off = (load4(a.center.data()) - load4(b.center.data())) * make4(1, 1, 1, 0);
    const float reach = a.radius + b.radius + tolerance;
    return dot4(off, off) * (1 - slack) > reach * reach * (1 + slack);
}

template <class Take, class Skip>
bool search_leaves(Body& a, std::uint32_t leaf_a, Body& b, std::uint32_t leaf_b, QueryScratch& room,
                   double tolerance, const Take& take, const Skip& skip) {
    // The box of one may spare the other its vertices.
    const bool b_first = !a.leaf_made(leaf_a) && b.leaf_made(leaf_b);
    const auto make_a = [&] {
        a.need_leaf(leaf_a, room.refit);
        return leaf_meets(a, leaf_a, b.kept_ball(leaf_b, room.refit), tolerance);
    };
    const auto make_b = [&] {
        b.need_leaf(leaf_b, room.refit);
        return leaf_meets(b, leaf_b, a.kept_ball(leaf_a, room.refit), tolerance);
    };
    if (b_first ? !make_b() || !make_a() : !make_a() || !make_b()) return true;
    return LeafSearch<Take, Skip>(a, b, room, tolerance, take, skip).run(leaf_a, leaf_b);
}

/// Pushes a pair unless its balls are apart.
inline void push_if_near(Body& a, std::uint32_t node_a, Body& b, std::uint32_t node_b, QueryScratch& room,
                         float tolerance) {
    const StoredBall &x = a.kept_ball(node_a, room.refit), &y = b.kept_ball(node_b, room.refit);
    ++room.counts().ball_tests;
    if (!apart(x, y, tolerance)) room.stack.push_back({node_a, node_b, 0});
}

/// Opens the node with the larger ball and hands its children with the other to `push(a, b)`.
template <class Push>
void open_larger(Body& a, Body& b, const NodePair& pair, QueryScratch& room, const Push& push) {
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
