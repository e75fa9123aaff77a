#include "sinew/sample/cloth/cloth.h"

#include <algorithm>
#include <cmath>

namespace sinew::sample {

using math::Vec3d;

namespace {

/// Positions, speeds and which points are held.
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
    /// Gravity, wind, and a floor that gives way: it carries a point at half its cushion.
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
        const std::vector<ClothBall> balls = scene_.balls ? scene_.balls(time) : std::vector<ClothBall>{};
        for (std::size_t v = 0; v < points_.size(); ++v) {
            if (mobility_[v] == 0) continue;
            for (const ClothBall& ball : balls) {
                const Vec3d out = points_[v] - ball.center;
                const double distance = out.norm();
                if (distance < ball.radius && distance > 1e-9)
                    points_[v] = ball.center + ball.radius / distance * out;
            }
            points_[v].y() = std::max(points_[v].y(), scene_.floor);
        }
    }
    /// The points of a pole stay one.
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
