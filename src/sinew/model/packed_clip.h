// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Motion for playback: evenly sampled, stored as a structure of arrays over the joints for SIMD.
///
/// \code
/// const model::PackedClip packed = model::pack(clip, skeleton, 30);    // for deform::Player
/// \endcode

#include <vector>

#include "sinew/base/array.h"
#include "sinew/model/clip.h"

namespace sinew::model {

/// Frames of local transforms in a layout for SIMD.
///
/// A *pose* is ten rows (translation x y z, rotation x y z w, scale x y z), each of `stride` floats, joint by
/// joint. `stride` is the joint count rounded up to a multiple of 16; the padding holds the identity. A
/// *line* is 16 joints of one row: 64 bytes. In captured motion all joints rotate but few translate or scale,
/// so a frame stores only the lines that change during the clip (of a rotation always all four); the others
/// are stored once in `still`.
///
/// Rotations are unit quaternions. Consecutive rotations of a joint lie in one hemisphere, so that linear
/// blending needs no sign test.
struct PackedClip {
    static constexpr std::size_t rows = 10;
    static constexpr std::size_t line = 16;

    std::string name;
    std::size_t joint_count = 0;
    std::size_t stride = 0;
    std::size_t frame_count = 0;
    double start = 0;
    double rate = 30;
    bool additive = false;  ///< holds differences to a reference pose (`pack_additive`), not transforms

    AlignedVector<float> still;               ///< pose of the first frame
    std::vector<std::uint32_t> still_lines;   ///< offsets in a pose of the lines that never change
    std::vector<std::uint32_t> moving_lines;  ///< offsets of the changing lines of translations and scales
    std::vector<std::uint32_t> moving_rotations;  ///< offsets of the x lines of changing rotations; y, z and
                                                  ///< w follow at distances of `stride`
    AlignedVector<float> data;                    ///< per frame: the moving lines, then the moving rotations

    double duration() const { return frame_count < 2 ? 0 : static_cast<double>(frame_count - 1) / rate; }
    std::size_t pose_size() const { return rows * stride; }
    /// Number of floats per frame.
    std::size_t frame_size() const { return line * (moving_lines.size() + 4 * moving_rotations.size()); }
    const float* frame(std::size_t i) const { return data.data() + i * frame_size(); }
};

/// The joint count, rounded up to whole lines.
constexpr std::size_t padded_joint_count(std::size_t joint_count) {
    return (joint_count + PackedClip::line - 1) / PackedClip::line * PackedClip::line;
}

/// Writes a transform into column `joint` of a pose.
void store_transform(std::span<float> pose, std::size_t stride, std::size_t joint,
                     const Transform& transform);
/// Reads column `joint` of a pose.
Transform load_transform(std::span<const float> pose, std::size_t stride, std::size_t joint);

/// Samples a clip for playback.
/// \param clip the motion
/// \param skeleton its skeleton
/// \param rate frames per second; 0 uses the clip's own rate
/// \throws Error when the rate or a value is not finite, or the number of frames is unreasonably large
PackedClip pack(const Clip& clip, const Skeleton& skeleton, double rate = 0);
/// The difference between a clip and a reference pose, for layering on other motion. With rotation q of the
/// clip and r of the reference, a frame stores q r^-1, which is applied from the left, in the space of the
/// parent. Translations store the difference, scales the quotient.
/// \throws Error as pack(), and when the reference does not match the skeleton's joints or has a scale of
/// zero
PackedClip pack_additive(const Clip& clip, const Skeleton& skeleton, std::span<const Transform> reference,
                         double rate = 0);
/// Writes the complete pose of a frame, all ten rows, to `pose`.
void expand(const PackedClip& packed, std::size_t frame, std::span<float> pose);
/// Converts back to a clip with linear keys for all joints.
Clip unpack(const PackedClip& packed);

/// \throws Error when sizes are inconsistent, a number is not finite or a rotation is not a unit quaternion
void validate(const PackedClip& packed, std::string_view location);

}  // namespace sinew::model
