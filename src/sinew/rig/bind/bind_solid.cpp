#include "sinew/rig/bind/bind_solid.h"

#include <algorithm>
#include <cmath>

#include "sinew/geometry/surface_queries.h"

namespace sinew::rig {
namespace {

int resolution_for(const geometry::Mesh& mesh, const BindSolidOptions& options) {
    if (options.resolution > 0) return std::min(options.resolution, 512);
    const int coarse = options.least_resolution;
    const auto count = static_cast<double>(geometry::voxel_solid(mesh, {coarse, true, true}).count());
    const double finer = std::cbrt(static_cast<double>(options.cells) / std::max(count, 1.0));
    return std::clamp(static_cast<int>(coarse * finer), coarse, options.most_resolution);
}

/// Places along a bone, half a cell apart.
template <class Body>
void for_each_place(const BoneSegment& bone, double cell, const Body& body) {
    const auto steps = static_cast<std::size_t>(std::ceil(2 * (bone.end - bone.start).norm() / cell));
    for (std::size_t i = 0; i <= steps; ++i) {
        const double part = steps > 0 ? static_cast<double>(i) / static_cast<double>(steps) : 0;
        body(Vec3d(bone.start + part * (bone.end - bone.start)));
    }
}

/// The cells that a bone crosses, and whether at least half of it lies in cells.
bool crossed_cells(const CellGraph& graph, const BoneSegment& bone, std::vector<CellWay>& cells) {
    std::size_t places = 0, inside = 0;
    for_each_place(bone, graph.cell(), [&](const Vec3d& place) {
        const std::uint32_t cell = graph.at(place);
        ++places;
        if (cell == CellGraph::none) return;
        ++inside;
        if (cells.empty() || cells.back().cell != cell) cells.push_back({cell, 0});
    });
    return 2 * inside >= places;
}

std::vector<geometry::Triangle> reached_cells(std::span<const float> ways) {
    std::vector<geometry::Triangle> cells;  // a triangle without extent is a point that can be nearest
    for (std::uint32_t c = 0; c < ways.size(); ++c)
        if (ways[c] < CellGraph::unreached) cells.push_back({c, c, c});
    return cells;
}

std::vector<math::Vec3f> centers_of(const CellGraph& graph) {
    std::vector<math::Vec3f> centers(graph.size());
    for (std::uint32_t c = 0; c < centers.size(); ++c) centers[c] = graph.center(c).cast<float>();
    return centers;
}

/// Finds the cell that is nearest to a point among those with a finite way, of which there must be one.
class NearestCell {
  public:
    NearestCell(const CellGraph& graph, std::span<const float> ways)
        : cells_(reached_cells(ways)), places_(centers_of(graph), cells_) {}
    std::uint32_t operator()(const Vec3d& point) const {
        const auto near = places_.nearest(point.cast<float>());
        return near ? cells_[near->triangle][0] : cells_.front()[0];
    }

  private:
    std::vector<geometry::Triangle> cells_;
    geometry::SurfaceQueries places_;
};

/// When no bone lies in the solid, each starts from the cell that is nearest to it.
void seed_from_nearest(const BindInput& input, BindSolid& solid) {
    const std::vector<float> everywhere(solid.graph.size(), 0);
    const NearestCell nearest(solid.graph, everywhere);
    for (std::size_t b = 0; b < input.bones.size(); ++b) {
        const BoneSegment& bone = input.bones[b];
        CellWay best{0, CellGraph::unreached};
        for_each_place(bone, (bone.end - bone.start).norm() / 8, [&](const Vec3d& place) {
            const std::uint32_t cell = nearest(place);
            const auto way =
                static_cast<float>((solid.graph.center(cell) - place).norm() / solid.graph.cell());
            if (way < best.way) best = {cell, way};
        });
        solid.seeds[static_cast<std::size_t>(bone.joint)].push_back(best);
        solid.bone_counts[b] = 1;
    }
}

}  // namespace

std::vector<float> nearest_ways(const BindSolid& solid) {
    std::vector<CellWay> seeds;
    for (const auto& of_joint : solid.seeds) seeds.insert(seeds.end(), of_joint.begin(), of_joint.end());
    CellSearch search(solid.graph);
    search.run(seeds);
    return search.ways();
}

std::vector<CellCorners> reached_corners(const BindSolid& solid, std::span<const float> ways,
                                         std::span<Vec3d> places) {
    std::vector<CellCorners> corners(places.size());
    const auto reached = [&](std::uint32_t cell) { return ways[cell] < CellGraph::unreached; };
    parallel_for(places.size(), 1024, [&](std::size_t p) {
        corners[p] = solid.graph.around(places[p]);
        corners[p].keep(reached);
    });
    const auto lost = [](const CellCorners& c) { return c.count == 0; };
    if (std::none_of(corners.begin(), corners.end(), lost)) return corners;
    const NearestCell nearest(solid.graph, ways);
    parallel_for(places.size(), 1024, [&](std::size_t p) {
        if (!lost(corners[p])) return;
        corners[p].cell[0] = nearest(places[p]);
        corners[p].part[0] = 1;
        corners[p].count = 1;
        places[p] = solid.graph.center(corners[p].cell[0]);
    });
    return corners;
}

BindSolid bind_solid(const BindInput& input, const BindSolidOptions& options, Monitor& monitor) {
    const geometry::Mesh mesh = mesh_of(input);
    const int resolution = resolution_for(mesh, options);
    const geometry::VoxelSolid cells = geometry::voxel_solid(mesh, {resolution, true, true}, monitor);
    BindSolid solid{CellGraph(cells), resolution, {}, {}, {}, 0};
    const std::vector<float> signed_depth = geometry::signed_distance(cells);
    for (std::size_t i = 0; i < signed_depth.size(); ++i)
        if (cells.inside[i] != 0) solid.depth.push_back(-signed_depth[i]);
    solid.seeds.resize(input.joints());
    solid.bone_counts.assign(input.bones.size(), 0);
    std::vector<CellWay> crossed;
    for (std::size_t b = 0; b < input.bones.size(); ++b) {
        crossed.clear();
        if (!crossed_cells(solid.graph, input.bones[b], crossed)) continue;
        solid.bone_counts[b] = 1;
        auto& seeds = solid.seeds[static_cast<std::size_t>(input.bones[b].joint)];
        seeds.insert(seeds.end(), crossed.begin(), crossed.end());
    }
    const auto idle = [](const auto& seeds) { return seeds.empty(); };
    if (std::all_of(solid.seeds.begin(), solid.seeds.end(), idle)) {
        warn(monitor, "skeleton-outside",
             "no bone lies in the mesh: each starts from the nearest part of it");
        seed_from_nearest(input, solid);
    }
    solid.idle_joints = static_cast<std::size_t>(std::count_if(solid.seeds.begin(), solid.seeds.end(), idle));
    return solid;
}

}  // namespace sinew::rig
