#pragma once
/// \file
/// The face and tristrips elements of a PLY file.

#include <span>
#include <string>
#include <vector>

#include "sinew/base/monitor.h"
#include "sinew/geometry/mesh.h"
#include "sinew/io/mesh/ply_header.h"

namespace sinew::io {

/// Reads all rows of an element of faces or triangle strips. `shape` are the positions that decide how
/// polygons are cut. \throws Error with the place of an index that is out of range.
template <class Source>
void read_ply_faces(Source& source, const PlyElement& element, std::span<const geometry::Vec3f> shape,
                    std::vector<geometry::Triangle>& triangles, const std::string& name, Monitor& monitor);

extern template void read_ply_faces(PlyTextSource&, const PlyElement&, std::span<const geometry::Vec3f>,
                                    std::vector<geometry::Triangle>&, const std::string&, Monitor&);
extern template void read_ply_faces(PlyBinarySource<false>&, const PlyElement&,
                                    std::span<const geometry::Vec3f>, std::vector<geometry::Triangle>&,
                                    const std::string&, Monitor&);
extern template void read_ply_faces(PlyBinarySource<true>&, const PlyElement&,
                                    std::span<const geometry::Vec3f>, std::vector<geometry::Triangle>&,
                                    const std::string&, Monitor&);

}  // namespace sinew::io
