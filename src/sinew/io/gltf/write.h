// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// A glTF file under construction (its JSON and its buffer), and the parts of the glTF writer in their order.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/base/file.h"
#include "sinew/base/monitor.h"
#include "sinew/base/report.h"
#include "sinew/io/gltf/document.h"
#include "sinew/model/character.h"

namespace sinew::io::gltf {

/// What a buffer view holds, for the GPU.
enum class ViewTarget { none = 0, vertices = 34962, indices = 34963 };

class Builder {
  public:
    Json root = Json::object();

    /// Starts a buffer view, aligned to 4 bytes; data appended afterwards belongs to it. `stride` 0 means
    /// tightly packed.
    int begin_view(ViewTarget target, std::size_t stride = 0);
    /// Appends bytes to the current view and returns their offset in it; pads to keep the alignment.
    std::size_t append(Bytes bytes);
    void end_view();

    template <class Value>
    std::size_t append(std::span<const Value> values) {
        return append(std::as_bytes(values));
    }
    /// A whole view at once.
    template <class Value>
    int add_view(std::span<const Value> values, ViewTarget target, std::size_t stride = 0) {
        const int view = begin_view(target, stride);
        append(values);
        end_view();
        return view;
    }

    int add_accessor(int view, std::size_t offset, Component component, std::size_t count,
                     std::string_view type);
    /// Minimum and maximum of each component, which the format requires for positions and key times.
    void set_bounds(int accessor, std::span<const float> values, std::size_t components);

    /// Adds an element to a top-level array and gives its index.
    int add(std::string_view array, Json element);
    std::size_t count(std::string_view array) const;

    /// The file, as GLB or as JSON with the buffer inside.
    std::string finish(bool binary, std::string_view location);

  private:
    std::string buffer_;
    std::size_t view_start_ = 0;
};

/// Adds `"name"` unless it is empty.
void set_name(Json& json, const std::string& name);

/// State shared by the parts of the writer.
struct Writer {
    Builder& out;
    const model::Character& character;
    std::string file;
    Monitor& monitor;
    bool compact = false;  ///< see WriteOptions::compact
    /// Add normals and a neutral material where they are missing, because other programs would draw flat or
    /// black surfaces, and end nodes for tips, which show the length of the last bones.
    bool complete = true;
    bool smooth = true;  ///< whether to add normals; without normals of their own, morphed shapes would keep
                         ///< those of the rest shape
};

/// One glTF mesh: neighbouring parts of one name, and the vertices that they use.
struct MeshGroup {
    std::string name;
    std::size_t first_part = 0;
    std::size_t part_count = 0;
    std::size_t first_vertex = 0;
    std::size_t vertex_count = 0;
    std::vector<int> morphs;  ///< those that touch it
    int node = -1;
    int rigid = -1;  ///< with `compact`: the palette entry that all of its vertices follow, or -1
};

/// Groups the parts. Groups that share vertices get the same range, and the ranges cover all vertices in
/// order, so that a reader restores their order.
std::vector<MeshGroup> group_parts(const geometry::Mesh& mesh);

/// Finds the groups that follow one joint.
void find_rigid(const model::Skin& skin, std::vector<MeshGroup>& groups);
/// True when some group has weights per vertex.
bool needs_weights(const Writer& writer, const std::vector<MeshGroup>& groups);

/// Writes materials, textures and images; textures without texture coordinates are dropped with a warning. A
/// neutral material is appended when a part has none.
void write_materials(const Writer& writer);
/// Number of the neutral material, or -1.
int neutral_material(const Writer& writer);

/// Vertex attributes, triangles and morph targets: one glTF mesh per group.
void write_meshes(const Writer& writer, const std::vector<MeshGroup>& groups);

/// JOINTS_n and WEIGHTS_n views of all vertices.
struct WeightViews {
    std::size_t sets = 0;
    std::vector<int> joints, weights;
    Component joint_component = Component::u8;
};
WeightViews write_weights(const Writer& writer);

/// Writes joints, skin, mesh nodes and the scene. glTF requires distinct joints in a skin: a joint that
/// occurs several times (with different bind matrices) gets a child without transformation for each further
/// occurrence, marked as alias. The tip of a joint is a node NAME_end, marked as end.
void write_nodes(const Writer& writer, std::vector<MeshGroup>& groups);

void write_clips(const Writer& writer, const std::vector<MeshGroup>& groups);

/// Tangents along u for a normal map, if the mesh has none.
std::vector<math::Vec4f> make_tangents(const geometry::Mesh& mesh, const std::vector<math::Vec3f>& normals,
                                       int uv_set);

}  // namespace sinew::io::gltf
