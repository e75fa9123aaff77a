// SPDX-License-Identifier: MIT
#include "sinew/fit/decomposition/corrections.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include "sinew/base/parallel.h"

namespace sinew::fit {

using Eigen::Index;
using Eigen::MatrixXd;
using math::Mat3d;
using model::MeshSequence;

namespace {

constexpr std::size_t block_vertices = 64;  ///< whose residuals are in memory at a time

/// Number of vertices that share a Gram matrix of the frames: there are at most 16 such matrices, and
/// together they use at most a quarter of the memory of the sequence.
std::size_t gram_grain(std::size_t vertices, std::size_t frames) {
    const std::size_t parts = std::clamp<std::size_t>(3 * vertices / (8 * frames), 1, 16);
    return vertices / parts + 1;
}

/// T^-1 g - v, or zero where T has no inverse.
Vec3d pulled_back(const Mat34d& t, const Vec3d& goal, const Vec3d& rest, bool& possible) {
    const Mat3d linear = t.leftCols<3>();
    const double size = linear.norm();
    Mat3d inverse;
    linear.computeInverseWithCheck(inverse, possible, 1e-12 * size * size * size);
    possible = possible && size * inverse.norm() < 1e6;
    return possible ? Vec3d(inverse * (goal - t.col(3)) - rest) : Vec3d::Zero();
}

/// Of a vertex in a frame.
using Residual = std::function<Vec3d(std::size_t, std::size_t)>;

/// Residuals of a run of vertices over all frames: 3 count x F.
MatrixXd block_residuals(std::size_t begin, std::size_t end, std::size_t frames, const Residual& residual) {
    MatrixXd block(3 * static_cast<Index>(end - begin), static_cast<Index>(frames));
    for (std::size_t f = 0; f < frames; ++f) {
        for (std::size_t v = begin; v < end; ++v)
            block.block<3, 1>(3 * static_cast<Index>(v - begin), static_cast<Index>(f)) = residual(v, f);
    }
    return block;
}

/// Y^T Y of all residuals; only the lower half counts.
MatrixXd residual_gram(std::size_t vertices, std::size_t frames, const Residual& residual) {
    const auto n = static_cast<Index>(frames);
    return parallel_sum(
        vertices, gram_grain(vertices, frames), MatrixXd(MatrixXd::Zero(n, n)),
        [&](std::size_t begin, std::size_t end) {
            MatrixXd gram = MatrixXd::Zero(n, n);
            for (std::size_t b = begin; b < end; b += block_vertices)
                gram.selfadjointView<Eigen::Lower>().rankUpdate(
                    block_residuals(b, std::min(b + block_vertices, end), frames, residual).transpose());
            return gram;
        });
}

/// Rounding makes the shapes of small singular values slightly non-orthogonal. They are orthogonalised (Gram
/// and Schmidt, twice) and the amounts adjusted, so that the product does not change.
void orthonormalize(Corrections& c) {
    for (Index j = 0; j < c.shapes.cols(); ++j) {
        for (int pass = 0; pass < 2; ++pass) {
            for (Index i = 0; i < j; ++i) {
                const double along = c.shapes.col(i).dot(c.shapes.col(j));
                c.shapes.col(j) -= along * c.shapes.col(i);
                c.amounts.row(i) += along * c.amounts.row(j);
            }
        }
        const double length = std::max(c.shapes.col(j).norm(), 1e-300);
        c.shapes.col(j) /= length;
        c.amounts.row(j) *= length;
    }
}

/// Singular vectors from the Gram matrix of the frames, F x F; residuals are computed twice instead of
/// stored.
Corrections decompose(std::size_t vertices, std::size_t frames, std::size_t count, const Residual& residual) {
    const auto n = static_cast<Index>(frames);
    const MatrixXd gram = residual_gram(vertices, frames, residual);
    const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(gram);
    Corrections result;
    for (Index j = n - 1; j >= 0; --j)
        result.singular_values.push_back(std::sqrt(std::max(0.0, solver.eigenvalues()(j))));
    std::size_t kept = std::min(count, frames);
    while (kept > 0 && result.singular_values[kept - 1] <= 1e-13 * result.singular_values[0]) --kept;
    const auto f = static_cast<Index>(kept);
    const MatrixXd v = solver.eigenvectors().rightCols(f).rowwise().reverse();
    result.shapes.resize(3 * static_cast<Index>(vertices), f);
    result.amounts.resize(f, n);
    MatrixXd scaled = v;
    for (Index j = 0; j < f; ++j) {
        const double sigma = result.singular_values[static_cast<std::size_t>(j)];
        scaled.col(j) /= sigma;
        result.amounts.row(j) = sigma * v.col(j).transpose();
    }
    parallel_blocks(vertices, block_vertices, [&](std::size_t begin, std::size_t end) {
        result.shapes.middleRows(3 * static_cast<Index>(begin), 3 * static_cast<Index>(end - begin)) =
            block_residuals(begin, end, frames, residual) * scaled;
    });
    orthonormalize(result);
    for (Index j = 0; j < f; ++j) {
        // The largest entry of a shape is positive.
        Index largest = 0;
        result.shapes.col(j).cwiseAbs().maxCoeff(&largest);
        if (result.shapes(largest, j) >= 0) continue;
        result.shapes.col(j) *= -1;
        result.amounts.row(j) *= -1;
    }
    return result;
}

}  // namespace

MatrixXd correction_amounts(const FitResult& fit, const MeshSequence& sequence, const MatrixXd& shapes) {
    const Index count = shapes.cols();
    MatrixXd amounts(count, static_cast<Index>(sequence.frames.size()));
    parallel_for(sequence.frames.size(), 1, [&](std::size_t f) {
        MatrixXd square = MatrixXd::Zero(count, count);
        Eigen::VectorXd right = Eigen::VectorXd::Zero(count);
        for (std::size_t v = 0; v < fit.rest.positions.size(); ++v) {
            const Mat34d t = blended_matrix(fit.weights.of(v), fit.frames[f]);
            const Vec3d rest = fit.rest.positions[v].cast<double>();
            const MatrixXd moved = t.leftCols<3>() * shapes.middleRows<3>(3 * static_cast<Index>(v));
            right += moved.transpose() *
                     (sequence.frames[f][v].cast<double>() - t.leftCols<3>() * rest - t.col(3));
            square += moved.transpose() * moved;
        }
        square.diagonal().array() += 1e-12 * square.trace() + 1e-300;
        amounts.col(static_cast<Index>(f)) = square.ldlt().solve(right);
    });
    return amounts;
}

Corrections eigen_displacements(const FitResult& fit, const MeshSequence& sequence, std::size_t count,
                                CorrectionReport* report) {
    const Residual residual = [&](std::size_t v, std::size_t f) -> Vec3d {
        bool possible = false;
        return pulled_back(blended_matrix(fit.weights.of(v), fit.frames[f]),
                           sequence.frames[f][v].cast<double>(), fit.rest.positions[v].cast<double>(),
                           possible);
    };
    if (report != nullptr) {
        std::vector<std::size_t> skipped(sequence.frames.size(), 0);
        parallel_for(skipped.size(), 1, [&](std::size_t f) {
            for (std::size_t v = 0; v < fit.rest.positions.size(); ++v) {
                bool possible = false;
                pulled_back(blended_matrix(fit.weights.of(v), fit.frames[f]), Vec3d::Zero(), Vec3d::Zero(),
                            possible);
                skipped[f] += possible ? 0 : 1;
            }
        });
        report->skipped = std::accumulate(skipped.begin(), skipped.end(), std::size_t{0});
    }
    Corrections corrections = decompose(fit.rest.positions.size(), sequence.frames.size(), count, residual);
    // Matrices stretch what was orthonormal at rest; blends of rigid bones shrink it.
    if (fit.blend == Blend::linear && corrections.count() > 0)
        corrections.amounts = correction_amounts(fit, sequence, corrections.shapes);
    return corrections;
}

Corrections normal_displacements(const FitResult& fit, const MeshSequence& sequence, std::size_t count) {
    std::vector<std::vector<math::Vec3f>> goals;
    for (const auto& frame : sequence.frames)
        goals.push_back(geometry::vertex_normals(frame, sequence.rest.triangles));
    const bool own = fit.normal_rule == NormalRule::own || fit.normal_rule == NormalRule::direct;
    return decompose(
        fit.rest.normals.size(), goals.size(), count, [&](std::size_t v, std::size_t f) -> Vec3d {
            const BonePose& pose = fit.normals.empty() ? fit.frames[f] : fit.normals[f];
            const Mat3d linear = blended_matrix(fit.weights.of(v), pose).leftCols<3>();
            const Vec3d goal = goals[f][v].cast<double>(), rest = fit.rest.normals[v].cast<double>();
            // Normals follow det(T) T^-T, so they are transformed back by T^T and the sign of det(T); those
            // with matrices of their own by the inverse.
            if (pose.matrices.empty() || !own) {
                const double side = linear.determinant() < 0 ? -1 : 1;
                return Vec3d(side * (linear.transpose() * goal).normalized() - rest);
            }
            // Matrices that were fitted to normals alone may be nearly singular: the shortest sufficient
            // change is used.
            Mat3d square = linear.transpose() * linear;
            square.diagonal().array() += 0.01 * square.trace();
            return Vec3d(square.ldlt().solve(linear.transpose() * (goal - linear * rest)));
        });
}

}  // namespace sinew::fit
