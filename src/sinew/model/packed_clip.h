#pragma once
/// \file
/// Motion to play: evenly sampled, structure of arrays over joints, ready for SIMD.

#include <vector>

#include "sinew/model/clip.h"

namespace sinew::model {

/// Frames of local transforms. A frame is ten rows (translation x y z, rotation x y z w, scale x y z), each
/// of `stride` floats, joint by joint; `stride` is the joint count rounded up to 16 and the padding holds the
/// identity. Consecutive rotations of a joint lie in one hemisphere, so that linear blending needs no sign
/// test.
struct PackedClip {
    static constexpr std::size_t rows = 10;

    std::string name;
    std::size_t joint_count = 0;
    std::size_t stride = 0;
    std::size_t frame_count = 0;
    double start = 0;
    double rate = 30;
    std::vector<float> data;

    double duration() const { return frame_count < 2 ? 0 : static_cast<double>(frame_count - 1) / rate; }
    std::span<const float> frame(std::size_t i) const {
        return {data.data() + i * rows * stride, rows * stride};
    }
};

/// Samples a clip for playing; rate 0 takes the clip's own.
PackedClip pack(const Clip& clip, const Skeleton& skeleton, double rate = 0);
/// Back to keys, all joints, linear.
Clip unpack(const PackedClip& packed);

}  // namespace sinew::model
