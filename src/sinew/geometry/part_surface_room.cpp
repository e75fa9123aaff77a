// The roomiest point of a part that has no kernel and whose middle lies outside of it.

#include <algorithm>
#include <array>
#include <cmath>

#include "sinew/geometry/part_shape.h"

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

/// Adds what a triangle does to the windings of the cells behind it along the first axis. `corners` are in
/// units of the box, from -1 to 1.
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
        const double y = (2 * j + 1.0) / side - 1 + 1e-9;  // aside of corners that lie on the grid
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

/// How many cells away the outside is, over faces.
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
                    const int least = std::min({at(i - 1, j, k), at(i + 1, j, k), at(i, j - 1, k),
                                                at(i, j + 1, k), at(i, j, k - 1), at(i, j, k + 1)});
                    int& own = depth[Grid::index(i, j, k)];
                    own = std::min(own, least + 1);
                }
    return depth;
}

/// Steps to better neighbours, each half as long as the last when there are none.
Vec3d improved(const PartSurface& surface, const Grid& grid, Vec3d point, double room) {
    double step = 1.0 / side;
    for (int halvings = 0; halvings < 10;) {
        bool moved = false;
        for (int d = 0; d < 6; ++d) {
            const Vec3d to =
                point + (d % 2 == 0 ? step : -step) * grid.box.half[d / 2] * grid.box.axes.col(d / 2);
            const double there = distance_to(surface, to);
            if (there <= room * (1 + 1e-9) || winding_number(surface, to) < 0.5) continue;
            point = to;
            room = there;
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
    double room = 0;
    for (std::size_t c = 0; c < std::min<std::size_t>(cells.size(), 24); ++c) {
        const Vec3d point = grid.middle(cells[c][0], cells[c][1], cells[c][2]);
        const double here = distance_to(surface, point);
        if (here <= room || winding_number(surface, point) < 0.5) continue;
        best = point;
        room = here;
    }
    if (best) best = improved(surface, grid, *best, room);
    return best;
}

}  // namespace sinew::geometry
