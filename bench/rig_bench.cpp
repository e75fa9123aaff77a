// SPDX-License-Identifier: MIT
// What `sinew rig` takes without files: skeleton and weights of a man as his surface becomes finer.
//
// Seconds of processor time of one thread; the least of a few runs, because other work on the machine only
// adds.
//
//   cmake --build --preset release --target bench_rig && build/release/bench/bench_rig [most vertices]

#include <algorithm>
#include <cstdlib>
#include <ctime>

#include <fmt/format.h>

#include "sinew/base/parallel.h"
#include "sinew/pipeline/rig.h"
#include "sinew/sample/samples.h"

namespace {

using namespace sinew;

double now() {
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

void table(std::size_t most) {
    fmt::print("| vertices | joints | skeleton | weights | all |\n| ---: | ---: | ---: | ---: | ---: |\n");
    for (const std::size_t vertices : {5000u, 10000u, 30000u, 100000u, 300000u, 1000000u}) {
        if (vertices > most) break;
        model::Character man;
        man.mesh = sample::man_surface(2 * vertices);
        double skeleton = 1e30, weights = 1e30;
        std::size_t joints = 0;
        for (int run = 0; run < (vertices > 50000 ? 1 : 5); ++run) {
            const double begin = now();
            const rig::SkeletonizeResult found = pipeline::find_skeleton(man.mesh, {}, silent());
            const double middle = now();
            pipeline::bind_mesh(man.mesh, found.skeleton, {}, silent());
            skeleton = std::min(skeleton, middle - begin);
            weights = std::min(weights, now() - middle);
            joints = found.skeleton.size();
        }
        fmt::print("| {} | {} | {:.3f} | {:.3f} | {:.3f} |\n", man.mesh.vertex_count(), joints, skeleton,
                   weights, skeleton + weights);
        std::fflush(stdout);
    }
}

}  // namespace

int main(int argc, char** argv) {
    set_thread_count(1);
    fmt::print("one thread, seconds of processor time\n\n");
    table(argc > 1 ? static_cast<std::size_t>(std::atoll(argv[1])) : 1000000);
}
