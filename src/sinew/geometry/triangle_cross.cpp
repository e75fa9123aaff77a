#include "sinew/geometry/surface_queries.h"

#include <algorithm>
#include <cmath>

namespace sinew::geometry {
namespace {

/// A triangle with the normal of its plane.
struct Facet {
    const TriangleCorners& corners;
    Vec3d normal;

    explicit Facet(const TriangleCorners& t) : corners(t), normal((t[1] - t[0]).cross(t[2] - t[0])) {}
};

using Heights = std::array<double, 3>;

/// How far the corners are above the plane, times the length of its normal.
Heights heights_above(const Facet& plane, const TriangleCorners& t) {
    const Vec3d& origin = plane.corners[0];
    return {plane.normal.dot(t[0] - origin), plane.normal.dot(t[1] - origin),
            plane.normal.dot(t[2] - origin)};
}

bool on_one_side(const Heights& h) {
    return (h[0] > 0 && h[1] > 0 && h[2] > 0) || (h[0] < 0 && h[1] < 0 && h[2] < 0);
}

/// Does the segment from p to q meet the triangle? Signs of volumes (Guigue and Devillers 2003).
bool meets(const Vec3d& p, const Vec3d& q, double at_p, double at_q, const Facet& facet) {
    if (at_p * at_q > 0 || at_p == at_q) return false;
    const Vec3d x = p + at_p / (at_p - at_q) * (q - p);
    const TriangleCorners& t = facet.corners;
    for (std::size_t i = 0; i < 3; ++i)
        if (facet.normal.dot((t[(i + 1) % 3] - t[i]).cross(x - t[i])) < 0) return false;
    return true;
}

bool a_side_meets(const TriangleCorners& t, const Heights& heights, const Facet& facet) {
    for (std::size_t i = 0; i < 3; ++i) {
        const std::size_t j = (i + 1) % 3;
        if (meets(t[i], t[j], heights[i], heights[j], facet)) return true;
    }
    return false;
}

struct Slab {
    double low, high;
    std::size_t index;
};

std::vector<Slab> slabs_of(const std::vector<TriangleCorners>& triangles) {
    std::vector<Slab> slabs;
    for (std::size_t i = 0; i < triangles.size(); ++i) {
        const auto [low, high] = std::minmax({triangles[i][0].x(), triangles[i][1].x(), triangles[i][2].x()});
        slabs.push_back({low, high, i});
    }
    std::ranges::sort(slabs, {}, &Slab::low);
    return slabs;
}

bool boxes_apart(const TriangleCorners& a, const TriangleCorners& b) {
    for (int axis = 1; axis < 3; ++axis) {
        const auto [low_a, high_a] = std::minmax({a[0][axis], a[1][axis], a[2][axis]});
        const auto [low_b, high_b] = std::minmax({b[0][axis], b[1][axis], b[2][axis]});
        if (low_a > high_b || low_b > high_a) return true;
    }
    return false;
}

}  // namespace

bool triangles_cross(const TriangleCorners& a, const TriangleCorners& b) {
    // Most neighbours are on one side of each other's planes.
    const Facet second(b);
    const Heights of_a = heights_above(second, a);
    if (on_one_side(of_a)) return false;
    const Facet first(a);
    const Heights of_b = heights_above(first, b);
    if (on_one_side(of_b)) return false;
    return a_side_meets(a, of_a, second) || a_side_meets(b, of_b, first);
}

bool surfaces_cross(const std::vector<TriangleCorners>& a, const std::vector<TriangleCorners>& b,
                    CrossingPair* pair) {
    const std::vector<Slab> first = slabs_of(a), second = slabs_of(b);
    std::vector<const Slab*> open;  // of b, those that may still overlap what comes
    std::size_t next = 0;
    for (const Slab& slab : first) {
        while (next < second.size() && second[next].low <= slab.high) open.push_back(&second[next++]);
        std::erase_if(open, [&](const Slab* s) { return s->high < slab.low; });
        for (const Slab* s : open) {
            if (s->low > slab.high || boxes_apart(a[slab.index], b[s->index])) continue;
            if (!triangles_cross(a[slab.index], b[s->index])) continue;
            if (pair != nullptr) *pair = {slab.index, s->index};
            return true;
        }
    }
    return false;
}

}  // namespace sinew::geometry
