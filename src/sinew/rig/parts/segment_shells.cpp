#include "sinew/rig/parts/segment_shells.h"

#include <algorithm>
#include <map>

#include "sinew/base/array.h"
#include "sinew/geometry/surface_queries.h"
#include "sinew/rig/skeletonize/body_field.h"

namespace sinew::rig {
namespace {

using Shares = std::map<int, double>;  ///< area by label

std::pair<int, double> largest(const Shares& shares) {
    return *std::ranges::max_element(shares, {}, [](const auto& share) { return share.second; });
}

/// Small pieces of a label inside of their shell take the label with the longest border, smallest first.
void join_specks(const FaceGraph& graph, const LabelPieces& shells, std::vector<int>& labels) {
    constexpr double least = 0.1;  // of the shell
    const LabelPieces pieces = label_pieces(graph, labels);
    std::vector<int> shell_of(pieces.label.size(), 0);
    for (std::size_t f = 0; f < graph.size(); ++f) shell_of[at(pieces.of_face[f])] = shells.of_face[f];
    std::vector<Shares> borders(pieces.label.size());
    for (const FaceLink& link : graph.links) {
        const int a = pieces.of_face[link.a], b = pieces.of_face[link.b];
        if (a == b) continue;
        borders[at(a)][b] += link.length;
        borders[at(b)][a] += link.length;
    }
    std::vector<int> final_label = pieces.label;
    for (std::size_t p = 0; p < pieces.label.size(); ++p) {
        const bool speck = pieces.areas[p] < least * shells.areas[at(shell_of[p])];
        if (speck && !borders[p].empty()) final_label[p] = pieces.label[at(largest(borders[p]).first)];
    }
    for (std::size_t f = 0; f < graph.size(); ++f) labels[f] = final_label[at(pieces.of_face[f])];
}

/// The surface of the solid, with loose parts that belong to the body joined to it.
geometry::Mesh solid_of(const geometry::Mesh& mesh, Monitor& monitor) {
    BodyOptions body;
    body.closed_gap = 6;  // percent of the diagonal, as for templates
    geometry::Mesh solid = geometry::surface_of(body_field(mesh, body, monitor).solid);
    solid.name = mesh.name;
    return solid;
}

/// The part of the nearest place, by face.
std::vector<int> nearest_parts(const geometry::Mesh& solid, const std::vector<int>& part_of,
                               const FaceGraph& graph) {
    const geometry::SurfaceQueries surface(solid);
    std::vector<int> labels;
    for (const Vec3d& middle : graph.middles) {
        const auto found = surface.nearest(middle.cast<float>());
        labels.push_back(found ? part_of[found->triangle] : 0);
    }
    return labels;
}

/// Parents of the labels that are left, by their new numbers.
std::vector<int> parents_left(const std::vector<int>& parents, const std::vector<int>& old) {
    std::vector<int> result;
    for (const int label : old) {
        int up = parents[at(label)];
        while (up >= 0 && !std::ranges::binary_search(old, up)) up = parents[at(up)];
        result.push_back(up < 0 ? -1 : static_cast<int>(std::ranges::lower_bound(old, up) - old.begin()));
    }
    return result;
}

}  // namespace

bool has_many_shells(const FaceGraph& graph) {
    const LabelPieces shells = label_pieces(graph, std::vector<int>(graph.size(), 0));
    const double most = shells.areas.empty() ? 0 : *std::ranges::max_element(shells.areas);
    return graph.area - most > 0.05 * graph.area;
}

void settle_shells(const FaceGraph& graph, std::vector<int>& labels, double least_area) {
    constexpr double mostly = 0.7;
    const LabelPieces shells = label_pieces(graph, std::vector<int>(graph.size(), 0));
    std::vector<Shares> shares(shells.areas.size());
    for (std::size_t f = 0; f < graph.size(); ++f) shares[at(shells.of_face[f])][labels[f]] += graph.areas[f];
    for (std::size_t f = 0; f < graph.size(); ++f) {
        const std::size_t shell = at(shells.of_face[f]);
        const auto [label, area] = largest(shares[shell]);
        const bool whole = area >= mostly * shells.areas[shell] && shells.areas[shell] < 0.2 * graph.area;
        if (whole || shells.areas[shell] < least_area * graph.area) labels[f] = label;
    }
    join_specks(graph, shells, labels);
}

void drop_small(const FaceGraph& graph, const std::vector<int>& parents, double least_area,
                std::vector<int>& labels) {
    for (std::size_t round = 0; round < parents.size(); ++round) {
        std::vector<double> areas(parents.size(), 0);
        for (std::size_t f = 0; f < graph.size(); ++f) areas[at(labels[f])] += graph.areas[f];
        int smallest = -1;
        for (std::size_t l = 0; l < parents.size(); ++l) {
            if (areas[l] <= 0 || areas[l] >= least_area * graph.area || parents[l] < 0) continue;
            if (smallest < 0 || areas[l] < areas[at(smallest)]) smallest = static_cast<int>(l);
        }
        if (smallest < 0) return;
        std::ranges::replace(labels, smallest, parents[at(smallest)]);
    }
}

Segmentation segment_solid(const geometry::Mesh& mesh, const FaceGraph& graph,
                           const SegmentationOptions& options, Monitor& monitor) {
    const geometry::Mesh solid = solid_of(mesh, monitor);
    SegmentationOptions one = options;
    one.across_shells = false;
    Segmentation result = segment(solid, one, monitor);
    const std::vector<int> parents =
        geometry::part_tree(geometry::cut_mesh(solid, result.part_of, result.names)).parent;
    result.part_of = nearest_parts(solid, result.part_of, graph);
    settle_shells(graph, result.part_of, options.least_area);
    drop_small(graph, parents, options.least_area, result.part_of);
    const std::vector<int> old = pack_labels(result.part_of);
    result.parents = parents_left(parents, old);
    std::vector<std::string> names;
    for (const int label : old) names.push_back(result.names[at(label)]);
    result.names = std::move(names);
    result.across_shells = true;
    return result;
}

}  // namespace sinew::rig
