// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Planning and decoding of meshes: all primitives with their accessors, checked for consistency, and the
/// ranges of their vertices and triangles in the resulting mesh; then everything is decoded into one mesh and
/// one skin.

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sinew/io/gltf/document.h"
#include "sinew/io/gltf/scene.h"

namespace sinew::io::gltf {

/// Displacements of one morph target for the vertices of a block.
struct Target {
    std::optional<Accessor> positions;
    std::optional<Accessor> normals;
};

/// Vertices that one or several primitives share.
struct Block {
    std::size_t first = 0;
    std::size_t count = 0;
    std::shared_ptr<const Binding> binding;
    std::optional<Accessor> positions;
    std::optional<Accessor> normals;
    std::optional<Accessor> tangents;
    std::array<std::optional<Accessor>, 2> uvs;
    std::optional<Accessor> colors;
    std::vector<std::pair<Accessor, Accessor>> influences;  ///< JOINTS_n and WEIGHTS_n
    std::vector<Target> targets;
};

/// Triangles of one primitive.
struct Piece {
    Cursor where;
    std::size_t block = 0;
    std::optional<Accessor> indices;
    int mode = 4;
    std::size_t first = 0;
    std::size_t count = 0;
    int material = -1;
    std::string name;
};

/// A mesh on a node, with the morphs that belong to it.
struct Instance {
    int node = -1;
    std::size_t first_vertex = 0;
    std::size_t vertex_count = 0;
    std::size_t first_block = 0;
    std::size_t block_count = 0;
    std::size_t first_morph = 0;
    std::vector<std::string> morph_names;
    std::vector<float> morph_weights;
};

struct Plan {
    std::vector<Block> blocks;
    std::vector<Piece> pieces;
    std::vector<Instance> instances;
    std::size_t vertex_count = 0;
    std::size_t triangle_count = 0;
    std::size_t morph_count = 0;
    std::size_t weight_count = 0;  ///< at most, zeros included
};

/// \throws Error when accessors do not fit each other.
Plan plan_meshes(const Document& document, const Scene& scene, const Bindings& bindings);

struct Geometry {
    geometry::Mesh mesh;
    model::Skin skin;
};

/// Vertices, triangles, parts, morphs and weights. Independent arrays are decoded in parallel.
Geometry read_geometry(const Document& document, const Plan& plan, std::vector<model::SkinJoint> palette);

/// Weights of all vertices over the palette that `skin` already has; false when they are not in canonical
/// form.
bool read_weights(const Plan& plan, model::Skin& skin);
/// Converts weights to canonical form and reports the changes.
void clean_weights(const Document& document, const Plan& plan, model::Skin& skin);

}  // namespace sinew::io::gltf
