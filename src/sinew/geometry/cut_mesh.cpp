// SPDX-License-Identifier: MIT
#include "sinew/geometry/cut_mesh.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>
#include <unordered_map>

#include <Eigen/Eigenvalues>

#include "sinew/base/error.h"
#include "sinew/geometry/topology.h"

namespace sinew::geometry {
namespace {

/// Welds points within a distance: each point is merged into the first earlier one within this distance.
/// Cells are much wider than the distance, so most queries visit only one cell.
class Welder {
  public:
    Welder(double distance, std::size_t expected) : distance_(distance), cell_(64 * distance) {
        cells_.reserve(expected);
    }

    std::uint32_t add(const Vec3d& point, std::vector<Vec3d>& points) {
        const std::uint32_t found = find(point, points);
        if (found != none) return found;
        const auto index = static_cast<std::uint32_t>(points.size());
        const auto [at, fresh] = cells_.try_emplace(key_of(cell_of(point)), index);
        next_.push_back(fresh ? none : at->second);  // the newest point of a cell links to the older ones
        at->second = index;
        points.push_back(point);
        return index;
    }

  private:
    static constexpr std::uint32_t none = 0xffffffff;
    using Cell = Eigen::Matrix<std::int64_t, 3, 1>;

    Cell cell_of(const Vec3d& point) const {
        return (point / cell_).array().floor().matrix().cast<std::int64_t>();
    }
    static std::uint64_t key_of(const Cell& cell) {
        const auto part = [&](int i) { return static_cast<std::uint64_t>(cell[i]) & 0x1fffff; };
        return part(0) | part(1) << 21 | part(2) << 42;
    }

    std::uint32_t find(const Vec3d& point, const std::vector<Vec3d>& points) const {
        const Cell low = cell_of(point - Vec3d::Constant(distance_));
        const Cell high = cell_of(point + Vec3d::Constant(distance_));
        std::uint32_t best = none;
        for (std::int64_t i = low[0]; i <= high[0]; ++i)
            for (std::int64_t j = low[1]; j <= high[1]; ++j)
                for (std::int64_t k = low[2]; k <= high[2]; ++k)
                    best = std::min(best, find_in(key_of({i, j, k}), point, points));
        return best;
    }

    std::uint32_t find_in(std::uint64_t key, const Vec3d& point, const std::vector<Vec3d>& points) const {
        const auto cell = cells_.find(key);
        std::uint32_t best = none;
        for (std::uint32_t i = cell == cells_.end() ? none : cell->second; i != none; i = next_[i])
            if ((points[i] - point).squaredNorm() <= distance_ * distance_) best = i;
        return best;  // lists go from the newest to the oldest, so the last hit is the first point
    }

