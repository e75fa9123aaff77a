// SPDX-License-Identifier: MIT
// Retargeting a captured walk against sampling the same clip with its world matrices.
//
// Frames per second of retargeting a captured walk onto the sample man, on one thread, against sampling every
// frame of the same clip and computing its world matrices (what a plain player does).
//
//     bench_retarget [FILE.bvh]

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <functional>
#include <vector>

#include "sinew/base/parallel.h"
#include "sinew/io/io.h"
#include "sinew/motion/retarget.h"
#include "sinew/sample/samples.h"

namespace {

using namespace sinew;

/// Processor time of all threads, so that other programs on the machine do not count.
double seconds(const std::function<void()>& work) {
    const std::clock_t start = std::clock();
    work();
    return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

void run(const model::Character& source, const model::Skeleton& target, bool contacts) {
    const model::Clip& clip = source.clips.at(0);
    const std::size_t frames = model::frame_count(clip);
    motion::RetargetOptions options;
    options.foot_contacts = contacts;
    volatile double sink = 0;
    std::vector<double> ours, plain;
    for (int round = 0; round < 15; ++round) {
        ours.push_back(
            seconds([&] { sink = sink + motion::retarget(source.skeleton, clip, target, options).scale; }));
        plain.push_back(seconds([&] {
            for (std::size_t f = 0; f < frames; ++f)
                sink = sink + model::world_matrices(source, &clip, model::frame_time(clip, f))[0](0, 3);
        }));
    }
    std::printf(
        "%zu frames, %zu onto %zu joints%s: %.0f frames/s; playing the source alone %.0f frames/s: %.2f "
        "times\n",
        frames, source.skeleton.size(), target.size(), contacts ? ", feet pinned" : "",
        static_cast<double>(frames) / median(ours), static_cast<double>(frames) / median(plain),
        median(plain) / median(ours));
}

}  // namespace

int main(int argc, char** argv) {
    const std::filesystem::path file =
        argc > 1 ? argv[1] : SINEW_SOURCE_DIR "/../shared/data/bvh/cmu_01_01.bvh";
    const model::Character source = io::read(file).character;
    const model::Skeleton target = sample::make("man").skeleton;
    set_thread_count(1);
    run(source, target, false);
    run(source, target, true);
}
