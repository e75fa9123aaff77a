// SPDX-License-Identifier: MIT
#include "sinew/collide/triangle/triangle_pair.h"

#include <algorithm>

#include "sinew/collide/triangle/orientation.h"
#include "sinew/collide/triangle/triangle_block.h"

namespace sinew::collide {
namespace {

/// Axis along which the points have a projection with area, or -1 when they lie on a line.
int open_axis(const Vec3d& a, const Vec3d& b, const Vec3d& c) {
    for (int axis = 0; axis < 3; ++axis) {
        if (orient2d(a, b, c, axis) != 0) return axis;
    }
    return -1;
}

bool boxes_meet(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& d) {
    return (a.cwiseMin(b).array() <= c.cwiseMax(d).array()).all() &&
           (c.cwiseMin(d).array() <= a.cwiseMax(b).array()).all();
}

/// Closed segments ab and cd of one plane, projected along an axis that is not parallel to the plane.
bool segments_meet_2d(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& d, int axis) {
    const int ca = orient2d(a, b, c, axis), da = orient2d(a, b, d, axis);
    const int ac = orient2d(c, d, a, axis), bc = orient2d(c, d, b, axis);
    if (ca * da > 0 || ac * bc > 0) return false;
    return boxes_meet(a, b, c, d);  // decides only when all lie on one line
}

bool segments_meet(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& d) {
    if (!boxes_meet(a, b, c, d) || orient3d(a, b, c, d) != 0) return false;
    int axis = open_axis(a, b, c);
    if (axis < 0) axis = open_axis(a, b, d);
    if (axis < 0) axis = open_axis(a, c, d);
    if (axis < 0) axis = open_axis(b, c, d);
    return axis < 0 || segments_meet_2d(a, b, c, d, axis);  // on one line the boxes decide
}

bool point_in_triangle_2d(const Vec3d& p, const Corners& t, int axis) {
    const int s0 = orient2d(t[0], t[1], p, axis), s1 = orient2d(t[1], t[2], p, axis),
              s2 = orient2d(t[2], t[0], p, axis);
    return (s0 >= 0 && s1 >= 0 && s2 >= 0) || (s0 <= 0 && s1 <= 0 && s2 <= 0);
}

/// Segment and triangle in one plane, or a triangle without area.
bool coplanar_meet(const Vec3d& a, const Vec3d& b, const Corners& t) {
    const int axis = open_axis(t[0], t[1], t[2]);
    if (axis < 0) {
        return segments_meet(a, b, t[0], t[1]) || segments_meet(a, b, t[1], t[2]) ||
               segments_meet(a, b, t[2], t[0]);
    }
    return point_in_triangle_2d(a, t, axis) || point_in_triangle_2d(b, t, axis) ||
           segments_meet_2d(a, b, t[0], t[1], axis) || segments_meet_2d(a, b, t[1], t[2], axis) ||
           segments_meet_2d(a, b, t[2], t[0], axis);
}

bool segment_meets(const Vec3d& a, const Vec3d& b, const Corners& t) {
    const int sa = orient3d(t[0], t[1], t[2], a), sb = orient3d(t[0], t[1], t[2], b);
    if (sa * sb > 0) return false;
    if (sa == 0 && sb == 0) return coplanar_meet(a, b, t);
    const int s0 = orient3d(a, b, t[0], t[1]), s1 = orient3d(a, b, t[1], t[2]),
              s2 = orient3d(a, b, t[2], t[0]);
    return (s0 >= 0 && s1 >= 0 && s2 >= 0) || (s0 <= 0 && s1 <= 0 && s2 <= 0);
}

using Sides = std::array<int, 3>;

/// orient3d of a plane and three points, with the plane's part computed once: -n . (p - a) with the same
/// bound on its error, and the exact result where that does not decide.
Sides sides_of(const Corners& points, const Corners& plane) {
    const Vec3d e = plane[1] - plane[0], f = plane[2] - plane[0];
    const Vec3d plus(e[1] * f[2], e[2] * f[0], e[0] * f[1]), minus(e[2] * f[1], e[0] * f[2], e[1] * f[0]);
    const Vec3d normal = plus - minus, size = plus.cwiseAbs() + minus.cwiseAbs();
    constexpr double bound = (8 + 64 * 0x1p-53) * 0x1p-53;
    Sides sides;
    for (std::size_t i = 0; i < 3; ++i) {
        const Vec3d off = points[i] - plane[0];
        const double side = normal.dot(off), error = bound * size.dot(off.cwiseAbs());
        if (side > error) {
            sides[i] = -1;
        } else if (side < -error) {
            sides[i] = 1;
        } else {
            sides[i] = orient3d(plane[0], plane[1], plane[2], points[i]);
        }
    }
    return sides;
}

bool one_sided(const Sides& s) {
    return (s[0] > 0 && s[1] > 0 && s[2] > 0) || (s[0] < 0 && s[1] < 0 && s[2] < 0);
}

/// Index of the corner that is alone on its side; the side of every corner is known and none is 0.
std::size_t lone(const Sides& s) {
    if (s[1] == s[2]) return 0;
    return s[0] == s[2] ? 1 : 2;
}

/// Corners with the lone one first; `flip` reverses the orientation.
template <class Triangle>
Triangle arranged(const Triangle& t, std::size_t first, bool flip) {
    const auto& second = t[first == 2 ? 0 : first + 1];
    const auto& third = t[first == 0 ? 2 : first - 1];
    return flip ? Triangle{t[first], third, second} : Triangle{t[first], second, third};
}

bool apart(const Corners& a, const Corners& b) {
    const Vec3d low_a = a[0].cwiseMin(a[1]).cwiseMin(a[2]), high_a = a[0].cwiseMax(a[1]).cwiseMax(a[2]);
    const Vec3d low_b = b[0].cwiseMin(b[1]).cwiseMin(b[2]), high_b = b[0].cwiseMax(b[1]).cwiseMax(b[2]);
    return (low_a.array() > high_b.array()).any() || (low_b.array() > high_a.array()).any();
}

}  // namespace

bool triangles_meet_reference(const Corners& a, const Corners& b) {
    for (std::size_t i = 0; i < 3; ++i) {
        if (segment_meets(a[i], a[(i + 1) % 3], b) || segment_meets(b[i], b[(i + 1) % 3], a)) return true;
    }
    return false;
}

namespace {

/// With the sides of all corners known: tests contact by the intervals on the common line.
bool crossing(const Corners& a, const Sides& sa, const Corners& b, const Sides& sb) {
    if (sa[0] * sa[1] * sa[2] == 0 || sb[0] * sb[1] * sb[2] == 0) return triangles_meet_reference(a, b);
    // The lone corners come first and lie on the positive side of the other's plane. Then the intervals on
    // the common line overlap exactly when two orientations allow it.
    const std::size_t first_a = lone(sa), first_b = lone(sb);
    const Corners p = arranged(a, first_a, sb[first_b] < 0), q = arranged(b, first_b, sa[first_a] < 0);
    return orient3d(p[0], p[1], q[0], q[1]) <= 0 && orient3d(p[0], p[2], q[2], q[0]) <= 0;
}

Corners corners_of(const CornerRows& rows) {
    const auto corner = [](const float* row) {
        return Vec3d(static_cast<double>(row[0]), static_cast<double>(row[1]), static_cast<double>(row[2]));
    };
    return {corner(rows[0]), corner(rows[1]), corner(rows[2])};
}

/// orient3d() from single precision; 0 where that does not decide.
int rough_orient(const float* a, const float* b, const float* c, const float* d) {
    const Float4 base = load4(a), e = load4(b) - base, f = load4(c) - base, o = load4(d) - base;
    const float size = largest3(absolute(e)) * largest3(absolute(f)) * largest3(absolute(o));
    const float height = dot4(cross3(e, f), o), error = height_error * size + min_height;
    return (height < -error) - (height > error);
}

/// crossing() from single precision: 1 yes, -1 no, 0 where that does not decide.
int rough_crossing(const CornerRows& a, const RoughSides& sa, const CornerRows& b, const RoughSides& sb) {
    const std::size_t first_a = sa.lone(), first_b = sb.lone();
    const CornerRows p = arranged(a, first_a, (sb.above >> first_b & 1) != 0),
                     q = arranged(b, first_b, (sa.above >> first_a & 1) != 0);
    const int first = rough_orient(p[0], p[1], q[0], q[1]);
    if (first > 0) return -1;
    const int second = rough_orient(p[0], p[2], q[2], q[0]);
    if (second > 0) return -1;
    return first < 0 && second < 0;
}

}  // namespace

bool triangles_meet(const Corners& a, const Corners& b) {
    if (apart(a, b)) return false;
    const Sides sb = sides_of(b, a);
    if (one_sided(sb)) return false;
    const Sides sa = sides_of(a, b);
    if (one_sided(sa)) return false;
    return crossing(a, sa, b, sb);
}

bool triangles_meet(const CornerRows& a, const CornerRows& b) {
    const RoughSides sb = RoughPlane(a).sides(b);
    if (sb.one_sided()) return false;
    return triangles_meet(a, RoughPlane(b).sides(a), b, sb);
}

bool triangles_meet(const CornerRows& a, const RoughSides& sides_a, const CornerRows& b,
                    const RoughSides& sides_b) {
    if (sides_a.one_sided() || sides_b.one_sided()) return false;
    if (sides_a.decided() && sides_b.decided()) {
        const int answer = rough_crossing(a, sides_a, b, sides_b);
        if (answer != 0) return answer > 0;
    }
    const Corners x = corners_of(a), y = corners_of(b);
    const Sides sb = sides_of(y, x), sa = sides_of(x, y);
    return !one_sided(sa) && !one_sided(sb) && crossing(x, sa, y, sb);
}

namespace {

double point_segment2(const Vec3d& p, const Vec3d& a, const Vec3d& b) {
    const Vec3d ab = b - a;
    const double length2 = ab.squaredNorm();
    const double t = length2 > 0 ? std::clamp((p - a).dot(ab) / length2, 0.0, 1.0) : 0.0;
    return (p - (a + t * ab)).squaredNorm();
}

/// Minimum in the interior, when the closest points are inside both segments; the tests of end points cover
/// the rest.
double segment_segment2(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& d) {
    double best = std::min(
        {point_segment2(a, c, d), point_segment2(b, c, d), point_segment2(c, a, b), point_segment2(d, a, b)});
    const Vec3d u = b - a, v = d - c, w = a - c;
    const double uu = u.squaredNorm(), uv = u.dot(v), vv = v.squaredNorm(), det = uu * vv - uv * uv;
    if (det <= 1e-14 * uu * vv) return best;
    const double s = (uv * v.dot(w) - vv * u.dot(w)) / det, t = (uu * v.dot(w) - uv * u.dot(w)) / det;
    if (s <= 0 || s >= 1 || t <= 0 || t >= 1) return best;
    return std::min(best, (w + s * u - t * v).squaredNorm());
}

/// Distance to the face when the foot of the perpendicular lies inside, infinity otherwise.
double point_face2(const Vec3d& p, const Corners& t) {
    const Vec3d e1 = t[1] - t[0], e2 = t[2] - t[0], n = e1.cross(e2);
    const double n2 = n.squaredNorm();
    if (n2 <= 0) return std::numeric_limits<double>::infinity();
    const Vec3d w = p - t[0];
    const double b1 = w.cross(e2).dot(n) / n2, b2 = e1.cross(w).dot(n) / n2;
    if (b1 < 0 || b2 < 0 || b1 + b2 > 1) return std::numeric_limits<double>::infinity();
    const double height = w.dot(n);
    return height * height / n2;
}

}  // namespace

double squared_distance(const Corners& a, const Corners& b) {
    if (triangles_meet(a, b)) return 0;
    double best = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < 3; ++i) {
        best = std::min({best, point_face2(a[i], b), point_face2(b[i], a)});
        for (std::size_t k = 0; k < 3; ++k) {
            best = std::min(best, segment_segment2(a[i], a[(i + 1) % 3], b[k], b[(k + 1) % 3]));
        }
    }
    return best;
}

}  // namespace sinew::collide
