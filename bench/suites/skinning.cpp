// SPDX-License-Identifier: MIT
// sinew-bench skinning: every method against the interleaved layout that most engines use.
#include <algorithm>
#include <chrono>
#include <cstring>
#include <memory>
#include <random>

#include "bench/study/cost.h"
#include "reference/deform/reference.h"
#include "skinning_rig.h"
#include "suites.h"
#include <fmt/format.h>
#include <malloc.h>

#include "sinew/base/array.h"
#include "sinew/base/parallel.h"
#include "sinew/deform/blend.h"
#include "sinew/deform/corrective/delta_mush.h"
#include "sinew/deform/skinner.h"
#include "sinew/deform/skinning/kernels/block_kernels.h"
#include "sinew/model/character.h"
#include "sinew/sample/samples.h"

namespace sinew::bench {
namespace {

// A synthetic rig of any size for benchmarks.

struct BenchRigOptions {
    std::size_t vertices = 100'000;
    int joints = 67;
    int sets = 126;      ///< influence sets asked for
    int influences = 4;  ///< of every vertex
    unsigned seed = 1;
};

class Uniform {
  public:
    explicit Uniform(unsigned seed) : engine_(seed) {}
    double operator()(double low, double high) {
        return std::uniform_real_distribution<double>(low, high)(engine_);
    }
    math::Vec3d vector(double size) {
        return {(*this)(-size, size), (*this)(-size, size), (*this)(-size, size)};
    }

