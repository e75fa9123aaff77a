#include "sinew/rig/parts/segment_skeleton.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <set>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/rig/skeletonize/skeletonize.h"

namespace sinew::rig {
namespace {

/// A branch as a way with lengths.
struct Way {
    std::vector<int> nodes;
    std::vector<double> at;  ///< arc length of each node
    bool junction[2] = {false, false};

    double length() const { return at.back(); }
};

Way way_of(const CurveSkeleton& curve, const CurveBranch& branch, const std::vector<int>& degree) {
    Way way{branch.nodes, {0}, {}};
    // From the thicker end, which is the trunk, or from the junction.
    const auto weight = [&](int node) {
        return (degree[sinew::at(node)] > 2 ? 1e6 : 0) + curve.nodes[sinew::at(node)].radius;
    };
    if (weight(way.nodes.back()) > weight(way.nodes.front()))
        std::reverse(way.nodes.begin(), way.nodes.end());
    for (std::size_t i = 1; i < way.nodes.size(); ++i)
        way.at.push_back(way.at.back() + (curve.nodes[sinew::at(way.nodes[i])].position -
                                          curve.nodes[sinew::at(way.nodes[i - 1])].position)
                                             .norm());
    way.junction[0] = degree[sinew::at(way.nodes.front())] > 2;
    way.junction[1] = degree[sinew::at(way.nodes.back())] > 2;
    return way;
}

/// A curve with what is asked again and again.
struct CurveGraph {
    std::vector<int> degree;
    std::vector<std::vector<int>> around;
    std::vector<double> free_length;  ///< of each node that is a free end: the length of its branch
    double longest = 0;               ///< branch with a free end
};
CurveGraph graph_of(const CurveSkeleton& curve, const std::vector<CurveBranch>& all) {
    CurveGraph graph{degrees(curve), std::vector<std::vector<int>>(curve.nodes.size()),
                     std::vector<double>(curve.nodes.size(), 0), 0};
    for (const auto& [a, b] : curve.edges) {
        graph.around[sinew::at(a)].push_back(b);
        graph.around[sinew::at(b)].push_back(a);
    }
    for (const CurveBranch& branch : all) {
        for (const int end : {branch.nodes.front(), branch.nodes.back()}) {
            if (graph.degree[sinew::at(end)] != 1) continue;
            graph.free_length[sinew::at(end)] = branch.length;
            graph.longest = std::max(graph.longest, branch.length);
        }
    }
    return graph;
}

bool is_trunk(const CurveSkeleton& curve, const Way& way, double part) {
    if (!way.junction[0] || !way.junction[1]) return false;
    double least = std::numeric_limits<double>::infinity();
    for (const int node : way.nodes) least = std::min(least, curve.nodes[sinew::at(node)].radius);
    return least >= part * std::max(curve.nodes[sinew::at(way.nodes.front())].radius,
                                    curve.nodes[sinew::at(way.nodes.back())].radius);
}

/// Places on a way where it may be cut, the most wanted first.
struct Place {
    std::size_t node = 0;  ///< on the way
    int joint = -1;
};

/// The first node of a way, from one of its ends, that lies outside the junction there.
std::size_t leaves_ball(const CurveSkeleton& curve, const Way& way, bool from_end, double radii) {
    const std::size_t count = way.nodes.size();
    const int junction = from_end ? way.nodes.back() : way.nodes.front();
    const Vec3d& centre = curve.nodes[sinew::at(junction)].position;
    for (std::size_t i = 1; i < count; ++i) {
        const std::size_t at = from_end ? count - 1 - i : i;
        if ((curve.nodes[sinew::at(way.nodes[at])].position - centre).norm() >
            radii * curve.nodes[sinew::at(junction)].radius)
            return at;
    }
    return count;
}

std::vector<Place> places_on(const CurveSkeleton& curve, const Way& way, const std::vector<int>& joint_at,
                             const CurveCutOptions& options) {
    std::vector<Place> places;
    const std::size_t first = way.junction[0] ? leaves_ball(curve, way, false, options.leave) : 0;
    if (way.junction[0] && first < way.nodes.size()) places.push_back({first, -1});
    const std::size_t last =
        way.junction[1] ? leaves_ball(curve, way, true, options.leave) : way.nodes.size();
    for (std::size_t i = first; i < std::min(last, way.nodes.size()); ++i)
        if (joint_at[sinew::at(way.nodes[i])] >= 0 && i > 0)
            places.push_back({i, joint_at[sinew::at(way.nodes[i])]});
    if (way.junction[1] && last > first && last < way.nodes.size()) places.push_back({last, -1});
    return places;
}

/// Whether a way is thicker at a place than before and behind it, as in the middle of a head.
bool bulges(const CurveShape& shape, const Way& way, std::size_t place, double reach, double factor) {
    const auto girth = [&](std::size_t i) { return shape.girth[sinew::at(way.nodes[i])]; };
    double before = girth(place), after = girth(place);
    for (std::size_t i = 0; i < way.nodes.size(); ++i) {
        if (std::abs(way.at[i] - way.at[place]) > reach) continue;
        double& least = i < place ? before : after;
        least = std::min(least, girth(i));
    }
    return girth(place) > factor * before && girth(place) > factor * after;
}

/// Cuts that are far enough from each other and from a free end.
std::vector<std::size_t> chosen(const CurveSkeleton& curve, const CurveShape& shape, const Way& way,
                                const std::vector<Place>& places, const CurveCutOptions& options) {
    std::vector<std::size_t> cuts;
    for (const Place& place : places) {
        const int node = way.nodes[place.node];
        const double room = options.apart * shape.girth[sinew::at(node)];
        const double here = way.at[place.node];
        // A limb that has left its junction is one however short; its end is not cut off again.
        const double to_end =
            place.joint < 0 ? curve.nodes[sinew::at(node)].radius : options.end / options.apart * room;
        bool fits = way.junction[1] || way.length() - here > to_end;
        for (const std::size_t cut : cuts) fits = fits && std::abs(way.at[cut] - here) > room;
        fits = fits && (place.joint < 0 || !bulges(shape, way, place.node, room, options.bulge));
        if (fits) cuts.push_back(place.node);
    }
    std::sort(cuts.begin(), cuts.end());
    return cuts;
}

/// What lies behind an end of a way, when the way itself is taken out.
struct Behind {
    double area = 1;    ///< part of the surface; all of it when the curve comes back around
    double branch = 0;  ///< length of the longest branch with a free end
    std::vector<int> nodes;
};
Behind behind(const CurveShape& shape, const CurveGraph& graph, const Way& way, bool from_end) {
    const int start = from_end ? way.nodes.back() : way.nodes.front();
    const int stop = from_end ? way.nodes.front() : way.nodes.back();
    const int next = from_end ? way.nodes[way.nodes.size() - 2] : way.nodes[1];
    std::vector<char> seen(shape.area.size(), 0);
    std::vector<int> queue{start};
    seen[sinew::at(start)] = 1;
    Behind result;
    double sum = 0;
    for (std::size_t head = 0; head < queue.size(); ++head) {
        const int node = queue[head];
        if (node == stop) return {};
        sum += shape.area[sinew::at(node)];
        result.branch = std::max(result.branch, graph.free_length[sinew::at(node)]);
        for (const int n : graph.around[sinew::at(node)]) {
            if (seen[sinew::at(n)] || (node == start && n == next)) continue;
            seen[sinew::at(n)] = 1;
            queue.push_back(n);
        }
    }
    result.area = sum / std::accumulate(shape.area.begin(), shape.area.end(), 1e-300);
    result.nodes = std::move(queue);
    return result;
}

/// A little of the surface, and no limb as long as the others.
bool is_head(const Behind& side, const CurveGraph& graph, const CurveCutOptions& options) {
    return side.area < options.head && side.branch < options.head_branch * graph.longest;
}

/// The thinnest place between the ends of a way.
std::size_t neck_of(const CurveSkeleton& curve, const Way& way) {
    std::size_t best = way.nodes.size() / 2;
    for (std::size_t i = 1; i + 1 < way.nodes.size(); ++i)
        if (curve.nodes[sinew::at(way.nodes[i])].radius < curve.nodes[sinew::at(way.nodes[best])].radius)
            best = i;
    return best;
}

/// Ways that lead to a head, and those that are the rest of one.
struct Heads {
    std::vector<char> neck;  ///< of each way
    std::vector<char> face;  ///< the thickest way of a junction in a head: goes on, and is not cut
};
Heads find_heads(const CurveSkeleton& curve, const CurveShape& shape, const CurveGraph& graph,
                 const std::vector<Way>& ways, const CurveCutOptions& options) {
    Heads heads{std::vector<char>(ways.size(), 0), std::vector<char>(ways.size(), 0)};
    std::vector<char> in_head(curve.nodes.size(), 0);
    for (std::size_t w = 0; w < ways.size(); ++w) {
        if (!ways[w].junction[0] || !ways[w].junction[1] || ways[w].nodes.size() < 2) continue;
        for (const bool from_end : {false, true}) {
            const Behind side = behind(shape, graph, ways[w], from_end);
            if (!is_head(side, graph, options)) continue;
            heads.neck[w] = 1;
            for (const int node : side.nodes) in_head[sinew::at(node)] = 1;
        }
    }
    std::vector<int> thickest(curve.nodes.size(), -1);
    const auto thickness = [&](std::size_t w) {
        const std::size_t leaves = leaves_ball(curve, ways[w], false, options.leave);
        return leaves < ways[w].nodes.size() ? curve.nodes[sinew::at(ways[w].nodes[leaves])].radius : 0;
    };
    for (std::size_t w = 0; w < ways.size(); ++w) {
        const int root = ways[w].nodes.front();
        if (!ways[w].junction[0] || ways[w].junction[1] || !in_head[sinew::at(root)]) continue;
        int& best = thickest[sinew::at(root)];
        if (thickness(w) < options.trunk * curve.nodes[sinew::at(root)].radius) continue;
        if (best < 0 || thickness(w) > thickness(static_cast<std::size_t>(best))) best = static_cast<int>(w);
    }
    for (const int way : thickest)
        if (way >= 0) heads.face[sinew::at(way)] = 1;
    return heads;
}

int top(std::vector<int>& group, int node) {
    while (group[sinew::at(node)] != node)
        node = group[sinew::at(node)] = group[sinew::at(group[sinew::at(node)])];
    return node;
}

/// The node nearest to each joint.
std::vector<int> nodes_of_joints(const CurveSkeleton& curve, const model::Skeleton& joints) {
    std::vector<int> nodes;
    for (const Vec3d& place : model::joint_positions(model::rest_world_matrices(joints))) {
        std::size_t nearest = 0;
        for (std::size_t n = 1; n < curve.nodes.size(); ++n)
            if ((curve.nodes[n].position - place).squaredNorm() <
                (curve.nodes[nearest].position - place).squaredNorm())
                nearest = n;
        nodes.push_back(static_cast<int>(nearest));
    }
    return nodes;
}

/// For each node the lowest joint that stands there, or -1.
std::vector<int> joints_at_nodes(const CurveSkeleton& curve, const std::vector<int>& node_of_joint) {
    std::vector<int> at(curve.nodes.size(), -1);
    for (std::size_t j = node_of_joint.size(); j-- > 0;)
        at[sinew::at(node_of_joint[j])] = static_cast<int>(j);
    return at;
}

/// Stretches are named after the lowest joint in them. One without, such as a thigh whose hip joint lies in
/// the trunk, takes the joint above that of the stretch behind it, when that names nothing else.
void name_stretches(const CurveSkeleton& curve, const model::Skeleton& joints,
                    const std::vector<int>& node_of_joint, CurveCuts& cuts) {
    cuts.joint.assign(sinew::at(cuts.count), -1);
    for (std::size_t j = joints.size(); j-- > 0;)
        cuts.joint[sinew::at(cuts.of_node[sinew::at(node_of_joint[j])])] = static_cast<int>(j);
    std::vector<int> named = cuts.joint;
    for (const auto& [a, b] : curve.edges) {
        for (const auto& [from, to] : {std::pair(a, b), std::pair(b, a)}) {
            const int here = cuts.of_node[sinew::at(from)], behind = cuts.of_node[sinew::at(to)];
            if (cuts.joint[sinew::at(here)] >= 0 || cuts.joint[sinew::at(behind)] < 0) continue;
            const int above = joints.joints[sinew::at(cuts.joint[sinew::at(behind)])].parent;
            if (above < 0 || std::find(named.begin(), named.end(), above) != named.end()) continue;
            named[sinew::at(here)] = above;
        }
    }
    cuts.joint = std::move(named);
}

int majority(int a, int b, int c) {
    return b == c ? b : a;
}

/// By contraction, whose curves keep the proportions that roles are told by, where that is connected and
/// inside; otherwise from the solid, which every mesh has.
SkeletonizeResult guide_of(const geometry::Mesh& mesh, Monitor& monitor) {
    SkeletonizeOptions options;
    options.method = SkeletonMethod::contraction;
    try {
        SkeletonizeResult result = skeletonize(mesh, options, monitor);
        const bool mapped = result.curve.node_of_vertex.size() == mesh.vertex_count();
        if (mapped && result.quality.topology.pieces == 1 &&
            result.quality.inside_fraction >= options.least_inside)
            return result;
    } catch (const Cancelled&) {
        throw;
    } catch (const Error&) {  // the other way remains
    }
    options.method = SkeletonMethod::voxel;
    return skeletonize(mesh, options, monitor);
}

}  // namespace

CurveShape curve_shape(const geometry::Mesh& mesh, const CurveSkeleton& curve) {
    const std::size_t count = curve.nodes.size();
    CurveShape shape{std::vector<double>(count, 0), std::vector<double>(count, 0)};
    std::vector<Vec3d> sums(count, Vec3d::Zero());  // of area, of distance, of its square
    for (const auto& [a, b, c] : mesh.triangles) {
        const Vec3d p = mesh.positions[a].cast<double>(), q = mesh.positions[b].cast<double>(),
                    r = mesh.positions[c].cast<double>();
        const double third = (q - p).cross(r - p).norm() / 6;
        for (const std::uint32_t v : {a, b, c}) {
            const int node = curve.node_of_vertex[v];
            if (node < 0) continue;
            const double away =
                (mesh.positions[v].cast<double>() - curve.nodes[sinew::at(node)].position).norm();
            shape.area[sinew::at(node)] += third;
            sums[sinew::at(node)] += third * Vec3d(1, away, away * away);
        }
    }
    // Over a node and its neighbours, because few vertices belong to each; never less than the ball.
    std::vector<Vec3d> wide = sums;
    for (const auto& [a, b] : curve.edges) {
        wide[sinew::at(a)] += sums[sinew::at(b)];
        wide[sinew::at(b)] += sums[sinew::at(a)];
    }
    for (std::size_t n = 0; n < count; ++n) {
        const double mean = wide[n].x() > 0 ? wide[n].y() / wide[n].x() : 0;
        const double square = wide[n].x() > 0 ? wide[n].z() / wide[n].x() : 0;
        // A sheet of half width w has the mean w / 2 and the deviation w / sqrt(12): together w.
        const double reach = mean + std::sqrt(3 * std::max(square - mean * mean, 0.0));
        shape.girth[n] = std::max(curve.nodes[n].radius, reach);
    }
    return shape;
}

CurveCuts cut_curve(const CurveSkeleton& curve, const CurveShape& shape, const model::Skeleton& joints,
                    const CurveCutOptions& options) {
    const std::vector<CurveBranch> all = branches(curve);
    const CurveGraph graph = graph_of(curve, all);
    const std::vector<int> node_of_joint = nodes_of_joints(curve, joints);
    const std::vector<int> joint_at = joints_at_nodes(curve, node_of_joint);
    std::vector<int> group(curve.nodes.size());
    std::iota(group.begin(), group.end(), 0);
    std::vector<Way> ways;
    for (const CurveBranch& branch : all)
        if (branch.nodes.size() > 1) ways.push_back(way_of(curve, branch, graph.degree));
    const Heads heads = find_heads(curve, shape, graph, ways, options);
    for (std::size_t w = 0; w < ways.size(); ++w) {
        const Way& way = ways[w];
        std::vector<std::size_t> cuts;
        if (!is_trunk(curve, way, options.trunk)) {
            if (!heads.face[w])
                cuts = chosen(curve, shape, way, places_on(curve, way, joint_at, options), options);
        } else if (heads.neck[w] && way.nodes.size() > 3) {
            cuts = {neck_of(curve, way)};
        }
        for (std::size_t i = 0; i + 1 < way.nodes.size(); ++i) {
            // A cut lies before its node, which begins what is farther out.
            if (std::binary_search(cuts.begin(), cuts.end(), i + 1)) continue;
            group[sinew::at(top(group, way.nodes[i + 1]))] = top(group, way.nodes[i]);
        }
    }
    CurveCuts result;
    std::vector<int> label(curve.nodes.size(), -1);
    for (std::size_t n = 0; n < curve.nodes.size(); ++n) {
        int& own = label[sinew::at(top(group, static_cast<int>(n)))];
        if (own < 0) own = result.count++;
        result.of_node.push_back(own);
    }
    name_stretches(curve, joints, node_of_joint, result);
    return result;
}

SkeletonLabels skeleton_labels(const geometry::Mesh& mesh, Monitor& monitor) {
    SkeletonizeResult found = guide_of(mesh, monitor);
    SkeletonLabels result;
    result.guide = std::move(found.skeleton);
    result.cuts = cut_curve(found.curve, curve_shape(mesh, found.curve), result.guide);
    const auto of_vertex = [&](std::uint32_t v) {
        const int node = found.curve.node_of_vertex[v];
        return node < 0 ? -1 : result.cuts.of_node[sinew::at(node)];
    };
    for (const auto& [a, b, c] : mesh.triangles)
        result.of_face.push_back(majority(of_vertex(a), of_vertex(b), of_vertex(c)));
    return result;
}

}  // namespace sinew::rig
