// SPDX-License-Identifier: MIT
// Any bytes are read or refused with an Error; what was read is valid, and writing it loses nothing.

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
        asset = io::read_skel(bytes, "fuzz.skel", {}, silent());
    } catch (const Error&) {
        return 0;
    }
    model::validate(asset.character, "fuzz.skel");
    const std::string once = io::write_skel(asset, "fuzz.skel", {}, silent());
    const io::Asset again = io::read_skel(as_bytes(once), "again.skel", {}, silent());
    if (again.character.skeleton.size() != asset.character.skeleton.size()) std::abort();
    if (io::write_skel(again, "again.skel", {}, silent()) != once) std::abort();
    return 0;
}
