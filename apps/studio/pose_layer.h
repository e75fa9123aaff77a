// SPDX-License-Identifier: MIT
#pragma once
// The user's changes of a pose, as an offset in local space over the pose that plays below it.

#include <map>
#include <span>

#include "sinew/model/character.h"

namespace sinew::studio {

using math::Quatd;
using math::Transform;
using math::Vec3d;

/// rotation = below * offset, translation = below + offset, scale = below times offset, for each joint.
struct PoseLayer {
    std::map<int, Transform> offsets;
    bool empty() const { return offsets.empty(); }
    bool operator==(const PoseLayer& other) const;
};

enum class Space { global, local };

/// Local transforms with the layer applied. Offsets of missing joints are ignored.
std::vector<Transform> with_layer(std::vector<Transform> below, const PoseLayer& layer);

/// Rotates a joint about an axis of the world, or of the joint itself. `below` is the pose without the layer.
void rotate(PoseLayer& layer, const model::Skeleton& skeleton, std::span<const Transform> below, int joint,
            const Vec3d& axis, double angle, Space space);
/// Moves a joint by a vector in the world, or along its own axes.
void translate(PoseLayer& layer, const model::Skeleton& skeleton, std::span<const Transform> below, int joint,
               const Vec3d& shift, Space space);
/// Along the joint's own axes.
void scale(PoseLayer& layer, int joint, const Vec3d& factors);

/// Directions of a joint's axes: those of the world, or its own in the present pose.
math::Mat3d axes_of(const model::Skeleton& skeleton, std::span<const Transform> local, int joint,
                    Space space);

/// The clip with the layer applied; when there is none the rest pose, as a clip of one frame.
model::Clip baked(const model::Skeleton& skeleton, const model::Clip* clip, const PoseLayer& layer);

}  // namespace sinew::studio