    double distance_, cell_;
    std::unordered_map<std::uint64_t, std::uint32_t> cells_;
    std::vector<std::uint32_t> next_;
};

CutMesh weld(const Mesh& mesh) {
    CutMesh cut;
    const double diagonal = static_cast<double>(bounds(mesh.positions).diagonal());
    Welder welder(std::max(1e-6 * diagonal, 1e-30), mesh.positions.size());
    cut.point_of.reserve(mesh.positions.size());
    for (const Vec3f& position : mesh.positions)
        cut.point_of.push_back(welder.add(position.cast<double>(), cut.points));
    cut.triangles.reserve(mesh.triangles.size());
    for (const Triangle& t : mesh.triangles)
        cut.triangles.push_back({cut.point_of[t[0]], cut.point_of[t[1]], cut.point_of[t[2]]});
    return cut;
}

}  // namespace

CutMesh cut_mesh(const Mesh& mesh) {
    CutMesh cut = weld(mesh);
    cut.part_of.resize(mesh.triangles.size());
    std::unordered_map<std::string, int> known;
    for (const Part& part : parts_of(mesh)) {
        const std::string name = part.name.empty() ? "part" : part.name;
        if (part.count == 0) fail(mesh.name, "part \"{}\" has no triangle: leave it out", name);
        const auto [at, fresh] = known.try_emplace(name, static_cast<int>(cut.names.size()));
        if (fresh) cut.names.push_back(name);
        std::fill_n(cut.part_of.begin() + part.first, part.count, at->second);
    }
    return cut;
}

CutMesh cut_mesh(const Mesh& mesh, std::vector<int> part_of, std::vector<std::string> names) {
    if (part_of.size() != mesh.triangles.size())
        fail(mesh.name, "{} parts are given for {} triangles", part_of.size(), mesh.triangles.size());
    std::vector<std::size_t> counts(names.size(), 0);
    for (const int part : part_of) {
        if (part < 0 || static_cast<std::size_t>(part) >= names.size())
            fail(mesh.name, "there is no part {}: {} have names", part, names.size());
        ++counts[static_cast<std::size_t>(part)];
    }
    for (std::size_t p = 0; p < names.size(); ++p)
        if (counts[p] == 0) fail(mesh.name, "part \"{}\" has no triangle: leave it out", names[p]);
    CutMesh cut = weld(mesh);
    cut.part_of = std::move(part_of);
    cut.names = std::move(names);
    return cut;
}

std::vector<double> sampling_ratios(const CutMesh& cut) {
    std::vector<std::vector<double>> lengths(cut.part_count());
    const EdgeTable table = edge_table(cut.triangles);
    for (const Edge& edge : table.edges) {
        const double length = (cut.points[edge.a] - cut.points[edge.b]).norm();
        int last = -1;  // an edge is counted once in each of its parts
        for (const std::uint32_t t : table.around(edge)) {
            if (cut.part_of[t] != last) lengths[static_cast<std::size_t>(cut.part_of[t])].push_back(length);
            last = cut.part_of[t];
        }
    }
    std::vector<double> ratios;
    for (std::vector<double>& of_part : lengths) {
        if (of_part.empty()) {
            ratios.push_back(1);
            continue;
        }
        const auto middle = of_part.begin() + static_cast<std::ptrdiff_t>(of_part.size() / 2);
        std::nth_element(of_part.begin(), middle, of_part.end());
        const double longest = *std::max_element(middle, of_part.end());
        ratios.push_back(*middle > 0 ? longest / *middle : 1);
    }
    return ratios;
}

void check_surface(const Mesh& mesh, const CutMesh& cut, Monitor& monitor) {
    const Topology surface = topology(mesh);
    if (!surface.closed)
        warn(monitor, "parts-open-surface",
             "the surface has {} open edges in {} holes: parts are closed over them, patches are not",
             surface.border_edges, surface.border_loops);
    if (!surface.manifold)
        warn(monitor, "parts-nonmanifold", "{} edges and {} vertices are not those of one surface",
             surface.nonmanifold_edges.size(), surface.nonmanifold_vertices.size());
    if (surface.genus.value_or(0) > 0)
        warn(monitor, "parts-genus", "the surface has {} handles: a tree of parts must cut each of them open",
             *surface.genus);
    const std::vector<double> ratios = sampling_ratios(cut);
    const auto worst = std::max_element(ratios.begin(), ratios.end());
    if (worst != ratios.end() && *worst > 5)
        warn(monitor, "parts-sampling",
             "the longest edge of part \"{}\" is {:.3g} times its median edge: patches are best where edges "
             "are alike; divide long edges first",
             cut.names[static_cast<std::size_t>(worst - ratios.begin())], *worst);
}

namespace {

using DirectedEdge = std::array<std::uint32_t, 2>;
using PartPair = std::array<int, 2>;

/// Parts around every point, in increasing order.
Rows parts_of_points(const CutMesh& cut) {
    const Rows around = vertex_triangles(cut.points.size(), cut.triangles);
    Rows rows;
    std::vector<std::uint32_t> parts;
    for (std::size_t p = 0; p < around.size(); ++p) {
        parts.clear();
        for (const std::uint32_t t : around[p]) parts.push_back(static_cast<std::uint32_t>(cut.part_of[t]));
        std::sort(parts.begin(), parts.end());
        parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
        rows.items.insert(rows.items.end(), parts.begin(), parts.end());
        rows.offsets.push_back(static_cast<std::uint32_t>(rows.items.size()));
    }
    return rows;
}

/// The edge in the direction in which a triangle contains it.
DirectedEdge as_in(const Triangle& t, const Edge& edge) {
    for (std::size_t i = 0; i < 3; ++i)
        if (t[i] == edge.a && t[(i + 1) % 3] == edge.b) return {edge.a, edge.b};
    return {edge.b, edge.a};
}

/// The first triangle of each part on an edge; an edge inside a part, or on a border, has one.
std::map<int, std::uint32_t> first_triangles(const CutMesh& cut, const EdgeTable& table, const Edge& edge) {
    std::map<int, std::uint32_t> first;
    for (const std::uint32_t t : table.around(edge)) first.try_emplace(cut.part_of[t], t);
    return first;
}

void add_edges(const CutMesh& cut, std::map<PartPair, PartContact>& contacts) {
    const EdgeTable table = edge_table(cut.triangles);
    for (const Edge& edge : table.edges) {
        const auto around = table.around(edge);
        const int first_part = cut.part_of[around.front()];
        if (std::all_of(around.begin(), around.end(),
                        [&](std::uint32_t t) { return cut.part_of[t] == first_part; }))
            continue;
        const auto first = first_triangles(cut, table, edge);
        for (auto a = first.begin(); a != first.end(); ++a) {
            for (auto b = std::next(a); b != first.end(); ++b) {
                PartContact& contact = contacts[{a->first, b->first}];
                contact.edges.push_back(as_in(cut.triangles[b->second], edge));
                contact.length += (cut.points[edge.a] - cut.points[edge.b]).norm();
            }
        }
    }
}

Vec3d mean_of(const CutMesh& cut, const std::vector<std::uint32_t>& points) {
    Vec3d sum = Vec3d::Zero();
    for (const std::uint32_t p : points) sum += cut.points[p];
    return points.empty() ? sum : Vec3d(sum / static_cast<double>(points.size()));
}

/// Twice the area that a loop encloses, as a vector (Newell). It points to the child, which is on the left of
/// the loop when seen from outside.
Vec3d area_vector(const CutMesh& cut, const std::vector<std::uint32_t>& loop, const Vec3d& about) {
    Vec3d sum = Vec3d::Zero();
    for (std::size_t i = 0; i < loop.size(); ++i)
        sum += (cut.points[loop[i]] - about).cross(cut.points[loop[(i + 1) % loop.size()]] - about);
    return sum;
}

Vec3d middle_of_part(const CutMesh& cut, int part) {
    Vec3d sum = Vec3d::Zero();
    double area = 0;
    for (std::size_t i = 0; i < cut.triangles.size(); ++i) {
        if (cut.part_of[i] != part) continue;
        const auto& [a, b, c] = cut.triangles[i];
        const double twice = (cut.points[b] - cut.points[a]).cross(cut.points[c] - cut.points[a]).norm();
        sum += twice / 3 * (cut.points[a] + cut.points[b] + cut.points[c]);
        area += twice;
    }
    return area > 0 ? Vec3d(sum / area) : sum;
}

/// The least-squares plane of the points: smallest eigenvector of their covariance.
void fit_plane(const CutMesh& cut, Opening& opening) {
    math::Mat3d covariance = math::Mat3d::Zero();
    for (const std::uint32_t p : opening.points) {
        const Vec3d d = cut.points[p] - opening.centre;
        covariance += d * d.transpose();
    }
    const Eigen::SelfAdjointEigenSolver<math::Mat3d> solver(covariance);
    opening.normal = solver.eigenvectors().col(0).normalized();
    Vec3d towards = area_vector(cut, opening.loop, opening.centre);
    const double area = opening.points.size() < 3 ? 0 : covariance.trace();
    if (std::abs(opening.normal.dot(towards)) < 1e-6 * area || area == 0)
        towards = middle_of_part(cut, opening.child) - opening.centre;
    // Points on a line define no plane: the plane perpendicular to the direction to the child is used.
    if (solver.eigenvalues()[1] <= 1e-12 * solver.eigenvalues()[2] && towards.norm() > 0) {
        const Vec3d line = solver.eigenvectors().col(2);
        const Vec3d across = towards - (opening.points.size() > 1 ? line.dot(towards) : 0.0) * line;
        if (across.norm() > 1e-9 * towards.norm()) opening.normal = across.normalized();
    }
    if (opening.normal.dot(towards) < 0) opening.normal = -opening.normal;
    for (const std::uint32_t p : opening.points)
        opening.residual =
            std::max(opening.residual, std::abs(opening.normal.dot(cut.points[p] - opening.centre)));
}

/// The next unused edge that starts at a point; edges are sorted by their start.
std::size_t leaving(const std::vector<DirectedEdge>& edges, const std::vector<char>& used,
                    std::uint32_t point) {
    const auto first = std::lower_bound(edges.begin(), edges.end(), DirectedEdge{point, 0});
    for (auto at = first; at != edges.end() && (*at)[0] == point; ++at) {
        const auto index = static_cast<std::size_t>(at - edges.begin());
        if (!used[index]) return index;
    }
    return edges.size();
}

BorderChain walk(const std::vector<DirectedEdge>& edges, std::vector<char>& used, std::size_t start) {
    BorderChain chain;
    for (std::size_t at = start; at < edges.size(); at = leaving(edges, used, edges[at][1])) {
        used[at] = 1;
        chain.points.push_back(edges[at][0]);
        if (edges[at][1] == chain.points.front()) {
            chain.closed = true;
            return chain;
        }
        if (leaving(edges, used, edges[at][1]) == edges.size()) chain.points.push_back(edges[at][1]);
    }
    return chain;
}

}  // namespace

std::vector<BorderChain> border_chains(std::vector<DirectedEdge> edges) {
    std::sort(edges.begin(), edges.end());
    std::map<std::uint32_t, int> balance;  // ends minus starts: an open chain starts where it is negative
    for (const auto& [from, to] : edges) {
        --balance[from];
        ++balance[to];
    }
    std::vector<BorderChain> chains;
    std::vector<char> used(edges.size(), 0);
    for (const bool open : {true, false}) {
        for (std::size_t i = 0; i < edges.size(); ++i) {
            if (used[i] || (open && balance[edges[i][0]] >= 0)) continue;
            ++balance[edges[i][0]];
            chains.push_back(walk(edges, used, i));
        }
    }
    std::stable_sort(chains.begin(), chains.end(), [](const BorderChain& x, const BorderChain& y) {
        return std::make_tuple(y.points.size(), x.points.front()) <
               std::make_tuple(x.points.size(), y.points.front());
    });
    return chains;
}

std::vector<PartContact> part_contacts(const CutMesh& cut) {
    std::map<PartPair, PartContact> contacts;
    const Rows parts = parts_of_points(cut);
    for (std::size_t p = 0; p < parts.size(); ++p) {
        const auto here = parts[p];
        for (std::size_t i = 0; i < here.size(); ++i)
            for (std::size_t j = i + 1; j < here.size(); ++j)
                contacts[{static_cast<int>(here[i]), static_cast<int>(here[j])}].points.push_back(
                    static_cast<std::uint32_t>(p));
    }
    add_edges(cut, contacts);
    std::vector<PartContact> list;
    for (auto& [pair, contact] : contacts) {
        contact.a = pair[0];
        contact.b = pair[1];
        list.push_back(std::move(contact));
    }
    return list;
}

Opening opening_of(const CutMesh& cut, const PartContact& contact, int parent, int child) {
    Opening opening;
    opening.parent = parent;
    opening.child = child;
    std::vector<DirectedEdge> edges = contact.edges;
    if (child == contact.a)
        for (auto& [from, to] : edges) std::swap(from, to);
    const std::vector<BorderChain> chains = border_chains(std::move(edges));
    if (!chains.empty()) opening.loop = chains.front().points;
    opening.loop_count = static_cast<int>(chains.size());
    opening.points = contact.points;
    opening.centre = mean_of(cut, opening.points);
    fit_plane(cut, opening);
    return opening;
}

}  // namespace sinew::geometry
