// SPDX-License-Identifier: MIT
// Any bytes are read or refused with an Error; what was read is valid, can be written, and reads again.

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "sinew/base/error.h"
#include "sinew/io/c3d/c3d.h"
#include "sinew/model/trial.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace sinew;
    const Bytes bytes(reinterpret_cast<const std::byte*>(data), size);
    io::Asset asset;
    try {
        asset = io::read_c3d(bytes, "fuzz.c3d", {}, silent());
    } catch (const Error&) {
        return 0;
    }
    const model::Trial& trial = asset.trial;
    model::validate(trial, "fuzz.c3d");
    for (const model::ForcePlatform& platform : trial.platforms) {
        try {
            model::forces(trial, platform);
        } catch (const Error&) {
            continue;  // of a type that is not known, or corners on a line
        }
    }
    if (trial.empty()) return 0;
    io::C3dOptions options;
    options.processor = static_cast<io::C3dProcessor>(size % 3);
    options.integers = size / 3 % 2 == 1;
    std::string written;
    try {
        written = io::encode_c3d(asset, "fuzz.c3d", options, silent());
    } catch (const Error&) {
        return 0;  // numbers that a DEC file cannot hold, or names as long as the format allows
    }
    const model::Trial again = io::read_c3d(as_bytes(written), "again.c3d", {}, silent()).trial;
    if (again.markers.count() != trial.markers.count() || again.outputs.count() != trial.outputs.count() ||
        again.analog.count() != trial.analog.count() || again.frames != trial.frames) {
        std::abort();
    }
    return 0;
}
