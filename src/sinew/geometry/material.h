#pragma once
/// \file
/// How a surface looks: the metallic-roughness model of glTF 2.0, with its textures carried as they came.

#include <cstddef>
#include <string>
#include <vector>

#include "sinew/math/types.h"

namespace sinew::geometry {

/// An encoded picture (PNG, JPEG, ...), kept byte for byte.
struct Image {
    std::string name;
    std::string mime_type;  ///< "image/png" or "image/jpeg"
    std::vector<std::byte> bytes;
};

enum class Wrap { repeat, clamp, mirror };

/// Use of an image by a material; `image` < 0 means none.
struct Texture {
    int image = -1;
    int uv_set = 0;
    Wrap wrap_u = Wrap::repeat;
    Wrap wrap_v = Wrap::repeat;
    bool nearest = false;  ///< no filtering, for pixel art
    bool used() const { return image >= 0; }
    bool operator==(const Texture&) const = default;
};

enum class AlphaMode { opaque, mask, blend };

struct Material {
    std::string name;
    math::Vec4f base_color = math::Vec4f::Ones();  ///< linear RGBA
    math::Vec3f emissive = math::Vec3f::Zero();
    float metallic = 0;
    float roughness = 0.8f;
    float normal_scale = 1;
    float occlusion_strength = 1;
    float alpha_cutoff = 0.5f;
    AlphaMode alpha_mode = AlphaMode::opaque;
    bool double_sided = false;
    Texture base_color_texture;
    Texture metallic_roughness_texture;
    Texture normal_texture;
    Texture occlusion_texture;
    Texture emissive_texture;
};

}  // namespace sinew::geometry
