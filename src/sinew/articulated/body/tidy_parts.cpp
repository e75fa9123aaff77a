// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <set>

#include "sinew/articulated/closing/gap.h"

namespace sinew::articulated {
namespace {

using geometry::CutMesh;
using geometry::EdgeTable;
using geometry::Rows;
using geometry::Triangle;

/// Distances in the tree of parts.
class TreeMetric {
  public:
    explicit TreeMetric(std::span<const int> parent) : parent_(parent), depth_(part_depths(parent)) {}

    int depth(int part) const { return depth_[static_cast<std::size_t>(part)]; }
    int up(int part) const { return parent_[static_cast<std::size_t>(part)]; }

    /// Lowest common ancestor; -1 for parts of different trees.
    int meeting(int a, int b) const {
        while (a >= 0 && b >= 0 && a != b) (depth(a) >= depth(b) ? a : b) = up(depth(a) >= depth(b) ? a : b);
        return a >= 0 && b >= 0 ? a : -1;
    }
    int distance(int a, int b) const {
        const int top = meeting(a, b);
        return top < 0 ? static_cast<int>(parent_.size()) : depth(a) + depth(b) - 2 * depth(top);
    }

  private:
    std::span<const int> parent_;
    std::vector<int> depth_;
};

/// The part with the smallest sum of distances to the given parts (each counted once): the one between them.
int part_between(const TreeMetric& tree, const std::map<int, std::size_t>& counts) {
    std::set<int> candidates;
    for (const auto& [part, count] : counts)
        for (int up = part; up >= 0; up = tree.up(up)) candidates.insert(up);
    const bool two = counts.size() == 2;  // no part lies between two: take the one with more triangles
    std::tuple<std::size_t, int, int> best{std::numeric_limits<std::size_t>::max(), 0, -1};
    for (const int candidate : candidates) {
        if (two && !counts.contains(candidate)) continue;
        std::size_t sum = 0;
        for (const auto& [part, count] : counts)
            sum += static_cast<std::size_t>(tree.distance(part, candidate)) * (two ? count : 1);
        best = std::min(best, std::tuple(sum, tree.depth(candidate), candidate));
    }
    return std::get<2>(best);
}

/// The lowest common ancestor of all; the lowest index when they belong to different trees.
int part_above(const TreeMetric& tree, const std::map<int, std::size_t>& counts) {
    int top = counts.begin()->first;
    for (const auto& [part, count] : counts) {
        const int next = tree.meeting(top, part);
        if (next < 0) return counts.begin()->first;
        top = next;
    }
    return top;
}

class Tidier {
  public:
    Tidier(CutMesh& cut, std::span<const int> parent)
        : cut_(cut),
          tree_(parent),
          edges_(geometry::edge_table(cut.triangles)),
          triangles_of_(geometry::vertex_triangles(cut.points.size(), cut.triangles)) {}

    std::size_t remove_junctions() {
        constexpr int rounds = 200;  // after these only towards the root, which always ends
        std::size_t moved = 0;
        for (int round = 0;; ++round) {
            const std::vector<std::uint32_t> points = junctions();
            if (points.empty()) return moved;
            for (const std::uint32_t point : points) moved += unify(point, round < rounds);
        }
    }

    std::size_t remove_spikes() {
        const std::vector<std::array<int, 3>> across = triangles_across(cut_.triangles);
        std::size_t moved = 0;
        for (int round = 0; round < 3; ++round) {
            for (std::size_t t = 0; t < across.size(); ++t) {
                const int wanted = two_of_three(across[t]);
                if (wanted < 0 || wanted == cut_.part_of[t]) continue;
                cut_.part_of[t] = wanted;
                ++moved;
            }
        }
        return moved;
    }

    std::size_t remove_islands(double fraction);
    std::size_t spread_seams(std::span<const int> parent);

  private:
    std::vector<int> hops_from(const std::vector<std::uint32_t>& points, int part) const;

