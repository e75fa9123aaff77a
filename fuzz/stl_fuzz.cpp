// SPDX-License-Identifier: MIT
// Any bytes as a file: a valid mesh or an Error, and what was read can be written and read again.

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "sinew/base/error.h"
#include "sinew/io/mesh/mesh_formats.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const sinew::Bytes bytes(reinterpret_cast<const std::byte*>(data), size);
    try {
        const sinew::io::Asset asset = sinew::io::read_stl(bytes, "/nowhere/fuzz.stl", {}, sinew::silent());
        sinew::geometry::validate(asset.character.mesh, "fuzz");
        if (asset.character.mesh.triangles.empty()) return 0;
        const std::string content = sinew::io::write_stl(asset, "/nowhere/fuzz.stl", {}, sinew::silent());
        const sinew::io::Asset again =
            sinew::io::read_stl(sinew::as_bytes(content), "/nowhere/fuzz.stl", {}, sinew::silent());
        if (again.character.mesh.triangles.size() != asset.character.mesh.triangles.size()) std::abort();
    } catch (const sinew::Error&) {
    }
    return 0;
}
