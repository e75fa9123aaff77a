// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>

#include "sinew/articulated/closing/stages.h"
#include "sinew/geometry/surface_queries.h"

namespace sinew::articulated {

using geometry::Triangle;
using math::Vec3d;

namespace {

bool share_a_corner(const Triangle& s, const Triangle& t) {
    bool shared = false;  // branch-free, because half of all neighbours share a corner
    for (const std::uint32_t p : s) shared |= (p == t[0]) | (p == t[1]) | (p == t[2]);
    return shared;
}

geometry::TriangleCorners corners_of(const std::vector<Vec3d>& points, const Triangle& t) {
    return {points[t[0]], points[t[1]], points[t[2]]};
}

}  // namespace

SelfCrossings::Boxed SelfCrossings::boxed(std::uint32_t triangle) const {
    const Triangle& c = triangles_[triangle];
    Boxed box{{}, {}, triangle, true};
    for (std::size_t i = 0; i < 3; ++i) {
        const auto axis = static_cast<Eigen::Index>(i);
        const double x = points_[c[0]][axis], y = points_[c[1]][axis], z = points_[c[2]][axis];
        box.low[i] = std::min({x, y, z});
        box.high[i] = std::max({x, y, z});
    }
    return box;
}

SelfCrossings::Boxed SelfCrossings::around_moved(const std::vector<Boxed>& boxes) {
    Boxed whole{{}, {}, 0, true};
    whole.low.fill(std::numeric_limits<double>::infinity());
    whole.high.fill(-std::numeric_limits<double>::infinity());
    for (const Boxed& box : boxes) {
        for (std::size_t i = 0; box.moved && i < 3; ++i) {
            whole.low[i] = std::min(whole.low[i], box.low[i]);
            whole.high[i] = std::max(whole.high[i], box.high[i]);
        }
    }
    return whole;
}

SelfCrossings::SelfCrossings(const std::vector<Vec3d>& points, const std::vector<Triangle>& triangles)
    : points_(points), triangles_(triangles), moved_(points.size(), 0) {
    for (std::uint32_t t = 0; t < triangles.size(); ++t) boxes_.push_back(boxed(t));
    find();
}

void SelfCrossings::update(const std::vector<std::uint32_t>& points) {
    for (const std::uint32_t p : points) moved_[p] = 1;
    for (Boxed& box : boxes_) {
        const Triangle& c = triangles_[box.triangle];
        box.moved = (moved_[c[0]] | moved_[c[1]] | moved_[c[2]]) != 0;
        if (box.moved) box = boxed(box.triangle);
    }
    for (const std::uint32_t p : points) moved_[p] = 0;
    // Pairs of triangles that did not move are unchanged.
    std::erase_if(pairs_, [&](const auto& pair) { return boxes_[pair[0]].moved || boxes_[pair[1]].moved; });
    find();
}

/// Boxes in strips along one axis, each about two triangles wide, sorted along another axis; a box is in
/// every strip that it touches.
struct SelfCrossings::Strips {
    double low = 0;
    double width = 1;
    std::vector<std::vector<Boxed>> lists;

