// Collision of skinned bodies: balls refitted on demand beside bottom-up refits (all vertices by the SIMD
// skinner, then all balls; once with the source's one triangle a leaf and once with the tree that on-demand
// refits use), beside Embree (all vertices, refitted scene, rtcCollide with the same triangle test) and,
// where it is installed, beside FCL, in one run on one thread. Scenes are those of Kavan 2007, chapter 5,
// rebuilt from the samples; the source's speed-ups stand in brackets. The ceiling is what a search would gain
// over bottom-up refits of the same tree if its balls and vertices cost nothing. Every query includes the new
// pose. Processor time, the best of several runs.
//
//   cmake --build --preset release --target bench_collide && build/release/bench/bench_collide [PLOT.svg]

#include <cmath>
#include <ctime>
#include <random>

#include <embree3/rtcore.h>
#include <fmt/format.h>
#if SINEW_HAS_FCL
#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/narrowphase/collision.h>
#endif

#include "sinew/base/parallel.h"
#include "sinew/collide/crowd.h"
#include "sinew/collide/query_memory.h"
#include "sinew/collide/screw_touch.h"
#include "sinew/collide/subdivide.h"
#include "sinew/collide/tightness.h"
#include "sinew/deform/skinner.h"
#include "sinew/render/plot.h"
#include "sinew/sample/samples.h"

namespace {

using namespace sinew;
using namespace sinew::collide;
using deform::Mat34f;
using deform::Method;
using Palettes = std::vector<std::vector<Mat34f>>;

/// Of this thread; other work on the machine does not count.
double processor_seconds() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

BuildOptions one_a_leaf() {
    BuildOptions options;
    options.max_leaf_triangles = 1;
    return options;
}

/// A character with all it needs to be played and collided.
struct Cast {
    model::Character character;
    SphereTree tree;
    SphereTree source_tree;  ///< one triangle a leaf
    deform::Skinner skinner;

    explicit Cast(model::Character made)
        : character(std::move(made)),
          tree(build_tree(character)),
          source_tree(build_tree(character, one_a_leaf())),
          skinner(character.mesh, character.skin, &character.skeleton, without_normals()) {}

    static deform::SkinnerOptions without_normals() {
        deform::SkinnerOptions options;
        options.normals = false;
        return options;
    }

