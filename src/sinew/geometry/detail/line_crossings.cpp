// SPDX-License-Identifier: MIT
#include "sinew/geometry/detail/line_crossings.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace sinew::geometry {
namespace {

/// A corner of a triangle, projected along an axis.
struct Corner {
    double u, v, height;
};

/// Whether a point is to the left of the edge from `a` to `b`, or on it; the opposite answer for the edge
/// from `b` to `a`.
bool is_left(const Corner& a, const Corner& b, double u, double v) {
    const bool swaps = b.u != a.u ? b.u < a.u : b.v < a.v;
    const Corner &from = swaps ? b : a, &to = swaps ? a : b;
    const bool left = (to.u - from.u) * (v - from.v) - (to.v - from.v) * (u - from.u) >= 0;
    return left != swaps;
}

/// Lines from `first` up to, but not including, `end`.
struct Lines {
    std::size_t first, end;
};

/// The lines from `low` to `high`; for most triangles of a fine mesh there are none.
Lines lines_between(const std::vector<double>& at, double per_unit, double low, double high) {
    const double guess = std::clamp((low - at[0]) * per_unit, 0.0, static_cast<double>(at.size() - 1));
    Lines lines{static_cast<std::size_t>(guess), 0};
    while (lines.first > 0 && at[lines.first - 1] >= low) --lines.first;
    while (lines.first < at.size() && at[lines.first] < low) ++lines.first;
    lines.end = lines.first;
    while (lines.end < at.size() && at[lines.end] <= high) ++lines.end;
    return lines;
}

/// Votes of a row, from the crossings before each point and on the whole line.
void add_votes(std::span<const std::int16_t> left, std::span<const std::int16_t> all, std::int8_t* votes) {
    for (std::size_t i = 0; i < left.size(); ++i) {
        const int before = std::clamp<int>(left[i], -1, 1), beyond = std::clamp<int>(left[i] - all[i], -1, 1);
        votes[i] = static_cast<std::int8_t>(votes[i] + before + beyond);
    }
}

void add_steps(const std::int16_t* steps, std::vector<std::int16_t>& sums) {
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] = static_cast<std::int16_t>(sums[i] + steps[i]);
}

bool is_zero(const std::vector<std::int16_t>& sums) {
    return std::ranges::all_of(sums, [](std::int16_t sum) { return sum == 0; });
}

}  // namespace

LineCrossings::LineCrossings(const Lattice& lattice, const Mesh& mesh,
                             std::span<const std::int8_t> orientation)
    : lattice_(lattice), mesh_(mesh), orientation_(orientation), steps_(lattice.size()) {
    // Slightly off the lattice, because models often have edges at round numbers.
    const Vec3d off = lattice.step.x() * Vec3d(1.7e-4, 2.9e-4, 2.3e-4);
    for (std::size_t a = 0; a < 3; ++a) {
        const auto axis = static_cast<int>(a);
        for (std::size_t i = 0; i < lattice.points[a]; ++i) {
            const double on = lattice.origin[axis] + lattice.step[axis] * static_cast<double>(i);
            at_[a].push_back(static_cast<double>(static_cast<float>(on + off[axis])));
        }
    }
    crossed_.resize(lattice.points[1] * lattice.points[2]);
}

