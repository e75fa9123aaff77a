// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// The binding methods. All throw Error when there is nothing to bind or a number is not finite. The distance
/// of a joint is that of its nearest bone.

#include <array>

#include "sinew/rig/bind/bind_input.h"
#include "sinew/rig/bind/weight_table.h"

namespace sinew::rig {

// --- By straight distance to the bones. These methods ignore the surface, so an arm may move the flank
// beside it.

/// w_j ~ 100^(-d_j / d_min) (Nar 2008): the weight decreases by a factor of 100 when the distance doubles.
/// Keeps the heaviest four joints with more than 0.005. A vertex exactly on several bones follows them
/// equally.
WeightTable distance_weights(const geometry::Mesh& mesh, const model::Skeleton& skeleton,
                             Monitor& monitor = silent());

/// The smooth bind of modelling programs, as derived by Yang and Zhang (2006): Shepard weights d_j^-4 of the
/// five nearest joints.
WeightTable nearest_weights(const geometry::Mesh& mesh, const model::Skeleton& skeleton,
                            Monitor& monitor = silent());

/// Every vertex follows only the joint of the nearest bone; the lowest index among equal distances.
WeightTable rigid_weights(const geometry::Mesh& mesh, const model::Skeleton& skeleton,
                          Monitor& monitor = silent());

// --- On the surface

/// Heat weights (Baran and Popović 2007): solves (L + M H) w_j = M H p_j on the surface: L the cotangent
/// stiffness, M the vertex areas, H_vv = 1 / d_v^2 with d_v the distance to the nearest joint that is visible
/// from the vertex through the interior, and p_j = 1 where j is that joint. Negative cotangent weights count
/// as 0, because they would give weights outside [0, 1]; edges may have any number of triangles. Pieces of
/// the surface from which no bone is visible get empty rows.
/// \throws Error when the equations cannot be solved.
WeightTable heat_weights(const geometry::Mesh& mesh, const model::Skeleton& skeleton,
                         Monitor& monitor = silent());

// --- In the voxelised interior. These methods work for any mesh with an extent: open, self-intersecting,
// with many shells.

struct VoxelBindOptions {
    double softness = 0.7;  ///< half the width of a transition, in radii of the limb; 0 is rigid
    int smoothing = 4;      ///< smoothing passes over the surface at the end
};

/// Geodesic voxel binding (Dionne and de Lasa 2013): the distance of a joint is the length of the shortest
/// path to its bones through the interior. The bones of a joint are one source. Paths are searched over cells
/// and their 26 neighbours. The distance is the straight distance plus the difference between the path and
/// the straight distance measured in cells, so that it is exact without obstacles.
///
/// Two consecutive joints share the weights in a band between them and nowhere else: with d_n the shortest
/// and d_j another distance, t^2 = (d_j^2 - d_n^2) / (d_n^2 + R^2) is the squared length beyond the joint, in
/// radii of a straight limb, R being the radius of the inscribed sphere, and w_j : w_n = S : 1 - S with S =
/// 3x^2 - 2x^3, x = (1 - min(1, t / softness)) / 2.
///
/// Bones that are mostly outside the body are ignored, and a joint with only such bones moves nothing, unless
/// all bones are outside (warning `skeleton-outside`). Pieces of the body without a bone follow the nearest
/// piece with one.
/// \param solid cells of the mesh in its own space, or null
/// \throws Error when the mesh has no extent.
WeightTable voxel_weights(const geometry::Mesh& mesh, const model::Skeleton& skeleton,
                          const VoxelBindOptions& options = {}, Monitor& monitor = silent(),
                          const geometry::VoxelSolid* solid = nullptr);
/// The same from prepared input.
WeightTable voxel_weights(const BindInput& input, const VoxelBindOptions& options, Monitor& monitor,
                          const geometry::VoxelSolid* solid);

/// Bounded biharmonic weights (Jacobson et al. 2011) on the cells of the body. For each joint minimises the
/// integral of (Laplacian w)^2 over the body with w = 1 on the cells that its bones cross, 0 on those of
/// other joints (equal parts where they cross) and 0 <= w <= 1, with natural borders; then divides by the sum
/// over the joints, and interpolates at the vertices. The Laplacian is that of the six neighbours. A joint
/// has no weight where another is nearer by a factor of four along paths inside the body. Bones that are
/// mostly outside are ignored, as in `voxel_weights`, and pieces without a bone follow the nearest piece with
/// one.
/// \param cells approximate number of interior cells
/// \throws Error when the mesh has no extent.
WeightTable biharmonic_weights(const geometry::Mesh& mesh, const model::Skeleton& skeleton,
                               Monitor& monitor = silent(), std::size_t cells = 30000);

/// For each cell its neighbours over the six faces; the cell itself where there is none, which gives natural
/// boundary conditions.
using FaceNeighbours = std::vector<std::array<std::uint32_t, 6>>;

/// Minimises |K x|^2 over the cells in `free`, 0 <= x <= 1, where (K x)_i = sum (x_i - x_n) over the six
/// neighbours; the other cells keep their values. Conjugate gradients with projections that need one product
/// with the matrix a step (MPRGP; Dostál and Schöberl 2005). `x` holds the first guess, within the bounds.
/// \param tolerance of the projected gradient, against the one that the fixed cells alone cause
/// \return the number of steps
int minimize_bending(const FaceNeighbours& neighbours, std::span<const std::uint32_t> free,
                     std::vector<double>& x, double tolerance = 1e-3, int max_steps = 1000);

}  // namespace sinew::rig
