// SPDX-License-Identifier: MIT
// Reading GLB against copying the same bytes into fresh arrays.
//
// How fast a large GLB is read, against copying the same bytes into fresh arrays: the least that any reader
// must do. bench_gltf [megabytes]; prints the best of several runs, one line per kind of file.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <memory>

#include <benchmark/benchmark.h>
#include <malloc.h>

#include "sinew/base/report.h"
#include "sinew/io/gltf/gltf.h"

namespace {

using namespace sinew;

/// Wall time, and processor time of all threads, which does not depend on what else the machine does.
struct Time {
    double wall = 1e30, processor = 1e30;
};

template <class Work>
void keep_best(Time& best, const Work& work) {
    const auto start = std::chrono::steady_clock::now();
    const std::clock_t clock = std::clock();
    work();
    const double wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    best.processor = std::min(best.processor, static_cast<double>(std::clock() - clock) / CLOCKS_PER_SEC);
    best.wall = std::min(best.wall, wall);
}

/// A wavy grid with normals, texture coordinates and, when asked for, four influences of 64 joints per
/// vertex.
model::Character surface(std::size_t vertices, bool skinned) {
    model::Character character;
    geometry::Mesh& mesh = character.mesh;
    const auto side = static_cast<std::uint32_t>(std::sqrt(static_cast<double>(vertices)));
    for (std::uint32_t y = 0; y < side; ++y) {
        for (std::uint32_t x = 0; x < side; ++x) {
            const float u = static_cast<float>(x) / static_cast<float>(side);
            const float v = static_cast<float>(y) / static_cast<float>(side);
            mesh.positions.emplace_back(u, v, 0.1f * std::sin(9 * u + 5 * v));
            mesh.uvs[0].emplace_back(u, v);
            if (x > 0 && y > 0) {
                const std::uint32_t at = y * side + x;
                mesh.triangles.push_back({at, at - 1, at - side});
                mesh.triangles.push_back({at - side, at - 1, at - side - 1});
            }
        }
    }
    mesh.normals = geometry::vertex_normals(mesh.positions, mesh.triangles, false);
    if (!skinned) return character;
    constexpr std::uint32_t joints = 64;
    for (std::uint32_t j = 0; j < joints; ++j) {
        model::Joint joint;
        joint.name = fmt::format("joint_{}", j);
        joint.parent = static_cast<int>(j) - 1;
        joint.rest.translation = {0, 1.0 / joints, 0};
        character.skeleton.joints.push_back(joint);
    }
    character.skin.joints = model::bind_at_rest(character.skeleton);
    for (std::uint32_t v = 0; v < mesh.positions.size(); ++v) {
        const std::uint32_t j = v / 97 % (joints - 4);
        const model::Influence list[] = {{j, 0.4f}, {j + 1, 0.3f}, {j + 2, 0.2f}, {j + 3, 0.1f}};
        character.skin.push_vertex(list);
    }
    return character;
}

/// A skeleton with long motions: rotations and translations of every joint at every frame.
model::Character motion(std::size_t frames) {
    model::Character character = surface(4, true);
    model::Clip clip;
    clip.name = "long";
    for (int j = 0; j < static_cast<int>(character.skeleton.size()); ++j) {
        model::Track track;
        track.joint = j;
        track.rotation.times = track.translation.times = model::KeyTimes::even(0, 1.0 / 120, frames);
        for (std::size_t f = 0; f < frames; ++f) {
            const float angle = 0.001f * static_cast<float>(f % 1000) + 0.1f * static_cast<float>(j);
            track.rotation.values.push_back(math::axis_angle<float>(math::Vec3f::UnitZ(), angle));
            track.translation.values.emplace_back(angle, 1, 0);
        }
        clip.tracks.push_back(std::move(track));
    }
    character.clips.push_back(std::move(clip));
    return character;
}

struct View {
    const char* data;
    std::size_t size;
};

std::vector<View> views_of(const std::string& file) {
    std::uint32_t length = 0;
    std::memcpy(&length, file.data() + 12, 4);
    const Json json = Json::parse(file.substr(20, length));
    std::vector<View> views;
    for (const Json& view : json["bufferViews"]) {
        views.push_back(
            {file.data() + 28 + length + view["byteOffset"].get<std::size_t>(), view["byteLength"]});
    }
    return views;
}

/// Copies every buffer view into a fresh array of its own.
void copy(const std::vector<View>& views) {
    std::vector<std::unique_ptr<char[]>> arrays;
    for (const View& view : views) {
        arrays.push_back(std::make_unique_for_overwrite<char[]>(view.size));
        std::memcpy(arrays.back().get(), view.data, view.size);
    }
    benchmark::DoNotOptimize(arrays.back()[0]);
}

void measure(const char* kind, const model::Character& character) {
    io::Asset asset;
    asset.character = character;
    std::string file;
    Time write, copied, read;
    keep_best(write, [&] { file = io::write_gltf(asset, "big.glb", {}, silent()); });
    const std::vector<View> views = views_of(file);
    double megabytes = 0;
    for (const View& view : views) megabytes += static_cast<double>(view.size) / 1e6;
    // Both in turn, so that a busy machine disturbs both alike.
    for (int run = 0; run < 15; ++run) {
        keep_best(copied, [&] { copy(views); });
        keep_best(read, [&] { io::read_gltf(as_bytes(file), "big.glb", {}, silent()); });
    }
    std::printf(
        "%-8s %6.1f MB  read %6.1f ms %5.0f MB/s  copy %6.1f ms %5.0f MB/s  ratio %.2f (processor %.2f)  "
        "write %6.1f ms\n",
        kind, megabytes, 1e3 * read.wall, megabytes / read.wall, 1e3 * copied.wall, megabytes / copied.wall,
        read.wall / copied.wall, read.processor / copied.processor, 1e3 * write.wall);
}

}  // namespace

int main(int argc, char** argv) {
    // Every large array comes fresh from the system, as it does when a program reads its first file;
    // otherwise the allocator hands the same warm pages to some runs and not to others.
    mallopt(M_MMAP_THRESHOLD, 1 << 20);
    const double bytes = 1e6 * (argc > 1 ? std::atof(argv[1]) : 100);
    measure("mesh", surface(static_cast<std::size_t>(bytes / 56), false));
    measure("skinned", surface(static_cast<std::size_t>(bytes / 76), true));
    measure("motion", motion(static_cast<std::size_t>(bytes / (28 * 64))));
    return 0;
}
