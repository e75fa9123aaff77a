#pragma once
/// \file
/// One gap, closed: what was removed, what was added.

#include "sinew/deform/parts/gap_strip.h"

namespace sinew::deform {

/// Classes of points around a gap (Vasilakis 2008), as the five pictures of its making show them.
struct GapClasses {
    std::vector<std::uint32_t> circle;   ///< kept points of the seam
    std::vector<std::uint32_t> bezier;   ///< kept points around what was removed
    std::vector<std::uint32_t> removed;  ///< of the cut mesh
    std::vector<std::uint32_t> extra;    ///< kept neighbours of both
};

/// Seconds of the four stages.
struct GapSeconds {
    double remove = 0;
    double add = 0;
    double triangulate = 0;
    double normals = 0;

    double total() const { return remove + add + triangulate + normals; }
    void include(const GapSeconds& other);
};

/// The patch of one gap in the parent's rest frame, with the loops that it closes.
struct GapPatch {
    std::size_t gap = 0;
    bool moved = false;
    math::Rigidd world;  ///< of the parent
    GapMotion motion;
    Cut cut;
    RibSet ribs;
    StripPatch strip;
    int limit = 0;           ///< depth of the flood fill that was accepted; -1 when nothing could be removed
    std::size_t drawn = 0;   ///< pressed points that had to stay, and were drawn to the middle
    bool scattered = false;  ///< triangles are from the points alone
    std::size_t crossings = 0;  ///< pairs of its triangles that cross each other still
    GapSeconds seconds;

    std::size_t removed_points() const;
    std::size_t new_points() const { return strip.points.size() - strip.loop_points(); }
};

/// What a joint does.
struct JointMove {
    math::Rigidd relative;       ///< the child's motion against the parent
    std::vector<Vec3d> bent[2];  ///< see GapMotion
};

GapPatch close_gap(const Gap& gap, const PartBody& body, const JointMove& move, const InsideOther& inside,
                   const GapOptions& options);

/// Classes of the points of a side.
GapClasses classes_of(const Gap& gap, const GapPatch& patch, int side);

/// Pulls new points to the plane of their neighbours' Laplacians (bi-Laplacian steps); loops stay.
void fair(StripPatch& patch, int steps);

}  // namespace sinew::deform
