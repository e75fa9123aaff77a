// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <optional>
#include <queue>
#include <unordered_map>

#include "sinew/base/array.h"
#include "sinew/published/silhouette_variants.h"

namespace sinew::published {

namespace {

constexpr double aside = 4;  // cost of distance from the straight line, relative to length

class Connector {
  public:
    Connector(const WeldedSurface& surface, const Projection& projection)
        : surface_(surface),
          projection_(projection),
          neighbors_(geometry::vertex_neighbors(surface.positions.size(), surface.triangles)),
          radii_(search_radii(surface, projection)) {}

    /// The vertices between two, by the smallest sum of length and distance from the straight line (A*),
    /// among those within two reaches of it. Empty when there is no such path.
    std::vector<std::uint32_t> shortest(std::uint32_t from, std::uint32_t to) const {
        struct Entry {
            double estimate;
            std::uint32_t vertex;
            bool operator<(const Entry& o) const {
                return estimate != o.estimate ? estimate > o.estimate : vertex > o.vertex;
            }
        };
        const double reach = 2 * std::max(radii_[from], radii_[to]);
        std::unordered_map<std::uint32_t, double> cost{{from, 0}};
        std::unordered_map<std::uint32_t, std::uint32_t> parent;
        std::priority_queue<Entry> queue;
        queue.push({0, from});
        while (!queue.empty()) {
            const std::uint32_t v = queue.top().vertex;
            queue.pop();
            if (v == to) return path(parent, from, to);
            for (const std::uint32_t n : neighbors_[v]) {
                const Vec2d &a = at(from), &b = at(to);
                if (geometry::distance_to_segment(at(n), a, b) > reach) continue;
                const double off = geometry::distance_to_segment((at(v) + at(n)) / 2, a, b);
                const double sum = cost[v] + length(v, n) + aside * off;
                const auto known = cost.find(n);
                if (known != cost.end() && known->second <= sum) continue;
                cost[n] = sum;
                parent[n] = v;
                queue.push({sum + length(n, to), n});
            }
        }
        return {};
    }

  private:
    const Vec2d& at(std::uint32_t v) const { return projection_.xy[v]; }
    double length(std::uint32_t a, std::uint32_t b) const {
        return (surface_.positions[a] - surface_.positions[b]).norm();
    }
    static std::vector<std::uint32_t> path(const std::unordered_map<std::uint32_t, std::uint32_t>& parent,
                                           std::uint32_t from, std::uint32_t to) {
        std::vector<std::uint32_t> out;
        for (std::uint32_t v = parent.at(to); v != from; v = parent.at(v)) out.push_back(v);
        std::ranges::reverse(out);
        return out;
    }

    const WeldedSurface& surface_;
    const Projection& projection_;
    geometry::Rows neighbors_;
    std::vector<double> radii_;
};

}  // namespace

std::vector<std::uint32_t> connect_outline(const WeldedSurface& surface, const Projection& projection,
                                           const std::vector<std::uint32_t>& tour) {
    const Connector connector(surface, projection);
    std::vector<std::uint32_t> out;
    for (std::size_t i = 0; i < tour.size(); ++i) {
        const std::uint32_t from = tour[i], to = tour[(i + 1) % tour.size()];
        out.push_back(from);
        const auto between = connector.shortest(from, to);
        out.insert(out.end(), between.begin(), between.end());
    }
    return out;
}

namespace {

constexpr int max_growths = 20;
constexpr double growth = 1.5;
constexpr double close_enough = 0.5;  // of the reach

/// Numbered items in square cells of the plane.
class CellTable {
  public:
    explicit CellTable(double cell) : cell_(cell) {}
    void add(const Vec2d& low, const Vec2d& high, std::uint32_t item) {
        each(low, high, [&](std::uint64_t key) { cells_[key].push_back(item); });
    }
    /// Calls `body(item)`; more than once for an item in several cells.
    template <class Body>
    void near(const Vec2d& low, const Vec2d& high, const Body& body) const {
        each(low, high, [&](std::uint64_t key) {
            const auto found = cells_.find(key);
            if (found == cells_.end()) return;
            for (const std::uint32_t item : found->second) body(item);
        });
    }

