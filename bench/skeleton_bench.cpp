// SPDX-License-Identifier: MIT
// Silhouette skeletons, a fitted template and region weights against published seconds (Xie 2009).
//
// The silhouette skeletonizer by stage, on one thread, as the mesh grows; the models of the source's table
// beside its seconds; the fitted template at 50 000 faces; weights of regions at the size of the source's
// man, with as many joints. Seconds of processor time, because other work on the machine adds to the clock on
// the wall; the least of a few runs.
//
//   cmake --build --preset release --target bench_skeleton && build/release/bench/bench_skeleton

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>
#include <string_view>

#include <fmt/format.h>

#include "sinew/base/parallel.h"
#include "sinew/geometry/voxel_solid.h"
#include "sinew/rig/bind.h"
#include "sinew/rig/edit/skeleton_edit.h"
#include "sinew/rig/silhouette/silhouette_skeleton.h"
#include "sinew/rig/skeletonize.h"
#include "sinew/rig/templates/template_fit.h"
#include "sinew/sample/samples.h"

namespace {

using namespace sinew;
using geometry::Mesh;

double processor_seconds() {
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

struct Run {
    double total = 1e30;          ///< processor time
    rig::SilhouetteTimes stages;  ///< the same in parts
};

/// The stages are timed by the clock on the wall; their shares divide the processor time.
Run timed(const Mesh& mesh) {
    Run best;
    const int runs = mesh.triangles.size() > 200000 ? 2 : 5;
    for (int i = 0; i < runs; ++i) {
        const double before = processor_seconds();
        rig::SilhouetteTimes stages = rig::silhouette_skeleton(mesh).seconds;
        const double total = processor_seconds() - before;
        if (total >= best.total) continue;
        const double share = total / stages.total();
        for (double* part : {&stages.view, &stages.silhouette, &stages.axis, &stages.refine,
                             &stages.decompose, &stages.joints}) {
            *part *= share;
        }
        best = {total, stages};
    }
    return best;
}

void print_stages(const Run& run) {
    const rig::SilhouetteTimes& s = run.stages;
    fmt::print(" {:.4f} | {:.4f} | {:.4f} | {:.4f} | {:.4f} | {:.4f} | {:.4f} |", s.view, s.silhouette,
               s.axis, s.refine, s.decompose, s.joints, run.total);
}

constexpr std::string_view stage_names =
    " view | silhouette | triangulation and axis | refinement | decomposition | joints | total |";

/// Growth: the exponent of the faces between two rows; n log n stays below 1.1 here.
void growth() {
    fmt::print(
        "\n| man, faces |{} growth |\n| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n",
        stage_names);
    double faces = 0, seconds = 0;
    for (const std::size_t wanted : {1000u, 3000u, 10000u, 30000u, 50000u, 100000u, 300000u, 1000000u}) {
        const Mesh mesh = sample::man_surface(wanted);
        const Run run = timed(mesh);
        const auto count = static_cast<double>(mesh.triangles.size());
        fmt::print("| {} |", mesh.triangles.size());
        print_stages(run);
        if (faces > 0) fmt::print(" {:.2f}", std::log(run.total / seconds) / std::log(count / faces));
        fmt::print(" |\n");
        std::fflush(stdout);
        faces = count;
        seconds = run.total;
    }
}

/// Xie 2009, table 5.1: seconds on a PC of 1.6 GHz.
void source_models() {
    struct Model {
        const char* name;
        std::size_t faces;
        double seconds;
    };
    fmt::print(
        "\n| model | faces |{} source | ratio |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | "
        "---: | ---: | ---: |\n",
        stage_names);
    for (const Model& model : {Model{"hand", 38016, 6.6}, Model{"man", 29216, 5.9},
                               Model{"ostrich", 52896, 15.1}, Model{"horse", 16844, 3.6}}) {
        const Mesh mesh = sample::make(model.name, {model.faces}).mesh;
        const Run run = timed(mesh);
        fmt::print("| {} | {} |", model.name, mesh.triangles.size());
        print_stages(run);
        fmt::print(" {:.1f} | {:.0f} |\n", model.seconds, model.seconds / run.total);
        std::fflush(stdout);
    }
}

void fitted_template() {
    const Mesh mesh = sample::make("man", {50000}).mesh;
    const model::Skeleton pattern = rig::skeleton_template("biped");
    double best = 1e30;
    for (int i = 0; i < 5; ++i) {
        const double before = processor_seconds();
        rig::fit_template(mesh, pattern);
        best = std::min(best, processor_seconds() - before);
    }
    fmt::print("\n| fitted biped, faces | seconds |\n| ---: | ---: |\n| {} | {:.3f} |\n",
               mesh.triangles.size(), best);
}

/// The man's skeleton with its longest bones halved until it has as many joints as the source's.
model::Skeleton man_of(std::size_t joints) {
    model::Skeleton skeleton = sample::make("man").skeleton;
    while (skeleton.size() < joints) {
        const auto positions = model::joint_positions(model::rest_world_matrices(skeleton));
        const auto length = [&](std::size_t j) {
            const int parent = skeleton.joints[j].parent;
            return parent < 0 ? 0.0 : (positions[j] - positions[static_cast<std::size_t>(parent)]).norm();
        };
        std::size_t longest = 0;
        for (std::size_t j = 1; j < skeleton.size(); ++j) {
            if (length(j) > length(longest)) longest = j;
        }
        skeleton = rig::insert_joint(skeleton, static_cast<int>(longest), 0.5,
                                     fmt::format("half {}", skeleton.size()));
    }
    return skeleton;
}

/// Xie 2009 gives no seconds for 14 652 vertices and 133 joints; our own aim is half a second.
void region_weights() {
    const Mesh mesh = sample::make("man", {29300}).mesh;
    const model::Skeleton skeleton = man_of(133);
    rig::BindOptions options;
    options.method = rig::BindMethod::regions;
    double best = 1e30;
    for (int i = 0; i < 3; ++i) {
        const double before = processor_seconds();
        rig::bind(mesh, skeleton, options);
        best = std::min(best, processor_seconds() - before);
    }
    fmt::print("\n| regions, vertices | joints | seconds |\n| ---: | ---: | ---: |\n| {} | {} | {:.3f} |\n",
               mesh.positions.size(), skeleton.size(), best);
}

}  // namespace

int main() {
    set_thread_count(1);
    fmt::print("One thread, seconds of processor time.\n");
    growth();
    source_models();
    fitted_template();
    region_weights();
}
