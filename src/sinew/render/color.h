#pragma once
/// \file
/// Colours for data: one per joint, weights, scalars. All are linear light unless the name says sRGB.

#include <cstdint>
#include <span>
#include <vector>

#include "sinew/math/types.h"
#include "sinew/model/skin.h"

namespace sinew::render {

using math::Vec3f;
using math::Vec4f;

/// The transfer curve of sRGB (IEC 61966-2-1), one channel in 0 .. 1.
float srgb_from_linear(float linear);
float linear_from_srgb(float encoded);
/// Linear light from a colour written as in HTML: 0xRRGGBB.
Vec3f color_from_hex(std::uint32_t rgb);

/// With alpha 1.
inline Vec4f opaque(const Vec3f& color) {
    return {color.x(), color.y(), color.z(), 1.0f};
}

/// Linear light from OKLab's cylinder (Ottosson 2020): lightness 0 .. 1, chroma, hue in turns; out-of-range
/// channels are clamped.
Vec3f color_from_oklch(float lightness, float chroma, float hue);

/// A colour for joint i. Hues step by the golden ratio, so that neighbours in the list are 138 degrees apart,
/// and lightness alternates, so that hues that come close again still differ.
Vec3f joint_color(std::size_t joint);

/// `value` 0 .. 1 from cold to hot (blue, cyan, green, yellow, red), even in perceived steps.
Vec3f heat_color(float value);

/// Each vertex in the colours of its joints, blended by weight.
std::vector<Vec4f> weight_colors(const model::Skin& skin);
/// Weight of one palette entry as heat. \throws Error when there is no such entry.
std::vector<Vec4f> joint_weight_colors(const model::Skin& skin, std::size_t palette_entry);

/// Range of the finite values; 0 .. 1 when there are none.
struct ValueRange {
    float low = 0;
    float high = 1;
};
ValueRange value_range(std::span<const float> values);
/// Scalars as heat, `low` coldest; values outside are clamped, values that are not finite are grey.
std::vector<Vec4f> scalar_colors(std::span<const float> values, const ValueRange& range);

}  // namespace sinew::render
