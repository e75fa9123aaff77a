#pragma once
/// \file
/// Palettes of a clip as the graphics card reads them: texels of four floats, frame after frame.

#include <span>
#include <vector>

#include "sinew/deform/blend.h"
#include "sinew/math/types.h"

namespace sinew::render {

/// What an entry of a palette on the card is.
enum class GpuEntry {
    matrix,    ///< per joint: three rows of a matrix
    dual,      ///< per place in an influence set: a dual quaternion
    centered,  ///< per place in an influence set: a quaternion and the moved centre; then the centres of the
               ///< sets
};

/// The entry of a method. \throws Error when the method has no shader.
GpuEntry gpu_entry(deform::Method method);

/// Texels of an entry; those with a stretch have three more.
constexpr std::size_t entry_texels(GpuEntry entry, bool stretch) {
    return (entry == GpuEntry::matrix ? 3 : 2) + (stretch ? 3 : 0);
}

/// Frames of equal size. A frame has `entries` entries, then one texel for each centre.
///
/// Dual quaternions and quaternions stand once for every place in every influence set, not once for every
/// joint: a joint may need either sign, depending on the set, and this way the card blends the very numbers
/// that the CPU blends, in every pose. A character has some three entries a set and 50 to 300 sets: 5 to 29
/// KB a frame, where signless quaternions of 60 joints would take 2 KB. Matrices have no sign and stand once
/// for every joint: 48 bytes each.
struct GpuPalettes {
    GpuEntry entry = GpuEntry::matrix;
    bool stretch =
        false;  ///< some entry has scale or shear: all carry three more texels, the stretch before the motion
    std::size_t frames = 0;
    std::size_t entries = 0;
    std::size_t centers = 0;
    std::vector<math::Vec4f> texels;

    /// Where in a frame the centres begin.
    std::size_t center_texel() const { return entries * entry_texels(entry, stretch); }
    std::size_t frame_texels() const { return center_texel() + centers; }
};

/// Signs, centres and stretches by the functions that the CPU uses. `palettes` holds whole frames of
/// `layout.palette_size` matrices, one after the other.
/// \throws Error when it does not, a number is not finite, or the method has no shader.
GpuPalettes make_gpu_palettes(const deform::SkinLayout& layout, deform::FrameData& frame,
                              std::span<const deform::Mat34f> palettes, deform::Method method);

}  // namespace sinew::render
