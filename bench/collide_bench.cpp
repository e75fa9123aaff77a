// Collision of skinned bodies: balls refitted on demand beside a bottom-up refit (all vertices by the SIMD
// skinner, then all balls) and beside Embree (all vertices, refitted scene, rtcCollide with the same triangle
// test), in one run on one thread. Scenes are those of Kavan 2007, chapter 5, rebuilt from the samples; the
// source's speed-ups stand in brackets. Every query includes the new pose.
//
//   cmake --build --preset release --target bench_collide && build/release/bench/bench_collide [gate]

#include <cstring>
#include <random>

#include "support.h"
#include <embree3/rtcore.h>
#include <fmt/format.h>

#include "sinew/base/parallel.h"
#include "sinew/collide/crowd.h"
#include "sinew/collide/subdivide.h"
#include "sinew/collide/tightness.h"
#include "sinew/deform/reference.h"
#include "sinew/deform/skinner.h"
#include "sinew/sample/samples.h"

namespace {

using namespace sinew;
using namespace sinew::collide;
using bench::median;
using bench::seconds;
using deform::Mat34f;
using deform::Method;
using Palettes = std::vector<std::vector<Mat34f>>;

/// A character with all it needs to be played and collided.
struct Cast {
    model::Character character;
    SphereTree tree;
    deform::Skinner skinner;

