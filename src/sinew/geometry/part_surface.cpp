#include "sinew/geometry/part_shape.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/geometry/topology.h"
#include "sinew/geometry/cut_mesh.h"

namespace sinew::geometry {
namespace {

/// Directed edges that no other triangle of the part runs through the other way.
std::vector<std::array<std::uint32_t, 2>> border_of(const std::vector<Triangle>& triangles) {
    const EdgeTable table = edge_table(triangles);
    std::vector<std::array<std::uint32_t, 2>> border;
    for (const Edge& edge : table.edges) {
        int balance = 0;  // runs from a to b minus runs back
        for (const std::uint32_t t : table.around(edge))
            for (std::size_t i = 0; i < 3; ++i) {
                const std::uint32_t from = triangles[t][i], to = triangles[t][(i + 1) % 3];
                if (from == edge.a && to == edge.b) ++balance;
                if (from == edge.b && to == edge.a) --balance;
            }
        for (; balance > 0; --balance) border.push_back({edge.a, edge.b});
        for (; balance < 0; ++balance) border.push_back({edge.b, edge.a});
    }
    return border;
}

void close_borders(PartSurface& surface) {
    for (const BorderChain& chain : border_chains(border_of(surface.triangles))) {
        Vec3d sum = Vec3d::Zero();
        for (const std::uint32_t p : chain.points) sum += surface.points[p];
        const auto middle = static_cast<std::uint32_t>(surface.points.size());
        surface.points.push_back(sum / static_cast<double>(chain.points.size()));
        const std::size_t edges = chain.points.size() - (chain.closed ? 0 : 1);
        for (std::size_t i = 0; i < edges; ++i)
            surface.triangles.push_back(
                {chain.points[(i + 1) % chain.points.size()], chain.points[i], middle});
    }
}

/// Nearest distance to a triangle, squared (Ericson 2005, 5.1.5).
double squared_distance(const Vec3d& p, const Vec3d& a, const Vec3d& b, const Vec3d& c) {
    const Vec3d ab = b - a, ac = c - a, ap = p - a;
    const double d1 = ab.dot(ap), d2 = ac.dot(ap);
    if (d1 <= 0 && d2 <= 0) return ap.squaredNorm();
    const Vec3d bp = p - b;
    const double d3 = ab.dot(bp), d4 = ac.dot(bp);
    if (d3 >= 0 && d4 <= d3) return bp.squaredNorm();
    const double vc = d1 * d4 - d3 * d2;
    if (vc <= 0 && d1 >= 0 && d3 <= 0) return (ap - d1 / (d1 - d3) * ab).squaredNorm();
    const Vec3d cp = p - c;
    const double d5 = ab.dot(cp), d6 = ac.dot(cp);
    if (d6 >= 0 && d5 <= d6) return cp.squaredNorm();
    const double vb = d5 * d2 - d1 * d6;
    if (vb <= 0 && d2 >= 0 && d6 <= 0) return (ap - d2 / (d2 - d6) * ac).squaredNorm();
    const double va = d3 * d6 - d5 * d4;
    if (va <= 0 && d4 >= d3 && d5 >= d6)
        return (bp - (d4 - d3) / (d4 - d3 + d5 - d6) * (c - b)).squaredNorm();
    const double sum = va + vb + vc;
    return (ap - vb / sum * ab - vc / sum * ac).squaredNorm();
}

/// `place` has room for every point of the mesh; what it holds does not matter.
PartSurface part_surface(const CutMesh& cut, const std::vector<std::uint32_t>& triangles,
                         std::vector<std::uint32_t>& place) {
    PartSurface surface;
    std::vector<std::uint32_t>& used = surface.point_of_cut;
    used.reserve(3 * triangles.size());
    for (const std::uint32_t t : triangles)
        used.insert(used.end(), cut.triangles[t].begin(), cut.triangles[t].end());
    std::sort(used.begin(), used.end());
    used.erase(std::unique(used.begin(), used.end()), used.end());
    for (const std::uint32_t v : used) {
        place[v] = static_cast<std::uint32_t>(surface.points.size());
        surface.points.push_back(cut.points[v]);
    }
    for (const std::uint32_t t : triangles) {
        const auto& [a, b, c] = cut.triangles[t];
        surface.triangles.push_back({place[a], place[b], place[c]});
    }
    surface.own_points = surface.points.size();
    surface.own_triangles = surface.triangles.size();
    close_borders(surface);
    if (solid_moments(surface.points, surface.triangles).volume < 0)
        for (Triangle& t : surface.triangles) std::swap(t[1], t[2]);
    return surface;
}

}  // namespace

PartSurface part_surface(const CutMesh& cut, int part) {
    std::vector<std::uint32_t> triangles;
    for (std::uint32_t t = 0; t < cut.triangles.size(); ++t)
        if (cut.part_of[t] == part) triangles.push_back(t);
    std::vector<std::uint32_t> place(cut.points.size());
    return part_surface(cut, triangles, place);
}

std::vector<PartSurface> part_surfaces(const CutMesh& cut) {
    std::vector<std::vector<std::uint32_t>> members(cut.part_count());
    for (std::uint32_t t = 0; t < cut.triangles.size(); ++t)
        members[static_cast<std::size_t>(cut.part_of[t])].push_back(t);
    std::vector<std::uint32_t> place(cut.points.size());
    std::vector<PartSurface> surfaces;
    surfaces.reserve(cut.part_count());
    for (const auto& triangles : members) surfaces.push_back(part_surface(cut, triangles, place));
    return surfaces;
}

SolidMoments solid_moments(const std::vector<Vec3d>& points, const std::vector<Triangle>& triangles) {
    SolidMoments moments;
    if (points.empty()) return moments;
    const Vec3d origin = points[0];
    for (const auto& [a, b, c] : triangles) {
        const Vec3d x = points[a] - origin, y = points[b] - origin, z = points[c] - origin;
        const double volume = x.dot(y.cross(z)) / 6;
        moments.volume += volume;
        moments.centroid += volume / 4 * (x + y + z);
    }
    if (moments.volume != 0) moments.centroid /= moments.volume;
    moments.centroid += origin;
    return moments;
}

double winding_number(const PartSurface& surface, const Vec3d& point) {
    double angle = 0;
    for (const auto& [i, j, k] : surface.triangles) {
        const Vec3d a = surface.points[i] - point, b = surface.points[j] - point,
                    c = surface.points[k] - point;
        const double la = a.norm(), lb = b.norm(), lc = c.norm();
        angle +=
            2 * std::atan2(a.dot(b.cross(c)), la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb);
    }
    return angle / (4 * math::pi);
}

double first_hit(const PartSurface& surface, const Vec3d& origin, const Vec3d& direction) {
    double nearest = std::numeric_limits<double>::infinity();
    for (const auto& [i, j, k] : surface.triangles) {
        // Möller and Trumbore 1997, with corners counted in so that no ray slips through an edge.
        const Vec3d& a = surface.points[i];
        const Vec3d e1 = surface.points[j] - a, e2 = surface.points[k] - a;
        const Vec3d across = direction.cross(e2);
        const double determinant = e1.dot(across);
        if (std::abs(determinant) <= 1e-14 * e1.norm() * e2.norm()) continue;
        const Vec3d from = origin - a;
        const double u = from.dot(across) / determinant;
        if (u < -1e-9 || u > 1 + 1e-9) continue;
        const Vec3d turned = from.cross(e1);
        const double v = direction.dot(turned) / determinant;
        if (v < -1e-9 || u + v > 1 + 1e-9) continue;
        const double distance = e2.dot(turned) / determinant;
        if (distance > 0) nearest = std::min(nearest, distance);
    }
    return nearest;
}

double distance_to(const PartSurface& surface, const Vec3d& point) {
    double nearest = std::numeric_limits<double>::infinity();
    for (const auto& [a, b, c] : surface.triangles)
        nearest = std::min(nearest,
                           squared_distance(point, surface.points[a], surface.points[b], surface.points[c]));
    return std::sqrt(nearest);
}

}  // namespace sinew::geometry
