// SPDX-License-Identifier: MIT
// Any mesh and any motion of a small figure: a character with a clip that plays, or an Error.

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "support/odd_mesh.h"

#include "sinew/base/error.h"
#include "sinew/pipeline/motion.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace sinew;
    test::Dice dice({data, size});
    pipeline::Motion motion;
    motion.path = "fuzz.bvh";
    constexpr const char* names[] = {"Hips",    "Spine",      "Head",     "LeftUpLeg",
                                     "LeftLeg", "RightUpLeg", "RightLeg", "tail"};
    const int joints = 1 + dice.pick(8);
    model::Clip clip;
    clip.name = "walk";
    const int keys = 1 + dice.pick(6);
    for (int j = 0; j < joints; ++j) {
        model::Joint joint;
        joint.name = names[j];
        joint.parent = j == 0 ? -1 : dice.pick(j);
        joint.rest.translation = dice.point();
        motion.character.skeleton.joints.push_back(joint);
        model::Track track;
        track.joint = j;
        track.rotation.times = model::KeyTimes::even(0, 1.0 / 30, static_cast<std::size_t>(keys));
        for (int k = 0; k < keys; ++k) {
            const math::Vec3d axis = (dice.point() + math::Vec3d(0, 2, 0)).normalized();
            track.rotation.values.push_back(
                math::Quatd(Eigen::AngleAxisd(dice.between(-3, 3), axis)).cast<float>());
        }
        clip.tracks.push_back(std::move(track));
    }
    motion.character.clips.push_back(std::move(clip));
    motion.measured.assign(static_cast<std::size_t>(joints), true);
    model::Character character;
    character.mesh = test::odd_mesh(dice);
    pipeline::AnimateOptions options;
    options.force = dice.pick(2) == 0;
    try {
        const pipeline::AnimateResult made = pipeline::animate(character, motion, options);
        model::validate(made.character, "animated");
        if (made.character.clips.empty()) std::abort();
    } catch (const Error& error) {
        if (error.reason().size() < 10) std::abort();
    }
    return 0;
}
