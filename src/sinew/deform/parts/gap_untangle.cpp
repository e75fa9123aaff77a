#include "sinew/deform/parts/gap_untangle.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <unordered_map>

#include "sinew/geometry/triangle_cross.h"

namespace sinew::deform {
namespace {

using geometry::Triangle;

/// A triangle of a sweep; its box, the first axis being the one of the sweep.
struct Swept {
    std::array<double, 3> low, high;
    std::uint32_t triangle;
    bool moved;

    bool apart_beside(const Swept& other) const {
        return (low[1] > other.high[1]) | (other.low[1] > high[1]) | (low[2] > other.high[2]) |
               (other.low[2] > high[2]);
    }
};

/// Takes away what is beside the box of all that moved.
void leave_out_far(std::vector<Swept>& sweep) {
    Swept box{{}, {}, 0, true};
    box.low.fill(std::numeric_limits<double>::infinity());
    box.high.fill(-std::numeric_limits<double>::infinity());
    for (const Swept& swept : sweep) {
        for (std::size_t i = 0; swept.moved && i < 3; ++i) {
            box.low[i] = std::min(box.low[i], swept.low[i]);
            box.high[i] = std::max(box.high[i], swept.high[i]);
        }
    }
    std::erase_if(sweep, [&](const Swept& swept) {
        return swept.low[0] > box.high[0] || swept.high[0] < box.low[0] || swept.apart_beside(box);
    });
}

/// In rising order along the longest axis of the surface, so that only neighbours are looked at.
std::vector<Swept> sweep_of(const std::vector<Vec3d>& points, const std::vector<Triangle>& triangles,
                            const std::vector<std::uint8_t>& moved) {
    Vec3d low = Vec3d::Constant(std::numeric_limits<double>::infinity()), high = -low;
    for (const Vec3d& point : points) {
        low = low.cwiseMin(point);
        high = high.cwiseMax(point);
    }
    Eigen::Index longest = 0;
    if (!points.empty()) (high - low).maxCoeff(&longest);
    std::vector<Swept> sweep(triangles.size());
    for (std::uint32_t t = 0; t < triangles.size(); ++t) {
        const Triangle& c = triangles[t];
        Swept& swept = sweep[t];
        swept.triangle = t;
        swept.moved = moved.empty() || moved[c[0]] || moved[c[1]] || moved[c[2]];
        for (std::size_t i = 0; i < 3; ++i) {
            const auto axis = (longest + static_cast<Eigen::Index>(i)) % 3;
            const double x = points[c[0]][axis], y = points[c[1]][axis], z = points[c[2]][axis];
            swept.low[i] = std::min({x, y, z});
            swept.high[i] = std::max({x, y, z});
        }
    }
    if (!moved.empty()) leave_out_far(sweep);
    std::ranges::sort(sweep, {}, [](const Swept& s) { return std::pair(s.low[0], s.triangle); });
    return sweep;
}

/// The sweep in strips along its second axis, each about two triangles wide; a triangle is in every strip
/// that it touches.
struct Strips {
    double low = 0;
    double width = 1;
    std::vector<std::vector<Swept>> lists;

