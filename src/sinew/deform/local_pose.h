#pragma once
/// \file
/// Local transforms of all joints as they are played, and which joints a layer touches.

#include <span>

#include "sinew/model/packed_clip.h"

namespace sinew::deform {

/// A pose in the layout of `model::PackedClip`: ten rows (translation x y z, rotation x y z w, scale x y z)
/// of `stride` floats, structure of arrays over joints, every row on a cache line, identity in the padding.
/// Rotations are unit. Made once; playing writes into it and allocates nothing.
struct LocalPose {
    std::size_t joint_count = 0;
    std::size_t stride = 0;
    AlignedVector<float> data;

    LocalPose() = default;
    /// The identity for every joint.
    explicit LocalPose(std::size_t joints);
    explicit LocalPose(std::span<const math::Transform> transforms);

    math::Transform operator[](std::size_t joint) const { return model::load_transform(data, stride, joint); }
    void set(std::size_t joint, const math::Transform& transform) {
        model::store_transform(data, stride, joint, transform);
    }
};

LocalPose rest_pose(const model::Skeleton& skeleton);

/// How much of a layer each joint takes, from 0 to 1. Checked once, when it is made.
class JointMask {
  public:
    /// \throws Error when a weight is not between 0 and 1.
    explicit JointMask(std::span<const float> weights);
    /// 1 for a joint and everything below it, 0 elsewhere.
    /// \throws Error when the skeleton has no such joint.
    static JointMask below(const model::Skeleton& skeleton, std::size_t joint);

    std::size_t joint_count() const { return joint_count_; }
    /// Padded to whole lines; the padding holds 0.
    const float* data() const { return weights_.data(); }

  private:
    std::size_t joint_count_ = 0;
    AlignedVector<float> weights_;
};

}  // namespace sinew::deform
