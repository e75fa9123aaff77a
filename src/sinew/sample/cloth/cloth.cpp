// SPDX-License-Identifier: MIT
#include "sinew/sample/cloth/cloth.h"

#include <algorithm>
#include <cmath>

namespace sinew::sample {

using math::Vec3d;

namespace {

/// Four neighbours along one side of the net and their weights.
struct Span {
    std::array<std::uint32_t, 4> index;
    std::array<double, 4> weight;
};

/// Uniform cubic B-spline at `t` in 0 .. count - 1 (or 0 .. count around a ring). Open ends have a phantom
/// point p(-1) = 2 p(0) - p(1), so that the curve meets its first and last point.
Span basis(double t, std::uint32_t count, bool ring) {
    const int n = static_cast<int>(count);
    const int i = ring ? static_cast<int>(t) : std::min(static_cast<int>(t), n - 2);
    const double f = t - i, g = 1 - f;
    Span span;
    span.weight = {g * g * g / 6, (3 * f * f * f - 6 * f * f + 4) / 6, (3 * g * g * g - 6 * g * g + 4) / 6,
                   f * f * f / 6};
    if (!ring && i == 0) {
        span.weight[1] += 2 * span.weight[0];
        span.weight[2] -= span.weight[0];
        span.weight[0] = 0;
    }
    if (!ring && i == n - 2) {
        span.weight[2] += 2 * span.weight[3];
        span.weight[1] -= span.weight[3];
        span.weight[3] = 0;
    }
    for (int k = 0; k < 4; ++k) {
        const int at = i - 1 + k;
        span.index[static_cast<std::size_t>(k)] =
            static_cast<std::uint32_t>(ring ? (at + n) % n : std::clamp(at, 0, n - 1));
    }
    return span;
}

double row_length(const ControlNet& net, double row) {
    const auto low = static_cast<std::uint32_t>(row), high = std::min(low + 1, net.rows - 1);
    const double part = row - low;
    double length = 0;
    for (std::uint32_t c = 0; c + (net.ring ? 0 : 1) < net.columns; ++c) {
        const std::uint32_t next = (c + 1) % net.columns;
        const Vec3d a = net.points[net.index(low, next)] - net.points[net.index(low, c)];
        const Vec3d b = net.points[net.index(high, next)] - net.points[net.index(high, c)];
        length += ((1 - part) * a + part * b).norm();
    }
    return length;
}

double column_length(const ControlNet& net) {
    double length = 0;
    for (std::uint32_t r = 0; r + 1 < net.rows; ++r) {
        for (std::uint32_t c = 0; c < net.columns; ++c)
            length += (net.points[net.index(r + 1, c)] - net.points[net.index(r, c)]).norm();
    }
    return length / net.columns;
}

}  // namespace

SplinePatch::SplinePatch(const ControlNet& rest, std::size_t vertices)
    : rows_(rest.rows), columns_(rest.columns), ring_(rest.ring) {
    add_rows(row_sizes(rest, vertices));
}

/// Rows of vertices at the same distance as the vertices within them; the remainder of rounding goes to the
/// longest rows.
std::vector<std::size_t> SplinePatch::row_sizes(const ControlNet& rest, std::size_t vertices) const {
    constexpr int probes = 64;
    double width = 0;
    for (int i = 0; i < probes; ++i) width += row_length(rest, (rows_ - 1.0) * (i + 0.5) / probes) / probes;
    const double aspect = width / std::max(column_length(rest), 1e-12);
    const auto wanted = static_cast<double>(vertices);
    const auto rows = static_cast<std::size_t>(std::max(3.0, std::round(std::sqrt(wanted / aspect))));
    std::vector<double> lengths;
    double sum = 0;
    for (std::size_t i = 0; i < rows; ++i) {
        lengths.push_back(
            row_length(rest, (rows_ - 1.0) * static_cast<double>(i) / static_cast<double>(rows - 1)));
        sum += lengths.back();
    }
    std::vector<std::size_t> sizes;
    std::size_t total = 0;
    for (const double length : lengths) {
        const double share = std::round(wanted * length / sum);
        sizes.push_back(length <= 1e-9 * sum ? 1 : std::max<std::size_t>(3, static_cast<std::size_t>(share)));
        total += sizes.back();
    }
    while (total != vertices) {
        // The row whose vertices are farthest apart gets one more, the densest gives one.
        std::size_t best = 0;
        double extreme = -1;
        for (std::size_t i = 0; i < rows; ++i) {
            const double gap = lengths[i] / static_cast<double>(sizes[i]);
            const double score = total < vertices ? gap : (sizes[i] > 3 ? 1 / (gap + 1e-12) : 0);
            if (score <= extreme) continue;
            extreme = score;
            best = i;
        }
        sizes[best] += total < vertices ? 1 : std::size_t(-1);
        total += total < vertices ? 1 : std::size_t(-1);
    }
    return sizes;
}

void SplinePatch::add_rows(const std::vector<std::size_t>& sizes) {
    std::size_t before = 0;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const std::size_t first = samples_.size();
        const double u = static_cast<double>(i) / static_cast<double>(sizes.size() - 1);
        for (std::size_t j = 0; j < sizes[i]; ++j) {
            const auto whole = static_cast<double>(ring_ ? sizes[i] : std::max<std::size_t>(1, sizes[i] - 1));
            samples_.push_back(sample(u, static_cast<double>(j) / whole));
        }
        if (i > 0) zip(before, sizes[i - 1], first, sizes[i]);
        before = first;
    }
}

