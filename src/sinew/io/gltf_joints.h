#pragma once
/// \file
/// Which nodes are joints, and the skeleton they make.

#include "sinew/io/gltf/scene.h"
#include "sinew/model/skeleton.h"

namespace sinew::io::gltf {

/// A rotation, a uniform scale (negative for a reflection) and a translation.
struct Similarity {
    math::Quatd rotation = math::Quatd::Identity();
    double scale = 1;
    math::Vec3d translation = math::Vec3d::Zero();

    math::Vec3d linear(const math::Vec3d& v) const { return scale * (rotation * v); }
    math::Vec3d point(const math::Vec3d& v) const { return linear(v) + translation; }
};

/// The similarity that a matrix is, within rounding.
std::optional<Similarity> as_similarity(const math::Mat4d& matrix);

struct Rig {
    model::Skeleton skeleton;
    std::vector<int> joint_of;  ///< for each node its joint, or -1
    std::vector<int> nearest;   ///< for each node the joint it is or hangs on, or -1
    std::vector<math::Mat4d>
        to_nearest;  ///< from a node's frame to that of its nearest joint (or to the world)
    std::vector<std::optional<Similarity>> fold;  ///< for each joint what its keys must be multiplied with
    std::vector<math::Mat4d> world;               ///< for each joint its rest matrix
};

/// Joints are nodes of skins, animated nodes, nodes between two joints, and nodes above a joint that cannot
/// be folded into it (uneven scale). When meshes are bound to joints at all, a mesh that hangs on none gets
/// its node as a joint.
Rig read_joints(const Document& document, const Scene& scene);

}  // namespace sinew::io::gltf
