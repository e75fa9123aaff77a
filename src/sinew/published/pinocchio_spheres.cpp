// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>

#include "sinew/base/array.h"
#include "sinew/published/pinocchio.h"

namespace sinew::published {

namespace {

/// The lattice as cells between eight of its points.
class Cells {
  public:
    explicit Cells(const BodyField& field) : field_(field) {
        const auto& n = field.solid.lattice.points;
        step_ = {1, n[0], n[0] * n[1]};
    }

    double depth(std::size_t cell) const {
        double sum = 0;
        for (std::size_t c = 0; c < 8; ++c) sum += static_cast<double>(field_.depth[corner(cell, c)]);
        return sum / 8;
    }
    /// Of unit length, except where the cell itself contains a crease.
    Vec3d gradient(std::size_t cell) const {
        Vec3d sum = Vec3d::Zero();
        for (std::size_t c = 0; c < 8; ++c) {
            const double value = static_cast<double>(field_.depth[corner(cell, c)]);
            for (std::size_t a = 0; a < 3; ++a)
                sum[static_cast<Eigen::Index>(a)] += (c >> a & 1) != 0 ? value : -value;
        }
        return sum / (4 * field_.cell());
    }
    Vec3d center(std::size_t cell) const { return field_.center(cell) + Vec3d::Constant(field_.cell() / 2); }
    const std::array<std::size_t, 3>& step() const { return step_; }

