#pragma once
/// \file
/// The parts of the glTF writer, in the order in which they run.

#include <vector>

#include "sinew/base/monitor.h"
#include "sinew/io/gltf/write.h"
#include "sinew/model/character.h"

namespace sinew::io::gltf {

/// Where everything goes, and what the parts of the writer tell each other.
struct Writer {
    Builder& out;
    const model::Character& character;
    std::string file;
    Monitor& monitor;
    bool compact = false;  ///< see WriteOptions::compact
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
void write_materials(const Writer& writer);

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
/// wants the joints of a skin to be distinct.
void write_nodes(const Writer& writer, std::vector<MeshGroup>& groups);

void write_clips(const Writer& writer, const std::vector<MeshGroup>& groups);

/// Tangents along u for a normal map, when the mesh has none.
std::vector<math::Vec4f> make_tangents(const geometry::Mesh& mesh, const std::vector<math::Vec3f>& normals,
                                       int uv_set);

}  // namespace sinew::io::gltf
