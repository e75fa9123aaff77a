#pragma once
/// \file
/// The bones of a skeleton as segments that skin can be near to.

#include <vector>

#include "sinew/model/skeleton.h"

namespace sinew::rig {

using math::Vec3d;

/// What a joint moves lies around its segments.
struct BoneSegment {
    int joint = 0;
    Vec3d start = Vec3d::Zero();
    Vec3d end = Vec3d::Zero();
};

/// One segment for each child and each tip; a joint with neither gets a point (start = end), so that every
/// joint can be near to something. Sorted by joint.
std::vector<BoneSegment> bone_segments(const model::Skeleton& skeleton);

/// The nearest place on a segment, as a fraction of its length from the start: 0 for a point.
double nearest_fraction(const BoneSegment& bone, const Vec3d& point);

/// Distance from a point to a segment (mocap-tool 3.7; a bone shorter than 1e-9 is its start).
double distance(const BoneSegment& bone, const Vec3d& point);

}  // namespace sinew::rig
