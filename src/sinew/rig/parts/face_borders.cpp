// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>

#include "sinew/base/array.h"
#include "sinew/math/types.h"
#include "sinew/rig/parts/face_graph.h"

namespace sinew::rig {
namespace {

constexpr double rest = 1e-12;  // less than this is an exhausted arc

}  // namespace

MinCut::MinCut(std::size_t nodes)
    : source_(static_cast<std::uint32_t>(nodes)),
      sink_(static_cast<std::uint32_t>(nodes + 1)),
      first_(nodes + 2, none),
      level_(nodes + 2, -1) {}

void MinCut::add_arcs(std::uint32_t a, std::uint32_t b, double there, double back) {
    const auto index = static_cast<std::uint32_t>(arcs_.size());
    arcs_.push_back({b, first_[a], there});
    arcs_.push_back({a, first_[b], back});
    first_[a] = index;
    first_[b] = index + 1;
}

void MinCut::add_edge(std::uint32_t a, std::uint32_t b, double capacity) {
    add_arcs(a, b, capacity, capacity);
}

void MinCut::add_terminal(std::uint32_t node, double first, double second) {
    // Only the difference matters for the cut; a common cost is the same for every cut.
    if (first > second) add_arcs(source_, node, first - second, 0);
    if (second > first) add_arcs(node, sink_, second - first, 0);
}

bool MinCut::find_levels() {
    std::fill(level_.begin(), level_.end(), -1);
    queue_.assign(1, source_);
    level_[source_] = 0;
    for (std::size_t i = 0; i < queue_.size(); ++i) {
        for (std::uint32_t a = first_[queue_[i]]; a != none; a = arcs_[a].next) {
            const std::uint32_t to = arcs_[a].to;
            if (arcs_[a].left <= rest || level_[to] >= 0) continue;
            level_[to] = level_[queue_[i]] + 1;
            queue_.push_back(to);
        }
    }
    return level_[sink_] >= 0;
}

double MinCut::augment(const std::vector<std::uint32_t>& path) {
    double flow = std::numeric_limits<double>::infinity();
    for (const std::uint32_t a : path) flow = std::min(flow, arcs_[a].left);
    for (const std::uint32_t a : path) {
        arcs_[a].left -= flow;
        arcs_[a ^ 1].left += flow;
    }
    return flow;
}

double MinCut::push() {
    current_ = first_;
    double total = 0;
    std::vector<std::uint32_t> path;
    std::uint32_t at = source_;
    for (;;) {
        if (at == sink_) {
            total += augment(path);
            // Back to the first exhausted arc of the path.
            const auto full = std::find_if(path.begin(), path.end(),
                                           [&](std::uint32_t a) { return arcs_[a].left <= rest; });
            at = arcs_[*full ^ 1].to;
            path.erase(full, path.end());
            continue;
        }
        std::uint32_t& a = current_[at];
        while (a != none && (arcs_[a].left <= rest || level_[arcs_[a].to] != level_[at] + 1))
            a = arcs_[a].next;
        if (a != none) {
            path.push_back(a);
            at = arcs_[a].to;
            continue;
        }
        if (path.empty()) return total;
        level_[at] = -2;  // a dead end
        at = arcs_[path.back() ^ 1].to;
        path.pop_back();
    }
}

double MinCut::solve() {
    double flow = 0;
    while (find_levels()) flow += push();
    return flow;
}

namespace {

using math::infinity;

struct Pair {
    int a = -1;
    int b = -1;

    bool between(int x, int y) const { return (x == a && y == b) || (x == b && y == a); }
};

/// Faces of both labels near their common border, sorted; `distance` becomes theirs from the border, and
/// stays infinite elsewhere.
std::vector<std::uint32_t> band_of(const FaceGraph& graph, const std::vector<int>& labels, const Pair& pair,
                                   double width, std::vector<double>& distance) {
    std::vector<std::uint32_t> faces;
    using Entry = std::pair<double, std::uint32_t>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
    const auto reach = [&](std::uint32_t face, double d) {
        if (d >= distance[face] || d > width) return;
        if (distance[face] == infinity) faces.push_back(face);
        distance[face] = d;
        queue.emplace(d, face);
    };
    for (const FaceLink& link : graph.links) {
        if (!pair.between(labels[link.a], labels[link.b])) continue;
        reach(link.a, 0);
        reach(link.b, 0);
    }
    while (!queue.empty()) {
        const auto [d, face] = queue.top();
        queue.pop();
        if (d > distance[face]) continue;
        for (const std::uint32_t l : graph.around[face]) {
            const std::uint32_t next = graph.across(l, face);
            if (labels[next] == pair.a || labels[next] == pair.b)
                reach(next, d + (graph.middles[next] - graph.middles[face]).norm());
        }
    }
    std::sort(faces.begin(), faces.end());
    return faces;
}

/// Cost of a border on this edge: short concave edges near the previous border are cheap.
double price(const FaceLink& link, double distance, double width) {
    const double hollow = link.bend > 0 ? 1 / (1 + 4 * link.bend) : 1 + 0.5 * -link.bend;
    return link.length * hollow * (1 + 0.5 * distance / width) + 1e-12;
}

/// Thickness of both sides near a border: an ear is thinner than a head.
class BandThickness {
  public:
    BandThickness(std::span<const double> values, const std::vector<int>& labels, const Pair& pair,
                  const std::vector<std::uint32_t>& faces)
        : values_(values) {
        if (values.empty()) return;
        std::vector<double> a, b;
        for (const std::uint32_t f : faces) (labels[f] == pair.a ? a : b).push_back(values[f]);
        a_ = median(std::move(a));
        b_ = median(std::move(b));
    }

