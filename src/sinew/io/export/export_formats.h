// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Writers for other programs, and their common bind pose.

#include "sinew/io/io.h"
#include "sinew/model/character.h"

namespace sinew::io {

/// A character as a Python script that builds it inside Blender or Maya: mesh, joints, skin, weights and
/// motions.
///
/// One script with all data for both programs: it detects the program that runs it, and reports an error in
/// any other. Numbers read back exactly; vertices and weights keep their order. Blender gets metres with +Z
/// up, Maya centimetres with its own up axis. Clips are sampled at their own rate or that of the options:
/// Blender gets an action for each, Maya one behind the other on its timeline. Materials and texture
/// coordinates are left out, with a warning.
/// \throws Error when there is neither a mesh nor a skeleton.
std::string write_dcc_script(const Asset& asset, const std::filesystem::path& path,
                             const WriteOptions& options, Monitor& monitor);

/// USD as text (.usda): a mesh bound to a UsdSkel skeleton, with one motion.
///
/// A SkelRoot with a Skeleton (joint paths, bind and rest transforms), a Mesh with joint indices and weights,
/// and the first clip as a SkelAnimation, sampled at its own rate or that of the options. Metres, +Y up, time
/// codes count frames. A mesh without a skeleton is an Xform with a Mesh. Colours of vertices or materials
/// become displayColor; textures and further clips are left out, with a warning.
/// \throws Error when there is neither a mesh nor a skeleton.
std::string write_usda(const Asset& asset, const std::filesystem::path& path, const WriteOptions& options,
                       Monitor& monitor);

/// FBX 7.4, binary, written by our own code.
///
/// One mesh per named part, with normals, texture coordinates, colours, materials and images of their base
/// colours; joints as limbs with an end limb per tip; a skin with one cluster per joint; the bind pose;
/// morphs as blend shapes; every clip as a stack of curves, sampled at its own rate or that of the options.
/// Centimetres, +Y up. Vertices that are split only by seams are one control point, unless a morph moves them
/// differently. Equal characters give equal bytes.
/// \throws Error when there is neither a mesh nor a skeleton, or the mesh has no triangles.
std::string write_fbx(const Asset& asset, const std::filesystem::path& path, const WriteOptions& options,
                      Monitor& monitor);

/// Default appearance of a part without a material in other programs: the light clay of our own pictures, not
/// metallic; white where vertices have colours, which are multiplied with it.
geometry::Material neutral_material(const geometry::Mesh& mesh);

/// A clip sampled evenly: local transforms of every joint in every frame. Consecutive rotations lie in one
/// hemisphere, because players interpolate between them.
struct SampledClip {
    std::size_t frames = 0;
    double rate = 30;
    std::vector<std::vector<math::Transform>> poses;
};
/// \param rate frames per second; 0 keeps the clip's own.
SampledClip sample_clip(const model::Skeleton& skeleton, const model::Clip& clip, double rate);

/// A text as an identifier of USD: letters, digits and underscores, not starting with a digit.
std::string usd_identifier(std::string_view text);

/// Paths of the joints ("Hips/Spine/Neck") made of identifiers, all different.
std::vector<std::string> usd_joint_paths(const model::Skeleton& skeleton);

/// The pose in which the mesh was bound. Skins with several bind matrices for a joint are converted to the
/// first of them, so that one skeleton moves all.
struct BindPose {
    std::vector<math::Mat4d> world;          ///< of each joint of the skeleton
    std::vector<geometry::Vec3f> positions;  ///< of the mesh; those of the file where nothing had to move
    std::vector<geometry::Vec3f> normals;    ///< empty when the mesh has none
    bool is_rest = true;                     ///< the same as the skeleton's rest pose
};

/// Joints without weights keep their rest position relative to their parents. A bind matrix that equals the
/// rest pose up to rounding is replaced by it.
BindPose bind_pose(const model::Character& character);

/// The influences of a vertex by joint of the skeleton, each joint once, increasing.
std::vector<model::Influence> influences_by_joint(const model::Skin& skin, std::size_t vertex);

/// Warns with `code` when the two poses differ.
void warn_bind_pose(const BindPose& pose, std::string_view code, std::string_view location, Monitor& monitor);

}  // namespace sinew::io
