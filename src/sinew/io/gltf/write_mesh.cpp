// SPDX-License-Identifier: MIT

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "sinew/io/gltf/write.h"

namespace sinew::io::gltf {
namespace {

using math::Vec2f;
using math::Vec3f;
using math::Vec4f;

/// Any unit vector perpendicular to a normal.
Vec3f across(const Vec3f& normal) {
    int smallest = 0;
    normal.cwiseAbs().minCoeff(&smallest);
    return normal.cross(Vec3f(Vec3f::Unit(smallest))).normalized();
}

}  // namespace

/// Directions in which u and v increase, summed over the triangles around each vertex and made perpendicular
/// to the normal (Lengyel 2001).
std::vector<Vec4f> make_tangents(const geometry::Mesh& mesh, const std::vector<Vec3f>& normals, int uv_set) {
    const std::vector<Vec2f>& uvs = mesh.uvs[static_cast<std::size_t>(uv_set)];
    std::vector<Vec3f> along_u(mesh.positions.size(), Vec3f::Zero());
    std::vector<Vec3f> along_v(mesh.positions.size(), Vec3f::Zero());
    for (const geometry::Triangle& t : mesh.triangles) {
        const Vec3f e1 = mesh.positions[t[1]] - mesh.positions[t[0]],
                    e2 = mesh.positions[t[2]] - mesh.positions[t[0]];
        const Vec2f d1 = uvs[t[1]] - uvs[t[0]], d2 = uvs[t[2]] - uvs[t[0]];
        const float area = d1.x() * d2.y() - d2.x() * d1.y();
        const float sign = area < 0 ? -1.0f : 1.0f;
        for (const std::uint32_t vertex : t) {
            along_u[vertex] += sign * (d2.y() * e1 - d1.y() * e2);
            along_v[vertex] += sign * (d1.x() * e2 - d2.x() * e1);
        }
    }
    std::vector<Vec4f> tangents;
    tangents.reserve(mesh.positions.size());
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
        const Vec3f& normal = normals[v];
        Vec3f tangent = along_u[v] - normal * normal.dot(along_u[v]);
        const float length = tangent.norm();
        tangent = length > 1e-20f && std::isfinite(length) ? Vec3f(tangent / length) : across(normal);
        // v is downwards in glTF images and the bitangent upwards: on a plain face n x t is opposite to
        // increasing v.
        const float hand = normal.cross(tangent).dot(along_v[v]) < 0 ? 1.0f : -1.0f;
        tangents.emplace_back(tangent.x(), tangent.y(), tangent.z(), hand);
    }
    return tangents;
}

namespace {

using model::Influence;
using model::Skin;

constexpr std::size_t max_influences = 8;

/// The influences of one vertex in the order of writing: at most 8. With more than one set, the heaviest come
/// first, so that a program that reads only one set gets the best four.
void choose(std::span<const Influence> all, std::vector<Influence>& list) {
    list.assign(all.begin(), all.end());
    if (list.size() > 4) {
        std::stable_sort(list.begin(), list.end(),
                         [](const Influence& a, const Influence& b) { return a.weight > b.weight; });
    }
    if (list.size() > max_influences) list.resize(max_influences);
}

/// Weights whose sum is 1 within 1e-7 per weight; the validator allows twice that. Weights that already
/// satisfy this are not changed.
void normalize(std::vector<Influence>& list) {
    double sum = 0;
    for (const Influence& influence : list) sum += static_cast<double>(influence.weight);
    if (std::abs(sum - 1) <= 1e-7 * static_cast<double>(list.size())) return;
    for (Influence& influence : list) influence.weight = static_cast<float>(influence.weight / sum);
}

template <class Index>
void write_views(const Writer& writer, WeightViews& views) {
    const Skin& skin = writer.character.skin;
    const std::size_t vertices = skin.vertex_count();
    std::vector<Index> joints(4 * vertices * views.sets);
    std::vector<float> weights(4 * vertices * views.sets);
    std::vector<Influence> list;
    for (std::size_t v = 0; v < vertices; ++v) {
        choose(skin.of(v), list);
        normalize(list);
        for (std::size_t i = 0; i < list.size(); ++i) {
            const std::size_t slot = 4 * (vertices * (i / 4) + v) + i % 4;
            joints[slot] = static_cast<Index>(list[i].joint);
            weights[slot] = list[i].weight;
        }
    }
    for (std::size_t s = 0; s < views.sets; ++s) {
        const std::span<const Index> set(joints.data() + 4 * vertices * s, 4 * vertices);
        views.joints.push_back(writer.out.add_view(set, ViewTarget::vertices, 4 * sizeof(Index)));
        const std::span<const float> set_weights(weights.data() + 4 * vertices * s, 4 * vertices);
        views.weights.push_back(writer.out.add_view(set_weights, ViewTarget::vertices, 16));
    }
}

}  // namespace