    std::size_t index(double place) const {
        return std::min(static_cast<std::size_t>(std::max(0.0, (place - low) / width)), lists.size() - 1);
    }
};

Strips strips_of(const std::vector<Swept>& sweep) {
    Strips strips;
    if (sweep.empty()) return strips;
    double high = sweep[0].high[1], extents = 0;
    strips.low = sweep[0].low[1];
    for (const Swept& swept : sweep) {
        strips.low = std::min(strips.low, swept.low[1]);
        high = std::max(high, swept.high[1]);
        extents += swept.high[1] - swept.low[1];
    }
    const double usual = 2 * extents / static_cast<double>(sweep.size());
    const double count = usual > 0 ? std::clamp((high - strips.low) / usual, 1.0, 256.0) : 1.0;
    strips.lists.resize(static_cast<std::size_t>(count));
    strips.width = std::max((high - strips.low) / std::floor(count), std::numeric_limits<double>::min());
    for (const Swept& swept : sweep)
        for (std::size_t k = strips.index(swept.low[1]); k <= strips.index(swept.high[1]); ++k)
            strips.lists[k].push_back(swept);
    return strips;
}

bool share_a_corner(const Triangle& s, const Triangle& t) {
    bool shared = false;  // without branches: half of all neighbours do
    for (const std::uint32_t p : s) shared |= (p == t[0]) | (p == t[1]) | (p == t[2]);
    return shared;
}

geometry::TriangleCorners corners_of(const std::vector<Vec3d>& points, const Triangle& t) {
    return {points[t[0]], points[t[1]], points[t[2]]};
}

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

std::vector<std::array<std::uint32_t, 2>> self_crossings(const std::vector<Vec3d>& points,
                                                         const std::vector<Triangle>& triangles,
                                                         const std::vector<std::uint8_t>& moved) {
    std::vector<std::array<std::uint32_t, 2>> pairs;
    const Strips strips = strips_of(sweep_of(points, triangles, moved));
    for (std::size_t k = 0; k < strips.lists.size(); ++k) {
        const std::vector<Swept>& list = strips.lists[k];
        for (auto a = list.begin(); a != list.end(); ++a) {
            for (auto b = a + 1; b != list.end() && b->low[0] <= a->high[0]; ++b) {
                if (a->apart_beside(*b) || !(a->moved || b->moved)) continue;
                if (strips.index(std::max(a->low[1], b->low[1])) != k) continue;  // seen in another strip
                const Triangle &s = triangles[a->triangle], &t = triangles[b->triangle];
                if (share_a_corner(s, t)) continue;
                if (geometry::triangles_cross(corners_of(points, s), corners_of(points, t)))
                    pairs.push_back({std::min(a->triangle, b->triangle), std::max(a->triangle, b->triangle)});
            }
        }
    }
    std::ranges::sort(pairs);
    return pairs;
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

namespace {

/// Crossings after some points moved: those of triangles that stayed are as they were.
std::vector<std::array<std::uint32_t, 2>> crossings_after(
    const StripPatch& patch, const std::vector<std::uint32_t>& region,
    const std::vector<std::array<std::uint32_t, 2>>& before) {
    std::vector<std::uint8_t> moved(patch.points.size(), 0);
    for (const std::uint32_t p : region) moved[p] = 1;
    const auto stayed = [&](std::uint32_t t) {
        return std::ranges::none_of(patch.triangles[t], [&](std::uint32_t p) { return moved[p] != 0; });
    };
    auto pairs = self_crossings(patch.points, patch.triangles, moved);
    std::ranges::copy_if(before, std::back_inserter(pairs),
                         [&](const auto& pair) { return stayed(pair[0]) && stayed(pair[1]); });
    std::ranges::sort(pairs);
    return pairs;
}

}  // namespace

std::size_t untangle(StripPatch& patch, int rounds) {
    auto pairs = self_crossings(patch.points, patch.triangles);
    // As many pairs as triangles are no fold but a knot.
    if (pairs.empty() || rounds <= 0 || pairs.size() > patch.triangles.size()) return pairs.size();
    const geometry::Rows around = geometry::vertex_neighbors(patch.points.size(), patch.triangles);
    std::size_t least = pairs.size();
    std::vector<Vec3d> best = patch.points;
    const double good = std::min(worst_quality(patch), 0.02);  // no slivers for crossings
    // Loops that go through each other leave nothing to gain: two rounds without any are enough.
    for (int round = 0, idle = 0; round < rounds && idle < 2 && !pairs.empty(); ++round) {
        const std::vector<std::uint32_t> region = region_of(patch, around, pairs, 1 + round / 2);
        if (region.empty()) break;
        for (int step = 0; step < 2; ++step) smooth(patch, around, region);
        pairs = crossings_after(patch, region, pairs);
        const bool better = pairs.size() < least && worst_quality(patch) >= good;
        idle = better ? 0 : idle + 1;
        if (!better) continue;
        least = pairs.size();
        best = patch.points;
    }
    patch.points = std::move(best);
    return least;
}

}  // namespace sinew::deform
