#include "sinew/deform/parts/gap_untangle.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "sinew/deform/parts/gap_crossings.h"

namespace sinew::deform {
namespace {

using geometry::Triangle;

/// 4 sqrt(3) area / sum of squared sides: 1 for an equilateral triangle.
double quality(const Vec3d& a, const Vec3d& b, const Vec3d& c) {
    const double sides = (b - a).squaredNorm() + (c - b).squaredNorm() + (a - c).squaredNorm();
    return sides > 0 ? 2 * std::sqrt(3.0) * (b - a).cross(c - a).norm() / sides : 0;
}

/// The triangle on the left of each directed edge.
using EdgeOwners = std::unordered_map<std::uint64_t, std::size_t>;

std::uint64_t edge(std::uint32_t from, std::uint32_t to) {
    return (std::uint64_t{from} << 32) | to;
}

EdgeOwners owners_of(const std::vector<Triangle>& triangles) {
    EdgeOwners owners;
    owners.reserve(3 * triangles.size());
    for (std::size_t t = 0; t < triangles.size(); ++t)
        for (std::size_t k = 0; k < 3; ++k) owners[edge(triangles[t][k], triangles[t][(k + 1) % 3])] = t;
    return owners;
}

/// The new points among `seeds` and `rings` of neighbours around them.
std::vector<std::uint32_t> region_of(const StripPatch& patch, const geometry::Rows& around,
                                     const std::vector<std::array<std::uint32_t, 2>>& pairs, int rings) {
    std::vector<std::uint8_t> in(patch.points.size(), 0);
    std::vector<std::uint32_t> region;
    const auto add = [&](std::uint32_t p) {
        if (!in[p]) region.push_back(p);
        in[p] = 1;
    };
    for (const auto& pair : pairs)
        for (const std::uint32_t t : pair)
            for (const std::uint32_t p : patch.triangles[t]) add(p);
    for (std::size_t from = 0; rings-- > 0;) {
        const std::size_t to = region.size();
        for (; from < to; ++from)
            for (const std::uint32_t p : around[region[from]]) add(p);
    }
    std::erase_if(region, [&](std::uint32_t p) { return p < patch.loop_points(); });
    std::ranges::sort(region);
    return region;
}

void smooth(StripPatch& patch, const geometry::Rows& around, const std::vector<std::uint32_t>& region) {
    std::vector<Vec3d> moved;
    for (const std::uint32_t p : region) {
        Vec3d mean = Vec3d::Zero();
        for (const std::uint32_t n : around[p])
            mean += patch.points[n] / static_cast<double>(around[p].size());
        moved.push_back(around[p].empty() ? patch.points[p] : mean);
    }
    for (std::size_t i = 0; i < region.size(); ++i)
        patch.points[region[i]] = (patch.points[region[i]] + moved[i]) / 2;
}

}  // namespace

double worst_quality(const StripPatch& patch) {
    double worst = 1;
    for (const Triangle& t : patch.triangles)
        worst = std::min(worst, quality(patch.points[t[0]], patch.points[t[1]], patch.points[t[2]]));
    return worst;
}

std::size_t turn_diagonals(StripPatch& patch, double least_quality) {
    if (worst_quality(patch) >= least_quality) return 0;
    EdgeOwners owners = owners_of(patch.triangles);
    const auto at = [&](std::uint32_t p) -> const Vec3d& { return patch.points[p]; };
    std::size_t turns = 0;
    const auto turn = [&](std::size_t t, std::size_t k) {
        const std::uint32_t a = patch.triangles[t][k], b = patch.triangles[t][(k + 1) % 3],
                            c = patch.triangles[t][(k + 2) % 3];
        const auto other = owners.find(edge(b, a));
        if (other == owners.end()) return false;
        const Triangle& o = patch.triangles[other->second];
        const std::uint32_t d = o[0] + o[1] + o[2] - a - b;
        // An edge between two points of one loop may exist in a part.
        const bool loops = c < patch.loop_points() && d < patch.loop_points();
        if (loops || c == d || owners.contains(edge(c, d)) || owners.contains(edge(d, c))) return false;
        const double before = std::min(quality(at(a), at(b), at(c)), quality(at(b), at(a), at(d)));
        const double after = std::min(quality(at(a), at(d), at(c)), quality(at(d), at(b), at(c)));
        const Vec3d n = (at(d) - at(a)).cross(at(c) - at(a)), m = (at(b) - at(d)).cross(at(c) - at(d));
        const Vec3d old = (at(b) - at(a)).cross(at(c) - at(a)) + (at(a) - at(b)).cross(at(d) - at(b));
        if (after <= before || n.dot(m) <= 0 || n.dot(old) <= 0) return false;
        const std::size_t u = other->second;
        owners.erase(edge(a, b));
        owners.erase(edge(b, a));
        patch.triangles[t] = {a, d, c};
        patch.triangles[u] = {d, b, c};
        for (const std::size_t f : {t, u})
            for (std::size_t i = 0; i < 3; ++i)
                owners[edge(patch.triangles[f][i], patch.triangles[f][(i + 1) % 3])] = f;
        ++turns;
        return true;
    };
    // Every turn makes the worse of two triangles better: it ends, and mostly at once.
    for (std::size_t before = turns + 1, round = 0; before != turns && round < 8; ++round) {
        before = turns;
        for (std::size_t t = 0; t < patch.triangles.size(); ++t) {
            const Triangle c = patch.triangles[t];
            if (quality(at(c[0]), at(c[1]), at(c[2])) >= least_quality) continue;
            for (std::size_t k = 0; k < 3; ++k)
                if (turn(t, k)) break;
        }
    }
    return turns;
}

std::size_t untangle(StripPatch& patch, int rounds) {
    SelfCrossings crossings(patch.points, patch.triangles);
    std::size_t least = crossings.pairs().size();
    // As many pairs as triangles are no fold but a knot.
    if (least == 0 || rounds <= 0 || least > patch.triangles.size()) return least;
    const geometry::Rows around = geometry::vertex_neighbors(patch.points.size(), patch.triangles);
    std::vector<Vec3d> best = patch.points;
    const double good = std::min(worst_quality(patch), 0.02);  // no slivers for crossings
    // Loops that go through each other leave nothing to gain: two rounds without any are enough.
    for (int round = 0, idle = 0; round < rounds && idle < 2 && !crossings.pairs().empty(); ++round) {
        const std::vector<std::uint32_t> region = region_of(patch, around, crossings.pairs(), 1 + round / 2);
        if (region.empty()) break;
        for (int step = 0; step < 2; ++step) smooth(patch, around, region);
        crossings.update(region);
        const bool better = crossings.pairs().size() < least && worst_quality(patch) >= good;
        idle = better ? 0 : idle + 1;
        if (!better) continue;
        least = crossings.pairs().size();
        best = patch.points;
    }
    patch.points = std::move(best);
    return least;
}

}  // namespace sinew::deform
