#include "sinew/rig/parts/part_graph.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sinew/rig/parts/part_piece.h"

namespace sinew::rig {
namespace {

using geometry::PartFeatures;
using geometry::PartShape;
using geometry::PartSurface;

/// Where a segment crosses the surface, as parts of the way, and whether it enters or leaves.
struct Crossing {
    double at = 0;
    int winding = 0;  ///< +1 when the segment enters
};

std::vector<Crossing> crossings(const PartSurface& surface, const Vec3d& a, const Vec3d& b) {
    std::vector<Crossing> list;
    const Vec3d way = b - a;
    for (const auto& [i, j, k] : surface.triangles) {
        const Vec3d& p = surface.points[i];
        const Vec3d e1 = surface.points[j] - p, e2 = surface.points[k] - p;
        const Vec3d across = way.cross(e2);
        const double determinant = e1.dot(across);
        if (determinant == 0) continue;
        const Vec3d from = a - p;
        const double u = from.dot(across) / determinant;
        if (u < 0 || u > 1) continue;
        const Vec3d turned = from.cross(e1);
        const double v = way.dot(turned) / determinant;
        if (v < 0 || u + v > 1) continue;
        const double t = e2.dot(turned) / determinant;
        // The openings' middles lie on the caps: an end of the segment crosses nothing.
        if (t > 1e-9 && t < 1 - 1e-9) list.push_back({t, determinant > 0 ? 1 : -1});
    }
    std::sort(list.begin(), list.end(), [](const Crossing& x, const Crossing& y) { return x.at < y.at; });
    return list;
}

Piece piece_by(PartMethod method, const PartOpenings& openings, const PartShape* shape,
               const PartFeatures* features, const PartGraphOptions& options) {
    if (method == PartMethod::opening) return opening_piece(openings, shape, options);
    if (method == PartMethod::centroid) return centroid_piece(openings, *features);
    return axis_piece(openings, *shape, *features, options);
}

double inside_of(const Piece& piece, const PartSurface& surface) {
    double inside = 0, length = 0;
    for (const auto& [a, b] : piece.edges) {
        const Vec3d& from = piece.nodes[static_cast<std::size_t>(a)].position;
        const Vec3d& to = piece.nodes[static_cast<std::size_t>(b)].position;
        inside += (to - from).norm() * inside_part(surface, from, to);
        length += (to - from).norm();
    }
    return length > 0 ? inside / length : 0;
}

/// The method whose bones are most inside the part; within a hundredth the more expressive one.
Piece best_piece(const PartOpenings& openings, const PartShape& shape, const PartFeatures& features,
                 const PartGraphOptions& options) {
    Piece best;
    for (const PartMethod method : {PartMethod::principal_axis, PartMethod::centroid, PartMethod::opening}) {
        Piece piece = piece_by(method, openings, &shape, &features, options);
        piece.figures.inside = inside_of(piece, shape.surface);
        if (best.nodes.empty() || piece.figures.inside > best.figures.inside + 0.01) best = std::move(piece);
    }
    return best;
}

/// Adds a piece: its openings are nodes already.
void add_piece(PartGraph& graph, const Piece& piece, const std::vector<int>& opening_node,
               const PartOpenings& openings) {
    std::vector<int> place;
    for (const PartNode& node : piece.nodes) {
        if (node.kind == PartNodeKind::opening) {
            place.push_back(opening_node[static_cast<std::size_t>(node.part)]);
            continue;
        }
        place.push_back(static_cast<int>(graph.nodes.size()));
        graph.nodes.push_back(node);
    }
    for (const auto& [a, b] : piece.edges)
        graph.edges.push_back({place[static_cast<std::size_t>(a)], place[static_cast<std::size_t>(b)]});
    const int root = place[static_cast<std::size_t>(piece.root)];
    graph.node_of_part[static_cast<std::size_t>(openings.part)] = root;
    if (openings.parent < 0) graph.root = root;
}

}  // namespace

std::string_view name_of(PartNodeKind kind) {
    constexpr std::string_view names[] = {"root", "opening", "link", "axis-end", "centre", "extra-end"};
    return names[static_cast<std::size_t>(kind)];
}

std::string_view name_of(PartMethod method) {
    constexpr std::string_view names[] = {"opening", "centroid", "principal-axis", "best"};
    return names[static_cast<std::size_t>(method)];
}

double inside_part(const PartSurface& surface, const Vec3d& a, const Vec3d& b) {
    std::vector<Crossing> list = crossings(surface, a, b);
    list.insert(list.begin(), {0, 0});
    list.push_back({1, 0});
    // The winding number is asked for once, in the middle of the longest stretch, and counted from there.
    std::size_t longest = 0;
    for (std::size_t i = 0; i + 1 < list.size(); ++i)
        if (list[i + 1].at - list[i].at > list[longest + 1].at - list[longest].at) longest = i;
    const double middle = (list[longest].at + list[longest + 1].at) / 2;
    const auto known = static_cast<int>(std::lround(geometry::winding_number(surface, a + middle * (b - a))));
    double inside = 0;
    int winding = known;
    for (std::size_t i = longest; i > 0; --i) winding -= list[i].winding;
    for (std::size_t i = 0; i + 1 < list.size(); ++i) {
        winding += list[i].winding;
        if (winding > 0) inside += list[i + 1].at - list[i].at;
    }
    return inside;
}

PartGraphResult part_graph(const geometry::CutMesh& cut, const geometry::PartTree& tree,
                           const std::vector<PartShape>& shapes, const std::vector<PartFeatures>& features,
                           const PartGraphOptions& options) {
    PartGraphResult result;
    result.pieces.resize(cut.part_count());
    PartGraph& graph = result.graph;
    graph.node_of_part.assign(cut.part_count(), -1);
    const std::vector<PartOpenings> openings = openings_of_parts(tree);
    std::vector<int> opening_node(cut.part_count(), -1);
    for (const int p : tree.order) {
        const auto part = static_cast<std::size_t>(p);
        if (tree.parent[part] < 0) continue;
        opening_node[part] = static_cast<int>(graph.nodes.size());
        graph.nodes.push_back({tree.openings[part].centre, PartNodeKind::opening, p});
    }
    for (const int p : tree.order) {
        const auto part = static_cast<std::size_t>(p);
        const PartShape* shape = part < shapes.size() ? &shapes[part] : nullptr;
        const PartFeatures* own = part < features.size() ? &features[part] : nullptr;
        const Piece piece = options.method == PartMethod::automatic
                                ? best_piece(openings[part], *shape, *own, options)
                                : piece_by(options.method, openings[part], shape, own, options);
        result.pieces[part] = piece.figures;
        add_piece(graph, piece, opening_node, openings[part]);
    }
    return result;
}

}  // namespace sinew::rig
