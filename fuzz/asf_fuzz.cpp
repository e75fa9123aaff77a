// SPDX-License-Identifier: MIT
// Any bytes are read or refused with an Error; what was read is valid, can be written, and reads again.

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "sinew/base/error.h"
#include "sinew/io/acclaim/acclaim.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace sinew;
    const Bytes bytes(reinterpret_cast<const std::byte*>(data), size);
    io::Asset asset;
    try {
        asset = io::read_asf(bytes, "fuzz.asf", {}, silent());
    } catch (const Error&) {
        return 0;
    }
    model::validate(asset.character, "fuzz.asf");
    if (asset.character.skeleton.size() > 200) return 0;
    const std::string text = io::write_asf(asset, "fuzz.asf", {}, silent());
    const io::Asset again = io::read_asf(as_bytes(text), "again.asf", {}, silent());
    if (again.character.skeleton.size() < asset.character.skeleton.size()) std::abort();
    return 0;
}
