#pragma once
/// \file
/// Convex hulls in space, and what they are like as surfaces.

#include <vector>

#include "sinew/geometry/mesh.h"

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

}  // namespace sinew::geometry
