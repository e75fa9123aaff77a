// SPDX-License-Identifier: MIT
// The brush and the ramp.

#include <algorithm>
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/geometry/topology.h"
#include "sinew/rig/edit/weight_edit.h"

namespace sinew::rig {
namespace {

/// Replaces some rows, the other rows stay as they are.
class RowEdit {
  public:
    explicit RowEdit(WeightTable& table) : table_(table), changed_(table.size()) {}
    void set(std::size_t vertex, WeightRow row) { changed_[vertex] = std::move(row); }
    ~RowEdit() {
        WeightTable result;
        for (std::size_t v = 0; v < table_.size(); ++v) {
            if (changed_[v].empty())
                result.push_row(table_[v]);
            else
                result.push_row(changed_[v]);
        }
        table_ = std::move(result);
    }

  private:
    WeightTable& table_;
    std::vector<WeightRow> changed_;
};

/// Vertices under the brush that are connected to the nearest one under it, rising.
std::vector<std::uint32_t> under_brush(const geometry::Mesh& mesh, const geometry::Rows& neighbors,
                                       const std::vector<std::uint32_t>& welded, const Brush& brush) {
    const auto distance = [&](std::uint32_t v) {
        return (mesh.positions[v].cast<double>() - brush.center).norm();
    };
    std::uint32_t nearest = 0;
    for (std::uint32_t v = 0; v < mesh.vertex_count(); ++v)
        if (distance(v) < distance(nearest)) nearest = v;
    if (mesh.empty() || distance(nearest) >= brush.radius) return {};
    std::vector<char> reached(mesh.vertex_count(), 0);
    std::vector<std::uint32_t> front = {welded[nearest]};
    reached[welded[nearest]] = 1;
    while (!front.empty()) {
        const std::uint32_t v = front.back();
        front.pop_back();
        for (const std::uint32_t n : neighbors[v]) {
            if (reached[n] != 0 || distance(n) >= brush.radius) continue;
            reached[n] = 1;
            front.push_back(n);
        }
    }
    std::vector<std::uint32_t> found;
    for (std::uint32_t v = 0; v < mesh.vertex_count(); ++v)
        if (reached[welded[v]] != 0) found.push_back(v);
    return found;
}

double target_weight(const Brush& brush, double now, double strength, double around) {
    switch (brush.mode) {
        case BrushMode::add:
            return now + strength * brush.value;
        case BrushMode::replace:
            return now + strength * (brush.value - now);
        case BrushMode::scale:
            return now + strength * (brush.value * now - now);
        case BrushMode::smooth:
            return now + strength * (around - now);
    }
    return now;
}

void check(const WeightTable& table, const geometry::Mesh& mesh) {
    if (table.size() != mesh.vertex_count())
        fail("weights", "{} rows of weights for {} vertices", table.size(), mesh.vertex_count());
}

}  // namespace

WeightRow with_weight(std::span<const JointWeight> row, int joint, double weight, const JointLocks& locks) {
    WeightRow result(row.begin(), row.end());
    if (is_locked(locks, joint)) return result;
    double held = 0, free = 0;
    for (const JointWeight& entry : row) {
        if (entry.joint == joint) continue;
        (is_locked(locks, entry.joint) ? held : free) += entry.weight;
    }
    const double left = std::max(1 - held, 0.0);
    const double wanted = free > 0 ? std::clamp(weight, 0.0, left) : left;
    result.clear();
    for (const JointWeight& entry : row) {
        if (entry.joint == joint) continue;
        const double factor = is_locked(locks, entry.joint) ? 1 : (left - wanted) / free;
        result.push_back({entry.joint, entry.weight * factor});
    }
    result.push_back({joint, wanted});
    return result;
}

std::vector<std::uint32_t> paint(WeightTable& table, const geometry::Mesh& mesh, int joint,
                                 const Brush& brush, const JointLocks& locks) {
    check(table, mesh);
    const auto welded = geometry::weld_map(mesh.positions);
    const auto neighbors =
        geometry::vertex_neighbors(mesh.vertex_count(), geometry::welded(mesh.triangles, welded));
    const std::vector<std::uint32_t> found = under_brush(mesh, neighbors, welded, brush);
    RowEdit edit(table);
    for (const std::uint32_t v : found) {
        const double off = (mesh.positions[v].cast<double>() - brush.center).norm() / brush.radius;
        const double fall = 1 - off * off, now = weight_of(table[v], joint);
        double around = now;
        if (const auto near = neighbors[welded[v]]; brush.mode == BrushMode::smooth && !near.empty()) {
            around = 0;
            for (const std::uint32_t n : near)
                around += weight_of(table[n], joint) / static_cast<double>(near.size());
        }
        const double wanted = target_weight(brush, now, brush.strength * fall * fall, around);
        edit.set(v, with_weight(table[v], joint, wanted, locks));
    }
    return found;
}

void gradient(WeightTable& table, const geometry::Mesh& mesh, std::span<const std::uint32_t> vertices,
              int joint, const Vec3d& from, const Vec3d& to, const JointLocks& locks) {
    check(table, mesh);
    const double length2 = (to - from).squaredNorm();
    if (!(length2 > 0)) fail("gradient", "the two ends are the same point");
    RowEdit edit(table);
    for (const std::uint32_t v : vertices) {
        const double part = (mesh.positions[v].cast<double>() - from).dot(to - from) / length2;
        edit.set(v, with_weight(table[v], joint, std::clamp(part, 0.0, 1.0), locks));
    }
}

}  // namespace sinew::rig
