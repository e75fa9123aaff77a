// SPDX-License-Identifier: MIT
// Curve skeletons from the voxelised interior and by contraction against CGAL's mean-curvature-flow
// skeletons.
//
// Curve skeletons on one thread: from the voxelised interior and by contraction, beside CGAL's
// mean-curvature-flow skeletonization when libcgal-dev is installed. Seconds of processor time, because other
// work on the machine adds to the clock on the wall; the least of a few runs (one of CGAL's, whose runs are
// long).
//
//   cmake --build --preset release --target bench_contraction && build/release/bench/bench_contraction

#include <algorithm>
#include <filesystem>
#include <optional>

#include "figure.h"
#include "support.h"
#include <fmt/format.h>

#include "sinew/base/parallel.h"
#include "sinew/io/io.h"
#include "sinew/rig/contraction/contraction.h"
#include "sinew/rig/curve/skeleton_quality.h"
#include "sinew/rig/curve/voxel_skeleton.h"

#if SINEW_HAS_CGAL
#include <CGAL/Mean_curvature_flow_skeletonization.h>
#include <CGAL/Simple_cartesian.h>
#include <CGAL/Surface_mesh.h>
#endif

namespace {

using namespace sinew;
using geometry::Mesh;
using math::Vec3d;

using bench::processor_seconds;

/// Two legs, two arms, a head and a tail.
const std::vector<bench::Limb> limbs = {
    {{0, 0, 0}, {0, 0.8, 0}, 0.22},       {{0, 0.8, 0}, {0, 1.3, 0.1}, 0.15},
    {{0, 0.75, 0}, {1, 0.6, 0.2}, 0.1},   {{0, 0.75, 0}, {-1, 0.7, -0.1}, 0.1},
    {{0.12, 0, 0}, {0.3, -1.1, 0}, 0.12}, {{-0.12, 0, 0}, {-0.3, -1.1, 0}, 0.12},
    {{0, 0, 0}, {0, -0.2, -0.9}, 0.07}};

#if SINEW_HAS_CGAL
/// Nothing when CGAL cannot take the mesh.
std::optional<double> cgal_seconds(const Mesh& mesh) {
    using Kernel = CGAL::Simple_cartesian<double>;
    using Surface = CGAL::Surface_mesh<Kernel::Point_3>;
    using Skeletonization = CGAL::Mean_curvature_flow_skeletonization<Surface>;
    Surface surface;
    for (const auto& p : mesh.positions) surface.add_vertex({p.x(), p.y(), p.z()});
    for (const auto& t : mesh.triangles) {
        using Vertex = Surface::Vertex_index;
        surface.add_face(Vertex(t[0]), Vertex(t[1]), Vertex(t[2]));
    }
    if (surface.number_of_faces() != mesh.triangles.size() || !CGAL::is_closed(surface)) return {};
    return processor_seconds(1, [&] {
        Skeletonization::Skeleton skeleton;
        Skeletonization flow(surface);
        flow(skeleton);
    });
}
#else
std::optional<double> cgal_seconds(const Mesh&) {
    return {};
}
#endif

void row(const std::string& name, const Mesh& mesh, bool with_peer) {
    const int runs = mesh.triangles.size() > 200000 ? 1 : 3;
    rig::CurveSkeleton curve;
    const double voxel = processor_seconds(runs, [&] { curve = rig::voxel_skeleton(mesh).curve; });
    const double contraction =
        processor_seconds(runs, [&] { curve = rig::contraction_skeleton(mesh).curve; });
    const rig::SkeletonQuality quality = rig::skeleton_quality(curve, mesh);
    fmt::print("{:<12} {:>8} {:>9.3f} {:>12.3f} {:>6} {:>12.3f}", name, mesh.triangles.size(), voxel,
               contraction, quality.topology.ends, quality.centredness.mean);
    const std::optional<double> peer = with_peer ? cgal_seconds(mesh) : std::nullopt;
    if (peer) fmt::print(" {:>9.2f} {:>8.1f}x {:>12.1f}x", *peer, *peer / voxel, *peer / contraction);
    fmt::print("\n");
    std::fflush(stdout);
}

}  // namespace

/// With `--no-peer` CGAL is left out.
int main(int argc, char** argv) {
    const bool with_peer = argc < 2 || std::string_view(argv[1]) != "--no-peer";
    set_thread_count(1);
    fmt::print(
        "one thread, seconds of processor time\n{:<12} {:>8} {:>9} {:>12} {:>6} {:>12} {:>9} {:>9} {:>13}\n",
        "body", "faces", "voxel", "contraction", "ends", "centredness", "CGAL", "/ voxel", "/ contraction");
    for (const std::size_t faces : {1000u, 3000u, 10000u, 30000u, 90000u, 300000u, 1000000u}) {
        row("figure", bench::figure_with(limbs, faces), with_peer && faces <= 90000);
    }
    const std::filesystem::path data = std::filesystem::path(SINEW_SOURCE_DIR) / "../shared/data/mesh";
    for (const char* name : {"homer.obj", "armadillo.obj"}) {
        if (!std::filesystem::exists(data / name)) continue;
        row(std::filesystem::path(name).stem().string(), io::read(data / name).character.mesh, with_peer);
    }
}
