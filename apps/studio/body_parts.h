// SPDX-License-Identifier: MIT
#pragma once
// The surface in parts that can be selected and named.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sinew/geometry/cut_mesh.h"
#include "sinew/geometry/part_shape.h"
#include "sinew/model/character.h"

namespace sinew::studio {

using geometry::OrientedBox;
using math::Mat3d;
using math::Vec3d;
using math::Vec3f;

struct BodyPart {
    std::string name;
    std::size_t triangles = 0;
    std::vector<std::uint32_t> vertices;  ///< that its triangles use, in increasing order
    int entry = -1;  ///< of the skin's palette, which rotates its box; -1: its box does not rotate
    /// Of its box at rest: principal directions of its hull, computed on demand.
    mutable std::optional<Mat3d> axes = {};
};

/// All triangles that share a part are selected together.
struct BodyParts {
    std::vector<int> part_of;  ///< of each triangle
    std::vector<BodyPart> parts;
};

/// With a skin, the region that each joint moves most; otherwise the named parts of the mesh.
BodyParts body_parts(const model::Character& character);
/// Given for each triangle, as a segmentation has them.
BodyParts body_parts(const geometry::Mesh& mesh, std::vector<int> part_of,
                     const std::vector<std::string>& names);

/// The box of a part in the present pose, its axes rotated from those at rest.
OrientedBox posed_box(const BodyPart& part, const std::vector<Vec3f>& rest,
                      const std::vector<Vec3f>& positions, const Mat3d& rotation);

}  // namespace sinew::studio
