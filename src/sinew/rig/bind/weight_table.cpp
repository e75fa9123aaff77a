#include "sinew/rig/bind/weight_table.h"

#include <algorithm>
#include <cmath>
#include <queue>

#include "sinew/base/error.h"
#include "sinew/geometry/topology.h"
#include "sinew/geometry/surface_queries.h"

namespace sinew::rig {

void WeightTable::push_row(std::span<const JointWeight> row) {
    const auto first = static_cast<std::ptrdiff_t>(entries.size());
    for (const JointWeight& entry : row)
        if (entry.weight > 0 && std::isfinite(entry.weight)) entries.push_back(entry);
    std::stable_sort(entries.begin() + first, entries.end(),
                     [](const JointWeight& a, const JointWeight& b) { return a.joint < b.joint; });
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

WeightTable sparse_rows(std::span<const double> weights, std::size_t joints, double least) {
    WeightTable table;
    std::vector<JointWeight> row;
    for (std::size_t first = 0; first + joints <= weights.size(); first += joints) {
        row.clear();
        for (std::size_t j = 0; j < joints; ++j)
            if (weights[first + j] > least) row.push_back({static_cast<int>(j), weights[first + j]});
        table.push_row(row);
    }
    return table;
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
/// itself when it has one. Vertices at the same place are one.
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
        const auto [way, v] = front.top();
        front.pop();
        if (way > reached[v]) continue;
        for (const std::uint32_t n : neighbors[v]) {
            const double longer = way + (mesh.positions[n] - mesh.positions[v]).cast<double>().norm();
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

/// Vertices that no way along the surface leads to take the nearest filled one in space.
void fill_from_space(std::vector<FilledVertex>& source, const WeightTable& table,
                     const geometry::Mesh& mesh) {
    if (std::find(source.begin(), source.end(), no_source) == source.end()) return;
    std::vector<geometry::Triangle> filled;  // a triangle without extent is a point that can be nearest
    for (FilledVertex v = 0; v < table.size(); ++v)
        if (!table[v].empty()) filled.push_back({v, v, v});
    const geometry::SurfaceQueries places(mesh.positions, filled);
    for (std::size_t v = 0; v < table.size(); ++v) {
        if (source[v] != no_source) continue;
        const auto near = places.nearest(mesh.positions[v]);
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

}  // namespace sinew::rig
