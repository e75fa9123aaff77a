#include "sinew/geometry/voxel_solid.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sinew/base/error.h"
#include "sinew/base/parallel.h"
#include "sinew/geometry/shells.h"
#include "sinew/geometry/surface_queries.h"

namespace sinew::geometry {
namespace {

using Cell = std::array<std::size_t, 3>;

/// Calls `body(begin, step)` for every line of the lattice along an axis: first index and distance of points.
template <class Body>
void for_each_line(const Lattice& lattice, int axis, const Body& body) {
    const std::size_t strides[3] = {1, lattice.points[0], lattice.points[0] * lattice.points[1]};
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    parallel_for(lattice.points[v], 4, [&](std::size_t j) {
        for (std::size_t i = 0; i < lattice.points[u]; ++i) {
            Cell start{};
            start[static_cast<std::size_t>(u)] = i;
            start[static_cast<std::size_t>(v)] = j;
            body(start, i * strides[u] + j * strides[v], strides[axis]);
        }
    });
}

/// Signed crossings to the left and to the right of every point of a line, added to `sums`. `turn` is -1 for
/// triangles of shells that are inside out.
void count_crossings(const Lattice& lattice, const SurfaceQueries& surface, std::span<const std::int8_t> turn,
                     int axis, std::vector<std::int16_t>& sums) {
    const auto a = static_cast<std::size_t>(axis);
    const std::size_t count = lattice.points[a];
    for_each_line(lattice, axis, [&](const Cell& start, std::size_t begin, std::size_t stride) {
        thread_local std::vector<RayHit> hits;
        Vec3d origin = lattice.point(Vec3d(static_cast<double>(start[0]), static_cast<double>(start[1]),
                                           static_cast<double>(start[2])));
        // Off the lattice by a little, because models like to have edges on round numbers.
        origin += lattice.step.x() * Vec3d(1.7e-4, 2.9e-4, 2.3e-4);
        Vec3f direction = Vec3f::Zero();
        direction[axis] = 1;
        surface.all_hits(origin.cast<float>(), direction, hits);
        if (hits.empty()) return;
        const auto sign = [&](const RayHit& hit) { return turn[hit.triangle] * (hit.entering ? 1 : -1); };
        int right = 0, left = 0;
        for (const RayHit& hit : hits) right -= sign(hit);
        std::size_t next = 0;
        for (std::size_t i = 0; i < count; ++i) {
            const double at = static_cast<double>(i) * lattice.step[axis];
            for (; next < hits.size() && hits[next].distance <= at; ++next) {
                left += sign(hits[next]);
                right += sign(hits[next]);
            }
            sums[begin + i * stride] = static_cast<std::int16_t>(sums[begin + i * stride] + left + right);
        }
    });
}

/// Marks the cells that a triangle passes through: those that hold the point of it nearest to their centre.
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
    for (std::size_t k = low[2]; k <= high[2]; ++k) {
        for (std::size_t j = low[1]; j <= high[1]; ++j) {
            for (std::size_t i = low[0]; i <= high[0]; ++i) {
                const Vec3f center = origin + cell * Vec3f(static_cast<float>(i), static_cast<float>(j),
                                                           static_cast<float>(k));
                const Vec3f near = nearest_on_triangle(center, a, b, c);
                if ((near - center).cwiseAbs().maxCoeff() <= reach) cells[lattice.index(i, j, k)] = 1;
            }
        }
    }
}

/// Neighbours over the six faces of a cell.
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

/// Cells that can be reached from a corner of the lattice, which lies outside, without entering a wall.
std::vector<std::uint8_t> flood(const Lattice& lattice, const std::vector<std::uint8_t>& walls) {
    std::vector<std::uint8_t> reached(lattice.size());
    std::vector<std::size_t> queue = {0};
    reached[0] = 1;
    while (!queue.empty()) {
        const std::size_t index = queue.back();
        queue.pop_back();
        for_each_neighbour(lattice, index, [&](std::size_t next) {
            if (reached[next] != 0 || walls[next] != 0) return;
            reached[next] = 1;
            queue.push_back(next);
        });
    }
    return reached;
}

std::vector<std::int8_t> turns_of(const Mesh& mesh) {
    std::vector<std::int8_t> turn(mesh.triangles.size(), 1);
    const Shells shells = shells_of(mesh);
    std::vector<double> volume(shells.count);
    const Vec3d middle = bounds(mesh.positions).center().cast<double>();
    const auto corner = [&](std::uint32_t v) { return Vec3d(mesh.positions[v].cast<double>() - middle); };
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        const Triangle& triangle = mesh.triangles[t];
        volume[shells.of_triangle[t]] +=
            corner(triangle[0]).dot(corner(triangle[1]).cross(corner(triangle[2])));
    }
    for (std::size_t t = 0; t < turn.size(); ++t) {
        if (volume[shells.of_triangle[t]] < 0) turn[t] = -1;
    }
    return turn;
}

