#include "sinew/rig/parts/curve_twins.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "sinew/base/array.h"

namespace sinew::rig {
namespace {

/// A way and all that hangs on its end.
struct Limb {
    double length = 0;
    double area = 0;  ///< 0 when it is no limb
};
Limb limb_of(const CurveShape& shape, const WayGraph& graph, const Way& way, double all_area) {
    if (!way.junction[0]) return {};
    double area = 0;
    for (std::size_t i = 1; i < way.nodes.size(); ++i) area += shape.area[sinew::at(way.nodes[i])];
    if (!way.junction[1]) return {way.length(), area};
    const Behind end = behind(shape, graph, way, true);
    // More than the way itself is no hand on an arm, but a body.
    if (end.nodes.empty() || end.area * all_area > area) return {};
    return {way.length() + end.branch, area + end.area * all_area};
}

bool alike(double a, double b, double least) {
    return std::min(a, b) >= least * std::max(a, b);
}

/// The node of a way, but not its ends, that is nearest to an arc length; the number of nodes beyond its end.
std::size_t node_at(const Way& way, double place) {
    if (place >= way.length()) return way.nodes.size();
    const auto above = std::lower_bound(way.at.begin(), way.at.end(), place);
    auto node = static_cast<std::size_t>(above - way.at.begin());
    if (node > 0 && place - way.at[node - 1] < way.at[node] - place) --node;
    return std::max<std::size_t>(node, 1);
}

/// The cuts of one way on another, which keeps the first of its own: where it leaves its junction.
std::vector<std::size_t> carried_over(const Way& from, const std::vector<std::size_t>& cuts, const Way& to,
                                      const std::vector<std::size_t>& own) {
    std::vector<std::size_t> result;
    if (!own.empty()) result.push_back(own.front());
    const double start = result.empty() ? 0 : to.at[own.front()];
    const double from_start = from.at[cuts.front()];
    for (std::size_t i = own.empty() ? 0 : 1; i < cuts.size(); ++i) {
        const double part = own.empty() ? from.at[cuts[i]] / from.length()
                                        : (from.at[cuts[i]] - from_start) / (from.length() - from_start);
        const std::size_t node = node_at(to, start + part * (to.length() - start));
        if (node < to.nodes.size() && (result.empty() || node > result.back())) result.push_back(node);
    }
    return result;
}

/// Nodes of junctions whose balls reach far into each other have the same number.
std::vector<int> junction_groups(const CurveSkeleton& curve, const std::vector<Way>& ways, double apart) {
    std::vector<int> group(curve.nodes.size());
    std::iota(group.begin(), group.end(), 0);
    for (const Way& way : ways) {
        const int a = way.nodes.front(), b = way.nodes.back();
        const double balls = curve.nodes[sinew::at(a)].radius + curve.nodes[sinew::at(b)].radius;
        if (!way.junction[0] || !way.junction[1] || way.length() > apart * balls) continue;
        const int old = group[sinew::at(b)];
        std::replace(group.begin(), group.end(), old, group[sinew::at(a)]);
    }
    return group;
}

}  // namespace

std::vector<int> twin_ways(const CurveSkeleton& curve, const CurveShape& shape, const WayGraph& graph,
                           const std::vector<Way>& ways, const TwinOptions& options) {
    double all_area = 0;
    for (const double area : shape.area) all_area += area;
    std::vector<Limb> limbs;
    for (const Way& way : ways) limbs.push_back(limb_of(shape, graph, way, all_area));
    const std::vector<int> junctions = junction_groups(curve, ways, options.apart);
    const auto junction = [&](std::size_t way) { return junctions[sinew::at(ways[way].nodes.front())]; };
    std::vector<int> group(ways.size(), -1);
    for (std::size_t a = 0; a < ways.size(); ++a) {
        for (std::size_t b = a + 1; b < ways.size() && limbs[a].area > 0; ++b) {
            if (junction(a) != junction(b) || !alike(limbs[a].length, limbs[b].length, options.length) ||
                !alike(limbs[a].area, limbs[b].area, options.area))
                continue;
            if (group[a] < 0) group[a] = static_cast<int>(a);
            if (group[b] < 0) group[b] = group[a];
        }
    }
    return group;
}

void level_cuts(const std::vector<Way>& ways, const std::vector<int>& groups,
                std::vector<std::vector<std::size_t>>& cuts) {
    std::map<int, std::vector<std::size_t>> members;
    for (std::size_t w = 0; w < groups.size(); ++w)
        if (groups[w] >= 0) members[groups[w]].push_back(w);
    for (const auto& [group, list] : members) {
        std::vector<double> counts;
        for (const std::size_t w : list) counts.push_back(static_cast<double>(cuts[w].size()));
        const auto wanted = static_cast<std::size_t>(median(std::move(counts)));
        const std::size_t model =
            *std::find_if(list.begin(), list.end(), [&](std::size_t w) { return cuts[w].size() == wanted; });
        if (wanted == 0) continue;
        for (const std::size_t w : list)
            if (cuts[w].size() != wanted) cuts[w] = carried_over(ways[model], cuts[model], ways[w], cuts[w]);
    }
}

}  // namespace sinew::rig
