// SPDX-License-Identifier: MIT
// Collision of skinned bodies: spheres refitted on demand beside bottom-up refits (all vertices by the SIMD
// skinner, then all spheres; once with the source's one triangle a leaf and once with the tree that on-demand
// refits use), beside Embree (all vertices, refitted scene, rtcCollide with the same triangle test) and,
// where it is installed, beside FCL, in one run on one thread. Scenes are those of Kavan 2007, chapter 5,
// rebuilt from the samples; the source's speed-ups stand in brackets. The ceiling is what a search would gain
// over bottom-up refits of the same tree if its spheres and vertices cost nothing. Every query includes the
// new pose. Processor time, the best of several runs.
//
//   cmake --build --preset release --target bench_collide && build/release/bench/bench_collide [PLOT.svg]

#include <cmath>
#include <random>

#include "../tests/reference/collide/subdivide.h"
#include "collide_peers.h"
#include <fmt/format.h>

#include "sinew/base/parallel.h"
#include "sinew/collide/query.h"
#include "sinew/render/figures.h"
#include "sinew/sample/samples.h"

namespace {

using namespace sinew;
using namespace sinew::collide;
using namespace sinew::collide::bench;

/// One line of a table. Returns milliseconds on demand.
double print_scene(RTCDevice device, const char* name, const Scene& scene, bool first, const char* source) {
    const Timing demand = on_demand(scene, Method::lbs, first);
    const Timing theirs = bottom_up(scene, Method::lbs, first, true),
                 ours = bottom_up(scene, Method::lbs, first, false);
    const Timing sbs = on_demand(scene, Method::sbs, first), dqs = on_demand(scene, Method::dqs, first);
    const Timing peer = embree(device, scene, Method::lbs);
    const double ms = demand.milliseconds;
    fmt::print(
        "{:<20} {:>7} {:>8.1f} {:>9.4f} {:>9.3f} {:>7.1f} [{:>4}] {:>8.3f} {:>6.1f} of {:>6.1f} {:>8.3f} "
        "{:>7.1f} {:>6.2f} {:>6.2f}\n",
        name, scene.a.tree.data().triangles.size(), demand.contacts, ms, theirs.milliseconds,
        theirs.milliseconds / ms, source, ours.milliseconds, ours.milliseconds / ms,
        ours.milliseconds / ours.search, peer.milliseconds, peer.milliseconds / ms, sbs.milliseconds / ms,
        dqs.milliseconds / ms);
    if (!first && (peer.contacts != ours.contacts || theirs.contacts != ours.contacts))
        fmt::print("  contacts: embree {}, source's tree {}, ours {}\n", peer.contacts, theirs.contacts,
                   ours.contacts);
    return ms;
}

void print_header() {
    fmt::print("{:<20} {:>7} {:>8} {:>9} {:>24} {:>25} {:>16} {:>13}\n", "scene", "tri", "contacts",
               "on demand", "bottom-up, source's tree", "bottom-up, ours", "embree", "sbs and dqs");
    fmt::print("{:<20} {:>7} {:>8} {:>9} {:>9} {:>7} {:>6} {:>8} {:>16} {:>8} {:>7} {:>13}\n", "", "", "",
               "ms", "ms", "times", "", "ms", "times of ceiling", "ms", "times", "over linear");
}

/// Four sizes of one body, colliding and free; the growth goes to a plot.
void bench_scaling(RTCDevice device, const std::string& plot_path) {
    model::Character horse = sample::make("horse", {1664});
    const char* const colliding[]{"3.9", "8.3", "17.5", "32.3"};
    const char* const free[]{"32", "126", "502", "1995"};
    render::Plot plot;
    plot.title = "Time of a query as triangles grow";
    plot.x = {"triangles of each body", render::AxisScale::logarithmic, {}, {}};
    plot.y = {"ms", render::AxisScale::logarithmic, {}, {}};
    for (const char* name : {"on demand, colliding", "on demand, free", "bottom-up, ours", "Embree"})
        plot.series.push_back({name, {}, render::SeriesStyle::marked_line, {}});
    double before = 0;
    for (std::size_t step = 0; step < 4; ++step) {
        const Cast cast(horse);
        const Scene near{cast, cast, {cast.pose(0.2, 0, 0, 0)}, {cast.pose(0.6, 0.39, 0.05, 2.5)}};
        const Scene far{cast, cast, {cast.pose(0.2, 0, 0, 0)}, {cast.pose(0.6, 3, 0, 2.5)}};
        const double ms = print_scene(device, "colliding", near, false, colliding[step]);
        const double free_ms = print_scene(device, "free", far, false, free[step]);
        if (before > 0) fmt::print("  four times the triangles cost {:.2f} times\n", ms / before);
        before = ms;
        const auto triangles = static_cast<double>(cast.tree.data().triangles.size());
        plot.series[0].points.emplace_back(triangles, ms);
        plot.series[1].points.emplace_back(triangles, free_ms);
        plot.series[2].points.emplace_back(triangles,
                                           bottom_up(near, Method::lbs, false, false).milliseconds);
        plot.series[3].points.emplace_back(triangles, embree(device, near, Method::lbs).milliseconds);
#if SINEW_HAS_FCL
        const Timing peer = fcl_peer(near, Method::lbs);
        fmt::print("  FCL {:.2f} ms = {:.0f} times, {} contacts\n", peer.milliseconds, peer.milliseconds / ms,
                   peer.contacts);
#endif
        const std::size_t served = cast.character.mesh.positions.size() * 2 * sizeof(Vec3f) +
                                   cast.character.mesh.triangles.size() * sizeof(geometry::Triangle) +
                                   cast.character.skin.influences.size() * sizeof(model::Influence) +
                                   cast.character.skin.offsets.size() * sizeof(std::uint32_t);
        fmt::print("  tree {:.2f} times the bytes of mesh and weights, a body {:.2f} times\n",
                   static_cast<double>(cast.tree.memory()) / static_cast<double>(served),
                   static_cast<double>(Body(cast.tree).memory()) / static_cast<double>(served));
        if (step < 3) horse = subdivided(horse);
    }
    if (!plot_path.empty()) render::save_plot(plot_path, plot);
}

void bench_crowd(const Cast& cast, double half) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> position(-half, half), yaw(0, 6);
    std::vector<std::vector<Mat34f>> poses;
    for (int i = 0; i < 50; ++i)
        poses.push_back(cast.pose(0.05 * i, position(random), position(random), yaw(random)));
    std::vector<Body> bodies;
    for (std::size_t i = 0; i < poses.size(); ++i) bodies.emplace_back(cast.tree).reuse_spheres(false);
    std::vector<Body> source_bodies;
    for (std::size_t i = 0; i < poses.size(); ++i) source_bodies.emplace_back(cast.source_tree);
    CrowdScratch scratch;
    QueryScratch query;
    std::vector<BodyContact> out;
    deform::Skinner::Pose pose(cast.skinner);
    std::vector<Vec3f> vertices;
    const auto run = [&](std::vector<Body>& crowd, bool all_spheres) {
        return measure(1, [&](std::size_t) {
            for (std::size_t i = 0; i < crowd.size(); ++i) {
                crowd[i].set_pose(poses[i]);
                if (!all_spheres) continue;
                skin_all(cast, poses[i], Method::lbs, pose, vertices);
                crowd[i].refit_bottom_up(query, vertices);
            }
            find_crowd_contacts(crowd, out, scratch);
            return out.size();
        });
    };
    const Timing demand = run(bodies, false), ours = run(bodies, true), theirs = run(source_bodies, true);
    fmt::print(
        "crowd of 50 over {:.0f} m, {} triangles: {} contacts, on demand {:.3f} ms; bottom-up, source's "
        "tree {:.3f} ms = {:.1f} times [15]; bottom-up, ours {:.3f} ms = {:.1f} times\n",
        2 * half, 50 * cast.tree.data().triangles.size(), demand.contacts, demand.milliseconds,
        theirs.milliseconds, theirs.milliseconds / demand.milliseconds, ours.milliseconds,
        ours.milliseconds / demand.milliseconds);
}

