#include "sinew/geometry/part_shape.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/parallel.h"
#include "sinew/base/array.h"
#include "sinew/geometry/topology.h"

namespace sinew::geometry {
namespace {

/// Inner sides of the planes of the openings.
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

/// KC: of the kernel's hull where there is a kernel, else of the solid, else the roomiest place.
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
    const Opening& up = tree.openings[static_cast<std::size_t>(part)];
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
                 "the middle of part \"{}\" lies outside of it: its roomiest point stands for it; cut the "
                 "part "
                 "where it bends",
                 cut.names[p]);
    }
    return features;
}

std::vector<PartFeatures> part_features(const CutMesh& cut, const PartTree& tree, Monitor& monitor) {
    return part_features(part_shapes(cut), cut, tree, monitor);
}

}  // namespace sinew::geometry