/// Squared distance to the nearest point with a cost, along one line: lower envelope of parabolas
/// (Felzenszwalb and Huttenlocher 2012, algorithm 1).
struct LineTransform {
    std::vector<float> cost, result, border;
    std::vector<std::size_t> place;

    void run(std::vector<float>& values, std::size_t begin, std::size_t stride, std::size_t count) {
        cost.resize(count);
        result.resize(count);
        border.resize(count + 1);
        place.resize(count);
        for (std::size_t i = 0; i < count; ++i) cost[i] = values[begin + i * stride];
        constexpr float infinity = std::numeric_limits<float>::infinity();
        std::size_t last = 0;
        place[0] = 0;
        border[0] = -infinity;
        border[1] = infinity;
        const auto meet = [&](std::size_t p, std::size_t q) {
            const auto x = static_cast<float>(p), y = static_cast<float>(q);
            return ((cost[q] + y * y) - (cost[p] + x * x)) / (2 * (y - x));
        };
        for (std::size_t q = 1; q < count; ++q) {
            float s = meet(place[last], q);
            while (s <= border[last]) s = meet(place[--last], q);
            place[++last] = q;
            border[last] = s;
            border[last + 1] = infinity;
        }
        last = 0;
        for (std::size_t q = 0; q < count; ++q) {
            while (border[last + 1] < static_cast<float>(q)) ++last;
            const float step = static_cast<float>(q) - static_cast<float>(place[last]);
            result[q] = step * step + cost[place[last]];
        }
        for (std::size_t i = 0; i < count; ++i) values[begin + i * stride] = result[i];
    }
};

/// Squared distance in cells to the nearest cell of a kind; far beyond the lattice where there is none.
std::vector<float> squared_distance(const VoxelSolid& solid, std::uint8_t kind) {
    std::vector<float> values(solid.inside.size());
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = solid.inside[i] == kind ? 0.0f : 1e9f;
    for (int axis = 0; axis < 3; ++axis) {
        const std::size_t count = solid.lattice.points[static_cast<std::size_t>(axis)];
        for_each_line(solid.lattice, axis, [&](const Cell&, std::size_t begin, std::size_t stride) {
            thread_local LineTransform transform;
            transform.run(values, begin, stride, count);
        });
    }
    return values;
}

/// Keeps the largest part that is connected over faces.
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
    if (mesh.triangles.empty() || !(longest > 0)) fail("", "the mesh has no extent: there is no solid in it");
    VoxelSolid solid;
    solid.lattice = lattice_over(box, longest / std::clamp(options.resolution, 4, 1024));
    if (options.centered) {
        for (int a = 0; a < 3; ++a) {
            const double span = static_cast<double>(solid.lattice.points[static_cast<std::size_t>(a)] - 1);
            solid.lattice.origin[a] = static_cast<double>(box.center()[a]) - solid.lattice.step[a] * span / 2;
        }
    }
    const SurfaceQueries surface(mesh);
    const std::vector<std::int8_t> turn = turns_of(mesh);
    std::vector<std::int16_t> crossings(solid.lattice.size());
    for (int axis = 0; axis < 3; ++axis) {
        count_crossings(solid.lattice, surface, turn, axis, crossings);
        step(monitor, "solid", 0.25 * (axis + 1));
    }
    std::vector<std::uint8_t> walls(solid.lattice.size());
    for (const Triangle& t : mesh.triangles) {
        mark(solid.lattice, mesh.positions[t[0]], mesh.positions[t[1]], mesh.positions[t[2]], walls);
    }
    const std::vector<std::uint8_t> outside = flood(solid.lattice, walls);
    solid.inside.resize(solid.lattice.size());
    for (std::size_t i = 0; i < solid.inside.size(); ++i) {
        const bool enclosed = outside[i] == 0 && walls[i] == 0;
        // Six directions: more than three agree.
        solid.inside[i] = crossings[i] > 3 || enclosed || (options.with_surface && walls[i] != 0);
    }
    step(monitor, "solid", 1);
    return solid;
}

std::vector<float> signed_distance(const VoxelSolid& solid) {
    const std::vector<float> to_inside = squared_distance(solid, 1);
    std::vector<float> distance = squared_distance(solid, 0);
    const auto cell = static_cast<float>(solid.cell());
    for (std::size_t i = 0; i < distance.size(); ++i) {
        // The surface lies half way between two cells.
        distance[i] = solid.inside[i] != 0 ? -(std::sqrt(distance[i]) - 0.5f) * cell
                                           : (std::sqrt(to_inside[i]) - 0.5f) * cell;
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
