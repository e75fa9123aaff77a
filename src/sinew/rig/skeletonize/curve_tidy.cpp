#include "sinew/rig/skeletonize/curve_tidy.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "sinew/rig/skeletonize/curve_graph.h"

namespace sinew::rig {
namespace {

const CurveNode& node_of(const CurveSkeleton& curve, int node) {
    return curve.nodes[static_cast<std::size_t>(node)];
}

/// How far the balls of a branch reach from its junction, in radii of the junction.
double reach(const CurveSkeleton& curve, const CurveBranch& branch, int junction) {
    const CurveNode& from = node_of(curve, junction);
    double most = 0;
    for (const int n : branch.nodes) {
        const CurveNode& node = node_of(curve, n);
        most = std::max(most, (node.position - from.position).norm() + node.radius);
    }
    return from.radius > 0 ? most / from.radius : std::numeric_limits<double>::infinity();
}

/// The branch that most deserves to go, if one does; its nodes but the junction are removed.
bool remove_spur(CurveSkeleton& curve, double spur) {
    const std::vector<int> degree = degrees(curve);
    const CurveBranch* worst = nullptr;
    double least = spur;
    const std::vector<CurveBranch> all = branches(curve);
    for (const CurveBranch& branch : all) {
        const int a = branch.nodes.front(), b = branch.nodes.back();
        const int degree_a = degree[static_cast<std::size_t>(a)],
                  degree_b = degree[static_cast<std::size_t>(b)];
        if (std::min(degree_a, degree_b) != 1 || std::max(degree_a, degree_b) < 3) continue;
        const double length = reach(curve, branch, degree_a > 1 ? a : b);
        if (length >= least) continue;
        least = length;
        worst = &branch;
    }
    if (worst == nullptr) return false;
    CurveGraph graph(curve);
    for (const int n : worst->nodes) {
        if (degree[static_cast<std::size_t>(n)] < 3) graph.remove(n);
    }
    curve = graph.curve();
    return true;
}

/// The shortest link between junctions, relative to their radius, if it is too short.
bool merge_junctions(CurveSkeleton& curve, double junction) {
    const std::vector<int> degree = degrees(curve);
    const CurveBranch* shortest = nullptr;
    double least = junction;
    const std::vector<CurveBranch> all = branches(curve);
    for (const CurveBranch& branch : all) {
        const int a = branch.nodes.front(), b = branch.nodes.back();
        if (a == b || degree[static_cast<std::size_t>(a)] < 3 || degree[static_cast<std::size_t>(b)] < 3)
            continue;
        const double radius = std::max(node_of(curve, a).radius, node_of(curve, b).radius);
        const double length = radius > 0 ? branch.length / radius : std::numeric_limits<double>::infinity();
        if (length >= least) continue;
        least = length;
        shortest = &branch;
    }
    if (shortest == nullptr) return false;
    CurveGraph graph(curve);
    // The deepest of its nodes becomes the junction.
    const int into = *std::max_element(shortest->nodes.begin(), shortest->nodes.end(), [&](int a, int b) {
        return node_of(curve, a).radius < node_of(curve, b).radius;
    });
    for (const int n : shortest->nodes) {
        if (n != into) graph.merge(into, n);
    }
    curve = graph.curve();
    return true;
}

}  // namespace

CurveSkeleton without_rings(const CurveSkeleton& curve) {
    const auto thickness = [&](const std::array<int, 2>& edge) {
        return std::min(node_of(curve, edge[0]).radius, node_of(curve, edge[1]).radius);
    };
    std::vector<std::array<int, 2>> order = curve.edges;
    std::stable_sort(order.begin(), order.end(),
                     [&](const auto& a, const auto& b) { return thickness(a) > thickness(b); });
    std::vector<int> leader(curve.nodes.size());
    std::iota(leader.begin(), leader.end(), 0);
    const auto find = [&](int n) {
        while (leader[static_cast<std::size_t>(n)] != n) {
            int& up = leader[static_cast<std::size_t>(n)];
            n = up = leader[static_cast<std::size_t>(up)];
        }
        return n;
    };
    CurveSkeleton out;
    out.nodes = curve.nodes;
    for (const auto& edge : order) {
        const int a = find(edge[0]), b = find(edge[1]);
        if (a == b) continue;
        leader[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
        out.edges.push_back(edge);
    }
    std::sort(out.edges.begin(), out.edges.end());
    return out;
}

CurveSkeleton without_spurs(const CurveSkeleton& curve, double spur, double junction) {
    CurveSkeleton out = curve;
    while (remove_spur(out, spur) || merge_junctions(out, junction)) {
    }
    return out;
}

CurveSkeleton with_trimmed_ends(const CurveSkeleton& curve, double least, double tolerance) {
    const std::vector<int> degree = degrees(curve);
    CurveGraph graph(curve);
    const auto trim = [&](const std::vector<int>& nodes) {
        const CurveNode& tip = node_of(curve, nodes.front());
        std::size_t end = 0;
        const auto radius = [&](std::size_t i) { return node_of(curve, nodes[i]).radius; };
        while (end + 2 < nodes.size() && radius(end) < least && radius(end + 1) > radius(end)) ++end;
        // An end may lie in a cell that only touches the surface, and the next as well.
        for (std::size_t next = end + 1; next + 1 < nodes.size() && next <= end + 3; ++next) {
            if (radius(end) < least / 2 && radius(next) >= least / 2) end = next;
        }
        if (radius(end) < least / 2 && end + 6 < nodes.size()) ++end;
        double best = -std::numeric_limits<double>::infinity();
        for (std::size_t i = end; i + 2 < nodes.size(); ++i) {
            const CurveNode& node = node_of(curve, nodes[i]);
            const double gain = node.radius - ((node.position - tip.position).norm() + tip.radius) / 2;
            if (gain < best - tolerance) break;
            if (gain <= best) continue;
            best = gain;
            end = i;
        }
        for (std::size_t i = 0; i < end; ++i) graph.remove(nodes[i]);
    };
    for (const CurveBranch& branch : branches(curve)) {
        std::vector<int> nodes = branch.nodes;
        if (degree[static_cast<std::size_t>(nodes.front())] == 1) trim(nodes);
        std::reverse(nodes.begin(), nodes.end());
        if (degree[static_cast<std::size_t>(nodes.front())] == 1 && graph.alive(nodes.back())) trim(nodes);
    }
    return graph.curve();
}

CurveSkeleton evenly_spaced(const CurveSkeleton& curve, double spacing) {
    const std::vector<int> degree = degrees(curve);
    CurveSkeleton out;
    std::vector<int> number(curve.nodes.size(), -1);
    const auto keep = [&](int n) {
        int& at = number[static_cast<std::size_t>(n)];
        if (at < 0) {
            at = static_cast<int>(out.nodes.size());
            out.nodes.push_back(node_of(curve, n));
        }
        return at;
    };
    for (std::size_t n = 0; n < degree.size(); ++n) {
        if (degree[n] != 2) keep(static_cast<int>(n));
    }
    for (const CurveBranch& branch : branches(curve)) {
        int last = keep(branch.nodes.front());
        const int end = keep(branch.nodes.back());
        const auto pieces = std::max(1.0, std::round(branch.length / spacing));
        const double step = branch.length / pieces;
        double walked = 0, next = step;
        for (std::size_t i = 1; i < branch.nodes.size(); ++i) {
            const CurveNode& a = node_of(curve, branch.nodes[i - 1]);
            const CurveNode& b = node_of(curve, branch.nodes[i]);
            const double length = (b.position - a.position).norm();
            for (; next < branch.length - step / 2 && next <= walked + length; next += step) {
                const double t = length > 0 ? (next - walked) / length : 0;
                out.nodes.push_back(
                    {a.position + t * (b.position - a.position), a.radius + t * (b.radius - a.radius)});
                const int added = static_cast<int>(out.nodes.size()) - 1;
                out.edges.push_back({std::min(last, added), std::max(last, added)});
                last = added;
            }
            walked += length;
        }
        if (last != end) out.edges.push_back({std::min(last, end), std::max(last, end)});
    }
    std::sort(out.edges.begin(), out.edges.end());
    return out;
}

}  // namespace sinew::rig
