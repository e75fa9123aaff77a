// SPDX-License-Identifier: MIT
#include "support/motion.h"

#include "sinew/math/transform.h"

namespace sinew::test {

using math::Quatd;
using math::Vec3d;

model::Skeleton random_skeleton(Random& random, std::size_t joints) {
    model::Skeleton skeleton;
    for (std::size_t j = 0; j < joints; ++j) {
        // Mostly short ways up, as in real files; sometimes a new root.
        const int above = static_cast<int>(j) - 1 - random.integer(0, 3);
        const int parent = random.uniform() < 0.02 ? -1 : std::max(j > 0 ? 0 : -1, above);
        math::Transform rest;
        rest.translation = random.vector(0.3);
        rest.rotation = random.rotation();
        rest.scale = Vec3d::Ones() + random.vector(0.05);
        skeleton.joints.push_back({"joint " + std::to_string(j), parent, rest, {}});
    }
    return skeleton;
}

model::Clip random_clip(Random& random, const model::Skeleton& skeleton, const RandomClip& options) {
    model::Clip clip;
    clip.name = "random";
    const auto times = model::KeyTimes::even(options.start, 1 / options.rate, options.frames);
    for (std::size_t j = 0; j < skeleton.size(); ++j) {
        model::Track track;
        track.joint = static_cast<int>(j);
        track.rotation.times = times;
        Quatd q = random.rotation();
        for (std::size_t f = 0; f < options.frames; ++f) {
            track.rotation.values.push_back(q.cast<float>());
            q = (random.rotation(options.turn) * q).normalized();
        }
        if (options.everything || j == 0) {
            track.translation.times = times;
            Vec3d at = random.vector(0.3);
            for (std::size_t f = 0; f < options.frames; ++f, at += random.vector(0.02))
                track.translation.values.push_back(at.cast<float>());
        }
        if (options.everything) {
            track.scale.times = times;
            for (std::size_t f = 0; f < options.frames; ++f)
                track.scale.values.push_back((Vec3d::Ones() + random.vector(0.1)).cast<float>());
        }
        clip.tracks.push_back(std::move(track));
    }
    return clip;
}

std::vector<model::SkinJoint> random_skin_joints(Random& random, const model::Skeleton& skeleton) {
    std::vector<model::SkinJoint> joints;
    for (std::size_t j = 0; j < skeleton.size(); ++j) {
        for (int copies = random.integer(0, 2); copies > 0; --copies) {
            const math::Mat4d bind =
                math::Transform{random.vector(0.5), random.rotation(), Vec3d::Ones()}.matrix();
            joints.push_back({static_cast<int>(j), bind});
        }
    }
    for (std::size_t i = joints.size(); i > 1; --i)
        std::swap(joints[i - 1],
                  joints[static_cast<std::size_t>(random.integer(0, static_cast<int>(i) - 1))]);
    return joints;
}

}  // namespace sinew::test
