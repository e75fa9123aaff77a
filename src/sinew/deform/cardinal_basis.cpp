#include "sinew/deform/cardinal_basis.h"

#include <cmath>
#include <limits>

#include <Eigen/QR>

#include "sinew/base/error.h"

namespace sinew::deform {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double ridge = 1e-8;

/// Distance of every example from the next one.
VectorXd nearest_distances(const MatrixXd& examples) {
    VectorXd nearest = VectorXd::Constant(examples.rows(), std::numeric_limits<double>::infinity());
    for (Index a = 0; a < examples.rows(); ++a) {
        for (Index b = 0; b < examples.rows(); ++b)
            if (a != b) nearest[a] = std::min(nearest[a], (examples.row(a) - examples.row(b)).norm());
        if (nearest[a] == 0) fail("examples", "number {} has the place of another", a + 1);
    }
    return examples.rows() == 1 ? VectorXd::Ones(1) : nearest;
}

/// Cubic B-spline over -2 .. 2.
double spline(double x) {
    if (x >= 2) return 0;
    return x >= 1 ? std::pow(2 - x, 3) / 6 : 2.0 / 3 - x * x + x * x * x / 2;
}

}  // namespace

CardinalBasis::CardinalBasis(MatrixXd examples, BasisKind kind)
    : kind_(kind), examples_(std::move(examples)) {
    const Index count = examples_.rows();
    if (count == 0) fail("examples", "there is none");
    widths_ = nearest_distances(examples_);
    MatrixXd residual = MatrixXd::Identity(count, count);  // row: place of an example, column: function
    if (kind == BasisKind::gaussian) {
        widths_.setConstant(widths_.mean());
    } else {
        MatrixXd places(count, examples_.cols() + 1);
        for (Index e = 0; e < count; ++e) places.row(e) = with_one(examples_.row(e));
        linear_ = places.completeOrthogonalDecomposition().solve(residual).transpose();
        residual -= places * linear_.transpose();
    }
    MatrixXd kernel(count, count);
    for (Index e = 0; e < count; ++e) kernel.row(e) = kernels(examples_.row(e));
    kernel.diagonal().array() += ridge;
    radial_ = kernel.colPivHouseholderQr().solve(residual).transpose();
}

VectorXd CardinalBasis::with_one(const VectorXd& place) const {
    VectorXd extended(place.size() + 1);
    extended << 1, place;
    return extended;
}

VectorXd CardinalBasis::kernels(const VectorXd& place) const {
    VectorXd values(examples_.rows());
    for (Index e = 0; e < values.size(); ++e) {
        const double x = (place - examples_.row(e).transpose()).norm() / widths_[e];
        values[e] = kind_ == BasisKind::gaussian ? std::exp(-x * x / 2) : spline(x);
    }
    return values;
}

VectorXd CardinalBasis::weights(const VectorXd& place) const {
    if (place.size() != examples_.cols())
        fail("examples", "{} numbers for a space of {}", place.size(), examples_.cols());
    VectorXd values = radial_ * kernels(place);
    if (kind_ == BasisKind::linear) values += linear_ * with_one(place);
    return values;
}

}  // namespace sinew::deform
