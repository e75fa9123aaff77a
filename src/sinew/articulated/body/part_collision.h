// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Collisions between the parts of a figure: spheres first, then oriented boxes, then triangles if requested.

#include <functional>
#include <optional>

#include "sinew/articulated/figure.h"
#include "sinew/geometry/surface_queries.h"

namespace sinew::articulated {

/// Boxes and tree of a figure, for repeated queries.
class PartCollision {
  public:
    /// Pairs that are neighbours, and pairs that already overlap at rest, are ignored. With `exact`,
    /// overlapping boxes are followed by a test of their triangles.
    PartCollision(const geometry::CutMesh& cut, const geometry::PartTree& tree,
                  std::span<const geometry::PartFeatures> features, bool exact);

    /// Parts outside the subtree of each part, increasing.
    const std::vector<int>& others(int part) const { return others_[static_cast<std::size_t>(part)]; }
    /// The part and its descendants, increasing.
    const std::vector<int>& subtree(int part) const { return subtrees_[static_cast<std::size_t>(part)]; }

    const geometry::OrientedBox& box(int part) const {
        return boxes_[static_cast<std::size_t>(part)];
    }  ///< at rest

    /// The nearest colliding pair between the subtree of a part and the others. Pairs are sorted by w = (l /
    /// r)^2, where l is the distance of the spheres' centres and r the sum of their radii; w above 1 is
    /// disjoint.
    std::optional<PartPair> first_hit(int part, std::span<const math::Rigidd> world) const;

    /// Whether two parts overlap, regardless of their relation.
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
