#pragma once
/// \file
/// The node hierarchy of a glTF file.

#include <optional>
#include <string>
#include <vector>

#include "sinew/io/gltf/document.h"
#include "sinew/math/transform.h"

namespace sinew::io::gltf {

struct Node {
    std::string name;
    int parent = -1;
    math::Transform local;                         ///< as translation, rotation, scale
    math::Mat4d matrix = math::Mat4d::Identity();  ///< as the file says it, shear included
    math::Mat4d world = math::Mat4d::Identity();   ///< product of the matrices from the root on
    int mesh = -1;
    int skin = -1;
    bool in_scene = false;
    bool alias = false;  ///< stands for its parent in a skin (see gltf_write_nodes)
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

}  // namespace sinew::io::gltf