/// Triangles between two rows: the row that is behind takes the next step.
void SplinePatch::zip(std::size_t above, std::size_t above_size, std::size_t below, std::size_t below_size) {
    const std::size_t a_steps = above_size == 1 ? 0 : above_size - (ring_ ? 0 : 1);
    const std::size_t b_steps = below_size == 1 ? 0 : below_size - (ring_ ? 0 : 1);
    std::size_t a = 0, b = 0;
    while (a < a_steps || b < b_steps) {
        const auto vertex = [](std::size_t first, std::size_t size, std::size_t i) {
            return static_cast<std::uint32_t>(first + i % size);
        };
        const std::uint32_t va = vertex(above, above_size, a), vb = vertex(below, below_size, b);
        // Compares (a + 1/2) / a_steps with (b + 1/2) / b_steps.
        const bool step_above =
            b == b_steps || (a < a_steps && (2 * a + 1) * b_steps <= (2 * b + 1) * a_steps);
        const std::uint32_t next =
            step_above ? vertex(above, above_size, ++a) : vertex(below, below_size, ++b);
        triangles_.push_back({va, vb, next});
    }
}

SplinePatch::Sample SplinePatch::sample(double u, double v) const {
    const Span along = basis(u * (rows_ - 1.0), rows_, false);
    const Span across = basis(v * (ring_ ? columns_ : columns_ - 1.0), columns_, ring_);
    Sample sample;
    for (std::size_t r = 0; r < 4; ++r) {
        for (std::size_t c = 0; c < 4; ++c) {
            sample.control[4 * r + c] = along.index[r] * columns_ + across.index[c];
            sample.weight[4 * r + c] = along.weight[r] * across.weight[c];
        }
    }
    return sample;
}

std::vector<math::Vec3f> SplinePatch::at(const std::vector<Vec3d>& points) const {
    std::vector<math::Vec3f> result;
    result.reserve(samples_.size());
    for (const Sample& sample : samples_) {
        Vec3d sum = Vec3d::Zero();
        for (std::size_t k = 0; k < 16; ++k) sum += sample.weight[k] * points[sample.control[k]];
        result.push_back(sum.cast<float>());
    }
    return result;
}

using math::Vec3d;

namespace {

/// Positions, speeds and which points are fixed.
class Simulation {
  public:
    explicit Simulation(const ClothScene& scene)
        : scene_(scene),
          links_(cloth_links(scene.net, scene.press, scene.bend)),
          mobility_(scene.net.points.size(), 1.0),
          neighbors_(scene.net.points.size()),
          points_(scene.net.points),
          speeds_(scene.net.points.size(), Vec3d::Zero()) {
        for (const std::uint32_t v : scene.pins) mobility_[v] = 0;
        for (const ClothLink& link : links_) {
            neighbors_[link.a].push_back(link.b);
            neighbors_[link.b].push_back(link.a);
        }
    }
    void advance(double time, double seconds) {
        const std::vector<Vec3d> before = points_;
        const double kept = std::exp(-scene_.drag * seconds);
        for (std::size_t v = 0; v < points_.size(); ++v) {
            if (mobility_[v] == 0) continue;
            speeds_[v] = kept * (speeds_[v] + seconds * push(points_[v], time));
            points_[v] += seconds * speeds_[v];
        }
        for (const std::uint32_t v : scene_.pins) points_[v] = scene_.pin(v, time);
        for (int pass = 0; pass < scene_.passes; ++pass) tighten();
        push_out(time);
        join_poles();
        for (std::size_t v = 0; v < points_.size(); ++v) speeds_[v] = (points_[v] - before[v]) / seconds;
        share_speeds(1 - std::exp(-scene_.viscosity * seconds));
    }
    const std::vector<Vec3d>& points() const { return points_; }

