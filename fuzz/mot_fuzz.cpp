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
        asset = io::read_mot(bytes, "fuzz.mot", {}, silent());
    } catch (const Error&) {
        return 0;
    }
    model::validate(asset.trial, "fuzz.mot");
    const std::string text = io::write_mot(asset, "fuzz.mot", {}, silent());
    const io::Asset again = io::read_mot(as_bytes(text), "again.mot", {}, silent());
    if (again.trial.analog.count() != asset.trial.analog.count()) std::abort();
    return 0;
}
