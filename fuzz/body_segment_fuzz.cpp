// SPDX-License-Identifier: MIT
// Any mesh: every triangle belongs to a part that has a name, or an Error.

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "support/odd_mesh.h"

#include "sinew/base/error.h"
#include "sinew/rig/segment.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace sinew;
    test::Dice dice({data, size});
    rig::SegmentationOptions options;
    if (dice.pick(2) == 0) options.method = rig::SegmentMethod::diameter;
    options.across_shells = dice.pick(2) == 0;
    const geometry::Mesh mesh = test::odd_mesh(dice);
    try {
        const rig::Segmentation parts = rig::segment(mesh, options);
        if (parts.part_of.size() != mesh.triangles.size()) std::abort();
        for (const int part : parts.part_of)
            if (part < 0 || static_cast<std::size_t>(part) >= parts.part_count()) std::abort();
    } catch (const Error& error) {
        if (error.reason().size() < 10) std::abort();
    }
    return 0;
}
