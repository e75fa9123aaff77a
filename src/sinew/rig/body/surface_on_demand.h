// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// The search tree of a mesh, for steps that only sometimes need it.

#include <optional>

#include "sinew/geometry/surface_queries.h"

namespace sinew::rig {

/// Built at the first use. Not thread-safe.
class SurfaceOnDemand {
  public:
    /// \param mesh must outlive it
    explicit SurfaceOnDemand(const geometry::Mesh& mesh) : mesh_(&mesh) {}

    const geometry::Mesh& mesh() const { return *mesh_; }
    const geometry::SurfaceQueries& queries() {
        if (!queries_) queries_.emplace(*mesh_);
        return *queries_;
    }

  private:
    const geometry::Mesh* mesh_;
    std::optional<geometry::SurfaceQueries> queries_;
};

}  // namespace sinew::rig
