#pragma once
/// \file
/// What is known about a gap before anything moves.

#include <array>

#include "sinew/deform/parts/part_body.h"
#include "sinew/deform/parts/seams.h"

namespace sinew::deform {

/// The surface of one part near a seam, with indices of its own: points and the triangles on them. The points
/// of the seam come first, in its order.
struct GapSide {
    static constexpr int outside = -1;  ///< a triangle of the part that is not here, and never removed
    static constexpr int seam = -2;     ///< the other part of this gap
    static constexpr int border = -3;   ///< nothing, or a third part

    int part = -1;
    std::vector<std::uint32_t> points;          ///< of the cut mesh
    std::vector<std::uint8_t> removable;        ///< far enough from other seams
    std::vector<int> hops;                      ///< edges to the seam
    std::vector<double> reference;              ///< height over the opening at which a point counts as inside
    std::vector<Vec3d> normals;                 ///< at rest
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
    bool crowded = false;           ///< another seam is so near that points of this one may not be removed
};

/// Gaps of all seams, in their order.
std::vector<Gap> prepare_gaps(const PartBody& body);

/// Median edge length of each part.
std::vector<double> median_edges(const geometry::CutMesh& cut);

}  // namespace sinew::deform
