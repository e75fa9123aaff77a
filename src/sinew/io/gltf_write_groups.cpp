#include <algorithm>
#include <limits>
#include <numeric>

#include "sinew/io/gltf/write.h"

namespace sinew::io::gltf {
namespace {

using geometry::Mesh;
using geometry::Part;

void find_range(const Mesh& mesh, const std::vector<Part>& parts, MeshGroup& group) {
    std::size_t low = std::numeric_limits<std::size_t>::max(), high = 0;
    for (std::size_t p = group.first_part; p < group.first_part + group.part_count; ++p) {
        for (std::size_t t = parts[p].first; t < parts[p].first + std::size_t{parts[p].count}; ++t) {
            for (const std::uint32_t vertex : mesh.triangles[t]) {
                low = std::min<std::size_t>(low, vertex);
                high = std::max<std::size_t>(high, vertex + std::size_t{1});
            }
        }
    }
    group.first_vertex = std::min(low, high);
    group.vertex_count = high - group.first_vertex;
}

/// Merges ranges that overlap and widens them until they tile all vertices: none is lost, and none is stored
/// twice.
void tile_ranges(std::vector<MeshGroup>& groups, std::size_t vertex_count) {
    std::vector<std::size_t> order(groups.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return groups[a].first_vertex < groups[b].first_vertex;
    });
    std::size_t start = 0;
    for (std::size_t i = 0; i < order.size();) {
        std::size_t end = groups[order[i]].first_vertex + groups[order[i]].vertex_count;
        std::size_t last = i + 1;
        for (; last < order.size() && groups[order[last]].first_vertex < end; ++last) {
            end = std::max(end, groups[order[last]].first_vertex + groups[order[last]].vertex_count);
        }
        if (last == order.size()) end = vertex_count;
        for (; i < last; ++i) {
            groups[order[i]].first_vertex = start;
            groups[order[i]].vertex_count = end - start;
        }
        start = end;
    }
}

void find_morphs(const Mesh& mesh, MeshGroup& group) {
    for (std::size_t m = 0; m < mesh.morphs.size(); ++m) {
        const std::size_t first = mesh.morphs[m].first, end = first + mesh.morphs[m].positions.size();
        if (first < group.first_vertex + group.vertex_count && end > group.first_vertex && first < end) {
            group.morphs.push_back(static_cast<int>(m));
        }
    }
}

}  // namespace

std::vector<MeshGroup> group_parts(const Mesh& mesh) {
    std::vector<MeshGroup> groups;
    if (mesh.empty()) return groups;
    const std::vector<Part> parts = geometry::parts_of(mesh);
    for (std::size_t p = 0; p < parts.size(); ++p) {
        if (p == 0 || parts[p].name != parts[p - 1].name)
            groups.push_back({.name = parts[p].name, .first_part = p, .morphs = {}});
        ++groups.back().part_count;
    }
    for (MeshGroup& group : groups) find_range(mesh, parts, group);
    // A mesh without any triangles is written as points; a group without any among others is nothing.
    if (!mesh.triangles.empty())
        std::erase_if(groups, [](const MeshGroup& group) { return group.vertex_count == 0; });
    if (mesh.triangles.empty()) groups.resize(1);
    tile_ranges(groups, mesh.positions.size());
    for (MeshGroup& group : groups) find_morphs(mesh, group);
    return groups;
}

void find_rigid(const model::Skin& skin, std::vector<MeshGroup>& groups) {
    if (skin.empty()) return;
    for (MeshGroup& group : groups) {
        if (group.vertex_count == 0) continue;
        const std::uint32_t joint = skin.of(group.first_vertex)[0].joint;
        bool alone = true;
        for (std::size_t v = group.first_vertex; v < group.first_vertex + group.vertex_count && alone; ++v)
            alone = skin.of(v).size() == 1 && skin.of(v)[0].joint == joint;
        if (alone) group.rigid = static_cast<int>(joint);
    }
}

bool needs_weights(const Writer& writer, const std::vector<MeshGroup>& groups) {
    return writer.character.has_skin() &&
           std::any_of(groups.begin(), groups.end(), [](const MeshGroup& g) { return g.rigid < 0; });
}

}  // namespace sinew::io::gltf
