// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Cells of the voxelised interior and shortest paths between them: geodesic distances inside a body.

#include <array>
#include <span>

#include "sinew/base/monitor.h"
#include "sinew/geometry/voxel_solid.h"
#include "sinew/rig/bind/bind_input.h"

namespace sinew::rig {
using math::Vec3d;

/// A cell and a path length in cells.
struct CellDistance {
    std::uint32_t cell = 0;
    float distance = 0;
};

/// Cells and their weights in the value at a point.
struct CellCorners {
    std::array<std::uint32_t, 8> cell{};
    std::array<float, 8> part{};
    std::uint32_t count = 0;

    /// Normalises the weights of the kept cells to sum 1; false when none is kept.
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

/// Interior cells numbered in lattice order; each is connected to its neighbours among the 26 surrounding
/// cells, with the distance of their centres.
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

    /// The cells around a point with weights of trilinear interpolation, normalised without corners outside
    /// the interior.
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

/// Shortest paths from seeds over a graph of cells; memory is kept between searches.
class CellSearch {
  public:
    explicit CellSearch(const CellGraph& graph);

    /// Shortest paths from the seeds to all reachable cells (Dijkstra). A cell is not entered when its path
    /// is longer than `limit[cell]`; an empty limit means no limit. The order of `reached()` is
    /// deterministic.
    void run(std::span<const CellDistance> seeds, std::span<const float> limit = {});

    float distance(std::uint32_t cell) const { return distance_[cell]; }
    const std::vector<float>& distances() const { return distance_; }
    /// Cells in the order in which their distance was determined, approximately nearest first.
    const std::vector<std::uint32_t>& reached() const { return reached_; }

  private:
    void enter(std::uint32_t cell, float distance);

    const CellGraph& graph_;
    std::vector<float> distance_;
    std::vector<std::uint8_t> settled_;
    std::vector<std::uint32_t> reached_;
    std::vector<std::vector<CellDistance>> buckets_;  // paths between i and i + 1
};

/// For each cell the largest distance from the seeds at which continuing from it can still affect any cell:
/// the maximum over all cells c of bound(c) minus the path length from the cell to c (computed by a search
/// with decreasing lengths).
std::vector<float> farthest_that_matters(const CellGraph& graph, std::span<const float> bound);

// --- Bones in the interior: which bones are inside, and which cells they cross

/// Resolution of the interior.
struct SolidSize {
    int resolution = 0;           ///< cells along the longest side, at most 512; 0 chooses it for `cells`
    std::size_t cells = 150'000;  ///< approximate number of interior cells
    int min_resolution = 48;
    int max_resolution =
        256;  ///< limit of the chosen resolution; bounds the memory to about 20 bytes times its cube
};

/// The interior of the mesh and the bones inside it.
struct BindSolid {
    CellGraph graph;
    int resolution = 0;  ///< cells along the longest side
    /// For each joint the cells that its bones cross, ignoring bones that are mostly outside. A joint with
    /// only such bones gets the nearest cells of its limb, those of its parent and children. A joint without
    /// cells does not move the mesh: a root on the floor, a handle beside the body.
    std::vector<std::vector<CellDistance>> seeds;
    std::vector<float> depth;       ///< per cell: distance from its centre to the nearest position outside
    std::vector<char> bone_counts;  ///< parallel to BindInput::bones
};

/// Path lengths from the nearest seed of any joint, in cells; infinite in pieces of the interior without
/// bones.
std::vector<float> nearest_distances(const BindSolid& solid);

/// The cells to interpolate for each position: the surrounding cells with a finite path or, if there is none,
/// the nearest such cell, and the position then moves to its centre.
std::vector<CellCorners> reached_corners(const BindSolid& solid, std::span<const float> distances,
                                         std::span<Vec3d> positions);

/// \throws Error when the mesh has no extent
BindSolid bind_solid(const BindInput& input, const SolidSize& size = {}, Monitor& monitor = silent());
/// The same with given cells, in the space of the mesh.
BindSolid bind_solid(const BindInput& input, const geometry::VoxelSolid& cells, Monitor& monitor = silent());

}  // namespace sinew::rig
