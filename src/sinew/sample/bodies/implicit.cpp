// SPDX-License-Identifier: MIT
#include "sinew/sample/bodies/implicit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace sinew::sample {
namespace {

constexpr int steps = 6;  // of the fine curve between two stations

/// Cubic through b and c with the slopes (c - a) / 2 and (d - b) / 2.
template <class Value>
Value catmull_rom(const Value& a, const Value& b, const Value& c, const Value& d, double t) {
    const double t2 = t * t, t3 = t2 * t;
    return 0.5 * ((2 * b) + t * (c - a) + t2 * (2 * a - 5 * b + 4 * c - d) + t3 * (3 * b - a - 3 * c + d));
}

Station between(const Station& a, const Station& b, const Station& c, const Station& d, double t) {
    Station s;
    s.at = catmull_rom<Vec3d>(a.at, b.at, c.at, d.at, t);
    // A cubic may overshoot where the radius changes much from one station to the next.
    const auto [low, high] = std::minmax(b.radius, c.radius);
    s.radius = std::clamp(catmull_rom(a.radius, b.radius, c.radius, d.radius, t), low, high);
    const auto [narrow, wide] = std::minmax(b.width, c.width);
    s.width = std::clamp(catmull_rom(a.width, b.width, c.width, d.width, t), narrow, wide);
    return s;
}

/// First-order distance of a point beside the axis: the scaled distance over the length of its gradient.
double section_distance(const Vec3d& aside, double radius, double width) {
    const Vec3d scaled(aside.x() / width, aside.y(), aside.z());
    const double length = scaled.norm();
    const double slope =
        length > 1e-9 ? std::hypot(scaled.x() / width, scaled.y(), scaled.z()) / length : 1 / width;
    return (length - radius) / slope;
}

}  // namespace

Sweep in_plane(double x, const std::vector<SideStation>& stations) {
    Sweep sweep;
    for (const SideStation& s : stations) sweep.stations.push_back({{x, s.y, s.z}, s.radius, s.width});
    return sweep;
}

void prepare(Sweep& sweep) {
    const std::vector<Station>& s = sweep.stations;
    sweep.curve.clear();
    for (std::size_t i = 0; i + 1 < s.size(); ++i) {
        const Station &before = s[i == 0 ? 0 : i - 1], &after = s[std::min(i + 2, s.size() - 1)];
        for (int n = 0; n < steps; ++n)
            sweep.curve.push_back(between(before, s[i], s[i + 1], after, static_cast<double>(n) / steps));
    }
    if (!s.empty()) sweep.curve.push_back(s.back());
}

double distance_to(const Sweep& sweep, const Vec3d& point) {
    double nearest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i + 1 < sweep.curve.size(); ++i) {
        const Station &a = sweep.curve[i], &b = sweep.curve[i + 1];
        const Vec3d along = b.at - a.at, from = point - a.at;
        const double squared = along.squaredNorm();
        const double t = squared > 0 ? std::clamp(from.dot(along) / squared, 0.0, 1.0) : 0.0;
        const Vec3d aside = from - t * along;
        nearest = std::min(nearest, section_distance(aside, a.radius + t * (b.radius - a.radius),
                                                     a.width + t * (b.width - a.width)));
    }
    return nearest;
}

