#pragma once
/// \file
/// A fit on another mesh, and at other levels of detail.

#include "sinew/fit/result.h"

namespace sinew::fit {

/// The fit with another rest mesh: refined, simplified or replaced. Hats are evaluated at the new vertices;
/// solved weights, and all corrections, are interpolated from the nearest place on the old rest mesh. A
/// vertex that is an old one keeps its weights bit for bit. \throws Error when the old mesh has no triangles
/// to interpolate on.
FitResult rebound(const FitResult& fit, const geometry::Mesh& rest);

/// How much of a fit is played.
struct DetailLevel {
    std::size_t influences = 0;                              ///< for each vertex, at most; 0 keeps all
    std::size_t corrections = static_cast<std::size_t>(-1);  ///< at most
    bool normals = true;                                     ///< own transformations of normals
};

/// A coarser fit: fewer influences, fewer corrections. With `sequence` the transformations (and the amounts
/// of the corrections) are fitted again to what is left, so that they make up for it.
FitResult at_level(const FitResult& fit, const DetailLevel& level,
                   const model::MeshSequence* sequence = nullptr, Monitor& monitor = silent());

/// The pose between frames, `time` counted in frames and clamped to the ends. Quaternions are brought to one
/// side before they are mixed: single ones each, dual ones all together, since their signs against each other
/// shape the blend.
BonePose pose_between(const FitResult& fit, double time);
/// Positions between frames; the amounts of corrections are mixed linearly.
std::vector<Vec3d> deformed_between(const FitResult& fit, double time, int corrections = -1);

}  // namespace sinew::fit