    std::size_t index(double value) const {
        return static_cast<std::size_t>(
            std::clamp((value - low) / width, 0.0, static_cast<double>(lists.size() - 1)));
    }
};

/// `boxes` is not empty and lies within `whole`.
SelfCrossings::Strips SelfCrossings::strips_of(const std::vector<Boxed>& boxes, const Boxed& whole,
                                               std::size_t across) {
    Strips strips;
    strips.low = whole.low[across];
    double extents = 0;
    for (const Boxed& box : boxes) extents += box.high[across] - box.low[across];
    const double usual = 2 * extents / static_cast<double>(boxes.size());
    const double range = whole.high[across] - whole.low[across];
    const double count = usual > 0 ? std::floor(std::clamp(range / usual, 1.0, 256.0)) : 1.0;
    strips.lists.resize(static_cast<std::size_t>(count));
    strips.width = std::max(range / count, std::numeric_limits<double>::min());
    for (const Boxed& box : boxes)
        for (std::size_t k = strips.index(box.low[across]); k <= strips.index(box.high[across]); ++k)
            strips.lists[k].push_back(box);
    return strips;
}

/// Adds the pairs in which a triangle moved, by a sweep along the longest axis of the moved region.
void SelfCrossings::find() {
    const Boxed whole = around_moved(boxes_);
    std::vector<Boxed> near;
    std::ranges::copy_if(boxes_, std::back_inserter(near), [&](const Boxed& box) {
        return !(box.apart(whole, 0) | box.apart(whole, 1) | box.apart(whole, 2));
    });
    if (near.empty()) return;
    std::array<std::size_t, 3> axes = {0, 1, 2};
    std::ranges::sort(axes, std::greater{}, [&](std::size_t i) { return whole.high[i] - whole.low[i]; });
    const auto [along, across, third] = axes;
    std::ranges::sort(near, {}, [&](const Boxed& box) { return std::pair(box.low[along], box.triangle); });
    const Strips strips = strips_of(near, whole, across);
    for (std::size_t k = 0; k < strips.lists.size(); ++k) {
        const std::vector<Boxed>& list = strips.lists[k];
        for (auto a = list.begin(); a != list.end(); ++a) {
            for (auto b = a + 1; b != list.end() && b->low[along] <= a->high[along]; ++b) {
                if (a->apart(*b, across) | a->apart(*b, third) | !(a->moved | b->moved)) continue;
                // Pairs that share several strips are tested in the first of them.
                if (strips.index(std::max(a->low[across], b->low[across])) == k) test(*a, *b);
            }
        }
    }
    std::ranges::sort(pairs_);
}

void SelfCrossings::test(const Boxed& a, const Boxed& b) {
    const Triangle &s = triangles_[a.triangle], &t = triangles_[b.triangle];
    if (share_a_corner(s, t)) return;
    if (geometry::triangles_cross(corners_of(points_, s), corners_of(points_, t)))
        pairs_.push_back({std::min(a.triangle, b.triangle), std::max(a.triangle, b.triangle)});
}

namespace {

/// 4 sqrt(3) area / sum of squared sides: 1 for an equilateral triangle.
double quality(const Vec3d& a, const Vec3d& b, const Vec3d& c) {
    const double sides = (b - a).squaredNorm() + (c - b).squaredNorm() + (a - c).squaredNorm();
    return sides > 0 ? 2 * std::sqrt(3.0) * (b - a).cross(c - a).norm() / sides : 0;
}

/// Sides of triangles, as lists by their start point; side 3 t + k goes from corner k of triangle t to the
/// next corner.
class Sides {
  public:
    static constexpr std::size_t none = static_cast<std::size_t>(-1);

    Sides(std::size_t points, std::vector<Triangle>& triangles)
        : triangles_(triangles), first_(points, none), next_(3 * triangles.size(), none) {
        for (std::size_t t = 0; t < triangles.size(); ++t) link(t);
    }

    /// The triangle on the left of the segment from one point to another.
    std::size_t triangle_of(std::uint32_t from, std::uint32_t to) const {
        for (std::size_t side = first_[from]; side != none; side = next_[side])
            if (triangles_[side / 3][(side + 1) % 3] == to) return side / 3;
        return none;
    }

    void change(std::size_t t, const Triangle& corners) {
        for (std::size_t k = 0; k < 3; ++k) {
            std::size_t* at = &first_[triangles_[t][k]];
            while (*at != 3 * t + k) at = &next_[*at];
            *at = next_[3 * t + k];
        }
        triangles_[t] = corners;
        link(t);
    }

  private:
    void link(std::size_t t) {
        for (std::size_t k = 0; k < 3; ++k) {
            std::size_t& first = first_[triangles_[t][k]];
            next_[3 * t + k] = first;
            first = 3 * t + k;
        }
    }

