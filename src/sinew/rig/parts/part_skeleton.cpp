// SPDX-License-Identifier: MIT
// Joins the pieces of all parts to one graph, whose nodes become joints.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "sinew/rig/parts/part_piece.h"

namespace sinew::rig {
namespace {

using geometry::PartFeatures;
using geometry::PartShape;
using geometry::PartSurface;

/// Where a segment crosses the surface, as parts of its length, and whether it enters or leaves.
struct Crossing {
    double at = 0;
    int winding = 0;  ///< +1 when the segment enters
};

std::vector<Crossing> crossings(const PartSurface& surface, const Vec3d& a, const Vec3d& b) {
    std::vector<Crossing> list;
    const Vec3d along = b - a;
    for (const auto& [i, j, k] : surface.triangles) {
        const Vec3d& p = surface.points[i];
        const Vec3d e1 = surface.points[j] - p, e2 = surface.points[k] - p;
        const Vec3d across = along.cross(e2);
        const double determinant = e1.dot(across);
        if (determinant == 0) continue;
        const Vec3d from = a - p;
        const double u = from.dot(across) / determinant;
        if (u < 0 || u > 1) continue;
        const Vec3d turned = from.cross(e1);
        const double v = along.dot(turned) / determinant;
        if (v < 0 || u + v > 1) continue;
        const double t = e2.dot(turned) / determinant;
        // The middles of openings lie on the caps: an end of the segment is not a crossing.
        if (t > 1e-9 && t < 1 - 1e-9) list.push_back({t, determinant > 0 ? 1 : -1});
    }
    std::sort(list.begin(), list.end(), [](const Crossing& x, const Crossing& y) { return x.at < y.at; });
    return list;
}

Piece piece_by(PartMethod method, const PartOpenings& openings, const PartShape* shape,
               const PartFeatures* features, const PartGraphOptions& options) {
    if (method == PartMethod::opening) return opening_piece(openings, shape);
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

/// The method with the largest part of its bones inside; within a hundredth, the more expressive one.
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

/// Adds a piece; its openings are already nodes.
void add_piece(PartGraph& graph, const Piece& piece, const std::vector<int>& opening_node,
               const PartOpenings& openings) {
    std::vector<int> node_index;
    for (const PartNode& node : piece.nodes) {
        if (node.kind == PartNodeKind::opening) {
            node_index.push_back(opening_node[static_cast<std::size_t>(node.part)]);
            continue;
        }
        node_index.push_back(static_cast<int>(graph.nodes.size()));
        graph.nodes.push_back(node);
    }
    for (const auto& [a, b] : piece.edges)
        graph.edges.push_back(
            {node_index[static_cast<std::size_t>(a)], node_index[static_cast<std::size_t>(b)]});
    const int root = node_index[static_cast<std::size_t>(piece.root)];
    graph.node_of_part[static_cast<std::size_t>(openings.part)] = root;
    if (openings.parent < 0) graph.root = root;
}

}  // namespace

std::string_view name_of(PartMethod method) {
    constexpr std::string_view names[] = {"opening", "centroid", "principal-axis", "best"};
    return names[static_cast<std::size_t>(method)];
}

double inside_part(const PartSurface& surface, const Vec3d& a, const Vec3d& b) {
    std::vector<Crossing> list = crossings(surface, a, b);
    list.insert(list.begin(), {0, 0});
    list.push_back({1, 0});
    // The winding number is computed once, in the middle of the longest stretch, and counted from there.
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

namespace {

/// The opening method does not use shapes and features; they may then be empty, except the root's shape.
void add_graph(const geometry::CutMesh& cut, const geometry::PartTree& tree,
               const std::vector<PartShape>& shapes, const PartGraphOptions& options, PartSkeleton& result) {
    const std::vector<PartFeatures>& features = result.refinement;
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
}

/// Nodes depth first from the root, with the node above each.
struct NodeOrder {
    std::vector<int> order;
    std::vector<int> above;
    std::vector<int> below;  ///< how many are attached to each
};

NodeOrder order_of(const PartGraph& graph) {
    std::vector<std::vector<int>> neighbours(graph.nodes.size());
    for (const auto& [a, b] : graph.edges) {
        neighbours[static_cast<std::size_t>(a)].push_back(b);
        neighbours[static_cast<std::size_t>(b)].push_back(a);
    }
    NodeOrder result;
    result.above.assign(graph.nodes.size(), -1);
    result.below.assign(graph.nodes.size(), 0);
    std::vector<int> stack{graph.root};
    while (!stack.empty()) {
        const int node = stack.back();
        stack.pop_back();
        result.order.push_back(node);
        auto& near = neighbours[static_cast<std::size_t>(node)];
        std::sort(near.rbegin(), near.rend());
        for (const int next : near) {
            if (next == result.above[static_cast<std::size_t>(node)]) continue;
            result.above[static_cast<std::size_t>(next)] = node;
            ++result.below[static_cast<std::size_t>(node)];
            stack.push_back(next);
        }
    }
    return result;
}

bool is_end(PartNodeKind kind) {
    return kind == PartNodeKind::axis_end || kind == PartNodeKind::centre || kind == PartNodeKind::extra_end;
}

std::string joint_name(const geometry::CutMesh& cut, const PartGraph& graph, int node) {
    const PartNode& n = graph.nodes[static_cast<std::size_t>(node)];
    const std::string& part = cut.names[static_cast<std::size_t>(n.part)];
    if (graph.node_of_part[static_cast<std::size_t>(n.part)] == node) return part;
    constexpr std::string_view kinds[] = {"root", "opening", "link", "axis-end", "centre", "extra-end"};
    return fmt::format("{}_{}", part, kinds[static_cast<std::size_t>(n.kind)]);
}

void add_joints(const geometry::CutMesh& cut, PartSkeleton& result) {
    const PartGraph& graph = result.graph;
    const NodeOrder tree = order_of(graph);
    std::vector<int> joint_of_node(graph.nodes.size(), -1);  // a node that became a tip has none
    for (const int node : tree.order) {
        const auto n = static_cast<std::size_t>(node);
        const int above = tree.above[n];
        const Vec3d up =
            above < 0 ? Vec3d(Vec3d::Zero()) : graph.nodes[static_cast<std::size_t>(above)].position;
        const Vec3d offset = graph.nodes[n].position - up;
        const int parent = above < 0 ? -1 : joint_of_node[static_cast<std::size_t>(above)];
        if (above >= 0 && tree.below[n] == 0 && tree.below[static_cast<std::size_t>(above)] == 1 &&
            is_end(graph.nodes[n].kind)) {
            result.skeleton.joints[static_cast<std::size_t>(parent)].tip = offset;
            continue;
        }
        joint_of_node[n] = static_cast<int>(result.skeleton.size());
        model::Joint joint;
        joint.name = joint_name(cut, graph, node);
        joint.parent = parent;
        joint.rest.translation = offset;
        result.skeleton.joints.push_back(std::move(joint));
    }
    model::make_names_unique(result.skeleton);
    for (const int node : graph.node_of_part)
        result.joint_of_part.push_back(joint_of_node[static_cast<std::size_t>(node)]);
}

/// The tree with the middles of its openings inside the body. The middle of a bent loop, as at the base of an
/// ear, may lie outside: it moves towards the middle of its part until it is inside.
geometry::PartTree with_inner_openings(const geometry::CutMesh& cut, const geometry::PartTree& tree,
                                       const std::vector<geometry::PartFeatures>& features) {
    constexpr double bent = 0.35;  // of its radius: smaller moves never leave it
    geometry::PartTree result = tree;
    std::optional<geometry::PartSurface> body;  // built on demand
    for (std::size_t p = 0; p < features.size(); ++p) {
        geometry::Opening& opening = result.openings[p];
        double radius = 0;
        for (const std::uint32_t point : opening.loop)
            radius = std::max(radius, (cut.points[point] - opening.centre).norm());
        if (opening.parent < 0 || opening.residual <= bent * radius) continue;
        if (!body) {
            geometry::CutMesh whole = cut;
            whole.part_of.assign(cut.triangles.size(), 0);
            whole.names = {"body"};
            body = geometry::part_surface(whole, 0);
        }
        const Vec3d start = opening.centre;
        for (int step = 0; step <= 10 && geometry::winding_number(*body, opening.centre) < 0.5; ++step)
            opening.centre = start + 0.1 * step * (features[p].centre - start);
    }
    return result;
}

}  // namespace

PartSkeleton part_skeleton(const geometry::CutMesh& cut, const geometry::PartTree& given,
                           const PartSkeletonOptions& options, Monitor& monitor) {
    PartSkeleton result;
    geometry::PartTree tree = given;
    auto before = std::chrono::steady_clock::now();
    const auto lap = [&] {
        const auto start = std::exchange(before, std::chrono::steady_clock::now());
        return std::chrono::duration<double>(before - start).count();
    };
    std::vector<geometry::PartShape> shapes;
    if (options.graph.method == PartMethod::opening) {
        // Only the middle of the root part is needed: no hulls.
        shapes.resize(cut.part_count());
        for (std::size_t p = 0; p < shapes.size(); ++p)
            if (tree.parent[p] < 0) shapes[p].surface = geometry::part_surface(cut, static_cast<int>(p));
    } else {
        shapes = geometry::part_shapes(cut);
        result.features = geometry::part_features(shapes, cut, tree, monitor);
        tree = with_inner_openings(cut, given, result.features);
        result.seconds.features = lap();
        result.refinement = refined(result.features, shapes, tree, options.refine);
        result.seconds.refine = lap();
    }
    add_graph(cut, tree, shapes, options.graph, result);
    add_joints(cut, result);
    result.seconds.graph = lap();
    return result;
}

}  // namespace sinew::rig
