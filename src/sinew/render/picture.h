#pragma once
/// \file
/// A picture in memory, PNG out, PNG and JPEG in.

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/base/file.h"

namespace sinew::render {

using Pixel = std::array<std::uint8_t, 4>;  ///< red, green, blue, alpha; sRGB, alpha not multiplied in

/// Rows from the top, no padding.
struct Picture {
    int width = 0;
    int height = 0;
    std::vector<Pixel> pixels;

    Picture() = default;
    /// \throws Error when a side is not within 1 .. max_side.
    Picture(int width, int height, Pixel fill = {0, 0, 0, 0});

    static constexpr int max_side = 8192;
    bool empty() const { return pixels.empty(); }
    Pixel& at(int x, int y) { return pixels[index(x, y)]; }
    const Pixel& at(int x, int y) const { return pixels[index(x, y)]; }
    bool operator==(const Picture&) const = default;

  private:
    std::size_t index(int x, int y) const {
        return static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x);
    }
};

/// \throws Error when a side is not within 1 .. Picture::max_side.
void check_size(int width, int height);

/// PNG bytes; the same picture gives the same bytes. \throws Error on an empty picture.
std::string encode_png(const Picture& picture);
/// Writes whole or not at all.
void save_png(const std::filesystem::path& path, const Picture& picture);

/// Decodes PNG or JPEG. `place` names the picture in errors.
/// \throws Error when it is neither, is broken, or has a side above Picture::max_side.
Picture decode_picture(Bytes bytes, std::string_view place);
Picture load_picture(const std::filesystem::path& path);

/// Mean absolute difference of all channels, in steps of 1/255. \throws Error when the sizes differ.
double mean_difference(const Picture& a, const Picture& b);

}  // namespace sinew::render
