// SPDX-License-Identifier: MIT
#include "sinew/geometry/voxel_solid.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sinew/base/error.h"
#include "sinew/base/parallel.h"
#include "sinew/geometry/detail/line_crossings.h"
#include "sinew/geometry/surface_queries.h"
#include "sinew/geometry/topology.h"

namespace sinew::geometry {
namespace {

using Cell = std::array<std::size_t, 3>;

/// Calls `body(begin, step)` for every line of the lattice along an axis: first index and distance of points.
template <class Body>
void for_each_line(const Lattice& lattice, int axis, const Body& body) {
    const std::size_t strides[3] = {1, lattice.points[0], lattice.points[0] * lattice.points[1]};
    // Neighbouring lines are processed one after the other where memory layout allows.
    const int u = axis == 0 ? 1 : 0, v = axis == 2 ? 1 : 2;
    parallel_for(lattice.points[v], 4, [&](std::size_t j) {
        for (std::size_t i = 0; i < lattice.points[u]; ++i) {
            Cell start{};
            start[static_cast<std::size_t>(u)] = i;
            start[static_cast<std::size_t>(v)] = j;
            body(start, i * strides[u] + j * strides[v], strides[axis]);
        }
    });
}

/// Marks the cells that a triangle passes through: those that contain the triangle's nearest point to their
/// centre.
void mark(const Lattice& lattice, const Vec3f& a, const Vec3f& b, const Vec3f& c,
          std::vector<std::uint8_t>& cells) {
    const Vec3f origin = lattice.origin.cast<float>();
    const float cell = static_cast<float>(lattice.step.x()), reach = cell * 0.5f * 1.0001f;
    std::size_t low[3], high[3];
    for (int i = 0; i < 3; ++i) {
        const float last = static_cast<float>(lattice.points[static_cast<std::size_t>(i)] - 1);
        const float from = std::floor((std::min({a[i], b[i], c[i]}) - origin[i]) / cell + 0.5f);
        const float to = std::floor((std::max({a[i], b[i], c[i]}) - origin[i]) / cell + 0.5f);
        low[i] = static_cast<std::size_t>(std::clamp(from, 0.0f, last));
        high[i] = static_cast<std::size_t>(std::clamp(to, 0.0f, last));
    }
    if (std::equal(low, low + 3, high)) {
        cells[lattice.index(low[0], low[1], low[2])] = 1;
        return;
    }
    const Vec3f normal = (b - a).cross(c - a);
    const float thickness = reach * normal.cwiseAbs().sum();  // of a cell, along the normal
    for (std::size_t k = low[2]; k <= high[2]; ++k) {
        for (std::size_t j = low[1]; j <= high[1]; ++j) {
            for (std::size_t i = low[0]; i <= high[0]; ++i) {
                if (cells[lattice.index(i, j, k)] != 0) continue;
                const Vec3f center = origin + cell * Vec3f(static_cast<float>(i), static_cast<float>(j),
                                                           static_cast<float>(k));
                if (std::abs(normal.dot(center - a)) > thickness) continue;
                const Vec3f near = nearest_on_triangle(center, a, b, c);
                if ((near - center).cwiseAbs().maxCoeff() <= reach) cells[lattice.index(i, j, k)] = 1;
            }
        }
    }
}

/// Neighbours across the six faces of a cell.
template <class Body>
void for_each_neighbour(const Lattice& lattice, std::size_t index, const Body& body) {
    const std::size_t nx = lattice.points[0], ny = lattice.points[1], nz = lattice.points[2];
    const std::size_t i = index % nx, j = index / nx % ny, k = index / (nx * ny);
    if (i > 0) body(index - 1);
    if (i + 1 < nx) body(index + 1);
    if (j > 0) body(index - nx);
    if (j + 1 < ny) body(index + nx);
    if (k > 0) body(index - nx * ny);
    if (k + 1 < nz) body(index + nx * ny);
}

/// Cells that are not walls and cannot be reached from a corner of the lattice, which is outside, without
/// entering one. Whole runs along x are filled at once, and adjacent runs are found by bytes, because most of
/// the lattice is empty.
std::vector<std::uint8_t> enclosed_by(const Lattice& lattice, const std::vector<std::uint8_t>& walls) {
    const std::size_t nx = lattice.points[0], ny = lattice.points[1], nz = lattice.points[2];
    std::vector<std::uint8_t> open(lattice.size());
    for (std::size_t i = 0; i < open.size(); ++i) open[i] = walls[i] ^ 1;
    const auto begin = open.begin();
    const auto first_from = [&](std::size_t from, std::size_t to, std::uint8_t kind) {
        const auto at = [&](std::size_t i) { return begin + static_cast<std::ptrdiff_t>(i); };
        return static_cast<std::size_t>(std::find(at(from), at(to), kind) - begin);
    };
    std::vector<std::size_t> seeds = {0};
    const auto seed_runs = [&](std::size_t from, std::size_t to) {
        for (std::size_t at = first_from(from, to, 1); at < to; at = first_from(at, to, 1)) {
            seeds.push_back(at);
            at = first_from(at, to, 0);
        }
    };
    while (!seeds.empty()) {
        const std::size_t seed = seeds.back();
        seeds.pop_back();
        if (open[seed] == 0) continue;
        const std::size_t row = seed / nx, j = row % ny, k = row / ny;
        std::size_t from = seed;
        while (from > row * nx && open[from - 1] != 0) --from;
        const std::size_t to = first_from(seed, (row + 1) * nx, 0);
        std::fill(begin + static_cast<std::ptrdiff_t>(from), begin + static_cast<std::ptrdiff_t>(to),
                  std::uint8_t{0});
        if (j > 0) seed_runs(from - nx, to - nx);
        if (j + 1 < ny) seed_runs(from + nx, to + nx);
        if (k > 0) seed_runs(from - nx * ny, to - nx * ny);
        if (k + 1 < nz) seed_runs(from + nx * ny, to + nx * ny);
    }
    return open;
}

/// Clears the outermost layer of the lattice, which is outside the bounding box of the mesh, so that steps
/// between inside cells never leave the lattice.
void clear_border(VoxelSolid& solid) {
    const std::array<std::size_t, 3>& points = solid.lattice.points;
    const auto on_border = [&](std::size_t i, std::size_t axis) { return i == 0 || i + 1 == points[axis]; };
    for (std::size_t k = 0; k < points[2]; ++k) {
        for (std::size_t j = 0; j < points[1]; ++j) {
            std::uint8_t* row = &solid.inside[solid.lattice.index(0, j, k)];
            if (on_border(j, 1) || on_border(k, 2)) std::fill(row, row + points[0], std::uint8_t{0});
            row[0] = row[points[0] - 1] = 0;
        }
    }
}

std::vector<std::int8_t> shell_orientations(const Mesh& mesh) {
    std::vector<std::int8_t> orientation(mesh.triangles.size(), 1);
    const Shells shells = shells_of(mesh);
    std::vector<double> volume(shells.count);
    const Vec3d middle = bounds(mesh.positions).center().cast<double>();
    const auto corner = [&](std::uint32_t v) { return Vec3d(mesh.positions[v].cast<double>() - middle); };
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        const Triangle& triangle = mesh.triangles[t];
        volume[shells.of_triangle[t]] +=
            corner(triangle[0]).dot(corner(triangle[1]).cross(corner(triangle[2])));
    }
    for (std::size_t t = 0; t < orientation.size(); ++t) {
        if (volume[shells.of_triangle[t]] < 0) orientation[t] = -1;
    }
    return orientation;
}

/// Means that no distance is known yet: greater than any distance in a lattice.
constexpr float far_away = 1e9f;

/// Squared distance to the nearest point with a cost, along one line: lower envelope of parabolas
/// (Felzenszwalb and Huttenlocher 2012, algorithm 1).
class LineTransform {
  public:
    /// Costs above `most` are treated as far away; cells farther than that are not updated.
    void run(std::vector<float>& values, std::size_t begin, std::size_t stride, std::size_t count,
             float most) {
        cost_.resize(count);
        border_.resize(count + 1);
        site_.resize(count);
        for (std::size_t i = 0; i < count; ++i) {
            const float cost = values[begin + i * stride];
            cost_[i] = cost <= most ? cost : far_away;
        }
        const auto reach = static_cast<std::size_t>(std::sqrt(most));
        // A cell without cost separates the line: the cells between two of them are processed independently.
        for (std::size_t from = 0, to = 0; from < count; from = to + 1) {
            for (to = from; to < count && cost_[to] != 0;) ++to;
            if (from == to) continue;
            const std::size_t size = find_envelope(from > 0 ? from - 1 : from, to < count ? to + 1 : to);
            if (size == 0) continue;
            const std::size_t first = site_[0] > from + reach ? site_[0] - reach : from;
            const std::size_t end = std::min(to, site_[size - 1] + reach + 1);
            std::size_t last = 0;
            for (std::size_t q = first; q < end; ++q) {
                while (border_[last + 1] < static_cast<float>(q)) ++last;
                const float step = static_cast<float>(q) - static_cast<float>(site_[last]);
                values[begin + q * stride] = step * step + cost_[site_[last]];
            }
        }
    }

