// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/base/error.h"
#include "sinew/rig/silhouette/refine.h"
#include "sinew/rig/silhouette/view.h"

namespace sinew::rig {

namespace {

constexpr double far_radii = 1.8;        // vertices this far from their node are not explained by it
constexpr double near_radii = 1.5;       // and neighbours from this distance on are included
constexpr double min_patch = 0.002;      // minimum size of a patch, as a fraction of all vertices
constexpr double min_branch_radii = 2;   // minimum length of a branch, in radii
constexpr double min_branch = 0.03;      // minimum length, as a fraction of the diagonal
constexpr double max_off_centre = 0.35;  // lines that are less centred in the body than this are not limbs
constexpr double min_stand_out = 0.5;  // minimum distance of its end from the spheres of the curve, in radii

using Branch = MedialGraph::Branch;

/// Triangles of each connected patch that has a vertex beyond `far` and none within `near`.
std::vector<std::vector<std::uint32_t>> far_patches(const WeldedSurface& surface, const Decomposition& parts,
                                                    const std::vector<double>& closeness) {
    std::vector<std::uint32_t> leader(closeness.size());
    for (std::uint32_t v = 0; v < leader.size(); ++v) leader[v] = v;
    const auto find = [&](std::uint32_t v) {
        while (leader[v] != v) v = leader[v] = leader[leader[v]];
        return v;
    };
    const auto taken = [&](const Triangle& t) {
        return std::ranges::all_of(t, [&](std::uint32_t v) { return closeness[v] >= near_radii; });
    };
    std::size_t used = 0;
    for (const int b : parts.branch) used += b >= 0;
    for (const Triangle& t : surface.triangles) {
        if (!taken(t)) continue;
        for (const std::size_t k : {1u, 2u}) {
            const std::uint32_t a = find(t[0]), b = find(t[k]);
            leader[std::max(a, b)] = std::min(a, b);
        }
    }
    std::vector<std::size_t> count(closeness.size(), 0), beyond(closeness.size(), 0);
    for (std::uint32_t v = 0; v < leader.size(); ++v) {
        if (surface.weld[v] != v) continue;
        ++count[find(v)];
        beyond[find(v)] += closeness[v] >= far_radii;
    }
    const auto min = static_cast<std::size_t>(min_patch * static_cast<double>(used)) + 3;
    std::vector<int> number(closeness.size(), -1);
    std::vector<std::vector<std::uint32_t>> out;
    for (std::uint32_t t = 0; t < surface.triangles.size(); ++t) {
        if (!taken(surface.triangles[t])) continue;
        const std::uint32_t l = find(surface.triangles[t][0]);
        if (beyond[l] < min || count[l] < 2 * min) continue;
        if (number[l] < 0) {
            number[l] = static_cast<int>(out.size());
            out.emplace_back();
        }
        out[static_cast<std::size_t>(number[l])].push_back(t);
    }
    return out;
}

/// Distances of the vertices in radii of their node. A body that is slightly thicker along the view than
/// across it still counts as explained.
std::vector<double> closeness_of(const MedialGraph& graph, const WeldedSurface& surface,
                                 const Decomposition& parts, const Body& body, const Vec3d& view) {
    const CurveSkeleton curve = curve_of(graph);
    std::vector<double> reach;
    for (const CurveNode& node : curve.nodes) {
        reach.push_back(std::max(node.radius, 1e-4 * surface.diagonal));
        for (const Interval& stretch : body.inside(node.position, view)) {
            if (stretch.low > 0 || stretch.high < 0) continue;
            reach.back() = std::clamp(stretch.length() / 2, reach.back(), 1.1 * reach.back());
        }
    }
    std::vector<double> out(parts.node.size(), 0);
    for (std::size_t v = 0; v < out.size(); ++v) {
        if (parts.node[v] < 0) continue;
        const auto n = static_cast<std::size_t>(parts.node[v]);
        out[v] = (surface.positions[v] - curve.nodes[n].position).norm() / reach[n];
    }
    return out;
}

/// The node of a curve that is nearest to the known curve.
int base_of(const CurveSkeleton& curve, const MedialGraph& known) {
    int best = 0;
    double min = std::numeric_limits<double>::max();
    for (std::size_t n = 0; n < curve.nodes.size(); ++n) {
        for (const Branch& branch : known.branches) {
            for (const CurveNode& node : branch.nodes) {
                const double distance = (node.position - curve.nodes[n].position).norm();
                if (distance >= min) continue;
                min = distance;
                best = static_cast<int>(n);
            }
        }
    }
    return best;
}

/// The longest path through a tree, from where it leaves the known curve.
Branch longest_line(const MedialGraph& graph, const MedialGraph& known) {
    const CurveSkeleton curve = curve_of(graph);
    Branch out;
    if (curve.empty()) return out;
    std::vector<std::vector<int>> links(curve.nodes.size());
    for (const auto& [a, b] : curve.edges) {
        links[static_cast<std::size_t>(a)].push_back(b);
        links[static_cast<std::size_t>(b)].push_back(a);
    }
    const int base = base_of(curve, known);
    std::vector<int> from(curve.nodes.size(), -2), queue{base};
    std::vector<double> path_length(curve.nodes.size(), 0);
    from[static_cast<std::size_t>(base)] = -1;
    int far = base;
    for (std::size_t i = 0; i < queue.size(); ++i) {
        const auto at = static_cast<std::size_t>(queue[i]);
        if (path_length[at] > path_length[static_cast<std::size_t>(far)]) far = queue[i];
        for (const int next : links[at]) {
            const auto n = static_cast<std::size_t>(next);
            if (from[n] != -2) continue;
            from[n] = queue[i];
            path_length[n] = path_length[at] + (curve.nodes[n].position - curve.nodes[at].position).norm();
            queue.push_back(next);
        }
    }
    for (int n = far; n >= 0; n = from[static_cast<std::size_t>(n)]) {
        out.nodes.push_back(curve.nodes[static_cast<std::size_t>(n)]);
    }
    return out;
}

double length_of(const Branch& branch) {
    double sum = 0;
    for (std::size_t i = 1; i < branch.nodes.size(); ++i) {
        sum += (branch.nodes[i].position - branch.nodes[i - 1].position).norm();
    }
    return sum;
}

double mean_radius(const Branch& branch) {
    double sum = 0;
    for (const CurveNode& node : branch.nodes) sum += node.radius;
    return sum / static_cast<double>(std::max<std::size_t>(1, branch.nodes.size()));
}

struct Section {
    double radius = 0;      ///< mean length of the rays
    double off_centre = 1;  ///< distance from the node to the middle of their ends, in radii
};

/// The body around a node, by 16 rays across the line.
Section section_at(const Branch& line, std::size_t n, const Body& body) {
    constexpr int directions = 8;
    const Vec3d along =
        line.nodes[std::min(n + 1, line.nodes.size() - 1)].position - line.nodes[n > 0 ? n - 1 : 0].position;
    if (!(along.norm() > 0)) return {};
    const Vec3d u = along.unitOrthogonal(), v = along.normalized().cross(u);
    Vec3d sum = Vec3d::Zero();
    double length = 0;
    for (int i = 0; i < directions; ++i) {
        const double angle = math::pi * i / directions;
        const Vec3d path_length = std::cos(angle) * u + std::sin(angle) * v;
        for (const Interval& stretch : body.inside(line.nodes[n].position, path_length)) {
            if (stretch.low > 0 || stretch.high < 0) continue;
            sum += (stretch.low + stretch.high) * path_length;
            length += stretch.length();
        }
    }
    if (!(length > 0)) return {};
    return {length / (2 * directions), sum.norm() / length};
}

/// Mean over the line. Small in a limb; large in a bulge of the trunk, which is open towards the trunk.
double off_centre(const Branch& line, const Body& body) {
    double total = 0;
    for (std::size_t n = 0; n < line.nodes.size(); ++n) total += section_at(line, n, body).off_centre;
    return total / static_cast<double>(line.nodes.size());
}

/// A patch is open, so that its outline does not show the thickness of the limb: it is measured in the body.
void center_line(MedialGraph& line, const Body& body, const Vec3d& direction) {
    for (int round = 0; round < 2; ++round) {
        refine_by_rays(line, body, direction);
        Branch& branch = line.branches[0];
        std::vector<double> radii;
        for (std::size_t n = 0; n < branch.nodes.size(); ++n) {
            radii.push_back(std::max(branch.nodes[n].radius, section_at(branch, n, body).radius));
        }
        for (std::size_t n = 0; n < radii.size(); ++n) branch.nodes[n].radius = radii[n];
        branch.hidden = false;
    }
}

/// How far the end of a line protrudes from the known curve, in its own radii.
double stands_out(const Branch& line, const MedialGraph& known) {
    double far = 0;
    for (const CurveNode& node : line.nodes) {
        double nearest = std::numeric_limits<double>::max();
        for (const Branch& branch : known.branches) {
            for (const CurveNode& n : branch.nodes) {
                nearest = std::min(nearest, (n.position - node.position).norm() - n.radius);
            }
        }
        far = std::max(far, nearest);
    }
    return far / std::max(mean_radius(line), std::numeric_limits<double>::min());
}

/// The axis of a patch in the view from its side (Xie 2009, 3.6: across the first view and the patch).
MedialGraph axis_of(const WeldedSurface& patch, const Vec3d& view, double spacing,
                    const MedialOptions& options, Vec3d& direction) {
    direction = across(view, principal_axes(patch)[0]);
    const Projection projection = project(patch, view_frame(direction, view, Vec3d::UnitY()));
    const Silhouette silhouette = trace_walk(patch, projection);
    MedialGraph out;
    if (silhouette.pieces.empty()) return out;
    const SilhouettePiece piece = resampled(silhouette.pieces.front(), spacing);
    const geometry::Polygon2 polygon = polygon_of(piece);
    MedialOptions medial = options;
    medial.spacing = spacing;
    append(
        out,
        medial_axis(geometry::triangulate(polygon), nodes_of(piece), geometry::PolygonIndex(polygon), medial),
        projection);
    return out;
}

}  // namespace

int add_hidden(MedialGraph& graph, const WeldedSurface& surface, const Decomposition& parts, const Body& body,
               const Vec3d& view, const MedialOptions& options) {
    int added = 0;
    const auto closeness = closeness_of(graph, surface, parts, body, view);
    for (const auto& triangles : far_patches(surface, parts, closeness)) {
        const WeldedSurface patch = part_of(surface, triangles);
        const double spacing = std::max(0.02 * patch.diagonal, 0.003 * surface.diagonal);
        MedialGraph axis;
        Vec3d direction;
        try {
            axis = axis_of(patch, view, spacing, options, direction);
        } catch (const Error&) {
            continue;  // a patch without an outline that can be triangulated has no axis
        }
        MedialGraph line;
        line.branches.push_back(longest_line(axis, graph));
        if (line.branches[0].nodes.size() < 2) continue;
        center_line(line, body, direction);
        Branch& branch = line.branches[0];
        // A short and wide line is a bulge of a known limb, not a new limb.
        const double min = std::max(min_branch_radii * mean_radius(branch), min_branch * surface.diagonal);
        if (length_of(branch) < min || off_centre(branch, body) > max_off_centre ||
            stands_out(branch, graph) < min_stand_out) {
            continue;
        }
        branch.hidden = true;
        graph.branches.push_back(std::move(branch));
        ++added;
    }
    return added;
}

}  // namespace sinew::rig
