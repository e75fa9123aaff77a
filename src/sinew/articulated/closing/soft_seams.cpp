// SPDX-License-Identifier: MIT
#include <algorithm>

#include "sinew/articulated/closing/output.h"
#include "sinew/base/array.h"

namespace sinew::articulated {

namespace {

using Share = SoftSeams::Share;

constexpr std::size_t max_shares = 4;

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

/// Points within `most` edges of the first `order.size()` ones, in order of distance.
std::vector<int> edges_from(std::vector<std::uint32_t>& order, const geometry::Rows& neighbours,
                            int largest) {
    std::vector<int> edges(neighbours.size(), largest + 1);
    for (const std::uint32_t p : order) edges[p] = 0;
    for (std::size_t head = 0; head < order.size() && edges[order[head]] < largest; ++head) {
        for (const std::uint32_t q : neighbours[order[head]]) {
            if (edges[q] <= largest) continue;
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

/// The largest few shares, normalised to the sum 1.
void prune(std::vector<Share>& shares) {
    std::ranges::sort(shares, [](const Share& a, const Share& b) {
        return a.weight != b.weight ? a.weight > b.weight : a.part < b.part;
    });
    shares.resize(std::min(shares.size(), max_shares));
    double sum = 0;
    for (const Share& share : shares) sum += share.weight;
    for (Share& share : shares) share.weight /= sum;
}

/// 1 at 0, 0 from 1 on, with slope 0 at both ends.
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
    // Half steps to the mean of the neighbours spread shares over about sqrt(steps) edges.
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

BlendedPosition blend(std::span<const Share> shares, std::span<const math::Rigidd> world) {
    BlendedPosition blended;
    for (const Share& share : shares) {
        const math::Rigidd& w = world[at(share.part)];
        blended.rotation += share.weight * math::to_matrix(w.rotation);
        blended.shift += share.weight * w.translation;
    }
    return blended;
}

std::vector<SoftPoint> soft_vertices(const PartBody& body, const SplitVertices& split,
                                     const SoftSeams& soft) {
    std::vector<SoftPoint> found;
    for (std::uint32_t v = 0; v < split.source.size(); ++v) {
        const std::uint32_t point = body.cut.point_of[split.source[v]];
        if (split.part[v] >= 0 && soft.soft(point)) found.push_back({v, soft.shares(split.part[v], point)});
    }
    return found;
}

std::vector<SoftPoint> soft_points(const GapSide& side, const SoftSeams& soft) {
    std::vector<SoftPoint> found;
    for (std::uint32_t i = 0; i < side.points.size(); ++i)
        if (soft.soft(side.points[i])) found.push_back({i, soft.shares(side.part, side.points[i])});
    return found;
}

void move_soft(const PartBody& body, const SplitVertices& split, const std::vector<SoftPoint>& vertices,
               const std::vector<geometry::Vec3f>& rest_normals, std::span<const math::Rigidd> world,
               geometry::Mesh& mesh) {
    for (const SoftPoint& vertex : vertices) {
        const BlendedPosition blended = blend(vertex.shares, world);
        const std::uint32_t from = split.source[vertex.index];
        mesh.positions[vertex.index] =
            Vec3d(blended * body.mesh.positions[from].cast<double>()).cast<float>();
        const Vec3d normal = blended.rotation * rest_normals[from].cast<double>();
        if (normal.norm() > 0) mesh.normals[vertex.index] = normal.normalized().cast<float>();
    }
}

std::vector<Vec3d> bent_points(const PartBody& body, const GapSide& side, const std::vector<SoftPoint>& soft,
                               std::span<const math::Rigidd> world) {
    std::vector<Vec3d> bent;
    if (soft.empty()) return bent;
    for (const std::uint32_t point : side.points) bent.push_back(body.cut.points[point]);
    const math::Rigidd back = world[at(side.part)].inverse();
    for (const SoftPoint& point : soft)
        bent[point.index] = back * (blend(point.shares, world) * bent[point.index]);
    return bent;
}

}  // namespace sinew::articulated
