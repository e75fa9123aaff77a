// Bones of leaves whose axis does not reach their tip: fingers and tails that bend away from it.

#include <algorithm>

#include "sinew/rig/parts/part_piece.h"

namespace sinew::rig {
namespace {

/// The middle of the points of a part whose distance from `from` is between two parts of the largest.
Vec3d middle_between(const geometry::PartSurface& surface, const Vec3d& from, double low, double high) {
    Vec3d sum = Vec3d::Zero();
    double count = 0;
    for (std::size_t p = 0; p < surface.own_points; ++p) {
        const double distance = (surface.points[p] - from).norm();
        if (distance < low || distance > high) continue;
        sum += surface.points[p];
        ++count;
    }
    return count > 0 ? Vec3d(sum / count) : from;
}

}  // namespace

void lead_to_tip(Piece& piece, const PartOpenings& openings, const geometry::PartShape& shape) {
    constexpr double near_enough = 0.85;
    const geometry::PartSurface& surface = shape.surface;
    const Vec3d opening = openings.at.front();
    double reach = 0, farthest = 0;
    int ends = 0;
    for (const PartNode& node : piece.nodes) {
        reach = std::max(reach, (node.position - opening).norm());
        if (node.kind == PartNodeKind::axis_end) ++ends;
    }
    for (std::size_t p = 0; p < surface.own_points; ++p)
        farthest = std::max(farthest, (surface.points[p] - opening).norm());
    if (ends > 1 || reach >= near_enough * farthest) return;
    const auto inside = [&](const Vec3d& p) { return geometry::winding_number(surface, p) >= 0.5; };
    const Vec3d tip = middle_between(surface, opening, 0.9 * farthest, farthest);
    if (!inside(tip)) return;
    std::vector<PartNode> way{piece.nodes.front()};
    if (inside_part(surface, opening, tip) < 0.99) {
        const Vec3d bend = middle_between(surface, opening, 0.4 * farthest, 0.6 * farthest);
        if (!inside(bend) || inside_part(surface, opening, bend) < near_enough ||
            inside_part(surface, bend, tip) < near_enough)
            return;
        way.push_back({bend, PartNodeKind::link, openings.part});
    }
    way.push_back({tip, PartNodeKind::axis_end, openings.part});
    piece.nodes = std::move(way);
    piece.edges.clear();
    for (int i = 0; i + 1 < static_cast<int>(piece.nodes.size()); ++i) piece.edges.push_back({i, i + 1});
    piece.root = 0;
}

}  // namespace sinew::rig
