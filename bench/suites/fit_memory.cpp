// SPDX-License-Identifier: MIT
#include <cmath>
#include <fstream>

#include "fit_tables.h"
#include "suites.h"
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sinew/base/error.h"
#include "sinew/io/io.h"
#include "sinew/math/types.h"

namespace sinew::bench {
namespace {

namespace fs = std::filesystem;
using math::Vec3f;

/// A folder that goes when this does.
struct ScratchFolder {
    fs::path path = fs::temp_directory_path() / fmt::format("sinew-bench-{}", ::getpid());
    ScratchFolder() { fs::create_directories(path); }
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;
    ~ScratchFolder() {
        std::error_code ignored;
        fs::remove_all(path, ignored);
    }
};

/// A sheet of side x side vertices that waves, written frame by frame.
void write_waves(const fs::path& folder, int side, std::size_t frames) {
    io::Asset rest;
    for (int i = 0; i < side; ++i) {
        for (int j = 0; j < side; ++j)
            rest.character.mesh.positions.push_back(Vec3f(static_cast<float>(i), 0, static_cast<float>(j)) /
                                                    static_cast<float>(side));
    }
    for (int i = 0; i + 1 < side; ++i) {
        for (int j = 0; j + 1 < side; ++j) {
            const auto v = static_cast<std::uint32_t>(i * side + j),
                       next = v + static_cast<std::uint32_t>(side);
            rest.character.mesh.triangles.push_back({v, v + 1, next});
            rest.character.mesh.triangles.push_back({v + 1, next + 1, next});
        }
    }
    io::write(folder / "rest.obj", rest, {}, silent());
    std::ofstream file(folder / "animation.pc2", std::ios::binary);
    const std::int32_t head[] = {1, side * side, 0, 0x3f800000, static_cast<std::int32_t>(frames)};
    file.write("POINTCACHE2", 12);
    file.write(reinterpret_cast<const char*>(head), sizeof(head));
    std::vector<Vec3f> frame;
    for (std::size_t f = 0; f < frames; ++f) {
        frame = rest.character.mesh.positions;
        const auto time = 0.05f * static_cast<float>(f);
        for (Vec3f& p : frame) p.y() = 0.1f * std::sin(5 * p.x() + time) * std::cos(3 * p.z() - time);
        file.write(reinterpret_cast<const char*>(frame.data()),
                   static_cast<std::streamsize>(frame.size() * sizeof(Vec3f)));
    }
    if (!file) fail(folder.string(), "cannot write the sequence of the bench");
}

/// The report of `sinew`, run as a program of its own.
Json run_sinew(std::vector<std::string> arguments, const fs::path& report) {
    arguments.insert(arguments.begin(), "sinew");
    for (const char* more : {"--quiet", "--report"}) arguments.emplace_back(more);
    arguments.push_back(report.string());
    std::vector<char*> raw;
    for (std::string& a : arguments) raw.push_back(a.data());
    raw.push_back(nullptr);
    pid_t child = 0;
    int status = 0;
    if (::posix_spawn(&child, SINEW_CLI, nullptr, nullptr, raw.data(), environ) != 0 ||
        ::waitpid(child, &status, 0) != child || status != 0)
        fail("bench", "sinew {} failed", arguments[1]);
    return Json::parse(std::ifstream(report));
}

struct Measured {
    int side;
    std::size_t frames;
    std::size_t chunk;  ///< 0 reads the whole
};

}  // namespace

void show_memory(Run& run, bool quick) {
    const ScratchFolder scratch;
    const auto peak = [&](const Measured& m) {
        write_waves(scratch.path, m.side, m.frames);
        std::vector<std::string> arguments = {"fit",
                                              (scratch.path / "animation.pc2").string(),
                                              "-o",
                                              (scratch.path / "out.fit").string(),
                                              "--bones",
                                              "10",
                                              "--corrections",
                                              "2"};
        if (m.chunk > 0) arguments.insert(arguments.end(), {"--chunk", std::to_string(m.chunk)});
        const Json report = run_sinew(std::move(arguments), scratch.path / "report.json");
        return std::pair(report.at("peak_memory").get<double>(),
                         report.at("seconds").at("fit").get<double>());
    };
    constexpr double mega = 1 << 20;
    const double program = peak({10, 4, 0}).first;
    Table table{
        fmt::format("Most memory of `sinew fit --bones 10 --corrections 2` beyond the {:.0f} MB of the "
                    "program itself",
                    program / mega),
        {"vertices", "frames", "sequence MB", "chunk MB", "memory MB", "of the sequence", "s"},
        {}};
    const std::vector<Measured> full = {{100, 400, 0}, {142, 600, 0}, {142, 620, 32}, {142, 2600, 32}};
    const std::vector<Measured> small = {{40, 60, 0}, {40, 60, 10}};
    for (const Measured& m : quick ? small : full) {
        const double frame = static_cast<double>(m.side) * m.side * sizeof(Vec3f) / mega;
        const double sequence = frame * static_cast<double>(m.frames);
        const auto [bytes, seconds] = peak(m);
        const double more = (bytes - program) / mega;
        table.rows.push_back({static_cast<std::size_t>(m.side * m.side),
                              m.frames,
                              {sequence, 1},
                              m.chunk > 0 ? Cell(frame * static_cast<double>(m.chunk), 1) : Cell("whole"),
                              {more, 1},
                              {more / sequence, 2},
                              {seconds, 1}});
    }
    show(run, table);
}

}  // namespace sinew::bench
