// SPDX-License-Identifier: MIT
#include <string_view>

#include "program.h"

int main(int argc, char** argv) {
    using namespace sinew::cli;
    if (argc > 1 && std::string_view(argv[1]) == "bench") {
        fmt::print(stderr,
                   "sinew: error: benchmarks are now the program sinew-bench: cmake --build build/release "
                   "--target sinew_bench\n");
        return 2;
    }
    Program program;
    add_demo(program);
    add_info(program);
    add_sample(program);
    add_convert(program);
    add_deform(program);
    add_segment(program);
    add_skeletonize(program);
    add_bind(program);
    add_rig(program);
    add_edit(program);
    add_solve(program);
    add_retarget(program);
    add_blend(program);
    add_clean(program);
    add_animate(program);
    add_gait(program);
    add_study(program);
    add_fit(program);
    add_render(program);
    add_publish(program);
    add_collide(program);
    add_measure(program);
    add_batch(program);
    add_studio(program);
    add_completion(program);
    add_help(program);
    return program.main(argc, argv);
}
