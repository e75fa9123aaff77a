#include <algorithm>
#include <map>

#include "sinew/base/array.h"
#include "sinew/rig/bind/region_distance.h"

namespace sinew::rig {
namespace {

/// The joint whose boundary an edge crosses, or -1.
int boundary_of(const RegionSurface& surface, const Regions& regions, std::uint32_t e) {
    const geometry::Edge& edge = surface.edges.edges[e];
    const int a = regions.joint_of[edge.a], b = regions.joint_of[edge.b];
    if (a == b || a < 0 || b < 0) return -1;
    if (regions.parent[at(a)] == b) return a;
    return regions.parent[at(b)] == a ? b : -1;
}

/// Where the cut crosses the edge; half-way where the regions met for another reason.
Vec3d crossing(const RegionSurface& surface, const Regions& regions, std::uint32_t e, int joint,
               const JointCut& cut) {
    const geometry::Edge& edge = surface.edges.edges[e];
    const Vec3d &a = surface.positions[edge.a], &b = surface.positions[edge.b];
    double t = 0.5;
    if (regions.kind[at(joint)] == BoundaryKind::nearest) {
        if (const auto known = regions.crossings.find(e); known != regions.crossings.end()) t = known->second;
    } else if (cut.surface && cut.surface->beyond(a) != cut.surface->beyond(b)) {
        // Not on a vertex: a distance of exactly 0 would belong to both sides.
        t = std::clamp(cut.surface->crossing(a, b), 1e-6, 1 - 1e-6);
    }
    return a + t * (b - a);
}

void measure(BoundaryCurve& curve) {
    Vec3d middle = Vec3d::Zero();
    double length = 0;
    for (const CurvePiece& piece : curve.pieces) {
        const double l = (piece.to - piece.from).norm();
        middle += l * (piece.from + piece.to) / 2;
        length += l;
    }
    if (!(length > 0)) return;
    middle /= length;
    for (const CurvePiece& piece : curve.pieces)
        curve.radius +=
            (piece.to - piece.from).norm() * ((piece.from + piece.to) / 2 - middle).norm() / length;
}

}  // namespace

std::vector<BoundaryCurve> boundary_curves(const RegionSurface& surface, const Regions& regions,
                                           std::span<const JointCut> cuts) {
    std::vector<BoundaryCurve> curves(regions.parent.size());
    for (std::uint32_t t = 0; t < surface.triangles.size(); ++t) {
        const auto& corners = surface.triangles[t];
        const int first = regions.joint_of[corners[0]];
        if (regions.joint_of[corners[1]] == first && regions.joint_of[corners[2]] == first) continue;
        // Two regions meet in a triangle, never three: neighbours are parent and child, and a tree has no
        // circle of three.
        std::vector<std::uint32_t> crossed;
        int joint = -1;
        for (const std::uint32_t e : surface.triangle_edges[t]) {
            const int j = boundary_of(surface, regions, e);
            if (j < 0) continue;
            joint = j;
            crossed.push_back(e);
        }
        if (crossed.size() != 2) continue;
        const JointCut& cut = cuts[at(joint)];
        curves[at(joint)].pieces.push_back({t,
                                            {crossed[0], crossed[1]},
                                            crossing(surface, regions, crossed[0], joint, cut),
                                            crossing(surface, regions, crossed[1], joint, cut)});
    }
    for (BoundaryCurve& curve : curves) measure(curve);
    return curves;
}

std::vector<std::vector<Vec3d>> joined_lines(const BoundaryCurve& curve) {
    std::multimap<std::uint32_t, std::size_t> at_edge;
    for (std::size_t i = 0; i < curve.pieces.size(); ++i)
        for (const std::uint32_t e : curve.pieces[i].edges) at_edge.emplace(e, i);
    std::vector<char> used(curve.pieces.size(), 0);
    const auto follow = [&](std::size_t piece, std::uint32_t edge) {
        std::vector<Vec3d> line;
        for (bool more = true; more;) {
            used[piece] = 1;
            const CurvePiece& p = curve.pieces[piece];
            const bool forward = p.edges[0] == edge;
            line.push_back(forward ? p.from : p.to);
            edge = forward ? p.edges[1] : p.edges[0];
            more = false;
            const auto [begin, end] = at_edge.equal_range(edge);
            for (auto next = begin; next != end && !more; ++next) {
                if (used[next->second] != 0) continue;
                piece = next->second;
                more = true;
            }
            if (!more && !(line.size() > 2)) line.push_back(forward ? p.to : p.from);
        }
        return line;
    };
    std::vector<std::vector<Vec3d>> lines;
    // Open ones first, from an end; then what is closed.
    for (std::size_t i = 0; i < curve.pieces.size(); ++i)
        for (const std::uint32_t e : curve.pieces[i].edges)
            if (used[i] == 0 && at_edge.count(e) == 1) lines.push_back(follow(i, e));
    for (std::size_t i = 0; i < curve.pieces.size(); ++i)
        if (used[i] == 0) lines.push_back(follow(i, curve.pieces[i].edges[0]));
    return lines;
}

}  // namespace sinew::rig
