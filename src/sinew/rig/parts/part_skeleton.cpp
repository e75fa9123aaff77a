#include "sinew/rig/parts/part_skeleton.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "sinew/rig/stopwatch.h"

namespace sinew::rig {
namespace {

/// Nodes depth first from the root, with the node above each.
struct NodeOrder {
    std::vector<int> order;
    std::vector<int> above;
    std::vector<int> below;  ///< how many hang on each
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
    return fmt::format("{}_{}", part, name_of(n.kind));
}

void add_joints(const geometry::CutMesh& cut, PartSkeleton& result) {
    const PartGraph& graph = result.graph;
    const NodeOrder tree = order_of(graph);
    result.joint_of_node.assign(graph.nodes.size(), -1);
    for (const int node : tree.order) {
        const auto n = static_cast<std::size_t>(node);
        const int above = tree.above[n];
        const Vec3d up =
            above < 0 ? Vec3d(Vec3d::Zero()) : graph.nodes[static_cast<std::size_t>(above)].position;
        const Vec3d offset = graph.nodes[n].position - up;
        const int parent = above < 0 ? -1 : result.joint_of_node[static_cast<std::size_t>(above)];
        if (above >= 0 && tree.below[n] == 0 && tree.below[static_cast<std::size_t>(above)] == 1 &&
            is_end(graph.nodes[n].kind)) {
            result.skeleton.joints[static_cast<std::size_t>(parent)].tip = offset;
            continue;
        }
        result.joint_of_node[n] = static_cast<int>(result.skeleton.size());
        model::Joint joint;
        joint.name = joint_name(cut, graph, node);
        joint.parent = parent;
        joint.rest.translation = offset;
        result.skeleton.joints.push_back(std::move(joint));
        result.origins.push_back({graph.nodes[n].kind, graph.nodes[n].part});
    }
    model::make_names_unique(result.skeleton);
    for (const int node : graph.node_of_part)
        result.joint_of_part.push_back(result.joint_of_node[static_cast<std::size_t>(node)]);
}

/// The tree with the middles of its openings inside the body. That of a loop that is bent like the foot of an
/// ear may lie outside: it moves towards the middle of its part until it is inside.
geometry::PartTree with_inner_openings(const geometry::CutMesh& cut, const geometry::PartTree& tree,
                                       const std::vector<geometry::PartFeatures>& features) {
    constexpr double bent = 0.35;  // of its radius: less never leaves
    geometry::PartTree result = tree;
    std::optional<geometry::PartSurface> body;  // made when one asks
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
    Stopwatch watch;
    std::vector<geometry::PartShape> shapes;
    if (options.graph.method == PartMethod::opening) {
        // Only the middle of the root part is asked for, and the ends of leaves: no hulls.
        shapes.resize(cut.part_count());
        for (std::size_t p = 0; p < shapes.size(); ++p)
            if (tree.parent[p] < 0 || options.graph.leaf_bones)
                shapes[p].surface = geometry::part_surface(cut, static_cast<int>(p));
    } else {
        shapes = geometry::part_shapes(cut);
        result.features = geometry::part_features(shapes, cut, tree, monitor);
        tree = with_inner_openings(cut, given, result.features);
        result.seconds.features = watch.lap();
        result.refinement = refined(result.features, shapes, tree, options.refine);
        result.seconds.refine = watch.lap();
    }
    PartGraphResult made = part_graph(cut, tree, shapes, result.refinement, options.graph);
    result.graph = std::move(made.graph);
    result.pieces = std::move(made.pieces);
    add_joints(cut, result);
    result.seconds.graph = watch.lap();
    return result;
}

}  // namespace sinew::rig
