#include "sinew/deform/parts/seams.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "sinew/geometry/cut_mesh.h"

namespace sinew::deform {

using geometry::Triangle;

std::vector<std::array<int, 3>> triangles_across(const std::vector<Triangle>& triangles) {
    std::vector<std::array<int, 3>> across(triangles.size(), {-1, -1, -1});
    const geometry::EdgeTable table = geometry::edge_table(triangles);
    for (const geometry::Edge& edge : table.edges) {
        if (edge.count != 2) continue;
        const auto two = table.around(edge);
        for (int i = 0; i < 2; ++i) {
            const Triangle& t = triangles[two[static_cast<std::size_t>(i)]];
            for (std::size_t k = 0; k < 3; ++k) {
                if (std::minmax(t[k], t[(k + 1) % 3]) == std::minmax(edge.a, edge.b))
                    across[two[static_cast<std::size_t>(i)]][k] =
                        static_cast<int>(two[static_cast<std::size_t>(1 - i)]);
            }
        }
    }
    return across;
}

std::vector<int> part_depths(std::span<const int> parent) {
    std::vector<int> depths(parent.size(), 0);
    for (std::size_t p = 0; p < parent.size(); ++p)
        for (int up = parent[p]; up >= 0; up = parent[static_cast<std::size_t>(up)]) ++depths[p];
    return depths;
}

std::vector<Seam> find_seams(const geometry::CutMesh& cut, std::span<const int> parent) {
    const std::vector<std::array<int, 3>> across = triangles_across(cut.triangles);
    const std::vector<int> depths = part_depths(parent);
    const auto rank = [&](int part) { return std::pair(depths[static_cast<std::size_t>(part)], part); };
    std::map<std::pair<int, int>, std::vector<std::array<std::uint32_t, 2>>> edges;  // (child, parent)
    for (std::size_t t = 0; t < across.size(); ++t) {
        for (std::size_t k = 0; k < 3; ++k) {
            if (across[t][k] < 0) continue;
            const int own = cut.part_of[t], other = cut.part_of[static_cast<std::size_t>(across[t][k])];
            if (own == other || rank(own) < rank(other)) continue;
            edges[{own, other}].push_back({cut.triangles[t][k], cut.triangles[t][(k + 1) % 3]});
        }
    }
    std::vector<Seam> seams;
    for (auto& [parts, list] : edges) {
        for (geometry::BorderChain& chain : geometry::border_chains(std::move(list)))
            seams.push_back({parts.second, parts.first, std::move(chain.points), chain.closed});
    }
    std::ranges::sort(seams, {}, [](const Seam& s) { return std::tuple(s.child, s.parent, s.loop.front()); });
    return seams;
}

}  // namespace sinew::deform
