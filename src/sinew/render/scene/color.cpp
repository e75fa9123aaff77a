// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/render/renderer.h"

namespace sinew::render {
namespace {

/// OKLab to linear sRGB (Ottosson 2020).
Vec3f color_from_oklab(const Vec3f& lab) {
    const float l = lab.x() + 0.3963377774f * lab.y() + 0.2158037573f * lab.z();
    const float m = lab.x() - 0.1055613458f * lab.y() - 0.0638541728f * lab.z();
    const float s = lab.x() - 0.0894841775f * lab.y() - 1.2914855480f * lab.z();
    const Vec3f cubes(l * l * l, m * m * m, s * s * s);
    const Vec3f rgb(4.0767416621f * cubes.x() - 3.3077115913f * cubes.y() + 0.2309699292f * cubes.z(),
                    -1.2684380046f * cubes.x() + 2.6097574011f * cubes.y() - 0.3413193965f * cubes.z(),
                    -0.0041960863f * cubes.x() - 0.7034186147f * cubes.y() + 1.7076147010f * cubes.z());
    return rgb.cwiseMax(0.0f).cwiseMin(1.0f);
}

Vec3f oklab(float lightness, float chroma, float hue) {
    const float angle = hue * static_cast<float>(2 * math::pi);
    return {lightness, chroma * std::cos(angle), chroma * std::sin(angle)};
}

}  // namespace

float srgb_from_linear(float linear) {
    return linear <= 0.0031308f ? 12.92f * linear : 1.055f * std::pow(linear, 1 / 2.4f) - 0.055f;
}

float linear_from_srgb(float encoded) {
    return encoded <= 0.04045f ? encoded / 12.92f : std::pow((encoded + 0.055f) / 1.055f, 2.4f);
}

Vec3f color_from_oklch(float lightness, float chroma, float hue) {
    return color_from_oklab(oklab(lightness, chroma, hue));
}

Vec3f joint_color(std::size_t joint) {
    constexpr double golden = 0.61803398874989485;
    constexpr std::array<float, 3> lightness = {0.72f, 0.60f, 0.82f};
    constexpr std::array<float, 3> chroma = {0.15f, 0.16f, 0.12f};
    const double hue = 0.07 + static_cast<double>(joint) * golden;
    return color_from_oklch(lightness[joint % 3], chroma[joint % 3],
                            static_cast<float>(hue - std::floor(hue)));
}

Vec3f heat_color(float value) {
    // Stops in OKLCH: lightness, chroma, hue as a fraction of the circle.
    static const std::array<Vec3f, 5> stops = {oklab(0.42f, 0.15f, 0.74f), oklab(0.66f, 0.12f, 0.61f),
                                               oklab(0.78f, 0.17f, 0.40f), oklab(0.86f, 0.17f, 0.26f),
                                               oklab(0.60f, 0.22f, 0.08f)};
    const float along = std::clamp(value, 0.0f, 1.0f) * static_cast<float>(stops.size() - 1);
    const std::size_t first = std::min(static_cast<std::size_t>(along), stops.size() - 2);
    const float fraction = along - static_cast<float>(first);
    return color_from_oklab((1 - fraction) * stops[first] + fraction * stops[first + 1]);
}

std::vector<Vec4f> weight_colors(const model::Skin& skin) {
    std::vector<Vec3f> palette(skin.joints.size());
    for (std::size_t j = 0; j < palette.size(); ++j)
        palette[j] = joint_color(static_cast<std::size_t>(skin.joints[j].joint));
    std::vector<Vec4f> colors(skin.vertex_count(), Vec4f(0, 0, 0, 1));
    for (std::size_t v = 0; v < colors.size(); ++v)
        for (const model::Influence& influence : skin.of(v))
            colors[v].head<3>() += influence.weight * palette[influence.joint];
    return colors;
}

std::vector<Vec4f> joint_weight_colors(const model::Skin& skin, std::size_t palette_entry) {
    if (palette_entry >= skin.joints.size())
        fail("", "there is no skin joint {}: the skin has {}", palette_entry, skin.joints.size());
    std::vector<Vec4f> colors(skin.vertex_count(), opaque(heat_color(0)));
    for (std::size_t v = 0; v < colors.size(); ++v)
        for (const model::Influence& influence : skin.of(v))
            if (influence.joint == palette_entry) colors[v] = opaque(heat_color(influence.weight));
    return colors;
}

Vec3f set_color(const model::InfluenceSets& sets, std::size_t set) {
    const model::InfluenceSet& it = sets.sets[set];
    if (it.joint_count > 1) return joint_color(set);
    return 0.35f * joint_color(sets.joints_of(it).front()) + Vec3f::Constant(0.45f);
}

std::vector<Vec4f> set_colors(const model::InfluenceSets& sets) {
    std::vector<Vec4f> colors;
    for (const std::uint32_t set : sets.set_of) colors.push_back(opaque(set_color(sets, set)));
    return colors;
}

ValueRange value_range(std::span<const float> values) {
    ValueRange range{std::numeric_limits<float>::max(), std::numeric_limits<float>::lowest()};
    for (const float value : values) {
        if (!std::isfinite(value)) continue;
        range.low = std::min(range.low, value);
        range.high = std::max(range.high, value);
    }
    return range.low > range.high ? ValueRange{} : range;
}

std::vector<Vec4f> scalar_colors(std::span<const float> values, const ValueRange& range) {
    const float width = range.high - range.low;
    std::vector<Vec4f> colors(values.size(), Vec4f(0.3f, 0.3f, 0.3f, 1));
    for (std::size_t i = 0; i < values.size(); ++i)
        if (std::isfinite(values[i]))
            colors[i] = opaque(heat_color(width > 0 ? (values[i] - range.low) / width : 0.0f));
    return colors;
}

geometry::Mesh with_part_colors(geometry::Mesh mesh) {
    mesh.parts = geometry::parts_of(mesh);
    mesh.materials.clear();
    mesh.images.clear();
    for (geometry::Part& part : mesh.parts) {
        auto known = std::ranges::find(mesh.materials, part.name, &geometry::Material::name);
        if (known == mesh.materials.end()) {
            geometry::Material material;
            material.name = part.name;
            material.base_color.head<3>() = joint_color(mesh.materials.size());
            known = mesh.materials.insert(mesh.materials.end(), std::move(material));
        }
        part.material = static_cast<int>(known - mesh.materials.begin());
    }
    return mesh;
}

}  // namespace sinew::render
