// SPDX-License-Identifier: MIT
// Any bytes are read or refused with an Error; what was read is valid, can be written, and reads again.

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "sinew/base/error.h"
#include "sinew/io/trial/trial_formats.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace sinew;
    const Bytes bytes(reinterpret_cast<const std::byte*>(data), size);
    io::Asset asset;
    try {
        asset = io::read_gcd(bytes, "fuzz.gcd", {}, silent());
    } catch (const Error&) {
        return 0;
    }
    model::validate(asset.cycle, "fuzz.gcd");
    const std::string text = io::write_gcd(asset, "fuzz.gcd", {}, silent());
    const io::Asset again = io::read_gcd(as_bytes(text), "again.gcd", {}, silent());
    if (again.cycle.variables.size() != asset.cycle.variables.size()) std::abort();
    return 0;
}