  private:
    std::size_t corner(std::size_t cell, std::size_t c) const {
        return cell + (c & 1) * step_[0] + (c >> 1 & 1) * step_[1] + (c >> 2) * step_[2];
    }
    const BodyField& field_;
    std::array<std::size_t, 3> step_;
};

/// A crease runs through a cell when its mean slope is at most one half, the mean of two slopes 120 degrees
/// apart; or between it and a touching cell (also over a corner) when their slopes are that far apart: the
/// axis of a limb may run through corners.
bool is_medial(const Cells& cells, std::size_t cell) {
    const Vec3d slope = cells.gradient(cell);
    if (slope.norm() <= 0.5) return true;
    const auto& step = cells.step();
    for (std::size_t d = 0; d < 27; ++d) {
        const std::size_t next = cell + (d % 3) * step[0] + (d / 3 % 3) * step[1] + (d / 9) * step[2] -
                                 step[0] - step[1] - step[2];
        const Vec3d other = cells.gradient(next);
        if (slope.dot(other) <= -0.5 * slope.norm() * other.norm()) return true;
    }
    return false;
}

bool stays_inside(const BodyField& field, const Vec3d& a, const Vec3d& b, double clearance) {
    const int steps = static_cast<int>((b - a).norm() / field.cell()) + 1;
    for (int i = 0; i <= steps; ++i) {
        if (field.depth_at(a + (b - a) * (static_cast<double>(i) / steps)) < clearance) return false;
    }
    return true;
}

/// No other centre is nearer to the midpoint of the two.
bool are_nearest(const SphereGraph& graph, std::size_t a, std::size_t b) {
    const Vec3d middle = (graph.center[a] + graph.center[b]) / 2;
    const double own = (graph.center[a] - middle).squaredNorm() * (1 - 1e-9);
    return std::ranges::none_of(graph.center,
                                [&](const Vec3d& other) { return (other - middle).squaredNorm() < own; });
}

void add_links(SphereGraph& graph, const BodyField& field) {
    graph.around.resize(graph.size());
    for (std::size_t a = 0; a < graph.size(); ++a) {
        for (std::size_t b = a + 1; b < graph.size(); ++b) {
            const double length = (graph.center[a] - graph.center[b]).norm();
            const bool meet = length < graph.radius[a] + graph.radius[b];
            const double half = std::min(graph.radius[a], graph.radius[b]) / 2;
            if (!meet &&
                (!are_nearest(graph, a, b) || !stays_inside(field, graph.center[a], graph.center[b], half))) {
                continue;
            }
            graph.around[a].push_back({static_cast<int>(b), length});
            graph.around[b].push_back({static_cast<int>(a), length});
        }
    }
}

void keep_largest_part(SphereGraph& graph) {
    std::vector<int> part(graph.size(), -1);
    std::vector<int> count;
    for (std::size_t seed = 0; seed < graph.size(); ++seed) {
        if (part[seed] >= 0) continue;
        const int label = static_cast<int>(count.size());
        std::vector<std::size_t> queue{seed};
        part[seed] = label;
        for (std::size_t i = 0; i < queue.size(); ++i) {
            for (const SphereGraph::Link& link : graph.around[queue[i]]) {
                if (part[at(link.to)] >= 0) continue;
                part[at(link.to)] = label;
                queue.push_back(at(link.to));
            }
        }
        count.push_back(static_cast<int>(queue.size()));
    }
    if (count.size() < 2) return;
    const int kept = static_cast<int>(std::ranges::max_element(count) - count.begin());
    SphereGraph out;
    std::vector<int> number(graph.size(), -1);
    for (std::size_t s = 0; s < graph.size(); ++s) {
        if (part[s] != kept) continue;
        number[s] = static_cast<int>(out.size());
        out.center.push_back(graph.center[s]);
        out.radius.push_back(graph.radius[s]);
    }
    for (std::size_t s = 0; s < graph.size(); ++s) {
        if (part[s] != kept) continue;
        for (SphereGraph::Link& link : graph.around[s]) link.to = number[at(link.to)];
        out.around.push_back(std::move(graph.around[s]));
    }
    out.left_out = static_cast<int>(graph.size() - out.size());
    graph = std::move(out);
}

}  // namespace

std::vector<std::pair<double, Vec3d>> medial_points(const BodyField& field, double min) {
    const Cells cells(field);
    const auto& n = field.solid.lattice.points;
    std::vector<std::pair<double, Vec3d>> out;
    for (std::size_t k = 1; k + 2 < n[2]; ++k) {
        for (std::size_t j = 1; j + 2 < n[1]; ++j) {
            for (std::size_t i = 1; i + 2 < n[0]; ++i) {
                const std::size_t cell = field.solid.lattice.index(i, j, k);
                if (field.solid.inside[cell] == 0) continue;
                const double depth = cells.depth(cell);
                if (depth > min && is_medial(cells, cell)) out.emplace_back(depth, cells.center(cell));
            }
        }
    }
    std::ranges::stable_sort(out, [](const auto& a, const auto& b) { return a.first > b.first; });
    return out;
}

SphereGraph sphere_graph(const BodyField& field, double min) {
    SphereGraph graph;
    for (const auto& [depth, point] : medial_points(field, min)) {
        bool is_free = true;
        for (std::size_t s = 0; s < graph.size() && is_free; ++s)
            is_free = (graph.center[s] - point).squaredNorm() > graph.radius[s] * graph.radius[s];
        if (!is_free) continue;
        graph.center.push_back(point);
        graph.radius.push_back(depth);
    }
    add_links(graph, field);
    keep_largest_part(graph);
    return graph;
}

std::vector<int> SpherePaths::path_to(int sphere) const {
    std::vector<int> path;
    for (int s = sphere; s >= 0; s = from[at(s)]) path.push_back(s);
    std::ranges::reverse(path);
    return path;
}

SpherePaths paths_from(const SphereGraph& graph, int start) {
    SpherePaths out;
    out.length.assign(graph.size(), std::numeric_limits<double>::infinity());
    out.from.assign(graph.size(), -1);
    using Entry = std::pair<double, int>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
    out.length[at(start)] = 0;
    queue.emplace(0, start);
    while (!queue.empty()) {
        const auto [length, sphere] = queue.top();
        queue.pop();
        if (length > out.length[at(sphere)]) continue;
        for (const SphereGraph::Link& link : graph.around[at(sphere)]) {
            if (!(length + link.length < out.length[at(link.to)])) continue;
            out.length[at(link.to)] = length + link.length;
            out.from[at(link.to)] = sphere;
            queue.emplace(length + link.length, link.to);
        }
    }
    return out;
}

}  // namespace sinew::published
