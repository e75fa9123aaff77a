#include "sinew/model/packed_clip.h"

#include <cmath>

#include "sinew/base/parallel.h"

namespace sinew::model {
namespace {

/// Value of row r (translation, rotation xyzw, scale) of a transform.
void store(std::span<float> frame, std::size_t stride, std::size_t joint, const Transform& t) {
    for (std::size_t i = 0; i < 3; ++i) {
        const auto axis = static_cast<Eigen::Index>(i);
        frame[i * stride + joint] = static_cast<float>(t.translation[axis]);
        frame[(7 + i) * stride + joint] = static_cast<float>(t.scale[axis]);
    }
    for (std::size_t i = 0; i < 4; ++i) {
        frame[(3 + i) * stride + joint] =
            static_cast<float>(t.rotation.coeffs()[static_cast<Eigen::Index>(i)]);
    }
}

/// Flips the rotations of a joint where they leave the hemisphere of the frame before.
void align_rotations(PackedClip& packed, std::size_t joint) {
    const auto at = [&](std::size_t frame, std::size_t row) -> float& {
        return packed.data[(frame * PackedClip::rows + row) * packed.stride + joint];
    };
    for (std::size_t f = 1; f < packed.frame_count; ++f) {
        float dot = 0;
        for (std::size_t row = 3; row < 7; ++row) dot += at(f, row) * at(f - 1, row);
        if (dot >= 0) continue;
        for (std::size_t row = 3; row < 7; ++row) at(f, row) = -at(f, row);
    }
}

}  // namespace

PackedClip pack(const Clip& clip, const Skeleton& skeleton, double rate) {
    PackedClip packed;
    const TimeRange range = time_range(clip);
    packed.name = clip.name;
    packed.start = range.start;
    packed.rate = rate > 0 ? rate : frame_rate(clip);
    packed.joint_count = skeleton.size();
    packed.stride = (skeleton.size() + 15) / 16 * 16;
    packed.frame_count = sample_count(range, packed.rate);
    const std::size_t size = PackedClip::rows * packed.stride;
    packed.data.resize(size * packed.frame_count);
    parallel_for(packed.frame_count, 16, [&](std::size_t f) {
        const std::span<float> frame(packed.data.data() + f * size, size);
        const std::vector<Transform> local =
            sample(clip, skeleton, packed.start + static_cast<double>(f) / packed.rate);
        for (std::size_t j = 0; j < local.size(); ++j) store(frame, packed.stride, j, local[j]);
        for (std::size_t j = local.size(); j < packed.stride; ++j) store(frame, packed.stride, j, {});
    });
    parallel_for(packed.joint_count, 8, [&](std::size_t joint) { align_rotations(packed, joint); });
    return packed;
}

Clip unpack(const PackedClip& packed) {
    Clip clip;
    clip.name = packed.name;
    const KeyTimes times = KeyTimes::even(packed.start, 1 / packed.rate, packed.frame_count);
    for (std::size_t j = 0; j < packed.joint_count; ++j) {
        Track track;
        track.joint = static_cast<int>(j);
        track.translation.times = track.rotation.times = track.scale.times = times;
        for (std::size_t f = 0; f < packed.frame_count; ++f) {
            const std::span<const float> frame = packed.frame(f);
            const auto value = [&](std::size_t row) { return frame[row * packed.stride + j]; };
            track.translation.values.emplace_back(value(0), value(1), value(2));
            track.rotation.values.emplace_back(value(6), value(3), value(4), value(5));
            track.scale.values.emplace_back(value(7), value(8), value(9));
        }
        clip.tracks.push_back(std::move(track));
    }
    return clip;
}

}  // namespace sinew::model