  private:
    template <class Body>
    void each(const Vec2d& low, const Vec2d& high, const Body& body) const {
        const auto index = [&](double v) { return static_cast<std::int32_t>(std::floor(v / cell_)); };
        for (std::int32_t y = index(low.y()); y <= index(high.y()); ++y) {
            for (std::int32_t x = index(low.x()); x <= index(high.x()); ++x) {
                body((static_cast<std::uint64_t>(static_cast<std::uint32_t>(y)) << 32) |
                     static_cast<std::uint32_t>(x));
            }
        }
    }
    double cell_;
    std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> cells_;
};

double median_of(std::vector<double> values) {
    std::erase_if(values, [](double v) { return !(v > 0); });
    if (values.empty()) return 1;
    return median(std::move(values));
}

class OutlineSearch {
  public:
    OutlineSearch(const WeldedSurface& surface, const Projection& projection, double radius_scale)
        : projection_(projection),
          radius_scale_(radius_scale),
          radii_(search_radii(surface, projection)),
          cell_(std::max(median_of(radii_) * radius_scale, surface.diagonal / 4096)),
          vertices_(cell_),
          sides_(cell_),
          used_(surface.positions.size(), 0),
          start_(start_vertex(surface, projection)) {
        for (std::uint32_t v = 0; v < radii_.size(); ++v) {
            if (radii_[v] > 0) vertices_.add(at(v), at(v), v);
        }
        widest_ = surface.diagonal;
    }

    std::vector<std::uint32_t> run() {
        tour_ = {start_};
        used_[start_] = 1;
        Vec2d back = Vec2d::UnitX();
        while (tour_.size() <= radii_.size()) {
            const auto next = step(back);
            if (!next) return {};
            if (*next == start_) return tour_;
            append(*next);
            const double reach = radii_[*next] * radius_scale_;
            if (tour_.size() >= 4 && (at(*next) - at(start_)).norm() <= close_enough * reach &&
                !crosses(*next, start_)) {
                return tour_;
            }
            back = at(tour_[tour_.size() - 2]) - at(*next);
        }
        return {};
    }

  private:
    const Vec2d& at(std::uint32_t v) const { return projection_.xy[v]; }

    void append(std::uint32_t v) {
        const Vec2d &a = at(tour_.back()), &b = at(v);
        sides_.add(a.cwiseMin(b), a.cwiseMax(b), static_cast<std::uint32_t>(tour_.size() - 1));
        tour_.push_back(v);
        used_[v] = 1;
    }

    /// Whether the segment between two vertices crosses the current tour, except at its own ends.
    bool crosses(std::uint32_t from, std::uint32_t to) const {
        bool found = false;
        sides_.near(at(from).cwiseMin(at(to)), at(from).cwiseMax(at(to)), [&](std::uint32_t side) {
            const std::uint32_t a = tour_[side], b = tour_[side + 1];
            if (found || a == from || b == from || a == to || b == to) return;
            found = geometry::segments_meet(at(from), at(to), at(a), at(b));
        });
        return found;
    }

    /// The outermost vertex within reach; the reach grows until there is one.
    std::optional<std::uint32_t> step(const Vec2d& back) const {
        double reach = radii_[tour_.back()] * radius_scale_;
        for (int i = 0; i <= max_growths && reach < growth * widest_; ++i, reach *= growth) {
            const auto found = outermost(back, reach);
            if (found) return found;
        }
        return std::nullopt;
    }

