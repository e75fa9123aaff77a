// SPDX-License-Identifier: MIT
#include "sinew/rig/silhouette/silhouette_surface.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/base/error.h"
#include "sinew/base/parallel.h"

namespace sinew::rig {

namespace {

/// Of the sphere around the centre of area: for a box its diagonal, and the same for any rotation of a body.
double diameter(const WeldedSurface& surface) {
    Vec3d sum = Vec3d::Zero();
    double total = 0;
    for (const Triangle& t : surface.triangles) {
        const Vec3d &a = surface.positions[t[0]], &b = surface.positions[t[1]], &c = surface.positions[t[2]];
        const double area = (b - a).cross(c - a).norm();
        sum += area * (a + b + c) / 3;
        total += area;
    }
    const Vec3d middle = sum / total;
    double max = 0;
    for (const Triangle& t : surface.triangles) {
        for (const std::uint32_t v : t) max = std::max(max, (surface.positions[v] - middle).squaredNorm());
    }
    return 2 * std::sqrt(max);
}

bool balanced(const WeldedSurface& surface) {
    const auto runs_along = [&](std::uint32_t t, const geometry::Edge& edge) {
        const Triangle& c = surface.triangles[t];
        return (c[0] == edge.a && c[1] == edge.b) || (c[1] == edge.a && c[2] == edge.b) ||
               (c[2] == edge.a && c[0] == edge.b);
    };
    for (const geometry::Edge& edge : surface.edges.edges) {
        int sum = 0;
        for (const std::uint32_t t : surface.edges.around(edge)) sum += runs_along(t, edge) ? 1 : -1;
        if (sum != 0) return false;
    }
    return true;
}

void finish(WeldedSurface& surface) {
    surface.edges = geometry::edge_table(surface.triangles);
    surface.diagonal = diameter(surface);
    surface.closed = balanced(surface);
}

}  // namespace

WeldedSurface welded_surface(const geometry::Mesh& mesh) {
    geometry::validate(mesh, mesh.name);
    WeldedSurface surface;
    surface.weld = geometry::weld_map(mesh.positions);
    surface.positions.reserve(mesh.positions.size());
    for (const auto& p : mesh.positions) surface.positions.push_back(p.cast<double>());
    bool flat = true;
    for (const Triangle& t : geometry::welded(mesh.triangles, surface.weld)) {
        if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0]) continue;
        surface.triangles.push_back(t);
        const Vec3d& a = surface.positions[t[0]];
        flat = flat && !((surface.positions[t[1]] - a).cross(surface.positions[t[2]] - a).norm() > 0);
    }
    if (flat) fail(mesh.name, "a skeleton needs a mesh with at least one triangle that has an area");
    finish(surface);
    return surface;
}

WeldedSurface part_of(const WeldedSurface& surface, const std::vector<std::uint32_t>& triangles) {
    constexpr std::uint32_t unused = 0xffffffff;
    WeldedSurface part;
    std::vector<std::uint32_t> number(surface.positions.size(), unused);
    for (const std::uint32_t t : triangles) {
        Triangle made{};
        for (std::size_t k = 0; k < 3; ++k) {
            const std::uint32_t v = surface.triangles[t][k];
            if (number[v] == unused) {
                number[v] = static_cast<std::uint32_t>(part.positions.size());
                part.positions.push_back(surface.positions[v]);
                part.weld.push_back(number[v]);
            }
            made[k] = number[v];
        }
        part.triangles.push_back(made);
    }
    finish(part);
    return part;
}

Projection project(const WeldedSurface& surface, const ViewFrame& frame) {
    Projection out{frame, {}, {}};
    const std::size_t count = surface.positions.size();
    out.xy.resize(count);
    out.z.resize(count);
    parallel_for(count, 4096, [&](std::size_t v) {
        const Vec3d at = frame.to_view(surface.positions[v]);
        out.xy[v] = at.head<2>();
        out.z[v] = at.z();
    });
    return out;
}

