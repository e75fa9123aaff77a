// SPDX-License-Identifier: MIT
#include "sinew/io/sequence/sequence.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/io/mesh/mesh_formats.h"
#include "sinew/io/text/parallel_in_order.h"
#include "sinew/io/text/scan.h"

namespace sinew::io {
namespace {

using geometry::Mesh;
using math::Vec3f;

namespace fs = std::filesystem;

constexpr std::pair<std::string_view, MeshReader> frame_readers[] = {
    {"obj", read_obj_mesh}, {"off", read_off_mesh}, {"ply", read_ply_mesh}};

MeshReader find_reader(const fs::path& path) {
    const std::string wanted = suffix(path);
    for (const auto& [name, reader] : frame_readers) {
        if (name == wanted) return reader;
    }
    return nullptr;
}

/// The frame files of a folder in order. `rest.*` is not a frame.
std::vector<fs::path> find_frames(const fs::path& folder) {
    std::vector<fs::path> frames;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
        const fs::path& path = entry.path();
        const bool hidden = path.filename().string().starts_with('.');
        if (hidden || path.stem() == "rest" || find_reader(path) == nullptr || !entry.is_regular_file())
            continue;
        frames.push_back(path);
    }
    std::sort(frames.begin(), frames.end(), [](const fs::path& a, const fs::path& b) {
        return natural_less(a.filename().string(), b.filename().string());
    });
    for (const fs::path& frame : frames) {
        if (suffix(frame) != suffix(frames.front())) {
            fail(folder.string(), "holds frames of several formats ({} and {}): keep one",
                 frames.front().filename().string(), frame.filename().string());
        }
    }
    return frames;
}

/// \throws Error unless a frame has the vertices and triangles of the first.
void check_same(const MeshFile& frame, const fs::path& path, const MeshFile& first,
                const std::string& first_name) {
    if (frame.file_vertices != first.file_vertices) {
        fail(path.string(), "has {} vertices, but {} has {}: all frames must have the same",
             frame.file_vertices, first_name, first.file_vertices);
    }
    if (frame.same_faces) return;
    const auto& mine = frame.mesh.triangles;
    const auto& theirs = first.mesh.triangles;
    if (mine.size() != theirs.size()) {
        fail(path.string(), "has {} triangles, but {} has {}: all frames must have the same", mine.size(),
             first_name, theirs.size());
    }
    // Splits at seams may differ, so triangles are compared by the vertices of the files.
    const auto file_vertex = [](const MeshFile& file, std::uint32_t vertex) {
        return vertex < file.file_vertices ? vertex : file.split_source[vertex - file.file_vertices];
    };
    for (std::size_t t = 0; t < mine.size(); ++t) {
        for (std::size_t i = 0; i < 3; ++i) {
            if (file_vertex(frame, mine[t][i]) == file_vertex(first, theirs[t][i])) continue;
            fail(path.string(), "triangle {} joins other vertices than in {}: all frames must have the same",
                 t, first_name);
        }
    }
}

/// The frames; each is compared with the first, whose file stays open for this.
std::vector<std::vector<Vec3f>> read_frames(const std::vector<fs::path>& paths, const MeshFile& first,
                                            const std::string& first_name, Monitor& monitor) {
    std::vector<std::vector<Vec3f>> frames(paths.size());
    const MeshReader reader = find_reader(paths.front());
    constexpr std::size_t wave = 16;
    for (std::size_t start = 0; start < paths.size(); start += wave) {
        step(monitor, "reading frames", static_cast<double>(start) / static_cast<double>(paths.size()));
        parallel_in_order(std::min(wave, paths.size() - start), [&](std::size_t i) {
            const fs::path& path = paths[start + i];
            const FileView view(path);
            MeshFile frame = reader(view.bytes(), path, {}, silent(), &first);
            check_same(frame, path, first, first_name);
            frames[start + i] = std::move(frame.mesh.positions);
            add_splits(frames[start + i], first);
        });
    }
    return frames;
}

/// \param stated whether the file states its frame rate.
Asset sequence_asset(const fs::path& path, Mesh rest, std::vector<std::vector<Vec3f>> frames, double rate,
                     bool stated, const ReadOptions& options) {
    Asset asset;
    if (!stated && options.rate > 0)
        rate = options.rate;
    else if (!stated)
        asset.guesses.push_back({"fps", fmt::format("{:.6g}", rate),
                                 "a scene of 30 frames per second is assumed; the file states none", rate});
    asset.character.name = path.stem().string();
    asset.sequence.rest = std::move(rest);
    asset.sequence.frames = std::move(frames);
    asset.sequence.rate = rate;
    return asset;
}

Asset read_frame_files(const fs::path& folder, const std::vector<fs::path>& paths, const fs::path& rest_path,
                       const ReadOptions& options, Monitor& monitor) {
    const fs::path& first_path = rest_path.empty() ? paths.front() : rest_path;
    const FileView view(first_path);
    const MeshReader reader = find_reader(first_path);
    MeshFile first = reader != nullptr ? reader(view.bytes(), first_path, options, monitor, nullptr)
                                       : read_rest(first_path, options, monitor);
    auto frames = read_frames(paths, first, first_path.filename().string(), monitor);
    return sequence_asset(folder, std::move(first.mesh), std::move(frames), scene_rate, false, options);
}

}  // namespace

