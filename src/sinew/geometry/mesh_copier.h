#pragma once
/// \file
/// Some triangles of a mesh, with the vertices that they use.

#include "sinew/geometry/mesh.h"

namespace sinew::geometry {

/// Copies triangles behind those of another mesh; a vertex comes along with the first triangle that uses it.
/// Parts, materials and morphs are the caller's.
class MeshCopier {
  public:
    /// Both must outlive the copier.
    MeshCopier(const Mesh& from, Mesh& to);

    void add(const Triangle& triangle);

    /// The vertices that came along, in their order.
    const std::vector<std::uint32_t>& copied() const { return copied_; }

  private:
    std::uint32_t vertex(std::uint32_t v);

    const Mesh& from_;
    Mesh& to_;
    std::vector<std::uint32_t> of_;  ///< where each vertex went
    std::vector<std::uint32_t> copied_;
};

/// The mesh without vertices that no triangle uses, the others in the order of their first use. Morphs, which
/// belong to the vertices as they were, are left out.
Mesh without_unused_vertices(const Mesh& mesh);

}  // namespace sinew::geometry
