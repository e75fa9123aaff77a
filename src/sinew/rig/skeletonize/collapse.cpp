#include "sinew/rig/skeletonize/collapse.h"

#include <queue>

#include "sinew/rig/skeletonize/collapse_complex.h"

namespace sinew::rig {
namespace {

struct Entry {
    double cost;
    int a, b;
    bool operator<(const Entry& other) const {
        return cost != other.cost ? cost > other.cost : std::pair(a, b) > std::pair(other.a, other.b);
    }
};

/// Shortest edges first.
class ByLength {
  public:
    explicit ByLength(const ContractionMesh& mesh) : complex_(mesh), weight_(mesh.vertex_slots(), 1) {
        for (std::size_t v = 0; v < complex_.size(); ++v) push_all(static_cast<int>(v));
    }

    CurveSkeleton run() {
        while (!queue_.empty()) {
            const auto [length, a, b] = queue_.top();
            queue_.pop();
            if (!complex_.is_edge(a, b) || length != complex_.distance(a, b) || !complex_.has_face(a, b))
                continue;
            collapse(static_cast<std::size_t>(a), static_cast<std::size_t>(b));
        }
        return complex_.curve();
    }

  private:
    void push_all(int v) {
        for (const int other : complex_.around(v)) {
            queue_.push({complex_.distance(v, other), std::min(v, other), std::max(v, other)});
        }
    }

    void collapse(std::size_t a, std::size_t b) {
        complex_.merge(static_cast<int>(a), static_cast<int>(b));
        const double sum = weight_[a] + weight_[b];
        complex_.position[a] = (weight_[a] * complex_.position[a] + weight_[b] * complex_.position[b]) / sum;
        weight_[a] = sum;
        push_all(static_cast<int>(a));
    }

    CollapseComplex complex_;
    std::vector<double> weight_;
    std::priority_queue<Entry> queue_;
};

/// Cheapest half-edges first: shape cost + 0.1 sampling cost (Au et al. 2008, 5).
class ByShape {
  public:
    explicit ByShape(const ContractionMesh& mesh) : complex_(mesh), quadric_(mesh.vertex_slots()) {
        for (std::size_t v = 0; v < complex_.size(); ++v) {
            quadric_[v] = Quadric::Zero();
            for (const int other : complex_.around(static_cast<int>(v))) {
                const Vec3d edge = complex_.position[static_cast<std::size_t>(other)] - complex_.position[v];
                add_line(quadric_[v], complex_.position[v], edge);
            }
        }
        for (std::size_t v = 0; v < complex_.size(); ++v) push_all(static_cast<int>(v));
    }

    CurveSkeleton run(std::vector<int>& node_of) {
        while (!queue_.empty()) {
            const auto [known, from, to] = queue_.top();
            queue_.pop();
            if (!complex_.is_edge(from, to) || !complex_.has_face(from, to)) continue;
            // What was asked before its surroundings changed is asked again.
            const double now = cost(from, to);
            if (now > known) {
                queue_.push({now, from, to});
                continue;
            }
            complex_.merge(to, from);
            quadric_[static_cast<std::size_t>(to)] += quadric_[static_cast<std::size_t>(from)];
            push_all(to);
        }
        return complex_.curve(&node_of);
    }

  private:
    using Quadric = Eigen::Matrix4d;

    /// Squared distance to the line of an edge: K p = a x p - a x v with the unit vector a.
    static void add_line(Quadric& quadric, const Vec3d& at, const Vec3d& edge) {
        if (!(edge.norm() > 0)) return;
        const Vec3d a = edge.normalized(), moment = -a.cross(at);
        Eigen::Matrix<double, 3, 4> k;
        k << 0, -a.z(), a.y(), moment.x(), a.z(), 0, -a.x(), moment.y(), -a.y(), a.x(), 0, moment.z();
        quadric += k.transpose() * k;
    }

    double cost(int from, int to) const {
        const auto i = static_cast<std::size_t>(from), j = static_cast<std::size_t>(to);
        const Eigen::Vector4d p = complex_.position[j].homogeneous();
        const double shape = p.dot((quadric_[i] + quadric_[j]) * p);
        double star = 0;
        for (const int other : complex_.around(from)) star += complex_.distance(from, other);
        return std::max(shape, 0.0) + 0.1 * complex_.distance(from, to) * star;
    }

    void push_all(int v) {
        for (const int other : complex_.around(v)) {
            queue_.push({cost(v, other), v, other});
            queue_.push({cost(other, v), other, v});
        }
    }

    CollapseComplex complex_;
    std::vector<Quadric> quadric_;
    std::priority_queue<Entry> queue_;
};

}  // namespace

CurveSkeleton collapse_to_curve(const ContractionMesh& mesh) {
    return ByLength(mesh).run();
}

CurveSkeleton collapse_by_shape(const ContractionMesh& mesh, std::vector<int>& node_of) {
    return ByShape(mesh).run(node_of);
}

}  // namespace sinew::rig
