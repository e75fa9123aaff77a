#include "sinew/collide/query.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/collide/touch_search.h"

namespace sinew::collide {
namespace {

Ball blend(const Ball& a, const Ball& b, double time) {
    return {(1 - time) * a.center + time * b.center, (1 - time) * a.radius + time * b.radius};
}

Corners blend(const Corners& a, const Corners& b, double time) {
    Corners result;
    for (std::size_t i = 0; i < 3; ++i) result[i] = (1 - time) * a[i] + time * b[i];
    return result;
}

/// Triangles whose corners move along straight lines.
class StraightPair {
  public:
    StraightPair(const Motion& a, const Motion& b, double tolerance) : a_(a), b_(b), tolerance_(tolerance) {}

    double reach(std::uint32_t, std::uint32_t) const { return tolerance_; }
    std::optional<double> touch(const NodePair&, std::uint32_t i, std::uint32_t k, double latest) const {
        return first_touch(made_corners(*a_.start, i), made_corners(*a_.end, i), made_corners(*b_.start, k),
                           made_corners(*b_.end, k), latest, tolerance_);
    }

  private:
    const Motion& a_;
    const Motion& b_;
    double tolerance_;
};

/// Do boxes around whole paths, grown by the tolerance, meet?
bool paths_meet(const Corners& a0, const Corners& a1, const Corners& b0, const Corners& b1,
                double tolerance) {
    Vec3d low[2]{a0[0], b0[0]}, high[2]{a0[0], b0[0]};
    for (std::size_t i = 0; i < 3; ++i) {
        low[0] = low[0].cwiseMin(a0[i]).cwiseMin(a1[i]);
        high[0] = high[0].cwiseMax(a0[i]).cwiseMax(a1[i]);
        low[1] = low[1].cwiseMin(b0[i]).cwiseMin(b1[i]);
        high[1] = high[1].cwiseMax(b0[i]).cwiseMax(b1[i]);
    }
    return (low[0].array() <= high[1].array() + tolerance).all() &&
           (low[1].array() <= high[0].array() + tolerance).all();
}

}  // namespace

Ball ball_at(const Motion& motion, std::uint32_t node, double time, QueryScratch& room) {
    const Ball a = motion.start->ball(node, room), b = motion.end->ball(node, room);
    if (!a.bounded() || !b.bounded()) return unbounded();
    return blend(a, b, time);
}

/// (|D1|^2 - s1^2) t^2 + 2 (<D0, D1> - s0 s1) t + |D0|^2 - s0^2 <= 0 with D the difference of the centres and
/// s the sum of the radii, slightly grown against rounding.
std::optional<double> first_overlap(const Ball& a0, const Ball& a1, const Ball& b0, const Ball& b1,
                                    double latest) {
    if (!a0.bounded() || !a1.bounded() || !b0.bounded() || !b1.bounded()) return 0.0;
    const Vec3d from = a0.center - b0.center, change = (a1.center - b1.center) - from;
    const double size = from.norm() + change.norm();
    const double grown = 1e-12 * size, reach = a0.radius + b0.radius + grown,
                 grows = a1.radius + b1.radius + grown - reach;
    const double c = from.squaredNorm() - reach * reach;
    if (!(c > 0)) return 0.0;
    const double a = change.squaredNorm() - grows * grows, b = from.dot(change) - reach * grows;
    const double discriminant = b * b - a * c;
    // c > 0: for a > 0 the first root is the smaller one if it lies ahead; for a < 0 the positive one.
    if (discriminant < 0 || (a > 0 && b >= 0)) return std::nullopt;
    const double time = c / (-b + std::sqrt(discriminant));
    if (!(time >= 0) || time > latest) return std::nullopt;
    return std::max(0.0, time * (1 - 1e-9));
}

std::optional<double> first_touch(const Corners& a0, const Corners& a1, const Corners& b0, const Corners& b1,
                                  double latest, double tolerance) {
    if (!paths_meet(a0, a1, b0, b1, tolerance)) return std::nullopt;
    return advance(
        0, latest, fastest(a0, a1, b0, b1), tolerance, [&](double t) { return blend(a0, a1, t); },
        [&](double t) { return blend(b0, b1, t); });
}

FirstTouch find_first_touch(const Motion& a, const Motion& b, QueryScratch& room, double tolerance) {
    if (&a.start->tree() != &a.end->tree() || &b.start->tree() != &b.end->tree())
        fail("collide", "start and end of a motion have different trees");
    if (!(tolerance > 0))
        fail("collide", "the tolerance of a first touch must be positive, not {}", tolerance);
    StraightPair pair(a, b, tolerance);
    return TouchSearch(a, b, room, pair).run();
}

}  // namespace sinew::collide
