#pragma once
/// \file
/// The plain deformers, one vertex after the other, straight from the formulas, in float or double. Fast
/// kernels are compared with these.

#include "sinew/deform/blend.h"
#include "sinew/model/character.h"

namespace sinew::deform {

/// What a deformation had to decide.
struct DeformCounts {
    std::size_t degenerate_blends = 0;  ///< vertices whose rotations cancelled: the heaviest joint moved them
    std::size_t degenerate_normals = 0;  ///< vertices whose normal collapsed: it follows a plainer rule
    std::size_t nonrigid_joints = 0;     ///< palette entries with scale or shear
    bool operator==(const DeformCounts&) const = default;
};

template <class T>
struct DeformResult {
    std::vector<math::Vec3<T>> positions;
    std::vector<math::Vec3<T>> normals;  ///< unit; empty when the mesh has none
    DeformCounts counts;
};

struct DeformOptions {
    SignRule signs = SignRule::set;
};

/// Rest points without a mesh around them: point clouds and volumes are skinned alike.
template <class T>
struct RestShape {
    std::vector<math::Vec3<T>> positions;
    std::vector<math::Vec3<T>> normals;  ///< empty, or one per position
};

/// Deforms points by the palette. `sets` is the grouping of `skin`.
/// \throws Error when the sizes do not fit each other.
template <class T>
DeformResult<T> deform(const RestShape<T>& rest, const model::Skin& skin, const model::InfluenceSets& sets,
                       std::span<const math::Mat4d> palette, Method method, const DeformOptions& = {});

/// The same for the vertices of a mesh; one without skin keeps its rest pose.
template <class T = float>
DeformResult<T> deform(const geometry::Mesh& mesh, const model::Skin& skin, const model::InfluenceSets& sets,
                       std::span<const math::Mat4d> palette, Method method, const DeformOptions& = {});

/// Rest positions and normals with the morphs added, weighted; normals unit again.
/// \throws Error when there are not as many weights as morphs, or a morph leaves the mesh.
template <class T = float>
RestShape<T> morphed(const geometry::Mesh& mesh, std::span<const float> weights);

/// A frame of a character: morphs, then skin. `clip` null gives the rest pose with the rest weights of the
/// morphs.
template <class T = float>
DeformResult<T> deform(const model::Character& character, const model::Clip* clip, double time, Method method,
                       const DeformOptions& = {});

}  // namespace sinew::deform