WeightViews write_weights(const Writer& writer) {
    const Skin& skin = writer.character.skin;
    WeightViews views;
    if (skin.empty()) return views;
    if (skin.joints.size() > std::numeric_limits<std::uint16_t>::max()) {
        fail(writer.file, "{} skin joints are more than the format can hold", skin.joints.size());
    }
    std::size_t largest = 0, cut = 0;
    for (std::size_t v = 0; v < skin.vertex_count(); ++v) {
        largest = std::max(largest, skin.of(v).size());
        cut += skin.of(v).size() > max_influences;
    }
    if (cut > 0) {
        warn(writer.monitor, "gltf-influences",
             "{}: {} vertices have more than {} influences; the largest are kept", writer.file, cut,
             max_influences);
    }
    views.sets = largest > 4 ? 2 : 1;
    const bool small = skin.joints.size() <= 255;
    views.joint_component = small ? Component::u8 : Component::u16;
    small ? write_views<std::uint8_t>(writer, views) : write_views<std::uint16_t>(writer, views);
    return views;
}

namespace {

using geometry::Mesh;
using geometry::Part;

void find_range(const Mesh& mesh, const std::vector<Part>& parts, MeshGroup& group) {
    std::size_t low = std::numeric_limits<std::size_t>::max(), high = 0;
    for (std::size_t p = group.first_part; p < group.first_part + group.part_count; ++p) {
        for (std::size_t t = parts[p].first; t < parts[p].first + std::size_t{parts[p].count}; ++t) {
            for (const std::uint32_t vertex : mesh.triangles[t]) {
                low = std::min<std::size_t>(low, vertex);
                high = std::max<std::size_t>(high, vertex + std::size_t{1});
            }
        }
    }
    group.first_vertex = std::min(low, high);
    group.vertex_count = high - group.first_vertex;
}

/// Merges overlapping ranges and widens them until they cover all vertices: every vertex is stored exactly
/// once.
void tile_ranges(std::vector<MeshGroup>& groups, std::size_t vertex_count) {
    std::vector<std::size_t> order(groups.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return groups[a].first_vertex < groups[b].first_vertex;
    });
    std::size_t start = 0;
    for (std::size_t i = 0; i < order.size();) {
        std::size_t end = groups[order[i]].first_vertex + groups[order[i]].vertex_count;
        std::size_t last = i + 1;
        for (; last < order.size() && groups[order[last]].first_vertex < end; ++last) {
            end = std::max(end, groups[order[last]].first_vertex + groups[order[last]].vertex_count);
        }
        if (last == order.size()) end = vertex_count;
        for (; i < last; ++i) {
            groups[order[i]].first_vertex = start;
            groups[order[i]].vertex_count = end - start;
        }
        start = end;
    }
}

void find_morphs(const Mesh& mesh, MeshGroup& group) {
    for (std::size_t m = 0; m < mesh.morphs.size(); ++m) {
        const std::size_t first = mesh.morphs[m].first, end = first + mesh.morphs[m].positions.size();
        if (first < group.first_vertex + group.vertex_count && end > group.first_vertex && first < end) {
            group.morphs.push_back(static_cast<int>(m));
        }
    }
}

}  // namespace

std::vector<MeshGroup> group_parts(const Mesh& mesh) {
    std::vector<MeshGroup> groups;
    if (mesh.empty()) return groups;
    const std::vector<Part> parts = geometry::parts_of(mesh);
    for (std::size_t p = 0; p < parts.size(); ++p) {
        if (p == 0 || parts[p].name != parts[p - 1].name)
            groups.push_back({.name = parts[p].name, .first_part = p, .morphs = {}});
        ++groups.back().part_count;
    }
    for (MeshGroup& group : groups) find_range(mesh, parts, group);
    // A mesh without triangles is written as points; a group without triangles among others is omitted.
    if (!mesh.triangles.empty())
        std::erase_if(groups, [](const MeshGroup& group) { return group.vertex_count == 0; });
    if (mesh.triangles.empty()) groups.resize(1);
    tile_ranges(groups, mesh.positions.size());
    for (MeshGroup& group : groups) find_morphs(mesh, group);
    return groups;
}

