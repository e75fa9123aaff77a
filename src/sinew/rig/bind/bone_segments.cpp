#include "sinew/rig/bind/bind_input.h"

#include <algorithm>

namespace sinew::rig {

std::vector<BoneSegment> bone_segments(const model::Skeleton& skeleton) {
    const auto world = model::rest_world_matrices(skeleton);
    std::vector<BoneSegment> segments;
    std::vector<char> has_bone(skeleton.size(), 0);
    for (const model::Bone& bone : model::bones(skeleton, world)) {
        segments.push_back({bone.joint, bone.start, bone.end});
        has_bone[static_cast<std::size_t>(bone.joint)] = 1;
    }
    for (std::size_t j = 0; j < skeleton.size(); ++j) {
        if (has_bone[j] != 0) continue;
        const Vec3d place = world[j].block<3, 1>(0, 3);
        segments.push_back({static_cast<int>(j), place, place});
    }
    std::stable_sort(segments.begin(), segments.end(),
                     [](const BoneSegment& a, const BoneSegment& b) { return a.joint < b.joint; });
    return segments;
}

double nearest_fraction(const BoneSegment& bone, const Vec3d& point) {
    const Vec3d along = bone.end - bone.start;
    const double length2 = along.squaredNorm();
    return length2 > 1e-18 ? std::clamp((point - bone.start).dot(along) / length2, 0.0, 1.0) : 0;
}

double distance(const BoneSegment& bone, const Vec3d& point) {
    return (bone.start + nearest_fraction(bone, point) * (bone.end - bone.start) - point).norm();
}

}  // namespace sinew::rig
