#include "sinew/fit/reduced.h"

#include <numeric>

#include <Eigen/Eigenvalues>

#include "sinew/fit/motion_step.h"
#include "sinew/fit/proxy_joints.h"
#include "sinew/fit/simplex.h"
#include "sinew/fit/weight_step.h"

namespace sinew::fit {

using Eigen::Index;
using Eigen::MatrixXd;

namespace {

constexpr Index block = 256;

double erms(const ReducedTarget& reduced, double total) {
    const auto places = static_cast<double>(reduced.basis.rows() * reduced.target.vertices());
    return 1000 * std::sqrt((total + reduced.lost) / places);
}

/// The identity for every bone, in the reduced rows: what the first solve starts from.
Motions resting(const ReducedTarget& reduced, Index bones) {
    Motions full(reduced.basis.rows(), 4 * bones);
    for (Index f = 0; f < full.rows(); f += 3) {
        for (Index j = 0; j < bones; ++j) full.block<3, 4>(f, 4 * j) = Mat34d::Identity();
    }
    return reduced.basis.transpose() * full;
}

BlendWeights first_weights(const model::MeshSequence& sequence, const ReducedOptions& options,
                           Monitor& monitor) {
    const auto limit = static_cast<std::size_t>(options.influences);
    if (options.start != nullptr) return with_room(options.start->weights, limit);
    const ProxyJoints joints = place_joints(sequence.rest, options.bones, {}, monitor);
    return with_room(hat_weights(sequence.rest, joints), limit);
}

}  // namespace

ReducedTarget reduced_target(const model::MeshSequence& sequence, double tolerance) {
    ReducedTarget reduced;
    reduced.target = make_target(sequence);
    const Index rows = 3 * reduced.target.frames(), vertices = reduced.target.vertices();
    MatrixXd square = MatrixXd::Zero(rows, rows), goals;
    for (Index first = 0; first < vertices; first += block) {
        gather(reduced.target, first, std::min(block, vertices - first), goals);
        square.selfadjointView<Eigen::Lower>().rankUpdate(goals);
    }
    const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(square);
    const double all = solver.eigenvalues().sum();
    Index dropped = 0;
    while (dropped + 1 < rows &&
           reduced.lost + std::max(0.0, solver.eigenvalues()(dropped)) <= tolerance * all)
        reduced.lost += std::max(0.0, solver.eigenvalues()(dropped++));
    reduced.basis = solver.eigenvectors().rightCols(rows - dropped);
    MatrixXd kept(reduced.basis.cols(), vertices);
    for (Index first = 0; first < vertices; first += block) {
        const Index count = std::min(block, vertices - first);
        gather(reduced.target, first, count, goals);
        kept.middleCols(first, count) = reduced.basis.transpose() * goals;
    }
    reduced.target.reduced = std::move(kept);
    return reduced;
}

FitResult fit_reduced(const model::MeshSequence& sequence, const ReducedOptions& options, Monitor& monitor) {
    check_sequence(sequence);
    const ReducedTarget reduced = reduced_target(sequence, options.tolerance);
    FitResult fit;
    fit.rest = sequence.rest;
    fit.rate = sequence.rate;
    fit.rigid = false;
    fit.weights = first_weights(sequence, options, monitor);
    Index bones = 0;
    for (std::size_t v = 0; v < fit.weights.vertex_count(); ++v) {
        for (const BoneWeight& w : fit.weights.of(v)) bones = std::max(bones, static_cast<Index>(w.bone) + 1);
    }
    Motions motions = resting(reduced, bones);
    WeightStepOptions how;
    how.influences = options.influences;
    for (int s = 0; s < options.sweeps; ++s) {
        step(monitor, "fitting", static_cast<double>(s) / options.sweeps);
        affine_motion_step(blend_sums(reduced.target, fit.weights, bones), motions);
        const std::vector<double> errors = weight_step(reduced.target, motions, how, fit.weights);
        fit.history.push_back(erms(reduced, std::accumulate(errors.begin(), errors.end(), 0.0)));
    }
    fit.frames = to_poses(make_target(sequence), reduced.basis * motions);
    fit.centers = weight_centers(fit.rest, fit.weights, static_cast<std::size_t>(bones));
    return fit;
}

}  // namespace sinew::fit
