#include "sinew/rig/skeletonize/contraction_au.h"

#include <cmath>
#include <map>

#include <Eigen/SparseCholesky>

#include "sinew/geometry/topology.h"

namespace sinew::rig {
namespace {

using Sparse = Eigen::SparseMatrix<double>;

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

/// L_ij = cot a + cot b, rows sum to 0. Weights of faces that have no area any more are bounded.
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

}  // namespace

int contract_au(ContractionMesh& mesh, const AuOptions& options, Monitor& monitor) {
    const double first = volume(mesh);
    const std::vector<double> first_areas = ring_areas(mesh);
    double contract =
        options.contract *
        std::sqrt(mesh.area() / static_cast<double>(std::max<std::size_t>(1, mesh.face_count())));
    std::vector<double> attract(mesh.vertex_slots(), options.attract);
    int iteration = 0;
    for (; iteration < options.most_iterations; ++iteration) {
        if (!smooth(mesh, contract, attract)) break;
        const double left = first > 0 ? volume(mesh) / first : 0;
        step(monitor, "contraction", 1 - std::min(1.0, left));
        if (left < options.least_volume) break;
        contract *= options.growth;
        const std::vector<double> areas = ring_areas(mesh);
        for (std::size_t v = 0; v < attract.size(); ++v) {
            if (first_areas[v] <= 0) continue;
            // Bounded, or a face without area would spoil the equations.
            const double ratio = areas[v] / first_areas[v];
            attract[v] = options.attract / std::sqrt(std::max(ratio, 1e-8));
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

}  // namespace sinew::rig