    std::optional<std::uint32_t> outermost(const Vec2d& back, double reach) const {
        struct Candidate {
            double angle, distance;
            std::uint32_t vertex;
        };
        const std::uint32_t from = tour_.back();
        std::vector<Candidate> candidates;
        const Vec2d margin = Vec2d::Constant(reach);
        vertices_.near(at(from) - margin, at(from) + margin, [&](std::uint32_t v) {
            const Vec2d offset = at(v) - at(from);
            const double distance = offset.norm();
            if (!(distance > 0) || distance > reach) return;
            if (used_[v] != 0 && !(v == start_ && tour_.size() >= 3)) return;
            candidates.push_back({clockwise(back, offset), distance, v});
        });
        std::ranges::sort(candidates, [](const Candidate& a, const Candidate& b) {
            if (a.angle != b.angle) return a.angle > b.angle;
            return a.distance != b.distance ? a.distance < b.distance : a.vertex < b.vertex;
        });
        for (const Candidate& c : candidates) {
            if (!crosses(from, c.vertex)) return c.vertex;
        }
        return std::nullopt;
    }

    const Projection& projection_;
    double radius_scale_;
    std::vector<double> radii_;
    double cell_;
    CellTable vertices_, sides_;
    std::vector<char> used_;
    std::uint32_t start_;
    std::vector<std::uint32_t> tour_;
    double widest_ = 0;
};

/// Removes the shorter part of a tour between two visits of a vertex.
std::vector<std::uint32_t> without_repeats(const std::vector<std::uint32_t>& tour) {
    std::vector<std::uint32_t> out;
    std::unordered_map<std::uint32_t, std::size_t> position;
    for (const std::uint32_t v : tour) {
        const auto seen = position.find(v);
        if (seen != position.end()) {
            for (std::size_t i = seen->second + 1; i < out.size(); ++i) position.erase(out[i]);
            out.resize(seen->second + 1);
            continue;
        }
        position[v] = out.size();
        out.push_back(v);
    }
    return out;
}

}  // namespace

double clockwise(const Vec2d& u, const Vec2d& v) {
    const double angle = -std::atan2(geometry::cross2(u, v), u.dot(v));
    return angle < 0 ? angle + 2 * math::pi : angle;
}

std::uint32_t start_vertex(const WeldedSurface& surface, const Projection& projection) {
    std::uint32_t best = surface.triangles.front()[0];
    const auto key = [&](std::uint32_t v) {
        return std::array{-projection.xy[v].y(), projection.xy[v].x(), static_cast<double>(v)};
    };
    for (const Triangle& t : surface.triangles) {
        for (const std::uint32_t v : t) {
            if (key(v) < key(best)) best = v;
        }
    }
    return best;
}

Silhouette silhouette_of(const std::vector<std::uint32_t>& vertices, const Projection& projection) {
    SilhouettePiece piece;
    for (const std::uint32_t v : vertices) {
        piece.outer.push_back({projection.xy[v], projection.z[v], static_cast<int>(v), {}, 1});
    }
    Silhouette out{SilhouetteVariant::other, {}};
    if (piece.outer.size() >= 3) out.pieces.push_back(std::move(piece));
    return out;
}

std::vector<double> search_radii(const WeldedSurface& surface, const Projection& projection) {
    std::vector<double> out(surface.positions.size(), 0);
    for (const geometry::Edge& e : surface.edges.edges) {
        const double length = (projection.xy[e.a] - projection.xy[e.b]).norm();
        out[e.a] = std::max(out[e.a], length);
        out[e.b] = std::max(out[e.b], length);
    }
    return out;
}

std::vector<std::uint32_t> search_outline(const WeldedSurface& surface, const Projection& projection,
                                          double radius_scale) {
    return OutlineSearch(surface, projection, radius_scale).run();
}

Silhouette trace_search(const WeldedSurface& surface, const Projection& projection, double radius_scale) {
    const auto coarse = search_outline(surface, projection, radius_scale);
    const auto fine = without_repeats(connect_outline(surface, projection, coarse));
    Silhouette out = silhouette_of(fine, projection);
    // Paths that cross each other are worse than no paths.
    if (out.pieces.empty() || !geometry::PolygonIndex(polygon_of(out.pieces[0])).simple()) {
        return silhouette_of(coarse, projection);
    }
    return out;
}

}  // namespace sinew::published
