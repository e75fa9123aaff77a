// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// A glTF file under construction (its JSON and its one buffer), and the parts of the glTF writer, in the
/// order in which they run.

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

    /// Starts a buffer view, aligned to 4 bytes; what is appended next belongs to it. `stride` 0 means tight.
    int begin_view(ViewTarget target, std::size_t stride = 0);
    /// Appends bytes to the open view and gives their offset in it; pads so that the next will be aligned
    /// too.
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
    /// The smallest and largest value of each component, which the format wants for positions and key times.
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

/// Where everything goes, and what the parts of the writer tell each other.
struct Writer {
    Builder& out;
    const model::Character& character;
    std::string file;
    Monitor& monitor;
    bool compact = false;  ///< see WriteOptions::compact
    /// Normals and a material where there are none, which other programs draw flat or black, and end nodes
    /// for tips, by which they know how long the last bones are.
    bool complete = true;
    bool smooth = true;  ///< normals are among that; shapes that have none of their own would keep them
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
    int rigid = -1;  ///< compact: the palette entry that all of its vertices follow, or -1
};

/// Groups the parts. Groups that share vertices get the same range, and the ranges tile all vertices, so that
/// a reader finds the vertices in the same order again.
std::vector<MeshGroup> group_parts(const geometry::Mesh& mesh);

/// Finds the groups that follow one joint.
void find_rigid(const model::Skin& skin, std::vector<MeshGroup>& groups);
/// True when some group is bound to joints vertex by vertex.
bool needs_weights(const Writer& writer, const std::vector<MeshGroup>& groups);

/// Materials, textures and images; textures without coordinates to put them on are left out with a warning.
/// A neutral material is added behind them when a part has none.
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

/// Joints, skin and mesh nodes, and the scene. A joint that occurs more than once in the skin (with different
/// bind matrices) gets a child without transformation for each further time, marked as alias: the format
/// wants the joints of a skin to be distinct. The tip of a joint is a node NAME_end, marked as end.
void write_nodes(const Writer& writer, std::vector<MeshGroup>& groups);

void write_clips(const Writer& writer, const std::vector<MeshGroup>& groups);

/// Tangents along u for a normal map, when the mesh has none.
std::vector<math::Vec4f> make_tangents(const geometry::Mesh& mesh, const std::vector<math::Vec3f>& normals,
                                       int uv_set);

}  // namespace sinew::io::gltf