void find_rigid(const model::Skin& skin, std::vector<MeshGroup>& groups) {
    if (skin.empty()) return;
    for (MeshGroup& group : groups) {
        if (group.vertex_count == 0) continue;
        const std::uint32_t joint = skin.of(group.first_vertex)[0].joint;
        bool alone = true;
        for (std::size_t v = group.first_vertex; v < group.first_vertex + group.vertex_count && alone; ++v)
            alone = skin.of(v).size() == 1 && skin.of(v)[0].joint == joint;
        if (alone) group.rigid = static_cast<int>(joint);
    }
}

bool needs_weights(const Writer& writer, const std::vector<MeshGroup>& groups) {
    return writer.character.has_skin() &&
           std::any_of(groups.begin(), groups.end(), [](const MeshGroup& g) { return g.rigid < 0; });
}

namespace {

/// The largest 16-bit index means "restart" on a GPU and must not occur.
constexpr std::size_t max_small_vertices = 65535;

/// A vertex attribute of the whole mesh; each glTF mesh uses its range of it.
struct Attribute {
    std::string semantic;
    int view = -1;
    std::size_t stride = 0;
    Component component = Component::f32;
    std::string_view type;
    bool normalized = false;  ///< integers that represent -1 to 1
};

template <class Vector>
std::span<const float> flat(const std::vector<Vector>& values) {
    return {reinterpret_cast<const float*>(values.data()), values.size() * sizeof(Vector) / sizeof(float)};
}

/// Unit directions; zero directions become upwards.
template <class Vector>
std::size_t make_unit(std::vector<Vector>& values) {
    std::size_t changed = 0;
    for (Vector& value : values) {
        auto direction = value.template head<3>();
        const float length = direction.norm();
        if (std::abs(length - 1) < 1e-3f) continue;
        ++changed;
        direction =
            length > 1e-20f && std::isfinite(length) ? Vec3f(direction / length) : Vec3f(Vec3f::UnitY());
    }
    return changed;
}

class MeshWriter {
  public:
    explicit MeshWriter(const Writer& writer)
        : writer_(writer),
          mesh_(writer.character.mesh),
          parts_(geometry::parts_of(mesh_)),
          neutral_(neutral_material(writer)) {}

    void write_attributes(const std::vector<MeshGroup>& groups) {
        add_attribute("POSITION", mesh_.positions, "VEC3");
        const int uv_set = normal_map_uv_set();
        std::vector<Vec3f> normals = mesh_.normals;
        const bool smooth = writer_.complete && writer_.smooth && !mesh_.triangles.empty();
        if (normals.empty() && (uv_set >= 0 || smooth))
            normals = geometry::vertex_normals(mesh_.positions, mesh_.triangles);
        std::vector<Vec4f> tangents = mesh_.tangents;
        if (tangents.empty() && uv_set >= 0) tangents = make_tangents(mesh_, normals, uv_set);
        std::size_t changed = make_unit(normals) + make_unit(tangents);
        for (Vec4f& tangent : tangents) tangent[3] = tangent[3] < 0 ? -1.0f : 1.0f;
        if (changed > 0) {
            warn(writer_.monitor, "gltf-normals", "{}: {} normals or tangents were not unit vectors",
                 writer_.file, changed);
        }
        has_normals_ = !normals.empty();
        writer_.compact ? add_byte_normals(normals) : add_attribute("NORMAL", normals, "VEC3");
        if (has_normals_) add_attribute("TANGENT", tangents, "VEC4");
        // Sets must be numbered from 0 on: a second set without a first becomes the first.
        add_attribute("TEXCOORD_0", mesh_.uvs[0].empty() ? mesh_.uvs[1] : mesh_.uvs[0], "VEC2");
        add_attribute("TEXCOORD_1", mesh_.uvs[1], "VEC2");
        writer_.compact ? add_short_colors(clamped_colors())
                        : add_attribute("COLOR_0", clamped_colors(), "VEC4");
        if (!needs_weights(writer_, groups)) return;
        const WeightViews weights = write_weights(writer_);
        for (std::size_t s = 0; s < weights.sets; ++s) {
            attributes_.push_back({fmt::format("JOINTS_{}", s), weights.joints[s],
                                   4 * size_of(weights.joint_component), weights.joint_component, "VEC4"});
            attributes_.push_back(
                {fmt::format("WEIGHTS_{}", s), weights.weights[s], 16, Component::f32, "VEC4"});
        }
    }