namespace {

Mask empty_mask(const Projection& projection, const std::vector<Triangle>& triangles, int size) {
    Vec2d low = Vec2d::Constant(std::numeric_limits<double>::max()), high = -low;
    for (const Triangle& t : triangles) {
        for (const std::uint32_t v : t) {
            low = low.cwiseMin(projection.xy[v]);
            high = high.cwiseMax(projection.xy[v]);
        }
    }
    Mask mask;
    if (triangles.empty()) return mask;
    mask.pixel = (high - low).maxCoeff() / (size - 2);
    if (!(mask.pixel > 0)) mask.pixel = 1;
    const Vec2d extent = (high - low) / mask.pixel;
    mask.width = static_cast<int>(extent.x()) + 3;
    mask.height = static_cast<int>(extent.y()) + 3;
    mask.origin = (low + high) / 2 - mask.pixel * Vec2d(mask.width - 1, mask.height - 1) / 2;
    mask.covered.assign(static_cast<std::size_t>(mask.width) * static_cast<std::size_t>(mask.height), 0);
    return mask;
}

/// Pixel coordinates are never negative, because a pixel is left free around the shadow.
int floor_of(double x) {
    return static_cast<int>(x);
}
int ceil_of(double x) {
    const int down = static_cast<int>(x);
    return down + (x > down ? 1 : 0);
}

/// Calls `body(pixel, weights of the corners, their sum)` for the pixel centres in a triangle of pixel
/// coordinates, except where `skip(pixel)`.
template <class Skip, class Body>
void cover(const Mask& mask, const std::array<Vec2d, 3>& p, const Skip& skip, const Body& body) {
    const Vec2d low = p[0].cwiseMin(p[1]).cwiseMin(p[2]), high = p[0].cwiseMax(p[1]).cwiseMax(p[2]);
    const int x0 = ceil_of(low.x()), x1 = floor_of(high.x());
    const int y0 = ceil_of(low.y()), y1 = floor_of(high.y());
    if (x0 > x1 || y0 > y1) return;
    const double twice = geometry::cross2(p[1] - p[0], p[2] - p[0]);
    if (twice == 0) return;
    const double sign = twice > 0 ? 1 : -1;
    for (int y = y0; y <= y1; ++y) {
        for (int x = x0; x <= x1; ++x) {
            if (skip(mask.index(x, y))) continue;
            const Vec2d at(x, y);
            const double a = sign * geometry::cross2(p[1] - at, p[2] - at);
            const double b = sign * geometry::cross2(p[2] - at, p[0] - at);
            const double c = sign * twice - a - b;
            if (a >= 0 && b >= 0 && c >= 0) body(mask.index(x, y), Vec3d(a, b, c), sign * twice);
        }
    }
}

/// Empty pixels of one row, [from, to).
struct Run {
    int row, from, to;
};

/// All runs and their connections between rows: far fewer than pixels.
class EmptyRuns {
  public:
    struct Group {
        std::vector<Run> runs;
        std::size_t pixels = 0;
        bool at_border = false;
    };

    explicit EmptyRuns(const Mask& mask) : width_(mask.width), height_(mask.height) {
        std::size_t above = 0;  // the first run of the row above
        for (int row = 0; row < mask.height; ++row) {
            const std::size_t first = runs_.size();
            add_row(mask, row);
            join_rows(above, first);
            above = first;
        }
    }

    /// In the order of their first run.
    std::vector<Group> groups() {
        std::vector<Group> out;
        std::vector<int> number(runs_.size(), -1);
        for (std::size_t r = 0; r < runs_.size(); ++r) {
            int& group = number[find(r)];
            if (group < 0) {
                group = static_cast<int>(out.size());
                out.emplace_back();
            }
            const Run& run = runs_[r];
            Group& g = out[static_cast<std::size_t>(group)];
            g.runs.push_back(run);
            g.pixels += static_cast<std::size_t>(run.to - run.from);
            g.at_border |= run.row == 0 || run.row == height_ - 1 || run.from == 0 || run.to == width_;
        }
        return out;
    }

  private:
    void add_row(const Mask& mask, int row) {
        const auto begin = mask.covered.begin() + static_cast<std::ptrdiff_t>(mask.index(0, row));
        const auto end = begin + width_;
        for (auto at = std::find(begin, end, 0); at != end;) {
            const auto stop = std::find(at, end, 1);
            leader_.push_back(runs_.size());
            runs_.push_back({row, static_cast<int>(at - begin), static_cast<int>(stop - begin)});
            at = std::find(stop, end, 0);
        }
    }

