#pragma once
/// \file
/// How the meshes of a glTF file hang on the skeleton: the palette, and for each mesh node what its vertices
/// are multiplied with and which palette entries its joint numbers mean.

#include <cstdint>
#include <memory>
#include <vector>

#include "sinew/io/gltf/scene.h"
#include "sinew/model/skin.h"

namespace sinew::io::gltf {

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

/// \throws Error when a skin is broken.
Bindings bind_meshes(const Document& document, const Scene& scene, const Rig& rig);

}  // namespace sinew::io::gltf
