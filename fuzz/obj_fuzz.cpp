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
        const sinew::io::Asset asset = sinew::io::read_obj(bytes, "/nowhere/fuzz.obj", {}, sinew::silent());
        sinew::geometry::validate(asset.character.mesh, "fuzz");
        sinew::io::Asset bare = asset;
        bare.character.mesh.materials.clear();  // they would be written to the disk
        for (auto& part : bare.character.mesh.parts) part.material = -1;
        const std::string text = sinew::io::write_obj(bare, "/nowhere/fuzz.obj", {}, sinew::silent());
        const sinew::io::Asset again =
            sinew::io::read_obj(sinew::as_bytes(text), "/nowhere/fuzz.obj", {}, sinew::silent());
        if (again.character.mesh.positions != asset.character.mesh.positions) std::abort();
        if (again.character.mesh.triangles != asset.character.mesh.triangles) std::abort();
    } catch (const sinew::Error&) {
    }
    return 0;
}
