#include "sinew/sample/bodies/implicit.h"

#include <algorithm>
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

}  // namespace sinew::sample
