// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Eigenvalues>

#include "sinew/base/array.h"
#include "sinew/base/parallel.h"
#include "sinew/geometry/part_shape.h"
#include "sinew/geometry/topology.h"

namespace sinew::geometry {
namespace {

/// Half-spaces on the inner side of the openings.
std::vector<HalfSpace> opening_planes(const PartTree& tree, int part) {
    std::vector<HalfSpace> planes;
    for (const Opening& opening : tree.openings) {
        if (opening.parent < 0 || (opening.parent != part && opening.child != part)) continue;
        const Vec3d outward = opening.child == part ? Vec3d(-opening.normal) : opening.normal;
        planes.push_back({outward, outward.dot(opening.centre)});
    }
    return planes;
}

double median_edge(const PartSurface& surface) {
    std::vector<double> lengths;
    const std::vector<Triangle> own(
        surface.triangles.begin(),
        surface.triangles.begin() + static_cast<std::ptrdiff_t>(surface.own_triangles));
    for (const Edge& edge : edge_table(own).edges)
        lengths.push_back((surface.points[edge.a] - surface.points[edge.b]).norm());
    return median(std::move(lengths));
}

/// KC: the centre of the kernel's hull if there is a kernel, else of the volume, else the deepest point.
void find_centre(const PartSurface& surface, const std::vector<HalfSpace>& planes, const math::Mat3d& axes,
                 PartFeatures& features) {
    if (const auto core = kernel(surface.points, surface.triangles, planes)) {
        features.centre = sheet_moments(core->points, core->triangles).centroid;
        features.centre_kind = CentreKind::kernel;
        return;
    }
    features.centre_kind = CentreKind::mass;
    const SolidMoments solid = solid_moments(surface.points, surface.triangles);
    const double diagonal = 2 * box_around(surface.points, math::Mat3d::Identity()).radius();
    features.centre = solid.volume < 1e-9 * diagonal * diagonal * diagonal
                          ? sheet_moments(surface.points, surface.triangles).centroid
                          : solid.centroid;
    if (winding_number(surface, features.centre) >= 0.5) return;
    if (const auto point = roomiest_point(surface, axes)) {
        features.centre = *point;
        features.centre_kind = CentreKind::clearance;
    }
}

PartFeatures features_of(const PartShape& shape, const PartTree& tree, int part) {
    PartFeatures features;
    const Opening& up = tree.openings[at(part)];
    const SheetMoments moments = shape.moments();
    features.median_edge = median_edge(shape.surface);
    features.box.axes = principal_directions(moments.covariance, Vec3d::Zero());
    find_centre(shape.surface, opening_planes(tree, part), features.box.axes, features);
    const Vec3d outward = up.parent >= 0 ? Vec3d(features.centre - up.centre) : Vec3d(Vec3d::Zero());
    features.box.axes = principal_directions(moments.covariance, outward);
    features.box.axes = with_signs(features.box.axes, shape.hull_points(), moments.centroid, outward);
    update_extents(shape, features);
    return features;
}

}  // namespace

std::vector<PartShape> part_shapes(const CutMesh& cut) {
    std::vector<PartSurface> surfaces = part_surfaces(cut);
    std::vector<PartShape> shapes(surfaces.size());
    parallel_for(shapes.size(), 1, [&](std::size_t p) {
        shapes[p].hull = convex_hull(surfaces[p].points);
        shapes[p].surface = std::move(surfaces[p]);
    });
    return shapes;
}

std::vector<PartFeatures> part_features(const std::vector<PartShape>& shapes, const CutMesh& cut,
                                        const PartTree& tree, Monitor& monitor) {
    std::vector<PartFeatures> features(shapes.size());
    parallel_for(shapes.size(), 1,
                 [&](std::size_t p) { features[p] = features_of(shapes[p], tree, static_cast<int>(p)); });
    for (std::size_t p = 0; p < features.size(); ++p) {
        if (features[p].centre_kind == CentreKind::clearance)
            warn(monitor, "part-centre-outside",
                 "the centroid of part \"{}\" is outside of it: its deepest point is used; cut the part "
                 "where it bends",
                 cut.names[p]);
    }
    return features;
}

std::vector<PartFeatures> part_features(const CutMesh& cut, const PartTree& tree, Monitor& monitor) {
    return part_features(part_shapes(cut), cut, tree, monitor);
}

namespace {

/// Rotates directions i.. of equal variance, `count` of them, so that the first is closest to `outward`.
void lean(math::Mat3d& axes, int first, int count, const Vec3d& outward) {
    Vec3d towards = Vec3d::Zero();
    for (int i = first; i < first + count; ++i) towards += outward.dot(axes.col(i)) * axes.col(i);
    if (towards.norm() <= 1e-6 * outward.norm()) return;
    const Vec3d lead = towards.normalized();
    if (count == 2) {
        const int other = 3 - first - (first + 1);  // the index that neither of them has
        axes.col(first) = lead;
        axes.col(first + 1) = axes.col(other).cross(lead).normalized();
        return;
    }
    axes.col(0) = lead;
    const Vec3d apart = axes.col(std::abs(lead.dot(axes.col(1))) < std::abs(lead.dot(axes.col(2))) ? 1 : 2);
    axes.col(1) = (apart - apart.dot(lead) * lead).normalized();
}

/// Extent of the hull along a direction minus its extent in the opposite direction.
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
        const double max = solver.eigenvalues()[2];
        const bool upper = max - solver.eigenvalues()[1] <= 1e-6 * max;
        const bool lower = solver.eigenvalues()[1] - solver.eigenvalues()[0] <= 1e-6 * max;
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
