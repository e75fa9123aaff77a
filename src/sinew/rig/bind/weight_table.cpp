// SPDX-License-Identifier: MIT
#include "sinew/rig/bind/weight_table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <queue>

#include "sinew/base/error.h"
#include "sinew/base/parallel.h"
#include "sinew/geometry/surface_queries.h"
#include "sinew/geometry/topology.h"

namespace sinew::rig {
void WeightTable::push_row(std::span<const JointWeight> row) {
    const auto first = static_cast<std::ptrdiff_t>(entries.size());
    for (const JointWeight& entry : row)
        if (entry.weight > 0 && std::isfinite(entry.weight)) entries.push_back(entry);
    // Rows are short and often already sorted.
    for (auto entry = entries.begin() + first; entry != entries.end(); ++entry)
        std::rotate(std::upper_bound(entries.begin() + first, entry, entry->joint,
                                     [](int joint, const JointWeight& other) { return joint < other.joint; }),
                    entry, std::next(entry));
    auto last = entries.begin() + first;
    for (auto entry = last; entry != entries.end(); ++entry) {
        if (last != entries.begin() + first && std::prev(last)->joint == entry->joint)
            std::prev(last)->weight += entry->weight;
        else
            *last++ = *entry;
    }
    entries.erase(last, entries.end());
    offsets.push_back(static_cast<std::uint32_t>(entries.size()));
}

WeightTable table_from(const std::vector<WeightRow>& rows) {
    WeightTable table;
    for (const WeightRow& row : rows) table.push_row(row);
    return table;
}

void normalize(WeightTable& table) {
    for (std::size_t v = 0; v < table.size(); ++v) {
        double sum = 0;
        for (const JointWeight& entry : table[v]) sum += entry.weight;
        if (!(sum > 0)) continue;
        for (std::uint32_t i = table.offsets[v]; i < table.offsets[v + 1]; ++i)
            table.entries[i].weight /= sum;
    }
}

WeightTable table_of(const model::Skin& skin) {
    WeightTable table;
    std::vector<JointWeight> row;
    for (std::size_t v = 0; v < skin.vertex_count(); ++v) {
        row.clear();
        for (const model::Influence& i : skin.of(v)) row.push_back({skin.joints[i.joint].joint, i.weight});
        table.push_row(row);
    }
    return table;
}

namespace {

using FilledVertex = std::uint32_t;
constexpr FilledVertex no_source = 0xffffffff;

/// For each vertex the nearest vertex along edges whose row is not empty (Dijkstra from all of them at once),
/// itself when it has one. Vertices at the same position are one.
std::vector<FilledVertex> nearest_filled(const WeightTable& table, const geometry::Mesh& mesh) {
    const auto map = geometry::weld_map(mesh.positions);
    const auto neighbors =
        geometry::vertex_neighbors(mesh.positions.size(), geometry::welded(mesh.triangles, map));
    std::vector<FilledVertex> source(table.size(), no_source);
    std::vector<double> reached(table.size(), INFINITY);
    using Step = std::pair<double, std::uint32_t>;
    std::priority_queue<Step, std::vector<Step>, std::greater<>> front;
    for (std::uint32_t v = 0; v < table.size(); ++v) {
        if (table[v].empty() || source[map[v]] != no_source) continue;
        source[map[v]] = v;
        reached[map[v]] = 0;
        front.push({0, map[v]});
    }
    while (!front.empty()) {
        const auto [distance, v] = front.top();
        front.pop();
        if (distance > reached[v]) continue;
        for (const std::uint32_t n : neighbors[v]) {
            const double longer = distance + (mesh.positions[n] - mesh.positions[v]).cast<double>().norm();
            if (longer >= reached[n]) continue;
            reached[n] = longer;
            source[n] = source[v];
            front.push({longer, n});
        }
    }
    for (std::size_t v = 0; v < table.size(); ++v)
        source[v] = table[v].empty() ? source[map[v]] : static_cast<FilledVertex>(v);
    return source;
}

/// Vertices that no path along the surface reaches use the nearest vertex in space that has a row.
void fill_from_space(std::vector<FilledVertex>& source, const WeightTable& table,
                     const geometry::Mesh& mesh) {
    if (std::find(source.begin(), source.end(), no_source) == source.end()) return;
    std::vector<geometry::Triangle> filled;  // a triangle without extent is a point that can be nearest
    for (FilledVertex v = 0; v < table.size(); ++v)
        if (!table[v].empty()) filled.push_back({v, v, v});
    const geometry::SurfaceQueries queries(mesh.positions, filled);
    for (std::size_t v = 0; v < table.size(); ++v) {
        if (source[v] != no_source) continue;
        const auto near = queries.nearest(mesh.positions[v]);
        source[v] = near ? filled[near->triangle][0] : filled.front()[0];
    }
}

}  // namespace

model::Skin make_skin(const WeightTable& table, const model::Skeleton& skeleton, const geometry::Mesh& mesh,
                      const FinishOptions& options) {
    if (table.entries.empty()) fail("bind", "no vertex is near any joint");
    const bool whole = std::adjacent_find(table.offsets.begin(), table.offsets.end()) == table.offsets.end();
    std::vector<FilledVertex> source;
    if (!whole) {
        source = nearest_filled(table, mesh);
        fill_from_space(source, table, mesh);
    }
    model::Skin skin;
    skin.joints = model::bind_at_rest(skeleton);
    std::vector<model::Influence> list;
    for (std::size_t v = 0; v < table.size(); ++v) {
        const auto row = table[whole ? v : source[v]];
        double sum = 0;
        for (const JointWeight& entry : row) sum += entry.weight;
        list.clear();
        for (const JointWeight& entry : row)
            list.push_back({static_cast<std::uint32_t>(entry.joint), static_cast<float>(entry.weight / sum)});
        skin.push_vertex(list);
    }
    model::clean(skin, {options.max_influences, static_cast<float>(options.prune_below)});
    return skin;
}

double weight_of(std::span<const JointWeight> row, int joint) {
    for (const JointWeight& entry : row)
        if (entry.joint == joint) return entry.weight;
    return 0;
}

namespace {

using math::Vec3f;

/// A bound mesh that returns the weights near any point.
class SurfaceWeights {
  public:
    SurfaceWeights(const geometry::Mesh& mesh, const WeightTable& table);

