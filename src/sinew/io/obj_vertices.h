#pragma once
/// \file
/// The v, vt and vn statements of an OBJ file.

#include <vector>

#include "sinew/base/monitor.h"
#include "sinew/geometry/mesh.h"
#include "sinew/io/mesh/obj_vertices.h"

namespace sinew::io {

struct ObjVertices {
    std::vector<geometry::Vec3f> positions;
    std::vector<geometry::Vec4f> colors;  ///< linear, empty when no vertex has one
    std::vector<geometry::Vec2f> uvs;
    std::vector<geometry::Vec3f> normals;
};

/// \throws Error with the line of a number that is missing or not finite.
ObjVertices read_obj_vertices(const ObjText& text, bool positions_only, Monitor& monitor);

}  // namespace sinew::io
