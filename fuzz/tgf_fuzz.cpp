// SPDX-License-Identifier: MIT
// Any bytes are read or refused with an Error; what was read is valid, and can be written and read again.

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "sinew/base/error.h"
#include "sinew/io/rig/rig_formats.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace sinew;
    const Bytes bytes(reinterpret_cast<const std::byte*>(data), size);
    io::Asset asset;
    try {
        asset = io::read_tgf(bytes, "fuzz.tgf", {}, silent());
    } catch (const Error&) {
        return 0;
    }
    model::validate(asset.character, "fuzz.tgf");
    const std::string once = io::write_tgf(asset, "fuzz.tgf", {}, silent());
    const io::Asset again = io::read_tgf(as_bytes(once), "again.tgf", {}, silent());
    // Tips of leaves become points.
    if (again.character.skeleton.size() < asset.character.skeleton.size()) std::abort();
    return 0;
}
