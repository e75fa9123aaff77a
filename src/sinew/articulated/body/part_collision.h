// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Which parts of a figure have run into each other: spheres first, then oriented boxes, then triangles when
/// asked for.

#include <functional>
#include <optional>

#include "sinew/articulated/figure.h"
#include "sinew/geometry/surface_queries.h"

namespace sinew::articulated {

/// Boxes and tree of a figure, for asking again and again.
class PartCollision {
  public:
    /// Pairs that touch, and pairs that overlap at rest already, never count. With `exact`, boxes that
    /// overlap are followed by their triangles.
    PartCollision(const geometry::CutMesh& cut, const geometry::PartTree& tree,
                  std::span<const geometry::PartFeatures> features, bool exact);

    /// Parts outside the sub-tree of each part, rising.
    const std::vector<int>& others(int part) const { return others_[static_cast<std::size_t>(part)]; }
    /// The part and all below it, rising.
    const std::vector<int>& subtree(int part) const { return subtrees_[static_cast<std::size_t>(part)]; }

    const geometry::OrientedBox& box(int part) const {
        return boxes_[static_cast<std::size_t>(part)];
    }  ///< at rest

    /// The nearest pair between the sub-tree of a part and the others that collides. Pairs are sorted by
    /// w = (l / r)^2, l the distance of the spheres' centres and r the sum of their radii; w above 1 is
    /// apart.
    std::optional<PartPair> first_hit(int part, std::span<const math::Rigidd> world) const;

    /// Whether two parts overlap, whatever they are to each other.
    bool collide(int a, int b, std::span<const math::Rigidd> world) const;
    bool counts(int a, int b) const { return counted_[index(a, b)] != 0; }

  private:
    std::size_t index(int a, int b) const {
        return static_cast<std::size_t>(a) * boxes_.size() + static_cast<std::size_t>(b);
    }
    bool triangles_collide(int a, int b, std::span<const math::Rigidd> world) const;

    std::vector<geometry::OrientedBox> boxes_;
    std::vector<std::vector<int>> others_, subtrees_;
    std::vector<char> counted_;
    bool exact_;
    std::vector<std::vector<geometry::TriangleCorners>> triangles_;  ///< of each part, when exact
};

}  // namespace sinew::articulated
