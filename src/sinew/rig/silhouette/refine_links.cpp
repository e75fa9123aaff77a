// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "sinew/base/array.h"
#include "sinew/rig/silhouette/refine.h"

namespace sinew::rig {

namespace {

using Branch = MedialGraph::Branch;

/// A path outside the body counts as a jump from this many radii on.
constexpr double leap = 0.5;
/// And costs this factor more than a path through the body.
constexpr double air = 4;

bool leaps(const Body& body, const CurveNode& a, const CurveNode& b) {
    const double allowed = leap * std::min(a.radius, b.radius);
    if ((a.position - b.position).norm() <= std::max(allowed, 1e-9 * body.diagonal())) return false;
    return length_outside(body, a.position, b.position) > std::max(allowed, 0.005 * body.diagonal());
}

/// Pieces of the graph: a number per branch.
std::vector<int> pieces_of(const MedialGraph& graph) {
    std::vector<int> leader(graph.branches.size());
    std::iota(leader.begin(), leader.end(), 0);
    const auto find = [&](int b) {
        while (leader[at(b)] != b) b = leader[at(b)];
        return b;
    };
    std::vector<int> first(graph.junctions.size(), -1);
    for (std::size_t b = 0; b < graph.branches.size(); ++b) {
        for (const int end : graph.branches[b].ends) {
            if (end < 0) continue;
            int& owner = first[at(end)];
            if (owner < 0) owner = static_cast<int>(b);
            const int x = find(owner), y = find(static_cast<int>(b));
            leader[at(std::max(x, y))] = std::min(x, y);
        }
    }
    for (std::size_t b = 0; b < leader.size(); ++b) leader[b] = find(static_cast<int>(b));
    return leader;
}

void reverse(Branch& branch) {
    std::ranges::reverse(branch.nodes);
    std::swap(branch.ends[0], branch.ends[1]);
}

/// The two parts of a branch before and from a node on.
void cut_before(MedialGraph& graph, std::size_t b, std::size_t node) {
    Branch tail;
    Branch& head = graph.branches[b];
    tail.hidden = head.hidden;
    tail.nodes.assign(head.nodes.begin() + static_cast<std::ptrdiff_t>(node), head.nodes.end());
    tail.ends = {-1, head.ends[1]};
    head.nodes.resize(node);
    head.ends[1] = -1;
    graph.branches.push_back(std::move(tail));
}

/// A junction at a node of a branch, to which another can be joined; at an end, its junction if there is one.
int junction_at(MedialGraph& graph, std::size_t b, std::size_t node) {
    Branch& branch = graph.branches[b];
    for (const std::size_t end : {0u, 1u}) {
        const bool here = end == 0 ? node == 0 : node + 1 == branch.nodes.size();
        if (here && branch.ends[end] >= 0) return branch.ends[end];
    }
    const int made = static_cast<int>(graph.junctions.size());
    graph.junctions.push_back(branch.nodes[node]);
    if (node + 1 < branch.nodes.size() && node > 0) {
        cut_before(graph, b, node + 1);
        graph.branches.back().ends[0] = made;
        graph.branches[b].nodes.pop_back();
        graph.branches[b].ends[1] = made;
    } else {
        branch.ends[node == 0 ? 0 : 1] = made;
    }
    return made;
}

struct Cycle {
    double outside = 0;  ///< of the worst step
    double radius = 0;   ///< of the narrowest node
    std::size_t branch = 0, node = 0;
};

/// The best position to cut a branch.
Cycle weakest(const MedialGraph& graph, std::size_t b, const Body& body) {
    const Branch& branch = graph.branches[b];
    Cycle out{0, std::numeric_limits<double>::max(), b, branch.nodes.size() / 2};
    for (std::size_t i = 0; i < branch.nodes.size(); ++i) {
        const double outside =
            i == 0 ? 0 : length_outside(body, branch.nodes[i - 1].position, branch.nodes[i].position);
        if (outside > out.outside + 1e-9 * body.diagonal() ||
            (out.outside <= 0 && branch.nodes[i].radius < out.radius)) {
            out = {outside, branch.nodes[i].radius, b, i};
        }
    }
    return out;
}

int cut_cycles(MedialGraph& graph, const Body& body) {
    std::vector<Cycle> order;
    for (std::size_t b = 0; b < graph.branches.size(); ++b) {
        const Branch& branch = graph.branches[b];
        if (branch.ends[0] >= 0 && branch.ends[1] >= 0 && !branch.nodes.empty()) {
            order.push_back(weakest(graph, b, body));
        }
    }
    // The strongest form the tree.
    std::ranges::stable_sort(order, [](const Cycle& a, const Cycle& b) {
        return a.outside != b.outside ? a.outside < b.outside : a.radius > b.radius;
    });
    std::vector<int> leader(graph.junctions.size());
    std::iota(leader.begin(), leader.end(), 0);
    const auto find = [&](int j) {
        while (leader[at(j)] != j) j = leader[at(j)];
        return j;
    };
    int cuts = 0;
    for (const Cycle& c : order) {
        const int x = find(graph.branches[c.branch].ends[0]), y = find(graph.branches[c.branch].ends[1]);
        leader[at(std::max(x, y))] = std::min(x, y);
        if (x != y) continue;
        ++cuts;
        if (c.node == 0) {
            graph.branches[c.branch].ends[0] = -1;
        } else {
            cut_before(graph, c.branch, c.node);
        }
    }
    return cuts;
}

struct Bridge {
    double cost = std::numeric_limits<double>::max();
    std::size_t branch = 0, end = 0;  ///< the free end
    std::size_t other = 0, node = 0;  ///< the point that it joins
};

/// The cheapest link from a free end to another piece: nearest first, so that few are evaluated fully. Parts
/// outside the body may be `gap` long, and cost more.
void find_links(const MedialGraph& graph, const std::vector<int>& piece, const Body& body, double gap,
                std::size_t b, std::size_t end, Bridge& best) {
    const Branch& branch = graph.branches[b];
    const CurveNode& from = end == 0 ? branch.nodes.front() : branch.nodes.back();
    std::vector<Bridge> near;
    for (std::size_t o = 0; o < graph.branches.size(); ++o) {
        if (piece[o] == piece[b]) continue;
        for (std::size_t n = 0; n < graph.branches[o].nodes.size(); ++n) {
            const double distance = (graph.branches[o].nodes[n].position - from.position).norm();
            if (distance < best.cost) near.push_back({distance, b, end, o, n});
        }
    }
    std::ranges::stable_sort(near, {}, &Bridge::cost);
    const double allowed = std::max({leap * from.radius, 0.005 * body.diagonal(), gap});
    for (Bridge& link : near) {
        if (link.cost >= best.cost) return;
        const Vec3d& to = graph.branches[link.other].nodes[link.node].position;
        const double outside = length_outside(body, from.position, to);
        if (outside > allowed) continue;
        link.cost += air * outside;
        if (link.cost < best.cost) best = link;
    }
}

void join(MedialGraph& graph, const Bridge& link) {
    const int at = junction_at(graph, link.other, link.node);
    graph.branches[link.branch].ends[link.end] = at;
}

/// The cheapest link of any free end.
Bridge best_link(const MedialGraph& graph, const Body& body, double gap) {
    const std::vector<int> piece = pieces_of(graph);
    Bridge best;
    for (std::size_t b = 0; b < graph.branches.size(); ++b) {
        if (graph.branches[b].nodes.empty()) continue;
        for (const std::size_t end : {0u, 1u}) {
            if (graph.branches[b].ends[end] < 0) find_links(graph, piece, body, gap, b, end, best);
        }
    }
    return best;
}

/// The middle of the body around a point, by lines across a direction; long distances count as `reach`.
Vec3d centered(const Body& body, Vec3d at, const Vec3d& along, double reach) {
    const Vec3d u = along.unitOrthogonal(), v = along.cross(u);
    for (const Vec3d& direction : {u, v, Vec3d((u + v).normalized()), Vec3d((u - v).normalized())}) {
        for (const Interval& i : body.inside(at, direction)) {
            if (i.low > 0 || i.high < 0) continue;
            at += (std::max(i.low, -reach) + std::min(i.high, reach)) / 2 * direction;
        }
    }
    return at;
}

/// Extends a free end step by step through the body, where the view did not show it, until another piece is
/// visible. When none is found, nothing is changed.
bool grow(MedialGraph& graph, const Body& body, std::size_t b, std::size_t end) {
    constexpr int max_steps = 64;
    constexpr double stride = 0.5, sight = 2;
    const Branch before = graph.branches[b];
    const std::vector<int> piece = pieces_of(graph);
    if (end == 0) reverse(graph.branches[b]);
    // Next to a cut, the line still bends towards the piece that it was cut from.
    auto& nodes = graph.branches[b].nodes;
    const CurveNode cut = nodes.back();
    while (nodes.size() > 2 && (nodes.back().position - cut.position).norm() < 2 * cut.radius)
        nodes.pop_back();
    nodes.back().radius = std::min(nodes.back().radius, 2 * body.clearance(nodes.back().position));
    for (int step = 0; step < max_steps; ++step) {
        Branch& branch = graph.branches[b];
        const CurveNode last = branch.nodes.back();
        std::size_t back = branch.nodes.size() - 1;
        while (back > 0 && (branch.nodes[back].position - last.position).norm() < 2 * last.radius) --back;
        const Vec3d direction = last.position - branch.nodes[back].position;
        if (!(direction.norm() > 0)) break;
        const Vec3d along = direction.normalized();
        const Vec3d ahead = last.position + stride * last.radius * along;
        if (!body.contains(ahead)) break;
        const Vec3d at = centered(body, ahead, along, sight * last.radius);
        if (!body.contains(at) || (at - last.position).dot(along) <= 0.1 * last.radius) break;
        branch.nodes.push_back({at, last.radius});
        Bridge link;
        find_links(graph, piece, body, 0, b, 1, link);
        if (link.cost == std::numeric_limits<double>::max()) continue;
        join(graph, link);
        return true;
    }
    graph.branches[b] = before;
    return false;
}

/// Joins a piece that straight links do not reach, by extending one of its ends.
bool join_by_growing(MedialGraph& graph, const Body& body) {
    const std::vector<int> piece = pieces_of(graph);
    if (std::ranges::all_of(piece, [&](int p) { return p == piece[0]; })) return false;
    for (std::size_t b = 0; b < graph.branches.size(); ++b) {
        if (graph.branches[b].nodes.size() < 2) continue;
        for (const std::size_t end : {0u, 1u}) {
            if (graph.branches[b].ends[end] < 0 && grow(graph, body, b, end)) return true;
        }
    }
    return false;
}

}  // namespace

double length_outside(const Body& body, const Vec3d& from, const Vec3d& to) {
    const double length = (to - from).norm();
    if (!(length > 1e-9 * body.diagonal())) return 0;
    double inside = 0;
    for (const Interval& i : body.inside(from, (to - from) / length)) {
        inside += std::max(0.0, std::min(i.high, length) - std::max(i.low, 0.0));
    }
    return std::max(0.0, length - inside);
}

void tidy_junctions(MedialGraph& graph) {
    std::vector<std::vector<std::size_t>> ends_at(graph.junctions.size());
    for (std::size_t b = 0; b < graph.branches.size(); ++b) {
        for (const int end : graph.branches[b].ends) {
            if (end >= 0) ends_at[at(end)].push_back(b);
        }
    }
    for (std::size_t j = 0; j < ends_at.size(); ++j) {
        const int here = static_cast<int>(j);
        if (ends_at[j].size() == 1) {
            Branch& branch = graph.branches[ends_at[j][0]];
            if (branch.ends[1] != here) reverse(branch);
            branch.nodes.push_back(graph.junctions[j]);
            branch.ends[1] = -1;
        }
        if (ends_at[j].size() != 2 || ends_at[j][0] == ends_at[j][1]) continue;
        Branch &a = graph.branches[ends_at[j][0]], &b = graph.branches[ends_at[j][1]];
        if (a.ends[1] != here) reverse(a);
        if (b.ends[0] != here) reverse(b);
        // Close ends need no node between them; the middle of a junction may lie off their line.
        const bool close =
            !a.nodes.empty() && !b.nodes.empty() &&
            (a.nodes.back().position - b.nodes.front().position).norm() < graph.junctions[j].radius;
        if (!close) a.nodes.push_back(graph.junctions[j]);
        a.nodes.insert(a.nodes.end(), b.nodes.begin(), b.nodes.end());
        a.ends[1] = b.ends[1];
        b.nodes.clear();
        b.ends = {-1, -1};
        // The far end of the second branch is now an end of the first.
        for (auto& list : ends_at) std::ranges::replace(list, ends_at[j][1], ends_at[j][0]);
    }
    // Renumber the rest.
    std::vector<int> number(graph.junctions.size(), -1);
    std::vector<CurveNode> junctions;
    std::erase_if(graph.branches, [](const Branch& branch) {
        return branch.nodes.empty() && (branch.ends[0] < 0 || branch.ends[1] < 0);
    });
    for (Branch& branch : graph.branches) {
        for (int& end : branch.ends) {
            if (end < 0) continue;
            int& n = number[at(end)];
            if (n < 0) {
                n = static_cast<int>(junctions.size());
                junctions.push_back(graph.junctions[at(end)]);
            }
            end = n;
        }
    }
    graph.junctions = std::move(junctions);
}

int cut_branches_outside(MedialGraph& graph, const Body& body) {
    int cuts = 0;
    for (std::size_t b = 0; b < graph.branches.size(); ++b) {
        for (const std::size_t end : {0u, 1u}) {
            Branch& branch = graph.branches[b];
            if (branch.ends[end] < 0 || branch.nodes.empty()) continue;
            const CurveNode& node = end == 0 ? branch.nodes.front() : branch.nodes.back();
            if (!leaps(body, graph.junctions[at(branch.ends[end])], node)) continue;
            branch.ends[end] = -1;
            ++cuts;
        }
        for (std::size_t i = 1; i < graph.branches[b].nodes.size(); ++i) {
            if (!leaps(body, graph.branches[b].nodes[i - 1], graph.branches[b].nodes[i])) continue;
            cut_before(graph, b, i);
            ++cuts;
        }
    }
    cuts += cut_cycles(graph, body);
    tidy_junctions(graph);
    return cuts;
}

int join_pieces(MedialGraph& graph, const Body& body, double gap) {
    const auto join_all = [&](double allowed) {
        for (Bridge best = best_link(graph, body, allowed); best.cost < std::numeric_limits<double>::max();
             best = best_link(graph, body, allowed)) {
            join(graph, best);
        }
    };
    join_all(0);
    while (join_by_growing(graph, body)) join_all(0);
    if (gap > 0) join_all(gap);
    tidy_junctions(graph);
    std::vector<int> distinct = pieces_of(graph);
    std::ranges::sort(distinct);
    return static_cast<int>(std::unique(distinct.begin(), distinct.end()) - distinct.begin());
}

}  // namespace sinew::rig
