// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// First two passes of building: a binary tree top-down, then children that are nearly as large as their
/// parents are dissolved.

#include <cstdint>
#include <span>
#include <vector>

#include "sinew/collide/tree/tree_data.h"

namespace sinew::collide {

/// A node while the tree is built.
struct DraftNode {
    StoredSphere sphere;
    std::uint32_t first = 0;  ///< triangles of `order`
    std::uint32_t count = 0;
    std::uint32_t level = 0;
    std::vector<std::uint32_t> children;
};

struct Draft {
    std::vector<DraftNode> nodes;      ///< the root first
    std::vector<std::uint32_t> order;  ///< triangles, every subtree a run
};

/// Halves the longest side of the box and sends each triangle to the side of its centroid (Kavan 2007,
/// Algorithm 2.1). When one side stays empty, the box of the centroids is halved, then the list.
/// `set_of` names the influence set of every vertex.
Draft split(const geometry::Mesh& mesh, std::span<const std::uint32_t> set_of, const TreeLimits& limits);

/// Dissolves inner children with a radius above `factor` times their parent's, from the top.
void dissolve(Draft& draft, double factor);

/// Level by level: siblings are adjacent, and nodes that cannot be reached are dropped.
Draft flattened(const Draft& draft);

/// Distinct vertices of a run of triangles, in order of first use. `marks` has a number per vertex; `mark`
/// must not have been used before.
class VertexCollector {
  public:
    explicit VertexCollector(std::size_t vertices) : marks_(vertices, 0) {}
    const std::vector<std::uint32_t>& collect(const std::vector<geometry::Triangle>& triangles,
                                              std::span<const std::uint32_t> order);

  private:
    std::vector<std::uint32_t> marks_;
    std::vector<std::uint32_t> found_;
    std::uint32_t mark_ = 0;
};

}  // namespace sinew::collide
