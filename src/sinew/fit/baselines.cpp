#include "sinew/fit/baselines.h"

#include <algorithm>

#include <Eigen/Eigenvalues>

#include "sinew/fit/decomposition.h"

namespace sinew::fit {
namespace {

/// Squared singular values of the centred positions over the frames, largest first.
std::vector<double> energies(const model::MeshSequence& sequence) {
    const auto frames = static_cast<Eigen::Index>(sequence.frames.size());
    Eigen::MatrixXd gram = Eigen::MatrixXd::Zero(frames, frames);
    Eigen::Matrix3Xd row(3, frames);
    for (std::size_t v = 0; v < sequence.rest.positions.size(); ++v) {
        for (Eigen::Index f = 0; f < frames; ++f)
            row.col(f) = sequence.frames[static_cast<std::size_t>(f)][v].cast<double>();
        row.colwise() -= Vec3d(row.rowwise().mean());
        gram.noalias() += row.transpose() * row;
    }
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(gram, Eigen::EigenvaluesOnly);
    std::vector<double> values(solver.eigenvalues().data(), solver.eigenvalues().data() + frames);
    std::reverse(values.begin(), values.end());
    for (double& e : values) e = std::max(0.0, e);
    return values;
}

std::size_t pca_bytes(const model::MeshSequence& sequence, std::size_t components) {
    const std::size_t numbers = 3 * sequence.rest.positions.size();
    return 4 * (numbers + components * (numbers + sequence.frames.size()));
}

}  // namespace

PcaFit pca_baseline(const model::MeshSequence& sequence, std::size_t components) {
    check_sequence(sequence);
    const std::vector<double> values = energies(sequence);
    PcaFit fit;
    fit.components = std::min(components, values.size());
    fit.bytes = pca_bytes(sequence, fit.components);
    double all = 0, left = 0;
    for (std::size_t j = 0; j < values.size(); ++j) {
        all += values[j];
        if (j >= fit.components) left += values[j];
    }
    fit.error_percent = all > 0 ? 100 * std::sqrt(left / all) : 0;
    return fit;
}

PcaFit pca_for_bytes(const model::MeshSequence& sequence, std::size_t bytes) {
    std::size_t components = 0;
    while (components < sequence.frames.size() && pca_bytes(sequence, components + 1) <= bytes) ++components;
    return pca_baseline(sequence, components);
}

FitResult fit_unblended(const model::MeshSequence& sequence, int bones, Monitor& monitor) {
    DecompositionOptions options;
    options.bones = bones;
    options.influences = 1;
    return fit_decomposition(sequence, options, monitor);
}

}  // namespace sinew::fit
