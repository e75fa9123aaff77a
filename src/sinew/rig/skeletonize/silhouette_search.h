#pragma once
/// \file
/// Variant A in its two levels: the search for outermost vertices, and the paths between them.

#include "sinew/rig/skeletonize/silhouette_trace.h"

namespace sinew::rig {

/// Level 1: vertices of the outline one after the other, each the outermost within reach of the last,
/// whatever the edges of the mesh. Empty when the tour does not close.
std::vector<std::uint32_t> search_outline(const WeldedSurface& surface, const Projection& projection,
                                          const OutlineOptions& options);

/// Level 2: the same tour along the edges of the mesh; straight where no path is near.
std::vector<std::uint32_t> connect_outline(const WeldedSurface& surface, const Projection& projection,
                                           const std::vector<std::uint32_t>& tour, bool shortest_paths);

/// For every vertex the longest of its edges in the view: Xie 2009, (3.3).
std::vector<double> search_radii(const WeldedSurface& surface, const Projection& projection);

}  // namespace sinew::rig
