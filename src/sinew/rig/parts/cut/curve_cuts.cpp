// SPDX-License-Identifier: MIT
#include "sinew/rig/parts/cut/curve_cuts.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "sinew/base/array.h"
#include "sinew/rig/parts/cut/branches.h"

namespace sinew::rig {
namespace {

/// Positions on a path where it may be cut, the best first.
struct CutSite {
    std::size_t node = 0;  ///< on the path
    int joint = -1;
};

/// Where a path leaves the part that it starts in. When it first gets thicker than its junction, that is
/// still the palm below a finger or the rump before a tail: then where its sphere has become smaller again.
std::size_t leaves_body(const CurveSkeleton& curve, const CurveShape& shape, const BranchPath& path) {
    const auto radius = [&](std::size_t i) { return curve.nodes[sinew::at(path.nodes[i])].radius; };
    const auto girth = [&](std::size_t i) { return shape.girth[sinew::at(path.nodes[i])]; };
    const std::size_t count = path.nodes.size(), first = leaves_sphere(curve, path, false, curve_cut::leave);
    if (first == count || path.junction[1]) return first;
    // Wide and flat here, and half as wide a little farther: the rim of a palm.
    const double rim = girth(first) > curve_cut::flat * radius(first) ? girth(first) : 0;
    for (std::size_t i = first; i < count && path.at[i] - path.at[first] <= rim; ++i)
        if (girth(i) < curve_cut::narrow * rim) return i;
    double thickest = radius(first), widest = girth(first);
    for (std::size_t i = first; i < count; ++i) {
        thickest = std::max(thickest, radius(i));
        widest = std::max(widest, girth(i));
        const bool swells = thickest >= curve_cut::swell * radius(0);
        // A path that is first thin and then thick is a head on its neck.
        const bool neck = !swells && radius(i) < curve_cut::shrink * radius(0);
        if (neck || path.at[i] - path.at[first] > curve_cut::swell_reach * thickest) return first;
        if (swells && (radius(i) < curve_cut::shrink * thickest || girth(i) < curve_cut::shrink * widest))
            return i;
    }
    return thickest >= curve_cut::swell * radius(0) ? count : first;
}

std::vector<CutSite> sites_on(const CurveSkeleton& curve, const CurveShape& shape, const BranchPath& path,
                              const std::vector<int>& joint_at) {
    std::vector<CutSite> sites;
    const std::size_t first = path.junction[0] ? leaves_body(curve, shape, path) : 0;
    if (path.junction[0] && first < path.nodes.size()) sites.push_back({first, -1});
    const std::size_t last =
        path.junction[1] ? leaves_sphere(curve, path, true, curve_cut::leave) : path.nodes.size();
    for (std::size_t i = first; i < std::min(last, path.nodes.size()); ++i)
        if (joint_at[sinew::at(path.nodes[i])] >= 0 && i > 0)
            sites.push_back({i, joint_at[sinew::at(path.nodes[i])]});
    if (path.junction[1] && last > first && last < path.nodes.size()) sites.push_back({last, -1});
    return sites;
}

/// The minima of a value over the nodes of a path before and behind a position, within a reach.
struct GirthAround {
    double before = 0;
    double behind = 0;

