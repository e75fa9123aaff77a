// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// The cells of a solid and the paths between them: distances that stay inside a body.

#include <array>
#include <span>

#include "sinew/base/monitor.h"
#include "sinew/geometry/voxel_solid.h"
#include "sinew/rig/bind/bind_input.h"

namespace sinew::rig {
using math::Vec3d;

/// A cell of a solid and a length of way in cells.
struct CellDistance {
    std::uint32_t cell = 0;
    float distance = 0;
};

/// Cells and their parts in the value at a point.
struct CellCorners {
    std::array<std::uint32_t, 8> cell{};
    std::array<float, 8> part{};
    std::uint32_t count = 0;

    /// Makes the parts of the cells that are kept sum to 1; false when none is.
    template <class Keep>
    bool keep(const Keep& wanted) {
        std::uint32_t kept = 0;
        float sum = 0;
        for (std::uint32_t i = 0; i < count; ++i) {
            if (!wanted(cell[i])) continue;
            cell[kept] = cell[i];
            part[kept] = part[i];
            sum += part[kept++];
        }
        count = kept;
        for (std::uint32_t i = 0; i < count; ++i) part[i] /= sum;
        return count > 0;
    }
};

/// Cells of a solid numbered in the order of the lattice; each is joined to those of its 26 neighbours that
/// are cells, by the distance of their centres.
class CellGraph {
  public:
    static constexpr std::uint32_t none = 0xffffffff;
    static constexpr float unreached = std::numeric_limits<float>::infinity();

    explicit CellGraph(const geometry::VoxelSolid& solid);

    std::size_t size() const { return lattice_index_.size(); }
    double cell() const { return cell_; }
    Vec3d center(std::uint32_t cell) const;
    /// The cell that holds a point, or none.
    std::uint32_t at(const Vec3d& point) const;

    /// Calls `body(neighbour, length)` for the neighbours of a cell, lengths in cells.
    template <class Body>
    void for_each_neighbour(std::uint32_t cell, const Body& body) const {
        const std::uint32_t here = lattice_index_[cell];
        for (std::uint32_t left = mask_[cell]; left != 0; left &= left - 1) {
            const Step& step = steps_[static_cast<std::size_t>(__builtin_ctz(left))];
            body(cell_of_[static_cast<std::size_t>(static_cast<std::ptrdiff_t>(here) + step.offset)],
                 step.length);
        }
    }

    /// The cells around a point with the weights of trilinear interpolation, which sum to 1 with those of the
    /// corners that are outside and left out.
    CellCorners around(const Vec3d& point) const;

  private:
    struct Step {
        std::ptrdiff_t offset = 0;
        float length = 0;
    };
    Vec3d origin_;
    double cell_ = 1;
    std::array<std::size_t, 3> points_{};
    std::vector<std::uint32_t> cell_of_;        // of a lattice point
    std::vector<std::uint32_t> lattice_index_;  // of a cell
    std::vector<std::uint32_t> mask_;           // which of the steps lead to a cell
    std::array<Step, 26> steps_{};
};

/// Shortest paths from seeds over a graph of cells; keeps its memory from one search to the next.
class CellSearch {
  public:
    explicit CellSearch(const CellGraph& graph);

    /// Paths to all cells that are reached from the seeds (Dijkstra). A cell with a path beyond `limit[cell]`
    /// is not entered; an empty limit enters all. The order of `reached()` depends on nothing else.
    void run(std::span<const CellDistance> seeds, std::span<const float> limit = {});

    float distance(std::uint32_t cell) const { return distance_[cell]; }
    const std::vector<float>& distances() const { return distance_; }
    /// Cells in the order in which they were settled, nearly nearest first.
    const std::vector<std::uint32_t>& reached() const { return reached_; }

  private:
    void enter(std::uint32_t cell, float distance);

    const CellGraph& graph_;
    std::vector<float> distance_;
    std::vector<std::uint8_t> settled_;
    std::vector<std::uint32_t> reached_;
    std::vector<std::vector<CellDistance>> buckets_;  // paths between i and i + 1
};

/// How far a cell may be from the seeds so that going on from it can still matter somewhere: the largest of
/// bound(c) - way from the cell to c over all cells c (a search with falling lengths).
std::vector<float> farthest_that_matters(const CellGraph& graph, std::span<const float> bound);

// --- Bones in a solid: which of them lie in it, and where they are in its cells

/// How fine a solid is.
struct SolidSize {
    int resolution = 0;           ///< cells along the longest side, at most 512; 0 chooses it for `cells`
    std::size_t cells = 150'000;  ///< about so many cells in the interior
    int min_resolution = 48;
    int max_resolution = 256;  ///< of those chosen; bounds the memory: that many cubed, about 20 bytes each
};

/// The interior of the mesh and the bones in it.
struct BindSolid {
    CellGraph graph;
    int resolution = 0;  ///< cells along the longest side
    /// For each joint the cells that its bones cross, without those bones that lie mostly outside. A joint
    /// all of whose bones do has the nearest cells of its limb, those of its parent and children. A joint
    /// with none does not move the mesh: a root on the floor, a handle beside the body.
    std::vector<std::vector<CellDistance>> seeds;
    std::vector<float> depth;       ///< of each cell: from its centre to the nearest position outside
    std::vector<char> bone_counts;  ///< beside BindInput::bones
};

/// Paths from the nearest seed of any joint, in cells: unreached in pieces of the interior that no bone is
/// in.
std::vector<float> nearest_distances(const BindSolid& solid);

/// The cells that speak for each position: those around it that have a finite way, or else the nearest one
/// that has, and then the position moves to its centre.
std::vector<CellCorners> reached_corners(const BindSolid& solid, std::span<const float> distances,
                                         std::span<Vec3d> positions);

/// \throws Error when the mesh has no extent.
BindSolid bind_solid(const BindInput& input, const SolidSize& size = {}, Monitor& monitor = silent());
/// The same with cells that are known already, in the space of the mesh.
BindSolid bind_solid(const BindInput& input, const geometry::VoxelSolid& cells, Monitor& monitor = silent());

}  // namespace sinew::rig
