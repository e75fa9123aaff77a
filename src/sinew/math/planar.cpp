// SPDX-License-Identifier: MIT
#include "sinew/math/planar.h"

#include <algorithm>
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
    const Eigen::SelfAdjointEigenSolver<Mat3d> solver(covariance);  // eigenvalues in increasing order
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

Vec3d RationalQuadratic::at(double t) const {
    const double a = (1 - t) * (1 - t), b = 2 * t * (1 - t), c = t * t;
    return (a * start + b * middle + c * end) / (a + b * weight + c);
}

RationalQuadratic conic_of_control(const Vec3d& start, const Vec3d& control, const Vec3d& end,
                                   double weight) {
    return {start, weight * control, end, weight};
}

double circular_weight(const Vec3d& start, const Vec3d& control, const Vec3d& end) {
    const Vec3d a = start - control, b = end - control;
    // Half the angle between two unit vectors has the sine |a - b| / 2.
    if (a.norm() == 0 || b.norm() == 0) return 1;
    return (a.normalized() - b.normalized()).norm() / 2;
}

double weight_of_sharpness(double sharpness) {
    return sharpness / (1 - sharpness);
}

std::optional<RationalQuadratic> conic_through(const Vec3d& start, const Vec3d& leaving, const Vec3d& end,
                                               const Vec3d& arriving, const Vec3d& through) {
    const Vec3d chord = end - start, to_point = through - start;
    const Vec3d plane = to_point.cross(chord);
    const double area = plane.norm() / 2;
    if (!(area > 1e-14 * chord.squaredNorm())) return std::nullopt;
    const Vec3d normal = plane.normalized();
    const auto cross = [&](const Vec3d& a, const Vec3d& b) { return normal.dot(a.cross(b)); };
    const Vec3d& v = leaving;
    // The curve turns in one direction: from v to P as from P to u.
    const bool same = cross(v, to_point) * cross(end - through, arriving) >= 0;
    const Vec3d u = same ? arriving : Vec3d(-arriving);
    const double at_start = cross(v, chord) * cross(v, to_point);
    const double at_end = cross(u, start - end) * cross(u, through - end);
    if (!(at_start > 0) || !(at_end > 0)) return std::nullopt;
    const double k = area / std::sqrt(at_start * at_end);
    const double weight = k * cross(v, u);
    if (!(weight > -1)) return std::nullopt;
    // W = K (v M2 - u M1) with moments about the start, where M1 vanishes, transformed back by w C.
    return RationalQuadratic{start, k * cross(chord, u) * v + weight * start, end, weight};
}

std::vector<Vec3d> sample(const RationalQuadratic& curve, int pieces) {
    std::vector<Vec3d> points;
    points.reserve(static_cast<std::size_t>(pieces) + 1);
    for (int i = 0; i <= pieces; ++i) points.push_back(curve.at(static_cast<double>(i) / pieces));
    return points;
}

double length(std::span<const Vec3d> line) {
    double sum = 0;
    for (std::size_t i = 1; i < line.size(); ++i) sum += (line[i] - line[i - 1]).norm();
    return sum;
}

std::vector<Vec3d> resample_uniform(std::span<const Vec3d> line, int pieces) {
    const double whole = length(line);
    std::vector<Vec3d> points{line.front()};
    std::size_t segment = 1;
    double before = 0;  // length up to the start of the segment
    for (int i = 1; i < pieces; ++i) {
        const double target = whole * i / pieces;
        double size = (line[segment] - line[segment - 1]).norm();
        while (before + size < target && segment + 1 < line.size()) {
            before += size;
            ++segment;
            size = (line[segment] - line[segment - 1]).norm();
        }
        const double t = size > 0 ? std::clamp((target - before) / size, 0.0, 1.0) : 0.0;
        points.push_back((1 - t) * line[segment - 1] + t * line[segment]);
    }
    points.push_back(line.back());
    return points;
}

int pieces_of(double length, double spacing) {
    if (!(spacing > 0) || !(length > 0)) return 1;
    return std::max(1, static_cast<int>(std::min(std::round(length / spacing), 1e6)));
}

}  // namespace sinew::math
