// SPDX-License-Identifier: MIT
#include "sinew/fit/decomposition/simplex.h"

#include <algorithm>
#include <cmath>

namespace sinew::fit {

using Gram = Eigen::Ref<const Eigen::MatrixXd>;

namespace {

constexpr int capacity = max_influences + 1;
constexpr double improvement = 1e-7;  ///< part of the error that another bone has to remove

double error_of(const Gram& gram, const Support& support) {
    double sum = 0;
    for (int a = 0; a < support.count; ++a) {
        double row = 0;
        for (int b = 0; b < support.count; ++b)
            row += gram(support.bones[a], support.bones[b]) * support.weights[b];
        sum += row * support.weights[a];
    }
    return std::max(0.0, sum);
}

/// Half the slope of the error towards a bone: (G w)_j.
double pull(const Gram& gram, const Support& support, int bone) {
    double sum = 0;
    for (int b = 0; b < support.count; ++b) sum += gram(support.bones[b], bone) * support.weights[b];
    return sum;
}

void remove(Support& support, int slot) {
    for (int a = slot; a + 1 < support.count; ++a) {
        support.bones[a] = support.bones[a + 1];
        support.weights[a] = support.weights[a + 1];
    }
    --support.count;
}

/// Minimum with sum 1 but without bounds on the bones of the support: G x = 1 scaled, by Cholesky with a
/// ridge. False when the matrix is only rounding error, for example where all bones are exact.
bool unbounded_minimum(const Gram& gram, const Support& support, std::array<double, capacity>& x) {
    const int n = support.count;
    double l[capacity][capacity];
    double trace = 0;
    for (int a = 0; a < n; ++a) trace += std::abs(gram(support.bones[a], support.bones[a]));
    const double ridge = 1e-12 * trace / n + 1e-150;
    for (int a = 0; a < n; ++a) {
        for (int b = 0; b <= a; ++b) {
            double sum = gram(support.bones[a], support.bones[b]) + (a == b ? ridge : 0);
            for (int c = 0; c < b; ++c) sum -= l[a][c] * l[b][c];
            l[a][b] = a == b ? std::sqrt(std::max(sum, ridge)) : sum / l[b][b];
        }
        double sum = 1;
        for (int c = 0; c < a; ++c) sum -= l[a][c] * x[c];
        x[a] = sum / l[a][a];
    }
    double total = 0;
    for (int a = n - 1; a >= 0; --a) {
        for (int c = a + 1; c < n; ++c) x[a] -= l[c][a] * x[c];
        x[a] /= l[a][a];
        total += x[a];
    }
    if (!(total > 0) || !std::isfinite(total)) return false;
    for (int a = 0; a < n; ++a) x[a] /= total;
    return true;
}

/// Moves the weights towards x until one of them reaches 0, and drops that bone. True when x was reached.
bool step_towards(Support& support, const std::array<double, capacity>& x) {
    double fraction = 1;
    int blocking = -1;
    for (int a = 0; a < support.count; ++a) {
        if (x[a] > 0) continue;
        const double reach = support.weights[a] / std::max(support.weights[a] - x[a], 1e-300);
        if (blocking >= 0 && reach >= fraction) continue;
        fraction = reach;
        blocking = a;
    }
    for (int a = 0; a < support.count; ++a) support.weights[a] += fraction * (x[a] - support.weights[a]);
    if (blocking < 0) return true;
    remove(support, blocking);
    return false;
}

/// Minimum on the simplex of the support's own bones; dropped bones are not added again.
void descend(const Gram& gram, Support& support) {
    std::array<double, capacity> x{};
    while (support.count > 1) {
        if (!unbounded_minimum(gram, support, x) || step_towards(support, x)) break;
    }
    if (support.count == 1) support.weights[0] = 1;
    support.error = error_of(gram, support);
}

bool holds(const Support& support, int bone) {
    return std::find(support.bones.begin(), support.bones.begin() + support.count, bone) !=
           support.bones.begin() + support.count;
}

void add(Support& support, int bone) {
    support.bones[support.count] = bone;
    support.weights[support.count] = 0;
    ++support.count;
}

/// The support with one more bone, reduced to `limit` by dropping the bone whose removal costs the smallest
/// error.
Support exchanged(const Gram& gram, int limit, const Support& support, int bone) {
    Support larger = support;
    add(larger, bone);
    descend(gram, larger);
    if (larger.count <= limit) return larger;
    if (larger.error >= support.error * (1 - improvement)) return support;
    Support best;
    best.error = std::numeric_limits<double>::infinity();
    for (int slot = 0; slot < larger.count; ++slot) {
        if (larger.bones[slot] == bone) continue;  // without it nothing has changed
        Support smaller = larger;
        remove(smaller, slot);
        double sum = 0;
        for (int a = 0; a < smaller.count; ++a) sum += smaller.weights[a];
        if (sum <= 1e-6) continue;
        for (int a = 0; a < smaller.count; ++a) smaller.weights[a] /= sum;
        descend(gram, smaller);
        if (smaller.error < best.error) best = smaller;
    }
    return best;
}

}  // namespace

void solve_on_simplex(const Gram& gram, Support& support) {
    const Support given = support;
    descend(gram, support);
    // Bones of the given support that were dropped too early are added again while they reduce the error.
    for (int round = 0; round < 4 * given.count; ++round) {
        int best = -1;
        double steepest = support.error - 1e-12 * std::abs(gram(given.bones[0], given.bones[0]));
        for (int a = 0; a < given.count; ++a) {
            if (holds(support, given.bones[a])) continue;
            const double slope = pull(gram, support, given.bones[a]);
            if (slope >= steepest) continue;
            steepest = slope;
            best = given.bones[a];
        }
        if (best < 0) return;
        Support next = support;
        add(next, best);
        descend(gram, next);
        if (next.error >= support.error) return;
        support = next;
    }
}

Support best_single(const Gram& gram) {
    Support support;
    support.count = 1;
    support.weights[0] = 1;
    support.error = gram(0, 0);
    for (int j = 1; j < gram.rows(); ++j) {
        if (gram(j, j) >= support.error) continue;
        support.error = gram(j, j);
        support.bones[0] = j;
    }
    return support;
}

void improve_support(const Gram& gram, int limit, Support& support, int exchanges) {
    solve_on_simplex(gram, support);
    if (exchanges <= 0) return;
    const auto bones = static_cast<int>(gram.rows());
    for (int round = 0; round < 3 * limit; ++round) {
        // Only a bone with (G w)_j < w^T G w can lower the error of a convex problem; along the line towards
        // it the error falls by at most (w^T G w - (G w)_j)^2 / |a_j - a_w|^2.
        std::array<std::pair<double, int>, 8> first;
        first.fill({support.error * 1e-9, -1});
        const int wanted = support.count < limit ? 1 : std::min(exchanges, 8);
        for (int j = 0; j < bones; ++j) {
            const double slope = support.error - pull(gram, support, j);
            if (slope <= 0) continue;
            const double gain = slope * slope / std::max(gram(j, j) - support.error + 2 * slope, 1e-300);
            if (gain <= first[wanted - 1].first || holds(support, j)) continue;
            int slot = wanted - 1;
            for (; slot > 0 && gain > first[slot - 1].first; --slot) first[slot] = first[slot - 1];
            first[slot] = {gain, j};
        }
        Support best = support;
        for (int c = 0; c < wanted && first[c].second >= 0; ++c) {
            const Support other = exchanged(gram, limit, support, first[c].second);
            if (other.error < best.error) best = other;
        }
        if (best.error >= support.error * (1 - improvement)) return;
        support = best;
    }
}

}  // namespace sinew::fit
