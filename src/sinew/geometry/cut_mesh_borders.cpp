#include "sinew/geometry/cut_mesh.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>

#include <Eigen/Eigenvalues>

#include "sinew/geometry/topology.h"

namespace sinew::geometry {
namespace {

using DirectedEdge = std::array<std::uint32_t, 2>;
using PartPair = std::array<int, 2>;

/// Parts around every point, rising.
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

/// The edge as a triangle runs through it.
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

/// Twice the area that a loop encloses, as a vector (Newell): it points to the child, which lies on the left
/// of a loop that is looked at from outside.
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

/// The plane of least squares through the points: smallest eigenvector of their covariance.
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
    // Points on a line have no plane of their own: the one across the way to the child.
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

/// The next unused edge that leaves a point; edges are sorted by where they start.
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
