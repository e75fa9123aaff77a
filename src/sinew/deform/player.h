// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Plays motion: packed clips in, a palette out, once a frame and without allocating.
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
/// x y z w, scale x y z) of `stride` floats, structure of arrays over joints, every row on a cache line,
/// identity in the padding. Rotations are unit. Made once; playing writes into it and allocates nothing.
struct LocalPose {
    std::size_t joint_count = 0;
    std::size_t stride = 0;
    AlignedVector<float> data;

    LocalPose() = default;
    /// \param joints how many, each with the identity
    explicit LocalPose(std::size_t joints);
    /// \param transforms one for each joint
    explicit LocalPose(std::span<const math::Transform> transforms);

    math::Transform operator[](std::size_t joint) const { return model::load_transform(data, stride, joint); }
    void set(std::size_t joint, const math::Transform& transform) {
        model::store_transform(data, stride, joint, transform);
    }
};

/// \param skeleton any
/// \return its rest pose
LocalPose rest_pose(const model::Skeleton& skeleton);

/// How much of a layer each joint takes, from 0 to 1. Checked once, when it is made.
class JointMask {
  public:
    /// \param weights one for each joint
    /// \throws Error when a weight is not between 0 and 1
    explicit JointMask(std::span<const float> weights);
    /// \param skeleton any
    /// \param joint one of its joints
    /// \return 1 for the joint and everything below it, 0 elsewhere
    /// \throws Error when the skeleton has no such joint
    static JointMask below(const model::Skeleton& skeleton, std::size_t joint);

    std::size_t joint_count() const { return joint_count_; }
    /// \return the weights, padded with 0 to whole lines
    const float* data() const { return weights_.data(); }

  private:
    std::size_t joint_count_ = 0;
    AlignedVector<float> weights_;
};

/// What lies beyond the ends of a clip.
enum class Playback : std::uint8_t {
    clamp,  ///< the first and the last frame stay
    loop,   ///< the clip repeats; its last frame is the first of the next round, and gives way to it
};

/// The pose of a packed clip at a time: translations and scales linear, rotations normalised linear, between
/// the two nearest frames. The same bits whatever was sampled before; nothing is allocated.
/// \param clip a packed clip
/// \param time seconds
/// \param playback what lies beyond its ends
/// \param[out] pose with as many joints
/// \throws Error when the joint counts differ, the clip has no frames or the time is not finite
void sample(const model::PackedClip& clip, double time, Playback playback, LocalPose& pose);

/// How a layer enters the pose.
enum class LayerMode : std::uint8_t {
    blend,  ///< averaged with the other `blend` layers by weight; together they make the pose to start from
    over,   ///< replaces what is there, by weight
    add,    ///< adds a difference (`model::pack_additive`), by weight, which may be negative or above 1
};

/// A clip at a time. The `blend` layers are averaged first; `over` and `add` layers follow in their order.
struct Layer {
    const model::PackedClip* clip = nullptr;
    double time = 0;
    Playback playback = Playback::clamp;
    float weight = 1;
    LayerMode mode = LayerMode::blend;
    const JointMask* mask = nullptr;  ///< null: all joints
};

/// A joint whose blend weights sum to less takes the rest pose for what is missing, so that a blend that
/// fades out ends in the rest pose instead of in a division by zero.
inline constexpr float min_blend_weight = 0.1f;

/// One character at play. Holds its poses and matrices between frames.
class Player {
  public:
    /// \param skeleton whose joints are moved
    /// \param skin_joints for whose bind matrices the palette is made; may be empty
    /// \throws Error when a parent does not come first, a skin joint names a missing joint, or the rest pose
    /// or a bind matrix is not finite
    Player(const model::Skeleton& skeleton, std::span<const model::SkinJoint> skin_joints);

    /// Sets the pose to a clip at a time.
    /// \param clip packed, not additive
    /// \param time seconds
    /// \param playback what lies beyond its ends
    /// \throws Error when the clip is additive or for another joint count, or the time is not finite. After
    /// any error the palette is that of the last frame that went well, or holds what the bad numbers made of
    /// it
    void play(const model::PackedClip& clip, double time, Playback playback = Playback::clamp);
    /// Sets the pose to a blend of layers. Without any weight a joint is at rest: see `min_blend_weight`.
    /// \param layers in the order in which they are applied
    /// \throws Error also when a weight is not finite, one of a `blend` or `over` layer is negative, that of
    /// an `over` layer is above 1, a mask has another joint count, or a clip is of the wrong kind
    void play(std::span<const Layer> layers);
    /// Sets the pose to one made elsewhere.
    /// \param pose with as many joints as the skeleton
    /// \throws Error when it has another joint count or is not finite
    void play(const LocalPose& pose);

    const LocalPose& local() const { return local_; }
    /// \return world matrix of every joint
    std::span<const Mat34f> world() const { return world_; }
    /// \return where each joint of the skin takes the rest mesh
    std::span<const Mat34f> palette() const { return palette_; }
    /// \param[out] out gets a copy of the palette
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
