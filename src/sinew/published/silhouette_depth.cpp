// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/base/parallel.h"
#include "sinew/published/silhouette_variants.h"
#include "sinew/rig/silhouette/view.h"

namespace sinew::published {

namespace {

constexpr int depth_smoothing = 3;  // passes of [1 2 1] / 4

using Branch = MedialGraph::Branch;

struct ChordPosition {
    int triangle = -1;
    std::size_t side = 0;
};

/// The internal side whose middle is nearest, mainly along the branch, because the depth is unknown.
ChordPosition nearest_chord(const Triangulation2& triangulation, double along, double depth) {
    ChordPosition best;
    double min = 0;
    for (std::size_t t = 0; t < triangulation.triangles.size(); ++t) {
        const auto& triangle = triangulation.triangles[t];
        for (std::size_t k = 0; k < 3; ++k) {
            if (triangle.neighbors[k] <= static_cast<int>(t)) continue;
            const Vec2d a = triangulation.points[static_cast<std::size_t>(triangle.corners[(k + 1) % 3])];
            const Vec2d b = triangulation.points[static_cast<std::size_t>(triangle.corners[(k + 2) % 3])];
            const Vec2d middle = (a + b) / 2;
            const double far = std::abs(middle.x() - along) + 0.25 * std::abs(middle.y() - depth);
            if (best.triangle >= 0 && far >= min) continue;
            best = {static_cast<int>(t), k};
            min = far;
        }
    }
    return best;
}

/// Height of a side of the outline, known at one or two points, constant beyond them.
double height_at(const std::vector<Vec2d>& side, double along) {
    if (side.size() < 2 || std::abs(side[1].x() - side[0].x()) < 1e-12 * std::abs(side[0].x() + 1)) {
        double sum = 0;
        for (const Vec2d& p : side) sum += p.y();
        return sum / static_cast<double>(side.size());
    }
    const double t = std::clamp((along - side[0].x()) / (side[1].x() - side[0].x()), 0.0, 1.0);
    return side[0].y() + t * (side[1].y() - side[0].y());
}

/// Triangles of a surface by the branch of most of their corners.
std::vector<std::vector<std::uint32_t>> patches_of(const WeldedSurface& surface, const Decomposition& parts,
                                                   std::size_t branches) {
    std::vector<std::vector<std::uint32_t>> out(branches);
    for (std::uint32_t t = 0; t < surface.triangles.size(); ++t) {
        const Triangle& c = surface.triangles[t];
        const int a = parts.branch[c[0]], b = parts.branch[c[1]], d = parts.branch[c[2]];
        const int label = b == d ? b : a;
        if (label >= 0) out[static_cast<std::size_t>(label)].push_back(t);
    }
    return out;
}

void smooth_depths(std::vector<double>& depth, int passes) {
    for (int pass = 0; pass < passes; ++pass) {
        const std::vector<double> before = depth;
        for (std::size_t i = 1; i + 1 < depth.size(); ++i) {
            depth[i] = (before[i - 1] + 2 * before[i] + before[i + 1]) / 4;
        }
    }
}

}  // namespace

ViewFrame second_view(const Branch& branch, const WeldedSurface& patch, const Vec3d& view) {
    Vec3d along = branch.nodes.back().position - branch.nodes.front().position;
    Vec3d direction = view.cross(along);
    if (direction.norm() < 0.1 * along.norm() || !(along.norm() > 0)) {
        along = principal_axes(patch)[0];
        direction = view.cross(along);
    }
    if (direction.norm() < 0.1) direction = view.unitOrthogonal();
    return view_frame(direction, view, Vec3d::UnitY());
}

SilhouettePiece second_silhouette(const WeldedSurface& patch, const ViewFrame& frame) {
    const Projection projection = project(patch, frame);
    const Silhouette found = trace_walk(patch, projection);
    if (found.pieces.empty()) return {};
    return resampled(found.pieces.front(), 0.02 * patch.diagonal);
}

std::optional<double> depth_between(const Triangulation2& triangulation, double along, double depth) {
    const ChordPosition chord = nearest_chord(triangulation, along, depth);
    if (chord.triangle < 0) return std::nullopt;
    const auto& triangle = triangulation.triangles[static_cast<std::size_t>(chord.triangle)];
    const auto point = [&](int p) { return triangulation.points[static_cast<std::size_t>(p)]; };
    int up = triangle.corners[(chord.side + 1) % 3], down = triangle.corners[(chord.side + 2) % 3];
    if (point(up).y() < point(down).y()) std::swap(up, down);
    std::vector<Vec2d> upper{point(up)}, lower{point(down)};
    const int other = triangle.neighbors[chord.side];
    for (const int t : {chord.triangle, other}) {
        const auto& c = triangulation.triangles[static_cast<std::size_t>(t)];
        for (std::size_t k = 0; k < 3; ++k) {
            const int apex = c.corners[k];
            if (apex == up || apex == down) continue;
            // The apex belongs to the side with whose end it shares an external side.
            const auto external_with = [&](int end) {
                for (std::size_t s = 0; s < 3; ++s) {
                    if (s != k && c.corners[s] != end && c.external(s)) return true;
                }
                return false;
            };
            const bool with_up = external_with(up), with_down = external_with(down);
            const Vec2d at = point(apex);
            const bool above =
                with_up == with_down ? (at - point(up)).norm() < (at - point(down)).norm() : with_up;
            (above ? upper : lower).push_back(at);
        }
    }
    return (height_at(upper, along) + height_at(lower, along)) / 2;
}

std::vector<SilhouettePiece> refine_by_silhouettes(MedialGraph& graph, const WeldedSurface& surface,
                                                   const Decomposition& parts, const Vec3d& view) {
    const auto patches = patches_of(surface, parts, graph.branches.size());
    std::vector<SilhouettePiece> outlines(graph.branches.size());
    parallel_for(graph.branches.size(), 1, [&](std::size_t b) {
        Branch& branch = graph.branches[b];
        if (patches[b].empty() || branch.nodes.size() < 2) return;
        const WeldedSurface patch = part_of(surface, patches[b]);
        const ViewFrame frame = second_view(branch, patch, view);
        try {
            outlines[b] = second_silhouette(patch, frame);
            if (outlines[b].outer.size() < 4) return;
            const Triangulation2 triangulation = geometry::triangulate(polygon_of(outlines[b]));
            std::vector<double> depth;
            for (const CurveNode& node : branch.nodes) {
                const Vec3d at = frame.to_view(node.position);
                depth.push_back(depth_between(triangulation, at.x(), at.y()).value_or(at.y()));
            }
            smooth_depths(depth, depth_smoothing);
            for (std::size_t i = 0; i < depth.size(); ++i) {
                Vec3d& at = branch.nodes[i].position;
                at += (depth[i] - frame.y.dot(at)) * frame.y;
            }
        } catch (const Error&) {
            outlines[b] = {};  // for a patch that cannot be triangulated the branch does not change
        }
    });
    return outlines;
}

}  // namespace sinew::published
