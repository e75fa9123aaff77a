#include <algorithm>

#include "sinew/io/gltf/document.h"
#include "sinew/io/gltf/write.h"

namespace sinew::io::gltf {
namespace {

using geometry::AlphaMode;
using geometry::Material;
using geometry::Texture;
using geometry::Wrap;

int wrap_code(Wrap wrap) {
    return wrap == Wrap::repeat ? 10497 : wrap == Wrap::clamp ? 33071 : 33648;
}

/// Index of an element in a top-level array; an equal one is used again.
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
            const std::string_view type = image_type(image.bytes);
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
}

}  // namespace sinew::io::gltf
