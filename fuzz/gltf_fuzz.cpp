// SPDX-License-Identifier: MIT
// Any bytes either read as glTF or are an Error; what was read can be written, and what was written can be
// read.

#include <cstdint>
#include <cstdlib>

#include "sinew/base/error.h"
#include "sinew/io/gltf/gltf.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace sinew;
    const Bytes bytes{reinterpret_cast<const std::byte*>(data), size};
    io::Asset asset;
    std::string written;
    try {
        asset = io::read_gltf(bytes, "fuzz.glb", {}, silent());
        written = io::write_gltf(asset, "fuzz.glb", {}, silent());
    } catch (const Error&) {
        return 0;
    }
    // Points alone are written but not read.
    if (asset.character.mesh.triangles.empty() && !asset.character.has_skeleton()) return 0;
    try {
        io::read_gltf(as_bytes(written), "fuzz.glb", {}, silent());
    } catch (const Error&) {
        std::abort();
    }
    return 0;
}
