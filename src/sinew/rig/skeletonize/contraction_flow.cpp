#include "sinew/rig/skeletonize/contraction_flow.h"

#include <cmath>

#include <Eigen/SparseCholesky>

#include "sinew/geometry/topology.h"

namespace sinew::rig {
namespace {

using Sparse = Eigen::SparseMatrix<double>;

class Flow {
  public:
    Flow(ContractionMesh& mesh, const FlowOptions& options) : mesh_(mesh), options_(options) {
        const double even =
            std::sqrt(2 * mesh.area() / (std::sqrt(3.0) * static_cast<double>(mesh.vertex_count())));
        least_edge_ = options.least_edge * even;
    }

    /// One implicit step of the flow, then the surface is kept fit for the next.
    void iterate() {
        shrink();
        collapse_short();
        split_flat();
        fix_arrived();
    }

  private:
    /// (L + w_H + w_M) x = w_H x_now + w_M pole, with L the cotangent Laplacian: the implicit Euler step of
    /// the flow. Negative weights are left out, so that every vertex moves into the hull of its neighbours.
    void shrink() {
        number_vertices();
        const auto count = static_cast<Eigen::Index>(vertices_.size());
        std::vector<Eigen::Triplet<double>> entries;
        entries.reserve(8 * vertices_.size());
        Eigen::MatrixXd right(count, 3);
        std::vector<double> diagonal(vertices_.size());
        add_laplacian(entries, diagonal);
        for (std::size_t i = 0; i < vertices_.size(); ++i) {
            const auto v = static_cast<std::size_t>(vertices_[i]);
            const bool fixed = mesh_.is_fixed[v] != 0;
            const double stay = fixed ? 1e6 : options_.velocity, pull = fixed ? 0 : options_.medial;
            right.row(static_cast<Eigen::Index>(i)) = stay * mesh_.position[v] + pull * mesh_.pole[v];
            entries.emplace_back(static_cast<int>(i), static_cast<int>(i), diagonal[i] + stay + pull);
        }
        Sparse matrix(count, count);
        matrix.setFromTriplets(entries.begin(), entries.end());
        const Eigen::SimplicialLDLT<Sparse, Eigen::Lower> solver(matrix);
        if (solver.info() != Eigen::Success) return;
        const Eigen::MatrixXd solution = solver.solve(right);
        for (std::size_t i = 0; i < vertices_.size(); ++i) {
            mesh_.position[static_cast<std::size_t>(vertices_[i])] =
                solution.row(static_cast<Eigen::Index>(i));
        }
    }

    void number_vertices() {
        vertices_.clear();
        number_.assign(mesh_.vertex_slots(), -1);
        for (std::size_t v = 0; v < mesh_.vertex_slots(); ++v) {
            if (!mesh_.has_vertex(static_cast<int>(v))) continue;
            number_[v] = static_cast<int>(vertices_.size());
            vertices_.push_back(static_cast<int>(v));
        }
    }

    /// Lower triangle only.
    void add_laplacian(std::vector<Eigen::Triplet<double>>& entries, std::vector<double>& diagonal) {
        std::vector<int> on;
        mesh_.for_each_edge([&](int a, int b) {
            mesh_.faces_on(a, b, on);
            double weight = 0;
            for (const int f : on)
                weight += geometry::cotangent(at(mesh_.opposite(f, a, b)), at(a), at(b)) / 2;
            weight = std::clamp(weight, 1e-4, 1e3);
            const int i = number_[static_cast<std::size_t>(a)], j = number_[static_cast<std::size_t>(b)];
            entries.emplace_back(std::max(i, j), std::min(i, j), -weight);
            diagonal[static_cast<std::size_t>(i)] += weight;
            diagonal[static_cast<std::size_t>(j)] += weight;
        });
    }

    void collapse_short() {
        for (bool again = true; again;) {
            again = false;
            int found = 0;
            mesh_.for_each_edge([&](int a, int b) {
                if (mesh_.length(a, b) >= least_edge_ || !mesh_.can_collapse(a, b)) return;
                // What has arrived stays; of two poles the nearer to its vertex is the better known.
                const bool fixed_a = mesh_.is_fixed[static_cast<std::size_t>(a)] != 0;
                const bool fixed_b = mesh_.is_fixed[static_cast<std::size_t>(b)] != 0;
                const Vec3d point = fixed_a == fixed_b ? Vec3d((at(a) + at(b)) / 2) : fixed_a ? at(a) : at(b);
                const double far_a = (mesh_.pole[static_cast<std::size_t>(a)] - point).squaredNorm();
                const double far_b = (mesh_.pole[static_cast<std::size_t>(b)] - point).squaredNorm();
                mesh_.collapse(a, b, point);
                if (far_b < far_a)
                    mesh_.pole[static_cast<std::size_t>(a)] = mesh_.pole[static_cast<std::size_t>(b)];
                mesh_.is_fixed[static_cast<std::size_t>(a)] = fixed_a || fixed_b;
                ++found;
            });
            again = found > 20;
        }
    }

    /// Splits an edge that two faces see under a flat angle, at the foot of the nearer one.
    void split_flat() {
        const double limit = std::cos(math::radians(options_.flat_angle));
        std::vector<int> on;
        mesh_.for_each_edge([&](int a, int b) {
            const double length = mesh_.length(a, b);
            if (length < 2 * least_edge_) return;
            mesh_.faces_on(a, b, on);
            for (const int f : on) {
                const Vec3d& apex = at(mesh_.opposite(f, a, b));
                if ((at(a) - apex).normalized().dot((at(b) - apex).normalized()) > limit) return;
            }
            const Vec3d along = at(b) - at(a);
            const Vec3d& apex = at(mesh_.opposite(on[0], a, b));
            const double t = std::clamp((apex - at(a)).dot(along) / along.squaredNorm(), 0.2, 0.8);
            mesh_.split(a, b, at(a) + t * along);
        });
    }

    /// Where a tube has shrunk to a line its edges cannot collapse any more: two such edges fix a vertex.
    void fix_arrived() {
        std::vector<char> stuck(mesh_.vertex_slots());
        mesh_.for_each_edge([&](int a, int b) {
            if (mesh_.length(a, b) >= least_edge_ || mesh_.can_collapse(a, b)) return;
            ++stuck[static_cast<std::size_t>(a)];
            ++stuck[static_cast<std::size_t>(b)];
        });
        for (std::size_t v = 0; v < stuck.size(); ++v) {
            if (stuck[v] >= 2) mesh_.is_fixed[v] = 1;
        }
    }

    const Vec3d& at(int v) const { return mesh_.position[static_cast<std::size_t>(v)]; }

    ContractionMesh& mesh_;
    const FlowOptions& options_;
    double least_edge_ = 0;
    std::vector<int> vertices_, number_;
};

}  // namespace

int contract(ContractionMesh& mesh, const FlowOptions& options, Monitor& monitor) {
    Flow flow(mesh, options);
    const double first = mesh.area();
    double last = first;
    int iteration = 0;
    while (iteration < options.most_iterations && first > 0) {
        flow.iterate();
        ++iteration;
        const double area = mesh.area();
        step(monitor, "contraction", 1 - area / std::max(first, area));
        if (std::abs(last - area) < options.still * first) break;
        last = area;
    }
    return iteration;
}

}  // namespace sinew::rig
