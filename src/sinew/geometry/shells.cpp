#include "sinew/geometry/topology.h"

#include <numeric>


namespace sinew::geometry {

Shells shells_of(const Mesh& mesh) {
    const std::vector<std::uint32_t> weld = weld_map(mesh.positions);
    std::vector<std::uint32_t> leader(mesh.vertex_count());
    std::iota(leader.begin(), leader.end(), 0u);
    const auto find = [&](std::uint32_t v) {
        while (leader[v] != v) v = leader[v] = leader[leader[v]];
        return v;
    };
    for (const Triangle& t : mesh.triangles) {
        for (int i = 1; i < 3; ++i) {
            const std::uint32_t a = find(weld[t[0]]), b = find(weld[t[static_cast<std::size_t>(i)]]);
            leader[std::max(a, b)] = std::min(a, b);
        }
    }
    Shells shells;
    shells.of_vertex.assign(mesh.vertex_count(), Shells::none);
    std::vector<std::uint32_t> number(mesh.vertex_count(), Shells::none);
    for (const Triangle& t : mesh.triangles) {
        const std::uint32_t root = find(weld[t[0]]);
        if (number[root] == Shells::none) number[root] = static_cast<std::uint32_t>(shells.count++);
        shells.of_triangle.push_back(number[root]);
        for (const std::uint32_t v : t) shells.of_vertex[v] = number[root];
    }
    return shells;
}

}  // namespace sinew::geometry
