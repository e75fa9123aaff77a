#include "sinew/io/scene/scene_formats.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "sinew/base/error.h"
#include "sinew/base/text.h"
#include "sinew/io/mesh/mtl.h"
#include "sinew/io/x_convert.h"

namespace sinew::io {
namespace {

constexpr std::size_t header_size = 16;  // "xof 0303txt 0032"

/// Weights for a bone that no frame bears the name of: a joint where the bind matrix puts it.
void add_missing_bones(x::File& file, Oddities& oddities) {
    for (const x::MeshObject& mesh : file.meshes) {
        for (const x::SkinWeights& weights : mesh.skin) {
            if (file.frame_numbers.contains(weights.bone)) continue;
            oddities.add("x-unknown-bone", weights.place, [&] {
                return fmt::format("there is no frame \"{}\" for these weights: a joint was added",
                                   weights.bone);
            });
            x::Frame frame;
            frame.name = weights.bone;
            const math::Mat4d rest = math::inverse_affine(x::to_matrix(weights.offset));
            if (rest.allFinite()) frame.matrix = x::from_matrix(rest);
            file.frame_numbers.emplace(frame.name, static_cast<int>(file.frames.size()));
            file.frames.push_back(std::move(frame));
        }
    }
}

geometry::Material to_material(const x::Material& from) {
    geometry::Material material;
    material.name = from.name;
    const auto channel = [](double c) { return static_cast<float>(std::clamp(c, 0.0, 1.0)); };
    for (int i = 0; i < 4; ++i) material.base_color[i] = channel(from.color[static_cast<std::size_t>(i)]);
    for (int i = 0; i < 3; ++i) material.emissive[i] = channel(from.emissive[static_cast<std::size_t>(i)]);
    if (material.base_color[3] < 1) material.alpha_mode = geometry::AlphaMode::blend;
    return material;
}

/// Materials with their pictures, each of which is loaded once.
void convert_materials(const x::File& file, const std::filesystem::path& path, NodeScene& scene,
                       Monitor& monitor) {
    geometry::Mesh pictures;
    std::map<std::string, int> loaded;
    for (const x::Material& from : file.materials) {
        geometry::Material material = to_material(from);
        if (!from.texture.empty()) {
            const auto [known, added] = loaded.try_emplace(from.texture, -1);
            if (added) {
                // Old programs double the backslashes of Windows paths.
                std::string name = from.texture;
                for (std::size_t at; (at = name.find("\\\\")) != std::string::npos;) name.erase(at, 1);
                known->second = load_picture(pictures, path.parent_path(), name, path.string(), monitor);
            }
            material.base_color_texture.image = known->second;
        }
        scene.materials.push_back(std::move(material));
    }
    scene.images = std::move(pictures.images);
}

NodeScene convert(x::File& file, const std::filesystem::path& path, Oddities& oddities, Monitor& monitor) {
    add_missing_bones(file, oddities);
    NodeScene scene;
    scene.name = path.stem().string();
    for (const x::Frame& frame : file.frames) {
        scene.nodes.push_back({frame.name, frame.parent, x::to_matrix(frame.matrix)});
    }
    for (const x::MeshObject& mesh : file.meshes) {
        if (!mesh.positions.empty()) scene.meshes.push_back(x::convert_mesh(mesh, file, oddities));
    }
    convert_materials(file, path, scene, monitor);
    scene.clips = x::convert_animations(file, oddities);
    return scene;
}

}  // namespace

Asset read_x(Bytes bytes, const std::filesystem::path& path, const ReadOptions& options, Monitor& monitor) {
    const std::string name = path.string();
    std::string storage;
    const std::string_view content = as_utf8(as_text(bytes), storage);
    if (!content.starts_with("xof ") || content.size() < header_size) {
        fail(name + ":1", "is no .x file: it must begin with \"xof \" and a version");
    }
    const std::string_view kind = content.substr(8, 4);
    if (kind == "bin " || kind == "tzip" || kind == "bzip")
        return read_foreign(bytes, path, options, monitor);
    if (kind != "txt ") fail(name + ":1", "\"{}\" is no known kind of .x file: txt, bin, tzip or bzip", kind);
    x::Text cursor(content, name, header_size);
    Oddities oddities;
    x::File file = x::parse(cursor, oddities);
    NodeScene scene = convert(file, path, oddities, monitor);
    oddities.tell(monitor, [&](std::size_t offset) { return cursor.place(offset); });
    Asset asset;
    asset.character = assemble(std::move(scene), {.single_root = true}, name, monitor);
    if (!asset.character.has_mesh() && !asset.character.has_skeleton())
        fail(name, "holds neither mesh nor frame");
    return asset;
}

}  // namespace sinew::io
