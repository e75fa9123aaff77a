#pragma once
/// \file
/// The vertex element of a PLY file.

#include <string>

#include "sinew/base/monitor.h"
#include "sinew/geometry/mesh.h"
#include "sinew/io/mesh/ply_header.h"

namespace sinew::io {

/// Reads all rows of a vertex element, whose count was checked against the file. \throws Error naming a
/// vertex that is not finite.
template <class Source>
void read_ply_vertices(Source& source, const PlyElement& element, geometry::Mesh& mesh,
                       const std::string& name, Monitor& monitor);

extern template void read_ply_vertices(PlyTextSource&, const PlyElement&, geometry::Mesh&, const std::string&,
                                       Monitor&);
extern template void read_ply_vertices(PlyBinarySource<false>&, const PlyElement&, geometry::Mesh&,
                                       const std::string&, Monitor&);
extern template void read_ply_vertices(PlyBinarySource<true>&, const PlyElement&, geometry::Mesh&,
                                       const std::string&, Monitor&);

}  // namespace sinew::io