    /// From -1, as thick as the first side, to 1, as thick as the second; 0 when both are.
    double leaning(std::uint32_t face) const {
        if (std::max(a_, b_) <= min_ratio * std::min(a_, b_) || std::min(a_, b_) <= 0) return 0;
        const double here = std::max(values_[face], 1e-300);
        return std::clamp(std::log(here * here / (a_ * b_)) / std::log(b_ / a_), -1.0, 1.0);
    }

  private:
    static constexpr double min_ratio = 1.6;  ///< less is not a difference
    std::span<const double> values_;
    double a_ = 0, b_ = 0;
};

/// The faces of a band on the side of `pair.a` by the minimum cut. Faces at the rim of the band stay.
void cut_band(const FaceGraph& graph, std::vector<int>& labels, const Pair& pair, const LabelBorder& border,
              double width, std::span<const double> thickness, const std::vector<std::uint32_t>& faces,
              const std::vector<double>& distance) {
    const BandThickness thick(thickness, labels, pair, faces);
    const auto index_in_cut = [&](std::uint32_t face) {
        return static_cast<std::uint32_t>(std::lower_bound(faces.begin(), faces.end(), face) - faces.begin());
    };
    MinCut cut(faces.size());
    for (std::uint32_t i = 0; i < faces.size(); ++i) {
        bool rim = false;
        for (const std::uint32_t l : graph.around[faces[i]]) {
            const std::uint32_t other = graph.across(l, faces[i]);
            // Beyond the band, or at a border to a third part, which does not move in this step.
            rim = rim || distance[other] == infinity;
            if (distance[other] < infinity && other > faces[i])
                cut.add_edge(i, index_in_cut(other),
                             price(graph.links[l], (distance[faces[i]] + distance[other]) / 2, width));
        }
        // On a tube, a shift by one radius costs as much as a border around it.
        const double wrong = graph.areas[faces[i]] / border.radius * thick.leaning(faces[i]);
        cut.add_terminal(i, std::max(-wrong, 0.0), std::max(wrong, 0.0));
        if (rim)
            cut.add_terminal(i, labels[faces[i]] == pair.a ? 1e9 : 0, labels[faces[i]] == pair.b ? 1e9 : 0);
    }
    cut.solve();
    bool any_a = false, any_b = false;
    for (std::uint32_t i = 0; i < faces.size(); ++i) (cut.on_first_side(i) ? any_a : any_b) = true;
    if (!any_a || !any_b) return;  // the band contains a whole part: nothing keeps it from vanishing
    for (std::uint32_t i = 0; i < faces.size(); ++i)
        labels[faces[i]] = cut.on_first_side(i) ? pair.a : pair.b;
}

}  // namespace

void smooth_borders(const FaceGraph& graph, std::vector<int>& labels, double band,
                    std::span<const double> thickness) {
    if (band <= 0 || labels.empty()) return;
    const auto count = static_cast<std::size_t>(*std::max_element(labels.begin(), labels.end())) + 1;
    const auto borders = label_borders(graph, labels, count);
    std::vector<double> distance(graph.size(), infinity);
    for (std::size_t a = 0; a < count; ++a) {
        for (const LabelBorder& border : borders[a]) {
            if (border.neighbour <= static_cast<int>(a)) continue;
            const Pair pair{static_cast<int>(a), border.neighbour};
            const double width = band * border.radius;
            const std::vector<std::uint32_t> faces = band_of(graph, labels, pair, width, distance);
            cut_band(graph, labels, pair, border, width, thickness, faces, distance);
            for (const std::uint32_t f : faces) distance[f] = infinity;
        }
    }
}

}  // namespace sinew::rig