  private:
    float meet(std::size_t p, std::size_t q) const {
        const auto x = static_cast<float>(p), y = static_cast<float>(q);
        return ((cost_[q] + y * y) - (cost_[p] + x * x)) / (2 * (y - x));
    }

    /// Processes the cells [from, to) that are not far away; returns the number of parabolas.
    std::size_t find_envelope(std::size_t from, std::size_t to) {
        constexpr float infinity = std::numeric_limits<float>::infinity();
        std::size_t size = 0;
        for (std::size_t q = from; q < to; ++q) {
            if (cost_[q] >= far_away) continue;
            float s = -infinity;
            while (size > 0 && (s = meet(site_[size - 1], q)) <= border_[size - 1]) --size;
            if (size == 0) s = -infinity;
            site_[size] = q;
            border_[size++] = s;
        }
        border_[size] = infinity;
        return size;
    }

    std::vector<float> cost_, border_;
    std::vector<std::size_t> site_;
};

/// Squared distance along x to the nearest cell of a kind.
void scan_lines(const VoxelSolid& solid, std::uint8_t kind, std::vector<float>& values) {
    const std::size_t count = solid.lattice.points[0];
    for_each_line(solid.lattice, 0, [&](const Cell&, std::size_t begin, std::size_t) {
        const std::uint8_t* inside = &solid.inside[begin];
        float* value = &values[begin];
        if (std::find(inside, inside + count, std::uint8_t{1}) == inside + count) {
            std::fill(value, value + count, kind == 0 ? 0 : far_away);
            return;
        }
        float away = far_away;
        for (std::size_t i = 0; i < count; ++i) {
            away = inside[i] == kind ? 0 : away + 1;
            value[i] = away;
        }
        away = far_away;
        for (std::size_t i = count; i-- > 0;) {
            away = std::min(away + 1, value[i]);
            value[i] = away < far_away ? away * away : far_away;
        }
    });
}

/// Processes all lines along y or z that need it: lines with costs above 0 and costs that are not far away.
/// Most lines do not; this is tested for whole rows.
void transform_lines(const Lattice& lattice, std::size_t axis, float most, std::vector<float>& values) {
    const std::size_t nx = lattice.points[0], nxy = nx * lattice.points[1];
    const std::size_t stride = axis == 1 ? nx : nxy, plane = axis == 1 ? nxy : nx;
    const std::size_t count = lattice.points[axis];
    parallel_for(lattice.points[3 - axis], 4, [&](std::size_t p) {
        thread_local LineTransform transform;
        thread_local Eigen::ArrayXf low, high;
        const auto size = static_cast<Eigen::Index>(nx);
        low.setConstant(size, far_away);
        high.setConstant(size, 0);
        for (std::size_t i = 0; i < count; ++i) {
            const Eigen::Map<const Eigen::ArrayXf> row(&values[p * plane + i * stride], size);
            low = low.min(row);
            high = high.max(row);
        }
        for (Eigen::Index x = 0; x < size; ++x) {
            if (high[x] == 0 || low[x] > most) continue;
            transform.run(values, p * plane + static_cast<std::size_t>(x), stride, count, most);
        }
    });
}

/// Squared distance in cells to the nearest cell of a kind where it is at most `most`; elsewhere a larger
/// value.
std::vector<float> squared_distance(const VoxelSolid& solid, std::uint8_t kind, float most = far_away) {
    std::vector<float> values(solid.inside.size());
    scan_lines(solid, kind, values);
    for (const std::size_t axis : {1u, 2u}) transform_lines(solid.lattice, axis, most, values);
    return values;
}

/// Keeps the largest component that is connected across faces.
void keep_largest(VoxelSolid& solid) {
    std::vector<std::uint32_t> part(solid.inside.size());
    std::vector<std::size_t> sizes = {0};
    std::vector<std::size_t> queue;
    for (std::size_t seed = 0; seed < part.size(); ++seed) {
        if (solid.inside[seed] == 0 || part[seed] != 0) continue;
        const auto label = static_cast<std::uint32_t>(sizes.size());
        sizes.push_back(0);
        queue.push_back(seed);
        part[seed] = label;
        while (!queue.empty()) {
            const std::size_t index = queue.back();
            queue.pop_back();
            ++sizes[label];
            for_each_neighbour(solid.lattice, index, [&](std::size_t next) {
                if (solid.inside[next] == 0 || part[next] != 0) return;
                part[next] = label;
                queue.push_back(next);
            });
        }
    }
    const auto best =
        static_cast<std::uint32_t>(std::max_element(sizes.begin(), sizes.end()) - sizes.begin());
    for (std::size_t i = 0; i < part.size(); ++i) solid.inside[i] = part[i] == best && best != 0;
}

}  // namespace

