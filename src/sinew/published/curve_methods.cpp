// SPDX-License-Identifier: MIT
#include "sinew/published/curve_methods.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <set>

#include "sinew/rig/body/body_field.h"
#include "sinew/rig/curve/curve_growth.h"
#include "sinew/rig/curve/curve_refine.h"

namespace sinew::published {

namespace {

constexpr double level_width = 2;        // of the Reeb graph, in percent of the diagonal
constexpr int thinning_resolution = 80;  // cells along the longest side
constexpr double max_spur = 1.3;      // in radii of their junction: branches that reach less far are removed
constexpr double junction_radii = 1;  // junctions nearer than this many radii become one

/// One end of every body: the cell farthest from its middle.
std::vector<std::uint32_t> far_ends(const BodyField& field, const BodyGraph& graph) {
    std::vector<std::uint32_t> ends = body_roots(graph, field);
    const std::vector<float> distance = graph.distances(ends, {});
    for (std::uint32_t node = 0; node < graph.size(); ++node) {
        std::uint32_t& end = ends[graph.body(node)];
        if (distance[node] > distance[end]) end = node;
    }
    return ends;
}

class LevelGraph {
  public:
    LevelGraph(const BodyGraph& graph, const std::vector<float>& distance, double width)
        : graph_(graph), level_(graph.size()), part_(graph.size(), -1) {
        for (std::size_t n = 0; n < level_.size(); ++n) {
            level_[n] = static_cast<int>(static_cast<double>(distance[n]) / width);
        }
        for (std::uint32_t n = 0; n < graph.size(); ++n) {
            if (part_[n] < 0) add_part(n);
        }
        for (std::uint32_t n = 0; n < graph.size(); ++n) link(n);
        curve_.edges.assign(edges_.begin(), edges_.end());
    }

    CurveSkeleton curve() && { return std::move(curve_); }

  private:
    void add_part(std::uint32_t seed) {
        const int number = static_cast<int>(curve_.nodes.size());
        std::vector<std::uint32_t> cells = {seed};
        part_[seed] = number;
        Vec3d sum = Vec3d::Zero();
        for (std::size_t i = 0; i < cells.size(); ++i) {
            sum += graph_.position(cells[i]);
            graph_.for_each_neighbour(cells[i], [&](std::uint32_t next, float) {
                if (part_[next] >= 0 || level_[next] != level_[seed]) return;
                part_[next] = number;
                cells.push_back(next);
            });
        }
        curve_.nodes.push_back({sum / static_cast<double>(cells.size()), 0});
    }

    void link(std::uint32_t node) {
        graph_.for_each_neighbour(node, [&](std::uint32_t next, float) {
            if (part_[node] < part_[next]) edges_.insert({part_[node], part_[next]});
        });
    }

    const BodyGraph& graph_;
    std::vector<int> level_, part_;
    std::set<std::array<int, 2>> edges_;
    CurveSkeleton curve_;
};

}  // namespace

CurveSkeleton reeb_skeleton(const geometry::Mesh& mesh, Monitor& monitor) {
    const UnitBody body(mesh, monitor);
    const auto& [frame, unit, field, graph] = body;
    warn_of_dropped(field, monitor);
    const std::vector<std::uint32_t> sources = far_ends(field, graph);
    // A level narrower than a diagonal step would be disconnected.
    const double width = std::max(2.0, level_width / 100 * field.diagonal / field.cell());
    CurveSkeleton curve = LevelGraph(graph, graph.distances(sources, {}), width).curve();
    measure_radii(curve, field);
    // The last level of a limb often has several parts: one of them is its end.
    std::vector<int> node_of_tip = nodes_of_tips(curve, field, graph, limb_tips(field, graph));
    curve = without_idle(curve, node_of_tip);
    finish_curve(curve, unit, field, graph, monitor);
    to_world(curve, frame);
    return curve;
}

namespace {

constexpr std::size_t middle = 13;

struct Offset {
    int i, j, k;
};

constexpr Offset offset_of(std::size_t bit) {
    const int b = static_cast<int>(bit);
    return {b % 3 - 1, b / 3 % 3 - 1, b / 9 - 1};
}

constexpr int size_of(int v) {
    return v < 0 ? -v : v;
}

/// Distance of two cells: the sum and the maximum of the differences.
struct Apart {
    int sum, max;
};
constexpr Apart apart(std::size_t a, std::size_t b) {
    const Offset p = offset_of(a), q = offset_of(b);
    const int i = size_of(p.i - q.i), j = size_of(p.j - q.j), k = size_of(p.k - q.k);
    return {i + j + k, std::max({i, j, k})};
}

/// Which cells of the neighbourhood touch each over a face, or over a corner.
struct Tables {
    std::array<CellBits, 27> face{}, corner{};
    CellBits six = 0, eighteen = 0, all = 0;
};

constexpr Tables make_tables() {
    Tables tables;
    for (std::size_t a = 0; a < 27; ++a) {
        const CellBits bit = CellBits{1} << a;
        const int away = apart(a, middle).sum;
        if (away == 1) tables.six |= bit;
        if (away == 1 || away == 2) tables.eighteen |= bit;
        if (away > 0) tables.all |= bit;
        for (std::size_t b = 0; b < 27; ++b) {
            if (a == b) continue;
            if (apart(a, b).sum == 1) tables.face[a] |= CellBits{1} << b;
            if (apart(a, b).max == 1) tables.corner[a] |= CellBits{1} << b;
        }
    }
    return tables;
}
constexpr Tables tables = make_tables();

/// Cells that can be reached from the lowest one.
CellBits part_of(CellBits cells, CellBits seed, const std::array<CellBits, 27>& touching) {
    CellBits part = seed & (~seed + 1), fresh = part;
    while (fresh != 0) {
        const auto at = static_cast<std::size_t>(std::countr_zero(fresh));
        fresh &= fresh - 1;
        const CellBits added = touching[at] & cells & ~part;
        part |= added;
        fresh |= added;
    }
    return part;
}

class Thinning {
  public:
    explicit Thinning(const geometry::VoxelSolid& solid) : inside_(solid.inside) {
        const auto nx = static_cast<std::ptrdiff_t>(solid.lattice.points[0]);
        const auto nxy = nx * static_cast<std::ptrdiff_t>(solid.lattice.points[1]);
        for (std::size_t bit = 0; bit < 27; ++bit) {
            const Offset offset = offset_of(bit);
            step_[bit] = offset.i + nx * offset.j + nxy * offset.k;
        }
        for (std::size_t cell = 0; cell < inside_.size(); ++cell) {
            if (inside_[cell] != 0) cells_.push_back(cell);
        }
    }

