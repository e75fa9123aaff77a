// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>

#include "sinew/geometry/part_shape.h"

namespace sinew::geometry {
namespace {

/// Half-spaces of the triangles; triangles without area give none.
void add_triangles(const std::vector<Vec3d>& points, const std::vector<Triangle>& triangles,
                   std::vector<HalfSpace>& half_spaces) {
    for (const auto& [a, b, c] : triangles) {
        const Vec3d across = (points[b] - points[a]).cross(points[c] - points[a]);
        const double longest =
            std::max((points[b] - points[a]).squaredNorm(),
                     std::max((points[c] - points[a]).squaredNorm(), (points[c] - points[b]).squaredNorm()));
        if (across.norm() <= 1e-9 * longest) continue;  // its direction would be rounding noise
        const Vec3d normal = across.normalized();
        half_spaces.push_back({normal, normal.dot((points[a] + points[b] + points[c]) / 3)});
    }
}

void add_box(const Vec3d& low, const Vec3d& high, std::vector<HalfSpace>& half_spaces) {
    for (int i = 0; i < 3; ++i) {
        half_spaces.push_back({Vec3d::Unit(i), high[i]});
        half_spaces.push_back({-Vec3d::Unit(i), -low[i]});
    }
}

}  // namespace

std::optional<Hull> intersection(std::span<const HalfSpace> half_spaces, const Vec3d& inner) {
    std::vector<Vec3d> duals;
    duals.reserve(half_spaces.size());
    for (const HalfSpace& h : half_spaces) {
        const double distance = h.offset - h.normal.dot(inner);
        if (distance <= 0) return std::nullopt;
        duals.push_back(h.normal / distance);
    }
    const Hull dual = convex_hull(duals);
    if (dual.empty()) return std::nullopt;
    std::vector<Vec3d> corners;
    corners.reserve(dual.triangles.size());
    for (const auto& [a, b, c] : dual.triangles) {
        const Vec3d& p = dual.points[a];
        const Vec3d across = (dual.points[b] - p).cross(dual.points[c] - p);
        const double depth = across.dot(p);
        // A face through the origin is a corner at infinity; a sliver is next to a face with the same plane.
        if (depth <= 1e-14 * across.norm() * p.norm()) continue;
        corners.push_back(inner + across / depth);
    }
    Hull hull = convex_hull(corners);
    if (hull.empty()) return std::nullopt;
    return hull;
}

std::optional<Hull> kernel(const std::vector<Vec3d>& points, const std::vector<Triangle>& triangles,
                           std::span<const HalfSpace> more) {
    if (points.empty()) return std::nullopt;
    Vec3d low = points[0], high = points[0];
    for (const Vec3d& p : points) {
        low = low.cwiseMin(p);
        high = high.cwiseMax(p);
    }
    const double diagonal = (high - low).norm();
    if (diagonal <= 0) return std::nullopt;
    std::vector<HalfSpace> half_spaces(more.begin(), more.end());
    half_spaces.reserve(more.size() + triangles.size() + 6);
    add_box(low, high, half_spaces);
    add_triangles(points, triangles, half_spaces);
    const InnerSphere sphere = inner_sphere(half_spaces, (low + high) / 2, diagonal);
    if (sphere.radius <= 1e-7 * diagonal) return std::nullopt;
    return intersection(half_spaces, sphere.centre);
}

}  // namespace sinew::geometry

// Seidel's linear programming in few dimensions, for the largest sphere between planes.

