// Skinning against the interleaved layout, in one run: ns per vertex and ratios.

#include <algorithm>
#include <chrono>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "interleaved_baseline.h"
#include "sinew/base/aligned.h"
#include "sinew/base/parallel.h"
#include "sinew/deform/kernels/block_kernels.h"
#include "sinew/deform/skinner.h"

using namespace sinew;

namespace {

/// A synthetic rig: sets of four joints, vertices of a set next to each other in the mesh.
struct Rig {
    geometry::Mesh mesh;
    model::Skeleton skeleton;
    model::Skin skin;
    std::vector<deform::Mat34f> palette;
};

Rig make_rig(std::size_t vertices, int sets, int joints, unsigned seed) {
    std::mt19937 engine(seed);
    const auto uniform = [&](double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine); };
    Rig rig;
    for (int j = 0; j < joints; ++j) {
        model::Joint joint;
        joint.name = fmt::format("j{}", j);
        joint.parent = j - 1;
        joint.rest.translation = {0, 0.05, 0};
        rig.skeleton.joints.push_back(joint);
    }
    rig.skin.joints = model::bind_at_rest(rig.skeleton);
    std::vector<math::Transform> local;
    for (const model::Joint& joint : rig.skeleton.joints) local.push_back(joint.rest);
    for (math::Transform& t : local) {
        const math::Vec3d axis = math::Vec3d(uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)).normalized();
        t.rotation = math::axis_angle(axis, uniform(0, 0.5));
    }
    rig.palette = deform::to_mat34(model::palette(rig.skin, model::world_matrices(rig.skeleton, local)));
    for (std::size_t v = 0; v < vertices; ++v) {
        const auto set = static_cast<int>(v * static_cast<std::size_t>(sets) / vertices);
        const int first = set % (joints - 4);
        const float y = 0.05f * static_cast<float>(first + 2);
        rig.mesh.positions.emplace_back(uniform(-0.1, 0.1), y + uniform(-0.1, 0.1), uniform(-0.1, 0.1));
        rig.mesh.normals.push_back(math::Vec3f(uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)).normalized());
        // Sets differ in their joints, so that as many are made as asked for.
        const std::uint32_t skip = set / (joints - 4) % 3;
        model::Influence list[4];
        float sum = 0;
        for (std::uint32_t i = 0; i < 4; ++i) {
            list[i] = {static_cast<std::uint32_t>(first) + i + (i == 3 ? skip % 2 : 0), static_cast<float>(uniform(0.05, 1))};
            list[i].joint = std::min(list[i].joint, static_cast<std::uint32_t>(joints - 1));
            sum += list[i].weight;
        }
        for (model::Influence& influence : list) influence.weight /= sum;
        rig.skin.push_vertex(list);
    }
    model::clean(rig.skin);
    return rig;
}

