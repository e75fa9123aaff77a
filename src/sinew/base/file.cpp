// SPDX-License-Identifier: MIT
#include "sinew/base/file.h"

#include <algorithm>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "sinew/base/error.h"
#include "sinew/base/platform/files.h"
#include "sinew/base/system.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

/// Paths that are being written. The list is never destroyed, because threads may still write when the
/// process ends.
struct PendingPaths {
    std::mutex mutex;
    std::vector<const fs::path*> paths;
};
PendingPaths& pending_paths() {
    static auto& all = *new PendingPaths;
    return all;
}

/// Target of symbolic links, whether or not it exists. \throws Error for a cycle of links
fs::path follow_links(const fs::path& path) {
    fs::path at = path;
    std::error_code code;
    for (int i = 0; i < 40; ++i) {
        if (!fs::is_symlink(at, code)) return at;
        const fs::path next = fs::read_symlink(at, code);
        at = next.is_absolute() ? next : at.parent_path() / next;
    }
    fail(path.string(), "cannot write: too many symbolic links");
}

/// Standard output, a device, a pipe or a socket; also a file that is given by its descriptor.
bool is_written_through(const fs::path& path) {
    if (is_standard_output(path)) return true;
    const auto status = platform::status_of(path);
    if (!status || status->folder) return false;
    return !status->regular || platform::names_open_file(path);
}

}  // namespace

bool is_standard_output(const fs::path& path) {
    const std::string& name = path.native();
    return name == "-" || name.starts_with("-.") || platform::names_standard_output(path);
}

PendingFile::PendingFile(const fs::path& target) : target_(target), through_(is_written_through(target)) {
    if (through_) {
        temporary_ = target_;
        return;
    }
    target_ = follow_links(target);
    std::error_code ignored;
    if (fs::exists(target_, ignored) && !may_write(target_))
        fail(target.string(),
             "cannot write: the file is write-protected; open it (chmod u+w {}) or choose "
             "another name",
             target_.string());
    // The suffix stays at the end, because programs such as ffmpeg choose a format by it.
    temporary_ = target_.parent_path() / fmt::format(".{}.{}.partial{}", target_.stem().string(),
                                                     process_id(), target_.extension().string());
    PendingPaths& all = pending_paths();
    const std::lock_guard lock(all.mutex);
    all.paths.push_back(&temporary_);
}

PendingFile::~PendingFile() {
    if (through_) return;
    std::error_code ignored;
    PendingPaths& all = pending_paths();
    const std::lock_guard lock(all.mutex);
    std::erase(all.paths, &temporary_);
    if (!committed_) fs::remove_all(temporary_, ignored);
}

void PendingFile::commit(Sync sync) {
    if (through_) return;
    const auto old = platform::status_of(target_);
    if (old && old->regular) platform::set_mode(temporary_, old->mode);
    if (sync == Sync::at_once) platform::sync_content(temporary_);
    std::error_code code;
    const std::lock_guard lock(pending_paths().mutex);
    fs::rename(temporary_, target_, code);
    if (code) fail(target_.string(), "cannot write: {}", code.message());
    committed_ = true;
    if (sync == Sync::at_once) platform::sync_name(target_);
}

void quit_without_pending_files(int exit_code) {
    PendingPaths& all = pending_paths();
    const std::lock_guard lock(all.mutex);  // never released, so that nothing more is committed
    std::error_code ignored;
    for (const fs::path* path : all.paths) fs::remove_all(*path, ignored);
    platform::exit_at_once(exit_code);
}

FileWriter::FileWriter(const fs::path& path) : name_(path.string()), pending_(path) {
    std::error_code ignored;  // opening the path reports any other problem
    if (fs::is_directory(path, ignored)) fail(name_, "cannot write: is a folder");
    if (is_standard_output(path)) {
        file_ = platform::open_standard_output(name_);
    } else if (pending_.writes_through()) {
        file_ = platform::open_device(path, name_);
    } else {
        // Until then, only users who may read the old file may read the new one.
        const auto old = platform::status_of(path);
        file_ = platform::create_file(pending_.path(), old ? old->mode : 0666, name_);
    }
}

FileWriter::~FileWriter() {
    if (file_ >= 0) platform::close_file(file_);
}

void FileWriter::append(Bytes content) {
    platform::write_all(file_, content, name_);
}

void FileWriter::commit(Sync sync) {
    // A full disk may be reported only here.
    if (sync == Sync::at_once) platform::sync_file(file_, name_);
    platform::close_written(std::exchange(file_, -1), name_);
    pending_.commit(sync);
}

void write_file(const fs::path& path, Bytes content, Sync sync) {
    FileWriter file(path);
    file.append(content);
    file.commit(sync);
}

std::string suffix(const fs::path& path) {
    std::string text = path.extension().string();
    if (!text.empty()) text.erase(0, 1);
    std::transform(text.begin(), text.end(), text.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return text;
}

}  // namespace sinew
