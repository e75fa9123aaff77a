// SPDX-License-Identifier: MIT
#include "sinew/articulated/closing/gap.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>
#include <unordered_map>

#include "sinew/geometry/cut_mesh.h"
#include "sinew/geometry/part_shape.h"
#include "sinew/math/planar.h"

namespace sinew::articulated {

using geometry::CutMesh;
using geometry::Triangle;

std::vector<std::array<int, 3>> triangles_across(const std::vector<Triangle>& triangles) {
    std::vector<std::array<int, 3>> across(triangles.size(), {-1, -1, -1});
    const geometry::EdgeTable table = geometry::edge_table(triangles);
    for (const geometry::Edge& edge : table.edges) {
        if (edge.count != 2) continue;
        const auto two = table.around(edge);
        for (int i = 0; i < 2; ++i) {
            const Triangle& t = triangles[two[static_cast<std::size_t>(i)]];
            for (std::size_t k = 0; k < 3; ++k) {
                if (std::minmax(t[k], t[(k + 1) % 3]) == std::minmax(edge.a, edge.b))
                    across[two[static_cast<std::size_t>(i)]][k] =
                        static_cast<int>(two[static_cast<std::size_t>(1 - i)]);
            }
        }
    }
    return across;
}

std::vector<int> part_depths(std::span<const int> parent) {
    std::vector<int> depths(parent.size(), 0);
    for (std::size_t p = 0; p < parent.size(); ++p)
        for (int up = parent[p]; up >= 0; up = parent[static_cast<std::size_t>(up)]) ++depths[p];
    return depths;
}

std::vector<Seam> find_seams(const geometry::CutMesh& cut, std::span<const int> parent) {
    const std::vector<std::array<int, 3>> across = triangles_across(cut.triangles);
    const std::vector<int> depths = part_depths(parent);
    const auto rank = [&](int part) { return std::pair(depths[static_cast<std::size_t>(part)], part); };
    std::map<std::pair<int, int>, std::vector<std::array<std::uint32_t, 2>>> edges;  // (child, parent)
    for (std::size_t t = 0; t < across.size(); ++t) {
        for (std::size_t k = 0; k < 3; ++k) {
            if (across[t][k] < 0) continue;
            const int own = cut.part_of[t], other = cut.part_of[static_cast<std::size_t>(across[t][k])];
            if (own == other || rank(own) < rank(other)) continue;
            edges[{own, other}].push_back({cut.triangles[t][k], cut.triangles[t][(k + 1) % 3]});
        }
    }
    std::vector<Seam> seams;
    for (auto& [parts, list] : edges) {
        for (geometry::BorderChain& chain : geometry::border_chains(std::move(list)))
            seams.push_back({parts.second, parts.first, std::move(chain.points), chain.closed});
    }
    std::ranges::sort(seams, {}, [](const Seam& s) { return std::tuple(s.child, s.parent, s.loop.front()); });
    return seams;
}

namespace {

constexpr int far = std::numeric_limits<int>::max() / 4;

/// Number of edges from each point of a part to a seam, and the position reached on it, on paths inside the
/// part.
struct SeamDistance {
    std::vector<int> hops;
    std::vector<std::uint32_t> nearest;
};

/// Data that all gaps of a body share.
struct Workspace {
    const PartBody& body;
    std::vector<Seam> seams;
    std::vector<std::array<int, 3>> across;
    geometry::Rows triangles_of;
    std::vector<Vec3d> normals;
    std::vector<double> edges;
    /// For the points of each part: edges to the nearest and to the second nearest seam, and the index of the
    /// nearest.
    struct Nearness {
        std::vector<int> first, second, seam;
        int deepest = 0;
    };
    std::vector<Nearness> nearness;
};

std::vector<Vec3d> point_normals(const CutMesh& cut) {
    std::vector<Vec3d> normals(cut.points.size(), Vec3d::Zero());
    for (const Triangle& t : cut.triangles) {
        const Vec3d& a = cut.points[t[0]];
        const Vec3d normal = (cut.points[t[1]] - a).cross(cut.points[t[2]] - a);
        for (const std::uint32_t corner : t) normals[corner] += normal;
    }
    for (Vec3d& n : normals) n = n.norm() > 0 ? Vec3d(n.normalized()) : Vec3d(Vec3d::UnitZ());
    return normals;
}

SeamDistance walk_from(const Workspace& work, const Seam& seam, int part) {
    const CutMesh& cut = work.body.cut;
    SeamDistance walk{std::vector<int>(cut.points.size(), far),
                      std::vector<std::uint32_t>(cut.points.size(), 0)};
    std::vector<std::uint32_t> queue = seam.loop;
    for (std::uint32_t i = 0; i < seam.loop.size(); ++i) {
        walk.hops[seam.loop[i]] = 0;
        walk.nearest[seam.loop[i]] = i;
    }
    for (std::size_t head = 0; head < queue.size(); ++head) {
        const std::uint32_t p = queue[head];
        for (const std::uint32_t t : work.triangles_of[p]) {
            if (cut.part_of[t] != part) continue;
            for (const std::uint32_t q : cut.triangles[t]) {
                if (walk.hops[q] <= walk.hops[p] + 1) continue;
                walk.hops[q] = walk.hops[p] + 1;
                walk.nearest[q] = walk.nearest[p];
                queue.push_back(q);
            }
        }
    }
    return walk;
}

void note(Workspace::Nearness& near, const SeamDistance& walk, int seam) {
    for (std::size_t p = 0; p < walk.hops.size(); ++p) {
        const int hops = walk.hops[p];
        if (hops < near.first[p]) {
            near.second[p] = near.first[p];
            near.first[p] = hops;
            near.seam[p] = seam;
        } else if (hops < near.second[p]) {
            near.second[p] = hops;
        }
    }
}

/// A point may be removed when it is more than two edges nearer to its seam than to the next one, so that no
/// two holes share an edge, and when it is not in the far half of the part, so that a border for the patch
/// remains.
bool may_go(const Workspace::Nearness& near, std::uint32_t point, int seam) {
    return near.seam[point] == seam && near.first[point] + 2 < near.second[point] &&
           near.first[point] <= near.deepest / 2;
}

/// Points near the seam that may be removed, their neighbours, and the seam itself, which comes first.
std::vector<std::uint32_t> points_near(const Workspace& work, const Seam& seam, int index, int part) {
    const CutMesh& cut = work.body.cut;
    const Workspace::Nearness& near = work.nearness[static_cast<std::size_t>(part)];
    std::vector<std::uint32_t> points = seam.loop;
    std::unordered_map<std::uint32_t, char> known;
    for (const std::uint32_t p : points) known[p] = 1;
    for (std::size_t head = 0; head < points.size(); ++head) {
        const std::uint32_t p = points[head];
        if (head >= seam.loop.size() && !may_go(near, p, index)) continue;
        for (const std::uint32_t t : work.triangles_of[p]) {
            if (cut.part_of[t] != part) continue;
            for (const std::uint32_t q : cut.triangles[t])
                if (known.try_emplace(q, 1).second) points.push_back(q);
        }
    }
    return points;
}

void add_triangles(const Workspace& work, GapSide& side,
                   const std::unordered_map<std::uint32_t, std::uint32_t>& local, std::size_t loop_size) {
    const CutMesh& cut = work.body.cut;
    std::vector<std::uint32_t> ids;
    for (std::size_t i = 0; i < side.points.size(); ++i) {
        if (i >= loop_size && !side.removable[i]) continue;
        for (const std::uint32_t t : work.triangles_of[side.points[i]])
            if (cut.part_of[t] == side.part) ids.push_back(t);
    }
    std::ranges::sort(ids);
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    side.triangle_ids = ids;
    for (const std::uint32_t id : ids) {
        const Triangle& t = cut.triangles[id];
        side.triangles.push_back({local.at(t[0]), local.at(t[1]), local.at(t[2])});
    }
    side.triangles_of = geometry::vertex_triangles(side.points.size(), side.triangles);
    side.neighbours = geometry::vertex_neighbors(side.points.size(), side.triangles);
}

void add_neighbours(const Workspace& work, GapSide& side, const Seam& seam) {
    const int other_part = side.part == seam.child ? seam.parent : seam.child;
    const auto on_seam = [&](std::uint32_t a, std::uint32_t b) {
        return a < seam.loop.size() && b < seam.loop.size();
    };
    for (std::size_t i = 0; i < side.triangles.size(); ++i) {
        std::array<int, 3> across{};
        for (std::size_t k = 0; k < 3; ++k) {
            const int id = work.across[side.triangle_ids[i]][k];
            across[k] = GapSide::border;
            if (id < 0) continue;
            const int part = work.body.cut.part_of[static_cast<std::size_t>(id)];
            if (part == other_part && on_seam(side.triangles[i][k], side.triangles[i][(k + 1) % 3])) {
                across[k] = GapSide::seam;
            } else if (part == side.part) {
                const auto at = std::ranges::lower_bound(side.triangle_ids, static_cast<std::uint32_t>(id));
                const bool here = at != side.triangle_ids.end() && *at == static_cast<std::uint32_t>(id);
                across[k] = here ? static_cast<int>(at - side.triangle_ids.begin()) : GapSide::outside;
            }
        }
        side.across.push_back(across);
    }
}

GapSide make_side(const Workspace& work, const Gap& gap, int index, int part) {
    const Seam& seam = work.seams[static_cast<std::size_t>(index)];
    const CutMesh& cut = work.body.cut;
    const SeamDistance walk = walk_from(work, seam, part);
    GapSide side;
    side.part = part;
    side.points = points_near(work, seam, index, part);
    std::unordered_map<std::uint32_t, std::uint32_t> local;
    const bool child = part == gap.child;
    const auto height = [&](std::uint32_t p) { return gap.normal.dot(cut.points[p] - gap.centre); };
    for (std::uint32_t i = 0; i < side.points.size(); ++i) {
        const std::uint32_t p = side.points[i];
        local[p] = i;
        side.hops.push_back(walk.hops[p]);
        side.removable.push_back(may_go(work.nearness[static_cast<std::size_t>(part)], p, index) ? 1 : 0);
        side.normals.push_back(work.normals[p]);
        // Relative to the height of the nearest seam point, and never above the point: at rest no point is
        // inside.
        const double at_seam = height(seam.loop[walk.nearest[p]]), own = height(p);
        side.reference.push_back(child ? std::min(at_seam, own) : std::max(at_seam, own));
    }
    add_triangles(work, side, local, seam.loop.size());
    add_neighbours(work, side, seam);
    return side;
}

Gap make_gap(const Workspace& work, int index) {
    const Seam& seam = work.seams[static_cast<std::size_t>(index)];
    const PartBody& body = work.body;
    Gap gap;
    gap.parent = seam.parent;
    gap.child = seam.child;
    gap.closed = seam.closed;
    gap.loop_size = seam.loop.size();
    std::vector<Vec3d> loop;
    for (const std::uint32_t p : seam.loop) loop.push_back(body.cut.points[p]);
    const math::Plane plane = math::fit_plane(loop);
    gap.centre = plane.point;
    // The child is on the left of the loop, so seen from the child's side the loop runs anticlockwise.
    Vec3d area = Vec3d::Zero();
    for (std::size_t i = 0; i < loop.size(); ++i)
        area += (loop[i] - gap.centre).cross(loop[(i + 1) % loop.size()] - gap.centre);
    gap.normal = plane.normal.dot(area) < 0 ? Vec3d(-plane.normal) : plane.normal;
    for (const Vec3d& p : loop) gap.radius += (p - gap.centre).norm() / static_cast<double>(loop.size());
    const bool related = body.parent[static_cast<std::size_t>(gap.child)] == gap.parent;
    gap.pivot = related ? body.pivot[static_cast<std::size_t>(gap.child)] : gap.centre;
    gap.spacing =
        (work.edges[static_cast<std::size_t>(gap.parent)] + work.edges[static_cast<std::size_t>(gap.child)]) /
        2;
    gap.sides[0] = make_side(work, gap, index, gap.parent);
    gap.sides[1] = make_side(work, gap, index, gap.child);
    // Both copies of a point of the seam are removed, or neither.
    for (std::size_t i = 0; i < gap.loop_size; ++i) {
        const bool both = gap.closed && gap.sides[0].removable[i] != 0 && gap.sides[1].removable[i] != 0;
        gap.crowded = gap.crowded || !both;
        gap.sides[0].removable[i] = gap.sides[1].removable[i] = both ? 1 : 0;
    }
    return gap;
}

}  // namespace

std::vector<double> median_edges(const CutMesh& cut) {
    std::vector<std::vector<double>> lengths(cut.part_count());
    for (std::size_t t = 0; t < cut.triangles.size(); ++t) {
        for (std::size_t k = 0; k < 3; ++k) {
            const Vec3d& a = cut.points[cut.triangles[t][k]];
            const Vec3d& b = cut.points[cut.triangles[t][(k + 1) % 3]];
            lengths[static_cast<std::size_t>(cut.part_of[t])].push_back((a - b).norm());
        }
    }
    std::vector<double> medians;
    for (std::vector<double>& list : lengths) {
        const auto middle = list.begin() + static_cast<std::ptrdiff_t>(list.size() / 2);
        if (!list.empty()) std::nth_element(list.begin(), middle, list.end());
        medians.push_back(list.empty() ? 0 : *middle);
    }
    return medians;
}

std::vector<Gap> prepare_gaps(const PartBody& body) {
    const CutMesh& cut = body.cut;
    Workspace work{body,
                   find_seams(cut, body.parent),
                   triangles_across(cut.triangles),
                   geometry::vertex_triangles(cut.points.size(), cut.triangles),
                   point_normals(cut),
                   median_edges(cut),
                   {}};
    const Workspace::Nearness none{std::vector<int>(cut.points.size(), far),
                                   std::vector<int>(cut.points.size(), far),
                                   std::vector<int>(cut.points.size(), -1), 0};
    work.nearness.assign(body.part_count(), none);
    for (std::size_t s = 0; s < work.seams.size(); ++s) {
        for (const int part : {work.seams[s].parent, work.seams[s].child}) {
            const SeamDistance walk = walk_from(work, work.seams[s], part);
            note(work.nearness[static_cast<std::size_t>(part)], walk, static_cast<int>(s));
        }
    }
    for (Workspace::Nearness& near : work.nearness)
        for (const int hops : near.first) near.deepest = std::max(near.deepest, hops < far ? hops : 0);
    std::vector<Gap> gaps;
    for (std::size_t s = 0; s < work.seams.size(); ++s) gaps.push_back(make_gap(work, static_cast<int>(s)));
    return gaps;
}

namespace {

std::vector<math::Plane> hull_planes(const std::vector<Vec3d>& points) {
    const geometry::Hull hull = geometry::convex_hull(points);
    std::vector<math::Plane> planes;
    for (const geometry::Triangle& t : hull.triangles) {
        const Vec3d normal =
            (hull.points[t[1]] - hull.points[t[0]]).cross(hull.points[t[2]] - hull.points[t[0]]);
        if (normal.norm() > 0) planes.push_back({hull.points[t[0]], normal.normalized()});
    }
    return planes;
}

geometry::SurfaceQueries closed_surface(const geometry::PartSurface& surface) {
    std::vector<geometry::Vec3f> points;
    for (const Vec3d& p : surface.points) points.push_back(p.cast<float>());
    return {points, surface.triangles};
}

}  // namespace

PartSolids::PartSolids(const PartBody& body, InsideTest test) : test_(test), boxes_(body.box) {
    if (test == InsideTest::box) return;
    for (const geometry::PartSurface& surface : geometry::part_surfaces(body.cut)) {
        if (test == InsideTest::hull) hulls_.push_back(hull_planes(surface.points));
        if (test == InsideTest::exact) surfaces_.push_back(closed_surface(surface));
    }
}

bool PartSolids::contains(int part, const Vec3d& point) const {
    const auto p = static_cast<std::size_t>(part);
    if (!boxes_[p].contains(point)) return false;
    if (test_ == InsideTest::hull)
        return std::ranges::all_of(hulls_[p],
                                   [&](const math::Plane& plane) { return plane.distance(point) <= 0; });
    if (test_ == InsideTest::box) return true;
    // At least two of three rays must hit the surface from inside: one may pass through an edge.
    const geometry::Vec3f directions[] = {
        {0.61f, 0.53f, 0.59f}, {-0.71f, 0.41f, -0.57f}, {0.13f, -0.88f, 0.45f}};
    int within = 0;
    for (const geometry::Vec3f& direction : directions) {
        const auto hit = surfaces_[p].first_hit(point.cast<float>(), direction);
        within += hit && !hit->entering ? 1 : 0;
    }
    return within >= 2;
}

}  // namespace sinew::articulated
