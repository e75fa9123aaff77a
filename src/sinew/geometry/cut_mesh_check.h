#pragma once
/// \file
/// Whether a mesh is fit to be moved part by part.

#include "sinew/geometry/cut_mesh.h"

namespace sinew::geometry {

struct SurfaceCheckOptions {
    double sampling_ratio = 5;  ///< of the longest edge of a part to its median edge
};

/// Warns about what patches over the joints cannot mend: `parts-open-surface`, `parts-nonmanifold`,
/// `parts-genus` (handles), `parts-sampling` (edges much longer than others; names the worst part).
void check_surface(const Mesh& mesh, const CutMesh& cut, Monitor& monitor,
                   const SurfaceCheckOptions& options = {});

/// Longest edge over median edge, of every part.
std::vector<double> sampling_ratios(const CutMesh& cut);

}  // namespace sinew::geometry
