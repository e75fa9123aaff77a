#include "sinew/rig/parts/flat_body.h"

#include <algorithm>
#include <limits>
#include <queue>

#include <Eigen/Eigenvalues>

#include "sinew/geometry/topology.h"
#include "sinew/math/types.h"

namespace sinew::rig {
namespace {

using geometry::CutMesh;
using geometry::Vec3d;

/// The plane of a surface, if all its points are near it.
std::optional<Vec3d> sheet_normal(const CutMesh& surface, double flat) {
    Vec3d mean = Vec3d::Zero();
    for (const Vec3d& p : surface.points) mean += p / static_cast<double>(surface.points.size());
    math::Mat3d spread = math::Mat3d::Zero();
    for (const Vec3d& p : surface.points) spread += (p - mean) * (p - mean).transpose();
    const Vec3d normal = Eigen::SelfAdjointEigenSolver<math::Mat3d>(spread).eigenvectors().col(0);
    double off = 0, size = 0;
    for (const Vec3d& p : surface.points) {
        off = std::max(off, std::abs(normal.dot(p - mean)));
        size = std::max(size, (p - mean).norm());
    }
    if (!(size > 0) || off > flat * size) return std::nullopt;
    return normal;
}

/// Of each point along edges; 0 on the border, infinite where there is none.
std::vector<double> distances_to_border(const CutMesh& surface, const geometry::EdgeTable& table) {
    std::vector<std::vector<std::uint32_t>> around(surface.points.size());
    std::vector<double> distance(surface.points.size(), std::numeric_limits<double>::infinity());
    using Entry = std::pair<double, std::uint32_t>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
    for (const geometry::Edge& edge : table.edges) {
        around[edge.a].push_back(edge.b);
        around[edge.b].push_back(edge.a);
        if (table.around(edge).size() != 1) continue;
        for (const std::uint32_t p : {edge.a, edge.b}) {
            if (distance[p] > 0) queue.emplace(0, p);
            distance[p] = 0;
        }
    }
    while (!queue.empty()) {
        const auto [d, p] = queue.top();
        queue.pop();
        if (d > distance[p]) continue;
        for (const std::uint32_t next : around[p]) {
            const double there = d + (surface.points[next] - surface.points[p]).norm();
            if (there >= distance[next]) continue;
            distance[next] = there;
            queue.emplace(there, next);
        }
    }
    return distance;
}

}  // namespace

std::optional<geometry::Mesh> pillow_of(const CutMesh& surface, const PillowOptions& options) {
    const auto normal = sheet_normal(surface, options.flat);
    if (!normal) return std::nullopt;
    const geometry::EdgeTable table = geometry::edge_table(surface.triangles);
    const std::vector<double> distance = distances_to_border(surface, table);
    geometry::Mesh pillow;
    std::vector<std::uint32_t> other(surface.points.size());  // on the other side
    for (std::uint32_t p = 0; p < surface.points.size(); ++p) {
        if (distance[p] == std::numeric_limits<double>::infinity()) return std::nullopt;
        other[p] = p;
        pillow.positions.push_back((surface.points[p] + options.rise * distance[p] * *normal).cast<float>());
    }
    for (std::uint32_t p = 0; p < surface.points.size(); ++p) {
        if (distance[p] == 0) continue;
        other[p] = static_cast<std::uint32_t>(pillow.positions.size());
        pillow.positions.push_back((surface.points[p] - options.rise * distance[p] * *normal).cast<float>());
    }
    // The front must look along the normal.
    double facing = 0;
    for (const auto& [a, b, c] : surface.triangles)
        facing +=
            normal->dot((surface.points[b] - surface.points[a]).cross(surface.points[c] - surface.points[a]));
    for (const auto& [a, b, c] : surface.triangles)
        pillow.triangles.push_back(facing < 0 ? geometry::Triangle{a, c, b} : geometry::Triangle{a, b, c});
    for (std::size_t t = 0; t < surface.triangles.size(); ++t) {
        const auto [a, b, c] = pillow.triangles[t];
        pillow.triangles.push_back({other[a], other[c], other[b]});
    }
    return pillow;
}

}  // namespace sinew::rig