    bool below(double value, double factor) const {
        return value > factor * before && value > factor * behind;
    }
};
template <class Value>
GirthAround around(const BranchPath& path, std::size_t site, double reach, const Value& value) {
    GirthAround min{value(site), value(site)};
    for (std::size_t i = 0; i < path.nodes.size(); ++i) {
        if (std::abs(path.at[i] - path.at[site]) > reach) continue;
        double& side = i < site ? min.before : min.behind;
        side = std::min(side, value(i));
    }
    return min;
}

/// The girth at a position, and whether it is in the middle of a bulge, as of a head.
struct Thickness {
    double girth = 0;
    bool bulge = false;
};
Thickness thickness_at(const CurveSkeleton& curve, const CurveShape& shape, const BranchPath& path,
                       std::size_t site) {
    const auto girth = [&](std::size_t i) { return shape.girth[sinew::at(path.nodes[i])]; };
    const auto radius = [&](std::size_t i) { return curve.nodes[sinew::at(path.nodes[i])].radius; };
    const double here = girth(site), reach = curve_cut::apart * here;
    const GirthAround near = around(path, site, reach, girth);
    if (!near.below(here, curve_cut::bulge)) return {here, false};
    const bool sphere = around(path, site, reach, radius).below(radius(site), curve_cut::bulge_sphere);
    if (sphere || path.at[site] < path.length() / 2) return {here, true};
    // Only the surface is farther away there, the sphere is not larger: a heel behind an ankle.
    return {std::max(near.before, radius(site)), false};
}

/// Cuts that are far enough from each other and from a free end.
std::vector<std::size_t> chosen(const CurveSkeleton& curve, const CurveShape& shape, const BranchPath& path,
                                const std::vector<CutSite>& sites) {
    std::vector<std::size_t> cuts;
    for (const CutSite& site : sites) {
        const Thickness thick = thickness_at(curve, shape, path, site.node);
        const double clearance = curve_cut::apart * thick.girth;
        const double here = path.at[site.node];
        // A limb that has left its junction is a part at any length; its end is not cut off again.
        const double to_end = site.joint < 0 ? curve.nodes[sinew::at(path.nodes[site.node])].radius
                                             : curve_cut::end * thick.girth;
        bool fits = path.junction[1] || path.length() - here > to_end;
        for (const std::size_t cut : cuts) fits = fits && std::abs(path.at[cut] - here) > clearance;
        fits = fits && (site.joint < 0 || !thick.bulge);
        if (fits) cuts.push_back(site.node);
    }
    std::sort(cuts.begin(), cuts.end());
    return cuts;
}

/// The thinnest position between the ends of a path.
std::size_t neck_of(const CurveSkeleton& curve, const BranchPath& path) {
    std::size_t best = path.nodes.size() / 2;
    for (std::size_t i = 1; i + 1 < path.nodes.size(); ++i)
        if (curve.nodes[sinew::at(path.nodes[i])].radius < curve.nodes[sinew::at(path.nodes[best])].radius)
            best = i;
    return best;
}

int top(std::vector<int>& group, int node) {
    while (group[sinew::at(node)] != node)
        node = group[sinew::at(node)] = group[sinew::at(group[sinew::at(node)])];
    return node;
}

/// The node nearest to each joint.
std::vector<int> nodes_of_joints(const CurveSkeleton& curve, const model::Skeleton& joints) {
    std::vector<int> nodes;
    for (const Vec3d& site : model::joint_positions(model::rest_world_matrices(joints))) {
        std::size_t nearest = 0;
        for (std::size_t n = 1; n < curve.nodes.size(); ++n)
            if ((curve.nodes[n].position - site).squaredNorm() <
                (curve.nodes[nearest].position - site).squaredNorm())
                nearest = n;
        nodes.push_back(static_cast<int>(nearest));
    }
    return nodes;
}

/// For each node the lowest joint at its position, or -1.
std::vector<int> joints_at_nodes(const CurveSkeleton& curve, const std::vector<int>& node_of_joint) {
    std::vector<int> at(curve.nodes.size(), -1);
    for (std::size_t j = node_of_joint.size(); j-- > 0;)
        at[sinew::at(node_of_joint[j])] = static_cast<int>(j);
    return at;
}

/// Stretches are named after the lowest joint in them. One without a joint, such as a thigh whose hip joint
/// lies in the trunk, uses the parent of the joint of the stretch behind it, when no other stretch uses that.
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

/// Cuts of all paths, with equal cuts for twins.
std::vector<std::vector<std::size_t>> cuts_of(const CurveSkeleton& curve, const CurveShape& shape,
                                              const PathGraph& graph, const std::vector<BranchPath>& paths,
                                              const std::vector<int>& twins,
                                              const std::vector<int>& joint_at) {
    const Heads heads = find_heads(curve, shape, graph, paths, twins);
    std::vector<std::vector<std::size_t>> cuts(paths.size());
    for (std::size_t w = 0; w < paths.size(); ++w) {
        const BranchPath& path = paths[w];
        if (is_trunk(curve, path, curve_cut::trunk)) {
            if (heads.neck[w] && path.nodes.size() > 3) cuts[w] = {neck_of(curve, path)};
        } else if (!heads.face[w]) {
            cuts[w] = chosen(curve, shape, path, sites_on(curve, shape, path, joint_at));
        }
    }
    level_cuts(paths, twins, cuts);
    return cuts;
}

/// Stretches behind the same cut of twins are twins.
std::vector<int> twin_stretches(const std::vector<BranchPath>& paths, const std::vector<int>& twins,
                                const std::vector<std::vector<std::size_t>>& cuts, const CurveCuts& result) {
    std::map<std::pair<int, std::size_t>, int> first;  // stretch of a group and the number of its cut
    std::vector<int> group(sinew::at(result.count), -1);
    for (std::size_t w = 0; w < paths.size(); ++w) {
        for (std::size_t c = 0; twins[w] >= 0 && c < cuts[w].size(); ++c) {
            const int stretch = result.of_node[sinew::at(paths[w].nodes[cuts[w][c]])];
            group[sinew::at(stretch)] = first.try_emplace({twins[w], c}, stretch).first->second;
        }
    }
    return group;
}

}  // namespace

CurveCuts cut_curve(const CurveSkeleton& curve, const CurveShape& shape, const model::Skeleton& joints) {
    const std::vector<CurveBranch> all = branches(curve);
    const PathGraph graph = graph_of(curve, all);
    const std::vector<int> node_of_joint = nodes_of_joints(curve, joints);
    const std::vector<int> joint_at = joints_at_nodes(curve, node_of_joint);
    std::vector<int> group(curve.nodes.size());
    std::iota(group.begin(), group.end(), 0);
    std::vector<BranchPath> paths;
    for (const CurveBranch& branch : all)
        if (branch.nodes.size() > 1) paths.push_back(path_of(curve, branch, graph.degree));
    const std::vector<int> twins = twin_paths(curve, shape, graph, paths);
    const auto cuts = cuts_of(curve, shape, graph, paths, twins, joint_at);
    for (std::size_t w = 0; w < paths.size(); ++w) {
        for (std::size_t i = 0; i + 1 < paths[w].nodes.size(); ++i) {
            // A cut lies before its node, which is the first of the outer stretch.
            if (std::binary_search(cuts[w].begin(), cuts[w].end(), i + 1)) continue;
            group[sinew::at(top(group, paths[w].nodes[i + 1]))] = top(group, paths[w].nodes[i]);
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
    result.twins = twin_stretches(paths, twins, cuts, result);
    return result;
}

}  // namespace sinew::rig
