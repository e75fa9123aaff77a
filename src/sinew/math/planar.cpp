#include "sinew/math/planar.h"

#include <cmath>

#include <Eigen/Eigenvalues>

namespace sinew::math {

PrincipalFrame principal_frame(std::span<const Vec3d> points) {
    PrincipalFrame frame;
    if (points.empty()) return frame;
    for (const Vec3d& p : points) frame.mean += p;
    frame.mean /= static_cast<double>(points.size());
    Mat3d covariance = Mat3d::Zero();
    for (const Vec3d& p : points) covariance += (p - frame.mean) * (p - frame.mean).transpose();
    covariance /= static_cast<double>(points.size());
    const Eigen::SelfAdjointEigenSolver<Mat3d> solver(covariance);  // rising order
    frame.axes.col(0) = solver.eigenvectors().col(2);
    frame.axes.col(1) = solver.eigenvectors().col(1);
    frame.axes.col(2) = frame.axes.col(0).cross(frame.axes.col(1));
    frame.variances = solver.eigenvalues().reverse();
    return frame;
}

Plane fit_plane(std::span<const Vec3d> points) {
    const PrincipalFrame frame = principal_frame(points);
    return {frame.mean, frame.axes.col(2)};
}

std::optional<LineCrossing> cross_lines(const Vec2d& o1, const Vec2d& d1, const Vec2d& o2, const Vec2d& d2) {
    const auto cross = [](const Vec2d& a, const Vec2d& b) { return a.x() * b.y() - a.y() * b.x(); };
    const double area = cross(d1, d2);
    if (!(std::abs(area) > 1e-9 * d1.norm() * d2.norm())) return std::nullopt;
    const Vec2d between = o1 - o2;
    return LineCrossing{cross(d2, between) / area, cross(d1, between) / area};
}

Vec3d Circle::at(double angle) const {
    return centre + radius * (std::cos(angle) * u + std::sin(angle) * normal.cross(u));
}

std::optional<Circle> circle_through(const Vec3d& p1, const Vec3d& p2, const Vec3d& p3) {
    const Vec3d a = p2 - p1, b = p3 - p1, n = a.cross(b);
    if (!(n.squaredNorm() > 1e-24 * a.squaredNorm() * b.squaredNorm())) return std::nullopt;
    const Vec3d w = b.squaredNorm() * n.cross(a) + a.squaredNorm() * b.cross(n);
    Circle circle;
    circle.centre = p1 + w / (2 * n.squaredNorm());
    circle.radius = w.norm() / (2 * n.squaredNorm());
    circle.normal = n.normalized();
    circle.u = (p1 - circle.centre).normalized();
    return circle;
}

}  // namespace sinew::math
