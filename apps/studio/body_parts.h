// SPDX-License-Identifier: MIT
#pragma once
// The surface in pieces that can be picked and named.

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
    std::vector<std::uint32_t> vertices;  ///< that its triangles use, rising
    int entry = -1;                       ///< of the skin's palette, by which its box turns; -1 stays
    /// Of its box at rest: principal directions of its hull, found when they are first asked for.
    mutable std::optional<Mat3d> axes = {};
};

/// All triangles that share a part act as one when they are picked.
struct BodyParts {
    std::vector<int> part_of;  ///< of each triangle
    std::vector<BodyPart> parts;
};

/// Of a skin, what each joint moves most; otherwise the named parts of the mesh.
BodyParts body_parts(const model::Character& character);
/// Given for each triangle, as a cut has them.
BodyParts body_parts(const geometry::Mesh& mesh, std::vector<int> part_of,
                     const std::vector<std::string>& names);

/// The box of a part as it stands now, its axes rotated from those at rest.
OrientedBox posed_box(const BodyPart& part, const std::vector<Vec3f>& rest,
                      const std::vector<Vec3f>& positions, const Mat3d& rotation);

}  // namespace sinew::studio
