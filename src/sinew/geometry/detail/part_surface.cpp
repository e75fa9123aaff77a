// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "sinew/geometry/cut_mesh.h"
#include "sinew/geometry/part_shape.h"
#include "sinew/geometry/topology.h"

namespace sinew::geometry {
namespace {

/// Directed edges without an opposite edge in another triangle of the part.
std::vector<std::array<std::uint32_t, 2>> border_of(const std::vector<Triangle>& triangles) {
    const EdgeTable table = edge_table(triangles);
    std::vector<std::array<std::uint32_t, 2>> border;
    for (const Edge& edge : table.edges) {
        int balance = 0;  // edges from a to b minus edges from b to a
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

/// `new_index` needs one entry for every point of the mesh; its content is overwritten.
PartSurface part_surface(const CutMesh& cut, const std::vector<std::uint32_t>& triangles,
                         std::vector<std::uint32_t>& new_index) {
    PartSurface surface;
    std::vector<std::uint32_t>& used = surface.point_of_cut;
    used.reserve(3 * triangles.size());
    for (const std::uint32_t t : triangles)
        used.insert(used.end(), cut.triangles[t].begin(), cut.triangles[t].end());
    std::sort(used.begin(), used.end());
    used.erase(std::unique(used.begin(), used.end()), used.end());
    for (const std::uint32_t v : used) {
        new_index[v] = static_cast<std::uint32_t>(surface.points.size());
        surface.points.push_back(cut.points[v]);
    }
    for (const std::uint32_t t : triangles) {
        const auto& [a, b, c] = cut.triangles[t];
        surface.triangles.push_back({new_index[a], new_index[b], new_index[c]});
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
    std::vector<std::uint32_t> new_index(cut.points.size());
    return part_surface(cut, triangles, new_index);
}

std::vector<PartSurface> part_surfaces(const CutMesh& cut) {
    std::vector<std::vector<std::uint32_t>> members(cut.part_count());
    for (std::uint32_t t = 0; t < cut.triangles.size(); ++t)
        members[static_cast<std::size_t>(cut.part_of[t])].push_back(t);
    std::vector<std::uint32_t> new_index(cut.points.size());
    std::vector<PartSurface> surfaces;
    surfaces.reserve(cut.part_count());
    for (const auto& triangles : members) surfaces.push_back(part_surface(cut, triangles, new_index));
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
        // Möller and Trumbore 1997. Corners are included, so that no ray passes between two triangles.
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

// The deepest point of a part that has no kernel and whose centre is outside of it.

namespace sinew::geometry {
namespace {

constexpr int side = 16;

/// Cells of a box, numbered along its first axis first.
struct Grid {
    OrientedBox box;

    Vec3d middle(int i, int j, int k) const {
        const Vec3d at((2 * i + 1.0) / side - 1, (2 * j + 1.0) / side - 1, (2 * k + 1.0) / side - 1);
        return box.centre + box.axes * at.cwiseProduct(box.half);
    }
    static std::size_t index(int i, int j, int k) {
        return static_cast<std::size_t>(i + side * (j + side * k));
    }
};

using Winding = std::array<int, side * side * side>;

/// Adds the contribution of a triangle to the winding numbers of the cells behind it along the first axis.
/// `corners` are in units of the box, from -1 to 1.
void add_triangle(const std::array<Vec3d, 3>& corners, Winding& winding) {
    const auto first_cell = [](double low) {
        return std::clamp(static_cast<int>(std::ceil((low + 1) * side / 2 - 0.5)), 0, side);
    };
    double low[2], high[2];
    for (int d = 0; d < 2; ++d) {
        low[d] = std::min({corners[0][d + 1], corners[1][d + 1], corners[2][d + 1]});
        high[d] = std::max({corners[0][d + 1], corners[1][d + 1], corners[2][d + 1]});
    }
    const auto cross = [](const Vec3d& o, const Vec3d& a, double y, double z) {
        return (a.y() - o.y()) * (z - o.z()) - (a.z() - o.z()) * (y - o.y());
    };
    const double area = cross(corners[0], corners[1], corners[2].y(), corners[2].z());
    if (area == 0) return;
    for (int j = first_cell(low[0]); j < side; ++j) {
        const double y = (2 * j + 1.0) / side - 1 + 1e-9;  // offset from corners that are on the grid
        if (y > high[0]) break;
        for (int k = first_cell(low[1]); k < side; ++k) {
            const double z = (2 * k + 1.0) / side - 1 + 2e-9;
            if (z > high[1]) break;
            const double u = cross(corners[1], corners[2], y, z) / area,
                         v = cross(corners[2], corners[0], y, z) / area;
            if (u < 0 || v < 0 || u + v > 1) continue;
            const double x = u * corners[0].x() + v * corners[1].x() + (1 - u - v) * corners[2].x();
            for (int i = first_cell(x); i < side; ++i) winding[Grid::index(i, j, k)] += area > 0 ? -1 : 1;
        }
    }
}

Winding windings(const PartSurface& surface, const Grid& grid) {
    Winding winding{};
    const Vec3d scale = grid.box.half.cwiseMax(1e-300).cwiseInverse();
    for (const Triangle& t : surface.triangles) {
        std::array<Vec3d, 3> corners;
        for (std::size_t c = 0; c < 3; ++c)
            corners[c] =
                (grid.box.axes.transpose() * (surface.points[t[c]] - grid.box.centre)).cwiseProduct(scale);
        add_triangle(corners, winding);
    }
    return winding;
}

/// Distance of each cell to the outside, in steps over faces.
Winding depths(const Winding& winding) {
    Winding depth{};
    for (std::size_t c = 0; c < winding.size(); ++c) depth[c] = winding[c] > 0 ? side : 0;
    const auto at = [&](int i, int j, int k) {
        const bool outside = std::min({i, j, k}) < 0 || std::max({i, j, k}) >= side;
        return outside ? 0 : depth[Grid::index(i, j, k)];
    };
    for (int round = 0; round < side / 2; ++round)
        for (int k = 0; k < side; ++k)
            for (int j = 0; j < side; ++j)
                for (int i = 0; i < side; ++i) {
                    const int min = std::min({at(i - 1, j, k), at(i + 1, j, k), at(i, j - 1, k),
                                              at(i, j + 1, k), at(i, j, k - 1), at(i, j, k + 1)});
                    int& own = depth[Grid::index(i, j, k)];
                    own = std::min(own, min + 1);
                }
    return depth;
}

/// Moves to better neighbours; when there is none, the step is halved.
Vec3d improved(const PartSurface& surface, const Grid& grid, Vec3d point, double clearance) {
    double step = 1.0 / side;
    for (int halvings = 0; halvings < 10;) {
        bool moved = false;
        for (int d = 0; d < 6; ++d) {
            const Vec3d to =
                point + (d % 2 == 0 ? step : -step) * grid.box.half[d / 2] * grid.box.axes.col(d / 2);
            const double there = distance_to(surface, to);
            if (there <= clearance * (1 + 1e-9) || winding_number(surface, to) < 0.5) continue;
            point = to;
            clearance = there;
            moved = true;
        }
        if (moved) continue;
        step /= 2;
        ++halvings;
    }
    return point;
}

}  // namespace

std::optional<Vec3d> roomiest_point(const PartSurface& surface, const math::Mat3d& axes) {
    const Grid grid{box_around(surface.points, axes)};
    const Winding depth = depths(windings(surface, grid));
    std::vector<std::array<int, 3>> cells;
    for (int k = 0; k < side; ++k)
        for (int j = 0; j < side; ++j)
            for (int i = 0; i < side; ++i)
                if (depth[Grid::index(i, j, k)] > 0) cells.push_back({i, j, k});
    std::stable_sort(cells.begin(), cells.end(), [&](const auto& x, const auto& y) {
        return depth[Grid::index(x[0], x[1], x[2])] > depth[Grid::index(y[0], y[1], y[2])];
    });
    std::optional<Vec3d> best;
    double clearance = 0;
    for (std::size_t c = 0; c < std::min<std::size_t>(cells.size(), 24); ++c) {
        const Vec3d point = grid.middle(cells[c][0], cells[c][1], cells[c][2]);
        const double here = distance_to(surface, point);
        if (here <= clearance || winding_number(surface, point) < 0.5) continue;
        best = point;
        clearance = here;
    }
    if (best) best = improved(surface, grid, *best, clearance);
    return best;
}

}  // namespace sinew::geometry
