// SPDX-License-Identifier: MIT
// A gait report of a trial of ten seconds against the length of the trial.
//
// The report of a walking trial of ten seconds: its numbers, and the whole of `sinew gait` with solving and
// pictures. The baseline is the trial itself: ten seconds.

#include <cstdlib>
#include <filesystem>

#include "reference/marker_trial.h"
#include "support.h"
#include <benchmark/benchmark.h>
#include <sys/resource.h>
#include <unistd.h>

#include "sinew/gait/gait.h"
#include "sinew/io/io.h"
#include "sinew/motion/clean.h"
#include "sinew/motion/solve.h"
#include "sinew/rig/skeletonize.h"
#include "sinew/sample/samples.h"

namespace {

using namespace sinew;

double processor_seconds(int who) {
    rusage usage{};
    getrusage(who, &usage);
    const auto seconds = [](const timeval& t) {
        return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
    };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/// 39 markers, a millimetre of noise, cut to ten seconds.
const model::Trial& trial() {
    static const model::Trial made = [] {
        const motion::SubjectModel subject = motion::with_plug_in_gait_markers(sample::man_skeleton());
        model::Trial t = motion::record_markers(subject, sample::man_walk(subject.skeleton, {.cycles = 11}));
        t.frames = std::min(t.frames, static_cast<std::size_t>(10 * t.rate) + 1);
        t.markers.positions.resize(t.frames * t.markers.count());
        t.markers.residuals.resize(t.frames * t.markers.count());
        return t;
    }();
    return made;
}

double length() {
    return static_cast<double>(trial().frames - 1) / trial().rate;
}

void numbers(benchmark::State& state) {
    for (auto _ : state) {
        const model::Trial clean = motion::clean(trial()).trial;
        const motion::SolveResult solved = motion::solve(clean, rig::skeleton_template("biped"));
        model::Character body;
        body.skeleton = solved.skeleton;
        body.clips = {solved.clip};
        benchmark::DoNotOptimize(gait::analyse_gait(trial(), {}, silent(), &body));
    }
    state.counters["trial_seconds"] = length();
}
BENCHMARK(numbers)->Unit(benchmark::kMillisecond);

/// Wall time, and processor time of the child: `wall_seconds` and `cpu_seconds` of one report.
void whole_report(benchmark::State& state) {
    namespace fs = std::filesystem;
    const fs::path folder = fs::temp_directory_path() / ("sinew_gait_bench_" + std::to_string(getpid()));
    fs::create_directories(folder);
    io::Asset asset;
    asset.trial = trial();
    io::write(folder / "walk.c3d", asset);
    const std::string command = std::string("'") + SINEW_CLI + "' gait '" + (folder / "walk.c3d").string() +
                                "' -o '" + (folder / "walk.html").string() + "' --quiet";
    double wall = 0;
    const double before = processor_seconds(RUSAGE_CHILDREN);
    for (auto _ : state) {
        wall += bench::seconds([&] {
            if (std::system(command.c_str()) != 0) state.SkipWithError("sinew gait failed");
        });
    }
    const auto runs = static_cast<double>(state.iterations());
    state.counters["wall_seconds"] = wall / runs;
    state.counters["cpu_seconds"] = (processor_seconds(RUSAGE_CHILDREN) - before) / runs;
    state.counters["times_as_fast_as_the_trial"] = length() * runs / wall;
    state.counters["trial_seconds"] = length();
    fs::remove_all(folder);
}
BENCHMARK(whole_report)->Unit(benchmark::kMillisecond)->Iterations(5)->UseRealTime();

}  // namespace

BENCHMARK_MAIN();
