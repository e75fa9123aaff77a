#include <algorithm>

#include <unistd.h>

#include "sinew/base/error.h"
#include "sinew/io/mesh/mesh_formats.h"
#include "sinew/io/sequence/sequence.h"

namespace sinew::io {
namespace {

namespace fs = std::filesystem;

/// A folder that is removed unless it was moved to its place.
class PendingFolder {
  public:
    explicit PendingFolder(const fs::path& target)
        : path_(target.parent_path() /
                fmt::format(".{}.{}.partial", target.filename().string(), ::getpid())) {
        std::error_code code;
        fs::remove_all(path_, code);
        fs::create_directory(path_, code);
        if (!code) fs::create_directory(path_ / "frames", code);
        if (code) fail(target.string(), "cannot write: {}", code.message());
    }
    PendingFolder(const PendingFolder&) = delete;
    PendingFolder& operator=(const PendingFolder&) = delete;
    ~PendingFolder() {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }
    const fs::path& path() const { return path_; }

  private:
    fs::path path_;
};

bool has_digits_only(std::string_view text) {
    return !text.empty() &&
           std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// \throws Error when the folder holds a file that no sequence has, so that replacing it would lose it.
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

/// A frame has positions and triangles; how it looks stands in the rest mesh.
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
    const fs::path target = folder.has_filename() ? folder : folder.parent_path();
    if (fs::exists(target)) {
        if (!fs::is_directory(target)) fail(target.string(), "cannot write: is a file");
        check_replaceable(target);
    }
    const PendingFolder pending(target);
    Asset rest;
    rest.character.mesh = sequence.rest;
    const fs::path rest_path = pending.path() / "rest.obj";
    write_file(rest_path, write_obj(rest, rest_path, options, monitor));
    Asset frame = frame_asset(sequence);
    const int digits = std::max(4, static_cast<int>(std::to_string(sequence.frames.size()).size()));
    for (std::size_t f = 0; f < sequence.frames.size(); ++f) {
        step(monitor, "writing frames", static_cast<double>(f) / static_cast<double>(sequence.frames.size()));
        frame.character.mesh.positions = sequence.frames[f];
        const fs::path path = pending.path() / "frames" / fmt::format("{:0{}}.obj", f + 1, digits);
        write_file(path, write_obj(frame, path, options, monitor));
    }
    std::error_code code;
    fs::remove_all(target, code);
    if (!code) fs::rename(pending.path(), target, code);
    if (code) fail(target.string(), "cannot write: {}", code.message());
}

}  // namespace sinew::io
