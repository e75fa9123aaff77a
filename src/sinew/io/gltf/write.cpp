// SPDX-License-Identifier: MIT

#include "sinew/io/gltf/write.h"

#include <algorithm>
#include <limits>
#include <set>

#include "sinew/io/export/export_formats.h"
#include "sinew/io/gltf/gltf.h"
#include "sinew/io/gltf/vrm.h"
#include "sinew/io/interchange.h"

namespace sinew::io::gltf {
namespace {

void pad(std::string& text, char filler) {
    text.append((4 - text.size() % 4) % 4, filler);
}

void append_u32(std::string& text, std::size_t value) {
    for (int shift = 0; shift < 32; shift += 8) text += static_cast<char>(value >> shift & 255);
}

std::string as_glb(std::string json, const std::string& buffer, std::string_view location) {
    pad(json, ' ');
    const std::size_t length = 12 + 8 + json.size() + (buffer.empty() ? 0 : 8 + buffer.size());
    if (length > std::numeric_limits<std::uint32_t>::max()) {
        fail(location, "{} bytes are more than a GLB file can hold", length);
    }
    std::string file;
    file.reserve(length);
    file += "glTF";
    append_u32(file, 2);
    append_u32(file, length);
    append_u32(file, json.size());
    file += "JSON";
    file += json;
    if (!buffer.empty()) {
        append_u32(file, buffer.size());
        file += std::string_view("BIN\0", 4);
        file += buffer;
    }
    return file;
}

}  // namespace

int Builder::begin_view(ViewTarget target, std::size_t stride) {
    view_start_ = buffer_.size();
    Json view = {{"buffer", 0}, {"byteOffset", view_start_}, {"byteLength", 0}};
    if (stride > 0) view["byteStride"] = stride;
    if (target != ViewTarget::none) view["target"] = static_cast<int>(target);
    return add("bufferViews", std::move(view));
}

std::size_t Builder::append(Bytes bytes) {
    const std::size_t offset = buffer_.size() - view_start_;
    buffer_.append(as_text(bytes));
    root["bufferViews"].back()["byteLength"] = buffer_.size() - view_start_;
    pad(buffer_, '\0');
    return offset;
}

void Builder::end_view() {
    // Views must not be empty; nothing refers to this one.
    if (root["bufferViews"].back()["byteLength"] == 0) root["bufferViews"].erase(count("bufferViews") - 1);
    if (root["bufferViews"].empty()) root.erase("bufferViews");
    view_start_ = buffer_.size();
}

int Builder::add_accessor(int view, std::size_t offset, Component component, std::size_t count,
                          std::string_view type) {
    Json accessor = {{"bufferView", view}};
    if (offset > 0) accessor["byteOffset"] = offset;
    accessor["componentType"] = static_cast<int>(component);
    accessor["count"] = count;
    accessor["type"] = type;
    return add("accessors", std::move(accessor));
}

void Builder::set_bounds(int accessor, std::span<const float> values, std::size_t components) {
    std::vector<float> low(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(components));
    std::vector<float> high = low;
    for (std::size_t i = 0; i < values.size(); i += components) {
        for (std::size_t c = 0; c < components; ++c) {
            low[c] = std::min(low[c], values[i + c]);
            high[c] = std::max(high[c], values[i + c]);
        }
    }
    Json& json = root["accessors"][static_cast<std::size_t>(accessor)];
    json["min"] = low;
    json["max"] = high;
}

int Builder::add(std::string_view array, Json element) {
    Json& elements = root[std::string(array)];
    elements.push_back(std::move(element));
    return static_cast<int>(elements.size()) - 1;
}

std::size_t Builder::count(std::string_view array) const {
    const auto found = root.find(std::string(array));
    return found == root.end() ? 0 : found->size();
}

std::string Builder::finish(bool binary, std::string_view location) {
    if (!buffer_.empty()) {
        Json buffer = {{"byteLength", buffer_.size()}};
        if (!binary) {
            buffer["uri"] = "data:application/octet-stream;base64," + encode_base64(as_bytes(buffer_));
        }
        add("buffers", std::move(buffer));
    }
    // Names may have any encoding: bytes that are not UTF-8 become a replacement character.
    const int indent = binary ? -1 : 1;
    std::string json = root.dump(indent, ' ', false, Json::error_handler_t::replace);
    return binary ? as_glb(std::move(json), buffer_, location) : json + "\n";
}

void set_name(Json& json, const std::string& name) {
    if (!name.empty()) json["name"] = name;
}

namespace {

using geometry::AlphaMode;
using geometry::Material;
using geometry::Texture;
using geometry::Wrap;

int wrap_code(Wrap wrap) {
    return wrap == Wrap::repeat ? 10497 : wrap == Wrap::clamp ? 33071 : 33648;
}

/// Index of an element in a top-level array; an equal element is reused.
int add_once(Builder& out, const std::string& array, const Json& element) {
    if (out.root.contains(array)) {
        const Json& elements = out.root[array];
        const auto found = std::find(elements.begin(), elements.end(), element);
        if (found != elements.end()) return static_cast<int>(found - elements.begin());
    }
    return out.add(array, element);
}

class MaterialWriter {
  public:
    explicit MaterialWriter(const Writer& writer) : writer_(writer), mesh_(writer.character.mesh) {}

