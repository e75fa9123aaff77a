#include "sinew/rig/parts/curve_cuts.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "sinew/base/array.h"
#include "sinew/rig/parts/curve_twins.h"

namespace sinew::rig {
namespace {

/// Places on a way where it may be cut, the most wanted first.
struct Place {
    std::size_t node = 0;  ///< on the way
    int joint = -1;
};

/// Where a way leaves what it starts in. When it gets thicker than its junction at first, that is still the
/// palm below a finger or the rump before a tail: then where its ball has shrunk from that.
std::size_t leaves_body(const CurveSkeleton& curve, const CurveShape& shape, const Way& way,
                        const CurveCutOptions& options) {
    const auto radius = [&](std::size_t i) { return curve.nodes[sinew::at(way.nodes[i])].radius; };
    const auto girth = [&](std::size_t i) { return shape.girth[sinew::at(way.nodes[i])]; };
    const std::size_t count = way.nodes.size(), first = leaves_ball(curve, way, false, options.leave);
    if (first == count || way.junction[1]) return first;
    // Wide and flat here, and half as wide a little farther on: the rim of a palm.
    const double rim = girth(first) > options.flat * radius(first) ? girth(first) : 0;
    for (std::size_t i = first; i < count && way.at[i] - way.at[first] <= rim; ++i)
        if (girth(i) < options.narrow * rim) return i;
    double thickest = radius(first), widest = girth(first);
    for (std::size_t i = first; i < count; ++i) {
        thickest = std::max(thickest, radius(i));
        widest = std::max(widest, girth(i));
        const bool swells = thickest >= options.swell * radius(0);
        // What is thin first, and then thick, is a head on its neck.
        const bool neck = !swells && radius(i) < options.shrink * radius(0);
        if (neck || way.at[i] - way.at[first] > options.swell_reach * thickest) return first;
        if (swells && (radius(i) < options.shrink * thickest || girth(i) < options.shrink * widest)) return i;
    }
    return thickest >= options.swell * radius(0) ? count : first;
}

std::vector<Place> places_on(const CurveSkeleton& curve, const CurveShape& shape, const Way& way,
                             const std::vector<int>& joint_at, const CurveCutOptions& options) {
    std::vector<Place> places;
    const std::size_t first = way.junction[0] ? leaves_body(curve, shape, way, options) : 0;
    if (way.junction[0] && first < way.nodes.size()) places.push_back({first, -1});
    const std::size_t last =
        way.junction[1] ? leaves_ball(curve, way, true, options.leave) : way.nodes.size();
    for (std::size_t i = first; i < std::min(last, way.nodes.size()); ++i)
        if (joint_at[sinew::at(way.nodes[i])] >= 0 && i > 0)
            places.push_back({i, joint_at[sinew::at(way.nodes[i])]});
    if (way.junction[1] && last > first && last < way.nodes.size()) places.push_back({last, -1});
    return places;
}

/// The least of some values of a way's nodes before and behind a place, within a reach.
struct GirthAround {
    double before = 0;
    double behind = 0;

