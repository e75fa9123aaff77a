#include "sinew/geometry/cut_mesh.h"

#include <algorithm>

#include "sinew/geometry/topology.h"

namespace sinew::geometry {

std::vector<double> sampling_ratios(const CutMesh& cut) {
    std::vector<std::vector<double>> lengths(cut.part_count());
    const EdgeTable table = edge_table(cut.triangles);
    for (const Edge& edge : table.edges) {
        const double length = (cut.points[edge.a] - cut.points[edge.b]).norm();
        int last = -1;  // an edge counts once in each of its parts
        for (const std::uint32_t t : table.around(edge)) {
            if (cut.part_of[t] != last) lengths[static_cast<std::size_t>(cut.part_of[t])].push_back(length);
            last = cut.part_of[t];
        }
    }
    std::vector<double> ratios;
    for (std::vector<double>& of_part : lengths) {
        if (of_part.empty()) {
            ratios.push_back(1);
            continue;
        }
        const auto middle = of_part.begin() + static_cast<std::ptrdiff_t>(of_part.size() / 2);
        std::nth_element(of_part.begin(), middle, of_part.end());
        const double longest = *std::max_element(middle, of_part.end());
        ratios.push_back(*middle > 0 ? longest / *middle : 1);
    }
    return ratios;
}

void check_surface(const Mesh& mesh, const CutMesh& cut, Monitor& monitor,
                   const SurfaceCheckOptions& options) {
    const Topology surface = topology(mesh);
    if (!surface.closed)
        warn(monitor, "parts-open-surface",
             "the surface has {} open edges in {} holes: parts are closed over them, patches are not",
             surface.border_edges, surface.border_loops);
    if (!surface.manifold)
        warn(monitor, "parts-nonmanifold", "{} edges and {} vertices are not those of one surface",
             surface.nonmanifold_edges.size(), surface.nonmanifold_vertices.size());
    if (surface.genus.value_or(0) > 0)
        warn(monitor, "parts-genus", "the surface has {} handles: a tree of parts must cut each of them open",
             *surface.genus);
    const std::vector<double> ratios = sampling_ratios(cut);
    const auto worst = std::max_element(ratios.begin(), ratios.end());
    if (worst != ratios.end() && *worst > options.sampling_ratio)
        warn(monitor, "parts-sampling",
             "the longest edge of part \"{}\" is {:.3g} times its median edge: patches are best where edges "
             "are alike; divide long edges first",
             cut.names[static_cast<std::size_t>(worst - ratios.begin())], *worst);
}

}  // namespace sinew::geometry
