#pragma once
/// \file
/// What happens inside a blend, as shapes: influence sets, rotation centres, screw axes, ways of vertices.

#include "sinew/deform/method.h"
#include "sinew/model/skin.h"
#include "sinew/render/renderer.h"

namespace sinew::render {

/// Each vertex in the colour of its influence set; vertices of one joint in that of the joint, paler.
std::vector<Vec4f> set_colors(const model::InfluenceSets& sets);

/// A skin in a pose, for overlays.
struct BlendScene {
    const model::Skin& skin;
    const model::Skeleton& skeleton;
    const model::InfluenceSets& sets;
    std::span<const math::Mat4d> palette;
    std::span<const Vec3f> rest;  ///< positions
};

/// The rotation centre of every influence set of two or more joints, where the mean of its joints takes it,
/// in the colour of the set. Centres further away than the size of the mesh are left out: their joints turn
/// almost alike.
Overlay center_overlay(const BlendScene& scene);

/// For every joint that turned by more than a degree against its parent, the axis of that screw.
Overlay screw_overlay(const BlendScene& scene);

/// The ways of about `count` vertices of two joints or more as their weight goes from their heaviest joint to
/// the next: segments under linear blending, arcs under rigid methods. Method::cor has none.
Overlay trajectory_overlay(const BlendScene& scene, deform::Method method, std::size_t count = 60);

}  // namespace sinew::render
