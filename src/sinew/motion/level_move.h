#pragma once
/// \file
/// Bodies turned and shifted over the ground, so that one motion goes on where another stands.

#include <span>

#include "sinew/model/clip.h"

namespace sinew::motion {

/// A turn about +y followed by a shift without height: what may be done to a motion without changing it.
struct LevelMove {
    double turn = 0;  ///< radians
    math::Vec3d shift = math::Vec3d::Zero();
};

/// First `inner`, then `outer`.
LevelMove combined(const LevelMove& outer, const LevelMove& inner);

/// Moves a pose: all roots of the skeleton go along.
void apply(const LevelMove& move, const model::Skeleton& skeleton, std::span<math::Transform> pose);

/// A stretch of a clip, looked at in even steps.
struct ClipWindow {
    const model::Clip* clip = nullptr;
    double start = 0;
    double end = 0;
};

/// What brings the second motion to the first. With R_i the rotations from a trunk joint (hips, spine, chest;
/// the first joint where there are none) of the second to that of the first, over both windows in step, the
/// turn Y is the one that is nearest to all of them: the largest sum of tr(Y^T R_i), which for quaternions
/// (w; x y z) is
///
///     turn = atan2(sum 2 w y, sum w^2 - y^2).
///
/// A mean over hips and chest, because they swing against each other in a walk. The shift brings the hips
/// together at `meet`, a fraction of both windows.
LevelMove meeting_move(const model::Skeleton& skeleton, const ClipWindow& first, const ClipWindow& second,
                       double meet = 0.5);

}  // namespace sinew::motion
