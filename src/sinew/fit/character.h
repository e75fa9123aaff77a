#pragma once
/// \file
/// A fit as a character that any engine plays: joints, skin, its clips, and corrections as morphs.

#include <span>

#include "sinew/fit/result.h"
#include "sinew/model/character.h"

namespace sinew::fit {

/// One root with a joint for every bone. A joint has no shear, so an affine bone L = U S V^T becomes two: one
/// that turns by U and scales by S, and within it one that turns by V^T; together they are L exactly.
/// Corrections become morphs, which are added before the bones move the vertex, as they should be. A fit for
/// dual quaternions is written with its rigid joints; players that blend matrices show it a little
/// differently
/// (`fit-dual-joints`).
model::Character to_character(const FitResult& fit, Monitor& monitor = silent());

/// What such characters share whatever their joints are: mesh, skin bound at the pivots of the bones, and one
/// clip without tracks, which `cut_clips` cuts when it has them. Warns of dual quaternions as `to_character`
/// does.
model::Character without_joints(const FitResult& fit, std::span<const Vec3d> pivots, Monitor& monitor);

/// An affine map split for two joints: linear part = turn * diag(stretch) * inner^T, both of them rotations.
/// Of the possible orders and signs the one nearest to `previous` is taken, so that keys can be interpolated.
struct StretchSplit {
    math::Quatd turn = math::Quatd::Identity();
    Vec3d stretch = Vec3d::Ones();
    math::Quatd inner = math::Quatd::Identity();
};
StretchSplit split_stretch(const math::Mat3d& linear, const math::Quatd& previous_inner);

}  // namespace sinew::fit
