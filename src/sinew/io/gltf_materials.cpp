#include "sinew/io/gltf/document.h"

#include "sinew/io/interchange.h"

namespace sinew::io::gltf {
namespace {

using geometry::AlphaMode;
using geometry::Image;
using geometry::Material;
using geometry::Texture;
using geometry::Wrap;

Bytes image_bytes(const Document& document, const Cursor& image, std::vector<std::byte>& storage,
                  std::vector<FileView>& maps) {
    const int view = document.reference(image, "bufferView", "bufferViews");
    if (view >= 0) return document.view(static_cast<std::size_t>(view));
    return document.load(image.at("uri"), storage, maps);
}

/// The image, or nothing with a warning: a character without its picture is still of use.
std::optional<Image> read_image(const Document& document, std::size_t index) {
    const Cursor cursor = document.item("images", index);
    Image image;
    image.name = cursor.text("name");
    std::vector<std::byte> storage;
    std::vector<FileView> maps;
    try {
        const Bytes bytes = image_bytes(document, cursor, storage, maps);
        image.mime_type = image_type(bytes);
        if (image.mime_type.empty()) cursor.fail("is neither PNG nor JPEG");
        document.charge(bytes.size(), cursor);
        image.bytes.assign(bytes.begin(), bytes.end());
    } catch (const Error& error) {
        warn(document.monitor(), "gltf-image", "{}: the image was left out: {}", cursor.place(),
             error.what());
        return std::nullopt;
    }
    const std::string uri = cursor.text("uri");
    if (image.name.empty() && !uri.starts_with("data:")) {
        image.name = std::filesystem::path(decode_percent(uri)).stem().string();
    }
    return image;
}

Wrap wrap_of(const Cursor& sampler, std::string_view key) {
    switch (sampler.integer(key, 10497)) {
        case 33071:
            return Wrap::clamp;
        case 33648:
            return Wrap::mirror;
        default:
            return Wrap::repeat;
    }
}

/// Texture under a key of a material; `image_of` maps the file's images to the ones that were kept.
Texture read_texture(const Document& document, const Cursor& owner, std::string_view key,
                     const std::vector<int>& image_of) {
    Texture texture;
    const std::optional<Cursor> info = owner.find(key);
    if (!info) return texture;
    const int index = document.reference(info->at("index"), "textures");
    const Cursor cursor = document.item("textures", static_cast<std::size_t>(index));
    const int source = document.reference(cursor, "source", "images");
    if (source < 0) {
        warn(document.monitor(), "gltf-image", "{}: the texture has no image that can be read",
             cursor.place());
        return texture;
    }
    texture.image = image_of[static_cast<std::size_t>(source)];
    if (!texture.used()) return texture;
    const std::uint64_t set = info->integer("texCoord", 0);
    if (set > 1) {
        warn(document.monitor(), "gltf-texcoord",
             "{}: texture coordinates {} are not read, set 0 is used instead", info->place(), set);
    }
    texture.uv_set = set == 1 ? 1 : 0;
    const int sampler = document.reference(cursor, "sampler", "samplers");
    if (sampler >= 0) {
        const Cursor settings = document.item("samplers", static_cast<std::size_t>(sampler));
        texture.wrap_u = wrap_of(settings, "wrapS");
        texture.wrap_v = wrap_of(settings, "wrapT");
        texture.nearest = settings.integer("magFilter", 9729) == 9728;
    }
    return texture;
}

void read_surface(const Document& document, const Cursor& cursor, const std::vector<int>& image_of,
                  Material& material) {
    // The defaults of the format, not those of the struct.
    material.metallic = 1;
    material.roughness = 1;
    const std::optional<Cursor> surface = cursor.find("pbrMetallicRoughness");
    if (!surface) return;
    if (const auto color = surface->numbers("baseColorFactor", 4)) {
        material.base_color = Eigen::Map<const math::Vec4d>(color->data()).cast<float>();
    }
    material.metallic = static_cast<float>(surface->number("metallicFactor", 1));
    material.roughness = static_cast<float>(surface->number("roughnessFactor", 1));
    material.base_color_texture = read_texture(document, *surface, "baseColorTexture", image_of);
    material.metallic_roughness_texture =
        read_texture(document, *surface, "metallicRoughnessTexture", image_of);
}

Material read_material(const Document& document, std::size_t index, const std::vector<int>& image_of) {
    const Cursor cursor = document.item("materials", index);
    Material material;
    material.name = cursor.text("name");
    read_surface(document, cursor, image_of, material);
    if (const auto color = cursor.numbers("emissiveFactor", 3)) {
        material.emissive = Eigen::Map<const math::Vec3d>(color->data()).cast<float>();
    }
    material.normal_texture = read_texture(document, cursor, "normalTexture", image_of);
    material.occlusion_texture = read_texture(document, cursor, "occlusionTexture", image_of);
    material.emissive_texture = read_texture(document, cursor, "emissiveTexture", image_of);
    if (const auto info = cursor.find("normalTexture")) {
        material.normal_scale = static_cast<float>(info->number("scale", 1));
    }
    if (const auto info = cursor.find("occlusionTexture")) {
        material.occlusion_strength = static_cast<float>(info->number("strength", 1));
    }
    const std::string mode = cursor.text("alphaMode", "OPAQUE");
    material.alpha_mode = mode == "MASK"    ? AlphaMode::mask
                          : mode == "BLEND" ? AlphaMode::blend
                                            : AlphaMode::opaque;
    material.alpha_cutoff = static_cast<float>(cursor.number("alphaCutoff", 0.5));
    material.double_sided = cursor.boolean("doubleSided", false);
    return material;
}

}  // namespace

std::string_view image_type(Bytes bytes) {
    const std::string_view text = as_text(bytes);
    if (text.starts_with("\x89PNG\r\n\x1A\n")) return "image/png";
    if (text.starts_with("\xFF\xD8\xFF")) return "image/jpeg";
    return {};
}

void read_materials(const Document& document, geometry::Mesh& mesh) {
    std::vector<int> image_of;
    for (std::size_t i = 0; i < document.count("images"); ++i) {
        std::optional<Image> image = read_image(document, i);
        image_of.push_back(image ? static_cast<int>(mesh.images.size()) : -1);
        if (image) mesh.images.push_back(*std::move(image));
    }
    for (std::size_t i = 0; i < document.count("materials"); ++i) {
        mesh.materials.push_back(read_material(document, i, image_of));
    }
}

}  // namespace sinew::io::gltf