    std::vector<Mat34f> pose(double time, double x, double z, double turn) const {
        const math::Rigidd placed{math::axis_angle<double>(Vec3d::UnitY(), turn), Vec3d(x, 0, z)};
        const model::Clip* clip = model::find_clip(character, "");
        const model::TimeRange range = model::time_range(*clip);
        const double length = range.end - range.start;
        auto palette = model::palette(
            character.skin, model::world_matrices(character, clip, range.start + std::fmod(time, length)));
        for (auto& m : palette) m = placed.matrix() * m;
        return deform::to_mat34(palette);
    }
};

/// Two bodies and the frames they play.
struct Scene {
    const Cast& a;
    const Cast& b;
    Palettes poses_a, poses_b;
};

/// Two of a kind that walk towards each other along z, from `from` apart to `to` apart.
Scene walk(const Cast& cast, double from, double to, std::size_t frames) {
    Scene scene{cast, cast, {}, {}};
    for (std::size_t f = 0; f < frames; ++f) {
        const double t = static_cast<double>(f) / static_cast<double>(frames - 1);
        const double gap = from + (to - from) * t;
        scene.poses_a.push_back(cast.pose(t, 0, -gap / 2, 0));
        scene.poses_b.push_back(cast.pose(t + 0.3, 0, gap / 2, math::pi));
    }
    return scene;
}

struct Timing {
    double milliseconds = 0;  ///< a frame, mean over the scene, the best of several runs
    double search = 0;        ///< of that, the search alone, where all balls are there before it
    double contacts = 0;      ///< a frame
    QueryCounts counts;       ///< of one run over all frames
};

/// Runs a scene several times; `frame(f)` returns contacts.
template <class Frame>
Timing measure(std::size_t frames, const Frame& frame) {
    std::vector<double> times;
    Timing timing;
    const double begin = processor_seconds();
    for (int run = 0; run < 7 || (run < 400 && processor_seconds() - begin < 0.05); ++run) {
        double contacts = 0;
        const double start = processor_seconds();
        for (std::size_t f = 0; f < frames; ++f) contacts += static_cast<double>(frame(f));
        times.push_back(processor_seconds() - start);
        timing.contacts = contacts / static_cast<double>(frames);
    }
    timing.milliseconds = 1e3 * *std::min_element(times.begin(), times.end()) / static_cast<double>(frames);
    return timing;
}

Timing on_demand(const Scene& scene, Method method, bool first) {
    Body a(scene.a.tree, method), b(scene.b.tree, method);
    for (Body* body : {&a, &b}) body->keep_balls(false);  // a scene of one frame is a new pose every time
    QueryRoom room;
    std::vector<Contact> out;
    Timing timing = measure(scene.poses_a.size(), [&](std::size_t f) -> std::size_t {
        a.set_pose(scene.poses_a[f]);
        b.set_pose(scene.poses_b[f]);
        if (first) return touching(a, b, room);
        find_contacts(a, b, out, room);
        return out.size();
    });
    timing.counts = room.counts();
    return timing;
}

/// All vertices in mesh order.
void skin_all(const Cast& cast, const std::vector<Mat34f>& palette, Method method,
              deform::Skinner::Pose& pose, std::vector<Vec3f>& out) {
    out.resize(cast.skinner.vertex_count());
    deform::VertexBuffer buffer;
    buffer.bytes = std::as_writable_bytes(std::span(out));
    buffer.stride = sizeof(Vec3f);
    buffer.normal = -1;
    cast.skinner.deform(palette, method, pose, buffer);
}

Timing bottom_up(const Scene& scene, Method method, bool first, bool source) {
    Body a(source ? scene.a.source_tree : scene.a.tree), b(source ? scene.b.source_tree : scene.b.tree);
    deform::Skinner::Pose pose_a(scene.a.skinner), pose_b(scene.b.skinner);
    std::vector<Vec3f> va, vb;
    QueryRoom room;
    std::vector<Contact> out;
    double search = 0, least_search = std::numeric_limits<double>::infinity();
    const std::size_t frames = scene.poses_a.size();
    Timing timing = measure(frames, [&](std::size_t f) -> std::size_t {
        skin_all(scene.a, scene.poses_a[f], method, pose_a, va);
        skin_all(scene.b, scene.poses_b[f], method, pose_b, vb);
        a.set_pose(scene.poses_a[f]);
        b.set_pose(scene.poses_b[f]);
        a.fill_bottom_up(room.refit, va);
        b.fill_bottom_up(room.refit, vb);
        const double start = processor_seconds();
        bool touch = false;
        if (first) {
            touch = touching(a, b, room);
        } else {
            find_contacts(a, b, out, room);
        }
        search = (f == 0 ? 0 : search) + processor_seconds() - start;
        if (f + 1 == frames) least_search = std::min(least_search, search);
        return first ? touch : out.size();
    });
    timing.search = 1e3 * least_search / static_cast<double>(frames);
    return timing;
}

/// One body in Embree: a user geometry with one primitive a triangle.
struct Peer {
    const std::vector<geometry::Triangle>* triangles = nullptr;
    std::vector<Vec3f> vertices;
    RTCScene scene = nullptr;
    RTCGeometry geometry = nullptr;

    Corners corners(unsigned t) const {
        const geometry::Triangle& i = (*triangles)[t];
        return {vertices[i[0]].cast<double>(), vertices[i[1]].cast<double>(), vertices[i[2]].cast<double>()};
    }
};

void peer_bounds(const RTCBoundsFunctionArguments* arguments) {
    const auto* peer = static_cast<const Peer*>(arguments->geometryUserPtr);
    geometry::Box box;
    for (const std::uint32_t v : (*peer->triangles)[arguments->primID]) box.include(peer->vertices[v]);
    RTCBounds* out = arguments->bounds_o;
    out->lower_x = box.low.x();
    out->lower_y = box.low.y();
    out->lower_z = box.low.z();
    out->upper_x = box.high.x();
    out->upper_y = box.high.y();
    out->upper_z = box.high.z();
}

void add_peer(RTCDevice device, Peer& peer, const Cast& cast) {
    peer.triangles = &cast.character.mesh.triangles;
    peer.vertices = cast.character.mesh.positions;
    peer.scene = rtcNewScene(device);
    rtcSetSceneFlags(peer.scene, RTC_SCENE_FLAG_DYNAMIC);
    rtcSetSceneBuildQuality(peer.scene, RTC_BUILD_QUALITY_LOW);
    peer.geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_USER);
    rtcSetGeometryBuildQuality(peer.geometry, RTC_BUILD_QUALITY_REFIT);
    rtcSetGeometryUserPrimitiveCount(peer.geometry, static_cast<unsigned>(peer.triangles->size()));
    rtcSetGeometryUserData(peer.geometry, &peer);
    rtcSetGeometryBoundsFunction(peer.geometry, peer_bounds, nullptr);
    rtcCommitGeometry(peer.geometry);
    rtcAttachGeometry(peer.scene, peer.geometry);
    rtcCommitScene(peer.scene);
}

struct PeerPair {
    Peer a, b;
    std::size_t contacts = 0;
};

