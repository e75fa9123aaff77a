// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/articulated/closing/stages.h"

namespace sinew::articulated {
namespace {

using geometry::Triangle;
constexpr double never = std::numeric_limits<double>::infinity();

/// The polygon between two ribs as two chains with common ends.
struct Section {
    std::vector<std::uint32_t> left;   ///< this rib, then the child's loop
    std::vector<std::uint32_t> right;  ///< the parent's loop, then the next rib
    std::size_t rib_left = 0;          ///< points of `left` that are on this rib
    std::size_t rib_right = 0;         ///< first point of `right` that is on the next rib
};

class StripMaker {
  public:
    StripMaker(const std::vector<Rib>& ribs, std::span<const Vec3d> parent_loop,
               std::span<const Vec3d> child_loop, bool closed, bool regular)
        : ribs_(ribs), closed_(closed), regular_(regular) {
        patch_.parent_count = parent_loop.size();
        patch_.child_count = child_loop.size();
        patch_.points.assign(parent_loop.begin(), parent_loop.end());
        patch_.points.insert(patch_.points.end(), child_loop.begin(), child_loop.end());
        alias_.resize(child_loop.size());
        for (std::uint32_t i = 0; i < alias_.size(); ++i)
            alias_[i] = static_cast<std::uint32_t>(parent_loop.size()) + i;
        groups_.assign(parent_loop.size(), on_parent);
        groups_.insert(groups_.end(), child_loop.size(), on_child);
        for (const Rib& rib : ribs) {
            patch_.first_new.push_back(patch_.points.size());
            patch_.points.insert(patch_.points.end(), rib.points.begin(), rib.points.end());
            patch_.kinds.insert(patch_.kinds.end(), rib.points.size(), rib.kind);
            if (!rib.welded) continue;
            const std::uint32_t from = parent(rib.from);
            Vec3d& location = patch_.points[from];
            location = (location + patch_.points[patch_.parent_count + rib.to % patch_.child_count]) / 2;
            alias_[rib.to % patch_.child_count] = from;
            groups_[from] = on_parent | on_child;
        }
        patch_.first_new.push_back(patch_.points.size());
    }

    StripPatch make() {
        const std::size_t count = ribs_.size(), sections = closed_ ? count : count - 1;
        for (std::size_t i = 0; i < sections; ++i) fill(section(i, (i + 1) % count, i + 1 == count));
        check();
        return std::move(patch_);
    }

  private:
    /// Only edges between points of the loops can occur in two sections.
    void check() {
        std::vector<std::uint64_t> edges;
        const std::size_t loops = patch_.loop_points();
        for (const Triangle& t : patch_.triangles) {
            for (std::size_t k = 0; k < 3; ++k) {
                const std::uint32_t a = t[k], b = t[(k + 1) % 3];
                if (a < loops || b < loops) edges.push_back(std::uint64_t{a} << 32 | b);
            }
        }
        std::ranges::sort(edges);
        patch_.sound = std::ranges::adjacent_find(edges) == edges.end();
    }

    std::uint32_t parent(std::size_t location) const {
        return static_cast<std::uint32_t>(location % patch_.parent_count);
    }
    std::uint32_t child(std::size_t location) const { return alias_[location % patch_.child_count]; }

    void append_rib(std::size_t rib, std::vector<std::uint32_t>& chain) const {
        for (std::size_t i = patch_.first_new[rib]; i < patch_.first_new[rib + 1]; ++i)
            chain.push_back(static_cast<std::uint32_t>(i));
    }

    Section section(std::size_t a, std::size_t b, bool around) const {
        const std::size_t from_end = ribs_[b].from + (around ? patch_.parent_count : 0);
        const std::size_t to_end = ribs_[b].to + (around ? patch_.child_count : 0);
        Section s;
        s.left.push_back(parent(ribs_[a].from));
        append_rib(a, s.left);
        if (!ribs_[a].welded) s.left.push_back(child(ribs_[a].to));
        s.rib_left = s.left.size();
        for (std::size_t location = ribs_[a].to + 1; location <= to_end; ++location)
            s.left.push_back(child(location));
        for (std::size_t location = ribs_[a].from; location <= from_end; ++location)
            s.right.push_back(parent(location));
        s.rib_right = s.right.size() - 1;
        append_rib(b, s.right);
        if (!ribs_[b].welded) s.right.push_back(child(to_end));
        return s;
    }

    enum Group : std::uint8_t { on_parent = 1, on_child = 2 };
    int groups(std::uint32_t point) const { return point < groups_.size() ? groups_[point] : 0; }

    void emit(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
        if (a != b && b != c && c != a) patch_.triangles.push_back({a, b, c});
    }

    /// Cost of the diagonal between two positions of the chains.
    double diagonal(const Section& s, std::size_t a, std::size_t b) const {
        const std::size_t last_a = s.left.size() - 1, last_b = s.right.size() - 1;
        const bool border = a + b <= 1 || (last_a - a) + (last_b - b) <= 1;
        if (!border) {
            if ((groups(s.left[a]) & groups(s.right[b])) != 0) return never;
            // Both points on this rib, or both on the next one; an end that two ribs share belongs to both.
            const bool shared_start = s.rib_right == 0, shared_end = s.rib_left == s.left.size();
            if (a >= 2 && a < s.rib_left && b == 0) return never;
            if (a + 2 <= last_a && b == last_b && shared_end) return never;
            if (a == last_a && b + 2 <= last_b && b >= s.rib_right) return never;
            if (a == 0 && b >= 2 && shared_start) return never;
            if (s.left[a] == s.right[b]) return never;
        }
        if (regular_) return std::abs(static_cast<double>(a) - static_cast<double>(b) + 0.5);
        return (patch_.points[s.left[a]] - patch_.points[s.right[b]]).norm();
    }