  private:
    std::mt19937 engine_;
};

void add_vertex(BenchRig& rig, const BenchRigOptions& options, int set, Uniform& uniform) {
    const int window = options.influences + 1;
    const int first = set % std::max(1, options.joints - window);
    // Sets that start at the same joint differ in the one they leave out.
    const int skipped = 1 + set / std::max(1, options.joints - window) % options.influences;
    const math::Vec3d middle(0, 0.05 * (first + 0.5 * window), 0);
    rig.mesh.positions.push_back((middle + uniform.vector(0.1)).cast<float>());
    rig.mesh.normals.push_back(uniform.vector(1).normalized().cast<float>());
    std::vector<model::Influence> list;
    for (int i = 0; i < window; ++i) {
        if (i == skipped) continue;
        const int joint = std::min(first + i, options.joints - 1);
        list.push_back({static_cast<std::uint32_t>(joint), static_cast<float>(uniform(0.05, 1))});
    }
    rig.skin.push_vertex(list);
}

/// A bent chain of joints; every vertex has as many influences as asked, among neighbouring joints.
BenchRig make_bench_rig(const BenchRigOptions& options) {
    Uniform uniform(options.seed);
    BenchRig rig;
    for (int j = 0; j < options.joints; ++j) {
        model::Joint joint;
        joint.name = fmt::format("j{}", j);
        joint.parent = j - 1;
        joint.rest.translation = {0, 0.05, 0};
        rig.skeleton.joints.push_back(joint);
    }
    rig.skin.joints = model::bind_at_rest(rig.skeleton);
    std::vector<math::Transform> local;
    for (const model::Joint& joint : rig.skeleton.joints) {
        local.push_back(joint.rest);
        local.back().rotation =
            math::axis_angle(math::Vec3d(uniform.vector(1).normalized()), uniform(0, 0.5));
    }
    rig.palette = deform::to_mat34(model::palette(rig.skin, model::world_matrices(rig.skeleton, local)));
    for (std::size_t v = 0; v < options.vertices; ++v) {
        const auto set = static_cast<int>(v * static_cast<std::size_t>(options.sets) / options.vertices);
        add_vertex(rig, options, set, uniform);
    }
    model::clean(rig.skin);
    return rig;
}
using deform::Method;

int repetitions_for(std::size_t vertices) {
    return static_cast<int>(std::clamp<std::size_t>(20'000'000 / std::max<std::size_t>(1, vertices), 5, 400));
}

template <class Work>
double ns_per_vertex(std::size_t vertices, const Work& work) {
    return 1e9 * seconds_of_call(repetitions_for(vertices), work) / static_cast<double>(vertices);
}

void compare_methods(Run& run, std::size_t vertices) {
    const BenchRig rig = make_bench_rig({.vertices = vertices});
    Baseline baseline(rig);
    Ours ours(rig), centered(rig, true);
    const auto time = [&](Method method) {
        Ours& one = method == Method::cor ? centered : ours;
        return ns_per_vertex(vertices, [&] { one.run(rig, method); });
    };
    time(Method::lbs);
    const double base = ns_per_vertex(vertices, [&] { baseline.run(); });
    const double lbs = time(Method::lbs);
    Table table{fmt::format("{} vertices, 4 influences, {} sets, positions and normals, one thread, {}",
                            vertices, ours.skinner.set_count(), deform::kernels::target_name()),
                {"method", "ns/vertex", "times baseline", "of LBS", "flops/vertex", "bytes/joint"},
                {}};
    const auto add = [&](const std::string& name, double ns, Method method) {
        const deform::MethodCost cost = deform::cost(method);
        table.rows.push_back(
            {name, {ns, 2}, {base / ns, 2}, {ns / lbs, 2}, {cost.vertex_flops, 0}, cost.joint_bytes});
    };
    add("interleaved 4-wide (baseline)", base, Method::lbs);
    add("lbs, component arrays", lbs, Method::lbs);
    for (const bool slots : {true, false}) {
        deform::VertexBuffer buffer{ours.buffer};
        buffer.slot_order = slots;
        add(slots ? "lbs, interleaved, slot order" : "lbs, interleaved, mesh order",
            ns_per_vertex(vertices,
                          [&] { ours.skinner.deform(rig.palette, Method::lbs, ours.pose, buffer); }),
            Method::lbs);
    }
    for (const deform::MethodInfo& info : deform::methods()) {
        if (info.method != Method::lbs) add(std::string(info.name), time(info.method), info.method);
    }
    show(run, table);
}

/// Smoothing in every frame against smoothing once, on a body that walks.
void compare_mush(Run& run) {
    const model::Character man = sample::make("man");
    const std::vector<math::Mat4d> palette =
        model::palette(man.skin, model::world_matrices(man, model::find_clip(man, "walk"), 0.4));
    const model::InfluenceSets sets = model::group_by_influences(man.skin, &man.skeleton);
    const auto skinned = [&] {
        return deform::deform<float>(man.mesh, man.skin, sets, palette, Method::lbs).positions;
    };
    const deform::DeltaMush delta(man.mesh);
    const deform::DirectDeltaMush direct(man.mesh, man.skin);
    const double vertices = static_cast<double>(man.mesh.vertex_count());
    const auto time = [&](const auto& work) { return 1e9 * seconds_of_call(20, work) / vertices; };
    const double plain = time(skinned), slow = time([&] { delta.apply(skinned()); }),
                 fast = time([&] { direct.apply(palette); });
    Table table{fmt::format("Delta Mush, {} vertices of the walking man, positions, one thread, plain code; "
                            "{:.1f} joints per vertex after smoothing",
                            man.mesh.vertex_count(), direct.mean_influences()),
                {"method", "ns/vertex", "times as fast as Delta Mush"},
                {}};
    table.rows.push_back({"lbs, plain code", {plain, 0}, {slow / plain, 2}});
    table.rows.push_back({"Delta Mush, 20 passes", {slow, 0}, {1.0, 2}});
    table.rows.push_back({"Direct Delta Mush", {fast, 0}, {slow / fast, 2}});
    show(run, table);
}

void compare_threads(Run& run) {
    Table table{"Threads, LBS", {"what", "ns/vertex", "ratio"}, {}};
    const BenchRig large = make_bench_rig({.vertices = 400'000});
    Ours ours(large);
    const double one = ns_per_vertex(400'000, [&] { ours.run(large, Method::lbs); });
    const double all = ns_per_vertex(400'000, [&] { ours.run(large, Method::lbs, deform::Threads::all); });
    table.rows.push_back({"400000 vertices, one thread", {one, 2}, {1.0, 2}});
    table.rows.push_back(
        {fmt::format("400000 vertices, {} threads", thread_count()), {all, 2}, {one / all, 2}});
    show(run, table);
}

/// Bytes of the heap that are in use, aligned ones too.
std::size_t heap() {
    return mallinfo2().uordblks + mallinfo2().hblkhd;
}

/// A crowd in which no two characters are alike: own mesh, skin, palette and vertex buffer each.
void show_skinned_crowd(Run& run, std::size_t count) {
    constexpr std::size_t vertices = 5'000;
    struct Member {
        std::vector<deform::Mat34f> palette;
        std::unique_ptr<Ours> ours;
    };
    std::vector<Member> members(count);
    const std::size_t before = heap();
    parallel_for(count, 1, [&](std::size_t i) {
        const auto seed = static_cast<unsigned>(i);
        const BenchRig rig = make_bench_rig({.vertices = vertices,
                                             .joints = 30 + static_cast<int>(i % 41),
                                             .sets = 60 + static_cast<int>(i % 97),
                                             .influences = 2 + static_cast<int>(i % 3),
                                             .seed = seed + 1});
        members[i] = {rig.palette, std::make_unique<Ours>(rig)};
        AlignedVector<float>().swap(members[i].ours->arrays);
    });
    const std::size_t bytes = (heap() - before) / count;
    Table table{
        fmt::format("A crowd of {} different characters of {} vertices, LBS, positions and normals in "
                    "the mesh's order; {} bytes a character with its vertex buffer",
                    count, vertices, bytes),
        {"threads", "frames per second", "ns/vertex", "times one thread", "bytes allocated in a frame"},
        {}};
    const int all = thread_count();
    double one = 0;
    for (int threads = 1; threads <= all; threads = threads < all ? std::min(all, 2 * threads) : all + 1) {
        set_thread_count(threads);
        const auto frame = [&] {
            parallel_for(count, 4, [&](std::size_t i) {
                Ours& ours = *members[i].ours;
                ours.skinner.deform(members[i].palette, Method::lbs, ours.pose,
                                    deform::VertexBuffer{ours.buffer});
            });
        };
        const double seconds = seconds_of_call(20, frame);
        if (threads == 1) one = seconds;
        const std::size_t used = heap();
        frame();
        const std::size_t now = heap();
        table.rows.push_back({static_cast<std::size_t>(threads),
                              {1 / seconds, 1},
                              {1e9 * seconds / static_cast<double>(count * vertices), 2},
                              {one / seconds, 2},
                              now > used ? now - used : std::size_t{0}});
    }
    set_thread_count(0);
    show(run, table);
}

/// Nanoseconds to move the bytes of one vertex: what LBS reads and writes, copied plainly.
double bandwidth_limit(std::size_t vertices) {
    constexpr std::size_t floats_in = 7, floats_out = 6;  // normals and weights are packed
    AlignedVector<float> from(vertices * floats_in, 1.0f), to(vertices * floats_out);
    return ns_per_vertex(vertices, [&] {
        std::memcpy(to.data(), from.data(), vertices * floats_out * sizeof(float));
        float sum = 0;  // the rest of the input is read
        for (std::size_t i = vertices * floats_out; i < from.size(); i += 16) sum += from[i];
        to[0] = sum;
    });
}

void show_growth(Run& run, std::size_t max) {
    Table table{"Growth, LBS, one thread", {"vertices", "ns/vertex", "of that moving the bytes"}, {}};
    for (std::size_t vertices = 1000; vertices <= max; vertices *= 10) {
        const BenchRig rig = make_bench_rig(
            {.vertices = vertices, .sets = static_cast<int>(std::min<std::size_t>(126, vertices / 64))});
        Ours ours(rig);
        const double ns = ns_per_vertex(vertices, [&] { ours.run(rig, Method::lbs); });
        table.rows.push_back({vertices, {ns, 2}, {bandwidth_limit(vertices), 2}});
        step(run.monitor, "growth", static_cast<double>(vertices) / static_cast<double>(max));
    }
    show(run, table);
}

/// Models with the counts of Kavan 2007, tables 3.1 and 3.2.
struct PublishedSpeed {
    const char* name;
    std::size_t vertices;
    int joints;
    int sets;         ///< non-trivial joint sets
    double lbs, sbs;  ///< milliseconds there
};

void show_published(Run& run) {
    Table table{"Models of the size of Kavan 2007, milliseconds a pose (3.4 GHz Pentium 4 there)",
                {"model", "vertices", "joints", "LBS there", "LBS", "SBS there", "SBS", "DQS"},
                {}};
    for (const PublishedSpeed& p :
         {PublishedSpeed{"Hand", 2402, 23, 38, 2.68, 5.79}, PublishedSpeed{"Woman", 3356, 78, 37, 2.81, 5.43},
          PublishedSpeed{"Creature", 6802, 56, 56, 7.6, 16.11}}) {
        const BenchRig rig = make_bench_rig({.vertices = p.vertices, .joints = p.joints, .sets = p.sets});
        Ours ours(rig);
        const auto ms = [&](Method method) {
            return Cell{1e3 * seconds_of_call(400, [&] { ours.run(rig, method); }), 4};
        };
        table.rows.push_back({p.name,
                              p.vertices,
                              static_cast<std::size_t>(p.joints),
                              {p.lbs, 2},
                              ms(Method::lbs),
                              {p.sbs, 2},
                              ms(Method::sbs),
                              ms(Method::dqs)});
    }
    show(run, table);
}

}  // namespace

void bench_skinning(Run& run, const SuiteOptions& options) {
    compare_characters(run, options);
    compare_methods(run, options.quick ? 10'000 : 100'000);
    compare_mush(run);
    show_published(run);
    if (options.quick) return;
    compare_threads(run);
    show_skinned_crowd(run, 1000);
    show_growth(run, 10'000'000);
}

}  // namespace sinew::bench
