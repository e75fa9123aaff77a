#include <algorithm>

#include "sinew/collide/triangle_pair.h"

namespace sinew::collide {
namespace {

double point_segment2(const Vec3d& p, const Vec3d& a, const Vec3d& b) {
    const Vec3d ab = b - a;
    const double length2 = ab.squaredNorm();
    const double t = length2 > 0 ? std::clamp((p - a).dot(ab) / length2, 0.0, 1.0) : 0.0;
    return (p - (a + t * ab)).squaredNorm();
}

/// Inner minimum when the closest points are inside both segments; the ends are covered by the points.
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
