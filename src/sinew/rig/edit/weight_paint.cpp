// SPDX-License-Identifier: MIT
// The brush and the ramp.

#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/base/error.h"
#include "sinew/geometry/topology.h"
#include "sinew/rig/edit/weight_edit.h"

namespace sinew::rig {
namespace {

/// Vertices under the brush that are connected to the nearest one under it, in increasing order.
std::vector<std::uint32_t> under_brush(std::span<const math::Vec3f> positions,
                                       const geometry::Rows& neighbors,
                                       const std::vector<std::uint32_t>& welded, const Brush& brush) {
    const auto distance = [&](std::uint32_t v) {
        return (positions[v].cast<double>() - brush.center).norm();
    };
    std::uint32_t nearest = 0;
    double least = std::numeric_limits<double>::infinity();
    for (std::uint32_t v = 0; v < positions.size(); ++v)
        if (const double now = distance(v); now < least) {
            least = now;
            nearest = v;
        }
    if (!(least < brush.radius)) return {};
    std::vector<char> reached(positions.size(), 0);
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
    for (std::uint32_t v = 0; v < positions.size(); ++v)
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

struct WeightSession::State {
    model::Character character;
    std::vector<math::Vec3f> positions;
    std::vector<std::uint32_t> welded;
    geometry::Rows neighbors;
    std::vector<WeightRow> rows;

    /// How strong the brush is at a vertex.
    double strength(const Brush& brush, std::uint32_t vertex) const {
        const double off = (positions[vertex].cast<double>() - brush.center).norm() / brush.radius;
        const double fall = std::max(1 - off * off, 0.0);
        return brush.strength * fall * fall;
    }
    double around(std::uint32_t vertex, int joint) const {
        const auto near = neighbors[welded[vertex]];
        if (near.empty()) return weight_of(rows[vertex], joint);
        double sum = 0;
        for (const std::uint32_t n : near) sum += weight_of(rows[n], joint);
        return sum / static_cast<double>(near.size());
    }
};

WeightSession::WeightSession(const model::Character& character, std::span<const math::Vec3f> positions)
    : state_(std::make_unique<State>()) {
    check_skin(character);
    state_->character = character;
    const geometry::Mesh& mesh = character.mesh;
    state_->positions =
        positions.empty() ? mesh.positions : std::vector<math::Vec3f>(positions.begin(), positions.end());
    if (state_->positions.size() != mesh.vertex_count())
        fail("weights", "{} positions for {} vertices", positions.size(), mesh.vertex_count());
    state_->welded = geometry::weld_map(mesh.positions);
    state_->neighbors =
        geometry::vertex_neighbors(mesh.vertex_count(), geometry::welded(mesh.triangles, state_->welded));
    const WeightTable table = table_of(character.skin);
    for (std::size_t v = 0; v < table.size(); ++v)
        state_->rows.emplace_back(table[v].begin(), table[v].end());
}

WeightSession::WeightSession(WeightSession&&) noexcept = default;
WeightSession& WeightSession::operator=(WeightSession&&) noexcept = default;
WeightSession::~WeightSession() = default;

std::vector<std::uint32_t> WeightSession::dab(int joint, const Brush& brush, const JointLocks& locks) {
    State& s = *state_;
    if (joint < 0 || static_cast<std::size_t>(joint) >= s.character.skeleton.size())
        fail("weights", "there is no joint {}; the skeleton has {}", joint, s.character.skeleton.size());
    const std::vector<std::uint32_t> found = under_brush(s.positions, s.neighbors, s.welded, brush);
    std::vector<double> wanted;
    for (const std::uint32_t v : found) {
        const double now = weight_of(s.rows[v], joint);
        const double around = brush.mode == BrushMode::smooth ? s.around(v, joint) : now;
        wanted.push_back(target_weight(brush, now, s.strength(brush, v), around));
    }
    for (std::size_t i = 0; i < found.size(); ++i)
        s.rows[found[i]] = with_weight(s.rows[found[i]], joint, wanted[i], locks);
    return found;
}

std::vector<std::uint32_t> WeightSession::paste(std::span<const std::pair<int, double>> weights,
                                                const Brush& brush, const JointLocks& locks) {
    State& s = *state_;
    const std::vector<std::uint32_t> found = under_brush(s.positions, s.neighbors, s.welded, brush);
    for (const std::uint32_t v : found) {
        const double part = std::clamp(s.strength(brush, v), 0.0, 1.0);
        double held = 0, sum = 0;
        WeightRow row;
        for (const JointWeight& entry : s.rows[v]) {
            const bool locked = is_locked(locks, entry.joint);
            if (locked) held += entry.weight;
            row.push_back({entry.joint, locked ? entry.weight : (1 - part) * entry.weight});
        }
        for (const auto& [joint, weight] : weights)
            if (!is_locked(locks, joint)) row.push_back({joint, part * weight});
        for (const JointWeight& entry : row)
            if (!is_locked(locks, entry.joint)) sum += entry.weight;
        if (!(sum > 0)) continue;
        for (JointWeight& entry : row)
            if (!is_locked(locks, entry.joint)) entry.weight *= std::max(1 - held, 0.0) / sum;
        WeightTable merged;  // sums equal joints
        merged.push_row(row);
        s.rows[v].assign(merged[0].begin(), merged[0].end());
    }
    return found;
}

double WeightSession::weight(std::uint32_t vertex, int joint) const {
    return weight_of(state_->rows[vertex], joint);
}

std::vector<std::pair<int, double>> WeightSession::weights(std::uint32_t vertex) const {
    std::vector<std::pair<int, double>> list;
    for (const JointWeight& entry : state_->rows[vertex]) list.emplace_back(entry.joint, entry.weight);
    return list;
}

model::Character WeightSession::finished() const {
    model::Character result = state_->character;
    set_weights(result, table_from(state_->rows));
    return result;
}

void gradient(WeightTable& table, const geometry::Mesh& mesh, std::span<const std::uint32_t> vertices,
              int joint, const Vec3d& from, const Vec3d& to, const JointLocks& locks) {
    check(table, mesh);
    const double length2 = (to - from).squaredNorm();
    if (!(length2 > 0)) fail("gradient", "the two ends are the same point");
    std::vector<WeightRow> rows;
    for (std::size_t v = 0; v < table.size(); ++v) rows.emplace_back(table[v].begin(), table[v].end());
    for (const std::uint32_t v : vertices) {
        const double part = (mesh.positions[v].cast<double>() - from).dot(to - from) / length2;
        rows[v] = with_weight(rows[v], joint, std::clamp(part, 0.0, 1.0), locks);
    }
    table = table_from(rows);
}

}  // namespace sinew::rig
