// SPDX-License-Identifier: MIT
// The first table of sinew-bench skinning: the characters that people have, small and with many influence
// sets, beside the loop of engines.
#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <random>

#include "skinning_rig.h"
#include "suites.h"
#include <nlohmann/json.hpp>

#include "sinew/base/file.h"
#include "sinew/deform/skinning/kernels/block_kernels.h"
#include "sinew/io/io.h"

namespace sinew::bench {
namespace {

using deform::Method;

constexpr std::size_t min_vertices = 2'000, max_vertices = 30'000;

/// A pose in which every joint turns by up to half a radian.
void pose(BenchRig& rig) {
    std::mt19937 engine(1);
    std::uniform_real_distribution<double> uniform(-1, 1);
    std::vector<math::Transform> local;
    for (const model::Joint& joint : rig.skeleton.joints) {
        const math::Vec3d axis(uniform(engine), uniform(engine), uniform(engine));
        local.push_back(joint.rest);
        local.back().rotation =
            math::axis_angle(axis.normalized(), 0.5 * uniform(engine)) * joint.rest.rotation;
    }
    rig.palette = deform::to_mat34(model::palette(rig.skin, model::world_matrices(rig.skeleton, local)));
}

/// A folder of `mesh.obj` and `reference.json`, which holds joints with parent and position, and lists of
/// [joint, weight] for the vertices.
BenchRig read_rig(const std::filesystem::path& folder) {
    BenchRig rig;
    rig.mesh = io::read(folder / "mesh.obj").character.mesh;
    const auto reference = nlohmann::json::parse(FileView(folder / "reference.json").text());
    std::vector<math::Vec3d> positions;
    for (const auto& from : reference.at("joints")) {
        const auto& p = from.at("position");
        positions.emplace_back(p.at(0).get<double>(), p.at(1).get<double>(), p.at(2).get<double>());
        model::Joint joint;
        joint.parent = from.at("parent").get<int>();
        joint.rest.translation = positions.back();
        if (joint.parent >= 0) joint.rest.translation -= positions.at(at(joint.parent));
        rig.skeleton.joints.push_back(joint);
    }
    rig.skin.joints = model::bind_at_rest(rig.skeleton);
    for (const auto& vertex : reference.at("weights")) {
        std::vector<model::Influence> list;
        for (const auto& pair : vertex)
            list.push_back({pair.at(0).get<std::uint32_t>(), pair.at(1).get<float>()});
        rig.skin.push_vertex(list);
    }
    return rig;
}

struct Named {
    std::string name;
    BenchRig rig;
};

/// All characters of 2,000 to 30,000 vertices below the folder, with four influences at most, as engines
/// take them.
std::vector<Named> read_characters(const std::filesystem::path& data) {
    std::vector<Named> result;
    const auto add = [&](const std::filesystem::path& path, BenchRig rig) {
        const std::size_t count = rig.mesh.vertex_count();
        if (count < min_vertices || count > max_vertices || rig.skin.vertex_count() != count) return;
        model::clean(rig.skin, {.max_influences = 4});
        if (rig.mesh.normals.empty())
            rig.mesh.normals = geometry::vertex_normals(rig.mesh.positions, rig.mesh.triangles);
        pose(rig);
        result.push_back({path.stem().string(), std::move(rig)});
    };
    for (const char* part : {"rigs", "gltf"}) {
        if (!std::filesystem::is_directory(data / part)) continue;
        for (const auto& entry : std::filesystem::directory_iterator(data / part)) {
            if (std::filesystem::exists(entry.path() / "reference.json")) {
                add(entry.path(), read_rig(entry.path()));
            } else if (entry.path().extension() == ".glb") {
                model::Character character = io::read(entry.path()).character;
                add(entry.path(), {std::move(character.mesh),
                                   std::move(character.skeleton),
                                   std::move(character.skin),
                                   {}});
            }
        }
    }
    std::sort(result.begin(), result.end(), [](const Named& a, const Named& b) {
        return std::pair(a.rig.mesh.vertex_count(), a.name) < std::pair(b.rig.mesh.vertex_count(), b.name);
    });
    return result;
}

/// Fastest seconds of each work, all in turns: what else the machine does meets all of them.
template <std::size_t N>
std::array<double, N> in_turns(const std::array<std::function<void()>, N>& works, double seconds) {
    using Clock = std::chrono::steady_clock;
    std::array<double, N> best;
    best.fill(1e30);
    for (const auto end = Clock::now() + std::chrono::duration<double>(seconds); Clock::now() < end;) {
        for (std::size_t i = 0; i < N; ++i) {
            works[i]();  // warms its memory
            for (int repeat = 0; repeat < 3; ++repeat) {
                const auto start = Clock::now();
                works[i]();
                best[i] = std::min(best[i], std::chrono::duration<double>(Clock::now() - start).count());
            }
        }
    }
    return best;
}

}  // namespace

void compare_characters(Run& run, const SuiteOptions& options) {
    const std::vector<Named> characters = read_characters(options.data);
    if (characters.empty()) {
        run.say(
            "\nno characters of {} to {} vertices in {}/rigs and {}/gltf: --data DIR or SINEW_DATA names "
            "them",
            min_vertices, max_vertices, options.data.string(), options.data.string());
        return;
    }
    Table table{fmt::format("Characters, at most 4 joints per vertex, positions and normals, one thread, {}: "
                            "nanoseconds per vertex; the engine's loop blends four matrices for every vertex",
                            deform::kernels::target_name()),
                {"character", "vertices", "sets", "joints", "engine", "arrays", "mesh order",
                 "engine / arrays", "engine / mesh order", "DQS", "DQS / LBS", "SBS", "SBS / LBS"},
                {}};
    std::vector<std::vector<double>> columns(9);
    for (const Named& named : characters) {
        const BenchRig& rig = named.rig;
        Baseline baseline(rig);
        Ours ours(rig);
        const auto into_arrays = [&](Method method) { return [&, method] { ours.run(rig, method); }; };
        const deform::VertexBuffer buffer{ours.buffer};
        const std::array<double, 5> seconds =
            in_turns<5>({[&] { baseline.run(); }, into_arrays(Method::lbs),
                         [&] { ours.skinner.deform(rig.palette, Method::lbs, ours.pose, buffer); },
                         into_arrays(Method::dqs), into_arrays(Method::sbs)},
                        options.quick ? 0.05 : 0.5);
        const double count = static_cast<double>(rig.mesh.vertex_count());
        const auto [engine, arrays, mesh, dqs, sbs] = seconds;
        const double ns = 1e9 / count;
        const double values[] = {engine * ns, arrays * ns,  mesh * ns, engine / arrays, engine / mesh,
                                 dqs * ns,    dqs / arrays, sbs * ns,  sbs / arrays};
        std::vector<Cell> row{named.name,
                              rig.mesh.vertex_count(),
                              ours.skinner.set_count(),
                              {static_cast<double>(rig.skin.influences.size()) / count, 1}};
        for (std::size_t c = 0; c < columns.size(); ++c) {
            columns[c].push_back(values[c]);
            row.push_back({values[c], 2});
        }
        table.rows.push_back(std::move(row));
    }
    std::vector<Cell> row{"median", "", "", ""};
    for (const std::vector<double>& column : columns) row.push_back({median(column), 2});
    table.rows.push_back(std::move(row));
    show(run, table);
}

}  // namespace sinew::bench
