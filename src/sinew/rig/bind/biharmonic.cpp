#include "sinew/rig/bind/biharmonic.h"

#include <algorithm>
#include <cmath>

#include "sinew/rig/bind/bind_solid.h"
#include "sinew/rig/bind/bounded_solve.h"

namespace sinew::rig {
namespace {

/// Cells along the longest side of the coarsest lattice.
constexpr int coarsest = 16;

FaceNeighbours face_neighbours(const CellGraph& graph) {
    FaceNeighbours all(graph.size());
    for (std::uint32_t c = 0; c < all.size(); ++c) {
        all[c].fill(c);
        std::size_t count = 0;
        graph.for_each_neighbour(c, [&](std::uint32_t n, float length) {
            if (length < 1.2f) all[c][count++] = n;
        });
    }
    return all;
}

/// How many joints hold each cell.
std::vector<std::uint8_t> holders_of(const BindSolid& solid) {
    std::vector<std::uint8_t> holders(solid.graph.size(), 0);
    std::vector<std::uint32_t> last(holders.size(), CellGraph::none);
    for (std::uint32_t j = 0; j < solid.seeds.size(); ++j) {
        for (const CellWay& seed : solid.seeds[j]) {
            if (last[seed.cell] == j || holders[seed.cell] == 255) continue;
            last[seed.cell] = j;
            ++holders[seed.cell];
        }
    }
    return holders;
}

/// The weights of one joint where they are not 0.
struct JointField {
    std::vector<std::uint32_t> cells;
    std::vector<float> weights;
};

/// What all joints share.
struct Volume {
    BindSolid solid;
    FaceNeighbours neighbours;
    std::vector<std::uint8_t> holders;
    std::vector<float> nearest;  // way to the nearest bone
    std::vector<float> limit;    // beyond which a joint has no part

    Volume(BindSolid of, double reach)
        : solid(std::move(of)),
          neighbours(face_neighbours(solid.graph)),
          holders(holders_of(solid)),
          nearest(nearest_ways(solid)),
          limit(nearest.size()) {
        for (std::size_t c = 0; c < limit.size(); ++c)
            limit[c] = static_cast<float>(reach) * (nearest[c] + 1);
        limit = farthest_that_matters(solid.graph, limit);
    }
};

/// The solution on a coarser lattice, to start from: smooth errors, which conjugate gradients are slow to
/// find, are gone from it (cascadic multigrid; Bornemann and Deuflhard 1996).
struct FirstGuess {
    std::vector<CellCorners> corners;  // of each cell, in the coarser volume
    std::vector<JointField> fields;
    std::size_t cells = 0;
};

/// Works on one joint after the other, with memory that is kept.
class JointSolver {
  public:
    JointSolver(const Volume& volume, const FirstGuess& guess)
        : volume_(volume),
          guess_(guess),
          search_(volume.solid.graph),
          x_(volume.solid.graph.size(), 0),
          coarse_(guess.cells, 0) {}

    JointField solve(std::size_t joint, double tolerance) {
        const auto& seeds = volume_.solid.seeds[joint];
        search_.run(seeds, volume_.limit);
        std::vector<std::uint32_t> free;
        for (const std::uint32_t cell : search_.reached())
            if (volume_.holders[cell] == 0) free.push_back(cell);
        std::sort(free.begin(), free.end());
        start(joint, free);
        for (const CellWay& seed : seeds) x_[seed.cell] = 1.0 / volume_.holders[seed.cell];
        minimize_bending(volume_.neighbours, free, x_, {tolerance, 1000});
        JointField field;
        for (const std::uint32_t cell : search_.reached()) {
            if (x_[cell] > 1e-4) {
                field.cells.push_back(cell);
                field.weights.push_back(static_cast<float>(x_[cell]));
            }
            x_[cell] = 0;
        }
        return field;
    }

