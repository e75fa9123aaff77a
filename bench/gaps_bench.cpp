// SPDX-License-Identifier: MIT
// Closing the gaps of four joints against the published seconds (Vasilakis 2008).
//
// Closing the gaps of four moving joints per frame on one thread, beside the published seconds for the same
// work (Vasilakis 2008: Core Quad 2.4 GHz, one core), and how the time grows with the size of the cut. The
// cow and the horse of the publication are not at hand: built-in animals of about their size stand beside
// them, and Homer himself where $SINEW_DATA or ../shared/data has him. Every figure is the 10th percentile of
// many frames.
//
//   cmake --build --preset release --target bench_gaps && build/release/bench/bench_gaps

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <filesystem>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "sinew/articulated/closing/gap.h"
#include "sinew/articulated/gaps.h"
#include "sinew/io/io.h"
#include "sinew/rig/segment.h"
#include "sinew/sample/samples.h"

namespace {

using namespace sinew;
using namespace sinew::articulated;
using math::Rigidd;

/// Published means over four frames: remove, add, triangulate, normals.
struct Published {
    const char* name;
    std::size_t vertices;
    double seconds[4];
    double total() const { return seconds[0] + seconds[1] + seconds[2] + seconds[3]; }
};
constexpr Published published[] = {{"Cow", 3825, {0.04104, 0.36970, 1.40799, 0.03291}},
                                   {"Homer", 4930, {0.05722, 0.95265, 1.90364, 0.04500}},
                                   {"Dilo", 5524, {0.03531, 0.18371, 1.00156, 0.02077}},
                                   {"Camel", 6013, {0.03232, 0.15451, 0.97638, 0.02048}}};

std::filesystem::path data_folder() {
    if (const char* given = std::getenv("SINEW_DATA")) return given;
    return std::filesystem::path(SINEW_SOURCE_DIR) / ".." / "shared" / "data";
}

/// The four joints with the longest seams turn by `degrees` about an axis across their limbs; everything
/// below follows.
std::vector<Rigidd> pose(const GapCloser& closer, double degrees, std::size_t joints) {
    std::vector<std::size_t> order(closer.gaps().size());
    for (std::size_t g = 0; g < order.size(); ++g) order[g] = g;
    std::ranges::stable_sort(order, std::greater{},
                             [&](std::size_t g) { return closer.gaps()[g].loop_size; });
    order.resize(std::min(order.size(), joints));
    const PartBody& body = closer.body();
    std::vector<Rigidd> own(body.part_count()), world(body.part_count());
    for (const std::size_t g : order) {
        const Gap& gap = closer.gaps()[g];
        own[static_cast<std::size_t>(gap.child)] =
            math::rotation_about<double>(gap.pivot, gap.normal.unitOrthogonal(), math::radians(degrees));
    }
    for (std::size_t p = 0; p < world.size(); ++p) {
        Rigidd chain;
        for (int up = static_cast<int>(p); up >= 0; up = body.parent[static_cast<std::size_t>(up)])
            chain = own[static_cast<std::size_t>(up)] * chain;
        world[p] = chain;
    }
    return world;
}

struct Measured {
    GapSeconds seconds;
    std::size_t removed = 0, added = 0;
    double whole = 0;  ///< processor time of a frame: the stages, moving the parts, putting the mesh together
    double wall = 0;   ///< seconds by the clock on the wall
};

Measured measure(const GapCloser& closer, double degrees, std::size_t joints) {
    const std::vector<Rigidd> world = pose(closer, degrees, joints);
    Measured best;
    best.whole = best.wall = 1e9;
    for (int i = 0; i < 60; ++i) {
        const auto begin = std::chrono::steady_clock::now();
        const std::clock_t start = std::clock();
        const GapFrame frame = closer.close(world);
        best.wall = std::min(best.wall,
                             std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
        const double whole = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
        if (i == 0 || frame.seconds.total() < best.seconds.total()) best.seconds = frame.seconds;
        best.whole = std::min(best.whole, whole);
        best.removed = frame.removed_vertices;
        best.added = frame.added_vertices;
    }
    return best;
}

void print_row(const std::string& name, std::size_t vertices, const GapSeconds& s, double whole,
               const std::string& tail) {
    fmt::print("{:<22} {:>8} {:>9.5f} {:>9.5f} {:>11.5f} {:>9.5f} {:>9.5f} {:>9.5f}  {}\n", name, vertices,
               s.remove, s.add, s.triangulate, s.normals, s.total(), whole, tail);
}

void table_of_models() {
    fmt::print("Seconds a frame with four moving joints (mean of bends by 30, 60, 90 and 120 degrees)\n");
    fmt::print("{:<22} {:>8} {:>9} {:>9} {:>11} {:>9} {:>9} {:>9}\n", "model", "vertices", "remove", "add",
               "triangulate", "normals", "total", "frame");
    for (const Published& p : published)
        print_row(fmt::format("{} (published)", p.name), p.vertices,
                  {p.seconds[0], p.seconds[1], p.seconds[2], p.seconds[3]}, p.total(), "");
    const auto row = [](const std::string& name, PartBody body) {
        GapOptions options;
        options.parallel = false;
        const std::size_t vertices = body.cut.points.size();
        const GapCloser all_cores(body);
        const GapCloser closer(std::move(body), options);
        GapSeconds sum;
        double whole = 0, worst = 0, wall = 0;
        for (const double degrees : {30.0, 60.0, 90.0, 120.0}) {
            const Measured m = measure(closer, degrees, 4);
            sum.include(m.seconds);
            whole += m.whole / 4;
            wall += measure(all_cores, degrees, 4).wall / 4;
            worst = std::max(worst, m.whole);
        }
        const GapSeconds mean{sum.remove / 4, sum.add / 4, sum.triangulate / 4, sum.normals / 4};
        print_row(name, vertices, mean, whole,
                  fmt::format(
                      "all cores {:.5f}, worst of one {:.5f}; Homer's time / {:.0f}, Camel's / {:.0f}", wall,
                      worst, published[1].total() / mean.total(), published[3].total() / mean.total()));
    };
    for (const char* name : {"man", "cat", "horse"}) row(name, rigid_parts_of_skin(sample::make(name)).body);
    const std::filesystem::path homer = data_folder() / "mesh" / "homer.obj";
    if (!std::filesystem::exists(homer)) return;
    const geometry::Mesh mesh = io::read(homer).character.mesh;
    const rig::PartBody parts = rig::part_body(mesh);
    row("homer.obj", part_body(mesh, parts.cut, parts.tree, geometry::part_features(parts.cut, parts.tree)));
}

void table_of_growth() {
    fmt::print("\nOne joint of a tube bent by 90 degrees: time over the size of the cut\n");
    fmt::print("{:>10} {:>10} {:>10} {:>12} {:>20}\n", "vertices", "removed", "added", "ms",
               "us per cut vertex");
    for (const int segments : {32, 64, 128, 256}) {
        sample::TubeOptions tube;
        tube.segments = segments;
        tube.rings = segments * 5 / 4 * 5 / 4 + 1;
        tube.length = 0.8;
        GapOptions options;
        options.parallel = false;
        const GapCloser closer(rigid_parts_of_skin(sample::make_tube(tube)).body, options);
        const Measured m = measure(closer, 90, 1);
        fmt::print("{:>10} {:>10} {:>10} {:>12.3f} {:>20.3f}\n", closer.body().cut.points.size(), m.removed,
                   m.added, 1e3 * m.seconds.total(),
                   1e6 * m.seconds.total() / static_cast<double>(m.removed + m.added));
    }
}

/// Processor time of whole frames of the walking man: all his joints move.
void walking_man(benchmark::State& state) {
    const model::Character man = sample::make("man");
    const RigidPartsOfSkin parts = rigid_parts_of_skin(man);
    GapOptions options;
    options.parallel = false;
    const GapCloser closer(parts.body, options);
    std::size_t frame = 0;
    for (auto _ : state) {
        const double time = model::frame_time(man.clips[0], frame++ % model::frame_count(man.clips[0]));
        const auto world = model::world_matrices(man, &man.clips[0], time);
        benchmark::DoNotOptimize(closer.close(part_transforms(parts, model::palette(man.skin, world))));
    }
}
BENCHMARK(walking_man)->Unit(benchmark::kMillisecond);

void set_up_man(benchmark::State& state) {
    const RigidPartsOfSkin parts = rigid_parts_of_skin(sample::make("man"));
    for (auto _ : state) benchmark::DoNotOptimize(GapCloser(parts.body).gaps().size());
}
BENCHMARK(set_up_man)->Unit(benchmark::kMillisecond);

}  // namespace

int main(int argc, char** argv) {
    benchmark::Initialize(&argc, argv);
    table_of_models();
    table_of_growth();
    fmt::print("\n");
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
