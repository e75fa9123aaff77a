#include "sinew/rig/skeletonize/refine_body.h"

#include <algorithm>
#include <cmath>

#include "sinew/geometry/topology.h"

namespace sinew::rig {
namespace {

std::vector<std::int8_t> shell_turns(const geometry::Mesh& mesh, const Vec3d& middle) {
    const geometry::Shells shells = geometry::shells_of(mesh);
    std::vector<double> volume(shells.count, 0);
    const auto at = [&](std::uint32_t v) { return Vec3d(mesh.positions[v].cast<double>() - middle); };
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        const Triangle& c = mesh.triangles[t];
        volume[shells.of_triangle[t]] += at(c[0]).dot(at(c[1]).cross(at(c[2])));
    }
    std::vector<std::int8_t> out(mesh.triangles.size());
    for (std::size_t t = 0; t < out.size(); ++t) out[t] = volume[shells.of_triangle[t]] < 0 ? -1 : 1;
    return out;
}

}  // namespace

Body::Body(const geometry::Mesh& mesh, const WeldedSurface& surface, int resolution, Monitor& monitor)
    : queries_(mesh), diagonal_(surface.diagonal) {
    const geometry::Box box = geometry::bounds(mesh.positions);
    low_ = box.low.cast<double>();
    high_ = box.high.cast<double>();
    turn_ = shell_turns(mesh, (low_ + high_) / 2);
    if (surface.closed) return;
    warn(monitor, "open-surface",
         "the surface is not closed; inside is what the voxel solid of {} cells encloses", resolution);
    solid_ = geometry::voxel_solid(mesh, {resolution, true}, monitor);
}

bool Body::contains(const Vec3d& point) const {
    if (solid_) return solid_->contains(point);
    // A direction that no model was built along.
    static const Vec3d direction = Vec3d(0.5257, 0.2763, 0.8046).normalized();
    for (const Interval& i : surface_intervals(point, direction)) {
        if (i.low <= 0 && i.high >= 0) return true;
    }
    return false;
}

std::vector<Interval> Body::inside(const Vec3d& point, const Vec3d& direction) const {
    return solid_ ? voxel_intervals(point, direction) : surface_intervals(point, direction);
}

/// Winding above zero along the line. Two hits of an edge shared by two triangles count once.
std::vector<Interval> Body::surface_intervals(const Vec3d& point, const Vec3d& direction) const {
    thread_local std::vector<geometry::RayHit> hits;
    const double back = 1.5 * diagonal_;
    // A hair aside, because symmetric models have edges where their middle planes are.
    const Vec3d origin = point - back * direction + 3e-7 * diagonal_ * Vec3d(0.71, -0.43, 0.56);
    queries_.all_hits(origin.cast<float>(), direction.cast<float>(), hits);
    std::vector<Interval> out;
    int winding = 0;
    double last[2] = {-1, -1};
    const double same = 2e-7 * diagonal_;
    for (const geometry::RayHit& hit : hits) {
        const int step = (hit.entering ? 1 : -1) * turn_[hit.triangle];
        double& previous = last[step > 0 ? 1 : 0];
        const auto at = static_cast<double>(hit.distance);
        if (previous >= 0 && at - previous <= same) continue;
        previous = at;
        if (winding <= 0 && winding + step > 0) out.push_back({at - back, at - back});
        if (winding > 0 && winding + step <= 0 && !out.empty()) out.back().high = at - back;
        winding += step;
    }
    std::erase_if(out, [](const Interval& i) { return !(i.high > i.low); });
    return out;
}

std::vector<Interval> Body::voxel_intervals(const Vec3d& point, const Vec3d& direction) const {
    // The stretch of the line in the box.
    double first = -1e300, last = 1e300;
    for (int axis = 0; axis < 3; ++axis) {
        if (std::abs(direction[axis]) < 1e-12) continue;
        const double a = (low_[axis] - point[axis]) / direction[axis];
        const double b = (high_[axis] - point[axis]) / direction[axis];
        first = std::max(first, std::min(a, b));
        last = std::min(last, std::max(a, b));
    }
    std::vector<Interval> out;
    const double step = solid_->cell() / 2;
    if (!(last > first) || last - first > 4 * diagonal_) return out;
    bool open = false;
    for (double t = first - 2 * step; t <= last + 2 * step; t += step) {
        const bool in = solid_->contains(Vec3d(point + t * direction));
        if (in && !open) out.push_back({t - step / 2, t});
        if (in) out.back().high = t + step / 2;
        open = in;
    }
    return out;
}

double Body::clearance(const Vec3d& point) const {
    const auto nearest = queries_.nearest(point.cast<float>());
    return nearest ? static_cast<double>(nearest->distance) : 0;
}

std::optional<Vec3d> Body::pulled_inside(const Vec3d& point) const {
    if (contains(point)) return point;
    const auto nearest = queries_.nearest(point.cast<float>());
    if (!nearest) return std::nullopt;
    const Vec3d surface = nearest->position.cast<double>();
    Vec3d way = surface - point;
    if (way.norm() < 1e-9 * diagonal_) return std::nullopt;
    way.normalize();
    for (const Interval& i : inside(surface, way)) {
        if (i.high <= 0 || i.low > 0.05 * diagonal_) continue;
        return Vec3d(surface + i.middle() * way);
    }
    return std::nullopt;
}

}  // namespace sinew::rig
