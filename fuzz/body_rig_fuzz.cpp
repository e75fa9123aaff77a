// SPDX-License-Identifier: MIT
// Any mesh: a valid rig, or an Error that says why there is none.

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "support/odd_mesh.h"

#include "sinew/base/error.h"
#include "sinew/pipeline/rig.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace sinew;
    test::Dice dice({data, size});
    pipeline::RigOptions options;
    constexpr rig::SkeletonMethod methods[] = {rig::SkeletonMethod::automatic, rig::SkeletonMethod::automatic,
                                               rig::SkeletonMethod::silhouette,
                                               rig::SkeletonMethod::contraction, rig::SkeletonMethod::voxel};
    options.skeleton.method = methods[dice.pick(5)];
    model::Character character;
    character.mesh = test::odd_mesh(dice);
    try {
        const pipeline::RigResult made = pipeline::rig_character(character, options);
        model::validate(made.character, "rigged");
        if (made.character.skin.vertex_count() != character.mesh.vertex_count()) std::abort();
    } catch (const Error& error) {
        if (error.reason().size() < 10) std::abort();
    }
    return 0;
}