MeshFile read_rest(const fs::path& path, const ReadOptions& options, Monitor& monitor) {
    const FileView view(path);
    MeshFile file;
    if (const MeshReader reader = find_reader(path)) {
        file = reader(view.bytes(), path, options, monitor, nullptr);
        file.face_text = {};  // the view becomes invalid here
    } else {
        ReadOptions plain;
        plain.allow_outside = options.allow_outside;
        file.mesh = std::move(read(path, plain, monitor).character.mesh);
        file.file_vertices = file.mesh.positions.size();
    }
    if (file.mesh.name.empty()) file.mesh.name = path.stem().string();
    if (file.mesh.empty()) fail(path.string(), "holds no mesh to be the rest shape");
    return file;
}

void add_splits(std::vector<Vec3f>& positions, const MeshFile& rest) {
    positions.reserve(positions.size() + rest.split_source.size());
    for (const std::uint32_t source : rest.split_source) positions.push_back(positions[source]);
}

bool natural_less(std::string_view a, std::string_view b) {
    const std::string_view whole_a = a;
    const std::string_view whole_b = b;
    const auto digits = [](std::string_view text) {
        return static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_digit) - text.begin());
    };
    const auto without_zeros = [](std::string_view run) {
        return run.substr(std::min(run.find_first_not_of('0'), run.size()));
    };
    while (!a.empty() && !b.empty()) {
        const std::size_t run_a = digits(a);
        const std::size_t run_b = digits(b);
        if (run_a > 0 && run_b > 0) {
            const std::string_view x = without_zeros(a.substr(0, run_a));
            const std::string_view y = without_zeros(b.substr(0, run_b));
            if (x != y) return x.size() != y.size() ? x.size() < y.size() : x < y;
        } else if (a[0] != b[0]) {
            return a[0] < b[0];
        }
        a.remove_prefix(std::max<std::size_t>(run_b > 0 ? run_a : 0, 1));
        b.remove_prefix(std::max<std::size_t>(run_a > 0 ? run_b : 0, 1));
    }
    return a.empty() != b.empty() ? a.empty() : whole_a < whole_b;
}

fs::path find_rest(const fs::path& folder) {
    std::error_code code;
    for (const auto& [name, reader] : frame_readers) {
        const fs::path path = folder / fmt::format("rest.{}", name);
        if (fs::is_regular_file(path, code)) return path;
    }
    return {};
}

fs::path rest_of_cache(const fs::path& path, const ReadOptions& options) {
    const fs::path rest = options.rest.empty() ? find_rest(path.parent_path()) : options.rest;
    if (rest.empty()) {
        fail(path.string(),
             "a point cache holds no triangles: name the rest mesh, or put it beside the cache as rest.obj");
    }
    return rest;
}

void check_points(std::size_t points, const MeshFile& rest, const fs::path& path, const fs::path& rest_path) {
    if (points != rest.mesh.positions.size() && points != rest.file_vertices)
        fail(path.string(), "has {} points, but {} has {} vertices", points, rest_path.string(),
             rest.file_vertices);
}

Asset cached_sequence(PointCache cache, const fs::path& path, const ReadOptions& options, Monitor& monitor) {
    const fs::path rest_path = rest_of_cache(path, options);
    MeshFile rest = read_rest(rest_path, options, monitor);
    check_points(cache.points, rest, path, rest_path);
    if (cache.points != rest.mesh.positions.size()) {
        for (std::vector<Vec3f>& frame : cache.frames) add_splits(frame, rest);
    }
    return sequence_asset(path, std::move(rest.mesh), std::move(cache.frames), cache.rate,
                          suffix(path) == "mdd", options);
}

