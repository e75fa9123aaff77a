// SPDX-License-Identifier: MIT
#include "sinew/published/contraction_au.h"

#include <cmath>
#include <map>
#include <queue>

#include <Eigen/SparseCholesky>

#include "sinew/geometry/topology.h"
#include "sinew/rig/contraction/collapse.h"
#include "sinew/rig/contraction/contraction.h"
#include "sinew/rig/curve/curve_refine.h"

namespace sinew::published {

namespace {

using Sparse = Eigen::SparseMatrix<double>;

constexpr double start_contraction = 1e-3;  // W_L at the start, in roots of the mean face area
constexpr double contraction_growth = 2;    // of W_L, every iteration (s_L)
constexpr double start_attraction = 1;      // W_H at the start
constexpr double min_volume = 1e-6;         // stops at this fraction of the volume
constexpr int max_iterations = 30;
constexpr std::size_t even_vertices = 1500;  // of the surface before it shrinks

double volume(const ContractionMesh& mesh) {
    double sum = 0;
    for (const auto& f : mesh.faces()) {
        if (f[0] < 0) continue;
        const auto at = [&](std::size_t i) { return mesh.position[static_cast<std::size_t>(f[i])]; };
        sum += at(0).dot(at(1).cross(at(2))) / 6;
    }
    return std::abs(sum);
}

/// Of the faces around each vertex.
std::vector<double> ring_areas(const ContractionMesh& mesh) {
    std::vector<double> areas(mesh.vertex_slots());
    for (const auto& f : mesh.faces()) {
        if (f[0] < 0) continue;
        const auto at = [&](std::size_t i) { return mesh.position[static_cast<std::size_t>(f[i])]; };
        const double area = (at(1) - at(0)).cross(at(2) - at(0)).norm() / 2;
        for (const int v : f) areas[static_cast<std::size_t>(v)] += area;
    }
    return areas;
}

/// L_ij = cot a + cot b, rows sum to 0. Weights of faces whose area has become 0 are bounded.
Sparse laplacian(ContractionMesh& mesh) {
    const auto count = static_cast<Eigen::Index>(mesh.vertex_slots());
    std::vector<Eigen::Triplet<double>> entries;
    std::vector<int> on;
    mesh.for_each_edge([&](int a, int b) {
        mesh.faces_on(a, b, on);
        double weight = 0;
        for (const int f : on) {
            const auto at = [&](int v) { return mesh.position[static_cast<std::size_t>(v)]; };
            weight += geometry::cotangent(at(mesh.opposite(f, a, b)), at(a), at(b));
        }
        weight = std::clamp(weight, 1e-4, 1e3);
        entries.emplace_back(a, b, weight);
        entries.emplace_back(b, a, weight);
        entries.emplace_back(a, a, -weight);
        entries.emplace_back(b, b, -weight);
    });
    Sparse matrix(count, count);
    matrix.setFromTriplets(entries.begin(), entries.end());
    return matrix;
}

/// The normal equations (W_L^2 L^T L + W_H^2) x' = W_H^2 x. False when they cannot be solved.
bool smooth(ContractionMesh& mesh, double contract, const std::vector<double>& attract) {
    const Sparse laplace = laplacian(mesh);
    Sparse matrix = contract * contract * (Sparse(laplace.transpose()) * laplace);
    const auto count = matrix.rows();
    Sparse hold(count, count);
    hold.reserve(Eigen::VectorXi::Constant(count, 1));
    Eigen::MatrixXd right(count, 3);
    for (Eigen::Index v = 0; v < count; ++v) {
        const auto i = static_cast<std::size_t>(v);
        hold.insert(v, v) = attract[i] * attract[i];
        right.row(v) = attract[i] * attract[i] * mesh.position[i];
    }
    matrix += hold;
    const Eigen::SimplicialLDLT<Sparse> solver(matrix);
    if (solver.info() != Eigen::Success) return false;
    const Eigen::MatrixXd solution = solver.solve(right);
    if (!solution.allFinite()) return false;
    for (Eigen::Index v = 0; v < count; ++v) mesh.position[static_cast<std::size_t>(v)] = solution.row(v);
    return true;
}

struct Entry {
    double cost;
    int a, b;
    bool operator<(const Entry& other) const {
        return cost != other.cost ? cost > other.cost : std::pair(a, b) > std::pair(other.a, other.b);
    }
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
            // Costs computed before their surroundings changed are recomputed.
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

int contract_au(ContractionMesh& mesh, Monitor& monitor) {
    const double first = volume(mesh);
    const std::vector<double> first_areas = ring_areas(mesh);
    double contract =
        start_contraction *
        std::sqrt(mesh.area() / static_cast<double>(std::max<std::size_t>(1, mesh.face_count())));
    std::vector<double> attract(mesh.vertex_slots(), start_attraction);
    int iteration = 0;
    for (; iteration < max_iterations; ++iteration) {
        if (!smooth(mesh, contract, attract)) break;
        const double left = first > 0 ? volume(mesh) / first : 0;
        step(monitor, "contraction", 1 - std::min(1.0, left));
        if (left < min_volume) break;
        contract *= contraction_growth;
        const std::vector<double> areas = ring_areas(mesh);
        for (std::size_t v = 0; v < attract.size(); ++v) {
            if (first_areas[v] <= 0) continue;
            // Bounded, because a face without area would make the equations singular.
            const double ratio = areas[v] / first_areas[v];
            attract[v] = start_attraction / std::sqrt(std::max(ratio, 1e-8));
        }
    }
    return iteration;
}

void recentre(CurveSkeleton& curve, const std::vector<int>& node_of, const ContractionMesh& contracted,
              const ContractionMesh& original) {
    struct Border {
        Vec3d moved = Vec3d::Zero();
        double weight = 0;
    };
    const std::vector<double> areas = ring_areas(original);
    std::map<std::array<int, 2>, Border> borders;  // of a node towards another
    for (const auto& face : original.faces()) {
        if (face[0] < 0) continue;
        for (std::size_t i = 0; i < 3; ++i) {
            const auto v = static_cast<std::size_t>(face[i]);
            const int here = node_of[v];
            for (const int other : face) {
                const int there = node_of[static_cast<std::size_t>(other)];
                if (here < 0 || there < 0 || here == there) continue;
                Border& border = borders[{here, there}];
                border.moved += areas[v] * (original.position[v] - contracted.position[v]);
                border.weight += areas[v];
            }
        }
    }
    std::vector<Vec3d> sum(curve.nodes.size(), Vec3d::Zero());
    std::vector<int> count(curve.nodes.size());
    for (const auto& [nodes, border] : borders) {
        if (!(border.weight > 0)) continue;
        sum[static_cast<std::size_t>(nodes[0])] += border.moved / border.weight;
        ++count[static_cast<std::size_t>(nodes[0])];
    }
    for (std::size_t n = 0; n < sum.size(); ++n) {
        if (count[n] > 0) curve.nodes[n].position += sum[n] / count[n];
    }
}

CurveSkeleton collapse_by_shape(const ContractionMesh& mesh, std::vector<int>& node_of) {
    return ByShape(mesh).run(node_of);
}

CurveSkeleton au_skeleton(const geometry::Mesh& mesh, Monitor& monitor) {
    const UnitBody body(mesh, monitor);
    warn_of_dropped(body.field, monitor);
    ContractionMesh surface = contractible_surface(mesh, body, even_vertices, monitor).surface;
    const ContractionMesh original = surface;
    contract_au(surface, monitor);
    std::vector<int> node_of;
    CurveSkeleton curve = collapse_by_shape(surface, node_of);
    recentre(curve, node_of, surface, original);
    curve = refine_curve(curve, body.field);
    finish_curve(curve, body.mesh, body.field, body.graph, monitor);
    to_world(curve, body.frame);
    return curve;
}

}  // namespace sinew::published
