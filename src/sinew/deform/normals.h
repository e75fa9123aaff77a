#pragma once
/// \file
/// Normals and tangents of a deformed surface.

#include <span>
#include <vector>

#include "sinew/deform/blend.h"
#include "sinew/geometry/mesh.h"

namespace sinew::deform {

/// How normals follow the skin.
enum class NormalMode {
    rotated,            ///< normalize(M n) with M the blended matrix: as most engines do
    inverse_transpose,  ///< normalize(cof(M) n): exact where weights are constant; M n for rigid blends
    weight_gradient,    ///< the exact differential, with the change of the weights along the surface
    recomputed,         ///< from the deformed triangles
};

/// normalize(N n); where that is zero by rounding, normalize(M n), then the normal as the heaviest joint
/// moves it. `mode` is one of the first two.
template <class T>
math::Vec3<T> move_normal(const Blend<T>& blend, const math::Vec3<T>& normal, const math::Mat4d& heaviest,
                          NormalMode mode, DeformCounts& counts);

/// Sum of the face normals weighted by area, unit. Vertices with the same representative in `weld` (see
/// geometry::weld_map of the rest shape) share theirs. A vertex without area keeps `fallback`.
template <class T>
std::vector<math::Vec3<T>> recomputed_normals(std::span<const math::Vec3<T>> positions,
                                              std::span<const geometry::Triangle> triangles,
                                              std::span<const std::uint32_t> weld,
                                              std::span<const math::Vec3<T>> fallback);

/// Tangents move like vectors; one that collapses keeps its direction. The handedness flips under a
/// reflection.
template <class T>
math::Vec4<T> move_tangent(const Blend<T>& blend, const math::Vec4<T>& tangent);

/// Makes tangents unit and perpendicular to the normals (when there are any).
template <class T>
void orthogonalize_tangents(std::span<math::Vec4<T>> tangents, std::span<const math::Vec3<T>> normals);

}  // namespace sinew::deform