    std::vector<Triangle>& triangles_;
    std::vector<std::size_t> first_, next_;
};

}  // namespace

double worst_quality(const StripPatch& patch) {
    double worst = 1;
    for (const Triangle& t : patch.triangles)
        worst = std::min(worst, quality(patch.points[t[0]], patch.points[t[1]], patch.points[t[2]]));
    return worst;
}

std::size_t flip_diagonals(StripPatch& patch, double min_quality) {
    if (worst_quality(patch) >= min_quality) return 0;
    Sides sides(patch.points.size(), patch.triangles);
    const auto at = [&](std::uint32_t p) -> const Vec3d& { return patch.points[p]; };
    std::size_t flips = 0;
    const auto rotation = [&](std::size_t t, std::size_t k) {
        const std::uint32_t a = patch.triangles[t][k], b = patch.triangles[t][(k + 1) % 3],
                            c = patch.triangles[t][(k + 2) % 3];
        const std::size_t u = sides.triangle_of(b, a);
        if (u == Sides::none) return false;
        const Triangle& o = patch.triangles[u];
        const std::uint32_t d = o[0] + o[1] + o[2] - a - b;
        // An edge between two points of one loop may already exist in a part.
        const bool loops = c < patch.loop_points() && d < patch.loop_points();
        if (loops || c == d || sides.triangle_of(c, d) != Sides::none ||
            sides.triangle_of(d, c) != Sides::none)
            return false;
        const double before = std::min(quality(at(a), at(b), at(c)), quality(at(b), at(a), at(d)));
        const double after = std::min(quality(at(a), at(d), at(c)), quality(at(d), at(b), at(c)));
        const Vec3d n = (at(d) - at(a)).cross(at(c) - at(a)), m = (at(b) - at(d)).cross(at(c) - at(d));
        const Vec3d old = (at(b) - at(a)).cross(at(c) - at(a)) + (at(a) - at(b)).cross(at(d) - at(b));
        if (after <= before || n.dot(m) <= 0 || n.dot(old) <= 0) return false;
        sides.change(t, {a, d, c});
        sides.change(u, {d, b, c});
        ++flips;
        return true;
    };
    // Every flip improves the worse of two triangles, so this ends, usually after one round.
    for (std::size_t before = flips + 1, round = 0; before != flips && round < 8; ++round) {
        before = flips;
        for (std::size_t t = 0; t < patch.triangles.size(); ++t) {
            const Triangle c = patch.triangles[t];
            if (quality(at(c[0]), at(c[1]), at(c[2])) >= min_quality) continue;
            for (std::size_t k = 0; k < 3; ++k)
                if (rotation(t, k)) break;
        }
    }
    return flips;
}

namespace {

using Pairs = std::vector<std::array<std::uint32_t, 2>>;

/// New points of the triangles in `pairs` and of `rings` of neighbours; `around` has the triangles of each
/// point.
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

/// The corner of a triangle after the given one.
std::uint32_t next_corner(const Triangle& t, std::uint32_t point) {
    return t[0] == point ? t[1] : t[1] == point ? t[2] : t[0];
}

/// Moves new points half-way to the mean of their neighbours; each neighbour is the next corner of one
/// triangle.
void smooth(StripPatch& patch, const geometry::Rows& around, const std::vector<std::uint32_t>& region) {
    std::vector<Vec3d> moved;
    for (const std::uint32_t p : region) {
        Vec3d sum = Vec3d::Zero();
        for (const std::uint32_t t : around[p]) sum += patch.points[next_corner(patch.triangles[t], p)];
        moved.push_back((patch.points[p] + sum / static_cast<double>(around[p].size())) / 2);
    }
    for (std::size_t i = 0; i < region.size(); ++i) patch.points[region[i]] = moved[i];
}

/// Pairs of triangles with a common edge.
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

/// Adds neighbours that are folded onto each other: sharper creases than any joint produces.
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
    // With more intersecting pairs than triangles, smoothing cannot help.
    if (rounds <= 0 || crossing > patch.triangles.size()) return crossing;
    const geometry::Rows around = geometry::vertex_triangles(patch.points.size(), patch.triangles);
    const Pairs edges = neighbours(patch.triangles, around);
    const auto faults = [&] {
        Pairs pairs = crossings.pairs();
        add_folds(patch, edges, pairs);
        return pairs;
    };
    Pairs pairs = faults();
    std::size_t smallest = pairs.size();
    std::vector<Vec3d> best = patch.points;
    const double good =
        std::min(worst_quality(patch), 0.02);  // fewer crossings must not be paid for with slivers
    // Loops that intersect each other cannot be improved: stop after two rounds without success.
    for (int round = 0, idle = 0; round < rounds && idle < 2 && !pairs.empty(); ++round) {
        const std::vector<std::uint32_t> region = region_of(patch, around, pairs, 1 + round / 2);
        if (region.empty()) break;
        for (int step = 0; step < 2; ++step) smooth(patch, around, region);
        crossings.update(region);
        pairs = faults();
        const bool better =
            crossings.pairs().size() <= crossing && pairs.size() < smallest && worst_quality(patch) >= good;
        idle = better ? 0 : idle + 1;
        if (!better) continue;
        smallest = pairs.size();
        crossing = crossings.pairs().size();
        best = patch.points;
    }
    patch.points = std::move(best);
    return crossing;
}

}  // namespace sinew::articulated