void bench_refits(const Cast& cast) {
    const SphereTree& tree = cast.source_tree;  // its inner nodes
    std::vector<std::uint32_t> inner;
    for (std::uint32_t n = 0; n < tree.data().nodes.size(); ++n) {
        if (!tree.data().nodes[n].leaf()) inner.push_back(n);
    }
    const auto palette = cast.pose(0.3, 0, 0, 0);
    double linear = 0;
    for (const Method method : {Method::lbs, Method::sbs, Method::dqs}) {
        Body body(tree, method);
        body.reuse_spheres(false);
        QueryScratch scratch;
        const Timing timing = measure(1, [&](std::size_t) {
            body.set_pose(palette);
            for (const std::uint32_t n : inner) body.sphere(n, scratch);
            return inner.size();
        });
        const double each = 1e6 * timing.milliseconds / static_cast<double>(inner.size());
        if (method == Method::lbs) linear = each;
        fmt::print("refit all {} inner spheres of the source's tree, {}: {:.1f} ns each ({:.2f} of linear)\n",
                   inner.size(), deform::name(method), each, each / linear);
    }
}

void bench_levels(const Cast& cast) {
    for (const Method method : {Method::lbs, Method::sbs, Method::dqs}) {
        fmt::print("radius over best by level, {}:", deform::name(method));
        for (const LevelRadii& row : level_radii(cast.tree, cast.pose(0.3, 0, 0, 0), method))
            fmt::print(" {:.3f}", row.ratio());
        fmt::print("\n");
    }
}

