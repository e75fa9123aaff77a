#include "sinew/deform/parts/gap_untangle.h"

#include <algorithm>

#include "sinew/deform/parts/gap_crossings.h"
#include "sinew/deform/parts/gap_diagonals.h"

namespace sinew::deform {
namespace {

using geometry::Triangle;

/// The new points of the triangles in `pairs` and `rings` of neighbours; `around` has the triangles of
/// points.
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

}  // namespace

std::size_t untangle(StripPatch& patch, int rounds) {
    SelfCrossings crossings(patch.points, patch.triangles);
    std::size_t least = crossings.pairs().size();
    // As many pairs as triangles are no fold but a knot.
    if (least == 0 || rounds <= 0 || least > patch.triangles.size()) return least;
    const geometry::Rows around = geometry::vertex_triangles(patch.points.size(), patch.triangles);
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
