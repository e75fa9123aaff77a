#include "sinew/rig/bind/biharmonic.h"

#include <algorithm>
#include <cmath>

#include "sinew/rig/bind/bind_solid.h"
#include "sinew/rig/bind/bounded_solve.h"

namespace sinew::rig {
namespace {

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
    const BindSolid& solid;
    FaceNeighbours neighbours;
    std::vector<std::uint8_t> holders;
    std::vector<float> nearest;  // way to the nearest bone
    std::vector<float> limit;    // beyond which a joint has no part
};

JointField solve_joint(const Volume& volume, std::size_t joint, CellSearch& search, std::vector<double>& x,
                       double tolerance) {
    JointField field;
    search.run(volume.solid.seeds[joint], volume.limit);
    std::vector<std::uint32_t> free;
    for (const std::uint32_t cell : search.reached()) {
        if (volume.holders[cell] > 0) continue;
        free.push_back(cell);
        // The first guess: Shepard's weights of this joint and the nearest.
        const double ratio =
            (static_cast<double>(volume.nearest[cell]) + 0.5) / (static_cast<double>(search.way(cell)) + 0.5);
        x[cell] = std::pow(ratio, 4) / 2;
    }
    std::sort(free.begin(), free.end());
    for (const CellWay& seed : volume.solid.seeds[joint]) x[seed.cell] = 1.0 / volume.holders[seed.cell];
    minimize_bending(volume.neighbours, free, x, {tolerance, 1000});
    for (const std::uint32_t cell : search.reached()) {
        if (x[cell] > 1e-4) {
            field.cells.push_back(cell);
            field.weights.push_back(static_cast<float>(x[cell]));
        }
        x[cell] = 0;
    }
    return field;
}

std::vector<JointField> solve_all(const Volume& volume, double tolerance) {
    std::vector<JointField> fields(volume.solid.seeds.size());
    parallel_blocks(fields.size(), 4, [&](std::size_t begin, std::size_t end) {
        CellSearch search(volume.solid.graph);
        std::vector<double> x(volume.solid.graph.size(), 0);
        for (std::size_t j = begin; j < end; ++j)
            if (!volume.solid.seeds[j].empty()) fields[j] = solve_joint(volume, j, search, x, tolerance);
    });
    return fields;
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
    const BindSolid solid = bind_solid(input, solid_options, monitor);
    Volume volume{solid, face_neighbours(solid.graph), holders_of(solid), nearest_ways(solid), {}};
    volume.limit.resize(solid.graph.size());
    for (std::size_t c = 0; c < volume.limit.size(); ++c)
        volume.limit[c] = static_cast<float>(options.reach) * (volume.nearest[c] + 2);
    volume.limit = farthest_that_matters(solid.graph, volume.limit);
    const auto rows = rows_of(solve_all(volume, options.tolerance), solid.graph.size());
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
