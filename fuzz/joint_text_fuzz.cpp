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
    io::ReadOptions options;
    options.joints = size % 4;
    try {
        asset = io::read_joint_text(bytes, "fuzz.txt", options, silent());
    } catch (const Error&) {
        return 0;
    }
    model::validate(asset.trial, "fuzz.txt");
    const std::string text = io::write_joint_text(asset, "fuzz.txt", {}, silent());
    const io::Asset again = io::read_joint_text(as_bytes(text), "again.txt", options, silent());
    if (again.trial.frames != asset.trial.frames) std::abort();
    return 0;
}
