// Weights from where a vertex was dragged to.
#include <algorithm>

#include <Eigen/Cholesky>
#include <Eigen/LU>

#include "sinew/base/error.h"
#include "sinew/math/transform.h"
#include "sinew/rig/bind/weight_edit.h"

namespace sinew::rig {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Least w' Q w / 2 - c' w with sum 1 over the free entries, the others 0: one linear system with the
/// multiplier of the sum.
VectorXd solve_free(const MatrixXd& q, const VectorXd& c, const std::vector<int>& free, double& multiplier) {
    const auto n = static_cast<Eigen::Index>(free.size());
    MatrixXd system = MatrixXd::Zero(n + 1, n + 1);
    VectorXd right(n + 1);
    for (Eigen::Index i = 0; i < n; ++i) {
        for (Eigen::Index k = 0; k < n; ++k)
            system(i, k) = q(free[static_cast<std::size_t>(i)], free[static_cast<std::size_t>(k)]);
        system(i, n) = system(n, i) = 1;
        right[i] = c[free[static_cast<std::size_t>(i)]];
    }
    right[n] = 1;
    const VectorXd solution = system.fullPivLu().solve(right);
    VectorXd w = VectorXd::Zero(q.rows());
    for (Eigen::Index i = 0; i < n; ++i) w[free[static_cast<std::size_t>(i)]] = solution[i];
    multiplier = solution[n];
    return w;
}

/// Active set: entries that want to be negative leave, one at a time, the one that gains most comes back.
VectorXd least_on_simplex(const MatrixXd& q, const VectorXd& c) {
    const auto n = static_cast<int>(c.size());
    std::vector<int> free;
    for (int i = 0; i < n; ++i) free.push_back(i);
    VectorXd w = VectorXd::Constant(n, 1.0 / n);
    for (int round = 0; round < 10 * n; ++round) {
        double multiplier = 0;
        const VectorXd wanted = solve_free(q, c, free, multiplier);
        // As far towards the wanted point as no entry gets negative.
        double step = 1;
        int blocker = -1;
        for (const int i : free) {
            if (wanted[i] >= 0 || w[i] - wanted[i] <= 0) continue;
            const double part = w[i] / (w[i] - wanted[i]);
            if (part < step) {
                step = part;
                blocker = i;
            }
        }
        w += step * (wanted - w);
        if (blocker >= 0) {
            w[blocker] = 0;
            std::erase(free, blocker);
            continue;
        }
        // Entries at 0 whose gradient says that they should grow.
        const VectorXd gradient = q * w - c;
        int best = -1;
        double most = 1e-12;
        for (int i = 0; i < n; ++i) {
            const bool is_free = std::find(free.begin(), free.end(), i) != free.end();
            if (is_free || -(gradient[i] + multiplier) <= most) continue;
            most = -(gradient[i] + multiplier);
            best = i;
        }
        if (best < 0) break;
        free.push_back(best);
        std::sort(free.begin(), free.end());
    }
    return w;
}

}  // namespace

WeightRow dragged_weights(std::span<const JointWeight> row, std::span<const math::Mat4d> palette,
                          const Vec3d& rest, const Vec3d& target, double size) {
    if (row.empty() || row.size() != palette.size())
        fail("weights", "{} matrices for {} joints", palette.size(), row.size());
    if (!(size > 0)) fail("weights", "the size of the body must be above 0");
    const auto n = static_cast<Eigen::Index>(row.size());
    MatrixXd places(3, n);
    VectorXd old(n);
    for (Eigen::Index j = 0; j < n; ++j) {
        const auto at = static_cast<std::size_t>(j);
        places.col(j) = (math::transform_point(palette[at], rest) - target) / size;
        old[j] = row[at].weight;
    }
    // A trace of the old weights settles what the target leaves open.
    constexpr double memory = 1e-9;
    const MatrixXd q = places.transpose() * places + memory * MatrixXd::Identity(n, n);
    const VectorXd w = least_on_simplex(q, memory * old);
    WeightRow result;
    for (Eigen::Index j = 0; j < n; ++j)
        if (w[j] > 0) result.push_back({row[static_cast<std::size_t>(j)].joint, w[j]});
    return result;
}

}  // namespace sinew::rig