    bool below(double value, double factor) const {
        return value > factor * before && value > factor * behind;
    }
};
template <class Value>
GirthAround around(const Way& way, std::size_t place, double reach, const Value& value) {
    GirthAround least{value(place), value(place)};
    for (std::size_t i = 0; i < way.nodes.size(); ++i) {
        if (std::abs(way.at[i] - way.at[place]) > reach) continue;
        double& side = i < place ? least.before : least.behind;
        side = std::min(side, value(i));
    }
    return least;
}

/// The girth at a place, and whether it is in the middle of a bulge, as of a head.
struct Thickness {
    double girth = 0;
    bool bulge = false;
};
Thickness thickness_at(const CurveSkeleton& curve, const CurveShape& shape, const Way& way, std::size_t place,
                       const CurveCutOptions& options) {
    const auto girth = [&](std::size_t i) { return shape.girth[sinew::at(way.nodes[i])]; };
    const auto radius = [&](std::size_t i) { return curve.nodes[sinew::at(way.nodes[i])].radius; };
    const double here = girth(place), reach = options.apart * here;
    const GirthAround near = around(way, place, reach, girth);
    if (!near.below(here, options.bulge)) return {here, false};
    const bool ball = around(way, place, reach, radius).below(radius(place), options.bulge_ball);
    if (ball || way.at[place] < way.length() / 2) return {here, true};
    // Only the surface reaches farther there, not the ball: a heel behind an ankle.
    return {std::max(near.before, radius(place)), false};
}

/// Cuts that are far enough from each other and from a free end.
std::vector<std::size_t> chosen(const CurveSkeleton& curve, const CurveShape& shape, const Way& way,
                                const std::vector<Place>& places, const CurveCutOptions& options) {
    std::vector<std::size_t> cuts;
    for (const Place& place : places) {
        const Thickness thick = thickness_at(curve, shape, way, place.node, options);
        const double room = options.apart * thick.girth;
        const double here = way.at[place.node];
        // A limb that has left its junction is one however short; its end is not cut off again.
        const double to_end = place.joint < 0 ? curve.nodes[sinew::at(way.nodes[place.node])].radius
                                              : options.end * thick.girth;
        bool fits = way.junction[1] || way.length() - here > to_end;
        for (const std::size_t cut : cuts) fits = fits && std::abs(way.at[cut] - here) > room;
        fits = fits && (place.joint < 0 || !thick.bulge);
        if (fits) cuts.push_back(place.node);
    }
    std::sort(cuts.begin(), cuts.end());
    return cuts;
}

/// The thinnest place between the ends of a way.
std::size_t neck_of(const CurveSkeleton& curve, const Way& way) {
    std::size_t best = way.nodes.size() / 2;
    for (std::size_t i = 1; i + 1 < way.nodes.size(); ++i)
        if (curve.nodes[sinew::at(way.nodes[i])].radius < curve.nodes[sinew::at(way.nodes[best])].radius)
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

/// Cuts of all ways, those of twins alike.
std::vector<std::vector<std::size_t>> cuts_of(const CurveSkeleton& curve, const CurveShape& shape,
                                              const WayGraph& graph, const std::vector<Way>& ways,
                                              const std::vector<int>& twins, const std::vector<int>& joint_at,
                                              const CurveCutOptions& options) {
    const Heads heads = find_heads(curve, shape, graph, ways, twins, options);
    std::vector<std::vector<std::size_t>> cuts(ways.size());
    for (std::size_t w = 0; w < ways.size(); ++w) {
        const Way& way = ways[w];
        if (is_trunk(curve, way, options.trunk)) {
            if (heads.neck[w] && way.nodes.size() > 3) cuts[w] = {neck_of(curve, way)};
        } else if (!heads.face[w]) {
            cuts[w] = chosen(curve, shape, way, places_on(curve, shape, way, joint_at, options), options);
        }
    }
    level_cuts(ways, twins, cuts);
    return cuts;
}

/// Stretches behind the same cut of twins are twins.
std::vector<int> twin_stretches(const std::vector<Way>& ways, const std::vector<int>& twins,
                                const std::vector<std::vector<std::size_t>>& cuts, const CurveCuts& result) {
    std::map<std::pair<int, std::size_t>, int> first;  // stretch of a group and the number of its cut
    std::vector<int> group(sinew::at(result.count), -1);
    for (std::size_t w = 0; w < ways.size(); ++w) {
        for (std::size_t c = 0; twins[w] >= 0 && c < cuts[w].size(); ++c) {
            const int stretch = result.of_node[sinew::at(ways[w].nodes[cuts[w][c]])];
            group[sinew::at(stretch)] = first.try_emplace({twins[w], c}, stretch).first->second;
        }
    }
    return group;
}

}  // namespace

CurveCuts cut_curve(const CurveSkeleton& curve, const CurveShape& shape, const model::Skeleton& joints,
                    const CurveCutOptions& options) {
    const std::vector<CurveBranch> all = branches(curve);
    const WayGraph graph = graph_of(curve, all);
    const std::vector<int> node_of_joint = nodes_of_joints(curve, joints);
    const std::vector<int> joint_at = joints_at_nodes(curve, node_of_joint);
    std::vector<int> group(curve.nodes.size());
    std::iota(group.begin(), group.end(), 0);
    std::vector<Way> ways;
    for (const CurveBranch& branch : all)
        if (branch.nodes.size() > 1) ways.push_back(way_of(curve, branch, graph.degree));
    const std::vector<int> twins = twin_ways(curve, shape, graph, ways);
    const auto cuts = cuts_of(curve, shape, graph, ways, twins, joint_at, options);
    for (std::size_t w = 0; w < ways.size(); ++w) {
        for (std::size_t i = 0; i + 1 < ways[w].nodes.size(); ++i) {
            // A cut lies before its node, which begins what is farther out.
            if (std::binary_search(cuts[w].begin(), cuts[w].end(), i + 1)) continue;
            group[sinew::at(top(group, ways[w].nodes[i + 1]))] = top(group, ways[w].nodes[i]);
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
    result.twins = twin_stretches(ways, twins, cuts, result);
    return result;
}

}  // namespace sinew::rig
