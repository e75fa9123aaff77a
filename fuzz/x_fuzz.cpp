// SPDX-License-Identifier: MIT
// Any bytes are read or refused with an Error; what was read is valid.

#include <cstddef>
#include <cstdint>

#include "sinew/base/error.h"
#include "sinew/io/scene/scene_formats.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace sinew;
    const Bytes bytes(reinterpret_cast<const std::byte*>(data), size);
    // Binary files would start the importer, which is another program.
    const std::string_view text = as_text(bytes);
    if (size > 12 && text.substr(0, 16).find("txt") == std::string_view::npos) return 0;
    try {
        const io::Asset asset = io::read_x(bytes, "fuzz.x", {}, silent());
        model::validate(asset.character, "fuzz.x");
    } catch (const Error&) {
    }
    return 0;
}
