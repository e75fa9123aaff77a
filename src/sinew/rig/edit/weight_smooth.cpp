// SPDX-License-Identifier: MIT
// Smoothing over the surface, with limits on what may change.

#include <algorithm>
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/base/parallel.h"
#include "sinew/geometry/topology.h"
#include "sinew/rig/bind/bind_input.h"
#include "sinew/rig/edit/weight_edit.h"

namespace sinew::rig {
namespace {

/// The surface with vertices at the same position as one.
struct WeldedMesh {
    std::vector<std::uint32_t> welded;
    geometry::Rows neighbors;
};

WeldedMesh welded_of(const geometry::Mesh& mesh) {
    WeldedMesh surface;
    surface.welded = geometry::weld_map(mesh.positions);
    surface.neighbors =
        geometry::vertex_neighbors(mesh.vertex_count(), geometry::welded(mesh.triangles, surface.welded));
    return surface;
}

int heaviest(std::span<const JointWeight> row) {
    const auto max = std::max_element(row.begin(), row.end(), [](const JointWeight& a, const JointWeight& b) {
        return a.weight < b.weight;
    });
    return max == row.end() ? -1 : max->joint;
}

bool has(std::span<const JointWeight> row, int joint) {
    return std::any_of(row.begin(), row.end(),
                       [&](const JointWeight& entry) { return entry.joint == joint; });
}

WeightRow smoothed(const WeightTable& table, const WeldedMesh& surface, std::size_t vertex,
                   const std::vector<std::vector<int>>& links, double strength) {
    const auto own = table[vertex];
    const auto near = surface.neighbors[vertex];
    WeightRow row;
    if (near.empty() || own.empty()) return {own.begin(), own.end()};
    const auto& within = links[static_cast<std::size_t>(heaviest(own))];
    for (const JointWeight& entry : own) row.push_back({entry.joint, (1 - strength) * entry.weight});
    for (const std::uint32_t n : near) {
        for (const JointWeight& entry : table[n]) {
            if (!has(own, entry.joint) && !std::binary_search(within.begin(), within.end(), entry.joint))
                continue;
            row.push_back({entry.joint, strength * entry.weight / static_cast<double>(near.size())});
        }
    }
    double sum = 0;
    for (const JointWeight& entry : row) sum += entry.weight;
    if (!(sum > 0)) return {own.begin(), own.end()};
    for (JointWeight& entry : row) entry.weight *= 1 / sum;
    return row;
}

/// Per joint: itself, its parent and its children, in increasing order.
std::vector<std::vector<int>> linked_joints(const model::Skeleton& skeleton) {
    std::vector<std::vector<int>> result = model::children(skeleton);
    for (std::size_t j = 0; j < skeleton.size(); ++j) {
        result[j].push_back(static_cast<int>(j));
        if (skeleton.joints[j].parent >= 0) result[j].push_back(skeleton.joints[j].parent);
        std::sort(result[j].begin(), result[j].end());
    }
    return result;
}

/// Every vertex takes the row of the first one at its position.
WeightTable spread_over_twins(const std::vector<WeightRow>& rows, const WeldedMesh& surface) {
    WeightTable table;
    for (std::size_t v = 0; v < rows.size(); ++v) table.push_row(rows[surface.welded[v]]);
    return table;
}

}  // namespace

void smooth_weights(WeightTable& table, const geometry::Mesh& mesh, const model::Skeleton& skeleton,
                    const SmoothOptions& options) {
    if (table.size() != mesh.vertex_count())
        fail("weights", "{} rows of weights for {} vertices", table.size(), mesh.vertex_count());
    const WeldedMesh surface = welded_of(mesh);
    const auto links = linked_joints(skeleton);
    normalize(table);
    for (int pass = 0; pass < options.passes; ++pass) {
        std::vector<WeightRow> rows(table.size());
        parallel_for(rows.size(), 256, [&](std::size_t v) {
            if (surface.welded[v] == v) rows[v] = smoothed(table, surface, v, links, options.strength);
        });
        table = spread_over_twins(rows, surface);
    }
}

namespace {

/// Twice the distance to the nearest bone of the heaviest joint, per vertex.
std::vector<double> thickness(const WeightTable& table, const geometry::Mesh& mesh,
                              const model::Skeleton& skeleton) {
    const std::vector<BoneSegment> bones = bone_segments(skeleton);
    std::vector<double> result(table.size(), 0);
    parallel_for(result.size(), 256, [&](std::size_t v) {
        const int joint = heaviest(table[v]);
        double min = INFINITY;
        for (const BoneSegment& bone : bones)
            if (bone.joint == joint) min = std::min(min, distance(bone, mesh.positions[v].cast<double>()));
        result[v] = std::isfinite(min) ? 2 * min : 0;
    });
    return result;
}

double entry_of(const WeightRow& row, int joint) {
    double sum = 0;
    for (const JointWeight& entry : row)
        if (entry.joint == joint) sum += entry.weight;
    return sum;
}

/// Moves the weights of two vertices towards each other until no joint differs by more than `most`. The
/// weight that one joint loses goes to the others, so that both sums stay.
bool bring_together(WeightRow& a, WeightRow& b, double max) {
    WeightRow step;
    double worst = 0;
    for (const WeightRow* row : {&a, &b})
        for (const JointWeight& entry : *row)
            if (!has(step, entry.joint))
                step.push_back({entry.joint, entry_of(b, entry.joint) - entry_of(a, entry.joint)});
    for (const JointWeight& entry : step) worst = std::max(worst, std::abs(entry.weight));
    if (worst <= max) return false;
    const double part = (1 - max / worst) / 2;
    for (const JointWeight& entry : step) {
        a.push_back({entry.joint, part * entry.weight});
        b.push_back({entry.joint, -part * entry.weight});
    }
    return true;
}

/// Each joint once, no weight below 0.
void tidy(WeightRow& row) {
    WeightRow result;
    for (const JointWeight& entry : row)
        if (!has(result, entry.joint))
            result.push_back({entry.joint, std::max(entry_of(row, entry.joint), 0.0)});
    row = std::move(result);
}

}  // namespace

void limit_slopes(WeightTable& table, const geometry::Mesh& mesh, const model::Skeleton& skeleton, double max,
                  int passes) {
    const WeldedMesh surface = welded_of(mesh);
    normalize(table);
    const std::vector<double> thick = thickness(table, mesh, skeleton);
    std::vector<WeightRow> rows(table.size());
    for (std::size_t v = 0; v < rows.size(); ++v) rows[v] = {table[v].begin(), table[v].end()};
    const auto edges = geometry::edge_table(geometry::welded(mesh.triangles, surface.welded)).edges;
    for (int pass = 0; pass < passes; ++pass) {
        bool changed = false;
        for (const geometry::Edge& edge : edges) {
            const double length = (mesh.positions[edge.a] - mesh.positions[edge.b]).cast<double>().norm();
            const double across = (thick[edge.a] + thick[edge.b]) / 2;
            if (!(across > 0) || !bring_together(rows[edge.a], rows[edge.b], max * length / across)) continue;
            tidy(rows[edge.a]);
            tidy(rows[edge.b]);
            changed = true;
        }
        if (!changed) break;
    }
    table = spread_over_twins(rows, surface);
    normalize(table);
}

}  // namespace sinew::rig
