#include "sinew/deform/parts/gap_untangle.h"

#include <algorithm>

#include "sinew/deform/parts/gap_crossings.h"
#include "sinew/deform/parts/gap_diagonals.h"

namespace sinew::deform {
namespace {

using geometry::Triangle;
using Pairs = std::vector<std::array<std::uint32_t, 2>>;

/// The new points of the triangles in `pairs` and `rings` of neighbours; `around` has the triangles of
/// points.
std::vector<std::uint32_t> region_of(const StripPatch& patch, const geometry::Rows& around,
                                     const Pairs& pairs, int rings) {
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
            for (const std::uint32_t t : around[region[from]])
                for (const std::uint32_t p : patch.triangles[t]) add(p);
    }
    std::erase_if(region, [&](std::uint32_t p) { return p < patch.loop_points(); });
    std::ranges::sort(region);
    return region;
}

/// The corner of a triangle that follows one of its points.
std::uint32_t next_corner(const Triangle& t, std::uint32_t point) {
    return t[0] == point ? t[1] : t[1] == point ? t[2] : t[0];
}

/// New points go half the way to the middle of their neighbours, each the next corner of one triangle.
void smooth(StripPatch& patch, const geometry::Rows& around, const std::vector<std::uint32_t>& region) {
    std::vector<Vec3d> moved;
    for (const std::uint32_t p : region) {
        Vec3d sum = Vec3d::Zero();
        for (const std::uint32_t t : around[p]) sum += patch.points[next_corner(patch.triangles[t], p)];
        moved.push_back((patch.points[p] + sum / static_cast<double>(around[p].size())) / 2);
    }
    for (std::size_t i = 0; i < region.size(); ++i) patch.points[region[i]] = moved[i];
}

/// Triangles with a common edge.
Pairs neighbours(const std::vector<Triangle>& triangles, const geometry::Rows& around) {
    Pairs pairs;
    for (std::uint32_t t = 0; t < triangles.size(); ++t) {
        for (std::size_t k = 0; k < 3; ++k) {
            const std::uint32_t a = triangles[t][k], b = triangles[t][(k + 1) % 3];
            for (const std::uint32_t u : around[b])
                if (u > t && next_corner(triangles[u], b) == a) pairs.push_back({t, u});
        }
    }
    return pairs;
}

/// Neighbours that lie nearly on each other: a crease sharper than any joint makes.
void add_folds(const StripPatch& patch, const Pairs& neighbours, Pairs& pairs) {
    constexpr double sharp = -0.3;  // cosine between the normals
    std::vector<Vec3d> normals;
    for (const Triangle& t : patch.triangles) {
        const Vec3d& a = patch.points[t[0]];
        normals.push_back((patch.points[t[1]] - a).cross(patch.points[t[2]] - a));
    }
    for (const auto& [t, u] : neighbours) {
        const double dot = normals[t].dot(normals[u]);
        if (dot < 0 && dot * dot > sharp * sharp * normals[t].squaredNorm() * normals[u].squaredNorm())
            pairs.push_back({t, u});
    }
}

}  // namespace

std::size_t untangle(StripPatch& patch, int rounds) {
    SelfCrossings crossings(patch.points, patch.triangles);
    std::size_t crossing = crossings.pairs().size();
    // As many pairs as triangles are no fold but a knot.
    if (rounds <= 0 || crossing > patch.triangles.size()) return crossing;
    const geometry::Rows around = geometry::vertex_triangles(patch.points.size(), patch.triangles);
    const Pairs edges = neighbours(patch.triangles, around);
    const auto faults = [&] {
        Pairs pairs = crossings.pairs();
        add_folds(patch, edges, pairs);
        return pairs;
    };
    Pairs pairs = faults();
    std::size_t least = pairs.size();
    std::vector<Vec3d> best = patch.points;
    const double good = std::min(worst_quality(patch), 0.02);  // no slivers for crossings
    // Loops that go through each other leave nothing to gain: two rounds without any are enough.
    for (int round = 0, idle = 0; round < rounds && idle < 2 && !pairs.empty(); ++round) {
        const std::vector<std::uint32_t> region = region_of(patch, around, pairs, 1 + round / 2);
        if (region.empty()) break;
        for (int step = 0; step < 2; ++step) smooth(patch, around, region);
        crossings.update(region);
        pairs = faults();
        const bool better =
            crossings.pairs().size() <= crossing && pairs.size() < least && worst_quality(patch) >= good;
        idle = better ? 0 : idle + 1;
        if (!better) continue;
        least = pairs.size();
        crossing = crossings.pairs().size();
        best = patch.points;
    }
    patch.points = std::move(best);
    return crossing;
}

}  // namespace sinew::deform
