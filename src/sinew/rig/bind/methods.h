// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// The methods of binding, each by itself. All throw Error when there is nothing to bind or a number is not
/// finite. A joint is as near as the nearest of its bones.

#include <array>

#include "sinew/rig/bind/bind_input.h"
#include "sinew/rig/bind/weight_table.h"

namespace sinew::rig {

// --- By the straight distance to the bones. These see no surface, and so let an arm move the flank beside
// it.

/// w_j ~ 100^(-d_j / d_min) (Nar 2008): the weight falls by a hundred when the distance doubles; the heaviest
/// four joints with more than 0.005. A vertex that lies on bones follows them in equal parts.
WeightTable distance_weights(const geometry::Mesh& mesh, const model::Skeleton& skeleton,
                             Monitor& monitor = silent());

/// The smooth bind of modelling tools, as Yang and Zhang (2006) deduced it: Shepard's weights d_j^-4 of the
/// five nearest joints.
WeightTable nearest_weights(const geometry::Mesh& mesh, const model::Skeleton& skeleton,
                            Monitor& monitor = silent());

/// Every vertex follows the joint of the nearest bone alone; of several at the same distance the lowest.
WeightTable rigid_weights(const geometry::Mesh& mesh, const model::Skeleton& skeleton,
                          Monitor& monitor = silent());

// --- On the surface

/// Heat weights (Baran and Popović 2007): solves (L + M H) w_j = M H p_j on the surface: L the cotangent
/// stiffness, M the vertex areas, H_vv = 1 / d_v^2 with d_v the distance to the nearest joint that the vertex
/// sees through the inside of the mesh, p_j 1 where j is that joint. Cotangent weights below 0, which make
/// weights leave [0, 1], count as 0; edges may have any number of triangles. Pieces of the surface that see
/// no bone get empty rows.
/// \throws Error when the equations cannot be solved.
WeightTable heat_weights(const geometry::Mesh& mesh, const model::Skeleton& skeleton,
                         Monitor& monitor = silent());

// --- In the interior. Take any mesh with an extent: open, crossing itself, of many shells.

struct VoxelBindOptions {
    double softness = 0.7;  ///< half the width of a band, in radii of the limb; 0 is rigid
    int smoothing = 4;      ///< passes over the surface at the end
};

/// Geodesic voxel binding (Dionne and de Lasa 2013): a joint is as far as the path to its bones inside the
/// body. The bones of a joint are one source. Paths are searched over the cells of the body and their 26
/// neighbours; the distance to a joint is the straight one, longer by as much as the path over cells is
/// longer than the straight one over cells, so that it is exact where nothing is between.
///
/// Two joints in a row share a band of the limb between them and nothing beyond it: with d_n the shortest and
/// d_j another distance, t^2 = (d_j^2 - d_n^2) / (d_n^2 + R^2) is the squared length beyond the joint in
/// radii of a straight limb, R being the radius of the inscribed sphere, and w_j : w_n = S : 1 - S with S =
/// 3x^2 - 2x^3, x = (1 - min(1, t / softness)) / 2.
///
/// Bones that lie mostly outside the body do not count, and a joint without others moves nothing, unless that
/// is all there is (warning `skeleton-outside`). Pieces of the body that no bone is in follow the nearest
/// piece that has one.
/// \param solid cells of the mesh in its own space, or null
/// \throws Error when the mesh has no extent.
WeightTable voxel_weights(const geometry::Mesh& mesh, const model::Skeleton& skeleton,
                          const VoxelBindOptions& options = {}, Monitor& monitor = silent(),
                          const geometry::VoxelSolid* solid = nullptr);
/// The same of what was prepared already.
WeightTable voxel_weights(const BindInput& input, const VoxelBindOptions& options, Monitor& monitor,
                          const geometry::VoxelSolid* solid);

/// Bounded biharmonic weights (Jacobson et al. 2011) on the cells of the body. For each joint minimises the
/// integral of (Laplacian w)^2 over the body with w = 1 on the cells that its bones cross, 0 on those of
/// other joints (equal parts where they cross) and 0 <= w <= 1, with natural borders; then divides by the sum
/// over the joints, and interpolates at the vertices. The Laplacian is that of the six neighbours. A joint
/// moves nothing where another is nearer by a factor of four along paths inside the body. Bones that lie
/// mostly outside do not count, as in `voxel_weights`, and pieces of the body that no bone is in follow the
/// nearest that has one.
/// \param cells about so many in the body
/// \throws Error when the mesh has no extent.
WeightTable biharmonic_weights(const geometry::Mesh& mesh, const model::Skeleton& skeleton,
                               Monitor& monitor = silent(), std::size_t cells = 30000);

/// For each cell its neighbours over the six faces; the cell itself where there is none, which makes the
/// border natural: no difference, no cost.
using FaceNeighbours = std::vector<std::array<std::uint32_t, 6>>;

/// Minimises |K x|^2 over the cells in `free`, 0 <= x <= 1, where (K x)_i = sum (x_i - x_n) over the six
/// neighbours; the other cells keep their values. Conjugate gradients with projections that need one product
/// with the matrix a step (MPRGP; Dostál and Schöberl 2005). `x` holds the first guess, within the bounds.
/// \param tolerance of the projected gradient, against the one that the fixed cells alone cause
/// \return the number of steps
int minimize_bending(const FaceNeighbours& neighbours, std::span<const std::uint32_t> free,
                     std::vector<double>& x, double tolerance = 1e-3, int max_steps = 1000);

}  // namespace sinew::rig
