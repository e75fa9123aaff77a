#pragma once
/// \file
/// USD as text (.usda): a mesh bound to a UsdSkel skeleton, with one motion.

#include "sinew/io/io.h"

namespace sinew::io {

/// A SkelRoot with a Skeleton (joint paths, bind and rest transforms), a Mesh with joint indices and weights,
/// and the first clip as a SkelAnimation, sampled at its own rate or that of the options. Metres, +Y up, time
/// codes count frames. A mesh without a skeleton is an Xform with a Mesh. Colours of vertices or materials
/// become displayColor; textures and further clips are left out, with a warning.
/// \throws Error when there is neither a mesh nor a skeleton.
std::string write_usda(const Asset& asset, const std::filesystem::path& path, const WriteOptions& options,
                       Monitor& monitor);

/// A text as an identifier of USD: letters, digits and underscores, not starting with a digit.
std::string usd_identifier(std::string_view text);

/// Paths of the joints ("Hips/Spine/Neck") made of identifiers, all different.
std::vector<std::string> usd_joint_paths(const model::Skeleton& skeleton);

}  // namespace sinew::io
