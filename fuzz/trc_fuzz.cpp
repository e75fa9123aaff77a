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
        asset = io::read_trc(bytes, "fuzz.trc", {}, silent());
    } catch (const Error&) {
        return 0;
    }
    model::validate(asset.trial, "fuzz.trc");
    const std::string text = io::write_trc(asset, "fuzz.trc", {}, silent());
    const io::Asset again = io::read_trc(as_bytes(text), "again.trc", {}, silent());
    if (again.trial.markers.count() != asset.trial.markers.count()) std::abort();
    return 0;
}