/// Yes or no over many frames, with and without the memory of where it was yes.
void bench_memory(const Cast& cast) {
    for (const std::size_t frames : {60u, 240u}) {
        const Scene scene = walk(cast, 3, -3, frames);
        for (const Method method : {Method::lbs, Method::dqs}) {
            const Timing plain = on_demand(scene, method, true);
            Body a(cast.tree, method), b(cast.tree, method);
            QueryScratch scratch;
            TouchMemory memory;
            const Timing kept = measure(frames, [&](std::size_t f) -> std::size_t {
                a.set_pose(scene.poses_a[f]);
                b.set_pose(scene.poses_b[f]);
                return touching(a, b, scratch, memory);
            });
            fmt::print("yes or no over {} frames, {}: {:.4f} ms, with memory {:.4f} ms = {:.2f} times{}\n",
                       frames, deform::name(method), plain.milliseconds, kept.milliseconds,
                       plain.milliseconds / kept.milliseconds,
                       plain.contacts == kept.contacts ? "" : ", differs");
        }
    }
}

/// Bodies that hold their pose and move as a whole, with and without the spheres of the last frame.
void bench_whole(const char* name, const Cast& cast, double from, double to, bool first) {
    constexpr std::size_t frames = 60;
    Scene scene{cast, cast, {}, {}};
    for (std::size_t f = 0; f < frames; ++f) {
        const double gap = from + (to - from) * static_cast<double>(f) / (frames - 1);
        scene.poses_a.push_back(cast.pose(0.2, 0, -gap / 2, 0));
        scene.poses_b.push_back(cast.pose(0.5, 0, gap / 2, math::pi));
    }
    Timing timings[2];
    for (const bool keep : {false, true}) {
        Body a(cast.tree), b(cast.tree);
        a.reuse_spheres(keep);
        b.reuse_spheres(keep);
        QueryScratch scratch;
        std::vector<Contact> out;
        timings[keep] = measure(frames, [&](std::size_t f) -> std::size_t {
            a.set_pose(scene.poses_a[f]);
            b.set_pose(scene.poses_b[f]);
            if (first) return touching(a, b, scratch);
            find_contacts(a, b, out, scratch);
            return out.size();
        });
    }
    fmt::print("{} in held poses: {:.4f} ms, with kept spheres {:.4f} ms = {:.2f} times{}\n", name,
               timings[0].milliseconds, timings[1].milliseconds,
               timings[0].milliseconds / timings[1].milliseconds,
               timings[0].contacts == timings[1].contacts ? "" : ", differs");
}

