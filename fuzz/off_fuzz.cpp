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
        const sinew::io::Asset asset = sinew::io::read_off(bytes, "/nowhere/fuzz.off", {}, sinew::silent());
        sinew::geometry::validate(asset.character.mesh, "fuzz");
        const std::string content = sinew::io::write_off(asset, "/nowhere/fuzz.off", {}, sinew::silent());
        const sinew::io::Asset again =
            sinew::io::read_off(sinew::as_bytes(content), "/nowhere/fuzz.off", {}, sinew::silent());
        if (again.character.mesh.positions != asset.character.mesh.positions) std::abort();
        if (again.character.mesh.triangles != asset.character.mesh.triangles) std::abort();
    } catch (const sinew::Error&) {
    }
    return 0;
}