    /// Weights at the position of the surface nearest to a point, blended over its triangle. With a normal, a
    /// position that faces the other way counts only when there is no better one as near as `reach`
    /// diagonals: a thigh takes nothing from the other thigh.
    WeightRow at(const Vec3d& point, const Vec3d* normal = nullptr) const;

  private:
    WeightRow on(std::uint32_t triangle, const Vec3d& point) const;
    std::uint32_t facing_triangle(const Vec3d& point, const Vec3d& normal) const;

    const geometry::Mesh& mesh_;
    const WeightTable& table_;
    geometry::SurfaceQueries queries_;
    std::vector<math::Vec3f> normals_;  ///< of the triangles, unit
    double reach_ = 0;
};

/// Parts of a triangle's corners in a point of it (Ericson 2005, 3.4); thirds when it has no area.
Vec3d corner_parts(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& point) {
    const Vec3d u = b - a, v = c - a, w = point - a;
    const double uu = u.dot(u), uv = u.dot(v), vv = v.dot(v), wu = w.dot(u), wv = w.dot(v);
    const double area = uu * vv - uv * uv;
    if (!(area > 1e-300)) return Vec3d::Constant(1.0 / 3);
    Vec3d parts(0, (vv * wu - uv * wv) / area, (uu * wv - uv * wu) / area);
    parts[0] = 1 - parts[1] - parts[2];
    parts = parts.cwiseMax(0);
    return parts / parts.sum();
}

void add(WeightRow& sum, std::span<const JointWeight> row, double factor) {
    for (const JointWeight& entry : row) sum.push_back({entry.joint, factor * entry.weight});
}

WeightRow exchanged(WeightRow row, const std::vector<int>& twin) {
    for (JointWeight& entry : row) {
        const int other = twin[static_cast<std::size_t>(entry.joint)];
        if (other >= 0) entry.joint = other;
    }
    return row;
}

SurfaceWeights::SurfaceWeights(const geometry::Mesh& mesh, const WeightTable& table)
    : mesh_(mesh), table_(table), queries_(mesh) {
    if (mesh.triangles.empty()) fail("weights", "a mesh without triangles has no weights to give");
    if (table.size() != mesh.vertex_count())
        fail("weights", "{} rows of weights for {} vertices", table.size(), mesh.vertex_count());
    for (const auto& t : mesh.triangles) {
        const Vec3f &a = mesh.positions[t[0]], &b = mesh.positions[t[1]], &c = mesh.positions[t[2]];
        normals_.push_back((b - a).cross(c - a).stableNormalized());
    }
    reach_ = 0.05 * geometry::bounds(mesh.positions).diagonal();
}

WeightRow SurfaceWeights::on(std::uint32_t triangle, const Vec3d& point) const {
    const auto& corners = mesh_.triangles[triangle];
    std::array<Vec3d, 3> position;
    for (std::size_t k = 0; k < 3; ++k) position[k] = mesh_.positions[corners[k]].cast<double>();
    const Vec3d parts = corner_parts(position[0], position[1], position[2], point);
    WeightRow sum;
    for (int k = 0; k < 3; ++k) add(sum, table_[corners[static_cast<std::size_t>(k)]], parts[k]);
    return sum;
}

/// The nearest hit in front of or behind the point along its normal that faces the same direction.
std::uint32_t SurfaceWeights::facing_triangle(const Vec3d& point, const Vec3d& normal) const {
    const auto nearest = queries_.nearest(point.cast<float>());
    const Vec3f n = normal.cast<float>();
    if (normals_[nearest->triangle].dot(n) > 0) return nearest->triangle;
    std::uint32_t best = nearest->triangle;
    float min = static_cast<float>(reach_);
    std::vector<geometry::RayHit> hits;
    for (const float sign : {1.0f, -1.0f}) {
        queries_.all_hits(point.cast<float>(), sign * n, hits);
        for (const geometry::RayHit& hit : hits) {
            if (hit.distance >= min || normals_[hit.triangle].dot(n) <= 0) continue;
            min = hit.distance;
            best = hit.triangle;
        }
    }
    return best;
}

WeightRow SurfaceWeights::at(const Vec3d& point, const Vec3d* normal) const {
    const std::uint32_t triangle = normal != nullptr && normal->norm() > 0
                                       ? facing_triangle(point, *normal)
                                       : queries_.nearest(point.cast<float>())->triangle;
    const auto& t = mesh_.triangles[triangle];
    const Vec3f position = geometry::nearest_on_triangle(point.cast<float>(), mesh_.positions[t[0]],
                                                         mesh_.positions[t[1]], mesh_.positions[t[2]]);
    return on(triangle, position.cast<double>());
}

}  // namespace

WeightTable transfer_weights(const geometry::Mesh& from, const WeightTable& weights,
                             const geometry::Mesh& to) {
    const SurfaceWeights source(from, weights);
    const std::vector<Vec3f> normals = geometry::vertex_normals(to.positions, to.triangles);
    std::vector<WeightRow> rows(to.vertex_count());
    parallel_for(rows.size(), 256, [&](std::size_t v) {
        const Vec3d normal = normals[v].cast<double>();
        rows[v] = source.at(to.positions[v].cast<double>(), &normal);
    });
    WeightTable table = table_from(rows);
    normalize(table);
    return table;
}

WeightTable mirror_weights(const geometry::Mesh& mesh, const WeightTable& weights, const MirrorPlane& plane,
                           const std::vector<int>& twin, bool from_positive) {
    const SurfaceWeights source(mesh, weights);
    constexpr double middle = 1e-3;
    const double width = middle * geometry::bounds(mesh.positions).diagonal();
    std::vector<WeightRow> rows(mesh.vertex_count());
    parallel_for(rows.size(), 256, [&](std::size_t v) {
        const Vec3d point = mesh.positions[v].cast<double>();
        const double side = from_positive ? plane.side(point) : -plane.side(point);
        const WeightRow own(weights[v].begin(), weights[v].end());
        if (side > width) {
            rows[v] = own;
        } else if (side < -width) {
            rows[v] = exchanged(source.at(plane.reflect(point)), twin);
        } else {
            rows[v] = own;
            add(rows[v], exchanged(own, twin), 1);
        }
    });
    WeightTable table = table_from(rows);
    normalize(table);
    return table;
}

WeightTable carry_specks(const geometry::Mesh& mesh, WeightTable table) {
    // Of the diagonal: smaller than an eye, larger than loose fragments caused by noise.
    constexpr float speck_size = 0.01f;
    const geometry::Shells shells = geometry::shells_of(mesh);
    if (shells.count < 2) return table;
    std::vector<geometry::Box> boxes(shells.count);
    for (std::size_t v = 0; v < mesh.vertex_count(); ++v)
        if (shells.of_vertex[v] != geometry::Shells::none)
            boxes[shells.of_vertex[v]].include(mesh.positions[v]);
    const float limit = speck_size * geometry::bounds(mesh.positions).diagonal();
    const auto is_speck = [&](std::uint32_t shell) {
        return shell != geometry::Shells::none && boxes[shell].diagonal() < limit;
    };
    geometry::Mesh body;
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
        if (!is_speck(shells.of_triangle[t])) body.triangles.push_back(mesh.triangles[t]);
    if (body.triangles.empty() || body.triangles.size() == mesh.triangles.size()) return table;
    body.positions = mesh.positions;
    const SurfaceWeights source(body, table);
    std::vector<WeightRow> of_shell(shells.count), rows(mesh.vertex_count());
    parallel_for(shells.count, 16, [&](std::size_t shell) {
        if (is_speck(static_cast<std::uint32_t>(shell)))
            of_shell[shell] = source.at(((boxes[shell].low + boxes[shell].high) / 2).cast<double>());
    });
    for (std::size_t v = 0; v < rows.size(); ++v)
        rows[v] = is_speck(shells.of_vertex[v]) ? of_shell[shells.of_vertex[v]]
                                                : WeightRow(table[v].begin(), table[v].end());
    table = table_from(rows);
    normalize(table);
    return table;
}

}  // namespace sinew::rig
