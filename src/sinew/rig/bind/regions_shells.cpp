#include "sinew/rig/bind/regions_shells.h"

#include <algorithm>
#include <map>

#include "sinew/base/parallel.h"

namespace sinew::rig {
namespace {

using Row = std::vector<JointWeight>;

/// Triangles whose corners all have a region.
std::vector<geometry::Triangle> body_triangles(const RegionSurface& surface,
                                               const std::vector<int>& regions) {
    std::vector<geometry::Triangle> body;
    for (const geometry::Triangle& t : surface.triangles)
        if (std::all_of(t.begin(), t.end(), [&](std::uint32_t v) { return regions[v] >= 0; }))
            body.push_back(t);
    return body;
}

Row mean_row(const std::vector<const Row*>& rows) {
    std::map<int, double> sum;
    for (const Row* row : rows)
        for (const JointWeight& entry : *row) sum[entry.joint] += entry.weight;
    Row mean;
    for (const auto& [joint, weight] : sum)
        mean.push_back({joint, weight / static_cast<double>(rows.size())});
    return mean;
}

/// One row for all vertices of each small shell.
void stiffen_small(const RegionSurface& surface, const std::vector<std::uint32_t>& loose,
                   std::vector<int>& regions, std::vector<Row>& rows, double small) {
    std::vector<std::vector<std::uint32_t>> shells(surface.shells);
    for (const std::uint32_t v : loose)
        if (surface.shell_of[v] != RegionSurface::none) shells[surface.shell_of[v]].push_back(v);
    for (const auto& shell : shells) {
        if (shell.empty()) continue;
        geometry::Box box;
        std::vector<const Row*> all;
        for (const std::uint32_t v : shell) {
            box.include(surface.positions[v].cast<float>());
            all.push_back(&rows[v]);
        }
        if (static_cast<double>(box.diagonal()) > small) continue;
        const Row mean = mean_row(all);
        const auto heaviest = std::max_element(
            mean.begin(), mean.end(), [](const auto& a, const auto& b) { return a.weight < b.weight; });
        for (const std::uint32_t v : shell) {
            rows[v] = mean;
            regions[v] = heaviest->joint;
        }
    }
}

}  // namespace

void attach_shells(const RegionSurface& surface, std::vector<int>& regions, std::vector<Row>& rows,
                   double small) {
    std::vector<std::uint32_t> loose;
    for (std::uint32_t v = 0; v < regions.size(); ++v)
        if (regions[v] < 0) loose.push_back(v);
    if (loose.empty()) return;
    std::vector<math::Vec3f> positions;
    for (const Vec3d& p : surface.positions) positions.emplace_back(p.cast<float>());
    const auto body = body_triangles(surface, regions);
    const geometry::SurfaceQueries queries(positions, body);
    std::vector<std::uint32_t> near(loose.size());
    parallel_for(loose.size(), 64, [&](std::size_t i) {
        const auto hit = queries.nearest(positions[loose[i]]);
        const auto& t = body[hit->triangle];
        near[i] = *std::min_element(t.begin(), t.end(), [&](std::uint32_t a, std::uint32_t b) {
            const auto off = [&](std::uint32_t v) { return (positions[v] - hit->position).squaredNorm(); };
            return off(a) < off(b);
        });
    });
    for (std::size_t i = 0; i < loose.size(); ++i) {
        regions[loose[i]] = regions[near[i]];
        rows[loose[i]] = rows[near[i]];
    }
    stiffen_small(surface, loose, regions, rows, small);
}

}  // namespace sinew::rig
