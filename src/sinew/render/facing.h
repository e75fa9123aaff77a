#pragma once
/// \file
/// Which side of a mesh's triangles can be seen.

#include <span>

#include "sinew/geometry/mesh.h"

namespace sinew::render {

enum class Facing {
    any,      ///< open, or not sure: both sides may be seen
    outward,  ///< closed, counterclockwise from outside
    inward,   ///< closed, clockwise from outside
};

/// Outward or inward only when every shell is closed (each directed edge has one twin the other way, vertices
/// at the same place being one) and all of them enclose volume of the same sign: then half of the triangles
/// need no drawing.
Facing facing_of(const geometry::Mesh& mesh);

/// True when the triangles enclose negative volume: a pose has turned a closed mesh inside out, as mirroring
/// does.
bool is_inside_out(std::span<const geometry::Vec3f> positions, std::span<const geometry::Triangle> triangles);

}  // namespace sinew::render