    std::vector<std::size_t> run() {
        for (bool changed = true; changed;) {
            changed = false;
            // Opposite directions are consecutive, so that the curve stays in the middle.
            for (const std::size_t side : {4u, 22u, 10u, 16u, 12u, 14u}) changed = peel(side) || changed;
        }
        return std::move(cells_);
    }

  private:
    CellBits around(std::size_t cell) const {
        CellBits bits = 0;
        for (std::size_t bit = 0; bit < 27; ++bit) {
            const auto at = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(cell) + step_[bit]);
            bits |= CellBits{inside_[at] != 0} << bit;
        }
        return bits;
    }

    bool can_go(std::size_t cell) const {
        const CellBits bits = around(cell);
        return std::popcount(bits & tables.all) > 1 && is_simple(bits);
    }

    /// Removes the layer whose neighbour on one side is empty.
    bool peel(std::size_t side) {
        std::vector<std::size_t> layer;
        for (const std::size_t cell : cells_) {
            const auto next = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(cell) + step_[side]);
            if (inside_[next] == 0 && can_go(cell)) layer.push_back(cell);
        }
        bool changed = false;
        for (const std::size_t cell : layer) {
            if (!can_go(cell)) continue;
            inside_[cell] = 0;
            changed = true;
        }
        if (changed) std::erase_if(cells_, [&](std::size_t cell) { return inside_[cell] == 0; });
        return changed;
    }

    std::vector<std::uint8_t> inside_;
    std::vector<std::size_t> cells_;
    std::array<std::ptrdiff_t, 27> step_{};
};

}  // namespace

bool is_simple(CellBits solid) {
    const CellBits cells = solid & tables.all, empty = ~solid & tables.eighteen;
    if (cells == 0 || (empty & tables.six) == 0) return false;
    if (part_of(cells, cells, tables.corner) != cells) return false;
    return (empty & tables.six & ~part_of(empty, empty & tables.six, tables.face)) == 0;
}

std::vector<std::size_t> thinned(const geometry::VoxelSolid& solid) {
    return Thinning(solid).run();
}

namespace {

/// Nodes in the middle of the cells, edges between those that touch.
CurveSkeleton curve_through(const std::vector<std::size_t>& cells, const BodyField& field,
                            const BodyGraph& graph) {
    CurveSkeleton curve;
    std::vector<int> number(graph.size(), -1);
    for (const std::size_t cell : cells) {
        number[graph.node(cell)] = static_cast<int>(curve.nodes.size());
        curve.nodes.push_back({field.center(cell), 0});
    }
    for (const std::size_t cell : cells) {
        const int here = number[graph.node(cell)];
        graph.for_each_neighbour(graph.node(cell), [&](std::uint32_t next, float) {
            if (number[next] > here) curve.edges.push_back({here, number[next]});
        });
    }
    std::sort(curve.edges.begin(), curve.edges.end());
    return curve;
}

}  // namespace

CurveSkeleton thinning_skeleton(const geometry::Mesh& mesh, Monitor& monitor) {
    const UnitFrame frame = unit_frame(mesh);
    const geometry::Mesh body = in_unit(mesh, frame);
    const BodyField field = body_field(body, {.resolution = thinning_resolution}, monitor);
    const BodyGraph graph(field);
    CurveSkeleton curve = curve_through(thinned(field.solid), field, graph);
    measure_radii(curve, field);
    curve = without_spurs(without_rings(curve), max_spur, junction_radii);
    finish_curve(curve, body, field, graph, monitor);
    to_world(curve, frame);
    return curve;
}

}  // namespace sinew::published
