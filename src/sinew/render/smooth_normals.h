#pragma once
/// \file
/// Smooth normals of a mesh whose vertices move.

#include <cstdint>
#include <span>
#include <vector>

#include "sinew/geometry/mesh.h"

namespace sinew::render {

/// Remembers which vertices share a normal: those at the same place that also had the same rest normal, so
/// that hard edges stay hard and seams stay invisible.
class SmoothNormals {
  public:
    explicit SmoothNormals(const geometry::Mesh& mesh);
    /// Sums of face normals weighted by area, unit; zero where a vertex has no area around it.
    void compute(std::span<const geometry::Vec3f> positions, std::vector<geometry::Vec3f>& normals) const;

  private:
    std::vector<std::uint32_t> leader_;  ///< lowest vertex with the same normal
    std::vector<geometry::Triangle> triangles_;
};

}  // namespace sinew::render
