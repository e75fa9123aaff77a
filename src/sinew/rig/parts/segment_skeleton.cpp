#include "sinew/rig/parts/segment_skeleton.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <set>

#include "sinew/base/error.h"
#include "sinew/rig/skeletonize/skeletonize.h"

namespace sinew::rig {
namespace {

std::size_t index(int i) {
    return static_cast<std::size_t>(i);
}

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
        return (degree[index(node)] > 2 ? 1e6 : 0) + curve.nodes[index(node)].radius;
    };
    if (weight(way.nodes.back()) > weight(way.nodes.front()))
        std::reverse(way.nodes.begin(), way.nodes.end());
    for (std::size_t i = 1; i < way.nodes.size(); ++i)
        way.at.push_back(way.at.back() + (curve.nodes[index(way.nodes[i])].position -
                                          curve.nodes[index(way.nodes[i - 1])].position)
                                             .norm());
    way.junction[0] = degree[index(way.nodes.front())] > 2;
    way.junction[1] = degree[index(way.nodes.back())] > 2;
    return way;
}

bool is_trunk(const CurveSkeleton& curve, const Way& way, double part) {
    if (!way.junction[0] || !way.junction[1]) return false;
    double least = std::numeric_limits<double>::infinity();
    for (const int node : way.nodes) least = std::min(least, curve.nodes[index(node)].radius);
    return least >= part * std::max(curve.nodes[index(way.nodes.front())].radius,
                                    curve.nodes[index(way.nodes.back())].radius);
}

/// Places on a way where it may be cut, the most wanted first.
struct Place {
    std::size_t node = 0;  ///< on the way
    int joint = -1;
};

/// The first node of a way, from one of its ends, that lies outside the ball there.
std::size_t leaves_ball(const CurveSkeleton& curve, const Way& way, bool from_end, double radii) {
    const std::size_t count = way.nodes.size();
    const CurveNode& ball = curve.nodes[index(from_end ? way.nodes.back() : way.nodes.front())];
    for (std::size_t i = 1; i < count; ++i) {
        const std::size_t at = from_end ? count - 1 - i : i;
        if ((curve.nodes[index(way.nodes[at])].position - ball.position).norm() > radii * ball.radius)
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
        if (joint_at[index(way.nodes[i])] >= 0 && i > 0) places.push_back({i, joint_at[index(way.nodes[i])]});
    if (way.junction[1] && last > first && last < way.nodes.size()) places.push_back({last, -1});
    return places;
}

/// Cuts that are far enough from each other and from a free end.
std::vector<std::size_t> chosen(const CurveSkeleton& curve, const Way& way, const std::vector<Place>& places,
                                double apart) {
    std::vector<std::size_t> cuts;
    for (const Place& place : places) {
        const double radius = curve.nodes[index(way.nodes[place.node])].radius;
        const double here = way.at[place.node];
        bool fits = way.junction[1] || way.length() - here > apart * radius;
        for (const std::size_t cut : cuts) fits = fits && std::abs(way.at[cut] - here) > apart * radius;
        if (fits) cuts.push_back(place.node);
    }
    std::sort(cuts.begin(), cuts.end());
    return cuts;
}

int top(std::vector<int>& group, int node) {
    while (group[index(node)] != node) node = group[index(node)] = group[index(group[index(node)])];
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
    for (std::size_t j = node_of_joint.size(); j-- > 0;) at[index(node_of_joint[j])] = static_cast<int>(j);
    return at;
}

/// Stretches are named after the lowest joint in them. One without, such as a thigh whose hip joint lies in
/// the trunk, takes the joint above that of the stretch behind it, when that names nothing else.
void name_stretches(const CurveSkeleton& curve, const model::Skeleton& joints,
                    const std::vector<int>& node_of_joint, CurveCuts& cuts) {
    cuts.joint.assign(index(cuts.count), -1);
    for (std::size_t j = joints.size(); j-- > 0;)
        cuts.joint[index(cuts.of_node[index(node_of_joint[j])])] = static_cast<int>(j);
    std::vector<int> named = cuts.joint;
    for (const auto& [a, b] : curve.edges) {
        for (const auto& [from, to] : {std::pair(a, b), std::pair(b, a)}) {
            const int here = cuts.of_node[index(from)], behind = cuts.of_node[index(to)];
            if (cuts.joint[index(here)] >= 0 || cuts.joint[index(behind)] < 0) continue;
            const int above = joints.joints[index(cuts.joint[index(behind)])].parent;
            if (above < 0 || std::find(named.begin(), named.end(), above) != named.end()) continue;
            named[index(here)] = above;
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

CurveCuts cut_curve(const CurveSkeleton& curve, const model::Skeleton& joints,
                    const CurveCutOptions& options) {
    const std::vector<int> node_of_joint = nodes_of_joints(curve, joints);
    const std::vector<int> degree = degrees(curve), joint_at = joints_at_nodes(curve, node_of_joint);
    std::vector<int> group(curve.nodes.size());
    std::iota(group.begin(), group.end(), 0);
    for (const CurveBranch& branch : branches(curve)) {
        if (branch.nodes.size() < 2) continue;
        const Way way = way_of(curve, branch, degree);
        std::vector<std::size_t> cuts;
        if (!is_trunk(curve, way, options.trunk))
            cuts = chosen(curve, way, places_on(curve, way, joint_at, options), options.apart);
        for (std::size_t i = 0; i + 1 < way.nodes.size(); ++i) {
            // A cut lies before its node, which begins what is farther out.
            if (std::binary_search(cuts.begin(), cuts.end(), i + 1)) continue;
            group[index(top(group, way.nodes[i + 1]))] = top(group, way.nodes[i]);
        }
    }
    CurveCuts result;
    std::vector<int> label(curve.nodes.size(), -1);
    for (std::size_t n = 0; n < curve.nodes.size(); ++n) {
        int& own = label[index(top(group, static_cast<int>(n)))];
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
    result.cuts = cut_curve(found.curve, result.guide);
    const auto of_vertex = [&](std::uint32_t v) {
        const int node = found.curve.node_of_vertex[v];
        return node < 0 ? -1 : result.cuts.of_node[index(node)];
    };
    for (const auto& [a, b, c] : mesh.triangles)
        result.of_face.push_back(majority(of_vertex(a), of_vertex(b), of_vertex(c)));
    return result;
}

}  // namespace sinew::rig
