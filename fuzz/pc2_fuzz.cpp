// SPDX-License-Identifier: MIT
// Any bytes as a file: frames of one size or an Error, and what was read can be written and read again.

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "sinew/base/error.h"
#include "sinew/io/sequence/sequence.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const sinew::Bytes bytes(reinterpret_cast<const std::byte*>(data), size);
    try {
        sinew::io::PointCache cache =
            sinew::io::read_point_cache(bytes, "/nowhere/fuzz.pc2", sinew::silent());
        sinew::io::Asset asset;
        asset.sequence.rest.positions.resize(cache.points);
        asset.sequence.frames = cache.frames;
        asset.sequence.rate = cache.rate;
        const std::string content = sinew::io::write_pc2(asset, "/nowhere/fuzz.pc2", {}, sinew::silent());
        const sinew::io::PointCache again =
            sinew::io::read_point_cache(sinew::as_bytes(content), "/nowhere/fuzz.pc2", sinew::silent());
        if (again.frames != cache.frames) std::abort();
    } catch (const sinew::Error&) {
    }
    return 0;
}
