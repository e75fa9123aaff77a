// Colours and pictures of assimp's materials.

#include <algorithm>
#include <cstring>
#include <map>

#include "scene.h"
#include <assimp/material.h>

#include "sinew/io/mesh/mtl.h"

namespace sinew::import {
namespace {

geometry::Material to_material(const aiMaterial& from) {
    geometry::Material material;
    aiString name;
    if (from.Get(AI_MATKEY_NAME, name) == AI_SUCCESS) material.name = name.C_Str();
    const auto channel = [](ai_real c) { return std::clamp(static_cast<float>(c), 0.0f, 1.0f); };
    aiColor4D color;
    if (from.Get(AI_MATKEY_COLOR_DIFFUSE, color) == AI_SUCCESS) {
        material.base_color = {channel(color.r), channel(color.g), channel(color.b), 1};
    }
    if (from.Get(AI_MATKEY_COLOR_EMISSIVE, color) == AI_SUCCESS) {
        material.emissive = {channel(color.r), channel(color.g), channel(color.b)};
    }
    ai_real opacity = 1;
    if (from.Get(AI_MATKEY_OPACITY, opacity) == AI_SUCCESS && opacity < 1) {
        material.base_color[3] = channel(opacity);
        material.alpha_mode = geometry::AlphaMode::blend;
    }
    int two_sided = 0;
    if (from.Get(AI_MATKEY_TWOSIDED, two_sided) == AI_SUCCESS) material.double_sided = two_sided != 0;
    return material;
}

/// A picture inside the file; compressed ones only.
int embedded_picture(const aiTexture& texture, geometry::Mesh& pictures) {
    if (texture.mHeight != 0 || texture.pcData == nullptr) return -1;
    const Bytes bytes(reinterpret_cast<const std::byte*>(texture.pcData), texture.mWidth);
    const std::string_view type = io::picture_type(bytes);
    if (type.empty()) return -1;
    pictures.images.push_back({texture.mFilename.C_Str(), std::string(type), {bytes.begin(), bytes.end()}});
    return static_cast<int>(pictures.images.size()) - 1;
}

}  // namespace

void convert_materials(const aiScene& from, const std::filesystem::path& path, io::NodeScene& result,
                       Monitor& monitor) {
    geometry::Mesh pictures;
    std::map<std::string, int> loaded;
    for (unsigned m = 0; m < from.mNumMaterials; ++m) {
        geometry::Material material = to_material(*from.mMaterials[m]);
        aiString file;
        if (from.mMaterials[m]->GetTexture(aiTextureType_DIFFUSE, 0, &file) == AI_SUCCESS &&
            file.length > 0) {
            const auto [known, added] = loaded.try_emplace(file.C_Str(), -1);
            if (added) {
                const aiTexture* const embedded = from.GetEmbeddedTexture(file.C_Str());
                known->second = embedded != nullptr
                                    ? embedded_picture(*embedded, pictures)
                                    : io::load_picture(pictures, path.parent_path(), file.C_Str(),
                                                       path.filename().string(), monitor);
            }
            material.base_color_texture.image = known->second;
        }
        result.materials.push_back(std::move(material));
    }
    result.images = std::move(pictures.images);
}

}  // namespace sinew::import
