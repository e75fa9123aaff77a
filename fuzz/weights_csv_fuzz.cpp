// SPDX-License-Identifier: MIT
// Any bytes are read as weights of a small character or refused with an Error; what was read is valid.

#include <cstddef>
#include <cstdint>

#include "sinew/base/error.h"
#include "sinew/io/interchange.h"
#include "sinew/io/rig/rig_formats.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace sinew;
    model::Character character;
    for (const char* name : {"hips", "knee", "foot"}) {
        model::Joint joint;
        joint.name = name;
        joint.parent = static_cast<int>(character.skeleton.joints.size()) - 1;
        character.skeleton.joints.push_back(joint);
    }
    character.mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    character.mesh.triangles = {{0, 1, 2}, {0, 2, 3}};
    try {
        const Bytes bytes(reinterpret_cast<const std::byte*>(data), size);
        character.skin = io::read_weights_csv(bytes, "fuzz.csv", character.skeleton, 4);
        model::validate(character, "fuzz.csv");
    } catch (const Error&) {
    }
    return 0;
}
