#pragma once
/// \file
/// A character for programs that know one bind matrix a joint and build it in the pose of binding.

#include "sinew/model/character.h"

namespace sinew::io {

/// The pose in which the mesh was bound. Skins with several bind matrices for a joint are brought to the
/// first of them, so that one skeleton moves all.
struct BindPose {
    std::vector<math::Mat4d> world;          ///< of each joint of the skeleton
    std::vector<geometry::Vec3f> positions;  ///< of the mesh; those of the file where nothing had to move
    std::vector<geometry::Vec3f> normals;    ///< empty when the mesh has none
    bool is_rest = true;                     ///< the same as the skeleton's rest pose
};

/// Joints that bind nothing stand at their rest place relative to their parents. A bind matrix that says the
/// rest pose but for rounding is taken as the rest pose.
BindPose bind_pose(const model::Character& character);

/// The influences of a vertex by joint of the skeleton, each joint once, rising.
std::vector<model::Influence> influences_by_joint(const model::Skin& skin, std::size_t vertex);

/// Warns with `code` when the two poses differ.
void warn_bind_pose(const BindPose& pose, std::string_view code, std::string_view place, Monitor& monitor);

}  // namespace sinew::io
