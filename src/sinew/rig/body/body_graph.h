// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// The cells of a solid as a graph: shortest paths inside a body.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "sinew/rig/body/body_field.h"

namespace sinew::rig {

/// Solid cells numbered from 0 in the order of the lattice. Neighbours touch over a face, edge or corner.
class BodyGraph {
  public:
    static constexpr std::uint32_t none = 0xffffffff;

    explicit BodyGraph(const BodyField& field);

    const BodyField& field() const { return *field_; }
    std::size_t size() const { return cells_.size(); }
    std::size_t cell(std::uint32_t node) const { return cells_[node]; }
    Vec3d position(std::uint32_t node) const {
        const auto& [i, j, k] = index_[node];
        return field_->solid.lattice.origin + field_->cell() * Vec3d(i, j, k);
    }
    /// The connected part that a node belongs to, from 0.
    std::uint32_t body(std::uint32_t node) const { return field_->body[cells_[node]] - 1; }
    /// Depth in cells, at least a half.
    float depth(std::uint32_t node) const { return depth_[node]; }
    /// The node of a lattice cell, or none.
    std::uint32_t node(std::size_t cell) const { return node_of_[cell]; }
    /// The interior cell nearest to a point, or none when none lies within `reach` cells.
    std::uint32_t nearest(const Vec3d& point, int reach) const;

    /// Calls `body(neighbour, length)` with the length of the step in cells.
    template <class Body>
    void for_each_neighbour(std::uint32_t node, const Body& body) const {
        for (std::size_t d = 0; d < 26; ++d) {
            // The lattice has an empty layer around the interior, so that no step leaves it.
            const std::uint32_t next = node_of_[cells_[node] + static_cast<std::size_t>(step_[d])];
            if (next != none) body(next, length_[d]);
        }
    }

    /// Length of the shortest path to each node from sources with their own start values (both in cells);
    /// infinite where none leads. `label`, when given, becomes the position of the source in the list.
    std::vector<float> distances(std::span<const std::uint32_t> sources, std::span<const float> starts,
                                 std::vector<std::uint32_t>* label = nullptr) const;

  private:
    const BodyField* field_;
    std::vector<std::uint32_t> cells_;
    std::vector<std::array<std::uint16_t, 3>> index_;
    std::vector<float> depth_;
    std::vector<std::uint32_t> node_of_;
    std::array<std::ptrdiff_t, 26> step_{};
    std::array<float, 26> length_{};
};

/// The interior of a mesh in its unit frame, with its cells as a graph: built once, and handed to all methods
/// that work in it.
struct UnitBody {
    /// \throws Error when the mesh has no extent.
    explicit UnitBody(const geometry::Mesh& of, Monitor& monitor = silent());
    UnitBody(const UnitBody&) = delete;
    UnitBody& operator=(const UnitBody&) = delete;

    UnitFrame frame;
    geometry::Mesh mesh;  ///< in the frame
    BodyField field;
    BodyGraph graph;
};

/// The warning `small-parts` for parts that a field left out.
void warn_of_dropped(const BodyField& field, Monitor& monitor);

}  // namespace sinew::rig
