// Smoothing over the surface, with what must not change.
#include <algorithm>
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/base/parallel.h"
#include "sinew/geometry/topology.h"
#include "sinew/rig/bind/bone_segments.h"
#include "sinew/rig/bind/weight_edit.h"

namespace sinew::rig {
namespace {

/// The surface with vertices at the same place as one.
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
    const auto most =
        std::max_element(row.begin(), row.end(),
                         [](const JointWeight& a, const JointWeight& b) { return a.weight < b.weight; });
    return most == row.end() ? -1 : most->joint;
}

bool has(std::span<const JointWeight> row, int joint) {
    return std::any_of(row.begin(), row.end(),
                       [&](const JointWeight& entry) { return entry.joint == joint; });
}

void scale_to(WeightRow& row, double sum, const JointLocks& locks) {
    double held = 0, free = 0;
    for (const JointWeight& entry : row) (is_locked(locks, entry.joint) ? held : free) += entry.weight;
    if (!(free > 0)) return;
    for (JointWeight& entry : row)
        if (!is_locked(locks, entry.joint)) entry.weight *= std::max(sum - held, 0.0) / free;
}

WeightRow smoothed(const WeightTable& table, const WeldedMesh& surface, std::size_t vertex,
                   const std::vector<std::vector<int>>& links, const SmoothOptions& options,
                   const JointLocks& locks) {
    const auto own = table[vertex];
    const auto near = surface.neighbors[vertex];
    WeightRow row;
    if (near.empty() || own.empty()) return {own.begin(), own.end()};
    const auto& within = links[static_cast<std::size_t>(heaviest(own))];
    for (const JointWeight& entry : own)
        row.push_back({entry.joint,
                       is_locked(locks, entry.joint) ? entry.weight : (1 - options.strength) * entry.weight});
    for (const std::uint32_t n : near) {
        for (const JointWeight& entry : table[n]) {
            const bool allowed =
                has(own, entry.joint) || std::binary_search(within.begin(), within.end(), entry.joint);
            if (!allowed || is_locked(locks, entry.joint)) continue;
            row.push_back({entry.joint, options.strength * entry.weight / static_cast<double>(near.size())});
        }
    }
    scale_to(row, 1, locks);
    return row;
}

/// Per joint the joints within so many links, rising, itself included.
std::vector<std::vector<int>> joints_within(const model::Skeleton& skeleton, int reach) {
    const auto below = model::children(skeleton);
    std::vector<std::vector<int>> result(skeleton.size());
    for (std::size_t j = 0; j < skeleton.size(); ++j) {
        std::vector<int> found = {static_cast<int>(j)};
        for (int round = 0; round < reach; ++round) {
            const std::vector<int> ring = found;
            for (const int k : ring) {
                const auto at = static_cast<std::size_t>(k);
                if (skeleton.joints[at].parent >= 0) found.push_back(skeleton.joints[at].parent);
                found.insert(found.end(), below[at].begin(), below[at].end());
            }
            std::sort(found.begin(), found.end());
            found.erase(std::unique(found.begin(), found.end()), found.end());
        }
        result[j] = std::move(found);
    }
    return result;
}

/// Every vertex takes the row of the first one at its place.
WeightTable spread_over_twins(const std::vector<WeightRow>& rows, const WeldedMesh& surface) {
    WeightTable table;
    for (std::size_t v = 0; v < rows.size(); ++v) table.push_row(rows[surface.welded[v]]);
    return table;
}

}  // namespace

void smooth_weights(WeightTable& table, const geometry::Mesh& mesh, const model::Skeleton& skeleton,
                    const SmoothOptions& options, const JointLocks& locks) {
    if (table.size() != mesh.vertex_count())
        fail("weights", "{} rows of weights for {} vertices", table.size(), mesh.vertex_count());
    const WeldedMesh surface = welded_of(mesh);
    const auto links = joints_within(skeleton, options.reach);
    normalize(table);
    for (int pass = 0; pass < options.passes; ++pass) {
        std::vector<WeightRow> rows(table.size());
        parallel_for(rows.size(), 256, [&](std::size_t v) {
            if (surface.welded[v] == v) rows[v] = smoothed(table, surface, v, links, options, locks);
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
        double least = INFINITY;
        for (const BoneSegment& bone : bones)
            if (bone.joint == joint)
                least = std::min(least, distance(bone, mesh.positions[v].cast<double>()));
        result[v] = std::isfinite(least) ? 2 * least : 0;
    });
    return result;
}

double entry_of(const WeightRow& row, int joint) {
    double sum = 0;
    for (const JointWeight& entry : row)
        if (entry.joint == joint) sum += entry.weight;
    return sum;
}

/// Moves the weights of two vertices towards each other until no joint differs by more than `most`. What one
/// joint gives the others get, so that both sums stay.
bool bring_together(WeightRow& a, WeightRow& b, double most) {
    WeightRow step;
    double worst = 0;
    for (const WeightRow* row : {&a, &b})
        for (const JointWeight& entry : *row)
            if (!has(step, entry.joint))
                step.push_back({entry.joint, entry_of(b, entry.joint) - entry_of(a, entry.joint)});
    for (const JointWeight& entry : step) worst = std::max(worst, std::abs(entry.weight));
    if (worst <= most) return false;
    const double part = (1 - most / worst) / 2;
    for (const JointWeight& entry : step) {
        a.push_back({entry.joint, part * entry.weight});
        b.push_back({entry.joint, -part * entry.weight});
    }
    return true;
}

/// Joints once each, nothing below 0.
void tidy(WeightRow& row) {
    WeightRow result;
    for (const JointWeight& entry : row)
        if (!has(result, entry.joint))
            result.push_back({entry.joint, std::max(entry_of(row, entry.joint), 0.0)});
    row = std::move(result);
}

}  // namespace

void limit_slopes(WeightTable& table, const geometry::Mesh& mesh, const model::Skeleton& skeleton,
                  double most, int passes) {
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
            if (!(across > 0) || !bring_together(rows[edge.a], rows[edge.b], most * length / across))
                continue;
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
