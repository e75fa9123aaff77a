#include "sinew/rig/bind/region_distance.h"

#include <algorithm>
#include <cmath>
#include <queue>

#include "sinew/base/array.h"
#include "sinew/base/parallel.h"
#include "sinew/math/types.h"

namespace sinew::rig {
namespace {

using math::infinity;

}  // namespace

double segment_distance(const Vec3d& point, const Vec3d& a, const Vec3d& b) {
    const Vec3d along = b - a;
    const double length2 = along.squaredNorm();
    const double t = length2 > 0 ? std::clamp((point - a).dot(along) / length2, 0.0, 1.0) : 0;
    return (a + t * along - point).norm();
}

RegionDistances::RegionDistances(const Regions& regions)
    : regions_(regions), children_(regions.parent.size()), place_(regions.parent.size(), 0) {
    for (std::size_t j = 0; j < regions.parent.size(); ++j) {
        if (regions.parent[j] < 0) continue;
        auto& sisters = children_[at(regions.parent[j])];
        place_[j] = static_cast<std::uint32_t>(sisters.size());
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
    return &values_[offsets_[vertex] + 1 + place_[at(boundary)]];
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
    /// A straight front over the triangle: its slope along the side a b gives its direction, and the value at
    /// c where the front comes from between a and b.
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

void simplified_distances(const RegionSurface& surface, const Regions& regions,
                          std::span<const BoundaryCurve> curves, RegionDistances& distances) {
    const auto to = [&](std::uint32_t v, int boundary) {
        const auto& corners = curves[at(boundary)].simplified;
        double least = infinity;
        for (std::size_t i = 0; i < corners.size(); ++i)
            least = std::min(
                least, segment_distance(surface.positions[v], corners[i], corners[(i + 1) % corners.size()]));
        *distances.find(v, boundary) = least;
    };
    parallel_for(surface.positions.size(), 256, [&](std::size_t i) {
        const auto v = static_cast<std::uint32_t>(i);
        const int region = regions.joint_of[v];
        if (region < 0) return;
        to(v, region);
        for (const int child : distances.children(region)) to(v, child);
    });
}

}  // namespace sinew::rig
