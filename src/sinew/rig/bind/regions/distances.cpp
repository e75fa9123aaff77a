// SPDX-License-Identifier: MIT
#include "sinew/rig/bind/regions/distances.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <queue>

#include "sinew/base/array.h"
#include "sinew/base/parallel.h"
#include "sinew/math/types.h"

namespace sinew::rig {
namespace {

/// The joint whose boundary an edge crosses, or -1.
int boundary_of(const RegionSurface& surface, const Regions& regions, std::uint32_t e) {
    const geometry::Edge& edge = surface.edges.edges[e];
    const int a = regions.joint_of[edge.a], b = regions.joint_of[edge.b];
    if (a == b || a < 0 || b < 0) return -1;
    if (regions.parent[at(a)] == b) return a;
    return regions.parent[at(b)] == a ? b : -1;
}

/// Where the cut crosses the edge; the midpoint where the regions meet without a cut.
Vec3d crossing(const RegionSurface& surface, const Regions& regions, std::uint32_t e, int joint,
               const JointCut& cut) {
    const geometry::Edge& edge = surface.edges.edges[e];
    const Vec3d &a = surface.positions[edge.a], &b = surface.positions[edge.b];
    double t = 0.5;
    if (regions.kind[at(joint)] == BoundaryKind::nearest) {
        if (const auto known = regions.crossings.find(e); known != regions.crossings.end()) t = known->second;
    } else if (cut.surface && cut.surface->beyond(a) != cut.surface->beyond(b)) {
        // Not on a vertex: a distance of exactly 0 would belong to both sides.
        t = std::clamp(cut.surface->crossing(a, b), 1e-6, 1 - 1e-6);
    }
    return a + t * (b - a);
}

void measure(BoundaryCurve& curve) {
    Vec3d middle = Vec3d::Zero();
    double length = 0;
    for (const CurvePiece& piece : curve.pieces) {
        const double l = (piece.to - piece.from).norm();
        middle += l * (piece.from + piece.to) / 2;
        length += l;
    }
    if (!(length > 0)) return;
    middle /= length;
    for (const CurvePiece& piece : curve.pieces)
        curve.radius +=
            (piece.to - piece.from).norm() * ((piece.from + piece.to) / 2 - middle).norm() / length;
}

}  // namespace

std::vector<BoundaryCurve> boundary_curves(const RegionSurface& surface, const Regions& regions,
                                           std::span<const JointCut> cuts) {
    std::vector<BoundaryCurve> curves(regions.parent.size());
    for (std::uint32_t t = 0; t < surface.triangles.size(); ++t) {
        const auto& corners = surface.triangles[t];
        const int first = regions.joint_of[corners[0]];
        if (regions.joint_of[corners[1]] == first && regions.joint_of[corners[2]] == first) continue;
        // At most two regions meet in a triangle: neighbours are parent and child, and a tree has no cycle of
        // three.
        std::vector<std::uint32_t> crossed;
        int joint = -1;
        for (const std::uint32_t e : surface.triangle_edges[t]) {
            const int j = boundary_of(surface, regions, e);
            if (j < 0) continue;
            joint = j;
            crossed.push_back(e);
        }
        if (crossed.size() != 2) continue;
        const JointCut& cut = cuts[at(joint)];
        curves[at(joint)].pieces.push_back({t,
                                            {crossed[0], crossed[1]},
                                            crossing(surface, regions, crossed[0], joint, cut),
                                            crossing(surface, regions, crossed[1], joint, cut)});
    }
    for (BoundaryCurve& curve : curves) measure(curve);
    return curves;
}

std::vector<std::vector<Vec3d>> joined_lines(const BoundaryCurve& curve) {
    std::multimap<std::uint32_t, std::size_t> at_edge;
    for (std::size_t i = 0; i < curve.pieces.size(); ++i)
        for (const std::uint32_t e : curve.pieces[i].edges) at_edge.emplace(e, i);
    std::vector<char> used(curve.pieces.size(), 0);
    const auto follow = [&](std::size_t piece, std::uint32_t edge) {
        std::vector<Vec3d> line;
        for (bool more = true; more;) {
            used[piece] = 1;
            const CurvePiece& p = curve.pieces[piece];
            const bool forward = p.edges[0] == edge;
            line.push_back(forward ? p.from : p.to);
            edge = forward ? p.edges[1] : p.edges[0];
            more = false;
            const auto [begin, end] = at_edge.equal_range(edge);
            for (auto next = begin; next != end && !more; ++next) {
                if (used[next->second] != 0) continue;
                piece = next->second;
                more = true;
            }
            if (!more && !(line.size() > 2)) line.push_back(forward ? p.to : p.from);
        }
        return line;
    };
    std::vector<std::vector<Vec3d>> lines;
    // Open lines first, from an end; then closed ones.
    for (std::size_t i = 0; i < curve.pieces.size(); ++i)
        for (const std::uint32_t e : curve.pieces[i].edges)
            if (used[i] == 0 && at_edge.count(e) == 1) lines.push_back(follow(i, e));
    for (std::size_t i = 0; i < curve.pieces.size(); ++i)
        if (used[i] == 0) lines.push_back(follow(i, curve.pieces[i].edges[0]));
    return lines;
}

namespace {

using math::infinity;

double segment_distance(const Vec3d& point, const Vec3d& a, const Vec3d& b) {
    const Vec3d along = b - a;
    const double length2 = along.squaredNorm();
    const double t = length2 > 0 ? std::clamp((point - a).dot(along) / length2, 0.0, 1.0) : 0;
    return (a + t * along - point).norm();
}

}  // namespace

RegionDistances::RegionDistances(const Regions& regions)
    : regions_(regions), children_(regions.parent.size()), rank_(regions.parent.size(), 0) {
    for (std::size_t j = 0; j < regions.parent.size(); ++j) {
        if (regions.parent[j] < 0) continue;
        auto& sisters = children_[at(regions.parent[j])];
        rank_[j] = static_cast<std::uint32_t>(sisters.size());
        sisters.push_back(static_cast<int>(j));
    }
    offsets_.reserve(regions.joint_of.size() + 1);
    offsets_.push_back(0);
    for (const int j : regions.joint_of)
        offsets_.push_back(offsets_.back() + (j < 0 ? 0 : 1 + children_[at(j)].size()));
    values_.assign(offsets_.back(), infinity);
}

double* RegionDistances::find(std::uint32_t vertex, int boundary) {
    const int region = regions_.joint_of[vertex];
    if (region == boundary) return &values_[offsets_[vertex]];
    if (region < 0 || regions_.parent[at(boundary)] != region) return nullptr;
    return &values_[offsets_[vertex] + 1 + rank_[at(boundary)]];
}

namespace {

/// Distances from one curve spread over the skin, nearest first.
class March {
  public:
    March(const RegionSurface& surface, RegionDistances& distances, int boundary)
        : surface_(surface), distances_(distances), boundary_(boundary) {}

