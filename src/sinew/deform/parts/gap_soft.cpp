#include "sinew/deform/parts/gap_soft.h"

#include <algorithm>

#include "sinew/base/array.h"

namespace sinew::deform {
namespace {

using Share = SoftSeams::Share;

constexpr std::size_t most_shares = 4;

/// Points of closed seams that may not be removed.
std::vector<std::uint32_t> stuck_points(const std::vector<Gap>& gaps) {
    std::vector<std::uint32_t> stuck;
    for (const Gap& gap : gaps)
        for (std::size_t i = 0; i < gap.loop_size && gap.closed; ++i)
            if (!gap.sides[0].removable[i]) stuck.push_back(gap.sides[0].points[i]);
    std::ranges::sort(stuck);
    stuck.erase(std::unique(stuck.begin(), stuck.end()), stuck.end());
    return stuck;
}

/// Points within `most` edges of the first `order.size()` ones, in the order of their distance.
std::vector<int> edges_from(std::vector<std::uint32_t>& order, const geometry::Rows& neighbours, int most) {
    std::vector<int> edges(neighbours.size(), most + 1);
    for (const std::uint32_t p : order) edges[p] = 0;
    for (std::size_t head = 0; head < order.size() && edges[order[head]] < most; ++head) {
        for (const std::uint32_t q : neighbours[order[head]]) {
            if (edges[q] <= most) continue;
            edges[q] = edges[order[head]] + 1;
            order.push_back(q);
        }
    }
    return edges;
}

double& weight_of(std::vector<Share>& shares, int part) {
    const auto found = std::ranges::find(shares, part, &Share::part);
    if (found != shares.end()) return found->weight;
    shares.push_back({part, 0});
    return shares.back().weight;
}

void add(std::vector<Share>& sum, const std::vector<Share>& more, double factor) {
    for (const Share& share : more) weight_of(sum, share.part) += factor * share.weight;
}

/// The parts of the triangles around a point.
std::vector<Share> shares_around(const geometry::CutMesh& cut, std::span<const std::uint32_t> triangles) {
    std::vector<Share> shares;
    for (const std::uint32_t t : triangles)
        weight_of(shares, cut.part_of[t]) += 1 / static_cast<double>(triangles.size());
    return shares;
}

/// The largest few, summing to 1.
void prune(std::vector<Share>& shares) {
    std::ranges::sort(shares, [](const Share& a, const Share& b) {
        return a.weight != b.weight ? a.weight > b.weight : a.part < b.part;
    });
    shares.resize(std::min(shares.size(), most_shares));
    double sum = 0;
    for (const Share& share : shares) sum += share.weight;
    for (Share& share : shares) share.weight /= sum;
}

/// 1 at 0, 0 from 1 on, level at both ends.
double fall(double x) {
    const double t = std::clamp(1 - x, 0.0, 1.0);
    return t * t * (3 - 2 * t);
}

}  // namespace

SoftSeams::SoftSeams(const PartBody& body, const std::vector<Gap>& gaps, int reach) {
    std::vector<std::uint32_t> region = stuck_points(gaps);
    if (region.empty() || reach <= 0) return;
    const std::size_t count = body.cut.points.size();
    const geometry::Rows neighbours = geometry::vertex_neighbors(count, body.cut.triangles);
    const geometry::Rows triangles = geometry::vertex_triangles(count, body.cut.triangles);
    const std::vector<int> edges = edges_from(region, neighbours, reach);
    softness_.assign(count, 0);
    shares_.resize(count);
    for (const std::uint32_t p : region) softness_[p] = fall(static_cast<double>(edges[p]) / reach);
    for (const std::uint32_t p : region) {
        shares_[p] = shares_around(body.cut, triangles[p]);
        for (const std::uint32_t q : neighbours[p])
            if (shares_[q].empty()) shares_[q] = shares_around(body.cut, triangles[q]);
    }
    // Steps of half the way to the mean of the neighbours spread shares over about sqrt(steps) edges.
    std::vector<std::vector<Share>> next(region.size());
    for (int step = 0; step < reach * reach / 2; ++step) {
        for (std::size_t i = 0; i < region.size(); ++i) {
            const auto around = neighbours[region[i]];
            next[i] = shares_[region[i]];
            for (Share& share : next[i]) share.weight /= 2;
            for (const std::uint32_t q : around)
                add(next[i], shares_[q], 0.5 / static_cast<double>(around.size()));
        }
        for (std::size_t i = 0; i < region.size(); ++i) std::swap(shares_[region[i]], next[i]);
    }
    for (const std::uint32_t p : region) prune(shares_[p]);
}

std::vector<Share> SoftSeams::shares(int part, std::uint32_t point) const {
    std::vector<Share> shares;
    if (!soft(point)) return {{part, 1}};
    if (softness_[point] < 1) shares.push_back({part, 1 - softness_[point]});
    add(shares, shares_[point], softness_[point]);
    prune(shares);
    std::ranges::sort(shares, {}, &Share::part);
    return shares;
}

BlendedPlace blend(std::span<const Share> shares, std::span<const math::Rigidd> world) {
    BlendedPlace place;
    for (const Share& share : shares) {
        const math::Rigidd& w = world[at(share.part)];
        place.turn += share.weight * math::to_matrix(w.rotation);
        place.shift += share.weight * w.translation;
    }
    return place;
}

}  // namespace sinew::deform
