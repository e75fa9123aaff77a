// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/rig/bind/bind_solid.h"
#include "sinew/rig/bind/methods.h"

namespace sinew::rig {
namespace {

/// The matrix K K restricted to the free cells.
class Bending {
  public:
    Bending(const FaceNeighbours& neighbours, std::span<const std::uint32_t> free)
        : neighbours_(neighbours), free_(free), once_(neighbours.size(), 0), full_(neighbours.size(), 0) {
        std::vector<char> seen(neighbours.size(), 0);
        const auto add = [&](std::uint32_t cell) {
            if (seen[cell] == 0) ring_.push_back(cell);
            seen[cell] = 1;
        };
        for (const std::uint32_t cell : free) {
            add(cell);
            for (const std::uint32_t n : neighbours[cell]) add(n);
        }
        std::sort(ring_.begin(), ring_.end());
    }

    /// (K K x) on the free cells, x given on all.
    void apply_full(const std::vector<double>& x, std::vector<double>& result) {
        for (const std::uint32_t cell : ring_) once_[cell] = difference(x, cell);
        for (std::size_t i = 0; i < free_.size(); ++i) result[i] = difference(once_, free_[i]);
    }
    /// The same for a vector that is 0 on the other cells.
    void apply(const std::vector<double>& direction, std::vector<double>& result) {
        for (std::size_t i = 0; i < free_.size(); ++i) full_[free_[i]] = direction[i];
        apply_full(full_, result);
    }

  private:
    double difference(const std::vector<double>& x, std::uint32_t cell) const {
        const auto& n = neighbours_[cell];
        return 6 * x[cell] - (x[n[0]] + x[n[1]] + x[n[2]] + x[n[3]] + x[n[4]] + x[n[5]]);
    }

    const FaceNeighbours& neighbours_;
    std::span<const std::uint32_t> free_;
    std::vector<std::uint32_t> ring_;  // the free cells and their neighbours
    std::vector<double> once_, full_;
};

using Vector = std::vector<double>;

double dot(const Vector& a, const Vector& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
}

/// The largest eigenvalue of K is below 12.
constexpr double safe_step = 1.9 / 144;

/// Splits the gradient: `inner` away from the bounds, `edge` where a step off a bound decreases the energy.
void split(const Vector& x, const Vector& gradient, Vector& inner, Vector& edge) {
    for (std::size_t i = 0; i < x.size(); ++i) {
        const bool low = x[i] <= 0, high = x[i] >= 1;
        inner[i] = low || high ? 0 : gradient[i];
        edge[i] = low ? std::min(gradient[i], 0.0) : high ? std::max(gradient[i], 0.0) : 0;
    }
}

/// Largest step for which x - step * direction stays within the bounds.
double feasible_step(const Vector& x, const Vector& direction) {
    double max = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < x.size(); ++i) {
        if (direction[i] > 0) max = std::min(max, x[i] / direction[i]);
        if (direction[i] < 0) max = std::min(max, (x[i] - 1) / direction[i]);
    }
    return max;
}

void advance(Vector& x, double step, const Vector& direction) {
    for (std::size_t i = 0; i < x.size(); ++i) x[i] -= step * direction[i];
}

/// One search: the state kept between steps.
struct Search {
    Bending& bending;
    Vector constant;  // the gradient where x is 0
    Vector x, gradient, inner, edge, direction, product;

    Search(Bending& matrix, std::size_t size)
        : bending(matrix),
          constant(size),
          x(size),
          gradient(size),
          inner(size),
          edge(size),
          direction(size),
          product(size) {}

    void renew_gradient() {
        bending.apply(x, gradient);
        for (std::size_t i = 0; i < x.size(); ++i) gradient[i] += constant[i];
        split(x, gradient, inner, edge);
    }

    /// A step of conjugate gradients, cut at the bounds and then pushed onto them.
    void go_inside() {
        bending.apply(direction, product);
        const double curvature = dot(direction, product);
        const double wanted = curvature > 0 ? dot(gradient, direction) / curvature : 0;
        const double max = feasible_step(x, direction);
        if (wanted <= max) {
            advance(x, wanted, direction);
            advance(gradient, wanted, product);
            split(x, gradient, inner, edge);
            const double conjugate_factor = curvature > 0 ? dot(inner, product) / curvature : 0;
            for (std::size_t i = 0; i < x.size(); ++i)
                direction[i] = inner[i] - conjugate_factor * direction[i];
            return;
        }
        advance(x, max, direction);
        advance(gradient, max, product);
        split(x, gradient, inner, edge);
        advance(x, safe_step, inner);
        for (double& value : x) value = std::clamp(value, 0.0, 1.0);
        renew_gradient();
        direction = inner;
    }

    /// A step off the bounds.
    void leave_bounds() {
        bending.apply(edge, product);
        const double curvature = dot(edge, product);
        const double wanted = curvature > 0 ? dot(gradient, edge) / curvature : 0;
        advance(x, std::min(wanted, feasible_step(x, edge)), edge);
        for (double& value : x) value = std::clamp(value, 0.0, 1.0);
        renew_gradient();
        direction = inner;
    }
};

}  // namespace

