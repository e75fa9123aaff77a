// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Convex hulls in space, and what they are like as surfaces.
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

/// A closed convex surface; empty when the points lie in a plane.
struct Hull {
    std::vector<Vec3d> points;        ///< corners only, in the order of the input
    std::vector<Triangle> triangles;  ///< anticlockwise seen from outside

    bool empty() const { return triangles.empty(); }
};

/// Qhull in double precision (Barber, Dobkin and Huhdanpaa 1996). Points that are not finite are an Error.
Hull convex_hull(const std::vector<Vec3d>& points);

/// Area, centroid and covariance of a triangle surface as a continuous sheet, which does not depend on how it
/// is divided into triangles: C_ij = 1/(12 A) sum a_k (9 m_i m_j + p_i p_j + q_i q_j + r_i r_j) - m_Hi m_Hj
/// (Gottschalk 2000), with corners p, q, r, middles m and areas a of the triangles.
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

/// The largest sphere inside all half-spaces; a negative radius means that there is no common point.
struct InnerSphere {
    Vec3d centre = Vec3d::Zero();
    double radius = 0;
};

/// Linear programme in (x, r): largest r with n . x + r <= d for all, inside a cube of half side `reach`
/// about `middle` (Seidel 1991, over the few half-spaces that matter, which are found by how far the others
/// are cut).
InnerSphere inner_sphere(std::span<const HalfSpace> half_spaces, const Vec3d& middle, double reach);

/// The common points of half-spaces about an inner point: the hull of the dual points n / (d - n . inner),
/// each face of which is a corner. None when it is not bounded, or when `inner` is not well inside.
std::optional<Hull> intersection(std::span<const HalfSpace> half_spaces, const Vec3d& inner);

/// The kernel of a solid with closed surface: the common points of the inner sides of its triangles and of
/// `more`. None when it is not star-shaped: when no sphere with 1e-7 of the diagonal fits in.
std::optional<Hull> kernel(const std::vector<Vec3d>& points, const std::vector<Triangle>& triangles,
                           std::span<const HalfSpace> more = {});

/// Centre, right-handed unit axes (columns) and half lengths along them.
struct OrientedBox {
    math::Vec3d centre = math::Vec3d::Zero();
    math::Mat3d axes = math::Mat3d::Identity();
    math::Vec3d half = math::Vec3d::Zero();

    double radius() const { return half.norm(); }  ///< of the sphere about the centre that holds the box
    bool contains(const math::Vec3d& point, double slack = 0) const {
        return ((axes.transpose() * (point - centre)).cwiseAbs() - half).maxCoeff() <= slack;
    }
};

/// The smallest box with these axes around the points.
OrientedBox box_around(const std::vector<math::Vec3d>& points, const math::Mat3d& axes);

/// Separating-axis test over 15 axes (Gottschalk 2000); touching counts as overlap. Cross axes shorter than
/// 1e-6 are skipped.
bool overlap(const OrientedBox& a, const OrientedBox& b);

/// The triangles of a part, turned so that they enclose a positive volume, and fans that close its borders
/// over the middles of their points.
struct PartSurface {
    std::vector<Vec3d> points;
    std::vector<Triangle> triangles;
    std::size_t own_points = 0;               ///< the others are the middles of the fans
    std::size_t own_triangles = 0;            ///< the others are the fans
    std::vector<std::uint32_t> point_of_cut;  ///< of each own point
};

PartSurface part_surface(const CutMesh& cut, int part);
/// Of all parts.
std::vector<PartSurface> part_surfaces(const CutMesh& cut);

/// Volume and its centre.
struct SolidMoments {
    double volume = 0;
    Vec3d centroid = Vec3d::Zero();
};
SolidMoments solid_moments(const std::vector<Vec3d>& points, const std::vector<Triangle>& triangles);

/// How often a closed surface winds around a point: 1 inside, 0 outside (Van Oosterom and Strackee 1983).
double winding_number(const PartSurface& surface, const Vec3d& point);

/// Distance along a unit direction to the first triangle, infinite when there is none; caps count.
double first_hit(const PartSurface& surface, const Vec3d& origin, const Vec3d& direction);

/// Distance to the nearest point of the surface.
double distance_to(const PartSurface& surface, const Vec3d& point);

/// The point inside that is farthest from the surface, searched on a grid of 16^3 cells over a box with these
/// axes and improved by a pattern search. None when no cell has its middle inside.
std::optional<Vec3d> roomiest_point(const PartSurface& surface, const math::Mat3d& axes);

enum class CentreKind : std::uint8_t {
    kernel,     ///< centroid of the kernel's hull: the part is star-shaped
    mass,       ///< centre of mass of the part with its openings closed
    clearance,  ///< that lay outside: the deepest point inside
};

/// Features of one part, before or after the directions are refined.
struct PartFeatures {
    Vec3d centre = Vec3d::Zero();  ///< KC, or its substitute
    CentreKind centre_kind = CentreKind::kernel;
    OrientedBox box;    ///< its axes are the principal directions PD, right-handed, by falling variance
    int main_axis = 0;  ///< which of them is the principal axis
    Vec3d axis_ends[2] = {Vec3d::Zero(),
                          Vec3d::Zero()};  ///< of the principal axis through the centre, inside
    double median_edge = 0;
};

/// Features of all parts, by part.
std::vector<PartFeatures> part_features(const CutMesh& cut, const PartTree& tree,
                                        Monitor& monitor = silent());

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

/// Recomputes box and axis segment, from the directions and the centre.
void update_extents(const PartShape& shape, PartFeatures& features);

/// The line through the centre along a direction as far as it stays inside, openings closed.
void clip_inside(const PartSurface& surface, const Vec3d& centre, const Vec3d& direction, Vec3d ends[2]);

/// The segment of Lien, Keyser and Amato 2006 (PA_MC(CH)): through the centroid of the hull, as far as the
/// hull reaches. It may leave the part.
void clip_to_hull(const PartShape& shape, const Vec3d& direction, Vec3d ends[2]);

}  // namespace sinew::geometry
