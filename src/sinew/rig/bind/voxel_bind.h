#pragma once
/// \file
/// Geodesic voxel binding (Dionne and de Lasa 2013): a joint is as far as the way to its bones inside the
/// body. Takes any mesh with an extent: open, crossing itself, of many shells.

#include "sinew/base/monitor.h"
#include "sinew/rig/bind/bind_input.h"
#include "sinew/rig/bind/weight_table.h"

namespace sinew::rig {

enum class VoxelFalloff {
    /// Two joints in a row share a band of the limb between them and nothing beyond it: see `softness`.
    band,
    /// w_j ~ ((1 - a) d_j + a d_j^2)^-2 of the paper, a = `smoothness`; every joint that is reached has a
    /// part.
    published,
};

struct VoxelBindOptions {
    VoxelFalloff falloff = VoxelFalloff::band;
    double softness = 0.7;       ///< half the width of a band, in radii of the limb; 0 is rigid
    double smoothness = 0.2;     ///< of the published falloff, from 0 to 1
    double depth = 0.7;          ///< where ways begin: 0 on the surface, 1 in the middle of the limb
    int smoothing = 4;           ///< passes over the surface at the end
    int resolution = 0;          ///< cells along the longest side; 0 chooses it for `cells`
    std::size_t cells = 150000;  ///< about so many cells in the body
};

/// Weights of the joints; the bones of a joint are one source. Ways are searched over the cells of the body
/// and their 26 neighbours; the distance to a joint is the straight one, longer by as much as the way over
/// cells is longer than the straight way over cells, so that it is exact where nothing is between.
///
/// The band: with d_n the least and d_j another distance, t^2 = (d_j^2 - d_n^2) / (d_n^2 + R^2) is the
/// squared way beyond the joint in radii of a straight limb, R being the radius of the inscribed ball, and
/// w_j : w_n = S : 1 - S with S = 3x^2 - 2x^3, x = (1 - min(1, t / softness)) / 2.
///
/// Bones that lie mostly outside the body do not count, and a joint without others moves nothing, unless that
/// is all there is (warning `skeleton-outside`). Pieces of the body that no bone is in follow the nearest
/// piece that has one.
/// \throws Error when there is nothing to bind or the mesh has no extent.
WeightTable voxel_weights(const geometry::Mesh& mesh, const model::Skeleton& skeleton,
                          const VoxelBindOptions& options = {}, Monitor& monitor = silent());

}  // namespace sinew::rig
