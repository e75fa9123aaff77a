// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Motion to play: evenly sampled, structure of arrays over joints, ready for SIMD.
///
/// \code
/// const model::PackedClip packed = model::pack(clip, skeleton, 30);    // for deform::Player
/// \endcode

#include <vector>

#include "sinew/base/array.h"
#include "sinew/model/clip.h"

namespace sinew::model {

/// Frames of local transforms.
///
/// A *pose* is ten rows (translation x y z, rotation x y z w, scale x y z), each of `stride` floats, joint by
/// joint; `stride` is the joint count rounded up to 16 and the padding holds the identity. A *line* is 16
/// joints of one row: 64 bytes. Captured motion rotates its joints but moves and scales few of them, so a
/// frame keeps only the lines that change during the clip (a rotation always all four of its lines); the
/// others are stored once in `still`.
///
/// Rotations are unit, and consecutive rotations of a joint lie in one hemisphere, so that linear blending
/// needs no sign test.
struct PackedClip {
    static constexpr std::size_t rows = 10;
    static constexpr std::size_t line = 16;

    std::string name;
    std::size_t joint_count = 0;
    std::size_t stride = 0;
    std::size_t frame_count = 0;
    double start = 0;
    double rate = 30;
    bool additive = false;  ///< differences to a pose (`pack_additive`), not transforms

    AlignedVector<float> still;                   ///< the pose of the first frame
    std::vector<std::uint32_t> still_lines;       ///< where in a pose the lines begin that never change
    std::vector<std::uint32_t> moving_lines;      ///< the same for translations and scales that do
    std::vector<std::uint32_t> moving_rotations;  ///< the same for rotations: the line of x; y z w follow a
                                                  ///< stride apart
    AlignedVector<float> data;                    ///< frames: the moving lines, then the moving rotations

    double duration() const { return frame_count < 2 ? 0 : static_cast<double>(frame_count - 1) / rate; }
    std::size_t pose_size() const { return rows * stride; }
    /// Floats in a frame.
    std::size_t frame_size() const { return line * (moving_lines.size() + 4 * moving_rotations.size()); }
    const float* frame(std::size_t i) const { return data.data() + i * frame_size(); }
};

/// A joint count rounded up to whole lines.
constexpr std::size_t padded_joint_count(std::size_t joint_count) {
    return (joint_count + PackedClip::line - 1) / PackedClip::line * PackedClip::line;
}

/// Writes a transform into column `joint` of a pose.
void store_transform(std::span<float> pose, std::size_t stride, std::size_t joint,
                     const Transform& transform);
/// Reads column `joint` of a pose.
Transform load_transform(std::span<const float> pose, std::size_t stride, std::size_t joint);

/// Samples a clip for playing; rate 0 takes the clip's own.
/// \throws Error when the rate or a value is not finite, or the frames would be absurdly many.
PackedClip pack(const Clip& clip, const Skeleton& skeleton, double rate = 0);
/// How a clip differs from a pose, to be laid over other motion: with q the rotation of the clip and r that
/// of the reference, the frames hold q r^-1, so that the difference is applied from the left, in the space of
/// the parent; translations hold the difference, scales the quotient.
/// \throws Error also when the reference has not the skeleton's joints or a scale of zero.
PackedClip pack_additive(const Clip& clip, const Skeleton& skeleton, std::span<const Transform> reference,
                         double rate = 0);
/// The whole pose of a frame, ten rows.
void expand(const PackedClip& packed, std::size_t frame, std::span<float> pose);
/// Back to keys, all joints, linear.
Clip unpack(const PackedClip& packed);

/// \throws Error when sizes do not fit each other, a number is not finite or a rotation not unit.
void validate(const PackedClip& packed, std::string_view location);

}  // namespace sinew::model
