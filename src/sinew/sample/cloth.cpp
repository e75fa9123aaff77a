#include "sinew/sample/cloth.h"

#include "sinew/geometry/adjacency.h"

namespace sinew::sample {

using geometry::Mesh;
using math::Vec3d;

namespace {

double length_of(const Mesh& mesh, std::uint32_t a, std::uint32_t b) {
    return (mesh.positions[a] - mesh.positions[b]).cast<double>().norm();
}

std::uint32_t opposite(const geometry::Triangle& t, const geometry::Edge& edge) {
    for (const std::uint32_t v : t) {
        if (v != edge.a && v != edge.b) return v;
    }
    return edge.a;
}

/// Positions, speeds and which points are held.
class Simulation {
  public:
    explicit Simulation(const ClothScene& scene)
        : scene_(scene),
          links_(cloth_links(scene.mesh, scene.bend)),
          mobility_(scene.mesh.positions.size(), 1.0) {
        neighbors_ = geometry::vertex_neighbors(mobility_.size(), scene.mesh.triangles);
        for (const auto& p : scene.mesh.positions) points_.push_back(p.cast<double>());
        speeds_.assign(points_.size(), Vec3d::Zero());
        for (const std::uint32_t v : scene.pins) mobility_[v] = 0;
    }
    void advance(double time, double seconds) {
        const std::vector<Vec3d> before = points_;
        for (std::size_t v = 0; v < points_.size(); ++v) {
            if (mobility_[v] == 0) continue;
            Vec3d push = scene_.gravity;
            if (scene_.wind) push += scene_.wind(points_[v], time);
            speeds_[v] = (1 - scene_.damping) * (speeds_[v] + seconds * push);
            points_[v] += seconds * speeds_[v];
        }
        for (const std::uint32_t v : scene_.pins) points_[v] = scene_.pin(v, time);
        for (int pass = 0; pass < scene_.passes; ++pass) tighten();
        push_out(time);
        for (std::size_t v = 0; v < points_.size(); ++v) speeds_[v] = (points_[v] - before[v]) / seconds;
        for (int round = 0; round < scene_.viscosity; ++round) share_speeds();
    }
    std::vector<math::Vec3f> frame() const {
        std::vector<math::Vec3f> result;
        for (const Vec3d& p : points_) result.push_back(p.cast<float>());
        return result;
    }

  private:
    void share_speeds() {
        std::vector<Vec3d> shared = speeds_;
        for (std::size_t v = 0; v < speeds_.size(); ++v) {
            Vec3d sum = Vec3d::Zero();
            for (const std::uint32_t other : neighbors_[v]) sum += speeds_[other];
            if (!neighbors_[v].empty())
                shared[v] = (speeds_[v] + sum / static_cast<double>(neighbors_[v].size())) / 2;
        }
        speeds_.swap(shared);
    }
    void tighten() {
        for (const ClothLink& link : links_) {
            const double share = mobility_[link.a] + mobility_[link.b];
            const Vec3d along = points_[link.b] - points_[link.a];
            const double length = along.norm();
            if (share == 0 || length < 1e-12) continue;
            const Vec3d repair = (link.stiffness * (length - link.length) / (length * share)) * along;
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

    const ClothScene& scene_;
    std::vector<ClothLink> links_;
    std::vector<double> mobility_;
    geometry::Rows neighbors_;
    std::vector<Vec3d> points_, speeds_;
};

}  // namespace

std::vector<ClothLink> cloth_links(const Mesh& mesh, double bend) {
    std::vector<ClothLink> links;
    const geometry::EdgeTable table = geometry::edge_table(mesh.triangles);
    for (const geometry::Edge& edge : table.edges) {
        links.push_back({edge.a, edge.b, length_of(mesh, edge.a, edge.b), 1});
        if (edge.count != 2 || bend <= 0) continue;
        const std::uint32_t a = opposite(mesh.triangles[table.around(edge)[0]], edge);
        const std::uint32_t b = opposite(mesh.triangles[table.around(edge)[1]], edge);
        links.push_back({a, b, length_of(mesh, a, b), bend});
    }
    return links;
}

std::vector<std::vector<math::Vec3f>> simulate(const ClothScene& scene, std::size_t frames, double rate) {
    Simulation simulation(scene);
    std::vector<std::vector<math::Vec3f>> result;
    const double seconds = 1 / (rate * scene.steps);
    for (std::size_t f = 0; f < frames; ++f) {
        result.push_back(simulation.frame());
        for (int s = 0; s < scene.steps; ++s)
            simulation.advance((static_cast<double>(f) * scene.steps + s + 1) * seconds, seconds);
    }
    return result;
}

}  // namespace sinew::sample
