// SPDX-License-Identifier: MIT
// Reading OBJ against assimp, and binary PLY against memcpy.
//
// Mesh readers against named baselines, in one run:
//   OBJ from memory: Sinew against assimp (without post-processing beyond triangulation and index joining)
//   binary PLY from memory: Sinew against memcpy of the same bytes into fresh arrays
//   memory: peak while reading a large OBJ file against the size of what it becomes
// Usage: bench_mesh_io [large.obj]

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "sinew/base/file.h"
#include "sinew/base/parallel.h"
#include "sinew/io/mesh/mesh_formats.h"

#if SINEW_HAS_ASSIMP
#include <assimp/Importer.hpp>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#endif

namespace {

using namespace sinew;
namespace fs = std::filesystem;

double processor_seconds() {
    timespec time{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

double wall_seconds() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Median of a few calls. Work on one thread is timed by the processor's clock, which other programs on the
/// machine disturb less.
double median_seconds(int repeats, double (*clock)(), const std::function<void()>& work) {
    work();
    std::vector<double> seconds;
    for (int i = 0; i < repeats; ++i) {
        const double start = clock();
        work();
        seconds.push_back(clock() - start);
    }
    std::nth_element(seconds.begin(), seconds.begin() + repeats / 2, seconds.end());
    return seconds[static_cast<std::size_t>(repeats / 2)];
}

void print_row(const char* name, double seconds, std::size_t bytes) {
    fmt::print("  {:<34} {:9.2f} ms  {:8.0f} MB/s\n", name, seconds * 1e3,
               static_cast<double>(bytes) / 1e6 / seconds);
}

/// Gain in wall time from all threads; on a busy machine it says little.
void print_threads(const std::function<void()>& read, int repeats) {
    set_thread_count(1);
    const double one = median_seconds(repeats, wall_seconds, read);
    set_thread_count(0);
    const double all = median_seconds(repeats, wall_seconds, read);
    fmt::print("  {} threads: {:.2f} times as fast as one by the wall clock\n", thread_count(), one / all);
}

std::size_t decoded_bytes(const geometry::Mesh& mesh) {
    return mesh.positions.size() * sizeof(geometry::Vec3f) +
           mesh.triangles.size() * sizeof(geometry::Triangle) +
           mesh.normals.size() * sizeof(geometry::Vec3f) + mesh.uvs[0].size() * sizeof(geometry::Vec2f);
}

/// A wavy sheet with `side` times `side` vertices, near 70 bytes of OBJ for each.
geometry::Mesh wavy_sheet(std::uint32_t side) {
    geometry::Mesh mesh;
    for (std::uint32_t y = 0; y < side; ++y) {
        for (std::uint32_t x = 0; x < side; ++x) {
            const double u = x / 97.0;
            const double v = y / 89.0;
            mesh.positions.push_back(math::Vec3d(u, v, std::sin(u) * std::cos(v)).cast<float>());
        }
    }
    for (std::uint32_t y = 0; y + 1 < side; ++y) {
        for (std::uint32_t x = 0; x + 1 < side; ++x) {
            const std::uint32_t a = y * side + x;
            mesh.triangles.push_back({a, a + 1, a + side});
            mesh.triangles.push_back({a + 1, a + side + 1, a + side});
        }
    }
    return mesh;
}

void bench_obj(const std::string& name, Bytes bytes, int repeats) {
    fmt::print("OBJ, {} ({:.1f} MB)\n", name, static_cast<double>(bytes.size()) / 1e6);
    const auto read = [&] { (void)io::read_obj(bytes, "bench.obj", {}, silent()); };
    set_thread_count(1);
    const double one = median_seconds(repeats, processor_seconds, read);
    print_row("sinew, one thread", one, bytes.size());
    print_threads(read, repeats);
#if SINEW_HAS_ASSIMP
    const double other = median_seconds(std::max(3, repeats / 4), processor_seconds, [&] {
        Assimp::Importer importer;
        const aiScene* scene =
            importer.ReadFileFromMemory(bytes.data(), bytes.size(), aiProcess_Triangulate, "obj");
        if (scene == nullptr) std::abort();
    });
    print_row("assimp", other, bytes.size());
    fmt::print("  ratio: {:.1f} times as fast as assimp\n", other / one);
#else
    fmt::print("  assimp is not installed: no comparison\n");
#endif
}

void bench_ply(const geometry::Mesh& mesh, int repeats) {
    io::Asset asset;
    asset.character.mesh = mesh;
    const std::string content = io::write_ply(asset, "bench.ply", {}, silent());
    fmt::print("binary PLY, {} vertices ({:.1f} MB)\n", mesh.positions.size(),
               static_cast<double>(content.size()) / 1e6);
    const std::size_t vertex_bytes = mesh.positions.size() * 12;
    const double copy = median_seconds(repeats, processor_seconds, [&] {
        // One fresh array for the vertices and one for the faces, as a reader has.
        const std::size_t header = content.size() - vertex_bytes - mesh.triangles.size() * 13;
        const auto vertices = std::make_unique_for_overwrite<char[]>(vertex_bytes);
        const auto faces = std::make_unique_for_overwrite<char[]>(mesh.triangles.size() * 13);
        std::memcpy(vertices.get(), content.data() + header, vertex_bytes);
        std::memcpy(faces.get(), content.data() + header + vertex_bytes, mesh.triangles.size() * 13);
        volatile char sink =
            static_cast<char>(vertices[vertex_bytes - 1] + faces[mesh.triangles.size() * 13 - 1]);
        (void)sink;
    });
    const auto read = [&] { (void)io::read_ply(as_bytes(content), "bench.ply", {}, silent()); };
    set_thread_count(1);
    const double one = median_seconds(repeats, processor_seconds, read);
    print_row("memcpy into fresh arrays", copy, content.size());
    print_row("sinew, one thread", one, content.size());
    print_threads(read, repeats);
    fmt::print("  ratio: {:.2f} times the time of memcpy\n", one / copy);
}

/// Peak resident memory of reading a file beyond what the process starts with, and the size of what was read.
struct Peak {
    double total = 0;
    double decoded = 0;
};

/// Runs in a process of its own: prints a Peak.
int measure(const char* path) {
    rusage before{};
    ::getrusage(RUSAGE_SELF, &before);
    const io::Asset asset = io::read(path);
    rusage after{};
    ::getrusage(RUSAGE_SELF, &after);
    std::printf("%.0f %.0f\n", static_cast<double>(after.ru_maxrss - before.ru_maxrss) * 1024,
                static_cast<double>(decoded_bytes(asset.character.mesh)));
    return 0;
}

Peak measure_peak(const fs::path& path, const char* program) {
    const std::string command = fmt::format("'{}' --measure '{}'", program, path.string());
    std::FILE* const pipe = ::popen(command.c_str(), "r");
    Peak peak;
    if (pipe == nullptr || std::fscanf(pipe, "%lf %lf", &peak.total, &peak.decoded) != 2) std::abort();
    ::pclose(pipe);
    return peak;
}

void bench_memory(const fs::path& path, const char* program) {
    const auto bytes = static_cast<double>(fs::file_size(path));
    const Peak peak = measure_peak(path, program);
    fmt::print("memory, OBJ of {:.0f} MB that becomes {:.0f} MB\n", bytes / 1e6, peak.decoded / 1e6);
    fmt::print("  peak {:.0f} MB with the mapped file, {:.0f} MB without\n", peak.total / 1e6,
               (peak.total - bytes) / 1e6);
    fmt::print("  ratio: {:.2f} times the decoded size with the mapped file, {:.2f} times without\n",
               peak.total / peak.decoded, (peak.total - bytes) / peak.decoded);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc == 3 && std::string_view(argv[1]) == "--measure") return measure(argv[2]);
    const fs::path large = fs::temp_directory_path() / fmt::format("sinew-bench-{}.obj", ::getpid());
    io::Asset asset;
    asset.character.mesh = wavy_sheet(1150);
    write_file(large, io::write_obj(asset, large, {}, silent()));
    bench_memory(large, argv[0]);
    const fs::path data = fs::path(SINEW_SOURCE_DIR) / "../shared/data/mesh/armadillo.obj";
    const fs::path real = argc > 1 ? fs::path(argv[1]) : data;
    if (fs::exists(real)) bench_obj(real.filename().string(), FileView(real).bytes(), 25);
    bench_obj("a generated sheet", FileView(large).bytes(), 5);
    fs::remove(large);
    bench_ply(wavy_sheet(300), 101);
    bench_ply(asset.character.mesh, 21);
    bench_ply(wavy_sheet(2000), 11);
    return 0;
}
