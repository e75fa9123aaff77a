// SPDX-License-Identifier: MIT
// Any bytes are read or refused with an Error; what was read is valid, can be written, and reads again.

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "sinew/base/error.h"
#include "sinew/io/bvh/bvh.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace sinew;
    const Bytes bytes(reinterpret_cast<const std::byte*>(data), size);
    io::Asset asset;
    try {
        io::ReadOptions options;
        options.convention = static_cast<io::PositionConvention>(size % 3);
        asset = io::read_bvh(bytes, "fuzz.bvh", options, silent());
    } catch (const Error&) {
        return 0;
    }
    model::validate(asset.character, "fuzz.bvh");
    if (!asset.character.has_skeleton() || asset.character.skeleton.size() > 200) return 0;
    const std::string text = [&] {
        try {
            return io::write_bvh(asset, "fuzz.bvh", {}, silent());
        } catch (const Error&) {
            return std::string();  // nested as deep as a file may be: no room for a level more
        }
    }();
    if (text.empty()) return 0;
    const io::Asset again = io::read_bvh(as_bytes(text), "again.bvh", {}, silent());
    if (again.character.skeleton.size() != asset.character.skeleton.size()) std::abort();
    return 0;
}
