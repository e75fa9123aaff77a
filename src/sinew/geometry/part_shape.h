// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Convex hulls, oriented boxes and shape features of the parts of a mesh.
///
/// \code
/// const geometry::Hull hull = geometry::convex_hull(points);
/// const geometry::OrientedBox box = geometry::box_around(points, math::Mat3d::Identity());
/// \endcode

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sinew/base/monitor.h"
#include "sinew/geometry/cut_mesh.h"
#include "sinew/geometry/mesh.h"
#include "sinew/math/types.h"

namespace sinew::geometry {

/// A closed convex surface; empty when the points are coplanar.
struct Hull {
    std::vector<Vec3d> points;        ///< corners of the hull only, in the order of the input
    std::vector<Triangle> triangles;  ///< counter-clockwise seen from outside

    bool empty() const { return triangles.empty(); }
};

/// Convex hull by Qhull in double precision (Barber, Dobkin and Huhdanpaa 1996).
/// \throws Error when a point is not finite
Hull convex_hull(const std::vector<Vec3d>& points);

/// Area, centroid and covariance of a triangle surface, integrated over the surface and therefore independent
/// of its tessellation: C_ij = 1/(12 A) sum a_k (9 m_i m_j + p_i p_j + q_i q_j + r_i r_j) - m_Hi m_Hj
/// (Gottschalk 2000), with corners p, q, r, centroids m and areas a of the triangles.
struct SheetMoments {
    double area = 0;
    Vec3d centroid = Vec3d::Zero();
    math::Mat3d covariance = math::Mat3d::Zero();
};
SheetMoments sheet_moments(const std::vector<Vec3d>& points, const std::vector<Triangle>& triangles);

/// Points x with normal . x <= offset; the normal has unit length.
struct HalfSpace {
    Vec3d normal = Vec3d::UnitZ();
    double offset = 0;
};

/// The largest sphere inside all half-spaces; a negative radius means that they have no common point.
struct InnerSphere {
    Vec3d centre = Vec3d::Zero();
    double radius = 0;
};

/// Solves the linear program in (x, r): maximise r with n . x + r <= d for all half-spaces, in a cube of half
/// side `reach` around `middle` (Seidel 1991, applied to the few binding half-spaces).
InnerSphere inner_sphere(std::span<const HalfSpace> half_spaces, const Vec3d& middle, double reach);

/// Intersection of half-spaces around an inner point, as the convex hull of the dual points n / (d - n .
/// inner); each face of the dual hull is a corner. Empty when the intersection is unbounded or `inner` is not
/// well inside it.
std::optional<Hull> intersection(std::span<const HalfSpace> half_spaces, const Vec3d& inner);

/// The kernel of a closed surface: the intersection of the inner half-spaces of its triangles and of `more`.
/// Empty when the surface is not star-shaped: no sphere with a radius of 1e-7 of the diagonal fits in.
std::optional<Hull> kernel(const std::vector<Vec3d>& points, const std::vector<Triangle>& triangles,
                           std::span<const HalfSpace> more = {});

/// Oriented bounding box: centre, right-handed unit axes (columns) and half lengths along them.
struct OrientedBox {
    math::Vec3d centre = math::Vec3d::Zero();
    math::Mat3d axes = math::Mat3d::Identity();
    math::Vec3d half = math::Vec3d::Zero();