/// The first touch between every two frames: vertices along straight lines, then joints on screws.
void bench_between(const char* name, const Scene& scene) {
    const std::size_t steps = scene.poses_a.size() - 1;
    QueryScratch scratch;
    Body a0(scene.a.tree), a1(scene.a.tree), b0(scene.b.tree), b1(scene.b.tree);
    const Timing straight = measure(steps, [&](std::size_t f) -> std::size_t {
        a0.set_pose(scene.poses_a[f]);
        a1.set_pose(scene.poses_a[f + 1]);
        b0.set_pose(scene.poses_b[f]);
        b1.set_pose(scene.poses_b[f + 1]);
        return find_first_touch({&a0, &a1}, {&b0, &b1}, scratch).touching;
    });
    ScrewBody a(scene.a.tree), b(scene.b.tree);
    const Timing screws = measure(steps, [&](std::size_t f) -> std::size_t {
        a.set_step(scene.poses_a[f], scene.poses_a[f + 1]);
        b.set_step(scene.poses_b[f], scene.poses_b[f + 1]);
        return find_first_touch(a, b, scratch).touching;
    });
    fmt::print(
        "{}, first touch between frames: straight {:.4f} ms, {:.0f} % touch; screws {:.4f} ms = {:.2f} "
        "times, "
        "{:.0f} %\n",
        name, straight.milliseconds, 100 * straight.contacts, screws.milliseconds,
        screws.milliseconds / straight.milliseconds, 100 * screws.contacts);
}

/// A fresh tree on the deformed mesh: what rigid collision detection would need.
void bench_rebuild(const Cast& cast) {
    const auto palette = cast.pose(0.2, 0, 0, 0);
    deform::Skinner::Pose pose(cast.skinner);
    geometry::Mesh mesh = cast.character.mesh;
    const Timing timing = measure(1, [&](std::size_t) {
        skin_all(cast, palette, Method::lbs, pose, mesh.positions);
        return build_tree(mesh, {}, nullptr).node_count();
    });
    fmt::print("a fresh tree over {} triangles: {:.2f} ms\n", mesh.triangles.size(), timing.milliseconds);
}

}  // namespace

int main(int argc, char** argv) {
    set_thread_count(1);
    RTCDevice device = rtcNewDevice("threads=1,set_affinity=0");
    const Cast men(sample::make("man")), horses(sample::make("horse", {13590}));
    print_header();
    print_scene(device, "two men approach", walk(men, 4, 3.35, 60), false, "50");
    const Scene through = walk(horses, 3, -3, 60);
    print_scene(device, "horses walk through", through, false, "5.3");
    print_scene(device, "the same, yes or no", through, true, "37");
    bench_scaling(device, argc > 1 ? argv[1] : "");
    bench_crowd(horses, 15);
    bench_crowd(horses, 12);
    bench_crowd(horses, 5);
    bench_refits(horses);
    bench_rebuild(horses);
    bench_between("two men approach", walk(men, 4, 3.35, 60));
    bench_between("horses approach", walk(horses, 4.2, 3.2, 20));
    bench_memory(horses);
    bench_whole("two men approach", men, 4, 3.35, false);
    bench_whole("horses walk through", horses, 3, -3, false);
    bench_whole("the same, yes or no", horses, 3, -3, true);
    bench_levels(horses);
    bench_levels(men);
    rtcReleaseDevice(device);
    return 0;
}