  private:
    void start(std::size_t joint, std::span<const std::uint32_t> free) {
        if (guess_.fields.empty()) return;
        const JointField& known = guess_.fields[joint];
        for (std::size_t i = 0; i < known.cells.size(); ++i)
            coarse_[known.cells[i]] = static_cast<double>(known.weights[i]);
        for (const std::uint32_t cell : free) {
            const CellCorners& corners = guess_.corners[cell];
            for (std::uint32_t i = 0; i < corners.count; ++i)
                x_[cell] += static_cast<double>(corners.part[i]) * coarse_[corners.cell[i]];
        }
        for (const std::uint32_t cell : known.cells) coarse_[cell] = 0;
    }

    const Volume& volume_;
    const FirstGuess& guess_;
    CellSearch search_;
    std::vector<double> x_, coarse_;
};

std::vector<JointField> solve_all(const Volume& volume, const FirstGuess& guess, double tolerance) {
    std::vector<JointField> fields(volume.solid.seeds.size());
    parallel_blocks(fields.size(), 4, [&](std::size_t begin, std::size_t end) {
        JointSolver solver(volume, guess);
        for (std::size_t j = begin; j < end; ++j)
            if (!volume.solid.seeds[j].empty()) fields[j] = solver.solve(j, tolerance);
    });
    return fields;
}

/// Solves on lattices with twice the cell until the body is coarse, then back.
std::vector<JointField> solve_levels(const BindInput& input, const Volume& volume,
                                     const BiharmonicOptions& options) {
    FirstGuess guess;
    if (volume.solid.resolution >= 2 * coarsest) {
        BindSolidOptions coarser;
        coarser.resolution = volume.solid.resolution / 2;
        const Volume below(bind_solid(input, coarser), options.reach);
        guess.fields = solve_levels(input, below, options);
        guess.cells = below.solid.graph.size();
        std::vector<Vec3d> centers(volume.solid.graph.size());
        for (std::uint32_t c = 0; c < centers.size(); ++c) centers[c] = volume.solid.graph.center(c);
        guess.corners = reached_corners(below.solid, below.nearest, centers);
    }
    return solve_all(volume, guess, options.tolerance);
}

/// Rows of cells with the sum 1.
std::vector<std::vector<JointWeight>> rows_of(const std::vector<JointField>& fields, std::size_t cells) {
    std::vector<std::vector<JointWeight>> rows(cells);
    for (std::size_t j = 0; j < fields.size(); ++j)
        for (std::size_t i = 0; i < fields[j].cells.size(); ++i)
            rows[fields[j].cells[i]].push_back(
                {static_cast<int>(j), static_cast<double>(fields[j].weights[i])});
    for (auto& row : rows) {
        double sum = 0;
        for (const JointWeight& entry : row) sum += entry.weight;
        for (JointWeight& entry : row) entry.weight /= sum;
    }
    return rows;
}

}  // namespace

WeightTable biharmonic_weights(const geometry::Mesh& mesh, const model::Skeleton& skeleton,
                               const BiharmonicOptions& options, Monitor& monitor) {
    const BindInput input = bind_input(mesh, skeleton);
    BindSolidOptions solid_options;
    solid_options.resolution = options.resolution;
    solid_options.cells = options.cells;
    solid_options.least_resolution = 32;
    const Volume volume(bind_solid(input, solid_options, monitor), options.reach);
    const BindSolid& solid = volume.solid;
    const auto rows = rows_of(solve_levels(input, volume, options), solid.graph.size());
    step(monitor, "weights", 0.9);
    std::vector<Vec3d> places = input.points;
    const std::vector<CellCorners> corners = reached_corners(solid, volume.nearest, places);
    return table_by_point(input, [&](std::size_t p, std::vector<JointWeight>& row) {
        for (std::uint32_t i = 0; i < corners[p].count; ++i)
            for (const JointWeight& entry : rows[corners[p].cell[i]])
                row.push_back({entry.joint, static_cast<double>(corners[p].part[i]) * entry.weight});
    });
}

}  // namespace sinew::rig
