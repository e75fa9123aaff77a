// SPDX-License-Identifier: MIT
// Solving 39 markers by the tree of joints against dense matrices.
//
// Marker solving on one thread: 39 markers on a skeleton of 22 moving joints.
//
//     bench_solve
//
// The baseline is the same Levenberg-Marquardt step with dense normal equations from the explicit Jacobian
// and a dense Cholesky factorisation; counters give frames per second and the ratio in one run.

#include <chrono>

#include "reference/marker_trial.h"
#include <Eigen/Cholesky>
#include <benchmark/benchmark.h>

#include "sinew/base/parallel.h"
#include "sinew/motion/markers/pose_solver.h"
#include "sinew/motion/solve.h"
#include "sinew/sample/samples.h"

namespace {

using namespace sinew;
using namespace sinew::motion;

struct Work {
    SubjectModel subject = with_plug_in_gait_markers(sample::man_skeleton());
    model::Trial trial =
        record_markers(subject, sample::man_walk(subject.skeleton, {.cycles = 3}), {.noise = 0.001});
    std::vector<std::vector<math::Vec3d>> frames;
    std::size_t joints = 0;

    Work() {
        set_thread_count(1);
        const MarkerMap map = map_markers(trial.markers);
        for (std::size_t f = 0; f < trial.frames; ++f) frames.push_back(marker_positions_at(trial, map, f));
        const PoseSolver solver(subject.skeleton, subject.attachments);
        for (std::size_t j = 0; j < subject.skeleton.size(); ++j) joints += solver.moves(j);
    }
};

const Work& work() {
    static const Work w;
    return w;
}

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Seconds of one iteration of the solver on every frame, from a pose that is nearly right.
double tree_step(const std::vector<Pose>& poses) {
    PoseOptions options;
    options.max_iterations = 1;
    PoseSolver solver(work().subject.skeleton, work().subject.attachments, options);
    const auto start = std::chrono::steady_clock::now();
    for (std::size_t f = 0; f < poses.size(); ++f) {
        Pose pose = poses[f];
        benchmark::DoNotOptimize(solver.solve(work().frames[f], pose));
    }
    return seconds_since(start);
}

/// The same by dense matrices.
double dense_step(const std::vector<Pose>& poses) {
    PoseSolver solver(work().subject.skeleton, work().subject.attachments);
    Eigen::MatrixXd jacobian;
    Eigen::VectorXd pull, residual;
    std::vector<math::Vec3d> points;
    const auto start = std::chrono::steady_clock::now();
    for (std::size_t f = 0; f < poses.size(); ++f) {
        solver.points(poses[f], points);
        solver.jacobian(poses[f], jacobian, pull);
        residual.resize(jacobian.rows());
        for (std::size_t m = 0; m < points.size(); ++m) {
            residual.segment<3>(3 * static_cast<Eigen::Index>(m)) = points[m] - work().frames[f][m];
        }
        Eigen::MatrixXd normal = Eigen::MatrixXd::Zero(jacobian.cols(), jacobian.cols());
        normal.selfadjointView<Eigen::Lower>().rankUpdate(jacobian.transpose());
        normal.diagonal() += pull;
        const Eigen::VectorXd step =
            normal.selfadjointView<Eigen::Lower>().llt().solve(jacobian.transpose() * residual);
        benchmark::DoNotOptimize(step.sum());
        solver.points(poses[f], points);
    }
    return seconds_since(start);
}

void solve_trial(benchmark::State& state) {
    const Work& w = work();
    std::size_t frames = 0;
    for (auto _ : state) {
        const SolveResult result = solve(w.trial, w.subject);
        frames += result.poses.size();
        state.counters["iterations"] = result.iterations;
    }
    state.counters["joints"] = static_cast<double>(w.joints);
    state.counters["markers"] = static_cast<double>(w.subject.names.size());
    state.counters["frames/s"] = benchmark::Counter(static_cast<double>(frames), benchmark::Counter::kIsRate);
}
BENCHMARK(solve_trial)->Unit(benchmark::kMillisecond);

void step_against_dense(benchmark::State& state) {
    const std::vector<Pose> poses = solve(work().trial, work().subject).poses;
    double tree = 0, dense = 0;
    for (auto _ : state) {
        tree += tree_step(poses);
        dense += dense_step(poses);
    }
    state.counters["times_as_fast_as_dense"] = dense / tree;
}
BENCHMARK(step_against_dense)->Unit(benchmark::kMillisecond);

void calibrate_trial(benchmark::State& state) {
    const Work& w = work();
    const MarkerMap map = map_markers(w.trial.markers);
    for (auto _ : state) benchmark::DoNotOptimize(calibrate(w.trial, map, w.subject.skeleton));
}
BENCHMARK(calibrate_trial)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