void peer_collisions(void* data, RTCCollision* list, unsigned count) {
    auto* pair = static_cast<PeerPair*>(data);
    for (unsigned i = 0; i < count; ++i) {
        pair->contacts += triangles_meet(pair->a.corners(list[i].primID0), pair->b.corners(list[i].primID1));
    }
}

Timing embree(RTCDevice device, const Scene& scene, Method method) {
    PeerPair pair;
    add_peer(device, pair.a, scene.a);
    add_peer(device, pair.b, scene.b);
    deform::Skinner::Pose pose_a(scene.a.skinner), pose_b(scene.b.skinner);
    const Timing timing = measure(scene.poses_a.size(), [&](std::size_t f) {
        skin_all(scene.a, scene.poses_a[f], method, pose_a, pair.a.vertices);
        skin_all(scene.b, scene.poses_b[f], method, pose_b, pair.b.vertices);
        for (Peer* peer : {&pair.a, &pair.b}) {
            rtcCommitGeometry(peer->geometry);
            rtcCommitScene(peer->scene);
        }
        pair.contacts = 0;
        rtcCollide(pair.a.scene, pair.b.scene, peer_collisions, &pair);
        return pair.contacts;
    });
    for (Peer* peer : {&pair.a, &pair.b}) {
        rtcReleaseGeometry(peer->geometry);
        rtcReleaseScene(peer->scene);
    }
    return timing;
}

#if SINEW_HAS_FCL
using FclModel = fcl::BVHModel<fcl::OBBRSSd>;

std::shared_ptr<FclModel> fcl_model(const Cast& cast) {
    auto model = std::make_shared<FclModel>();
    std::vector<Vec3d> vertices;
    for (const Vec3f& p : cast.character.mesh.positions) vertices.push_back(p.cast<double>());
    std::vector<fcl::Triangle> triangles;
    for (const auto& t : cast.character.mesh.triangles) triangles.emplace_back(t[0], t[1], t[2]);
    model->beginModel();
    model->addSubModel(vertices, triangles);
    model->endModel();
    return model;
}

void fcl_update(FclModel& model, const std::vector<Vec3f>& vertices) {
    std::vector<Vec3d> wide(vertices.size());
    for (std::size_t v = 0; v < wide.size(); ++v) wide[v] = vertices[v].cast<double>();
    model.beginUpdateModel();
    model.updateSubModel(wide);
    model.endUpdateModel(true, true);
}

Timing fcl_peer(const Scene& scene, Method method) {
    const auto x = fcl_model(scene.a), y = fcl_model(scene.b);
    deform::Skinner::Pose pose_a(scene.a.skinner), pose_b(scene.b.skinner);
    std::vector<Vec3f> va, vb;
    return measure(std::min<std::size_t>(scene.poses_a.size(), 6), [&](std::size_t f) {
        skin_all(scene.a, scene.poses_a[f], method, pose_a, va);
        skin_all(scene.b, scene.poses_b[f], method, pose_b, vb);
        fcl_update(*x, va);
        fcl_update(*y, vb);
        const fcl::CollisionObjectd a(x), b(y);
        fcl::CollisionRequestd request;
        request.num_max_contacts = 1000000;
        fcl::CollisionResultd result;
        fcl::collide(&a, &b, request, result);
        return result.numContacts();
    });
}
#endif

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
        name, scene.a.tree.triangles.size(), demand.contacts, ms, theirs.milliseconds,
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
        const auto triangles = static_cast<double>(cast.tree.triangles.size());
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
                   static_cast<double>(memory_of(cast.tree)) / static_cast<double>(served),
                   static_cast<double>(Body(cast.tree).memory()) / static_cast<double>(served));
        if (step < 3) horse = subdivided(horse);
    }
    if (!plot_path.empty()) render::save_plot(plot_path, plot);
}