    /// Points on more than one border: with an odd number of border edges, or more than two.
    std::vector<std::uint32_t> junctions() const {
        std::vector<std::uint8_t> degree(cut_.points.size(), 0), limit(cut_.points.size(), 2);
        const auto raise = [&](std::uint32_t p, int by) {
            degree[p] = static_cast<std::uint8_t>(std::min(degree[p] + by, 100));
        };
        for (const geometry::Edge& edge : edges_.edges) {
            const auto around = edges_.around(edge);
            const int first = cut_.part_of[around[0]];
            const bool border = std::ranges::any_of(around, [&](auto t) { return cut_.part_of[t] != first; });
            if (edge.count == 1) limit[edge.a] = limit[edge.b] = 1;
            if (!border) continue;
            raise(edge.a, edge.count == 2 ? 1 : 3);
            raise(edge.b, edge.count == 2 ? 1 : 3);
        }
        std::vector<std::uint32_t> points;
        for (std::uint32_t p = 0; p < degree.size(); ++p)
            if (degree[p] > limit[p] || touches_only(p, degree[p])) points.push_back(p);
        return points;
    }

    /// True when parts meet at a point without a common edge (a non-manifold fan).
    bool touches_only(std::uint32_t point, int degree) const {
        if (degree > 1) return false;
        const auto around = triangles_of_[point];
        const auto parts =
            std::ranges::count_if(around, [&](auto t) { return cut_.part_of[t] != cut_.part_of[around[0]]; });
        return degree == 0 && parts > 0;
    }

    std::size_t unify(std::uint32_t point, bool between) {
        std::map<int, std::size_t> counts;
        for (const std::uint32_t t : triangles_of_[point]) ++counts[cut_.part_of[t]];
        if (counts.size() < 2) return 0;  // already solved by an earlier point of this round
        const int target = between ? part_between(tree_, counts) : part_above(tree_, counts);
        std::size_t moved = 0;
        for (const std::uint32_t t : triangles_of_[point]) {
            moved += cut_.part_of[t] != target ? 1 : 0;
            cut_.part_of[t] = target;
        }
        return moved;
    }

    int two_of_three(const std::array<int, 3>& across) const {
        std::array<int, 3> parts{};
        for (std::size_t k = 0; k < 3; ++k)
            parts[k] =
                across[k] < 0 ? -1 - static_cast<int>(k) : cut_.part_of[static_cast<std::size_t>(across[k])];
        if (parts[0] == parts[1] || parts[0] == parts[2]) return parts[0];
        return parts[1] == parts[2] ? parts[1] : -1;
    }

