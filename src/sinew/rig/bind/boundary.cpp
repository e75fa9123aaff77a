#include "sinew/rig/bind/boundary.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <Eigen/Geometry>

namespace sinew::rig {

DividingSurface::DividingSurface(const Vec3d& apex, const Vec3d& axis)
    : apex_(apex), axis_(axis.normalized()), u_(axis_.unitOrthogonal()), v_(axis_.cross(u_)) {}

DividingSurface::DividingSurface(const Vec3d& apex, const Vec3d& axis, std::span<const Vec3d> points)
    : DividingSurface(apex, axis) {
    std::vector<std::pair<double, Vec3d>> rays;
    for (const Vec3d& point : points) {
        const Vec3d ray = point - apex_;
        const double off = std::hypot(ray.dot(u_), ray.dot(v_));
        if (off > 0.05 * ray.norm())
            rays.emplace_back(std::atan2(ray.dot(v_), ray.dot(u_)), ray.normalized());
    }
    std::sort(rays.begin(), rays.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    // Of two rays in the same half-plane the second would make a wedge of no width.
    rays.erase(std::unique(rays.begin(), rays.end(),
                           [](const auto& a, const auto& b) { return b.first - a.first < 1e-6; }),
               rays.end());
    for (std::size_t i = 0; i < rays.size(); ++i) {
        const bool last = i + 1 == rays.size();
        const double next = last ? rays[0].first + 2 * math::pi : rays[i + 1].first;
        if (rays.size() < 3 || next - rays[i].first > math::radians(179)) {
            normals_.clear();
            azimuths_.clear();
            return;
        }
        azimuths_.push_back(rays[i].first);
        normals_.push_back(rays[i].second.cross(rays[last ? 0 : i + 1].second).normalized());
    }
}

double DividingSurface::height(const Vec3d& point) const {
    const Vec3d ray = point - apex_;
    if (normals_.empty()) return ray.dot(axis_);
    const double azimuth = std::atan2(ray.dot(v_), ray.dot(u_));
    const auto after = std::upper_bound(azimuths_.begin(), azimuths_.end(), azimuth);
    const auto wedge = after == azimuths_.begin() ? normals_.size() - 1
                                                  : static_cast<std::size_t>(after - azimuths_.begin()) - 1;
    return ray.dot(normals_[wedge]);
}

double DividingSurface::crossing(const Vec3d& a, const Vec3d& b) const {
    const bool beyond_a = beyond(a);
    double low = 0, high = 1;
    for (int i = 0; i < 40; ++i) {
        const double middle = (low + high) / 2;
        (beyond(a + middle * (b - a)) == beyond_a ? low : high) = middle;
    }
    return (low + high) / 2;
}

}  // namespace sinew::rig
