// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// From an implicit body to a closed, exactly symmetric triangle mesh.

#include "sinew/geometry/voxel_solid.h"
#include "sinew/sample/bodies/half_mesh.h"

namespace sinew::sample {

struct BodyMeshOptions {
    geometry::Lattice lattice;  ///< first cells straddle x = 0: points at -h/2, h/2, 3h/2, ...
    int rounds = 8;             ///< of relaxation
    std::function<double(const Vec3d&)>
        size;  ///< wanted edge length, where the lattice is too coarse; may be empty
    std::vector<Border> borders;
    std::size_t faces = 0;  ///< minimum number of triangles; the exact number if the mesh would have fewer
};

/// Vertices on x = 0 come first, then those with x > 0, then their images in the same order; `twin` is the
/// vertex on the other side. Triangles: one half, then its images.
struct BodyMesh {
    std::vector<Vec3d> positions;
    std::vector<Vec3d> normals;
    std::vector<std::uint32_t> twin;
    std::vector<Triangle> triangles;
};

/// Extracts the half x >= 0, smooths it, inserts the borders and mirrors it. Components that are not
/// connected with the largest one are an error of the body and stay in the mesh.
BodyMesh mesh_body(const ImplicitBody& body, const BodyMeshOptions& options);

struct CountedMeshOptions {
    geometry::Box box;       ///< holds the body
    double step = 0.01;      ///< coarsest lattice that still separates parts such as two fingers
    std::size_t faces = 0;   ///< wanted
    std::size_t min = 1000;  ///< below which the shape is lost
    bool symmetric = true;   ///< about x = 0; otherwise `twin` is the vertex itself
    double size_range = 5;   ///< longest edges over shortest, depending on the curvature
};

/// A body with a given number of triangles: exactly that many when it is even, one more when it is odd, which
/// no closed surface has. Finer where the surface bends more.
/// \throws Error when the number is too small for the shape.
BodyMesh mesh_body(const ImplicitBody& body, const CountedMeshOptions& options);

/// The same for players: one part with one material and a colour at each vertex.
geometry::Mesh colored_mesh(const std::string& name, const BodyMesh& body,
                            const std::function<math::Vec4f(const Vec3d&)>& color);

}  // namespace sinew::sample