  private:
    /// Gravity, wind, and a soft floor: it supports a point at half its cushion.
    Vec3d push(const Vec3d& point, double time) const {
        Vec3d sum = scene_.gravity;
        if (scene_.wind) sum += scene_.wind(point, time);
        const double depth = (scene_.floor + scene_.cushion - point.y()) / scene_.cushion;
        if (depth > 0) sum -= scene_.gravity * (4 * depth * depth);
        return sum;
    }
    void share_speeds(double part) {
        std::vector<Vec3d> shared = speeds_;
        for (std::size_t v = 0; v < speeds_.size(); ++v) {
            Vec3d sum = Vec3d::Zero();
            for (const std::uint32_t other : neighbors_[v]) sum += speeds_[other];
            if (!neighbors_[v].empty())
                shared[v] += part * (sum / static_cast<double>(neighbors_[v].size()) - speeds_[v]);
        }
        speeds_.swap(shared);
    }
    void tighten() {
        for (const ClothLink& link : links_) {
            const double share = mobility_[link.a] + mobility_[link.b];
            const Vec3d along = points_[link.b] - points_[link.a];
            const double length = along.norm();
            if (share == 0 || length < 1e-12) continue;
            const double part = length > link.length ? link.stretch : link.press;
            const Vec3d repair = (part * (length - link.length) / (length * share)) * along;
            points_[link.a] += mobility_[link.a] * repair;
            points_[link.b] -= mobility_[link.b] * repair;
        }
    }
    void push_out(double time) {
        const std::vector<ClothSphere> spheres =
            scene_.spheres ? scene_.spheres(time) : std::vector<ClothSphere>{};
        for (std::size_t v = 0; v < points_.size(); ++v) {
            if (mobility_[v] == 0) continue;
            for (const ClothSphere& sphere : spheres) {
                const Vec3d out = points_[v] - sphere.center;
                const double distance = out.norm();
                if (distance < sphere.radius && distance > 1e-9)
                    points_[v] = sphere.center + sphere.radius / distance * out;
            }
            points_[v].y() = std::max(points_[v].y(), scene_.floor);
        }
    }
    /// The points of a pole stay at one position.
    void join_poles() {
        const ControlNet& net = scene_.net;
        for (const std::uint32_t row : {0u, net.rows - 1}) {
            if (net.points[net.index(row, 0)] != net.points[net.index(row, 1)]) continue;
            Vec3d sum = Vec3d::Zero();
            for (std::uint32_t c = 0; c < net.columns; ++c) sum += points_[net.index(row, c)];
            for (std::uint32_t c = 0; c < net.columns; ++c) points_[net.index(row, c)] = sum / net.columns;
        }
    }

    const ClothScene& scene_;
    std::vector<ClothLink> links_;
    std::vector<double> mobility_;
    std::vector<std::vector<std::uint32_t>> neighbors_;
    std::vector<Vec3d> points_, speeds_;
};

}  // namespace

std::vector<ClothLink> cloth_links(const ControlNet& net, double press, double bend) {
    std::vector<ClothLink> links;
    const auto link = [&](std::uint32_t row, std::uint32_t column, int down, int right, double stretch,
                          double shorten) {
        const auto r = static_cast<std::int64_t>(row) + down;
        auto c = static_cast<std::int64_t>(column) + right;
        if (r >= net.rows || (!net.ring && (c < 0 || c >= net.columns))) return;
        c = (c + net.columns) % net.columns;
        const auto a = static_cast<std::uint32_t>(net.index(row, column));
        const auto b = static_cast<std::uint32_t>(
            net.index(static_cast<std::uint32_t>(r), static_cast<std::uint32_t>(c)));
        const double length = (net.points[a] - net.points[b]).norm();
        if (length > 1e-9) links.push_back({a, b, length, stretch, shorten});
    };
    for (std::uint32_t r = 0; r < net.rows; ++r) {
        for (std::uint32_t c = 0; c < net.columns; ++c) {
            link(r, c, 0, 1, 1, press);
            link(r, c, 1, 0, 1, press);
            link(r, c, 1, 1, 0.5, press / 2);
            link(r, c, 1, -1, 0.5, press / 2);
            link(r, c, 0, 2, bend, bend);
            link(r, c, 2, 0, bend, bend);
        }
    }
    return links;
}

std::vector<std::vector<Vec3d>> simulate(const ClothScene& scene, std::size_t frames, double rate) {
    Simulation simulation(scene);
    std::vector<std::vector<Vec3d>> result;
    const double seconds = 1 / (rate * scene.steps);
    for (std::size_t f = 0; f < frames; ++f) {
        result.push_back(simulation.points());
        for (int s = 0; s < scene.steps; ++s)
            simulation.advance((static_cast<double>(f) * scene.steps + s + 1) * seconds, seconds);
    }
    return result;
}

}  // namespace sinew::sample