/// Nanoseconds a vertex: the fastest tenth of the repetitions, because other work only ever adds time.
template <class Work>
double nanoseconds(std::size_t vertices, const Work& work) {
    const int repetitions = static_cast<int>(std::clamp<std::size_t>(20'000'000 / vertices, 9, 400));
    std::vector<double> times;
    for (int i = 0; i < repetitions; ++i) {
        const auto start = std::chrono::steady_clock::now();
        work();
        times.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    std::sort(times.begin(), times.end());
    return times[times.size() / 10] * 1e9 / static_cast<double>(vertices);
}

struct Baseline {
    std::vector<bench::InterleavedVertex> in, out;
    std::vector<std::uint16_t> joints;
    std::vector<float> weights;
    AlignedVector<float> palette;

    explicit Baseline(const Rig& rig) : palette(rig.palette.size() * 16) {
        for (std::size_t v = 0; v < rig.mesh.vertex_count(); ++v) {
            const auto& p = rig.mesh.positions[v];
            const auto& n = rig.mesh.normals[v];
            in.push_back({{p.x(), p.y(), p.z()}, {n.x(), n.y(), n.z()}});
            const auto influences = rig.skin.of(v);
            for (std::size_t i = 0; i < 4; ++i) {
                joints.push_back(static_cast<std::uint16_t>(i < influences.size() ? influences[i].joint : 0));
                weights.push_back(i < influences.size() ? influences[i].weight : 0);
            }
        }
        out.resize(in.size() + 1);
        for (std::size_t j = 0; j < rig.palette.size(); ++j) {
            for (std::size_t r = 0; r < 3; ++r) {
                for (std::size_t c = 0; c < 4; ++c) palette[j * 16 + c * 4 + r] = rig.palette[j].rows[r][c];
            }
        }
    }
    void run() { bench::skin_interleaved({in.data(), joints.data(), weights.data(), in.size()}, palette.data(), out.data()); }
};

struct Ours {
    deform::Skinner skinner;
    deform::Skinner::Pose pose;
    AlignedVector<float> arrays;
    deform::ComponentArrays components;
    std::vector<std::byte> buffer;

    static deform::Skinner make(const Rig& rig, bool centers) {
        deform::SkinnerOptions options;
        options.exact_normals = false;
        if (centers) options.centers = rig.mesh.positions;
        return {rig.mesh, rig.skin, &rig.skeleton, options};
    }
    explicit Ours(const Rig& rig, bool centers = false) : skinner(make(rig, centers)), pose(skinner), arrays((skinner.slot_count() + 80) * 6) {
        const std::size_t n = skinner.slot_count();
        for (std::size_t i = 0; i < 3; ++i) {
            components.position[i] = {arrays.data() + i * (n + 80), n};
            components.normal[i] = {arrays.data() + (3 + i) * (n + 80), n};
        }
        buffer.resize(skinner.slot_count() * 24);
    }
};

void print_row(const std::string& name, double time, double baseline, double lbs) {
    fmt::print("| {:<34} | {:8.2f} | {:8.2f} | {:8.2f} |\n", name, time, baseline / time, time / lbs);
}

void compare(std::size_t vertices) {
    const Rig rig = make_rig(vertices, 200, 67, 1);
    Baseline baseline(rig);
    Ours ours(rig);
    set_thread_count(1);
    Ours centered(rig, true);
    const auto time = [&](deform::Method method) {
        Ours& one = method == deform::Method::cor ? centered : ours;
        return nanoseconds(vertices, [&] { one.skinner.deform(rig.palette, method, one.pose, one.components); });
    };
    time(deform::Method::lbs);
    const double base = nanoseconds(vertices, [&] { baseline.run(); });
    const double lbs = time(deform::Method::lbs);
    fmt::print("\n{} vertices, 4 influences, {} sets, positions and normals, one thread, {}\n\n", vertices,
               ours.skinner.set_count(), deform::kernels::target_name());
    fmt::print("| {:<34} | {:>8} | {:>8} | {:>8} |\n", "method", "ns/vert", "x base", "of LBS");
    fmt::print("| --- | ---: | ---: | ---: |\n");
    print_row("interleaved 4-wide (baseline)", base, base, lbs);
    print_row("lbs, component arrays", lbs, base, lbs);
    for (const bool slots : {true, false}) {
        deform::VertexBuffer buffer{ours.buffer};
        buffer.slot_order = slots;
        const double t = nanoseconds(
            vertices, [&] { ours.skinner.deform(rig.palette, deform::Method::lbs, ours.pose, buffer); });
        print_row(slots ? "lbs, interleaved, slot order" : "lbs, interleaved, mesh order", t, base, lbs);
    }
    for (const deform::MethodInfo& info : deform::methods()) {
        if (info.method != deform::Method::lbs) print_row(std::string(info.name), time(info.method), base, lbs);
    }
}

}  // namespace

int main(int argc, char** argv) {
    std::vector<std::size_t> sizes;
    for (int i = 1; i < argc; ++i) sizes.push_back(std::stoul(argv[i]));
    if (sizes.empty()) sizes = {100'000};
    for (const std::size_t size : sizes) compare(size);
}