    bool zip(const Section& s) {
        const std::size_t rows = s.left.size(), columns = s.right.size();
        sums_.assign(rows * columns, never);
        from_left_.assign(rows * columns, 0);
        sums_[0] = 0;
        for (std::size_t a = 0; a < rows; ++a) {
            for (std::size_t b = 0; b < columns; ++b) {
                if (a + b == 0) continue;
                const double over_a = a > 0 ? sums_[(a - 1) * columns + b] : never;
                const double over_b = b > 0 ? sums_[a * columns + b - 1] : never;
                const double smallest = std::min(over_a, over_b);
                if (smallest == never) continue;
                const double cost = diagonal(s, a, b);
                if (cost == never) continue;
                sums_[a * columns + b] = smallest + cost;
                from_left_[a * columns + b] = over_a <= over_b ? 1 : 0;
            }
        }
        std::size_t a = rows - 1, b = columns - 1;
        if (sums_[a * columns + b] == never) return false;
        while (a + b > 0) {
            if (from_left_[a * columns + b]) {
                emit(s.left[a], s.left[a - 1], s.right[b]);
                --a;
            } else {
                emit(s.right[b - 1], s.right[b], s.left[a]);
                --b;
            }
        }
        return true;
    }

    void fill(const Section& s) {
        // Once around: forwards on the right chain, back on the left one, without repeating common ends.
        std::vector<std::uint32_t> polygon = s.right;
        for (std::size_t i = s.left.size() - 1; i-- > 1;) polygon.push_back(s.left[i]);
        if (polygon.size() < 3) return;
        if (polygon.size() > 3 && zip(s)) return;
        if (polygon.size() == 3) return emit(polygon[0], polygon[1], polygon[2]);
        ++patch_.fallbacks;
        const auto allowed = [&](std::size_t i, std::size_t j) {
            return (groups(polygon[i]) & groups(polygon[j])) == 0 && !same_rib(s, polygon[i], polygon[j]);
        };
        const std::vector<Triangle> triangles = min_triangulation(polygon, patch_.points, allowed);
        if (!triangles.empty()) {
            patch_.triangles.insert(patch_.triangles.end(), triangles.begin(), triangles.end());
            return;
        }
        fan(polygon);
    }

    bool same_rib(const Section& s, std::uint32_t u, std::uint32_t v) const {
        const auto both = [&](auto first, auto last) {
            return std::find(first, last, u) != last && std::find(first, last, v) != last;
        };
        return both(s.left.begin(), s.left.begin() + static_cast<std::ptrdiff_t>(s.rib_left)) ||
               both(s.right.begin() + static_cast<std::ptrdiff_t>(s.rib_right), s.right.end());
    }

    void fan(const std::vector<std::uint32_t>& polygon) {
        Vec3d middle = Vec3d::Zero();
        for (const std::uint32_t p : polygon)
            middle += patch_.points[p] / static_cast<double>(polygon.size());
        const auto centre = static_cast<std::uint32_t>(patch_.points.size());
        patch_.points.push_back(middle);
        patch_.kinds.push_back(RibKind::inner);
        for (std::size_t i = 0; i < polygon.size(); ++i)
            emit(polygon[i], polygon[(i + 1) % polygon.size()], centre);
    }

    const std::vector<Rib>& ribs_;
    bool closed_, regular_;
    StripPatch patch_;
    std::vector<std::uint32_t> alias_;  ///< for points of the child's loop
    std::vector<int> groups_;           ///< for the points of both loops
    std::vector<double> sums_;
    std::vector<std::uint8_t> from_left_;
};

}  // namespace

StripPatch strip_between(const std::vector<Rib>& ribs, std::span<const Vec3d> parent_loop,
                         std::span<const Vec3d> child_loop, bool closed, bool regular) {
    return StripMaker(ribs, parent_loop, child_loop, closed, regular).make();
}

std::vector<Triangle> min_triangulation(std::span<const std::uint32_t> polygon,
                                        const std::vector<Vec3d>& points,
                                        const std::function<bool(std::size_t, std::size_t)>& allowed) {
    const std::size_t n = polygon.size();
    std::vector<double> cost(n * n, never);
    std::vector<std::size_t> apex(n * n, 0);
    for (std::size_t i = 0; i + 1 < n; ++i) cost[i * n + i + 1] = 0;
    for (std::size_t width = 2; width < n; ++width) {
        for (std::size_t i = 0; i + width < n; ++i) {
            const std::size_t j = i + width;
            const bool side = width == n - 1;  // the closing side of the polygon
            if (!side && !allowed(i, j)) continue;
            for (std::size_t k = i + 1; k < j; ++k) {
                const double sum = cost[i * n + k] + cost[k * n + j];
                if (sum < cost[i * n + j]) {
                    cost[i * n + j] = sum;
                    apex[i * n + j] = k;
                }
            }
            if (!side) cost[i * n + j] += (points[polygon[i]] - points[polygon[j]]).norm();
        }
    }
    std::vector<Triangle> triangles;
    if (cost[n - 1] == never) return triangles;
    std::vector<std::pair<std::size_t, std::size_t>> stack{{0, n - 1}};
    while (!stack.empty()) {
        const auto [i, j] = stack.back();
        stack.pop_back();
        if (j - i < 2) continue;
        const std::size_t k = apex[i * n + j];
        triangles.push_back({polygon[i], polygon[k], polygon[j]});
        stack.push_back({i, k});
        stack.push_back({k, j});
    }
    return triangles;
}

}  // namespace sinew::articulated