    void seed(const CurvePiece& piece) {
        for (const std::uint32_t v : surface_.triangles[piece.triangle])
            offer(v, segment_distance(surface_.positions[v], piece.from, piece.to));
    }
    void run() {
        while (!front_.empty()) {
            const auto [d, v] = front_.top();
            front_.pop();
            if (d > *distances_.find(v, boundary_)) continue;
            for (const std::uint32_t t : surface_.vertex_triangles[v]) spread(v, d, surface_.triangles[t]);
        }
    }

  private:
    void offer(std::uint32_t v, double d) {
        double* const known = distances_.find(v, boundary_);
        if (known == nullptr || d >= *known) return;
        *known = d;
        front_.emplace(d, v);
    }
    void spread(std::uint32_t v, double d, const geometry::Triangle& t) {
        for (std::size_t k = 0; k < 3; ++k) {
            if (t[k] == v) continue;
            const std::uint32_t w = t[k], other = t[0] + t[1] + t[2] - v - w;
            offer(w, d + (surface_.positions[w] - surface_.positions[v]).norm());
            const double* const beside = distances_.find(other, boundary_);
            if (beside != nullptr && std::isfinite(*beside)) offer(w, over(v, d, other, *beside, w));
        }
    }
    /// A straight front over the triangle: the slope along the side a b gives its direction, and from that
    /// the value at c, if the front arrives between a and b.
    double over(std::uint32_t a, double da, std::uint32_t b, double db, std::uint32_t c) const {
        const Vec3d ab = surface_.positions[b] - surface_.positions[a];
        const Vec3d ac = surface_.positions[c] - surface_.positions[a];
        const double length = ab.norm();
        if (!(length > 0)) return infinity;
        const double slope = (db - da) / length;
        if (std::abs(slope) >= 1) return infinity;
        const double x = ac.dot(ab) / length;
        const double y = std::sqrt(std::max(0.0, ac.squaredNorm() - x * x));
        const double rise = std::sqrt(1 - slope * slope);
        const double origin = x - slope * y / rise;
        if (origin < 0 || origin > length) return infinity;
        const double d = da + x * slope + y * rise;
        return d > da ? d : infinity;
    }

    const RegionSurface& surface_;
    RegionDistances& distances_;
    int boundary_;
    using Step = std::pair<double, std::uint32_t>;
    std::priority_queue<Step, std::vector<Step>, std::greater<>> front_;
};

}  // namespace

void geodesic_distances(const RegionSurface& surface, std::span<const BoundaryCurve> curves,
                        RegionDistances& distances) {
    parallel_for(curves.size(), 1, [&](std::size_t j) {
        March march(surface, distances, static_cast<int>(j));
        for (const CurvePiece& piece : curves[j].pieces) march.seed(piece);
        march.run();
    });
}

}  // namespace sinew::rig
