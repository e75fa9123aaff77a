#pragma once
/// \file
/// Which way a part lies: its hull, its principal directions, and what follows from them.

#include "sinew/geometry/part_shape.h"

namespace sinew::geometry {

/// What features of a part are made from; it stays the same when directions are refined.
struct PartShape {
    PartSurface surface;
    Hull hull;  ///< of the points; empty when they lie in a plane

    const std::vector<Vec3d>& hull_points() const { return hull.empty() ? surface.points : hull.points; }
    SheetMoments moments() const {
        return hull.empty() ? sheet_moments(surface.points, surface.triangles)
                            : sheet_moments(hull.points, hull.triangles);
    }
};

std::vector<PartShape> part_shapes(const CutMesh& cut);

/// The same as of the cut mesh, when the shapes are known. Warns `part-centre-outside`.
std::vector<PartFeatures> part_features(const std::vector<PartShape>& shapes, const CutMesh& cut,
                                        const PartTree& tree, Monitor& monitor = silent());

/// Eigenvectors of a covariance by falling variance, right-handed. Where variances are equal (within 1e-6)
/// the first direction among them leans towards `outward`, if that is not zero.
math::Mat3d principal_directions(const math::Mat3d& covariance, const Vec3d& outward);

/// The same directions with signs that follow the shape: along `outward`, and across it to where the hull
/// reaches farther from its middle. The third follows from the right hand.
math::Mat3d with_signs(const math::Mat3d& axes, const std::vector<Vec3d>& hull_points, const Vec3d& middle,
                       const Vec3d& outward);

/// Box and axis segment anew, from the directions and the centre.
void update_extents(const PartShape& shape, PartFeatures& features);

/// The line through the centre along a direction as far as it stays inside, openings closed.
void clip_inside(const PartSurface& surface, const Vec3d& centre, const Vec3d& direction, Vec3d ends[2]);

/// The segment of Lien, Keyser and Amato 2006 (PA_MC(CH)): through the centroid of the hull, as far as the
/// hull reaches. It may leave the part.
void clip_to_hull(const PartShape& shape, const Vec3d& direction, Vec3d ends[2]);

}  // namespace sinew::geometry
