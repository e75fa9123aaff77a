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
#include <vector>

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sinew/base/file.h"
#include "sinew/base/parallel.h"
#include "sinew/io/obj.h"
#include "sinew/io/ply.h"

#ifdef SINEW_HAS_ASSIMP
#include <assimp/Importer.hpp>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#endif

namespace {

using namespace sinew;
namespace fs = std::filesystem;

/// Median seconds of a few calls.
double median_seconds(int repeats, const std::function<void()>& work) {
    std::vector<double> seconds;
    for (int i = 0; i < repeats; ++i) {
        const auto start = std::chrono::steady_clock::now();
        work();
        seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    std::nth_element(seconds.begin(), seconds.begin() + repeats / 2, seconds.end());
    return seconds[static_cast<std::size_t>(repeats / 2)];
}

void print_row(const char* name, double seconds, std::size_t bytes) {
    fmt::print("  {:<34} {:9.2f} ms  {:8.0f} MB/s\n", name, seconds * 1e3,
               static_cast<double>(bytes) / 1e6 / seconds);
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
    const double one = median_seconds(repeats, read);
    print_row("sinew, one thread", one, bytes.size());
    set_thread_count(0);
    const double all = median_seconds(repeats, read);
    print_row(fmt::format("sinew, {} threads", thread_count()).c_str(), all, bytes.size());
#ifdef SINEW_HAS_ASSIMP
    const double other = median_seconds(std::max(3, repeats / 4), [&] {
        Assimp::Importer importer;
        const aiScene* scene =
            importer.ReadFileFromMemory(bytes.data(), bytes.size(), aiProcess_Triangulate, "obj");
        if (scene == nullptr) std::abort();
    });
    print_row("assimp", other, bytes.size());
    fmt::print("  ratio: {:.1f} times as fast as assimp on one thread, {:.1f} times on {}\n", other / one,
               other / all, thread_count());
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
    const double copy = median_seconds(repeats, [&] {
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
    const double one = median_seconds(repeats, read);
    set_thread_count(0);
    const double all = median_seconds(repeats, read);
    print_row("memcpy into fresh arrays", copy, content.size());
    print_row("sinew, one thread", one, content.size());
    print_row(fmt::format("sinew, {} threads", thread_count()).c_str(), all, content.size());
    fmt::print("  ratio: {:.2f} times memcpy on one thread, {:.2f} times on {}\n", one / copy, all / copy,
               thread_count());
}

/// Peak of resident memory in bytes while `work` runs in a fresh child process, beyond what it starts with;
/// `anonymous` leaves out the mapped file.
struct Peak {
    double total = 0;
    double decoded = 0;
};

Peak measure_peak(const fs::path& path) {
    int channel[2];
    if (::pipe(channel) != 0) std::abort();
    const pid_t child = ::fork();
    if (child == 0) {
        rusage before{};
        ::getrusage(RUSAGE_SELF, &before);
        Peak peak;
        const io::Asset asset = io::read(path);
        rusage after{};
        ::getrusage(RUSAGE_SELF, &after);
        peak.total = static_cast<double>(after.ru_maxrss - before.ru_maxrss) * 1024;
        peak.decoded = static_cast<double>(decoded_bytes(asset.character.mesh));
        ::_exit(::write(channel[1], &peak, sizeof(peak)) == sizeof(peak) ? 0 : 1);
    }
    Peak peak;
    if (::read(channel[0], &peak, sizeof(peak)) != sizeof(peak)) std::abort();
    int status = 0;
    ::waitpid(child, &status, 0);
    ::close(channel[0]);
    ::close(channel[1]);
    return peak;
}

void bench_memory(const fs::path& path) {
    const auto bytes = static_cast<double>(fs::file_size(path));
    const Peak peak = measure_peak(path);
    fmt::print("memory, OBJ of {:.0f} MB that becomes {:.0f} MB\n", bytes / 1e6, peak.decoded / 1e6);
    fmt::print("  peak {:.0f} MB with the mapped file, {:.0f} MB without\n", peak.total / 1e6,
               (peak.total - bytes) / 1e6);
    fmt::print("  ratio: {:.2f} times the decoded size with the mapped file, {:.2f} times without\n",
               peak.total / peak.decoded, (peak.total - bytes) / peak.decoded);
}

}  // namespace

int main(int argc, char** argv) {
    const fs::path large = fs::temp_directory_path() / fmt::format("sinew-bench-{}.obj", ::getpid());
    {
        // Before anything else is allocated, so that the child that measures memory starts small.
        io::Asset asset;
        asset.character.mesh = wavy_sheet(1150);
        write_file(large, io::write_obj(asset, large, {}, silent()));
    }
    bench_memory(large);
    const fs::path real =
        argc > 1 ? fs::path(argv[1]) : fs::path(SINEW_SOURCE_DIR) / "../shared/data/mesh/armadillo.obj";
    if (fs::exists(real)) bench_obj(real.filename().string(), FileView(real).bytes(), 25);
    bench_obj("a generated sheet", FileView(large).bytes(), 5);
    fs::remove(large);
    bench_ply(wavy_sheet(300), 51);
    bench_ply(wavy_sheet(2000), 11);
    return 0;
}
