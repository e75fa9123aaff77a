// SPDX-License-Identifier: MIT
// Any bytes are read or refused with an Error; what was read is valid.

#include <cstddef>
#include <cstdint>

#include "sinew/base/error.h"
#include "sinew/io/rig/rig_formats.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace sinew;
    try {
        const Bytes bytes(reinterpret_cast<const std::byte*>(data), size);
        const io::Asset asset = io::read_rig_json(bytes, "fuzz.json", {}, silent());
        model::validate(asset.character, "fuzz.json");
    } catch (const Error&) {
    }
    return 0;
}
