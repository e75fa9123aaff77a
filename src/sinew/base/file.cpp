// SPDX-License-Identifier: MIT
#include "sinew/base/file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sinew/base/error.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

/// Paths that are being written. They never go away: a process may end while threads still write.
struct PendingPaths {
    std::mutex mutex;
    std::vector<const fs::path*> paths;
};
PendingPaths& pending_paths() {
    static auto& all = *new PendingPaths;
    return all;
}

[[noreturn]] void cannot_write(const fs::path& path, int code) {
    fail(path.string(), "cannot write: {}", std::strerror(code));
}

std::optional<struct stat> status_of(const fs::path& path) {
    struct stat info{};
    if (::stat(path.c_str(), &info) != 0) return std::nullopt;
    return info;
}

/// Where symbolic links lead, whether or not something is there.
/// \throws Error when they lead round and round.
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

/// Standard output, a device, a pipe or a socket; also a file that is reached by its descriptor.
bool is_written_through(const fs::path& path) {
    if (is_standard_output(path)) return true;
    const std::optional<struct stat> info = status_of(path);
    if (!info || S_ISDIR(info->st_mode)) return false;
    return !S_ISREG(info->st_mode) || path.string().starts_with("/dev/fd/") ||
           path.string().starts_with("/proc/");
}

void sync_folder(const fs::path& file) {
    const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
    const int opened = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (opened < 0) return;
    ::fsync(opened);  // some file systems cannot; the file itself is safe
    ::close(opened);
}

/// Brings a file, or all that a folder holds, to the disk.
void sync_content(const fs::path& path) {
    const int opened = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (opened < 0) return;
    struct stat info{};
    if (::fstat(opened, &info) == 0 && S_ISDIR(info.st_mode))
        ::syncfs(opened);
    else
        ::fsync(opened);
    ::close(opened);
}

}  // namespace

bool is_standard_output(const fs::path& path) {
    const std::string& name = path.native();
    return name == "-" || name.starts_with("-.") || name == "/dev/stdout" || name == "/dev/fd/1" ||
           name == "/proc/self/fd/1";
}

PendingFile::PendingFile(const fs::path& target) : target_(target), through_(is_written_through(target)) {
    if (through_) {
        temporary_ = target_;
        return;
    }
    target_ = follow_links(target);
    if (::access(target_.c_str(), F_OK) == 0 && ::access(target_.c_str(), W_OK) != 0)
        fail(target.string(),
             "cannot write: the file is write-protected; open it (chmod u+w {}) or choose "
             "another name",
             target_.string());
    // The suffix stays last, because programs such as ffmpeg choose a format by it.
    temporary_ = target_.parent_path() / fmt::format(".{}.{}.partial{}", target_.stem().string(), ::getpid(),
                                                     target_.extension().string());
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
    const std::optional<struct stat> old = status_of(target_);
    if (old && S_ISREG(old->st_mode)) ::chmod(temporary_.c_str(), old->st_mode & 07777);
    if (sync == Sync::at_once) sync_content(temporary_);
    std::error_code code;
    const std::lock_guard lock(pending_paths().mutex);
    fs::rename(temporary_, target_, code);
    if (code) fail(target_.string(), "cannot write: {}", code.message());
    committed_ = true;
    if (sync == Sync::at_once) sync_folder(target_);
}

void quit_without_pending_files(int exit_code) {
    PendingPaths& all = pending_paths();
    const std::lock_guard lock(all.mutex);  // held to the end, so that nothing is committed any more
    std::error_code ignored;
    for (const fs::path* path : all.paths) fs::remove_all(*path, ignored);
    ::_exit(exit_code);
}

FileWriter::FileWriter(const fs::path& path) : name_(path.string()), pending_(path) {
    std::error_code ignored;  // whatever else is wrong with the path, opening it says
    if (fs::is_directory(path, ignored)) fail(name_, "cannot write: is a folder");
    if (is_standard_output(path)) {
        file_ = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    } else if (pending_.writes_through()) {
        file_ = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
    } else {
        // Nobody may read it meanwhile who may not read what it replaces.
        const std::optional<struct stat> old = status_of(path);
        file_ = ::open(pending_.path().c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC,
                       old ? old->st_mode & 0777 : 0666);
    }
    if (file_ < 0) cannot_write(name_, errno);
}

FileWriter::~FileWriter() {
    if (file_ >= 0) ::close(file_);
}

void FileWriter::append(Bytes content) {
    while (!content.empty()) {
        const ssize_t written = ::write(file_, content.data(), content.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) cannot_write(name_, errno);
        content = content.subspan(static_cast<std::size_t>(written));
    }
}

void FileWriter::commit(Sync sync) {
    // A full disk may be noticed as late as here.
    if (sync == Sync::at_once && ::fsync(file_) != 0 && errno != EINVAL && errno != EROFS && errno != ENOTSUP)
        cannot_write(name_, errno);
    const int closed = ::close(std::exchange(file_, -1));
    if (closed != 0 && errno != EINTR) cannot_write(name_, errno);
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
