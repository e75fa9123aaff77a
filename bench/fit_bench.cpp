// SPDX-License-Identifier: MIT
// Fits of mesh sequences as vertices, frames and joints grow; two threads against one; published errors.
//
// Fits of mesh sequences: how the time grows with vertices, frames and joints, two threads against one, and
// the sequences that others publish their errors of, where they are there (`$SINEW_DATA`).
//
//     bench_fit [sequences]
//
// Processor time, so that other work on the machine does not count; threads by the wall clock, taking turns.

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <functional>
#include <string_view>

#include "sinew/base/parallel.h"
#include "sinew/fit/decomposition/decomposition.h"
#include "sinew/fit/fit.h"
#include "sinew/fit/proxy/proxy.h"
#include "sinew/io/io.h"
#include "sinew/sample/sequences.h"

namespace {

using namespace sinew;

double processor_seconds(const std::function<void()>& work) {
    const std::clock_t start = std::clock();
    work();
    return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

double wall_seconds(const std::function<void()>& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

fit::ProxyOptions proxy(bool rigid, int joints, int refinements) {
    fit::ProxyOptions options;
    options.rigid = rigid;
    options.joints = joints;
    options.refinements = refinements;
    return options;
}

struct Size {
    std::size_t vertices, frames;
    int joints;
};

/// One line: affine, rigid, rigid with least-squares weights, decomposition with a third of the bones.
void measure(const Size& size) {
    const model::MeshSequence sequence = sample::make_sequence("flag", {size.vertices, size.frames});
    const double affine = processor_seconds([&] { fit::fit_proxy(sequence, proxy(false, size.joints, 0)); });
    const double rigid = processor_seconds([&] { fit::fit_proxy(sequence, proxy(true, size.joints, 0)); });
    const double weights = processor_seconds([&] { fit::fit_proxy(sequence, proxy(true, size.joints, 1)); });
    fit::DecompositionOptions options;
    options.bones = size.joints / 3;
    const double decomposition = processor_seconds([&] { fit::fit_decomposition(sequence, options); });
    std::printf("%8zu %7zu %7d %9.3f %9.3f %9.3f %9.3f\n", size.vertices, size.frames, size.joints, affine,
                rigid, weights, decomposition);
    std::fflush(stdout);
}

double seconds_on(clockid_t clock) {
    timespec time{};
    clock_gettime(clock, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// By the wall clock, which needs two free cores, and by how the processor time is shared between the
/// threads, which does not.
void measure_threads() {
    const model::MeshSequence sequence = sample::make_sequence("flag", {6400, 60});
    const auto work = [&] { fit::fit_proxy(sequence, proxy(true, 100, 1)); };
    double best[2] = {1e9, 1e9}, share = 0;
    for (int round = 0; round < 3; ++round) {
        for (int threads = 1; threads <= 2; ++threads) {
            set_thread_count(threads);
            const double all = seconds_on(CLOCK_PROCESS_CPUTIME_ID),
                         own = seconds_on(CLOCK_THREAD_CPUTIME_ID);
            best[threads - 1] = std::min(best[threads - 1], wall_seconds(work));
            share =
                (seconds_on(CLOCK_THREAD_CPUTIME_ID) - own) / (seconds_on(CLOCK_PROCESS_CPUTIME_ID) - all);
        }
    }
    std::printf("two threads: %.2f times as fast as one by the wall clock (%.2f s, %.2f s)\n",
                best[0] / best[1], best[0], best[1]);
    std::printf("             the first thread has %.0f %% of the work\n", 100 * share);
}

/// Captured and modelled sequences by decomposition, as `sinew fit` does it.
void measure_sequences() {
    const char* const given = std::getenv("SINEW_DATA");
    const std::filesystem::path folder =
        std::filesystem::path(given != nullptr ? given : SINEW_SOURCE_DIR "/../shared/data") / "sequence";
    if (!std::filesystem::exists(folder)) {
        std::printf("no sequences in %s\n", folder.c_str());
        return;
    }
    std::printf("one thread, processor seconds; E_RMS is 1000 times that of a model of radius 1\n");
    std::printf("sequence        bones  E_RMS rigid        s  one start        s     affine        s\n");
    const std::pair<const char*, std::vector<int>> rows[] = {{"horse-gallop", {8, 10, 12, 20, 30}},
                                                             {"horse-collapse", {8, 10, 12, 20}},
                                                             {"cat-poses", {8, 10, 12, 25}},
                                                             {"pcow", {8, 10, 12, 24}}};
    for (const auto& [name, counts] : rows) {
        const model::MeshSequence sequence = io::read(folder / name).sequence;
        for (const int bones : counts) {
            std::printf("%-15s %5d ", name, bones);
            for (const fit::FitOptions& options :
                 {fit::FitOptions{.bones = bones}, fit::FitOptions{.bones = bones, .effort = 1},
                  fit::FitOptions{.bones = bones, .rigid = false}}) {
                fit::Fitted result;
                const double seconds = processor_seconds([&] { result = fit::fit(sequence, options); });
                std::printf(" %10.3f %8.2f", result.error.erms, seconds);
            }
            std::printf("\n");
            std::fflush(stdout);
        }
    }
}

}  // namespace

int main(int argc, char** argv) {
    set_thread_count(1);
    if (argc > 1 && std::string_view(argv[1]) == "sequences") {
        measure_sequences();
        return 0;
    }
    std::printf("one thread, processor seconds; decomposition has a third of the joints\n");
    std::printf("vertices  frames  joints    affine     rigid + weights decomposition\n");
    for (const Size& size :
         {Size{6400, 100, 100}, Size{1600, 50, 50}, Size{3200, 50, 50}, Size{6400, 50, 50},
          Size{1600, 100, 50}, Size{1600, 200, 50}, Size{1600, 50, 25}, Size{1600, 50, 100}})
        measure(size);
    measure_threads();
    measure_sequences();
    return 0;
}