    void write_group(const MeshGroup& group) {
        Json mesh = Json::object();
        set_name(mesh, group.name);
        const Json attributes = range_attributes(group);
        const Json targets = range_targets(group);
        mesh["primitives"] = Json::array();
        for (std::size_t p = group.first_part; p < group.first_part + group.part_count; ++p) {
            if (parts_[p].count == 0 && !mesh_.triangles.empty()) continue;
            Json primitive = {{"attributes", attributes}};
            if (mesh_.triangles.empty()) {
                primitive["mode"] = 0;
            } else {
                primitive["indices"] = next_indices_++;
            }
            const int material = parts_[p].material >= 0 ? parts_[p].material : neutral_;
            if (material >= 0) primitive["material"] = material;
            if (!targets.empty()) primitive["targets"] = targets;
            mesh["primitives"].push_back(std::move(primitive));
        }
        if (!targets.empty()) {
            for (const int m : group.morphs) {
                const geometry::Morph& morph = mesh_.morphs[static_cast<std::size_t>(m)];
                mesh["weights"].push_back(morph.weight);
                mesh["extras"]["targetNames"].push_back(morph.name);
            }
        }
        writer_.out.add("meshes", std::move(mesh));
    }

    /// All index lists in one view; their accessors are in the order of the parts.
    void write_indices(const std::vector<MeshGroup>& groups) {
        if (mesh_.triangles.empty()) return;
        const int view = writer_.out.begin_view(ViewTarget::indices);
        next_indices_ = static_cast<int>(writer_.out.count("accessors"));
        for (const MeshGroup& group : groups) {
            for (std::size_t p = group.first_part; p < group.first_part + group.part_count; ++p) {
                if (parts_[p].count == 0) continue;
                if (group.vertex_count <= max_small_vertices) {
                    write_indices<std::uint16_t>(view, Component::u16, group, parts_[p]);
                } else {
                    write_indices<std::uint32_t>(view, Component::u32, group, parts_[p]);
                }
            }
        }
        writer_.out.end_view();
    }

  private:
    template <class Vector>
    void add_attribute(std::string semantic, const std::vector<Vector>& values, std::string_view type) {
        if (values.empty()) return;
        const int view = writer_.out.add_view(flat(values), ViewTarget::vertices, sizeof(Vector));
        attributes_.push_back({std::move(semantic), view, sizeof(Vector), Component::f32, type});
    }

    /// Bytes at a stride of four; the error is at most half a degree.
    void add_byte_normals(const std::vector<Vec3f>& normals) {
        if (normals.empty()) return;
        std::vector<std::int8_t> bytes;
        bytes.reserve(4 * normals.size());
        for (const Vec3f& normal : normals) {
            for (int i = 0; i < 3; ++i)
                bytes.push_back(static_cast<std::int8_t>(std::lround(127 * normal[i])));
            bytes.push_back(0);
        }
        const int view = writer_.out.add_view(std::span<const std::int8_t>(bytes), ViewTarget::vertices, 4);
        attributes_.push_back({"NORMAL", view, 4, Component::i8, "VEC3", true});
        writer_.out.root["extensionsUsed"].push_back("KHR_mesh_quantization");
        writer_.out.root["extensionsRequired"].push_back("KHR_mesh_quantization");
    }

    /// 16 bits for linear colours, because 8 would be too few for dark ones.
    void add_short_colors(const std::vector<Vec4f>& colors) {
        if (colors.empty()) return;
        std::vector<std::uint16_t> shorts;
        shorts.reserve(4 * colors.size());
        for (const Vec4f& color : colors)
            for (int i = 0; i < 4; ++i)
                shorts.push_back(static_cast<std::uint16_t>(std::lround(65535 * color[i])));
        const int view =
            writer_.out.add_view(std::span<const std::uint16_t>(shorts), ViewTarget::vertices, 8);
        attributes_.push_back({"COLOR_0", view, 8, Component::u16, "VEC4", true});
    }

    /// Texture coordinates of the first normal map in use, or -1.
    int normal_map_uv_set() const {
        for (const Part& part : parts_) {
            if (part.material < 0) continue;
            const geometry::Texture& texture =
                mesh_.materials[static_cast<std::size_t>(part.material)].normal_texture;
            const auto set = static_cast<std::size_t>(texture.uv_set);
            if (texture.used() && set < mesh_.uvs.size() && !mesh_.uvs[set].empty()) return texture.uv_set;
        }
        return -1;
    }