    explicit Cast(model::Character made)
        : character(std::move(made)),
          tree(build_tree(character)),
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
    double contacts = 0;      ///< a frame
    QueryCounts counts;       ///< of one run over all frames
};

/// Runs a scene several times; `frame(f)` returns contacts.
template <class Frame>
Timing measure(std::size_t frames, const Frame& frame) {
    std::vector<double> times;
    Timing timing;
    for (int run = 0; run < 7; ++run) {
        double contacts = 0;
        times.push_back(seconds([&] {
            for (std::size_t f = 0; f < frames; ++f) contacts += static_cast<double>(frame(f));
        }));
        timing.contacts = contacts / static_cast<double>(frames);
    }
    timing.milliseconds = 1e3 * *std::min_element(times.begin(), times.end()) / static_cast<double>(frames);
    return timing;
}

Timing on_demand(const Scene& scene, Method method, bool first) {
    Body a(scene.a.tree, method), b(scene.b.tree, method);
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

Timing bottom_up(const Scene& scene, Method method, bool first) {
    Body a(scene.a.tree, Method::lbs), b(scene.b.tree, Method::lbs);
    deform::Skinner::Pose pose_a(scene.a.skinner), pose_b(scene.b.skinner);
    std::vector<Vec3f> va, vb;
    QueryRoom room;
    std::vector<Contact> out;
    return measure(scene.poses_a.size(), [&](std::size_t f) -> std::size_t {
        skin_all(scene.a, scene.poses_a[f], method, pose_a, va);
        skin_all(scene.b, scene.poses_b[f], method, pose_b, vb);
        a.set_pose(scene.poses_a[f]);
        b.set_pose(scene.poses_b[f]);
        a.fill_bottom_up(room.refit, va);
        b.fill_bottom_up(room.refit, vb);
        if (first) return touching(a, b, room);
        find_contacts(a, b, out, room);
        return out.size();
    });
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

void print_scene(RTCDevice device, const char* name, const Scene& scene, bool first, const char* source) {
    const Timing demand = on_demand(scene, Method::lbs, first), all = bottom_up(scene, Method::lbs, first);
    const Timing sbs = on_demand(scene, Method::sbs, first), dqs = on_demand(scene, Method::dqs, first);
    const Timing peer = embree(device, scene, Method::lbs);
    fmt::print(
        "{:<26} {:>7} tri {:>8.1f} contacts | on demand {:>8.4f} ms  bottom-up {:>8.4f} ms = {:>7.1f}x [{}]  "
        "embree {:>8.4f} ms = {:>6.1f}x | sbs {:.2f}x dqs {:.2f}x of lbs\n",
        name, scene.a.tree.triangles.size(), demand.contacts, demand.milliseconds, all.milliseconds,
        all.milliseconds / demand.milliseconds, source, peer.milliseconds,
        peer.milliseconds / demand.milliseconds, sbs.milliseconds / demand.milliseconds,
        dqs.milliseconds / demand.milliseconds);
    if (!first && peer.contacts != all.contacts)
        fmt::print("  embree counts {} contacts, bottom-up {}\n", peer.contacts, all.contacts);
}

void bench_scaling(RTCDevice device) {
    model::Character man = sample::make("horse", {1664});
    const char* const colliding[]{"3.9", "8.34", "17.5", "32.3"};
    const char* const free[]{"32", "126", "502", "1995"};
    double before = 0;
    for (std::size_t step = 0; step < 4; ++step) {
        const Cast cast(man);
        Scene near{cast, cast, {cast.pose(0.2, 0, 0, 0)}, {cast.pose(0.6, 0.35, 0.05, 2.5)}};
        Scene far{cast, cast, {cast.pose(0.2, 0, 0, 0)}, {cast.pose(0.6, 3, 0, 2.5)}};
        print_scene(device, "scaling, colliding", near, false, colliding[step]);
        print_scene(device, "scaling, free", far, false, free[step]);
        const Timing demand = on_demand(near, Method::lbs, false);
        if (before > 0)
            fmt::print("  four times the triangles cost {:.2f} times\n", demand.milliseconds / before);
        before = demand.milliseconds;
        man = subdivided(man);
    }
}

void bench_crowd(const Cast& cast) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> place(-5, 5), turn(0, 6);
    std::vector<std::vector<Mat34f>> poses;
    for (int i = 0; i < 50; ++i)
        poses.push_back(cast.pose(0.05 * i, place(random), place(random), turn(random)));
    std::vector<Body> bodies;
    for (std::size_t i = 0; i < poses.size(); ++i) bodies.emplace_back(cast.tree);
    CrowdRoom room;
    std::vector<BodyContact> out;
    deform::Skinner::Pose pose(cast.skinner);
    std::vector<Vec3f> vertices;
    const auto run = [&](bool all_balls) {
        return measure(1, [&](std::size_t) {
            for (std::size_t i = 0; i < bodies.size(); ++i) {
                bodies[i].set_pose(poses[i]);
                if (!all_balls) continue;
                skin_all(cast, poses[i], Method::lbs, pose, vertices);
                bodies[i].fill_bottom_up(room.refit, vertices);
            }
            find_crowd_contacts(bodies, out, room);
            return out.size();
        });
    };
    const Timing demand = run(false), all = run(true);
    fmt::print(
        "crowd of 50, {} triangles: {} contacts, on demand {:.3f} ms, bottom-up {:.3f} ms = {:.1f}x [15]\n",
        50 * cast.tree.triangles.size(), demand.contacts, demand.milliseconds, all.milliseconds,
        all.milliseconds / demand.milliseconds);
}

void bench_refits(const Cast& cast) {
    BuildOptions options;
    options.leaf_records = true;
    const SphereTree tree = build_tree(cast.character, options);
    const auto palette = cast.pose(0.3, 0, 0, 0);
    double linear = 0;
    for (const Method method : {Method::lbs, Method::sbs, Method::dqs}) {
        Body body(tree, method);
        RefitRoom room;
        const Timing timing = measure(1, [&](std::size_t) {
            body.set_pose(palette);
            for (std::uint32_t n = 0; n < tree.nodes.size(); ++n) body.ball(n, room);
            return tree.nodes.size();
        });
        const double each = 1e6 * timing.milliseconds / static_cast<double>(tree.nodes.size());
        if (method == Method::lbs) linear = each;
        fmt::print("refit all {} balls by records, {}: {:.1f} ns each ({:.2f} of linear)\n",
                   tree.nodes.size(), deform::name(method), each, each / linear);
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

/// The gate: random poses of a character, every vertex as skinning computes it in every ball of its nodes.
void run_gate(std::size_t wanted) {
    std::mt19937 random(1);
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> angle(-math::pi, math::pi);
    std::size_t outside = 0;
    for (const char* name : {"man", "hand", "horse", "ostrich"}) {
        const Cast cast(sample::make(name, {2000}));
        const SphereTree& tree = cast.tree;
        std::size_t checks = 0;
        for (std::size_t round = 0; checks < wanted / 4; ++round) {
            std::vector<Mat34f> palette;
            const double far = round % 4 == 3 ? 1e4 : 0.1, most = round % 2 == 0 ? 0.3 : 1;
            for (const Vec3d& center : tree.joint_centers) {
                const Vec3d axis = Vec3d(normal(random), normal(random), normal(random)).normalized();
                auto turn = math::rotation_about<double>(center, axis, most * angle(random));
                turn.translation += far * Vec3d(normal(random), normal(random), normal(random));
                palette.push_back(deform::to_mat34(turn.matrix()));
            }
            for (const Method method : {Method::lbs, Method::sbs, Method::dqs}) {
                Body body(tree, method);
                body.set_pose(palette);
                RefitRoom room;
                deform::Skinner::Pose pose(cast.skinner);
                std::vector<Vec3f> vertices;
                skin_all(cast, palette, method, pose, vertices);
                for (std::uint32_t n = 0; n < tree.nodes.size(); ++n) {
                    const Ball ball = body.ball(n, room);
                    const Node& node = tree.nodes[n];
                    for (std::uint32_t t = 0; t < node.triangle_count; ++t) {
                        for (const std::uint32_t v : tree.triangles[node.first_triangle + t]) {
                            const Vec3d p = vertices[tree.vertex_ids[v]].cast<double>();
                            outside += !((p - ball.center).norm() <= ball.radius);
                            ++checks;
                        }
                    }
                }
            }
        }
        fmt::print("{}: {} checks, {} outside\n", name, checks, outside);
    }
}

}  // namespace

int main(int argc, char** argv) {
    if (argc > 1 && std::strcmp(argv[1], "gate") == 0) {
        run_gate(20'000'000);
        return 0;
    }
    set_thread_count(1);
    RTCDevice device = rtcNewDevice("threads=1,set_affinity=0");
    const Cast men(sample::make("man")), horses(sample::make("horse", {13590}));
    print_scene(device, "two men approach", walk(men, 4, 0.55, 60), false, "50");
    const Scene through = walk(horses, 3, -3, 60);
    print_scene(device, "horses walk through", through, false, "5.3");
    print_scene(device, "horses, yes or no", through, true, "37");
    bench_scaling(device);
    bench_crowd(horses);
    bench_refits(horses);
    bench_levels(horses);
    rtcReleaseDevice(device);
    return 0;
}
