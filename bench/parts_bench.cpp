// SPDX-License-Identifier: MIT
// Skeletons from parts against the published seconds (Vasilakis 2008), and segmentation as meshes grow.
//
// Skeletons from parts: the table of the source (Vasilakis 2008; a core of 2.4 GHz) beside substitutes of the
// same size, and the segmentation of a mesh in one piece as it grows. Seconds of processor time on one
// thread, because other work on the machine adds to the clock on the wall; the least of a few runs.
//
//   cmake --build --preset release --target bench_parts && build/release/bench/bench_parts

#include <algorithm>
#include <ctime>
#include <functional>
#include <string_view>

#include <fmt/format.h>

#include "sinew/base/parallel.h"
#include "sinew/geometry/voxel_solid.h"
#include "sinew/rig/segment.h"
#include "sinew/sample/samples.h"

namespace {

using namespace sinew;

double min_seconds(int runs, const std::function<void()>& work) {
    double min = 1e30;
    for (int i = 0; i < runs; ++i) {
        const std::clock_t before = std::clock();
        work();
        min = std::min(min, static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC);
    }
    return min;
}

/// A row of table 5.2 of the specification and the sample that replaces its model.
struct Row {
    std::string_view model;
    int parts, triangles;
    double seconds[4];  ///< opening, centroid, principal axis, with all axes and refinement
    std::string_view sample;
};
constexpr Row table[] = {
    {"Cow", 16, 7646, {0.00223, 4.86503, 4.92670, 5.08260}, "cat"},
    {"Homer", 9, 9856, {0.00106, 4.40853, 4.30518, 4.55921}, "hand"},
    {"Dilo", 16, 11044, {0.00164, 5.64114, 5.77643, 5.91370}, "ostrich"},
    {"Camel", 27, 12022, {0.00342, 8.63889, 8.66312, 8.93177}, "horse"},
    {"Horse", 17, 17924, {0.00193, 7.94017, 8.21302, 8.44414}, "horse"},
    {"Dino", 21, 19458, {0.00256, 9.21676, 9.27403, 9.92523}, "man"},
};

void skeletons(const Row& row) {
    const bool man = row.sample == "man";  // has no coarser surface
    const auto character =
        sample::make(row.sample, {man ? std::size_t{0} : static_cast<std::size_t>(row.triangles)});
    const rig::Segmentation parts = rig::segment(character);
    const geometry::CutMesh cut = geometry::cut_mesh(character.mesh, parts.part_of, parts.names);
    const geometry::PartTree tree = geometry::part_tree(cut);
    fmt::print("{:<6} {:>5} {:>6}  {:<8} {:>5} {:>6}", row.model, row.parts, row.triangles, row.sample,
               cut.part_count(), cut.triangles.size());
    for (int m = 0; m < 4; ++m) {
        rig::PartSkeletonOptions options;
        options.graph.method = static_cast<rig::PartMethod>(std::min(m, 2));
        options.graph.all_axes = m == 3;
        if (m == 2) {
            options.refine.local = rig::LocalRefinement::off;
            options.refine.parent = false;
        }
        const double ours = min_seconds(5, [&] { rig::part_skeleton(cut, tree, options); });
        fmt::print("  {:>8.5f} {:>6.0f}x", ours, row.seconds[m] / ours);
    }
    const double tree_time = min_seconds(5, [&] { geometry::part_tree(cut, tree.parent); });
    fmt::print("  {:>8.5f}\n", tree_time);
}

void segmentation(std::size_t faces) {
    const geometry::Mesh mesh = sample::man_surface(faces);
    for (const rig::SegmentMethod method : {rig::SegmentMethod::skeleton, rig::SegmentMethod::diameter}) {
        rig::SegmentationOptions options;
        options.method = method;
        std::size_t parts = 0;
        const double seconds = min_seconds(2, [&] { parts = rig::segment(mesh, options).part_count(); });
        fmt::print("{:>8} faces  {:<8} {:>3} parts  {:>6.3f} s\n", mesh.triangles.size(),
                   rig::name_of(method), parts, seconds);
    }
}

}  // namespace

int main() {
    set_thread_count(1);
    fmt::print("Skeletons: seconds of ours and how many times faster than the source\n");
    fmt::print("{:<6} {:>5} {:>6}  {:<8} {:>5} {:>6}  {:>16}  {:>16}  {:>16}  {:>16}  {:>8}\n", "source",
               "parts", "faces", "ours", "parts", "faces", "opening", "centroid", "main axis", "all, refined",
               "openings");
    for (const Row& row : table) skeletons(row);
    fmt::print("\nSegmentation\n");
    for (const std::size_t faces : {12500, 25000, 50000, 100000}) segmentation(faces);
}
