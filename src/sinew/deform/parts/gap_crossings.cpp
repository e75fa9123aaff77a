#include "sinew/deform/parts/gap_crossings.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>

#include "sinew/geometry/surface_queries.h"

namespace sinew::deform {

using geometry::Triangle;
using math::Vec3d;

namespace {

bool share_a_corner(const Triangle& s, const Triangle& t) {
    bool shared = false;  // without branches: half of all neighbours do
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
    // Pairs of triangles that stayed are as they were.
    std::erase_if(pairs_, [&](const auto& pair) { return boxes_[pair[0]].moved || boxes_[pair[1]].moved; });
    find();
}

/// Boxes in strips along one axis, each about two triangles wide, in rising order along another; a box is in
/// every strip that it touches.
struct SelfCrossings::Strips {
    double low = 0;
    double width = 1;
    std::vector<std::vector<Boxed>> lists;

    std::size_t index(double place) const {
        return static_cast<std::size_t>(
            std::clamp((place - low) / width, 0.0, static_cast<double>(lists.size() - 1)));
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

/// Adds the pairs of which a triangle moved. The surface is swept along the longest axis of all that moved.
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
                // What touches several strips is looked at in the first of them.
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

}  // namespace sinew::deform
