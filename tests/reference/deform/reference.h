// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// The plain deformers, one vertex after the other, straight from the formulas, in float or double. Tests
/// compare the kernels with these; programs use `Deformer`.

#include "reference/deform/blenders.h"

#include "sinew/model/character.h"

namespace sinew::deform {

template <class T>
struct DeformResult {
    std::vector<math::Vec3<T>> positions;
    std::vector<math::Vec3<T>> normals;   ///< unit; empty when the rest shape has none
    std::vector<math::Vec4<T>> tangents;  ///< unit, across the normals, and handedness; empty likewise
    BlendCounts counts;
    DeformWork work;
};

struct DeformOptions {
    /// Centres of rotation for Method::cor, one per vertex (see optimized_centers). A mesh computes its own
    /// when there are none, which takes long: give them when there is more than one frame.
    std::span<const math::Vec3f> centers{};
};

/// Rest points without a mesh around them: point clouds and volumes are skinned alike.
template <class T>
struct RestShape {
    std::vector<math::Vec3<T>> positions;
    std::vector<math::Vec3<T>> normals{};   ///< empty, or one per position
    std::vector<math::Vec4<T>> tangents{};  ///< empty, or one per position
};

/// Diagonal of the box around some points.
template <class T>
double extent(std::span<const math::Vec3<T>> points);

/// Deforms points by the palette. `sets` is the grouping of `skin`.
/// \throws Error when the sizes do not fit each other.
template <class T>
DeformResult<T> deform(const RestShape<T>& rest, const model::Skin& skin, const model::InfluenceSets& sets,
                       std::span<const math::Mat4d> palette, Method method, const DeformOptions& = {});

/// The same for the vertices of a mesh; one without skin keeps its rest pose.
template <class T = float>
DeformResult<T> deform(const geometry::Mesh& mesh, const model::Skin& skin, const model::InfluenceSets& sets,
                       std::span<const math::Mat4d> palette, Method method, const DeformOptions& = {});

/// Rest positions, normals and tangents of a mesh.
template <class T = float>
RestShape<T> rest_shape(const geometry::Mesh& mesh);

/// Rest positions, normals and tangents with the morphs added, weighted; normals unit again.
/// \throws Error when there are not as many weights as morphs, or a morph leaves the mesh.
template <class T = float>
RestShape<T> morphed(const geometry::Mesh& mesh, std::span<const float> weights);

/// A frame of a character: morphs, then skin. `clip` null gives the rest pose with the rest weights of the
/// morphs.
template <class T = float>
DeformResult<T> deform(const model::Character& character, const model::Clip* clip, double time, Method method,
                       const DeformOptions& = {});

}  // namespace sinew::deform
