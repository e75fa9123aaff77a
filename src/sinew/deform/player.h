// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Player: evaluates packed clips to a palette, once per frame and without allocation.
///
/// \code
/// Player player(character.skeleton, character.skin.joints);
/// const model::PackedClip walk = model::pack(character.clips[0], character.skeleton);
/// player.play(walk, seconds, Playback::loop);
/// skin(player.palette());
/// \endcode

#include <memory>
#include <span>

#include "sinew/deform/blend.h"
#include "sinew/model/packed_clip.h"

namespace sinew::deform {

class Hierarchy;

/// Local transforms of all joints in the layout of `model::PackedClip`: ten rows (translation x y z, rotation
/// x y z w, scale x y z) of `stride` floats, a structure of arrays over joints. Rows are aligned to cache
/// lines; padding holds the identity; rotations are unit quaternions. It is created once; playback writes
/// into it without allocation.
struct LocalPose {
    std::size_t joint_count = 0;
    std::size_t stride = 0;
    AlignedVector<float> data;

    LocalPose() = default;
    /// \param joints number of joints; all get the identity
    explicit LocalPose(std::size_t joints);
    /// \param transforms one per joint
    explicit LocalPose(std::span<const math::Transform> transforms);

    math::Transform operator[](std::size_t joint) const { return model::load_transform(data, stride, joint); }
    void set(std::size_t joint, const math::Transform& transform) {
        model::store_transform(data, stride, joint, transform);
    }
};

/// \param skeleton any skeleton
/// \return its rest pose
LocalPose rest_pose(const model::Skeleton& skeleton);

/// Weight of a layer per joint, 0 to 1. Validated once, at construction.
class JointMask {
  public:
    /// \param weights one per joint, 0 to 1
    /// \throws Error when a weight is not between 0 and 1
    explicit JointMask(std::span<const float> weights);
    /// \param skeleton any skeleton
    /// \param joint index of a joint
    /// \return 1 for the joint and its descendants, 0 elsewhere
    /// \throws Error when the skeleton has no such joint
    static JointMask below(const model::Skeleton& skeleton, std::size_t joint);

    std::size_t joint_count() const { return joint_count_; }
    /// \return the weights, padded with 0 to whole lines
    const float* data() const { return weights_.data(); }

  private:
    std::size_t joint_count_ = 0;
    AlignedVector<float> weights_;
};

/// Behaviour beyond the ends of a clip.
enum class Playback : std::uint8_t {
    clamp,  ///< holds the first or last frame
    loop,   ///< repeats the clip; its last frame coincides with the first frame of the next cycle
};

/// Samples a packed clip between its two nearest frames: translations and scales linearly, rotations by
/// normalised linear interpolation. Results are deterministic and independent of earlier calls; nothing is
/// allocated.
/// \param clip a packed clip
/// \param time seconds
/// \param playback behaviour beyond the ends
/// \param[out] pose with the same number of joints
/// \throws Error when the joint counts differ, the clip has no frames or the time is not finite
void sample(const model::PackedClip& clip, double time, Playback playback, LocalPose& pose);

/// How a layer is combined with the pose.
enum class LayerMode : std::uint8_t {
    blend,  ///< averaged by weight with the other `blend` layers; the result is the base pose
    over,   ///< replaces the pose below it, by weight
    add,    ///< adds a difference (`model::pack_additive`), scaled by the weight, which may be negative or
            ///< above 1
};

/// A clip at a time, with its weight. `blend` layers are averaged first; `over` and `add` layers follow in
/// their order.
struct Layer {
    const model::PackedClip* clip = nullptr;
    double time = 0;
    Playback playback = Playback::clamp;
    float weight = 1;
    LayerMode mode = LayerMode::blend;
    const JointMask* mask = nullptr;  ///< null applies to all joints
};

/// If the sum of a joint's blend weights is smaller than this, the rest pose fills up the difference, so that
/// a blend that fades out ends in the rest pose without a division by zero.
inline constexpr float min_blend_weight = 0.1f;

/// Playback of one character; holds its poses and matrices between frames.
class Player {
  public:
    /// \param skeleton the skeleton to move
    /// \param skin_joints joints and bind matrices for the palette; may be empty
    /// \throws Error when a parent does not come first, a skin joint refers to a missing joint, or the rest
    /// pose or a bind matrix is not finite
    Player(const model::Skeleton& skeleton, std::span<const model::SkinJoint> skin_joints);

    /// Sets the pose to a clip at a time.
    /// \param clip packed, not additive
    /// \param time seconds
    /// \param playback behaviour beyond the ends
    /// \throws Error when the clip is additive or has another joint count, or the time is not finite. After
    /// an error the palette is that of the last successful frame, or contains what the invalid numbers gave
    void play(const model::PackedClip& clip, double time, Playback playback = Playback::clamp);
    /// Sets the pose to a blend of layers. A joint without weight is at rest, see `min_blend_weight`.
    /// \param layers in the order of application
    /// \throws Error as above; also when a weight is not finite, a weight of a `blend` or `over` layer is
    /// negative, that of an `over` layer is above 1, a mask has another joint count, or a clip is of the
    /// wrong kind
    void play(std::span<const Layer> layers);
    /// Sets the pose directly.
    /// \param pose with the joint count of the skeleton
    /// \throws Error when it has another joint count or is not finite
    void play(const LocalPose& pose);

    const LocalPose& local() const { return local_; }
    /// \return world matrix of every joint
    std::span<const Mat34f> world() const { return world_; }
    /// \return matrices from rest to posed, one per joint of the skin
    std::span<const Mat34f> palette() const { return palette_; }
    /// \param[out] out receives a copy of the palette
    /// \throws Error when it is too short
    void write_palette(std::span<Mat34f> out) const;

  private:
    void check(const Layer& layer) const;
    void average(std::span<const Layer> layers);

    std::shared_ptr<const Hierarchy> hierarchy_;
    LocalPose rest_;
    LocalPose local_;
    LocalPose sampled_;
    AlignedVector<float> sum_;
    AlignedVector<Mat34f> world_;
    AlignedVector<Mat34f> palette_;
};

}  // namespace sinew::deform