bool VoxelSolid::contains(const Vec3d& point) const {
    const Vec3d index = (point - lattice.origin).cwiseQuotient(lattice.step);
    Cell cell;
    for (int i = 0; i < 3; ++i) {
        const double rounded = std::floor(index[i] + 0.5);
        const auto a = static_cast<std::size_t>(i);
        if (!(rounded >= 0) || rounded >= static_cast<double>(lattice.points[a])) return false;
        cell[a] = static_cast<std::size_t>(rounded);
    }
    return contains(cell[0], cell[1], cell[2]);
}

std::size_t VoxelSolid::count() const {
    return static_cast<std::size_t>(std::count(inside.begin(), inside.end(), std::uint8_t{1}));
}

VoxelSolid voxel_solid(const Mesh& mesh, const VoxelOptions& options, Monitor& monitor) {
    const Box box = bounds(mesh.positions);
    const double longest = box.empty() ? 0 : static_cast<double>(box.size().maxCoeff());
    if (mesh.triangles.empty() || !(longest > 0)) fail("", "the mesh has no extent, so it has no interior");
    VoxelSolid solid;
    solid.lattice = lattice_over(box, longest / std::clamp(options.resolution, 4, 1024));
    if (options.centered) {
        for (int a = 0; a < 3; ++a) {
            const double span = static_cast<double>(solid.lattice.points[static_cast<std::size_t>(a)] - 1);
            solid.lattice.origin[a] = static_cast<double>(box.center()[a]) - solid.lattice.step[a] * span / 2;
        }
    }
    const std::vector<std::int8_t> orientation = shell_orientations(mesh);
    std::vector<std::int8_t> votes(solid.lattice.size());
    LineCrossings crossings(solid.lattice, mesh, orientation);
    for (std::size_t axis = 0; axis < 3; ++axis) {
        crossings.vote(axis, votes);
        step(monitor, "solid", 0.25 * static_cast<double>(axis + 1));
    }
    std::vector<std::uint8_t> walls(solid.lattice.size());
    for (const Triangle& t : mesh.triangles) {
        mark(solid.lattice, mesh.positions[t[0]], mesh.positions[t[1]], mesh.positions[t[2]], walls);
    }
    const std::vector<std::uint8_t> enclosed = enclosed_by(solid.lattice, walls);
    solid.inside.resize(solid.lattice.size());
    const std::uint8_t counts = options.with_surface ? 1 : 0;
    for (std::size_t i = 0; i < solid.inside.size(); ++i) {
        // Six directions: at least four must agree.
        solid.inside[i] = (votes[i] > 3) | enclosed[i] | (walls[i] & counts);
    }
    clear_border(solid);
    step(monitor, "solid", 1);
    return solid;
}

std::vector<float> signed_distance(const VoxelSolid& solid, double reach) {
    const auto cell = static_cast<float>(solid.cell());
    const float most = std::min(static_cast<float>(reach) / cell + 0.5f, std::sqrt(far_away));
    const std::vector<float> to_inside = squared_distance(solid, 1, most * most);
    std::vector<float> distance = squared_distance(solid, 0);
    for (std::size_t i = 0; i < distance.size(); ++i) {
        // The surface is half-way between two cells.
        distance[i] = solid.inside[i] != 0 ? -(std::sqrt(distance[i]) - 0.5f) * cell
                                           : (std::sqrt(std::min(to_inside[i], most * most)) - 0.5f) * cell;
    }
    return distance;
}

Mesh surface_of(const VoxelSolid& solid, bool largest_only) {
    if (!largest_only) return surface_nets(solid.lattice, signed_distance(solid));
    VoxelSolid largest = solid;
    keep_largest(largest);
    return surface_nets(largest.lattice, signed_distance(largest));
}

}  // namespace sinew::geometry
