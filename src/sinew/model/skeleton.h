// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// A skeleton: a tree of joints. A bone belongs to its start joint: joint j moves the segments from j to its
/// children, or to its tip when it has no children.
///
/// \code
/// const std::vector<math::Mat4d> world = model::rest_world_matrices(skeleton);
/// for (const model::Bone& bone : model::bones(skeleton, world)) draw(bone.start, bone.end);
/// \endcode

#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/math/transform.h"

namespace sinew::model {

using math::Mat4d;
using math::Quatd;
using math::Transform;
using math::Vec3d;

/// Range of rotation of a joint: angles about the axes of `frame`, which is given in the joint's rest frame,
/// applied x first, then y, then z, about fixed axes. A locked axis has low = high.
struct JointLimits {
    Quatd frame = Quatd::Identity();
    Vec3d low = Vec3d::Constant(-std::numeric_limits<double>::infinity());  ///< radians
    Vec3d high = Vec3d::Constant(std::numeric_limits<double>::infinity());
};

struct Joint {
    std::string name;
    int parent = -1;                ///< -1 for a root; always less than the joint's own index
    Transform rest;                 ///< relative to the parent
    std::optional<Vec3d> tip = {};  ///< end of a leaf bone, in the frame of the joint (End Site in BVH)
    std::optional<JointLimits> limits = {};
};

/// Parents come before their children; names are unique; several roots are allowed.
struct Skeleton {
    std::vector<Joint> joints;

    bool empty() const { return joints.empty(); }
    std::size_t size() const { return joints.size(); }
    /// Index of the joint with this name, or -1.
    int find(std::string_view name) const;
};

/// A segment between two points in world space that moves with joint `joint`.
struct Bone {
    int joint = 0;
    int end_joint = -1;  ///< -1 when the bone ends at a tip
    Vec3d start = Vec3d::Zero();
    Vec3d end = Vec3d::Zero();
};

/// World matrices of all joints from their local transforms, computed in one pass (parents first).
std::vector<Mat4d> world_matrices(const Skeleton& skeleton, std::span<const Transform> local);
/// The same for the rest pose.
std::vector<Mat4d> rest_world_matrices(const Skeleton& skeleton);

/// Positions of the joints in a pose, from their world matrices.
std::vector<Vec3d> joint_positions(std::span<const Mat4d> world);

/// All bones: one per child and one per tip. A joint with neither has no bone.
std::vector<Bone> bones(const Skeleton& skeleton, std::span<const Mat4d> world);

/// Children of every joint, in increasing order.
std::vector<std::vector<int>> children(const Skeleton& skeleton);

/// Size of the rest pose, tips included: the longest side of its bounding box; 0 for fewer than two points.
double height(const Skeleton& skeleton);

/// A stable order of the joints in which parents come first; `order[i]` is the old index of new joint i.
/// \throws Error naming a joint that is part of a cycle or has a parent out of range
std::vector<int> parents_first(std::span<const int> parents, std::string_view location);

/// Renames joints without a name to "joint_N" and appends "_2", "_3" ... to repeated names. Returns the
/// number of changed names.
int make_names_unique(Skeleton& skeleton);

/// \throws Error when a parent does not come before its child, a name is duplicated, or a number is not
/// finite
void validate(const Skeleton& skeleton, std::string_view location);

}  // namespace sinew::model
