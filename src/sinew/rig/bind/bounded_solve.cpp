#include "sinew/rig/bind/bounded_solve.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sinew::rig {
namespace {

/// The matrix K K restricted to the free cells.
class Bending {
  public:
    Bending(const FaceNeighbours& neighbours, std::span<const std::uint32_t> free)
        : neighbours_(neighbours), free_(free), once_(neighbours.size(), 0), full_(neighbours.size(), 0) {
        std::vector<char> seen(neighbours.size(), 0);
        const auto add = [&](std::uint32_t cell) {
            if (seen[cell] == 0) ring_.push_back(cell);
            seen[cell] = 1;
        };
        for (const std::uint32_t cell : free) {
            add(cell);
            for (const std::uint32_t n : neighbours[cell]) add(n);
        }
        std::sort(ring_.begin(), ring_.end());
    }

    /// (K K x) on the free cells, x given on all.
    void apply_full(const std::vector<double>& x, std::vector<double>& result) {
        for (const std::uint32_t cell : ring_) once_[cell] = difference(x, cell);
        for (std::size_t i = 0; i < free_.size(); ++i) result[i] = difference(once_, free_[i]);
    }
    /// The same for a vector that is 0 on the other cells.
    void apply(const std::vector<double>& direction, std::vector<double>& result) {
        for (std::size_t i = 0; i < free_.size(); ++i) full_[free_[i]] = direction[i];
        apply_full(full_, result);
    }

  private:
    double difference(const std::vector<double>& x, std::uint32_t cell) const {
        const auto& n = neighbours_[cell];
        return 6 * x[cell] - (x[n[0]] + x[n[1]] + x[n[2]] + x[n[3]] + x[n[4]] + x[n[5]]);
    }

    const FaceNeighbours& neighbours_;
    std::span<const std::uint32_t> free_;
    std::vector<std::uint32_t> ring_;  // the free cells and their neighbours
    std::vector<double> once_, full_;
};

using Vector = std::vector<double>;

double dot(const Vector& a, const Vector& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
}

/// The largest eigenvalue of K is below 12.
constexpr double safe_step = 1.9 / 144;

/// Splits the gradient: `inner` where the bounds are not met, `edge` where a step off a bound pays.
void split(const Vector& x, const Vector& gradient, Vector& inner, Vector& edge) {
    for (std::size_t i = 0; i < x.size(); ++i) {
        const bool low = x[i] <= 0, high = x[i] >= 1;
        inner[i] = low || high ? 0 : gradient[i];
        edge[i] = low ? std::min(gradient[i], 0.0) : high ? std::max(gradient[i], 0.0) : 0;
    }
}

/// How far x - step * direction stays within the bounds.
double feasible_step(const Vector& x, const Vector& direction) {
    double most = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < x.size(); ++i) {
        if (direction[i] > 0) most = std::min(most, x[i] / direction[i]);
        if (direction[i] < 0) most = std::min(most, (x[i] - 1) / direction[i]);
    }
    return most;
}

void advance(Vector& x, double step, const Vector& direction) {
    for (std::size_t i = 0; i < x.size(); ++i) x[i] -= step * direction[i];
}

/// One search: the state that lives from step to step.
struct Search {
    Bending& bending;
    Vector constant;  // the gradient where x is 0
    Vector x, gradient, inner, edge, direction, product;

    Search(Bending& matrix, std::size_t size)
        : bending(matrix),
          constant(size),
          x(size),
          gradient(size),
          inner(size),
          edge(size),
          direction(size),
          product(size) {}

    void renew_gradient() {
        bending.apply(x, gradient);
        for (std::size_t i = 0; i < x.size(); ++i) gradient[i] += constant[i];
        split(x, gradient, inner, edge);
    }

    /// A step of conjugate gradients, cut at the bounds and then pushed onto them.
    void go_inside() {
        bending.apply(direction, product);
        const double curvature = dot(direction, product);
        const double wanted = curvature > 0 ? dot(gradient, direction) / curvature : 0;
        const double most = feasible_step(x, direction);
        if (wanted <= most) {
            advance(x, wanted, direction);
            advance(gradient, wanted, product);
            split(x, gradient, inner, edge);
            const double turn = curvature > 0 ? dot(inner, product) / curvature : 0;
            for (std::size_t i = 0; i < x.size(); ++i) direction[i] = inner[i] - turn * direction[i];
            return;
        }
        advance(x, most, direction);
        advance(gradient, most, product);
        split(x, gradient, inner, edge);
        advance(x, safe_step, inner);
        for (double& value : x) value = std::clamp(value, 0.0, 1.0);
        renew_gradient();
        direction = inner;
    }

    /// A step off the bounds.
    void leave_bounds() {
        bending.apply(edge, product);
        const double curvature = dot(edge, product);
        const double wanted = curvature > 0 ? dot(gradient, edge) / curvature : 0;
        advance(x, std::min(wanted, feasible_step(x, edge)), edge);
        for (double& value : x) value = std::clamp(value, 0.0, 1.0);
        renew_gradient();
        direction = inner;
    }
};

}  // namespace

int minimize_bending(const FaceNeighbours& neighbours, std::span<const std::uint32_t> free, Vector& x,
                     const BoundedSolveOptions& options) {
    if (free.empty()) return 0;
    Bending bending(neighbours, free);
    Search search(bending, free.size());
    Vector fixed = x;
    for (const std::uint32_t cell : free) fixed[cell] = 0;
    bending.apply_full(fixed, search.constant);
    for (std::size_t i = 0; i < free.size(); ++i) search.x[i] = std::clamp(x[free[i]], 0.0, 1.0);
    search.renew_gradient();
    search.direction = search.inner;
    const double enough = options.tolerance * options.tolerance * dot(search.constant, search.constant);
    int steps = 0;
    for (; steps < options.most_steps; ++steps) {
        const double inside = dot(search.inner, search.inner), outside = dot(search.edge, search.edge);
        if (!(inside + outside > enough)) break;
        if (outside <= inside)
            search.go_inside();
        else
            search.leave_bounds();
    }
    for (std::size_t i = 0; i < free.size(); ++i) x[free[i]] = search.x[i];
    return steps;
}

}  // namespace sinew::rig