int minimize_bending(const FaceNeighbours& neighbours, std::span<const std::uint32_t> free,
                     std::vector<double>& x, double tolerance, int max_steps) {
    if (free.empty()) return 0;
    Bending bending(neighbours, free);
    Search search(bending, free.size());
    Vector fixed = x;
    for (const std::uint32_t cell : free) fixed[cell] = 0;
    bending.apply_full(fixed, search.constant);
    for (std::size_t i = 0; i < free.size(); ++i) search.x[i] = std::clamp(x[free[i]], 0.0, 1.0);
    search.renew_gradient();
    search.direction = search.inner;
    const double enough = tolerance * tolerance * dot(search.constant, search.constant);
    int steps = 0;
    for (; steps < max_steps; ++steps) {
        const double inside = dot(search.inner, search.inner), outside = dot(search.edge, search.edge);
        if (!(inside + outside > enough)) break;
        if (outside <= inside)
            search.go_inside();
        else
            search.leave_bounds();
    }
    for (std::size_t i = 0; i < free.size(); ++i) x[free[i]] = search.x[i];
    return steps;
}

namespace {

/// Cells along the longest side of the coarsest lattice.
constexpr int coarsest = 16;
/// A joint has no weight where another is nearer by this factor along paths inside the body.
constexpr float field_reach = 4;
/// Of the solution of each joint.
constexpr double joint_tolerance = 3e-3;

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

/// Number of joints that fix each cell.
std::vector<std::uint8_t> holders_of(const BindSolid& solid) {
    std::vector<std::uint8_t> holders(solid.graph.size(), 0);
    std::vector<std::uint32_t> last(holders.size(), CellGraph::none);
    for (std::uint32_t j = 0; j < solid.seeds.size(); ++j) {
        for (const CellDistance& seed : solid.seeds[j]) {
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
    std::vector<float> nearest;  // path to the nearest bone
    std::vector<float> limit;    // beyond which a joint has no weight

    explicit Volume(BindSolid of)
        : solid(std::move(of)),
          neighbours(face_neighbours(solid.graph)),
          holders(holders_of(solid)),
          nearest(nearest_distances(solid)),
          limit(nearest.size()) {
        for (std::size_t c = 0; c < limit.size(); ++c) limit[c] = field_reach * (nearest[c] + 1);
        limit = farthest_that_matters(solid.graph, limit);
    }
};

/// The start value, solved on a coarser lattice: it has no smooth errors, which conjugate gradients reduce
/// slowly (cascadic multigrid; Bornemann and Deuflhard 1996).
struct FirstGuess {
    std::vector<CellCorners> corners;  // of each cell, in the coarser volume
    std::vector<JointField> fields;
    std::size_t cells = 0;
};

/// Processes one joint after the other, and keeps its memory.
class JointSolver {
  public:
    JointSolver(const Volume& volume, const FirstGuess& guess)
        : volume_(volume),
          guess_(guess),
          search_(volume.solid.graph),
          x_(volume.solid.graph.size(), 0),
          coarse_(guess.cells, 0) {}

    JointField solve(std::size_t joint) {
        const auto& seeds = volume_.solid.seeds[joint];
        search_.run(seeds, volume_.limit);
        std::vector<std::uint32_t> free;
        for (const std::uint32_t cell : search_.reached())
            if (volume_.holders[cell] == 0) free.push_back(cell);
        std::sort(free.begin(), free.end());
        start(joint, free);
        for (const CellDistance& seed : seeds) x_[seed.cell] = 1.0 / volume_.holders[seed.cell];
        minimize_bending(volume_.neighbours, free, x_, joint_tolerance);
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

std::vector<JointField> solve_all(const Volume& volume, const FirstGuess& guess) {
    std::vector<JointField> fields(volume.solid.seeds.size());
    parallel_blocks(fields.size(), 4, [&](std::size_t begin, std::size_t end) {
        JointSolver solver(volume, guess);
        for (std::size_t j = begin; j < end; ++j)
            if (!volume.solid.seeds[j].empty()) fields[j] = solver.solve(j);
    });
    return fields;
}

/// Solves from the coarsest lattice to the finest, with the cell size halved each time.
std::vector<JointField> solve_levels(const BindInput& input, const Volume& volume) {
    FirstGuess guess;
    if (volume.solid.resolution >= 2 * coarsest) {
        const Volume below(bind_solid(input, SolidSize{.resolution = volume.solid.resolution / 2}));
        guess.fields = solve_levels(input, below);
        guess.cells = below.solid.graph.size();
        std::vector<Vec3d> centers(volume.solid.graph.size());
        for (std::uint32_t c = 0; c < centers.size(); ++c) centers[c] = volume.solid.graph.center(c);
        guess.corners = reached_corners(below.solid, below.nearest, centers);
    }
    return solve_all(volume, guess);
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

WeightTable biharmonic_weights(const geometry::Mesh& mesh, const model::Skeleton& skeleton, Monitor& monitor,
                               std::size_t cells) {
    const BindInput input = bind_input(mesh, skeleton);
    const SolidSize size{.cells = cells, .min_resolution = 32};
    const Volume volume(bind_solid(input, size, monitor));
    const BindSolid& solid = volume.solid;
    const auto rows = rows_of(solve_levels(input, volume), solid.graph.size());
    step(monitor, "weights", 0.9);
    std::vector<Vec3d> positions = input.points;
    const std::vector<CellCorners> corners = reached_corners(solid, volume.nearest, positions);
    return table_by_point(input, [&](std::size_t p, std::vector<JointWeight>& row) {
        for (std::uint32_t i = 0; i < corners[p].count; ++i)
            for (const JointWeight& entry : rows[corners[p].cell[i]])
                row.push_back({entry.joint, static_cast<double>(corners[p].part[i]) * entry.weight});
    });
}

}  // namespace sinew::rig
