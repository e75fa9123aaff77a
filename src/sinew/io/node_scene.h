#pragma once
/// \file
/// A tree of nodes with meshes, bones and motions, as scene formats hold them, and the character it makes.

#include <string>
#include <string_view>
#include <vector>

#include "sinew/base/monitor.h"
#include "sinew/model/character.h"

namespace sinew::io {

struct SceneNode {
    std::string name;
    int parent = -1;  ///< always lower than the node's own index
    math::Mat4d matrix = math::Mat4d::Identity();
};

struct SceneBone {
    int node = 0;
    math::Mat4d inverse_bind = math::Mat4d::Identity();
    std::vector<model::JointWeight> weights;
};

/// Vertices are in the space of the node, or, with bones, in that of the bind matrices. Parts name materials
/// of the scene.
struct SceneMesh {
    geometry::Mesh mesh;
    int node = -1;
    std::vector<SceneBone> bones;
};

struct NodeScene {
    std::string name;
    std::vector<SceneNode> nodes;
    std::vector<SceneMesh> meshes;
    std::vector<geometry::Material> materials;
    std::vector<geometry::Image> images;
    std::vector<model::Clip> clips;  ///< tracks name nodes
};

struct AssembleOptions {
    bool single_root = false;  ///< several roots hang on a joint that is added
    int max_influences = 0;
};

/// The character of a scene. Joints are bones, animated nodes, everything above them and, in a scene that has
/// such, nodes with a mesh; a scene without meshes is a skeleton and every node is a joint. Meshes with bones
/// are moved to where they are seen at rest when all their bones agree on that; others get their node's
/// matrix and, when there is a skeleton, hang on it with weight 1. A vertex without weight goes to the
/// nearest bone. Warnings: `scene-shear` (what T R S cannot hold), and those of the skin's cleaning.
model::Character assemble(NodeScene scene, const AssembleOptions& options, std::string_view place,
                          Monitor& monitor);

}  // namespace sinew::io