    void write_images() {
        for (std::size_t i = 0; i < mesh_.images.size(); ++i) {
            const geometry::Image& image = mesh_.images[i];
            const std::string_view type = picture_type(image.bytes);
            image_of_.push_back(-1);
            if (type.empty()) {
                warn(writer_.monitor, "gltf-image",
                     "{}: image \"{}\" is neither PNG nor JPEG and was left out", writer_.file, image.name);
                continue;
            }
            Json json = Json::object();
            set_name(json, image.name);
            json["mimeType"] = type;
            json["bufferView"] = writer_.out.add_view(std::span(image.bytes), ViewTarget::none);
            image_of_.back() = writer_.out.add("images", std::move(json));
        }
    }

    void write(const Material& material) {
        Json json = Json::object();
        set_name(json, material.name);
        Json surface = Json::object();
        if (material.base_color != math::Vec4f::Ones()) {
            surface["baseColorFactor"] = unit_range(std::span(material.base_color.data(), 4), material);
        }
        surface["metallicFactor"] = unit_range(std::span(&material.metallic, 1), material)[0];
        surface["roughnessFactor"] = unit_range(std::span(&material.roughness, 1), material)[0];
        add_texture(surface, "baseColorTexture", material.base_color_texture, material);
        add_texture(surface, "metallicRoughnessTexture", material.metallic_roughness_texture, material);
        json["pbrMetallicRoughness"] = std::move(surface);
        if (!material.emissive.isZero(0)) {
            json["emissiveFactor"] = unit_range(std::span(material.emissive.data(), 3), material);
        }
        if (add_texture(json, "normalTexture", material.normal_texture, material)) {
            json["normalTexture"]["scale"] = material.normal_scale;
        }
        if (add_texture(json, "occlusionTexture", material.occlusion_texture, material)) {
            json["occlusionTexture"]["strength"] =
                unit_range(std::span(&material.occlusion_strength, 1), material)[0];
        }
        add_texture(json, "emissiveTexture", material.emissive_texture, material);
        if (material.alpha_mode == AlphaMode::blend) json["alphaMode"] = "BLEND";
        if (material.alpha_mode == AlphaMode::mask) {
            json["alphaMode"] = "MASK";
            json["alphaCutoff"] = std::max(0.0f, material.alpha_cutoff);
        }
        if (material.double_sided) json["doubleSided"] = true;
        writer_.out.add("materials", std::move(json));
    }

  private:
    /// Factors must lie in [0, 1].
    std::vector<float> unit_range(std::span<const float> values, const Material& material) const {
        std::vector<float> result;
        for (const float value : values)
            result.push_back(std::isfinite(value) ? std::clamp(value, 0.0f, 1.0f) : 0.0f);
        if (!std::equal(values.begin(), values.end(), result.begin())) {
            warn(writer_.monitor, "gltf-range",
                 "{}: material \"{}\" has factors outside 0 to 1, which were clamped", writer_.file,
                 material.name);
        }
        return result;
    }

