#include <algorithm>
#include <queue>
#include <unordered_map>

#include "sinew/rig/skeletonize/silhouette_search.h"

namespace sinew::rig {
namespace {

constexpr double aside = 4;  // how much a way off the straight line costs more than a longer one

class Connector {
  public:
    Connector(const WeldedSurface& surface, const Projection& projection)
        : surface_(surface),
          projection_(projection),
          neighbors_(geometry::vertex_neighbors(surface.positions.size(), surface.triangles)),
          radii_(search_radii(surface, projection)) {}

    /// The vertices between two, by the least sum of length and distance from the straight line (A*), among
    /// those within two reaches of it. Empty when there is no such way.
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

    /// Always on to the neighbour that is nearest to the target (Xie 2009). Empty when that goes in a circle.
    std::vector<std::uint32_t> greedy(std::uint32_t from, std::uint32_t to) const {
        std::vector<std::uint32_t> out;
        std::uint32_t v = from;
        for (double left = length(from, to); v != to;) {
            const auto ring = neighbors_[v];
            if (ring.empty()) return {};
            const std::uint32_t next =
                *std::ranges::min_element(ring, {}, [&](std::uint32_t n) { return length(n, to); });
            if (next == to) return out;
            if (length(next, to) >= left) return {};
            left = length(next, to);
            out.push_back(next);
            v = next;
        }
        return out;
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
                                           const std::vector<std::uint32_t>& tour, bool shortest_paths) {
    const Connector connector(surface, projection);
    std::vector<std::uint32_t> out;
    for (std::size_t i = 0; i < tour.size(); ++i) {
        const std::uint32_t from = tour[i], to = tour[(i + 1) % tour.size()];
        out.push_back(from);
        const auto between = shortest_paths ? connector.shortest(from, to) : connector.greedy(from, to);
        out.insert(out.end(), between.begin(), between.end());
    }
    return out;
}

}  // namespace sinew::rig