    CutMesh& cut_;
    TreeMetric tree_;
    EdgeTable edges_;
    Rows triangles_of_;
};

/// Pieces of parts that are connected by edges.
struct Pieces {
    std::vector<int> of;  ///< per triangle
    std::vector<double> area;
    std::vector<int> part;
};

Pieces pieces_of_parts(const CutMesh& cut, const std::vector<std::array<int, 3>>& across) {
    Pieces pieces;
    pieces.of.assign(cut.triangles.size(), -1);
    std::vector<std::size_t> stack;
    for (std::size_t seed = 0; seed < cut.triangles.size(); ++seed) {
        if (pieces.of[seed] >= 0) continue;
        const int piece = static_cast<int>(pieces.area.size());
        pieces.area.push_back(0);
        pieces.part.push_back(cut.part_of[seed]);
        pieces.of[seed] = piece;
        stack.push_back(seed);
        while (!stack.empty()) {
            const std::size_t t = stack.back();
            stack.pop_back();
            const Triangle& c = cut.triangles[t];
            const Vec3d cross =
                (cut.points[c[1]] - cut.points[c[0]]).cross(cut.points[c[2]] - cut.points[c[0]]);
            pieces.area.back() += cross.norm() / 2;
            for (const int next : across[t]) {
                const auto n = static_cast<std::size_t>(next);
                if (next < 0 || pieces.of[n] >= 0 || cut.part_of[n] != pieces.part.back()) continue;
                pieces.of[n] = piece;
                stack.push_back(n);
            }
        }
    }
    return pieces;
}

std::size_t Tidier::remove_islands(double fraction) {
    const std::vector<std::array<int, 3>> across = triangles_across(cut_.triangles);
    const Pieces pieces = pieces_of_parts(cut_, across);
    std::map<int, double> largest;
    for (std::size_t i = 0; i < pieces.area.size(); ++i)
        largest[pieces.part[i]] = std::max(largest[pieces.part[i]], pieces.area[i]);
    std::map<int, std::map<int, double>> borders;  // piece -> neighbour part -> length
    for (std::size_t t = 0; t < across.size(); ++t) {
        for (std::size_t k = 0; k < 3; ++k) {
            if (across[t][k] < 0) continue;
            const int other = cut_.part_of[static_cast<std::size_t>(across[t][k])];
            if (other == cut_.part_of[t]) continue;
            const Triangle& c = cut_.triangles[t];
            borders[pieces.of[t]][other] += (cut_.points[c[k]] - cut_.points[c[(k + 1) % 3]]).norm();
        }
    }
    std::size_t moved = 0;
    for (const auto& [piece, neighbours] : borders) {
        const auto p = static_cast<std::size_t>(piece);
        if (pieces.area[p] >= fraction * largest[pieces.part[p]]) continue;
        const int target =
            std::ranges::max_element(neighbours, {}, [](const auto& n) { return n.second; })->first;
        for (std::size_t t = 0; t < across.size(); ++t) {
            if (pieces.of[t] != piece) continue;
            cut_.part_of[t] = target;
            ++moved;
        }
    }
    return moved;
}

/// Number of edges from some points to all points of a part, on paths inside the part; -1 where there is
/// none.
std::vector<int> Tidier::hops_from(const std::vector<std::uint32_t>& points, int part) const {
    std::vector<int> hops(cut_.points.size(), -1);
    std::vector<std::uint32_t> queue = points;
    for (const std::uint32_t p : points) hops[p] = 0;
    for (std::size_t head = 0; head < queue.size(); ++head) {
        for (const std::uint32_t t : triangles_of_[queue[head]]) {
            if (cut_.part_of[t] != part) continue;
            for (const std::uint32_t q : cut_.triangles[t]) {
                if (hops[q] >= 0) continue;
                hops[q] = hops[queue[head]] + 1;
                queue.push_back(q);
            }
        }
    }
    return hops;
}

/// Where the seams of a parent are too close, gives it one ring of each child that is long enough.
std::size_t Tidier::spread_seams(std::span<const int> parent) {
    constexpr int near = 4, long_enough = 9;
    const std::vector<Seam> seams = find_seams(cut_, parent);
    std::vector<std::vector<int>> in_parent;
    std::vector<int> length;
    for (const Seam& seam : seams) {
        in_parent.push_back(hops_from(seam.loop, seam.parent));
        const std::vector<int> in_child = hops_from(seam.loop, seam.child);
        length.push_back(*std::ranges::max_element(in_child));
    }
    std::size_t moved = 0;
    for (std::size_t s = 0; s < seams.size(); ++s) {
        if (length[s] < long_enough) continue;
        for (const std::uint32_t p : seams[s].loop) {
            bool crowded = false;
            for (std::size_t other = 0; other < seams.size(); ++other) {
                if (other == s) continue;
                const int hops = seams[other].parent == seams[s].parent ? in_parent[other][p] : -1;
                crowded = crowded || (hops >= 0 && hops <= near);
            }
            if (!crowded) continue;
            for (const std::uint32_t t : triangles_of_[p]) {
                if (cut_.part_of[t] != seams[s].child) continue;
                cut_.part_of[t] = seams[s].parent;
                ++moved;
            }
        }
    }
    return moved;
}

}  // namespace

TidyReport tidy_parts(CutMesh& cut, std::span<const int> parent, const TidyOptions& options) {
    Tidier tidier(cut, parent);
    TidyReport report;
    if (options.smooth) report.spikes = tidier.remove_spikes();
    if (options.island_fraction > 0) report.islands = tidier.remove_islands(options.island_fraction);
    report.junctions = tidier.remove_junctions();
    for (int round = 0; round < options.spread; ++round) {
        report.crowded += tidier.spread_seams(parent);
        if (options.smooth) report.spikes += tidier.remove_spikes();
        report.junctions += tidier.remove_junctions();
    }
    return report;
}

}  // namespace sinew::articulated