    /// Runs [above, below) and [below, end) are two rows, both from left to right.
    void join_rows(std::size_t above, std::size_t below) {
        for (std::size_t a = above, b = below; a < below && b < runs_.size();) {
            if (runs_[a].from < runs_[b].to && runs_[b].from < runs_[a].to) {
                const std::size_t x = find(a), y = find(b);
                leader_[std::max(x, y)] = std::min(x, y);
            }
            ++(runs_[a].to < runs_[b].to ? a : b);
        }
    }

    std::size_t find(std::size_t run) {
        while (leader_[run] != run) run = leader_[run] = leader_[leader_[run]];
        return run;
    }

    int width_, height_;
    std::vector<Run> runs_;
    std::vector<std::size_t> leader_;
};

/// The pixel of a group with the most steps to pixels outside it, by two sweeps over its box.
std::array<int, 2> deepest_of(const std::vector<Run>& runs) {
    const int top = runs.front().row, rows = runs.back().row - top + 3;
    const int left = std::ranges::min_element(runs, {}, &Run::from)->from;
    const int columns = std::ranges::max_element(runs, {}, &Run::to)->to - left + 2;
    // One pixel outside the group on all sides.
    std::vector<int> depth(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns), 0);
    const auto at = [&](int row, int column) -> int& {
        return depth[static_cast<std::size_t>(row - top + 1) * static_cast<std::size_t>(columns) +
                     static_cast<std::size_t>(column - left + 1)];
    };
    for (const Run& run : runs) {
        for (int x = run.from; x < run.to; ++x) {
            at(run.row, x) = 1 + std::min(at(run.row - 1, x), at(run.row, x - 1));
        }
    }
    std::array<int, 2> best{runs.front().from, top};
    int max = 0;
    for (auto run = runs.rbegin(); run != runs.rend(); ++run) {
        for (int x = run->to - 1; x >= run->from; --x) {
            int& here = at(run->row, x);
            here = std::min({here, at(run->row + 1, x) + 1, at(run->row, x + 1) + 1});
            if (here <= max) continue;
            max = here;
            best = {x, run->row};
        }
    }
    return best;
}

}  // namespace

double Mask::area() const {
    const auto count = std::count(covered.begin(), covered.end(), std::uint8_t{1});
    return static_cast<double>(count) * pixel * pixel;
}

Mask rasterize(const Projection& projection, const std::vector<Triangle>& triangles, int size,
               bool with_depth) {
    Mask mask = empty_mask(projection, triangles, size);
    if (with_depth) {
        mask.low.assign(mask.covered.size(), std::numeric_limits<float>::max());
        mask.high.assign(mask.covered.size(), std::numeric_limits<float>::lowest());
    }
    std::vector<Vec2d> pixels(projection.xy.size());
    for (std::size_t v = 0; v < pixels.size(); ++v) {
        pixels[v] = (projection.xy[v] - mask.origin) / mask.pixel;
    }
    for (const Triangle& t : triangles) {
        const std::array<Vec2d, 3> p{pixels[t[0]], pixels[t[1]], pixels[t[2]]};
        if (!with_depth) {
            cover(
                mask, p, [&](std::size_t pixel) { return mask.covered[pixel] != 0; },
                [&](std::size_t pixel, const Vec3d&, double) { mask.covered[pixel] = 1; });
            continue;
        }
        const Vec3d depths(projection.z[t[0]], projection.z[t[1]], projection.z[t[2]]);
        cover(
            mask, p, [](std::size_t) { return false; },
            [&](std::size_t pixel, const Vec3d& weights, double sum) {
                const auto depth = static_cast<float>(weights.dot(depths) / sum);
                mask.covered[pixel] = 1;
                mask.low[pixel] = std::min(mask.low[pixel], depth);
                mask.high[pixel] = std::max(mask.high[pixel], depth);
            });
    }
    return mask;
}

std::vector<MaskHole> holes_of(const Mask& mask, double min) {
    std::vector<MaskHole> out;
    for (const EmptyRuns::Group& group : EmptyRuns(mask).groups()) {
        if (group.at_border || static_cast<double>(group.pixels) < min) continue;
        out.push_back({group.pixels, deepest_of(group.runs)});
    }
    return out;
}

}  // namespace sinew::rig
