#pragma once
/// \file
/// The f statements of an OBJ file, and those that group faces.

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "sinew/geometry/mesh.h"
#include "sinew/io/mesh/obj_vertices.h"

namespace sinew::io {

/// A statement that changes what the faces behind it belong to.
struct ObjEvent {
    enum class Kind : std::uint8_t { name, material, library };
    Kind kind = Kind::name;
    std::string_view text;
    std::uint32_t triangle = 0;  ///< triangles of the piece before it
    const char* at = nullptr;
};

/// Oddities, counted and with the place of the first.
struct ObjOddity {
    std::size_t count = 0;
    const char* first = nullptr;
    void add(const char* at) {
        if (count++ == 0) first = at;
    }
    void add(const ObjOddity& later) {
        if (count == 0) first = later.first;
        count += later.count;
    }
};

struct ObjOddities {
    ObjOddity short_faces;   ///< with fewer than three corners
    ObjOddity fans;          ///< large polygons that are not convex and became fans
    ObjOddity lines_points;  ///< l and p elements
    ObjOddity free_form;     ///< curves and surfaces
    ObjOddity unknown;
    void add(const ObjOddities& later);
};

/// Triangles of one piece of the file.
struct ObjFaces {
    /// Texture coordinate and normal of a corner, -1 for none.
    using Attributes = std::array<std::int32_t, 2>;

    std::vector<geometry::Triangle> triangles;  ///< of positions
    std::vector<Attributes> attributes;         ///< three for each triangle, or empty when no corner has any
    std::vector<ObjEvent> events;
    ObjOddities oddities;

    void clear();
};

/// Parses the faces of a piece. `shape` are the positions that decide how polygons are cut.
/// \throws Error with the line of an index that is broken or out of range.
void read_obj_faces(const ObjText& text, const ObjPiece& piece, std::span<const geometry::Vec3f> shape,
                    ObjFaces& out);

}  // namespace sinew::io
