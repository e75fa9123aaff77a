#include "sinew/geometry/part_shape.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Eigenvalues>

namespace sinew::geometry {
namespace {

/// Turns directions i.. of equal variance, `count` of them, so that the first leans towards `outward`.
void lean(math::Mat3d& axes, int first, int count, const Vec3d& outward) {
    Vec3d towards = Vec3d::Zero();
    for (int i = first; i < first + count; ++i) towards += outward.dot(axes.col(i)) * axes.col(i);
    if (towards.norm() <= 1e-6 * outward.norm()) return;
    const Vec3d lead = towards.normalized();
    if (count == 2) {
        const int other = 3 - first - (first + 1);  // the index that is in neither
        axes.col(first) = lead;
        axes.col(first + 1) = axes.col(other).cross(lead).normalized();
        return;
    }
    axes.col(0) = lead;
    const Vec3d apart = axes.col(std::abs(lead.dot(axes.col(1))) < std::abs(lead.dot(axes.col(2))) ? 1 : 2);
    axes.col(1) = (apart - apart.dot(lead) * lead).normalized();
}

/// How far the hull reaches along a direction minus how far it reaches back.
double lopsided(const std::vector<Vec3d>& points, const Vec3d& middle, const Vec3d& direction) {
    double low = 0, high = 0;
    for (const Vec3d& p : points) {
        const double along = direction.dot(p - middle);
        low = std::min(low, along);
        high = std::max(high, along);
    }
    return high + low;
}

}  // namespace

math::Mat3d principal_directions(const math::Mat3d& covariance, const Vec3d& outward) {
    const Eigen::SelfAdjointEigenSolver<math::Mat3d> solver(covariance);
    math::Mat3d axes;
    for (int i = 0; i < 3; ++i) axes.col(i) = solver.eigenvectors().col(2 - i).normalized();
    if (outward.norm() > 0) {
        const double most = solver.eigenvalues()[2];
        const bool upper = most - solver.eigenvalues()[1] <= 1e-6 * most;
        const bool lower = solver.eigenvalues()[1] - solver.eigenvalues()[0] <= 1e-6 * most;
        if (upper && lower)
            lean(axes, 0, 3, outward);
        else if (upper)
            lean(axes, 0, 2, outward);
        else if (lower)
            lean(axes, 1, 2, outward);
    }
    axes.col(2) = axes.col(0).cross(axes.col(1)).normalized();
    return axes;
}

math::Mat3d with_signs(const math::Mat3d& axes, const std::vector<Vec3d>& hull_points, const Vec3d& middle,
                       const Vec3d& outward) {
    math::Mat3d result = axes;
    for (int i = 0; i < 2; ++i) {
        double sign = outward.dot(axes.col(i));
        if (std::abs(sign) <= 1e-9 * outward.norm()) sign = lopsided(hull_points, middle, axes.col(i));
        if (sign < 0) result.col(i) = -axes.col(i);
    }
    result.col(2) = result.col(0).cross(result.col(1));
    return result;
}

void clip_inside(const PartSurface& surface, const Vec3d& centre, const Vec3d& direction, Vec3d ends[2]) {
    for (int e = 0; e < 2; ++e) {
        const Vec3d towards = e == 0 ? Vec3d(-direction) : direction;
        const double distance = first_hit(surface, centre, towards);
        ends[e] = std::isfinite(distance) ? Vec3d(centre + distance * towards) : centre;
    }
}

void clip_to_hull(const PartShape& shape, const Vec3d& direction, Vec3d ends[2]) {
    const PartSurface hull{shape.hull.points, shape.hull.triangles, 0, 0, {}};
    clip_inside(shape.hull.empty() ? shape.surface : hull, shape.moments().centroid, direction, ends);
}

void update_extents(const PartShape& shape, PartFeatures& features) {
    features.box = box_around(shape.hull_points(), features.box.axes);
    clip_inside(shape.surface, features.centre, features.box.axes.col(features.main_axis),
                features.axis_ends);
}

}  // namespace sinew::geometry
