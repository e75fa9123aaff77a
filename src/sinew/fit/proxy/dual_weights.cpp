// SPDX-License-Identifier: MIT
#include "sinew/fit/proxy/dual_weights.h"

#include <algorithm>
#include <numeric>

#include "sinew/base/parallel.h"
#include "sinew/fit/decomposition/simplex.h"
#include "sinew/fit/proxy/dual_system.h"

namespace sinew::fit {

using Eigen::Index;
using Eigen::MatrixXd;
using math::DualQuatd;

namespace {

/// One vertex with the joints it may use.
class VertexWeights {
  public:
    VertexWeights(const model::MeshSequence& sequence, const FitResult& fit, std::size_t vertex,
                  std::span<const std::uint32_t> joints)
        : sequence_(sequence),
          fit_(fit),
          vertex_(vertex),
          joints_(joints),
          rest_(fit.rest.positions[vertex].cast<double>()) {}

    /// Sum of squared distances over all frames.
    double cost(const Support& support) const {
        double sum = 0;
        for (std::size_t f = 0; f < fit_.frames.size(); ++f)
            sum += (move(blend(support, f), rest_) - goal(f)).squaredNorm();
        return sum;
    }
    /// G(i, j) = sum over frames of (r + S q_i) . (r + S q_j).
    void gram(const Support& support, MatrixXd& columns, MatrixXd& gram) const {
        const auto frames = static_cast<Index>(fit_.frames.size());
        columns.resize(3 * frames, static_cast<Index>(joints_.size()));
        for (Index f = 0; f < frames; ++f) {
            const auto frame = static_cast<std::size_t>(f);
            const DualRows rows =
                dual_rows(DualRowKind::geometric, blend(support, frame), rest_, goal(frame));
            const Eigen::Matrix<double, 3, 8> slope = rows.slope.topRows<3>();
            const Vec3d residual = rows.residual.head<3>();
            for (Index i = 0; i < columns.cols(); ++i)
                columns.block<3, 1>(3 * f, i) =
                    residual + slope.lazyProduct(numbers(frame, joints_[static_cast<std::size_t>(i)]));
        }
        gram.noalias() = columns.transpose() * columns;
    }

  private:
    using Numbers = Eigen::Matrix<double, 8, 1>;
    Eigen::Map<const Numbers> numbers(std::size_t f, std::uint32_t joint) const {
        static_assert(sizeof(DualQuatd) == sizeof(Numbers));
        return Eigen::Map<const Numbers>(fit_.frames[f].duals[joint].real.coeffs().data());
    }
    Vec3d goal(std::size_t f) const { return sequence_.frames[f][vertex_].cast<double>(); }
    DualQuatd blend(const Support& support, std::size_t f) const {
        Numbers sum = Numbers::Zero();
        for (std::size_t a = 0; a < static_cast<std::size_t>(support.count); ++a)
            sum += support.weights[a] * numbers(f, joints_[static_cast<std::size_t>(support.bones[a])]);
        DualQuatd blend;
        blend.real.coeffs() = sum.head<4>();
        blend.dual.coeffs() = sum.tail<4>();
        return blend;
    }

    const model::MeshSequence& sequence_;
    const FitResult& fit_;
    std::size_t vertex_;
    std::span<const std::uint32_t> joints_;
    Vec3d rest_;
};

/// The joints of a vertex and those nearest to it, in the order of their numbers.
std::vector<std::uint32_t> candidates(const FitResult& fit, std::size_t vertex, int wanted) {
    const Vec3d slot = fit.rest.positions[vertex].cast<double>();
    std::vector<std::uint32_t> order(fit.bone_count());
    std::iota(order.begin(), order.end(), 0u);
    const auto count = std::min(order.size(), static_cast<std::size_t>(wanted));
    std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count), order.end(),
                      [&](std::uint32_t a, std::uint32_t b) {
                          const double da = (fit.centers[a] - slot).squaredNorm();
                          const double db = (fit.centers[b] - slot).squaredNorm();
                          return da != db ? da < db : a < b;
                      });
    order.resize(count);
    for (const BoneWeight& w : fit.weights.of(vertex)) order.push_back(w.bone);
    std::sort(order.begin(), order.end());
    order.erase(std::unique(order.begin(), order.end()), order.end());
    return order;
}

std::vector<BoneWeight> solved(const model::MeshSequence& sequence, const DualWeightOptions& options,
                               const FitResult& fit, const BlendWeights& start, std::size_t vertex) {
    const std::vector<std::uint32_t> joints = candidates(fit, vertex, options.candidates);
    const VertexWeights problem(sequence, fit, vertex, joints);
    Support best;
    for (const BoneWeight& w : start.of(vertex)) {
        const auto slot = std::lower_bound(joints.begin(), joints.end(), w.bone) - joints.begin();
        best.bones[static_cast<std::size_t>(best.count)] = static_cast<int>(slot);
        best.weights[static_cast<std::size_t>(best.count++)] = w.weight;
    }
    double now = problem.cost(best);
    int exchanges = options.exchanges;
    MatrixXd columns, gram;
    for (int pass = 0; pass < options.passes; ++pass) {
        problem.gram(best, columns, gram);
        Support next = best;
        improve_support(gram, options.influences, next, exchanges);
        double then = problem.cost(next);
        if (!(then < now) && exchanges > 0) {
            // A new joint may lie outside the range of the linearisation; the present ones are nearer.
            exchanges = 0;
            next = best;
            improve_support(gram, options.influences, next, 0);
            then = problem.cost(next);
        }
        if (!(then < now)) break;
        const bool settled = now - then < 1e-4 * now;
        now = then;
        best = next;
        if (settled) break;
    }
    std::vector<BoneWeight> list;
    for (std::size_t a = 0; a < static_cast<std::size_t>(best.count); ++a)
        list.push_back({joints[static_cast<std::size_t>(best.bones[a])], best.weights[a]});
    std::sort(list.begin(), list.end(), [](const auto& a, const auto& b) { return a.bone < b.bone; });
    return list;
}

}  // namespace

void dual_weight_step(const model::MeshSequence& sequence, const DualWeightOptions& options, FitResult& fit) {
    const BlendWeights start = limited(fit.weights, static_cast<std::size_t>(options.influences));
    BlendWeights weights(start.vertex_count(), static_cast<std::size_t>(options.influences));
    parallel_for(start.vertex_count(), 16,
                 [&](std::size_t v) { weights.set(v, solved(sequence, options, fit, start, v)); });
    fit.weights = std::move(weights);
}

}  // namespace sinew::fit