    double radius() const { return half.norm(); }  ///< radius of the bounding sphere about the centre
    bool contains(const math::Vec3d& point, double slack = 0) const {
        return ((axes.transpose() * (point - centre)).cwiseAbs() - half).maxCoeff() <= slack;
    }
};

/// The smallest box with these axes that contains the points.
OrientedBox box_around(const std::vector<math::Vec3d>& points, const math::Mat3d& axes);

/// Separating-axis test with 15 axes (Gottschalk 2000). Touching boxes overlap. Cross products shorter than
/// 1e-6 are skipped.
bool overlap(const OrientedBox& a, const OrientedBox& b);

/// The triangles of a part, oriented to enclose a positive volume, with triangle fans that close its openings
/// at the centroids of their points.
struct PartSurface {
    std::vector<Vec3d> points;
    std::vector<Triangle> triangles;
    std::size_t own_points = 0;     ///< number of points of the part; later ones are centres of the fans
    std::size_t own_triangles = 0;  ///< number of triangles of the part; later ones belong to the fans
    std::vector<std::uint32_t> point_of_cut;  ///< point of the cut mesh for each own point
};

PartSurface part_surface(const CutMesh& cut, int part);
/// Surfaces of all parts.
std::vector<PartSurface> part_surfaces(const CutMesh& cut);

/// Volume and centre of mass.
struct SolidMoments {
    double volume = 0;
    Vec3d centroid = Vec3d::Zero();
};
SolidMoments solid_moments(const std::vector<Vec3d>& points, const std::vector<Triangle>& triangles);

/// Winding number of a closed surface about a point: 1 inside, 0 outside (Van Oosterom and Strackee 1983).
double winding_number(const PartSurface& surface, const Vec3d& point);

/// Distance along a unit direction to the first triangle, fans included; infinite when there is no hit.
double first_hit(const PartSurface& surface, const Vec3d& origin, const Vec3d& direction);

/// Distance to the nearest point of the surface.
double distance_to(const PartSurface& surface, const Vec3d& point);

/// The interior point that is farthest from the surface: found on a grid of 16^3 cells over a box with these
/// axes, then refined by a pattern search. Empty when no cell centre is inside.
std::optional<Vec3d> roomiest_point(const PartSurface& surface, const math::Mat3d& axes);

enum class CentreKind : std::uint8_t {
    kernel,     ///< centroid of the kernel; the part is star-shaped
    mass,       ///< centre of mass of the part with closed openings
    clearance,  ///< the interior point farthest from the surface, because the centre of mass is outside
};

/// Shape features of one part, before or after refinement of its directions.
struct PartFeatures {
    Vec3d centre = Vec3d::Zero();  ///< centroid of the kernel (KC), or its substitute
    CentreKind centre_kind = CentreKind::kernel;
    OrientedBox box;    ///< axes are the principal directions (PD), right-handed, by decreasing variance
    int main_axis = 0;  ///< index of the principal axis
    Vec3d axis_ends[2] = {
        Vec3d::Zero(),
        Vec3d::Zero()};  ///< end points of the principal axis through the centre, clipped to the interior
    double median_edge = 0;
};

/// Features of all parts, by part index.
std::vector<PartFeatures> part_features(const CutMesh& cut, const PartTree& tree,
                                        Monitor& monitor = silent());

/// Geometry of one part that the features are computed from; it does not change when directions are refined.
struct PartShape {
    PartSurface surface;
    Hull hull;  ///< convex hull of the points; empty when they are coplanar

    const std::vector<Vec3d>& hull_points() const { return hull.empty() ? surface.points : hull.points; }
    SheetMoments moments() const {
        return hull.empty() ? sheet_moments(surface.points, surface.triangles)
                            : sheet_moments(hull.points, hull.triangles);
    }
};

std::vector<PartShape> part_shapes(const CutMesh& cut);

/// The same for shapes that are already known. Warns `part-centre-outside`.
std::vector<PartFeatures> part_features(const std::vector<PartShape>& shapes, const CutMesh& cut,
                                        const PartTree& tree, Monitor& monitor = silent());

/// Eigenvectors of a covariance matrix by decreasing variance, right-handed. Among equal variances (within
/// 1e-6) the first direction is chosen towards `outward`, if that is not zero.
math::Mat3d principal_directions(const math::Mat3d& covariance, const Vec3d& outward);

/// The same directions with signs by the shape: the first along `outward`; the second towards the side where
/// the hull extends farther from `middle`; the third by the right-hand rule.
math::Mat3d with_signs(const math::Mat3d& axes, const std::vector<Vec3d>& hull_points, const Vec3d& middle,
                       const Vec3d& outward);

/// Recomputes box and axis segment from directions and centre.
void update_extents(const PartShape& shape, PartFeatures& features);

/// The segment of the line through the centre that is inside the part with closed openings.
void clip_inside(const PartSurface& surface, const Vec3d& centre, const Vec3d& direction, Vec3d ends[2]);

/// The segment of Lien, Keyser and Amato 2006 (PA_MC(CH)): the line through the centroid of the hull, clipped
/// to the hull. It may leave the part.
void clip_to_hull(const PartShape& shape, const Vec3d& direction, Vec3d ends[2]);

}  // namespace sinew::geometry
