// SPDX-License-Identifier: MIT
// Any bytes are read or refused with an Error; what was read is valid, writing it loses nothing, and it makes
// a clip or is refused.

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "sinew/base/error.h"
#include "sinew/io/rig/rig_formats.h"
#include "sinew/model/channels.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace sinew;
    const Bytes bytes(reinterpret_cast<const std::byte*>(data), size);
    io::Asset asset;
    io::ReadOptions options;
    options.legacy_tangents = size % 2 == 1;
    try {
        asset = io::read_clip(bytes, "fuzz.clip", options, silent());
    } catch (const Error&) {
        return 0;
    }
    model::validate(asset.channels, "fuzz.clip");
    if (!asset.channels.empty()) {
        const std::string text = io::write_clip(asset, "fuzz.clip", {}, silent());
        if (!(io::read_clip(as_bytes(text), "fuzz.clip", {}, silent()).channels == asset.channels))
            std::abort();
    }
    const model::Skeleton skeleton{{{"a", -1, {}}, {"b", 0, {}}}};
    model::ChannelOptions limits;
    limits.rotation_tolerance = 1e-2;
    limits.translation_tolerance = 1e-2;
    try {
        model::validate(model::clip_of(asset.channels, skeleton, limits).clip, 2, 0, "fuzz.clip");
    } catch (const Error&) {
    }
    return 0;
}
