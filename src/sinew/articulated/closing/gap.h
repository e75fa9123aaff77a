// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Pose-independent data of the gaps of a body: seams, the surface near them, soft regions where seams are
/// too close to each other, and tests of what is inside a part.

#include <array>
#include <span>

#include "sinew/articulated/gaps.h"
#include "sinew/geometry/cut_mesh.h"
#include "sinew/geometry/surface_queries.h"
#include "sinew/geometry/topology.h"
#include "sinew/math/planar.h"

namespace sinew::articulated {

/// Number of segments of every curve with constant topology.
inline constexpr int constant_pieces = 4;

/// Centres and boxes from the points of the parts only, for bodies without features.
void add_plain_features(PartBody& body);

struct Seam {
    int parent = -1;
    int child = -1;                   ///< the part that is farther from the root
    std::vector<std::uint32_t> loop;  ///< points, with the child on the left
    bool closed = true;               ///< false for a chain that starts and ends at the border of the mesh
};

/// Seams sorted by child, parent and first point. \pre The cut is tidy.
std::vector<Seam> find_seams(const geometry::CutMesh& cut, std::span<const int> parent);

/// The triangle across each side of each triangle (side k runs from corner k to corner k + 1); -1 at a
/// border, and where more than two triangles meet.
std::vector<std::array<int, 3>> triangles_across(const std::vector<geometry::Triangle>& triangles);

/// Steps from each part up to its root.
std::vector<int> part_depths(std::span<const int> parent);

/// The surface of one part near a seam, with its own indices: points and their triangles. The points of the
/// seam come first, in its order.
struct GapSide {
    static constexpr int outside =
        -1;                            ///< a triangle of the part that is not included here and never removed
    static constexpr int seam = -2;    ///< the other part of this gap
    static constexpr int border = -3;  ///< no triangle, or a third part

    int part = -1;
    std::vector<std::uint32_t> points;    ///< of the cut mesh
    std::vector<std::uint8_t> removable;  ///< far enough from other seams
    std::vector<int> hops;                ///< edges to the seam
    std::vector<double> reference;        ///< height over the opening from which a point counts as inside
    std::vector<Vec3d> normals;           ///< at rest
    std::vector<geometry::Triangle> triangles;  ///< of points here
    std::vector<std::uint32_t> triangle_ids;    ///< of the cut mesh
    std::vector<std::array<int, 3>> across;     ///< triangle here, or one of the constants
    geometry::Rows triangles_of;                ///< of each point
    geometry::Rows neighbours;                  ///< of each point
};

/// One seam. Heights are measured along `normal` from `centre`.
struct Gap {
    int parent = -1;
    int child = -1;
    bool closed = true;
    std::size_t loop_size = 0;
    Vec3d pivot = Vec3d::Zero();
    Vec3d centre = Vec3d::Zero();
    Vec3d normal = Vec3d::UnitZ();  ///< of the opening, towards the child
    double radius = 0;              ///< mean distance of the loop from its centre
    double spacing = 0;             ///< of new points: mean of the median edges of both parts
    GapSide sides[2];               ///< parent, child
    bool crowded = false;           ///< another seam is so close that points of this one must not be removed
};

/// Gaps of all seams, in their order.
std::vector<Gap> prepare_gaps(const PartBody& body);

/// Median edge length of each part.
std::vector<double> median_edges(const geometry::CutMesh& cut);

/// Soft regions. Where points of a seam must not be removed, parts would remain intersecting. There the
/// copies of a point coincide, and the skin around them is blended between the parts: a copy that belongs to
/// part a moves to (1 - s) W_a p + s sum D_k W_k p. The softness s decreases from 1 at such points to 0
/// within a few edges, and the shares D are those of the parts around p, spread along the surface. The blend
/// is linear, so that every program shows the exported skin at the same position.
class SoftSeams {
  public:
    struct Share {
        int part = 0;
        double weight = 0;
    };

    SoftSeams() = default;
    /// `reach` is the size of soft regions in edges; 0 means none.
    SoftSeams(const PartBody& body, const std::vector<Gap>& gaps, int reach);

    /// For points of the cut mesh.
    bool soft(std::uint32_t point) const { return !softness_.empty() && softness_[point] > 0; }
    /// True when all copies of the point always coincide.
    bool whole(std::uint32_t point) const { return !softness_.empty() && softness_[point] >= 1; }
    bool any() const { return !softness_.empty(); }

    /// Parts that move a copy of a point that belongs to `part`, in order, with weights that sum to 1.
    std::vector<Share> shares(int part, std::uint32_t point) const;

  private:
    std::vector<double> softness_;
    std::vector<std::vector<Share>> shares_;
};

/// The blend of the transforms of the parts.
struct BlendedPosition {
    math::Mat3d rotation = math::Mat3d::Zero();
    Vec3d shift = Vec3d::Zero();

    Vec3d operator*(const Vec3d& p) const { return rotation * p + shift; }
};
BlendedPosition blend(std::span<const SoftSeams::Share> shares, std::span<const math::Rigidd> world);

/// The solids of the parts at rest, for the selected inside test. Thread-safe.
class PartSolids {
  public:
    PartSolids() = default;
    PartSolids(const PartBody& body, InsideTest test);

    bool contains(int part, const Vec3d& point) const;

  private:
    InsideTest test_ = InsideTest::box;
    std::vector<geometry::OrientedBox> boxes_;
    std::vector<std::vector<math::Plane>> hulls_;
    std::vector<geometry::SurfaceQueries> surfaces_;
};

}  // namespace sinew::articulated
