#pragma once
/// \file
/// Normals by the exact differential of skinning (Merry et al. 2006; Tarini et al. 2014): as a point moves
/// along the surface its weights change too, and that turns the surface.

#include "sinew/deform/reference.h"

namespace sinew::deform {

/// Gradients of the weights along the rest surface: one for each influence of the skin, in its order.
struct WeightGradients {
    std::vector<math::Vec3d> of_influence;
};

/// Least-squares fit over the neighbours of each vertex, in its tangent plane (from the normals of the mesh,
/// or recomputed ones); split vertices see the neighbours of their twins. The gradients of a vertex sum to
/// zero.
WeightGradients weight_gradients(const geometry::Mesh& mesh, const model::Skin& skin);

/// Normals of a rest shape under a pose and any method: the cross product of two tangents moved by
/// F = M + sum (dx'/dw_i) grad(w_i)^T, where the blend is differentiated by central differences in double
/// precision. A normal that collapses keeps that of `rest`.
std::vector<math::Vec3d> weight_gradient_normals(const RestShape<double>& rest, const model::Skin& skin,
                                                 const model::InfluenceSets& sets,
                                                 std::span<const math::Mat4d> palette, Method method,
                                                 const DeformOptions& options,
                                                 const WeightGradients& gradients);

}  // namespace sinew::deform
