#pragma once
/// \file
/// Stage 3 of closing a gap from its points alone, as the publication does it with Tight Cocone: a closed
/// surface through the samples, of which the facets between the parts are kept.

#include "sinew/deform/parts/gap_patch.h"

namespace sinew::deform {

/// Samples around a gap, in the parent's rest frame.
struct ScatteredPoints {
    std::vector<Vec3d> points;
    std::vector<Vec3d> normals;  ///< unit
    std::vector<int> part;       ///< 0 parent, 1 child, 2 new
};

/// Facets of the boundary of the inner Delaunay tetrahedra, those to the inner side of the normals of their
/// corners by most votes. Closed, oriented outwards, with no new points (Dey and Goswami 2003 peel in the
/// same way); edges at which more than two facets meet are possible.
std::vector<geometry::Triangle> enclosing_surface(const ScatteredPoints& samples);

/// Takes away facets of three points of one part when they are caps (their normal is not within 30 degrees of
/// those of all three points) or facets of the part itself (`existing` says so).
std::vector<geometry::Triangle> filter_facets(const ScatteredPoints& samples,
                                              std::vector<geometry::Triangle> facets,
                                              const std::function<bool(const geometry::Triangle&)>& existing);

/// Triangles of a patch from its points. True when they close the gap: every edge of the two loops in one
/// facet, every other edge in two that agree. Then the strip has been replaced by them.
bool retriangulate_scattered(const Gap& gap, const PartBody& body, GapPatch& patch);

}  // namespace sinew::deform
