#pragma once
/// \file
/// A leg that walks: published angles give the shape of the motion, the ground has the last word.

#include <array>

#include "sinew/math/transform.h"

namespace sinew::sample {

/// A left leg at rest, relative to its hip joint; the sole touches the ground at heel, ball and toe.
struct LegShape {
    math::Vec3d hip;    ///< relative to the root joint of the skeleton
    math::Vec3d thigh;  ///< hip to knee
    math::Vec3d shank;  ///< knee to ankle
    math::Vec3d heel;   ///< ankle to the point of the sole that lands first
    math::Vec3d ball;   ///< ankle to the sole under the joint of the toes
    math::Vec3d toe;    ///< ankle to the last point of the sole to leave
};

struct LegPose {
    math::Quatd upper;  ///< in the room
    math::Quatd knee;   ///< relative to the thigh
    math::Quatd ankle;  ///< relative to the shank
    math::Quatd toes;   ///< relative to the foot
};

/// Walk of a body with two such legs. Phase 0 is the heel contact of the leg in question; a stride is one
/// cycle.
class LegGait {
  public:
    explicit LegGait(const LegShape& shape);

    double stride() const { return stride_; }
    /// Root joint in the room, with x towards the leg in question; z grows by a stride each cycle. Seen from
    /// the other leg it is the mirror image half a cycle later.
    math::Vec3d root(double phase) const;
    /// Rotation of the root joint.
    math::Quatd pelvis(double phase) const;
    /// Joint rotations that put the foot where it belongs.
    LegPose pose(double phase) const;
    /// Where the ankle is in the room.
    math::Vec3d ankle(double phase) const;

  private:
    math::Vec3d rolling_ankle(double phase) const;
    math::Vec3d free_ankle(double phase) const;
    math::Vec3d stance_root(double phase) const;
    void fit_root();
    void keep_in_reach();

    static constexpr std::size_t harmonics = 2;
    LegShape shape_;
    double stride_ = 0;
    std::array<math::Vec3d, 2 * harmonics + 1>
        root_{};  ///< Fourier series over half a cycle, without the way forward
};

}  // namespace sinew::sample
