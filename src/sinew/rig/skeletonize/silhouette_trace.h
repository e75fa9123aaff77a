#pragma once
/// \file
/// The variants of outline tracing behind trace_silhouette.

#include "sinew/rig/skeletonize/silhouette.h"
#include "sinew/rig/skeletonize/view_raster.h"

namespace sinew::rig {

Silhouette trace_search(const WeldedSurface& surface, const Projection& projection,
                        const OutlineOptions& options);
Silhouette trace_linkage(const WeldedSurface& surface, const Projection& projection);
Silhouette trace_linkage_modified(const WeldedSurface& surface, const Projection& projection);
/// `shadow` is what shadow_of gives, when it is known.
Silhouette trace_walk(const WeldedSurface& surface, const Projection& projection,
                      const OutlineOptions& options, const Mask* shadow = nullptr);
Silhouette trace_raster(const WeldedSurface& surface, const Projection& projection,
                        const OutlineOptions& options);

/// The picture in which holes are looked for and outlines are checked.
Mask shadow_of(const WeldedSurface& surface, const Projection& projection);
OutlineCheck check(const Silhouette& silhouette, const WeldedSurface& surface, const Projection& projection,
                   const Mask& shadow);

/// The vertex every tour starts from: the highest, then the leftmost, then the first.
std::uint32_t start_vertex(const WeldedSurface& surface, const Projection& projection);
/// Clockwise turn from u to v, in [0, 2 pi).
double clockwise(const Vec2d& u, const Vec2d& v);
/// A loop through vertices of the mesh as the only piece of a silhouette; nothing when it has no area.
Silhouette silhouette_of(SilhouetteVariant variant, const std::vector<std::uint32_t>& vertices,
                         const Projection& projection);

/// Loops sorted into pieces: those with positive area are outlines, the others holes of the smallest outline
/// around them. Pieces and holes that are too small are left out; the largest piece comes first.
std::vector<SilhouettePiece> sort_into_pieces(std::vector<SilhouetteLoop> loops,
                                              const OutlineOptions& options);

}  // namespace sinew::rig
