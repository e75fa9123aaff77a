#pragma once
/// \file
/// Bounded biharmonic weights (Jacobson et al. 2011) on the cells of the body.

#include "sinew/base/monitor.h"
#include "sinew/rig/bind/bind_input.h"
#include "sinew/rig/bind/weight_table.h"

namespace sinew::rig {

struct BiharmonicOptions {
    std::size_t cells = 30000;  ///< about so many cells in the body
    int resolution = 0;         ///< cells along the longest side; 0 chooses it for `cells`
    double tolerance = 3e-3;    ///< of the solution of each joint
    /// A joint moves nothing where another is nearer by this factor along ways inside the body.
    double reach = 4;
};

/// For each joint minimises the integral of (Laplacian w)^2 over the body with w = 1 on the cells that its
/// bones cross, 0 on those of other joints (equal parts where they cross) and 0 <= w <= 1, with natural
/// borders; then divides by the sum over the joints, and interpolates at the vertices. The Laplacian is that
/// of the six neighbours. Bones that lie mostly outside do not count, as in `voxel_weights`, and pieces of
/// the body that no bone is in follow the nearest that has one.
/// \throws Error when there is nothing to bind or the mesh has no extent.
WeightTable biharmonic_weights(const geometry::Mesh& mesh, const model::Skeleton& skeleton,
                               const BiharmonicOptions& options = {}, Monitor& monitor = silent());

}  // namespace sinew::rig