    bool add_texture(Json& owner, const char* key, const Texture& texture, const Material& material) {
        if (!texture.used() || image_of_[static_cast<std::size_t>(texture.image)] < 0) return false;
        const auto set = static_cast<std::size_t>(texture.uv_set);
        if (set >= mesh_.uvs.size() || mesh_.uvs[set].empty()) {
            warn(writer_.monitor, "gltf-texture-without-uv",
                 "{}: material \"{}\": {} was left out, the mesh has no texture coordinates {}", writer_.file,
                 material.name, key, texture.uv_set);
            return false;
        }
        Json sampler = {{"wrapS", wrap_code(texture.wrap_u)}, {"wrapT", wrap_code(texture.wrap_v)}};
        if (texture.nearest) {
            sampler["magFilter"] = 9728;
            sampler["minFilter"] = 9728;
        }
        const Json use = {{"sampler", add_once(writer_.out, "samplers", sampler)},
                          {"source", image_of_[static_cast<std::size_t>(texture.image)]}};
        owner[key] = {{"index", add_once(writer_.out, "textures", use)}};
        if (set > 0) owner[key]["texCoord"] = set;
        return true;
    }

    const Writer& writer_;
    const geometry::Mesh& mesh_;
    std::vector<int> image_of_;
};

}  // namespace

void write_materials(const Writer& writer) {
    MaterialWriter materials(writer);
    materials.write_images();
    for (const Material& material : writer.character.mesh.materials) materials.write(material);
    if (neutral_material(writer) < 0) return;
    materials.write(io::neutral_material(writer.character.mesh));
}

int neutral_material(const Writer& writer) {
    const geometry::Mesh& mesh = writer.character.mesh;
    if (!writer.complete || mesh.triangles.empty()) return -1;
    const std::vector<geometry::Part> parts = geometry::parts_of(mesh);
    const bool bare = std::any_of(parts.begin(), parts.end(), [](const auto& p) { return p.material < 0; });
    return bare ? static_cast<int>(mesh.materials.size()) : -1;
}

namespace {

using math::Mat4d;
using model::Joint;
using model::Skeleton;
using model::Skin;

Json numbers(const math::Vec3d& v) {
    return {v.x(), v.y(), v.z()};
}

Json joint_node(const Joint& joint) {
    Json node = Json::object();
    set_name(node, joint.name);
    const math::Transform& rest = joint.rest;
    if (!rest.translation.isZero(0)) node["translation"] = numbers(rest.translation);
    const math::Quatd& q = rest.rotation;
    if (q.coeffs() != math::Quatd::Identity().coeffs()) node["rotation"] = {q.x(), q.y(), q.z(), q.w()};
    if (rest.scale != math::Vec3d::Ones()) node["scale"] = numbers(rest.scale);
    if (joint.tip) node["extras"]["tip"] = numbers(*joint.tip);
    return node;
}

/// Joints become nodes 0, 1, ..., so that a reader finds them in the same order; returns the roots.
std::vector<int> write_joints(const Writer& writer) {
    const Skeleton& skeleton = writer.character.skeleton;
    std::vector<int> roots;
    for (const Joint& joint : skeleton.joints) writer.out.add("nodes", joint_node(joint));
    for (std::size_t j = 0; j < skeleton.size(); ++j) {
        const int parent = skeleton.joints[j].parent;
        if (parent < 0) {
            roots.push_back(static_cast<int>(j));
        } else {
            writer.out.root["nodes"][static_cast<std::size_t>(parent)]["children"].push_back(j);
        }
    }
    return roots;
}

/// The node at the end of each joint's bone, for joints with a tip; otherwise -1.
std::vector<int> write_ends(const Writer& writer) {
    const Skeleton& skeleton = writer.character.skeleton;
    std::vector<int> ends(skeleton.size(), -1);
    for (std::size_t j = 0; j < skeleton.size() && writer.complete; ++j) {
        const Joint& joint = skeleton.joints[j];
        if (!joint.tip || joint.tip->isZero(0)) continue;
        ends[j] = writer.out.add("nodes", {{"name", joint.name + "_end"},
                                           {"translation", numbers(*joint.tip)},
                                           {"extras", {{"end", true}}}});
        writer.out.root["nodes"][j]["children"].push_back(ends[j]);
    }
    return ends;
}

/// Adds a common root for the joints of a skin, which glTF requires.
std::vector<int> under_one_root(const Writer& writer, std::vector<int> roots) {
    if (roots.size() < 2) return roots;
    return {writer.out.add("nodes", {{"children", roots}})};
}

/// Nodes of the palette entries: the joints, or an alias below a joint that is already used.
std::vector<int> palette_nodes(const Writer& writer) {
    std::vector<int> nodes;
    std::set<int> taken;
    for (const model::SkinJoint& entry : writer.character.skin.joints) {
        if (taken.insert(entry.joint).second) {
            nodes.push_back(entry.joint);
            continue;
        }
        const auto joint = static_cast<std::size_t>(entry.joint);
        const int alias =
            writer.out.add("nodes", {{"name", writer.character.skeleton.joints[joint].name + " (alias)"},
                                     {"extras", {{"alias", true}}}});
        writer.out.root["nodes"][joint]["children"].push_back(alias);
        nodes.push_back(alias);
    }
    return nodes;
}

int write_inverse_binds(const Writer& writer, const std::vector<Mat4d>& ends) {
    std::vector<float> values;
    const auto add = [&](Mat4d matrix) {
        matrix.row(3) = Eigen::RowVector4d(0, 0, 0, 1);
        for (const double value : matrix.reshaped()) values.push_back(static_cast<float>(value));
    };
    for (const model::SkinJoint& entry : writer.character.skin.joints) add(entry.inverse_bind);
    for (const Mat4d& end : ends) add(end);
    const int view = writer.out.add_view(std::span<const float>(values), ViewTarget::none);
    return writer.out.add_accessor(view, 0, Component::f32, values.size() / 16, "MAT4");
}

/// The skin of the mesh, and a second one with all joints if the first lacks some, so that readers keep them
/// as joints. Ends are included, because importers make bones only of joints.
void write_skins(const Writer& writer, const std::vector<int>& ends, bool bound) {
    const model::Character& character = writer.character;
    std::set<int> named;
    if (bound) {
        std::vector<int> nodes = palette_nodes(writer);
        std::vector<Mat4d> end_binds;
        for (const model::SkinJoint& entry : character.skin.joints) {
            const auto joint = static_cast<std::size_t>(entry.joint);
            if (!named.insert(entry.joint).second || ends[joint] < 0) continue;
            nodes.push_back(ends[joint]);
            end_binds.push_back(entry.inverse_bind);
            end_binds.back().topRightCorner<3, 1>() -= *character.skeleton.joints[joint].tip;
        }
        Json skin = {{"joints", nodes}};
        skin["inverseBindMatrices"] = write_inverse_binds(writer, end_binds);
        writer.out.add("skins", std::move(skin));
    }
    if (named.size() == character.skeleton.size()) return;
    std::vector<int> all(character.skeleton.size());
    for (std::size_t j = 0; j < all.size(); ++j) all[j] = static_cast<int>(j);
    std::copy_if(ends.begin(), ends.end(), std::back_inserter(all), [](int end) { return end >= 0; });
    writer.out.add("skins", {{"name", "skeleton"}, {"joints", all}});
}

/// A mesh that follows one entry of the palette; its node is a child of the joint.
void hang_on_joint(const Writer& writer, const MeshGroup& group, Json& node) {
    const model::SkinJoint& entry = writer.character.skin.joints[static_cast<std::size_t>(group.rigid)];
    Mat4d matrix = entry.inverse_bind;
    matrix.row(3) = Eigen::RowVector4d(0, 0, 0, 1);
    if (!matrix.isIdentity(0))
        for (const double value : matrix.reshaped()) node["matrix"].push_back(value);
    const std::size_t index = writer.out.count("nodes");
    writer.out.root["nodes"][static_cast<std::size_t>(entry.joint)]["children"].push_back(index);
}

}  // namespace

void write_nodes(const Writer& writer, std::vector<MeshGroup>& groups) {
    std::vector<int> roots = under_one_root(writer, write_joints(writer));
    const bool bound = needs_weights(writer, groups);
    write_skins(writer, write_ends(writer), bound);
    for (std::size_t g = 0; g < groups.size(); ++g) {
        Json node = Json::object();
        set_name(node, groups[g].name);
        node["mesh"] = g;
        const bool rigid = groups[g].rigid >= 0;
        if (rigid) hang_on_joint(writer, groups[g], node);
        if (writer.character.has_skin() && !rigid) node["skin"] = 0;
        groups[g].node = writer.out.add("nodes", std::move(node));
        if (!rigid) roots.push_back(groups[g].node);
    }
    Json scene = Json::object();
    set_name(scene, writer.character.name);
    scene["nodes"] = roots;
    writer.out.root["scene"] = 0;
    writer.out.add("scenes", std::move(scene));
}

}  // namespace sinew::io::gltf

