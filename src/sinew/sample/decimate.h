#pragma once
/// \file
/// Fewer triangles on a half mesh, down to an exact count.

#include "sinew/sample/bodies/half_mesh.h"

namespace sinew::sample {

/// Edge length that each vertex should have relative to the others: shorter where the surface bends more,
/// within a factor of `range`.
std::vector<double> sizes_by_curvature(const HalfMesh& mesh, const ImplicitBody& body, double range);

/// Collapses edges, the shortest relative to `sizes` first, until exactly `target` triangles are left;
/// between passes the rest is evened out. The surface stays manifold and the seam keeps to its plane. Meshes
/// with border rows are not meant. Ends with more triangles when no edge can go without folding the surface,
/// and with one more when the number is odd and there is no seam.
void decimate(HalfMesh& mesh, const ImplicitBody& body, std::vector<double> sizes, std::size_t target);

}  // namespace sinew::sample
