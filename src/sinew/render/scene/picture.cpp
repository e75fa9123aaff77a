// SPDX-License-Identifier: MIT
#include <cstdlib>
#include <limits>
#include <memory>

#include "sinew/base/error.h"
#include "sinew/render/renderer.h"

// The implementations are private to this file, so that another copy in the same program causes no conflict.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpragmas"
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wunused-but-set-variable"
#pragma GCC diagnostic ignored "-Wtype-limits"
#define STB_IMAGE_STATIC
#define STB_IMAGE_IMPLEMENTATION
#define STBI_ONLY_PNG
#define STBI_ONLY_JPEG
#define STBI_NO_STDIO
#define STBI_MAX_DIMENSIONS 8192
#define STB_IMAGE_WRITE_STATIC
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STBI_WRITE_NO_STDIO
#include <stb/stb_image.h>
#include <stb/stb_image_write.h>
#pragma GCC diagnostic pop

namespace sinew::render {

void check_size(int width, int height) {
    if (width < 1 || height < 1 || width > Picture::max_side || height > Picture::max_side)
        fail("", "a picture of {} x {} pixels is out of range: sides range from 1 to {}", width, height,
             Picture::max_side);
}

Picture::Picture(int width_, int height_, Pixel fill) : width(width_), height(height_) {
    check_size(width, height);
    pixels.assign(static_cast<std::size_t>(width) * static_cast<std::size_t>(height), fill);
}

std::string encode_png(const Picture& picture) {
    check_size(picture.width, picture.height);
    std::string bytes;
    const auto append = [](void* target, void* data, int size) {
        static_cast<std::string*>(target)->append(static_cast<const char*>(data),
                                                  static_cast<std::size_t>(size));
    };
    if (stbi_write_png_to_func(append, &bytes, picture.width, picture.height, 4, picture.pixels.data(),
                               picture.width * 4) == 0)
        fail("", "cannot encode a picture of {} x {} pixels as PNG", picture.width, picture.height);
    return bytes;
}

void save_png(const std::filesystem::path& path, const Picture& picture) {
    write_file(path, encode_png(picture));
}

Picture decode_picture(Bytes bytes, std::string_view location) {
    if (bytes.size() > static_cast<std::size_t>(std::numeric_limits<int>::max()))
        fail(location, "the picture file is too large");
    const auto* data = reinterpret_cast<const stbi_uc*>(bytes.data());
    const int size = static_cast<int>(bytes.size());
    int width = 0;
    int height = 0;
    int channels = 0;
    // The header first: nothing is allocated for a file that only claims a very large size.
    if (size == 0 || stbi_info_from_memory(data, size, &width, &height, &channels) == 0)
        fail(location, "neither a PNG nor a JPEG picture");
    if (width < 1 || height < 1 || width > Picture::max_side || height > Picture::max_side)
        fail(location, "the picture has {} x {} pixels, sides range from 1 to {}", width, height,
             Picture::max_side);
    const std::unique_ptr<stbi_uc, decltype(&stbi_image_free)> decoded(
        stbi_load_from_memory(data, size, &width, &height, &channels, 4), &stbi_image_free);
    if (decoded == nullptr) fail(location, "broken picture: {}", stbi_failure_reason());
    Picture picture(width, height);
    std::memcpy(picture.pixels.data(), decoded.get(), picture.pixels.size() * sizeof(Pixel));
    return picture;
}

Picture load_picture(const std::filesystem::path& path) {
    return decode_picture(FileView(path).bytes(), path.string());
}

double mean_difference(const Picture& a, const Picture& b) {
    if (a.width != b.width || a.height != b.height)
        fail("", "pictures of {} x {} and {} x {} pixels cannot be compared", a.width, a.height, b.width,
             b.height);
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < a.pixels.size(); ++i)
        for (std::size_t c = 0; c < 4; ++c)
            sum += static_cast<std::uint64_t>(std::abs(int{a.pixels[i][c]} - int{b.pixels[i][c]}));
    return a.pixels.empty() ? 0 : static_cast<double>(sum) / (4.0 * static_cast<double>(a.pixels.size()));
}

}  // namespace sinew::render
