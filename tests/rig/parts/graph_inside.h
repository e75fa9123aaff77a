// SPDX-License-Identifier: MIT
#pragma once
// How much of a graph lies inside a mesh that winds around it.

#include "sinew/rig/parts/part_piece.h"

namespace sinew::test {

struct GraphInside {
    double nodes = 0;   ///< part of them
    double length = 0;  ///< part of the edges' length
};

inline GraphInside inside_of(const rig::PartGraph& graph, const geometry::Mesh& mesh) {
    const geometry::PartSurface surface =
        geometry::part_surfaces(
            geometry::cut_mesh(mesh, std::vector<int>(mesh.triangles.size(), 0), {"body"}))
            .front();
    GraphInside result;
    for (const rig::PartNode& node : graph.nodes)
        if (geometry::winding_number(surface, node.position) >= 0.5) ++result.nodes;
    result.nodes /= static_cast<double>(graph.nodes.size());
    double length = 0;
    for (const auto& [a, b] : graph.edges) {
        const math::Vec3d& from = graph.nodes[static_cast<std::size_t>(a)].position;
        const math::Vec3d& to = graph.nodes[static_cast<std::size_t>(b)].position;
        length += (to - from).norm();
        result.length += (to - from).norm() * rig::inside_part(surface, from, to);
    }
    result.length = length > 0 ? result.length / length : 1;
    return result;
}

}  // namespace sinew::test