namespace sinew::geometry {
namespace {

/// a . x <= b with |a| = 1 over the first `D` coordinates.
template <int D>
struct Constraint {
    Eigen::Matrix<double, D, 1> a;
    double b = 0;
};

template <int D>
using Point = Eigen::Matrix<double, D, 1>;

constexpr double slack = 1e-12;  // in units of the cube, which is about 1 large

/// The upper end of a 1D interval. If constraints contradict each other only by rounding, the middle between
/// them.
double solve_line(double direction, std::span<const Constraint<1>> constraints, bool& feasible) {
    double low = -1e3, high = 1e3;
    for (const Constraint<1>& c : constraints) {
        if (c.a[0] > slack) high = std::min(high, c.b / c.a[0]);
        if (c.a[0] < -slack) low = std::max(low, c.b / c.a[0]);
        if (std::abs(c.a[0]) <= slack && c.b < -1e-9) feasible = false;
    }
    if (low > high + 1e-9) feasible = false;
    if (low > high) return (low + high) / 2;
    return direction >= 0 ? high : low;
}

/// A constraint in the plane a . x = b of another, in which coordinate k is eliminated.
template <int D>
Constraint<D - 1> in_plane(const Constraint<D>& c, const Constraint<D>& plane, int k) {
    Constraint<D - 1> result;
    const double factor = c.a[k] / plane.a[k];
    for (int i = 0, j = 0; i < D; ++i)
        if (i != k) result.a[j++] = c.a[i] - factor * plane.a[i];
    result.b = c.b - factor * plane.b;
    const double length = result.a.norm();
    if (length > slack) {
        result.a /= length;
        result.b /= length;
    }
    return result;
}

/// The constraints before number `end`, restricted to the plane of that one. The sides of the cube along the
/// remaining coordinates come first, then those of the eliminated coordinate as ordinary planes.
template <int D>
void project(std::span<const Constraint<D>> constraints, std::size_t end, int k,
             std::vector<Constraint<D - 1>>& lower) {
    const Constraint<D>& plane = constraints[end];
    const auto add_sides = [&](int axis) {
        for (int s = 0; s < 2; ++s)
            lower.push_back(in_plane(constraints[static_cast<std::size_t>(2 * axis + s)], plane, k));
    };
    lower.clear();
    lower.reserve(end);
    for (int j = 0; j < D; ++j)
        if (j != k) add_sides(j);
    add_sides(k);
    for (std::size_t j = 2 * D; j < end; ++j) lower.push_back(in_plane(constraints[j], plane, k));
}

template <int D>
Point<D> solve(const Point<D>& direction, std::span<Constraint<D>> constraints, bool& feasible);

/// The optimum over the constraints before number `end`, on the plane of that one.
template <int D>
Point<D> solve_in_plane(const Point<D>& direction, std::span<const Constraint<D>> constraints,
                        std::size_t end, int k, bool& feasible) {
    const Constraint<D>& plane = constraints[end];
    std::vector<Constraint<D - 1>> lower;
    project<D>(constraints, end, k, lower);
    Point<D - 1> towards;
    for (int j = 0, at = 0; j < D; ++j)
        if (j != k) towards[at++] = direction[j] - direction[k] / plane.a[k] * plane.a[j];
    const Point<D - 1> flat = solve<D - 1>(towards, std::span<Constraint<D - 1>>(lower), feasible);
    Point<D> best;
    double rest = plane.b;
    for (int j = 0, at = 0; j < D; ++j) {
        if (j == k) continue;
        best[j] = flat[at++];
        rest -= plane.a[j] * best[j];
    }
    best[k] = rest / plane.a[k];
    return best;
}

/// The point that satisfies the constraints and is farthest along `direction`. The first 2 D constraints must
/// be the sides of a cube, so that every step is bounded. Planes that contain the optimum are moved to the
/// front, so that subproblems meet them first (as in Welzl 1991).
template <int D>
Point<D> solve(const Point<D>& direction, std::span<Constraint<D>> constraints, bool& feasible) {
    if constexpr (D == 1) {
        return Point<1>(solve_line(direction[0], constraints, feasible));
    } else {
        Point<D> best;
        for (int i = 0; i < D; ++i) {
            const auto side = static_cast<std::size_t>(2 * i + (direction[i] >= 0 ? 0 : 1));
            best[i] = constraints[side].b / constraints[side].a[i];
        }
        for (std::size_t i = 2 * D; i < constraints.size() && feasible; ++i) {
            if (constraints[i].a.dot(best) <= constraints[i].b + slack) continue;
            int k = 0;
            if (constraints[i].a.cwiseAbs().maxCoeff(&k) <= slack) {
                feasible = constraints[i].b >= -1e-9;
                continue;
            }
            best = solve_in_plane<D>(direction, constraints, i, k, feasible);
            const auto here = constraints.begin() + static_cast<std::ptrdiff_t>(i);
            std::rotate(constraints.begin() + 2 * D, here, here + 1);
        }
        return best;
    }
}

/// The constraint that a point violates most; the count when it violates none.
std::size_t max_violated(std::span<const Constraint<4>> constraints, const Point<4>& point) {
    std::size_t worst = constraints.size();
    double max = slack;
    for (std::size_t i = 0; i < constraints.size(); ++i) {
        const double beyond = constraints[i].a.dot(point) - constraints[i].b;
        if (beyond <= max) continue;
        max = beyond;
        worst = i;
    }
    return worst;
}

/// The optimum of all constraints from a few of them: the sides of the cube, then, one after the other, the
/// constraint that the current optimum violates most. A few dozen determine the result; the others cost one
/// product per round and no projections.
Point<4> solve_few(const Point<4>& direction, std::span<const Constraint<4>> constraints, bool& feasible) {
    std::vector<Constraint<4>> few(constraints.begin(), constraints.begin() + 8);
    std::vector<char> taken(constraints.size(), 0);
    for (;;) {
        const Point<4> best = solve<4>(direction, std::span<Constraint<4>>(few), feasible);
        const std::size_t worst = max_violated(constraints, best);
        // A constraint that is already included is violated only by rounding.
        if (!feasible || worst == constraints.size() || taken[worst] != 0) return best;
        taken[worst] = 1;
        few.insert(few.begin() + 8, constraints[worst]);
    }
}

}  // namespace

InnerSphere inner_sphere(std::span<const HalfSpace> half_spaces, const Vec3d& middle, double reach) {
    std::vector<Constraint<4>> constraints;
    constraints.reserve(half_spaces.size() + 8);
    for (int i = 0; i < 4; ++i) {
        for (const double sign : {1.0, -1.0}) {
            Constraint<4> side{Point<4>::Zero(), 1};
            side.a[i] = sign;
            constraints.push_back(side);
        }
    }
    constraints[7].b = 4;  // the radius may be as negative as necessary, so there is always a solution
    for (const HalfSpace& h : half_spaces) {
        Constraint<4> c;
        c.a << h.normal, 1;
        c.b = (h.offset - h.normal.dot(middle)) / reach;
        const double length = c.a.norm();
        constraints.push_back({c.a / length, c.b / length});
    }
    bool feasible = true;
    const Point<4> best = solve_few({0, 0, 0, 1}, constraints, feasible);
    return {middle + reach * best.head<3>(), feasible ? reach * best[3] : -reach};
}

}  // namespace sinew::geometry
