#include "sinew/rig/bind/bind_solid.h"

#include <algorithm>
#include <cmath>

namespace sinew::rig {

CellGraph::CellGraph(const geometry::VoxelSolid& solid)
    : origin_(solid.lattice.origin),
      cell_(solid.cell()),
      points_(solid.lattice.points),
      cell_of_(solid.inside.size(), none) {
    const auto nx = static_cast<std::ptrdiff_t>(points_[0]);
    const std::ptrdiff_t strides[3] = {1, nx, nx * static_cast<std::ptrdiff_t>(points_[1])};
    std::size_t count = 0;
    for (int k = -1; k <= 1; ++k) {
        for (int j = -1; j <= 1; ++j) {
            for (int i = -1; i <= 1; ++i) {
                if (i == 0 && j == 0 && k == 0) continue;
                steps_[count++] = {i + j * strides[1] + k * strides[2],
                                   std::sqrt(static_cast<float>(i * i + j * j + k * k))};
            }
        }
    }
    for (std::size_t i = 0; i < solid.inside.size(); ++i) {
        if (solid.inside[i] == 0) continue;
        cell_of_[i] = static_cast<std::uint32_t>(lattice_index_.size());
        lattice_index_.push_back(static_cast<std::uint32_t>(i));
    }
    mask_.assign(size(), 0);
    for (std::size_t c = 0; c < size(); ++c) {
        const auto here = static_cast<std::ptrdiff_t>(lattice_index_[c]);
        for (std::size_t s = 0; s < steps_.size(); ++s) {
            // The lattice has a cell to spare around the solid, so that a step never leaves it.
            if (cell_of_[static_cast<std::size_t>(here + steps_[s].offset)] != none) mask_[c] |= 1u << s;
        }
    }
}

Vec3d CellGraph::center(std::uint32_t cell) const {
    const std::size_t i = lattice_index_[cell];
    return origin_ + cell_ * Vec3d(static_cast<double>(i % points_[0]),
                                   static_cast<double>(i / points_[0] % points_[1]),
                                   static_cast<double>(i / (points_[0] * points_[1])));
}

std::uint32_t CellGraph::at(const Vec3d& point) const {
    std::size_t index = 0, stride = 1;
    for (int a = 0; a < 3; ++a) {
        const auto axis = static_cast<std::size_t>(a);
        const double place = std::floor((point[a] - origin_[a]) / cell_ + 0.5);
        if (!(place >= 0) || place >= static_cast<double>(points_[axis])) return none;
        index += static_cast<std::size_t>(place) * stride;
        stride *= points_[axis];
    }
    return cell_of_[index];
}

CellCorners CellGraph::around(const Vec3d& point) const {
    CellCorners corners;
    const Vec3d place = (point - origin_) / cell_;
    Vec3d low;
    for (int a = 0; a < 3; ++a) {
        low[a] = std::floor(place[a]);
        const auto last = static_cast<double>(points_[static_cast<std::size_t>(a)] - 1);
        if (!(low[a] >= 0) || low[a] >= last) return corners;
    }
    const Vec3d part = place - low;
    const std::size_t first =
        static_cast<std::size_t>(low.x()) +
        points_[0] * (static_cast<std::size_t>(low.y()) + points_[1] * static_cast<std::size_t>(low.z()));
    for (std::size_t i = 0; i < 8; ++i) {
        const std::size_t x = i & 1, y = i >> 1 & 1, z = i >> 2;
        const std::uint32_t cell = cell_of_[first + x + points_[0] * (y + points_[1] * z)];
        const double weight = (x != 0 ? part.x() : 1 - part.x()) * (y != 0 ? part.y() : 1 - part.y()) *
                              (z != 0 ? part.z() : 1 - part.z());
        if (cell == none || weight <= 0) continue;
        corners.cell[corners.count] = cell;
        corners.part[corners.count++] = static_cast<float>(weight);
    }
    return corners;
}

CellSearch::CellSearch(const CellGraph& graph)
    : graph_(graph), way_(graph.size(), CellGraph::unreached), settled_(graph.size(), 0) {}

void CellSearch::enter(std::uint32_t cell, float way) {
    if (way >= way_[cell]) return;
    way_[cell] = way;
    const auto bucket = static_cast<std::size_t>(way);
    if (bucket >= buckets_.size()) buckets_.resize(bucket + 1);
    buckets_[bucket].push_back({cell, way});
}

void CellSearch::run(std::span<const CellWay> seeds, std::span<const float> limit) {
    for (const std::uint32_t cell : reached_) {
        way_[cell] = CellGraph::unreached;
        settled_[cell] = 0;
    }
    reached_.clear();
    const auto allowed = [&](std::uint32_t cell, float way) { return limit.empty() || way <= limit[cell]; };
    for (const CellWay& seed : seeds)
        if (allowed(seed.cell, seed.way)) enter(seed.cell, seed.way);
    // No step is shorter than a bucket, so that within a bucket the order does not matter (Dial 1969; Denardo
    // and Fox 1979).
    for (std::size_t b = 0; b < buckets_.size(); ++b) {
        for (std::size_t i = 0; i < buckets_[b].size(); ++i) {
            const auto [cell, way] = buckets_[b][i];
            if (settled_[cell] != 0 || way > way_[cell]) continue;
            settled_[cell] = 1;
            reached_.push_back(cell);
            graph_.for_each_neighbour(cell, [&, here = way](std::uint32_t next, float length) {
                if (allowed(next, here + length)) enter(next, here + length);
            });
        }
        buckets_[b].clear();
    }
}

std::vector<float> farthest_that_matters(const CellGraph& graph, std::span<const float> bound) {
    // With `most` taken away from everything and the sign turned, this is a search from all bounds at once.
    float most = 0;
    for (const float value : bound)
        if (value < CellGraph::unreached) most = std::max(most, value);
    std::vector<CellWay> seeds;
    for (std::uint32_t c = 0; c < bound.size(); ++c)
        if (bound[c] >= 0 && bound[c] < CellGraph::unreached) seeds.push_back({c, most - bound[c]});
    CellSearch search(graph);
    search.run(seeds);
    std::vector<float> farthest = search.ways();
    for (float& value : farthest) value = most - value;
    return farthest;
}

}  // namespace sinew::rig
