// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// What fits are measured against: principal components of the positions (Alexa and Mueller 2000), and rigid
/// parts without blending (Collins and Hilton 2005).

#include <algorithm>
#include <cmath>

#include <Eigen/Eigenvalues>

#include "sinew/fit/decomposition/decomposition.h"

namespace sinew::fit {

/// Positions as mean + `components` shapes with an amount for each frame.
struct PcaFit {
    std::size_t components = 0;
    double error_percent = 0;  ///< as SequenceError has it
    std::size_t bytes = 0;     ///< mean, shapes and amounts in single precision, without normals
};

/// Squared singular values of the centred positions over the frames, largest first.
inline std::vector<double> energies(const model::MeshSequence& sequence) {
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

inline std::size_t pca_bytes(const model::MeshSequence& sequence, std::size_t components) {
    const std::size_t numbers = 3 * sequence.rest.positions.size();
    return 4 * (numbers + components * (numbers + sequence.frames.size()));
}

/// The best error that `components` principal components can have: the singular values that are left out.
inline PcaFit pca_baseline(const model::MeshSequence& sequence, std::size_t components) {
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

/// As many components as fit into so many bytes.
inline PcaFit pca_for_bytes(const model::MeshSequence& sequence, std::size_t bytes) {
    std::size_t components = 0;
    while (components < sequence.frames.size() && pca_bytes(sequence, components + 1) <= bytes) ++components;
    return pca_baseline(sequence, components);
}

/// Every vertex follows one rigid bone.
inline FitResult fit_unblended(const model::MeshSequence& sequence, int bones, Monitor& monitor = silent()) {
    DecompositionOptions options;
    options.bones = bones;
    options.influences = 1;
    return fit_decomposition(sequence, options, monitor);
}

}  // namespace sinew::fit