namespace {

double square(double x) {
    return x * x;
}

/// Quilez, "Round Cone": exact distance to the hull of two spheres.
double distance_to(const RoundCone& cone, const Vec3d& point) {
    const Vec3d ba = cone.end - cone.start, pa = point - cone.start;
    const double l2 = ba.squaredNorm(), rr = cone.start_radius - cone.end_radius;
    const double a2 = l2 - rr * rr, y = pa.dot(ba), z = y - l2;
    if (a2 <= 0)  // one sphere contains the other
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

constexpr std::array profiles{&Section::width,   &Section::front,   &Section::back,
                              &Section::shift_u, &Section::shift_v, &Section::square};

Section section_at(const Loft& loft, double t) {
    const std::vector<Section>& s = loft.sections;
    if (t <= s.front().at) return s.front();
    if (t >= s.back().at) return s.back();
    std::size_t i = 0;
    while (s[i + 1].at <= t) ++i;
    const double h = s[i + 1].at - s[i].at, x = (t - s[i].at) / h, y = 1 - x;
    const double a = (1 + 2 * x) * y * y, b = h * x * y * y, c = (1 + 2 * y) * x * x, d = h * y * x * x;
    Section section;
    section.at = t;
    for (const auto value : profiles)
        section.*value = a * (s[i].*value) + b * (loft.slopes[i].*value) + c * (s[i + 1].*value) -
                         d * (loft.slopes[i + 1].*value);
    return section;
}

double distance_to(const Loft& loft, const Vec3d& point) {
    const Vec3d q = loft.axes.transpose() * (point - loft.origin);
    const Section s = section_at(loft, q.z());
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

/// All points within `radius` of a segment.
struct Capsule {
    Vec3d start;
    Vec3d end;
    double radius;
};

Capsule capsule_around(const RoundCone& cone) {
    return {cone.start, cone.end, std::max(cone.start_radius, cone.end_radius)};
}

Capsule capsule_around(const Ellipsoid& ellipsoid) {
    return {ellipsoid.center, ellipsoid.center, ellipsoid.radii.maxCoeff()};
}

Capsule capsule_around(const Loft& loft) {
    double aside = 0;
    for (const Section& s : loft.sections) {
        const double u = std::abs(s.shift_u) + s.width, v = std::abs(s.shift_v) + std::max(s.front, s.back);
        aside = std::max(aside, s.square > 0 ? std::hypot(u, v) : std::max(u, v));
    }
    const auto at = [&](double t) { return Vec3d(loft.origin + t * loft.axes.col(2)); };
    return {at(loft.sections.front().at), at(loft.sections.back().at),
            std::max({aside, loft.start_cap, loft.end_cap})};
}

Capsule capsule_around(const Sweep& sweep) {
    const Vec3d start = sweep.curve.front().at, along = sweep.curve.back().at - start;
    double aside = 0;
    for (const Station& s : sweep.curve) {
        const double t =
            std::clamp((s.at - start).dot(along) / std::max(along.squaredNorm(), 1e-12), 0.0, 1.0);
        aside = std::max(aside, (s.at - start - t * along).norm() + s.radius * std::max(1.0, s.width));
    }
    return {start, start + along, aside};
}

Capsule capsule_around(const HalfSpace& half) {
    return {half.point, half.point, std::numeric_limits<double>::infinity()};
}

}  // namespace

double evaluate(const Shape& shape, const Vec3d& point) {
    return std::visit([&](const auto& s) { return distance_to(s, point); }, shape);
}

void prepare(Loft& loft) {
    const std::vector<Section>& s = loft.sections;
    loft.slopes.assign(s.size(), {});
    for (const auto value : profiles) {
        const auto rise = [&](std::size_t i) {
            return (s[i + 1].*value - s[i].*value) / (s[i + 1].at - s[i].at);
        };
        for (std::size_t i = 1; i + 1 < s.size(); ++i)
            loft.slopes[i].*value =
                monotone_slope(s[i].at - s[i - 1].at, rise(i - 1), s[i + 1].at - s[i].at, rise(i));
        if (s.size() < 2) continue;
        loft.slopes.front().*value = rise(0);
        loft.slopes.back().*value = rise(s.size() - 2);
    }
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
    if (Loft* loft = std::get_if<Loft>(&piece.shape)) prepare(*loft);
    if (Sweep* sweep = std::get_if<Sweep>(&piece.shape)) prepare(*sweep);
    const Capsule capsule = std::visit([](const auto& s) { return capsule_around(s); }, piece.shape);
    const Vec3d along = capsule.end - capsule.start;
    entries_.push_back({std::move(piece), capsule.start, along, along.squaredNorm(), capsule.radius});
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

/// Value of a piece, or infinity where it is certainly above `limit` and therefore has no effect.
double ImplicitBody::piece_value(const Entry& entry, const Vec3d& point, double limit) {
    // The lofts' field may fall short of the distance, hence the factor.
    const double reach = entry.radius + std::clamp(limit, 0.0, horizon) / 0.7;
    const auto value = [&](const Vec3d& p) {
        const Vec3d from = p - entry.start;
        const double along = from.dot(entry.along);
        const double t = entry.along_squared > 0 ? std::clamp(along / entry.along_squared, 0.0, 1.0) : 0.0;
        const double apart = (from - t * entry.along).squaredNorm();
        return apart > reach * reach ? std::numeric_limits<double>::infinity()
                                     : evaluate(entry.piece.shape, p);
    };
    const double here = value(point);
    if (!entry.piece.paired) return here;
    return smooth_min(here, value({-point.x(), point.y(), point.z()}), std::max(entry.piece.blend, 1e-9));
}

double ImplicitBody::operator()(const Vec3d& point) const {
    // Infinity minus infinity in the smooth minimum would give NaN, so "far away" is a finite number.
    constexpr double far = 1e3;
    double value = far;
    for (const Entry& entry : entries_) {
        const double k = std::max(entry.piece.blend, 1e-9);
        if (entry.piece.combine == Combine::add)
            value = smooth_min(value, std::min(piece_value(entry, point, value + 2 * k), far), k);
        else
            value = -smooth_min(-value, std::min(piece_value(entry, point, 2 * k - value), far), k);
    }
    if (std::abs(value) > 0.03)
        return std::min(value, horizon);  // too far away for a cover to change the sign
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

ImplicitBody::Slope ImplicitBody::slope(const Vec3d& point) const {
    constexpr double h = 2e-4;
    Slope slope{(*this)(point), Vec3d::Zero()};
    for (int a = 0; a < 3; ++a) slope.gradient[a] = ((*this)(point + h * Vec3d::Unit(a)) - slope.value) / h;
    return slope;
}

Vec3d ImplicitBody::project(const Vec3d& point, int steps, double reach) const {
    Vec3d p = point;
    for (int n = 0; n < steps; ++n) {
        const Slope here = slope(p);
        const double squared = here.gradient.squaredNorm();
        if (std::abs(here.value) < 1e-7 || squared < 1e-4) break;
        const Vec3d move = -here.value / squared * here.gradient;
        p += move * std::min(1.0, reach / std::max(move.norm(), 1e-12));
    }
    return p;
}

}  // namespace sinew::sample
