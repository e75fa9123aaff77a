#include "sinew/sample/implicit.h"

#include <algorithm>
#include <cmath>

namespace sinew::sample {
namespace {

double square(double x) {
    return x * x;
}

/// Quilez, "Round Cone": exact distance to the hull of two balls.
double distance_to(const RoundCone& cone, const Vec3d& point) {
    const Vec3d ba = cone.end - cone.start, pa = point - cone.start;
    const double l2 = ba.squaredNorm(), rr = cone.start_radius - cone.end_radius;
    const double a2 = l2 - rr * rr, y = pa.dot(ba), z = y - l2;
    if (a2 <= 0)  // one ball holds the other
        return rr > 0 ? pa.norm() - cone.start_radius : (point - cone.end).norm() - cone.end_radius;
    const double x2 = (pa * l2 - ba * y).squaredNorm(), y2 = y * y * l2, z2 = z * z * l2;
    const double k = (rr < 0 ? -1.0 : 1.0) * rr * rr * x2;
    if ((z < 0 ? -1.0 : 1.0) * a2 * z2 > k) return std::sqrt(x2 + z2) / l2 - cone.end_radius;
    if ((y < 0 ? -1.0 : 1.0) * a2 * y2 < k) return std::sqrt(x2 + y2) / l2 - cone.start_radius;
    return (std::sqrt(x2 * a2 / l2) + y * rr) / l2 - cone.start_radius;
}

/// First-order distance of the ellipsoid with these half-axes: k0 (k0 - 1) / k1 (Quilez, "Ellipsoid").
double scaled_distance(const Vec3d& q, const Vec3d& radii) {
    const double k0 = q.cwiseQuotient(radii).norm();
    const double k1 = q.cwiseQuotient(radii.cwiseProduct(radii)).norm();
    return k1 > 1e-9 ? k0 * (k0 - 1) / k1 : -radii.minCoeff();
}

double distance_to(const Ellipsoid& ellipsoid, const Vec3d& point) {
    return scaled_distance(ellipsoid.axes.transpose() * (point - ellipsoid.center), ellipsoid.radii);
}

/// Slope of a monotone cubic through three values (Fritsch and Butland 1984).
double monotone_slope(double h0, double d0, double h1, double d1) {
    if (d0 * d1 <= 0) return 0;
    const double w0 = 2 * h1 + h0, w1 = h1 + 2 * h0;
    return (w0 + w1) / (w0 / d0 + w1 / d1);
}

/// Value of one profile of the loft at t, between sections i and i + 1.
double profile(const std::vector<Section>& s, std::size_t i, double t, double Section::*value) {
    const double h = s[i + 1].at - s[i].at, d = (s[i + 1].*value - s[i].*value) / h;
    double m0 = d, m1 = d;
    if (i > 0) {
        const double h0 = s[i].at - s[i - 1].at;
        m0 = monotone_slope(h0, (s[i].*value - s[i - 1].*value) / h0, h, d);
    }
    if (i + 2 < s.size()) {
        const double h1 = s[i + 2].at - s[i + 1].at;
        m1 = monotone_slope(h, d, h1, (s[i + 2].*value - s[i + 1].*value) / h1);
    }
    const double x = (t - s[i].at) / h, y = 1 - x;
    return (s[i].*value * (1 + 2 * x) + m0 * h * x) * y * y + (s[i + 1].*value * (1 + 2 * y) - m1 * h * y) * x * x;
}

Section section_at(const std::vector<Section>& sections, double t) {
    if (t <= sections.front().at) return sections.front();
    if (t >= sections.back().at) return sections.back();
    const auto above = std::upper_bound(sections.begin(), sections.end(), t,
                                        [](double value, const Section& s) { return value < s.at; });
    const std::size_t i = static_cast<std::size_t>(above - sections.begin()) - 1;
    Section section;
    section.at = t;
    for (double Section::*value : {&Section::width, &Section::front, &Section::back, &Section::shift_u,
                                   &Section::shift_v, &Section::square})
        section.*value = profile(sections, i, t, value);
    return section;
}

double distance_to(const Loft& loft, const Vec3d& point) {
    const Vec3d q = loft.axes.transpose() * (point - loft.origin);
    const Section s = section_at(loft.sections, q.z());
    const double over = q.z() - s.at, u = q.x() - s.shift_u, v = q.y() - s.shift_v;
    const Vec3d r(s.width, v > 0 ? s.front : s.back, over > 0 ? loft.end_cap : loft.start_cap);
    const double d2 = scaled_distance({u, v, over}, r);
    if (s.square == 0) return d2;
    // The norm of degree 4 is never above that of degree 2: it moves the surface out towards the corners.
    const double a = square(u / r.x()), b = square(v / r.y()), c = square(over / r.z());
    const double k2 = std::sqrt(a + b + c), k4 = std::sqrt(std::sqrt(a * a + b * b + c * c));
    return k2 > 1e-9 ? d2 + s.square * (k4 - k2) * std::min({r.x(), r.y(), r.z() + 1}) : d2;
}

double distance_to(const HalfSpace& half, const Vec3d& point) {
    return half.normal.dot(point - half.point);
}

struct Ball {
    Vec3d center;
    double radius;
};

Ball ball_around(const RoundCone& cone) {
    return {(cone.start + cone.end) / 2,
            (cone.end - cone.start).norm() / 2 + std::max(cone.start_radius, cone.end_radius)};
}

Ball ball_around(const Ellipsoid& ellipsoid) {
    return {ellipsoid.center, ellipsoid.radii.maxCoeff()};
}

Ball ball_around(const Loft& loft) {
    const double low = loft.sections.front().at - loft.start_cap, high = loft.sections.back().at + loft.end_cap;
    double aside = 0;
    for (const Section& s : loft.sections) {
        const double u = std::abs(s.shift_u) + s.width, v = std::abs(s.shift_v) + std::max(s.front, s.back);
        aside = std::max(aside, std::hypot(u, v));
    }
    return {loft.origin + loft.axes.col(2) * (low + high) / 2, std::hypot(aside, (high - low) / 2)};
}

Ball ball_around(const HalfSpace& half) {
    return {half.point, std::numeric_limits<double>::infinity()};
}

}  // namespace

double evaluate(const Shape& shape, const Vec3d& point) {
    return std::visit([&](const auto& s) { return distance_to(s, point); }, shape);
}

double smooth_min(double a, double b, double k) {
    const double h = std::max(k - std::abs(a - b), 0.0);
    return std::min(a, b) - (h > 0 ? h * h / (4 * k) : 0.0);
}

double smooth_step(double low, double high, double x) {
    const double t = std::clamp((x - low) / (high - low), 0.0, 1.0);
    return t * t * (3 - 2 * t);
}

void ImplicitBody::push(Piece piece) {
    const Ball ball = std::visit([](const auto& s) { return ball_around(s); }, piece.shape);
    entries_.push_back({std::move(piece), ball.center, ball.radius});
}

void ImplicitBody::add(Shape shape, double blend, bool paired) {
    push({std::move(shape), blend, Combine::add, paired});
}

void ImplicitBody::carve(Shape shape, double blend, bool paired) {
    push({std::move(shape), blend, Combine::carve, paired});
}

void ImplicitBody::cover(std::function<double(const Vec3d&)> side, double thickness, double ramp) {
    covers_.push_back({std::move(side), thickness, ramp});
}

/// Value of a piece, or infinity where it is above `limit` for certain and so cannot matter.
double ImplicitBody::piece_value(const Entry& entry, const Vec3d& point, double limit) {
    const auto value = [&](const Vec3d& p) {
        // The lofts' field may fall short of the distance, hence the factor.
        const double clear = (p - entry.center).norm() - entry.radius;
        return clear > 0 && 0.7 * clear > limit ? std::numeric_limits<double>::infinity() : evaluate(entry.piece.shape, p);
    };
    const double here = value(point);
    if (!entry.piece.paired) return here;
    return smooth_min(here, value({-point.x(), point.y(), point.z()}), std::max(entry.piece.blend, 1e-9));
}

double ImplicitBody::operator()(const Vec3d& point) const {
    // Infinity minus infinity would poison the smooth minimum, so "far away" is a number.
    constexpr double far = 1e3;
    double value = far;
    for (const Entry& entry : entries_) {
        const double k = std::max(entry.piece.blend, 1e-9);
        if (entry.piece.combine == Combine::add)
            value = smooth_min(value, std::min(piece_value(entry, point, value + 2 * k), far), k);
        else
            value = -smooth_min(-value, std::min(piece_value(entry, point, 2 * k - value), far), k);
    }
    if (std::abs(value) > 0.05) return value;  // too far away for a cover to change the sign
    double thickness = 0;
    for (const Cover& cover : covers_)
        thickness += cover.thickness * smooth_step(-cover.ramp / 2, cover.ramp / 2, cover.side(point));
    return value - thickness;
}

Vec3d ImplicitBody::normal(const Vec3d& point) const {
    constexpr double h = 2e-4;
    Vec3d gradient;
    for (int a = 0; a < 3; ++a) {
        const Vec3d step = h * Vec3d::Unit(a);
        gradient[a] = (*this)(point + step) - (*this)(point - step);
    }
    return gradient.normalized();
}

Vec3d ImplicitBody::project(const Vec3d& point, int steps, double reach) const {
    constexpr double h = 2e-4;
    Vec3d p = point;
    for (int n = 0; n < steps; ++n) {
        const double value = (*this)(p);
        if (std::abs(value) < 1e-7) break;
        Vec3d gradient;
        for (int a = 0; a < 3; ++a) gradient[a] = ((*this)(p + h * Vec3d::Unit(a)) - value) / h;
        const double slope2 = gradient.squaredNorm();
        if (slope2 < 1e-4) break;
        Vec3d move = -value / slope2 * gradient;
        if (move.norm() > reach) move *= reach / move.norm();
        p += move;
    }
    return p;
}

}  // namespace sinew::sample
