// SPDX-License-Identifier: MIT
// Binding methods against each other on one thread, as vertices and bones grow.
//
// Ways of binding on one thread: how they grow with the vertices, and what they cost beside each other.
// Seconds of processor time, because other work on the machine adds to the clock on the wall; the least of a
// few runs.
//
//   cmake --build --preset release --target bench_bind && build/release/bench/bench_bind [most vertices]

#include <algorithm>
#include <cstdlib>

#include "figure.h"
#include "support.h"
#include <fmt/format.h>

#include "sinew/base/parallel.h"
#include "sinew/rig/bind/methods.h"

namespace {

using namespace sinew;
using geometry::Mesh;
using math::Vec3d;

using bench::processor_seconds;

struct Member {
    const char* name;
    int parent;  // the one whose end it starts from
    bench::Limb limb;
};

/// Trunk, head, two arms and two legs.
const std::vector<Member>& members() {
    static const std::vector<Member> all = {{"trunk", -1, {{0, 0, 0}, {0, 0.8, 0}, 0.22}},
                                            {"head", 0, {{0, 0.8, 0}, {0, 1.3, 0}, 0.15}},
                                            {"arm_l", 0, {{0.1, 0.75, 0}, {1, 0.75, 0}, 0.1}},
                                            {"arm_r", 0, {{-0.1, 0.75, 0}, {-1, 0.75, 0}, 0.1}},
                                            {"leg_l", -1, {{0.12, 0, 0}, {0.3, -1.1, 0}, 0.12}},
                                            {"leg_r", -1, {{-0.12, 0, 0}, {-0.3, -1.1, 0}, 0.12}}};
    return all;
}

/// The body with about so many vertices; a closed surface has twice as many triangles.
Mesh body_with(std::size_t vertices) {
    std::vector<bench::Limb> limbs;
    for (const Member& member : members()) limbs.push_back(member.limb);
    return bench::figure_with(limbs, 2 * vertices);
}

/// Every limb is a chain of as many bones.
model::Skeleton skeleton_with(int bones) {
    model::Skeleton skeleton;
    const int each = bones / static_cast<int>(members().size());
    std::vector<int> last;
    for (const auto& [name, above, limb] : members()) {
        const Vec3d step = (limb.to - limb.from) / each;
        for (int i = 0; i < each; ++i) {
            const int parent = i > 0 ? static_cast<int>(skeleton.size()) - 1 : (above < 0 ? -1 : last[0]);
            const Vec3d origin =
                parent < 0
                    ? Vec3d(Vec3d::Zero())
                    : Vec3d(
                          model::rest_world_matrices(skeleton)[static_cast<std::size_t>(parent)].block<3, 1>(
                              0, 3));
            skeleton.joints.push_back(
                {fmt::format("{}_{}", name, i),
                 parent,
                 {limb.from + i * step - origin, math::Quatd::Identity(), Vec3d::Ones()},
                 {},
                 {}});
        }
        skeleton.joints.back().tip = step;
        last.push_back(static_cast<int>(skeleton.size()) - 1);
    }
    return skeleton;
}

void row(const Mesh& mesh, int bones) {
    const model::Skeleton skeleton = skeleton_with(bones);
    const int runs = mesh.positions.size() > 50000 ? 1 : 3;
    const double nearest = processor_seconds(runs, [&] { rig::nearest_weights(mesh, skeleton); });
    const double voxel = processor_seconds(runs, [&] { rig::voxel_weights(mesh, skeleton); });
    const double heat = processor_seconds(runs, [&] { rig::heat_weights(mesh, skeleton); });
    const double biharmonic = processor_seconds(1, [&] { rig::biharmonic_weights(mesh, skeleton); });
    fmt::print("{:>9} {:>6} {:>9.3f} {:>9.3f} {:>9.3f} {:>11.3f} {:>12.2f} {:>18.2f}\n",
               mesh.positions.size(), skeleton.size(), nearest, voxel, heat, biharmonic, heat / voxel,
               biharmonic / voxel);
    std::fflush(stdout);
}

}  // namespace

/// The argument bounds the number of vertices; a million when there is none.
int main(int argc, char** argv) {
    const std::size_t max = argc > 1 ? static_cast<std::size_t>(std::atoll(argv[1])) : 1000000;
    set_thread_count(1);
    fmt::print("one thread, seconds of processor time\n{:>9} {:>6} {:>9} {:>9} {:>9} {:>11} {:>12} {:>18}\n",
               "vertices", "bones", "nearest", "voxel", "heat", "biharmonic", "heat / voxel",
               "biharmonic / voxel");
    for (const std::size_t vertices : {1000u, 7000u, 23000u, 100000u, 300000u, 1000000u}) {
        if (vertices > max) continue;
        const Mesh mesh = body_with(vertices);
        for (const int bones : {12, 18, 60}) row(mesh, bones);
    }
}
