#include "sinew/fit/lsqr.h"

#include <cmath>

namespace sinew::fit {

using Eigen::VectorXd;

namespace {

/// Makes a vector unit and gives its length.
double normalize(VectorXd& v) {
    const double length = v.norm();
    if (length > 0) v /= length;
    return length;
}

}  // namespace

LsqrResult lsqr(const Eigen::SparseMatrix<double, Eigen::RowMajor>& a, const VectorXd& b,
                const LsqrOptions& options) {
    LsqrResult result;
    result.x = VectorXd::Zero(a.cols());
    VectorXd u = b;
    double beta = normalize(u);
    if (beta == 0) return result;
    VectorXd v = a.transpose() * u;
    double alpha = normalize(v);
    VectorXd w = v;
    const double size = beta;
    double phi_bar = beta, rho_bar = alpha, norm2 = 0, inverse2 = 0;
    const auto most = static_cast<int>(options.iterations_each * a.cols());
    for (; result.iterations < most && alpha > 0; ++result.iterations) {
        u = a * v - alpha * u;
        beta = normalize(u);
        norm2 += alpha * alpha + beta * beta + options.damping * options.damping;
        v = a.transpose() * u - beta * v;
        alpha = normalize(v);
        // The damping row is turned away first, then the subdiagonal.
        const double damped = std::hypot(rho_bar, options.damping);
        phi_bar *= rho_bar / damped;
        const double rho = std::hypot(damped, beta), cosine = damped / rho, sine = beta / rho;
        const double theta = sine * alpha, phi = cosine * phi_bar;
        inverse2 += w.squaredNorm() / (rho * rho);
        result.x += (phi / rho) * w;
        w = v - (theta / rho) * w;
        rho_bar = -cosine * alpha;
        phi_bar *= sine;
        const double norm = std::sqrt(norm2);
        result.ill_posed = norm * std::sqrt(inverse2) > options.condition;
        const bool solved = std::abs(phi_bar) <= options.tolerance * (size + norm * result.x.norm());
        const bool least = alpha * std::abs(cosine) <= options.tolerance * norm;
        if (solved || least || result.ill_posed) break;
    }
    return result;
}

}  // namespace sinew::fit
