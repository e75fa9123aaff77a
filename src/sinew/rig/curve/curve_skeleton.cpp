// SPDX-License-Identifier: MIT
#include "sinew/rig/curve/curve_skeleton.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace sinew::rig {

namespace {

/// Neighbours of every node, with the connecting edge.
struct Link {
    int node;
    std::size_t edge;
};

std::vector<std::vector<Link>> links_of(const CurveSkeleton& curve) {
    std::vector<std::vector<Link>> links(curve.nodes.size());
    for (std::size_t e = 0; e < curve.edges.size(); ++e) {
        const auto [a, b] = curve.edges[e];
        links[static_cast<std::size_t>(a)].push_back({b, e});
        links[static_cast<std::size_t>(b)].push_back({a, e});
    }
    return links;
}

}  // namespace

CurveSkeleton curve_of(const model::Skeleton& skeleton, double spacing) {
    CurveSkeleton curve;
    const auto world = model::rest_world_matrices(skeleton);
    for (const Vec3d& locate : model::joint_positions(world)) curve.nodes.push_back({locate, 0});
    for (const model::Bone& bone : model::bones(skeleton, world)) {
        const double length = (bone.end - bone.start).norm();
        const int steps =
            spacing > 0 ? static_cast<int>(std::clamp(std::ceil(length / spacing), 1.0, 1e4)) : 1;
        int last = bone.joint;
        for (int i = 1; i <= steps; ++i) {
            int next = bone.end_joint;
            if (i < steps || next < 0) {
                next = static_cast<int>(curve.nodes.size());
                curve.nodes.push_back({bone.start + (bone.end - bone.start) * i / steps, 0});
            }
            curve.edges.push_back({std::min(last, next), std::max(last, next)});
            last = next;
        }
    }
    std::sort(curve.edges.begin(), curve.edges.end());
    return curve;
}

std::vector<int> degrees(const CurveSkeleton& curve) {
    std::vector<int> count(curve.nodes.size());
    for (const auto& edge : curve.edges) {
        for (const int node : edge) ++count[static_cast<std::size_t>(node)];
    }
    return count;
}

std::vector<CurveBranch> branches(const CurveSkeleton& curve) {
    const auto links = links_of(curve);
    std::vector<char> used(curve.edges.size());
    std::vector<CurveBranch> out;
    const auto walk = [&](int start, const Link& first) {
        CurveBranch branch{{start}, 0};
        Link at = first;
        while (true) {
            used[at.edge] = 1;
            branch.length += (curve.nodes[static_cast<std::size_t>(at.node)].position -
                              curve.nodes[static_cast<std::size_t>(branch.nodes.back())].position)
                                 .norm();
            branch.nodes.push_back(at.node);
            const auto& next = links[static_cast<std::size_t>(at.node)];
            if (at.node == start || next.size() != 2) break;
            at = next[0].edge == at.edge ? next[1] : next[0];
        }
        out.push_back(std::move(branch));
    };
    // First from ends and junctions, then rings.
    for (const bool rings : {false, true}) {
        for (std::size_t n = 0; n < links.size(); ++n) {
            if (!rings && links[n].size() == 2) continue;
            for (const Link& link : links[n]) {
                if (used[link.edge] == 0) walk(static_cast<int>(n), link);
            }
        }
    }
    return out;
}

int piece_count(const CurveSkeleton& curve) {
    std::vector<int> leader(curve.nodes.size());
    std::iota(leader.begin(), leader.end(), 0);
    const auto find = [&](int n) {
        while (leader[static_cast<std::size_t>(n)] != n) n = leader[static_cast<std::size_t>(n)];
        return n;
    };
    auto count = static_cast<int>(curve.nodes.size());
    for (const auto& [a, b] : curve.edges) {
        const int x = find(a), y = find(b);
        if (x == y) continue;
        leader[static_cast<std::size_t>(std::max(x, y))] = std::min(x, y);
        --count;
    }
    return count;
}

CurveGraph::CurveGraph(const CurveSkeleton& curve)
    : nodes(curve.nodes), around_(curve.nodes.size()), alive_(curve.nodes.size(), 1) {
    for (const auto& [a, b] : curve.edges) link(a, b);
}

int CurveGraph::add(const CurveNode& node) {
    nodes.push_back(node);
    around_.emplace_back();
    alive_.push_back(1);
    return static_cast<int>(nodes.size()) - 1;
}

void CurveGraph::link(int a, int b) {
    if (a == b) return;
    around_[static_cast<std::size_t>(a)].insert(b);
    around_[static_cast<std::size_t>(b)].insert(a);
}

void CurveGraph::unlink(int a, int b) {
    around_[static_cast<std::size_t>(a)].erase(b);
    around_[static_cast<std::size_t>(b)].erase(a);
}

void CurveGraph::remove(int node) {
    for (const int other : std::set<int>(around(node))) unlink(node, other);
    alive_[static_cast<std::size_t>(node)] = 0;
}

void CurveGraph::merge(int into, int from) {
    const std::set<int> links = around(from);
    remove(from);
    for (const int other : links) link(into, other);
}

CurveSkeleton CurveGraph::curve() const {
    CurveSkeleton out;
    std::vector<int> number(nodes.size(), -1);
    for (std::size_t n = 0; n < nodes.size(); ++n) {
        if (alive_[n] == 0) continue;
        number[n] = static_cast<int>(out.nodes.size());
        out.nodes.push_back(nodes[n]);
    }
    for (std::size_t n = 0; n < nodes.size(); ++n) {
        for (const int other : around_[n]) {
            if (other > static_cast<int>(n)) {
                out.edges.push_back({number[n], number[static_cast<std::size_t>(other)]});
            }
        }
    }
    std::sort(out.edges.begin(), out.edges.end());
    return out;
}

}  // namespace sinew::rig