void bench_crowd(const Cast& cast, double half) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> place(-half, half), turn(0, 6);
    std::vector<std::vector<Mat34f>> poses;
    for (int i = 0; i < 50; ++i)
        poses.push_back(cast.pose(0.05 * i, place(random), place(random), turn(random)));
    std::vector<Body> bodies;
    for (std::size_t i = 0; i < poses.size(); ++i) bodies.emplace_back(cast.tree).keep_balls(false);
    std::vector<Body> source_bodies;
    for (std::size_t i = 0; i < poses.size(); ++i) source_bodies.emplace_back(cast.source_tree);
    CrowdRoom room;
    std::vector<BodyContact> out;
    deform::Skinner::Pose pose(cast.skinner);
    std::vector<Vec3f> vertices;
    const auto run = [&](std::vector<Body>& crowd, bool all_balls) {
        return measure(1, [&](std::size_t) {
            for (std::size_t i = 0; i < crowd.size(); ++i) {
                crowd[i].set_pose(poses[i]);
                if (!all_balls) continue;
                skin_all(cast, poses[i], Method::lbs, pose, vertices);
                crowd[i].fill_bottom_up(room.refit, vertices);
            }
            find_crowd_contacts(crowd, out, room);
            return out.size();
        });
    };
    const Timing demand = run(bodies, false), ours = run(bodies, true), theirs = run(source_bodies, true);
    fmt::print(
        "crowd of 50 over {:.0f} m, {} triangles: {} contacts, on demand {:.3f} ms; bottom-up, source's "
        "tree {:.3f} ms = {:.1f} times [15]; bottom-up, ours {:.3f} ms = {:.1f} times\n",
        2 * half, 50 * cast.tree.triangles.size(), demand.contacts, demand.milliseconds, theirs.milliseconds,
        theirs.milliseconds / demand.milliseconds, ours.milliseconds,
        ours.milliseconds / demand.milliseconds);
}

void bench_refits(const Cast& cast) {
    const SphereTree& tree = cast.source_tree;  // its inner nodes
    std::vector<std::uint32_t> inner;
    for (std::uint32_t n = 0; n < tree.nodes.size(); ++n) {
        if (!tree.nodes[n].leaf()) inner.push_back(n);
    }
    const auto palette = cast.pose(0.3, 0, 0, 0);
    double linear = 0;
    for (const Method method : {Method::lbs, Method::sbs, Method::dqs}) {
        Body body(tree, method);
        body.keep_balls(false);
        RefitRoom room;
        const Timing timing = measure(1, [&](std::size_t) {
            body.set_pose(palette);
            for (const std::uint32_t n : inner) body.ball(n, room);
            return inner.size();
        });
        const double each = 1e6 * timing.milliseconds / static_cast<double>(inner.size());
        if (method == Method::lbs) linear = each;
        fmt::print("refit all {} inner balls of the source's tree, {}: {:.1f} ns each ({:.2f} of linear)\n",
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
            QueryRoom room;
            TouchMemory memory;
            const Timing kept = measure(frames, [&](std::size_t f) -> std::size_t {
                a.set_pose(scene.poses_a[f]);
                b.set_pose(scene.poses_b[f]);
                return touching(a, b, room, memory);
            });
            fmt::print("yes or no over {} frames, {}: {:.4f} ms, with memory {:.4f} ms = {:.2f} times{}\n",
                       frames, deform::name(method), plain.milliseconds, kept.milliseconds,
                       plain.milliseconds / kept.milliseconds,
                       plain.contacts == kept.contacts ? "" : ", differs");
        }
    }
}

/// Bodies that hold their pose and move as a whole, with and without the balls of the last frame.
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
        a.keep_balls(keep);
        b.keep_balls(keep);
        QueryRoom room;
        std::vector<Contact> out;
        timings[keep] = measure(frames, [&](std::size_t f) -> std::size_t {
            a.set_pose(scene.poses_a[f]);
            b.set_pose(scene.poses_b[f]);
            if (first) return touching(a, b, room);
            find_contacts(a, b, out, room);
            return out.size();
        });
    }
    fmt::print("{} in held poses: {:.4f} ms, with kept balls {:.4f} ms = {:.2f} times{}\n", name,
               timings[0].milliseconds, timings[1].milliseconds,
               timings[0].milliseconds / timings[1].milliseconds,
               timings[0].contacts == timings[1].contacts ? "" : ", differs");
}

/// The first touch between every two frames: vertices along straight lines, then joints on screws.
void bench_between(const char* name, const Scene& scene) {
    const std::size_t steps = scene.poses_a.size() - 1;
    QueryRoom room;
    Body a0(scene.a.tree), a1(scene.a.tree), b0(scene.b.tree), b1(scene.b.tree);
    const Timing straight = measure(steps, [&](std::size_t f) -> std::size_t {
        a0.set_pose(scene.poses_a[f]);
        a1.set_pose(scene.poses_a[f + 1]);
        b0.set_pose(scene.poses_b[f]);
        b1.set_pose(scene.poses_b[f + 1]);
        return find_first_touch({&a0, &a1}, {&b0, &b1}, room).touching;
    });
    ScrewBody a(scene.a.tree), b(scene.b.tree);
    const Timing screws = measure(steps, [&](std::size_t f) -> std::size_t {
        a.set_step(scene.poses_a[f], scene.poses_a[f + 1]);
        b.set_step(scene.poses_b[f], scene.poses_b[f + 1]);
        return find_first_touch(a, b, room).touching;
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
        return build_tree(mesh, {}, nullptr).nodes.size();
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
