#include "sinew/collide/query.h"

#include <algorithm>
#include <cmath>

#include "sinew/collide/query_search.h"

namespace sinew::collide {

bool triangles_near(const Corners& a, const Corners& b, double tolerance) {
    if (tolerance <= 0) return triangles_meet(a, b);
    return squared_distance(a, b) <= tolerance * tolerance;
}

void load_triangles(Body& body, const Node& leaf, QueryRoom& room) {
    room.triangles.clear();
    for (std::uint32_t t = 0; t < leaf.triangle_count; ++t)
        room.triangles.push_back(body.corners(leaf.first_triangle + t, room.refit));
}

void push_if_overlapping(Body& a, std::uint32_t node_a, Body& b, std::uint32_t node_b, QueryRoom& room,
                         double tolerance) {
    const Ball x = a.ball(node_a, room.refit), y = b.ball(node_b, room.refit);
    ++room.counts().ball_tests;
    if (disjoint(x, y, tolerance)) return;
    room.stack.push_back({node_a, node_b, x.radius + y.radius - (x.center - y.center).norm()});
}

void push_children(Body& a, Body& b, const NodePair& pair, QueryRoom& room, double tolerance) {
    const Node& x = a.tree().nodes[pair.a];
    const Node& y = b.tree().nodes[pair.b];
    const bool into_a =
        !x.leaf() && (y.leaf() || a.ball(pair.a, room.refit).radius >= b.ball(pair.b, room.refit).radius);
    const Node& opened = into_a ? x : y;
    for (std::uint32_t c = 0; c < opened.child_count; ++c) {
        const std::uint32_t child = opened.first_child + c;
        push_if_overlapping(a, into_a ? child : pair.a, b, into_a ? pair.b : child, room, tolerance);
    }
}

void push_roots(Body& a, Body& b, QueryRoom& room, double tolerance) {
    room.stack.clear();
    if (!a.tree().nodes.empty() && !b.tree().nodes.empty()) push_if_overlapping(a, 0, b, 0, room, tolerance);
}

namespace {

/// Takes the last pair of the stack and opens it: its triangles go to `take(ta, tb)`, which says whether to
/// go on; anything else is pushed.
template <class Take>
bool open_last(Body& a, Body& b, QueryRoom& room, double tolerance, const Take& take) {
    const NodePair pair = room.stack.back();
    room.stack.pop_back();
    const Node& x = a.tree().nodes[pair.a];
    const Node& y = b.tree().nodes[pair.b];
    if (!x.leaf() || !y.leaf()) {
        push_children(a, b, pair, room, tolerance);
        return true;
    }
    load_triangles(b, y, room);
    for (std::uint32_t i = 0; i < x.triangle_count; ++i) {
        const Corners corners = a.corners(x.first_triangle + i, room.refit);
        for (std::uint32_t k = 0; k < y.triangle_count; ++k) {
            ++room.counts().triangle_tests;
            if (!triangles_near(corners, room.triangles[k], tolerance)) continue;
            if (!take(x.first_triangle + i, y.first_triangle + k)) return false;
        }
    }
    return true;
}

}  // namespace

bool touching(Body& a, Body& b, QueryRoom& room, double tolerance) {
    push_roots(a, b, room, tolerance);
    while (!room.stack.empty()) {
        const std::size_t before = room.stack.size() - 1;
        const auto stop = [](std::uint32_t, std::uint32_t) { return false; };
        if (!open_last(a, b, room, tolerance, stop)) {
            ++room.counts().contacts;
            return true;
        }
        // The deepest overlap of the new pairs comes out first.
        const auto pushed = room.stack.begin() + static_cast<std::ptrdiff_t>(before);
        std::sort(pushed, room.stack.end(),
                  [](const NodePair& x, const NodePair& y) { return x.overlap < y.overlap; });
    }
    return false;
}

void find_contacts(Body& a, Body& b, std::vector<Contact>& out, QueryRoom& room, double tolerance) {
    out.clear();
    push_roots(a, b, room, tolerance);
    const auto keep = [&](std::uint32_t ta, std::uint32_t tb) {
        out.push_back({a.tree().triangle_ids[ta], b.tree().triangle_ids[tb]});
        return true;
    };
    while (!room.stack.empty()) open_last(a, b, room, tolerance, keep);
    std::ranges::sort(out);
    room.counts().contacts += out.size();
}

std::vector<Contact> brute_force_contacts(Body& a, Body& b, double tolerance) {
    QueryRoom room;
    std::vector<Contact> out;
    Node all;
    all.triangle_count = static_cast<std::uint32_t>(b.tree().triangles.size());
    load_triangles(b, all, room);
    const auto box = [](const Corners& t) {
        return std::pair<Vec3d, Vec3d>(t[0].cwiseMin(t[1]).cwiseMin(t[2]),
                                       t[0].cwiseMax(t[1]).cwiseMax(t[2]));
    };
    std::vector<std::pair<Vec3d, Vec3d>> boxes;
    for (const Corners& t : room.triangles) boxes.push_back(box(t));
    for (std::uint32_t i = 0; i < a.tree().triangles.size(); ++i) {
        const Corners corners = a.corners(i, room.refit);
        const auto [low, high] = box(corners);
        for (std::uint32_t k = 0; k < boxes.size(); ++k) {
            if (((low.array() - tolerance) > boxes[k].second.array()).any() ||
                (boxes[k].first.array() > (high.array() + tolerance)).any()) {
                continue;
            }
            const bool near = tolerance > 0
                                  ? squared_distance(corners, room.triangles[k]) <= tolerance * tolerance
                                  : triangles_meet_reference(corners, room.triangles[k]);
            if (near) out.push_back({a.tree().triangle_ids[i], b.tree().triangle_ids[k]});
        }
    }
    std::ranges::sort(out);
    return out;
}

Nearest find_nearest(Body& a, Body& b, QueryRoom& room) {
    Nearest best{std::numeric_limits<double>::infinity(), {}};
    push_roots(a, b, room, std::numeric_limits<double>::infinity());
    const auto nearer = [](const NodePair& x, const NodePair& y) { return x.overlap < y.overlap; };
    while (!room.stack.empty()) {
        // The pair with the least gap comes out; gaps only grow below, so the first too wide ends the search.
        std::pop_heap(room.stack.begin(), room.stack.end(), nearer);
        if (-room.stack.back().overlap * (1 - 1e-12) > best.distance || best.distance == 0) break;
        const NodePair pair = room.stack.back();
        room.stack.pop_back();
        const Node& x = a.tree().nodes[pair.a];
        const Node& y = b.tree().nodes[pair.b];
        if (!x.leaf() || !y.leaf()) {
            const std::size_t before = room.stack.size();
            push_children(a, b, pair, room, best.distance);
            for (std::size_t k = before; k < room.stack.size(); ++k)
                std::push_heap(room.stack.begin(), room.stack.begin() + static_cast<std::ptrdiff_t>(k) + 1,
                               nearer);
            continue;
        }
        load_triangles(b, y, room);
        for (std::uint32_t i = 0; i < x.triangle_count; ++i) {
            const Corners corners = a.corners(x.first_triangle + i, room.refit);
            for (std::uint32_t k = 0; k < y.triangle_count; ++k) {
                ++room.counts().triangle_tests;
                const double distance = std::sqrt(squared_distance(corners, room.triangles[k]));
                const Contact contact{a.tree().triangle_ids[x.first_triangle + i],
                                      b.tree().triangle_ids[y.first_triangle + k]};
                if (distance < best.distance || (distance == best.distance && contact < best.pair))
                    best = {distance, contact};
            }
        }
    }
    return best;
}

}  // namespace sinew::collide
