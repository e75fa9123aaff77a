#pragma once
/// \file
/// Curve skeletons from the levels of a function: the Reeb graph, for comparison.

#include "sinew/rig/curve_skeleton.h"
#include "sinew/rig/skeletonize/body_limbs.h"
#include "sinew/rig/skeletonize/curve_refine.h"

namespace sinew::rig {

struct ReebOptions {
    BodyOptions body = {};
    LimbOptions limbs = {};  ///< branches that end at none are removed
    double level = 2;        ///< width of the levels, in percent of the diagonal
};

/// The Reeb graph of the distance from one end of the body, on ways inside it (Lazarus and Verroust 1999,
/// "Level set diagrams", with the solid for the surface, so that every mesh will do): a node in the middle of
/// every connected part of a level, an edge where parts of two levels touch. Rings of the body stay rings.
/// Nothing is centred: levels lie across a limb only where its end is far from the source.
/// \throws Error when the mesh has no extent.
CurveSkeleton reeb_skeleton(const geometry::Mesh& mesh, const ReebOptions& options = {},
                            Monitor& monitor = silent());

}  // namespace sinew::rig
