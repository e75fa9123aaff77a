#pragma once
/// \file
/// The connected pieces of a mesh: body, eyes, teeth, clothes.

#include <cstdint>
#include <vector>

#include "sinew/geometry/mesh.h"

namespace sinew::geometry {

/// Vertices at the same place are one. Shells are numbered by their first triangle; an isolated vertex has
/// none.
struct Shells {
    static constexpr std::uint32_t none = 0xffffffff;
    std::size_t count = 0;
    std::vector<std::uint32_t> of_triangle;
    std::vector<std::uint32_t> of_vertex;
};
Shells shells_of(const Mesh& mesh);

}  // namespace sinew::geometry
