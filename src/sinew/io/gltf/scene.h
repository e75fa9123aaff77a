// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// The node hierarchy of a glTF file: which nodes are joints, the skeleton they form, and how meshes are
/// attached to it (the palette, and for each mesh node the matrix of its vertices and the palette entries of
/// its joint indices).

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sinew/io/gltf/document.h"
#include "sinew/math/transform.h"
#include "sinew/model/skeleton.h"
#include "sinew/model/skin.h"

namespace sinew::io::gltf {

struct Node {
    std::string name;
    int parent = -1;
    math::Transform local;                         ///< as translation, rotation, scale
    math::Mat4d matrix = math::Mat4d::Identity();  ///< matrix in the file, including shear
    math::Mat4d world = math::Mat4d::Identity();   ///< product of the matrices from the root on
    int mesh = -1;
    int skin = -1;
    bool in_scene = false;
    bool alias = false;  ///< represents its parent in a skin (see write_nodes)
    bool end = false;    ///< marks the tip of its parent for other programs (see write_nodes)
    std::optional<math::Vec3d> tip;
};

struct Scene {
    std::string name;
    std::vector<Node> nodes;  ///< in file order
    std::vector<int> order;   ///< all nodes, parents first, otherwise in file order
};

/// Reads all nodes and marks those of the chosen scene: the default one, else the first, else all.
/// \throws Error when a node has two parents or is its own ancestor.
Scene read_scene(const Document& document);

/// A rotation, a uniform scale (negative for a reflection) and a translation.
struct Similarity {
    math::Quatd rotation = math::Quatd::Identity();
    double scale = 1;
    math::Vec3d translation = math::Vec3d::Zero();

    math::Vec3d linear(const math::Vec3d& v) const { return scale * (rotation * v); }
    math::Vec3d point(const math::Vec3d& v) const { return linear(v) + translation; }
};

/// The similarity that equals the matrix up to rounding; empty when it is none.
std::optional<Similarity> as_similarity(const math::Mat4d& matrix);

struct Rig {
    model::Skeleton skeleton;
    std::vector<int> joint_of;  ///< for each node its joint, or -1
    std::vector<int> nearest;   ///< for each node the joint it is or is attached to, or -1
    std::vector<math::Mat4d>
        to_nearest;  ///< from a node's frame to that of its nearest joint (or to the world)
    std::vector<std::optional<Similarity>> fold;  ///< per joint: factor of its keys
    std::vector<math::Mat4d> world;               ///< for each joint its rest matrix
};

/// Joints are nodes of skins, animated nodes, nodes between two joints, and nodes above a joint that cannot
/// be multiplied into it (non-uniform scale). If any mesh is bound to joints, the node of a mesh without
/// joints becomes a joint.
Rig read_joints(const Document& document, const Scene& scene);

struct Binding {
    math::Mat4d matrix = math::Mat4d::Identity();  ///< from the mesh to the rest pose
    bool skinned = false;                          ///< by JOINTS_n and WEIGHTS_n
    std::vector<std::uint32_t> palette;  ///< skinned: one entry per joint of the skin; else one or none

    bool moves() const { return matrix != math::Mat4d::Identity(); }
};

struct Bindings {
    std::vector<model::SkinJoint> palette;
    std::vector<std::shared_ptr<const Binding>>
        of_node;  ///< null for nodes without mesh or outside the scene
};

/// \throws Error when a skin is invalid
Bindings bind_meshes(const Document& document, const Scene& scene, const Rig& rig);

}  // namespace sinew::io::gltf