namespace sinew::io {
namespace {

/// A sequence as a character: each frame is a morph target with weight 1 at its time, blended with its
/// neighbours in between.
model::Character morphing(const model::MeshSequence& sequence, const std::string& file, Monitor& monitor) {
    model::Character character;
    character.name = sequence.rest.name;
    character.mesh = sequence.rest;
    character.mesh.morphs.clear();
    model::Clip clip;
    clip.name = "sequence";
    const std::size_t count = sequence.frames.size();
    for (std::size_t f = 0; f < count; ++f) {
        geometry::Morph morph;
        morph.name = fmt::format("frame_{}", f);
        morph.positions.reserve(sequence.rest.positions.size());
        for (std::size_t v = 0; v < sequence.rest.positions.size(); ++v) {
            morph.positions.emplace_back(sequence.frames[f][v] - sequence.rest.positions[v]);
        }
        character.mesh.morphs.push_back(std::move(morph));
        model::MorphTrack track{.morph = static_cast<int>(f), .weight = {}};
        track.weight.times = model::KeyTimes::even(0, 1 / sequence.rate, count);
        track.weight.values.assign(count, 0);
        track.weight.values[f] = 1;
        clip.morph_tracks.push_back(std::move(track));
    }
    character.clips.push_back(std::move(clip));
    const double size = 12e-6 * static_cast<double>(count * sequence.rest.positions.size());
    warn(monitor, "gltf-sequence",
         "{}: {} frames become morph targets of {:.1f} MB; fitting bones makes it smaller", file, count,
         size);
    return character;
}

}  // namespace

std::string write_gltf(const Asset& asset, const std::filesystem::path& path, const WriteOptions& options,
                       Monitor& monitor) {
    const std::string file = path.filename().string();
    const bool as_sequence = !asset.sequence.empty() && !asset.character.has_mesh();
    if (as_sequence) {
        model::validate(asset.sequence, file);
    } else if (!asset.sequence.empty()) {
        warn(monitor, "gltf-sequence-dropped", "{}: holds the character only, not its mesh sequence", file);
    }
    const model::Character sequence =
        as_sequence ? morphing(asset.sequence, file, monitor) : model::Character();
    const model::Character& character = as_sequence ? sequence : asset.character;
    if (!character.has_mesh() && !character.has_skeleton()) fail(file, "there is nothing to write");
    model::validate(character, file);

    gltf::Builder builder;
    builder.root["asset"] = {{"version", "2.0"}, {"generator", "sinew"}};
    // glTF uses metres; with the unit of the source, a motion can be written to BVH in its original numbers.
    if (character.unit != 1) builder.root["asset"]["extras"]["sinew_unit"] = character.unit;
    const gltf::Writer writer{builder,         character,        file,        monitor,
                              options.compact, !options.compact, !as_sequence};
    std::vector<gltf::MeshGroup> groups = gltf::group_parts(character.mesh);
    if (options.compact) gltf::find_rigid(character.skin, groups);
    gltf::write_nodes(writer, groups);
    gltf::write_materials(writer);
    gltf::write_meshes(writer, groups);
    step(monitor, "write", 0.6);
    gltf::write_clips(writer, groups);
    if (suffix(path) == "vrm") gltf::write_vrm(writer);
    step(monitor, "write", 0.9);
    return builder.finish(suffix(path) != "gltf", file);
}

}  // namespace sinew::io
