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

#include "sinew/deform/hierarchy.h"

namespace sinew::deform {

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

/// One character at play. Holds its poses and matrices between frames.
class Player {
  public:
    /// \throws Error as `Hierarchy` does, or when the rest pose is not finite.
    Player(const model::Skeleton& skeleton, std::span<const model::SkinJoint> skin_joints);

    /// Sets the pose to a clip at a time.
    /// \throws Error when the clip is additive or for another joint count, or the time is not finite. After
    /// any error the palette is that of the last frame that went well, or holds what the bad numbers made of
    /// it.
    void play(const model::PackedClip& clip, double time, Playback playback = Playback::clamp);
    /// Sets the pose to a blend of layers. Without any weight a joint is at rest: see `least_blend_weight`.
    /// \throws Error also when a weight is not finite, one of a `blend` or `over` layer is negative, that of
    /// an `over` layer is above 1, a mask has another joint count, or a clip is of the wrong kind.
    void play(std::span<const Layer> layers);
    /// Sets the pose to one made elsewhere.
    void play(const LocalPose& pose);

    const LocalPose& local() const { return local_; }
    /// World matrix of every joint.
    std::span<const Mat34f> world() const { return world_; }
    /// Where each joint of the skin takes the rest mesh.
    std::span<const Mat34f> palette() const { return palette_; }
    /// The same into memory of the caller.
    /// \throws Error when it is too short.
    void write_palette(std::span<Mat34f> out) const;

  private:
    void check(const Layer& layer) const;
    void average(std::span<const Layer> layers);

    Hierarchy hierarchy_;
    LocalPose rest_;
    LocalPose local_;
    LocalPose sampled_;
    AlignedVector<float> sum_;
    AlignedVector<Mat34f> world_;
    AlignedVector<Mat34f> palette_;
};

}  // namespace sinew::deform