    std::vector<Vec4f> clamped_colors() const {
        std::vector<Vec4f> colors = mesh_.colors;
        std::size_t changed = 0;
        for (Vec4f& color : colors) {
            const Vec4f inside = color.cwiseMax(0.0f).cwiseMin(1.0f);
            changed += inside != color;
            color = inside;
        }
        if (changed > 0) {
            warn(writer_.monitor, "gltf-range", "{}: {} vertex colours lay outside 0 to 1 and were clamped",
                 writer_.file, changed);
        }
        return colors;
    }

    /// Accessors over a range of vertices, shared by all groups that have the same range.
    Json range_attributes(const MeshGroup& group) {
        const auto [known, is_new] = ranges_.try_emplace(group.first_vertex, Json::object());
        if (!is_new) return known->second;
        for (const Attribute& attribute : attributes_) {
            const bool of_skin =
                attribute.semantic.starts_with("JOINTS") || attribute.semantic.starts_with("WEIGHTS");
            if (of_skin && group.rigid >= 0) continue;
            const int accessor =
                writer_.out.add_accessor(attribute.view, group.first_vertex * attribute.stride,
                                         attribute.component, group.vertex_count, attribute.type);
            if (attribute.semantic == "POSITION") {
                writer_.out.set_bounds(
                    accessor, flat(mesh_.positions).subspan(3 * group.first_vertex, 3 * group.vertex_count),
                    3);
            }
            if (attribute.normalized)
                writer_.out.root["accessors"][static_cast<std::size_t>(accessor)]["normalized"] = true;
            known->second[attribute.semantic] = accessor;
        }
        return known->second;
    }

    Json range_targets(const MeshGroup& group) {
        Json targets = Json::array();
        for (const int m : group.morphs) {
            const geometry::Morph& morph = mesh_.morphs[static_cast<std::size_t>(m)];
            Json target = {{"POSITION", write_displacements(group, morph.first, morph.positions, true)}};
            if (!morph.normals.empty() && has_normals_) {
                target["NORMAL"] = write_displacements(group, morph.first, morph.normals, false);
            }
            targets.push_back(std::move(target));
        }
        return targets;
    }

    /// Displacements of the vertices of a group, zero for vertices outside the morph.
    int write_displacements(const MeshGroup& group, std::size_t first, const std::vector<Vec3f>& values,
                            bool bounds) {
        std::vector<Vec3f> range(group.vertex_count, Vec3f::Zero());
        const std::size_t low = std::max(first, group.first_vertex);
        const std::size_t high = std::min(first + values.size(), group.first_vertex + group.vertex_count);
        std::copy(values.begin() + static_cast<std::ptrdiff_t>(low - first),
                  values.begin() + static_cast<std::ptrdiff_t>(high - first),
                  range.begin() + static_cast<std::ptrdiff_t>(low - group.first_vertex));
        const int view = writer_.out.add_view(flat(range), ViewTarget::vertices, sizeof(Vec3f));
        const int accessor = writer_.out.add_accessor(view, 0, Component::f32, range.size(), "VEC3");
        if (bounds) writer_.out.set_bounds(accessor, flat(range), 3);
        return accessor;
    }

    template <class Index>
    void write_indices(int view, Component component, const MeshGroup& group, const Part& part) {
        std::vector<Index> indices;
        indices.reserve(3 * std::size_t{part.count});
        for (std::size_t t = part.first; t < part.first + std::size_t{part.count}; ++t) {
            for (const std::uint32_t vertex : mesh_.triangles[t]) {
                indices.push_back(static_cast<Index>(vertex - group.first_vertex));
            }
        }
        const std::size_t offset = writer_.out.append(std::span<const Index>(indices));
        writer_.out.add_accessor(view, offset, component, indices.size(), "SCALAR");
    }

    const Writer& writer_;
    const Mesh& mesh_;
    const std::vector<Part> parts_;
    const int neutral_;
    std::vector<Attribute> attributes_;
    std::map<std::size_t, Json> ranges_;
    bool has_normals_ = false;
    int next_indices_ = 0;
};

}  // namespace

void write_meshes(const Writer& writer, const std::vector<MeshGroup>& groups) {
    if (groups.empty()) return;
    if (writer.character.mesh.triangles.empty()) {
        warn(writer.monitor, "gltf-points", "{}: the mesh has no triangles and was written as points",
             writer.file);
    }
    MeshWriter meshes(writer);
    meshes.write_attributes(groups);
    meshes.write_indices(groups);
    for (const MeshGroup& group : groups) meshes.write_group(group);
}

}  // namespace sinew::io::gltf