void LineCrossings::draw(const Triangle& triangle, int orientation, std::size_t axis) {
    const std::size_t u_axis = (axis + 1) % 3, v_axis = (axis + 2) % 3;
    Corner corner[3];
    for (std::size_t i = 0; i < 3; ++i) {
        const Vec3f& p = mesh_.positions[triangle[i]];
        corner[i] = {static_cast<double>(p[static_cast<int>(u_axis)]),
                     static_cast<double>(p[static_cast<int>(v_axis)]),
                     static_cast<double>(p[static_cast<int>(axis)])};
    }
    const auto& [a, b, c] = corner;
    if (!std::isfinite(a.u + a.v + a.height + b.u + b.v + b.height + c.u + c.v + c.height)) return;
    const double step = lattice_.step.x();
    const auto lines = [&](std::size_t of, double x, double y, double z) {
        return lines_between(at_[of], 1 / step, std::min({x, y, z}), std::max({x, y, z}));
    };
    const Lines along_u = lines(u_axis, a.u, b.u, c.u);
    if (along_u.first == along_u.end) return;
    const Lines along_v = lines(v_axis, a.v, b.v, c.v);
    if (along_v.first == along_v.end) return;
    const double area = (b.u - a.u) * (c.v - a.v) - (b.v - a.v) * (c.u - a.u);
    if (area == 0) return;
    const double slope_u = ((b.height - a.height) * (c.v - a.v) - (c.height - a.height) * (b.v - a.v)) / area;
    const double slope_v = ((c.height - a.height) * (b.u - a.u) - (b.height - a.height) * (c.u - a.u)) / area;
    const double low = std::min({a.height, b.height, c.height}),
                 high = std::max({a.height, b.height, c.height});
    // A line along the axis enters where the normal of the triangle points against the axis.
    const int sign = area < 0 ? orientation : -orientation;
    const double first = at_[axis][0], last = static_cast<double>(lattice_.points[axis] - 1);
    std::array<std::size_t, 3> index{};
    for (index[v_axis] = along_v.first; index[v_axis] < along_v.end; ++index[v_axis]) {
        const double v = at_[v_axis][index[v_axis]];
        for (index[u_axis] = along_u.first; index[u_axis] < along_u.end; ++index[u_axis]) {
            const double u = at_[u_axis][index[u_axis]];
            const bool left = is_left(a, b, u, v);
            if (is_left(b, c, u, v) != left || is_left(c, a, u, v) != left) continue;
            const double height = std::clamp(a.height + slope_u * (u - a.u) + slope_v * (v - a.v), low, high);
            const double beyond = std::ceil((height - first) / step);
            index[axis] = static_cast<std::size_t>(std::clamp(beyond, 0.0, last));
            std::int16_t& sum = steps_[lattice_.index(index[0], index[1], index[2])];
            sum = static_cast<std::int16_t>(std::clamp(sum + sign, -32767, 32767));
            crossed_[index[1] + lattice_.points[1] * index[2]] = 1;
        }
    }
}

void LineCrossings::vote(std::size_t axis, std::vector<std::int8_t>& votes) {
    std::ranges::fill(steps_, std::int16_t{0});
    std::ranges::fill(crossed_, std::uint8_t{0});
    for (std::size_t t = 0; t < mesh_.triangles.size(); ++t) draw(mesh_.triangles[t], orientation_[t], axis);
    const auto& [nx, ny, nz] = lattice_.points;
    std::vector<std::int16_t> all(nx), left(nx);
    if (axis == 0) {
        for (std::size_t row = 0; row < crossed_.size(); ++row) {
            if (crossed_[row] == 0) continue;
            std::partial_sum(&steps_[row * nx], &steps_[row * nx] + nx, left.begin());
            std::ranges::fill(all, left.back());
            add_votes(left, all, &votes[row * nx]);
        }
        return;
    }
    // Processes whole rows at once.
    const std::size_t stride = axis == 1 ? 1 : ny, count = axis == 1 ? ny : nz;
    for (std::size_t plane = 0; plane < (axis == 1 ? nz : ny); ++plane) {
        const std::size_t first = axis == 1 ? plane * ny : plane;
        const auto row_of = [&](std::size_t i) { return first + i * stride; };
        std::ranges::fill(all, std::int16_t{0});
        std::ranges::fill(left, std::int16_t{0});
        bool any = false;
        for (std::size_t i = 0; i < count; ++i) {
            if (crossed_[row_of(i)] == 0) continue;
            add_steps(&steps_[row_of(i) * nx], all);
            any = true;
        }
        if (!any) continue;
        const bool closed = is_zero(all);
        bool outside = true;
        for (std::size_t i = 0; i < count; ++i) {
            const std::size_t row = row_of(i);
            if (crossed_[row] != 0) {
                add_steps(&steps_[row * nx], left);
                outside = is_zero(left);
            }
            if (!outside || !closed) add_votes(left, all, &votes[row * nx]);
        }
    }
}

}  // namespace sinew::geometry
