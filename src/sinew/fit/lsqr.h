#pragma once
/// \file
/// Sparse least squares by bidiagonalisation (Paige and Saunders 1982).

#include <Eigen/SparseCore>

namespace sinew::fit {

struct LsqrOptions {
    double tolerance = 1e-8;  ///< of both stopping rules
    double condition = 1e8;   ///< stops when the estimated condition of A is larger
    int iterations_each = 4;  ///< at most so many for each unknown
    double damping = 0;       ///< minimises |A x - b|^2 + damping^2 |x|^2
};

struct LsqrResult {
    Eigen::VectorXd x;
    int iterations = 0;
    bool ill_posed = false;  ///< the condition limit was met
};

/// The x of least |A x - b|, and of those the shortest.
LsqrResult lsqr(const Eigen::SparseMatrix<double, Eigen::RowMajor>& a, const Eigen::VectorXd& b,
                const LsqrOptions& options = {});

}  // namespace sinew::fit