Asset read_sequence_folder(const fs::path& folder, const ReadOptions& options, Monitor& monitor) {
    const fs::path rest = options.rest.empty() ? find_rest(folder) : options.rest;
    std::error_code code;
    if (fs::is_directory(folder / "frames", code)) {
        const std::vector<fs::path> frames = find_frames(folder / "frames");
        if (!frames.empty()) return read_frame_files(folder, frames, rest, options, monitor);
    }
    constexpr std::pair<std::string_view, decltype(&read_pc2)> caches[] = {{"animation.pc2", read_pc2},
                                                                           {"animation.mdd", read_mdd}};
    for (const auto& [name, reader] : caches) {
        const fs::path cache = folder / name;
        if (!fs::is_regular_file(cache, code)) continue;
        ReadOptions with_rest = options;
        with_rest.rest = rest;
        Asset asset = reader(FileView(cache).bytes(), cache, with_rest, monitor);
        asset.character.name = folder.stem().string();
        return asset;
    }
    const std::vector<fs::path> frames = find_frames(folder);
    if (frames.empty()) {
        fail(folder.string(),
             "is a folder without a mesh sequence: no OBJ, OFF or PLY frames in it or in its folder frames, "
             "no animation.pc2 or animation.mdd");
    }
    return read_frame_files(folder, frames, rest, options, monitor);
}

namespace {

namespace fs = std::filesystem;

bool has_digits_only(std::string_view text) {
    return !text.empty() &&
           std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// \throws Error when the folder contains a file that is not part of a sequence, because replacing would lose
/// it.
void check_replaceable(const fs::path& folder) {
    const auto check = [&](const fs::directory_entry& entry, bool good) {
        if (!good)
            fail(folder.string(), "cannot write a sequence there: the folder holds {}",
                 entry.path().filename().string());
    };
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
        const fs::path name = entry.path().filename();
        const bool companion =
            name.string().starts_with("rest_") && (suffix(name) == "png" || suffix(name) == "jpg");
        check(entry, entry.is_directory() ? name == "frames"
                                          : name == "rest.obj" || name == "rest.mtl" || companion);
    }
    if (!fs::is_directory(folder / "frames")) return;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder / "frames")) {
        const bool frame = suffix(entry.path()) == "obj" && has_digits_only(entry.path().stem().string());
        check(entry, entry.is_regular_file() && frame);
    }
}

/// A frame has positions and triangles; materials are only in the rest mesh.
Asset frame_asset(const model::MeshSequence& sequence) {
    Asset asset;
    asset.character.mesh.triangles = sequence.rest.triangles;
    return asset;
}

}  // namespace

void write_sequence_folder(const fs::path& folder, const Asset& asset, const WriteOptions& options,
                           Monitor& monitor) {
    const model::MeshSequence& sequence = asset.sequence;
    if (sequence.empty())
        fail(folder.string(), "a folder of frames holds a mesh sequence, and there is none to write");
    fs::path target = folder.has_filename() ? folder : folder.parent_path();
    if (fs::is_symlink(target) && fs::exists(target)) target = fs::canonical(target);
    if (fs::exists(target)) {
        if (!fs::is_directory(target)) fail(target.string(), "cannot write: is a file");
        check_replaceable(target);
    }
    PendingFile pending(target);  // a folder
    std::error_code code;
    fs::remove_all(pending.path(), code);
    fs::create_directory(pending.path(), code);
    if (!code) fs::create_directory(pending.path() / "frames", code);
    if (code) fail(target.string(), "cannot write: {}", code.message());
    Asset rest;
    rest.character.mesh = sequence.rest;
    const fs::path rest_path = pending.path() / "rest.obj";
    write_file(rest_path, write_obj(rest, rest_path, options, monitor), Sync::later);
    Asset frame = frame_asset(sequence);
    const int digits = std::max(4, static_cast<int>(std::to_string(sequence.frames.size()).size()));
    for (std::size_t f = 0; f < sequence.frames.size(); ++f) {
        step(monitor, "writing frames", static_cast<double>(f) / static_cast<double>(sequence.frames.size()));
        frame.character.mesh.positions = sequence.frames[f];
        const fs::path path = pending.path() / "frames" / fmt::format("{:0{}}.obj", f + 1, digits);
        write_file(path, write_obj(frame, path, options, monitor), Sync::later);
    }
    fs::remove_all(target, code);
    if (code) fail(target.string(), "cannot write: {}", code.message());
    pending.commit();
}

}  // namespace sinew::io
