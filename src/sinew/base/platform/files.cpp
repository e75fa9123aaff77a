// SPDX-License-Identifier: MIT
#include "sinew/base/platform/files.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sinew/base/error.h"
#include "sinew/base/system.h"

namespace sinew {
namespace fs = std::filesystem;
namespace {

[[noreturn]] void cannot_write(const std::string& name, int code) {
    fail(name, "cannot write: {}", std::strerror(code));
}

int opened(int file, const std::string& name) {
    if (file < 0) cannot_write(name, errno);
    return file;
}

}  // namespace

namespace platform {

std::optional<FileStatus> status_of(const fs::path& path) {
    struct stat info{};
    if (::stat(path.c_str(), &info) != 0) return std::nullopt;
    return FileStatus{S_ISREG(info.st_mode), S_ISDIR(info.st_mode), info.st_mode & 07777};
}

void set_mode(const fs::path& path, unsigned mode) {
    ::chmod(path.c_str(), mode);
}

bool names_standard_output(const fs::path& path) {
    const std::string& name = path.native();
    return name == "/dev/stdout" || name == "/dev/fd/1" || name == "/proc/self/fd/1";
}

bool names_open_file(const fs::path& path) {
    return path.native().starts_with("/dev/fd/") || path.native().starts_with("/proc/");
}

int open_standard_output(const std::string& name) {
    return opened(::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3), name);
}

int open_device(const fs::path& path, const std::string& name) {
    return opened(::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC), name);
}

int create_file(const fs::path& path, unsigned mode, const std::string& name) {
    return opened(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode & 0777), name);
}

void write_all(int file, Bytes content, const std::string& name) {
    while (!content.empty()) {
        const ssize_t written = ::write(file, content.data(), content.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) cannot_write(name, errno);
        content = content.subspan(static_cast<std::size_t>(written));
    }
}

void sync_file(int file, const std::string& name) {
    if (::fsync(file) != 0 && errno != EINVAL && errno != EROFS && errno != ENOTSUP)
        cannot_write(name, errno);
}

void close_written(int file, const std::string& name) {
    if (::close(file) != 0 && errno != EINTR) cannot_write(name, errno);
}

void close_file(int file) {
    ::close(file);
}

void Descriptor::close() {
    if (value >= 0) ::close(value);
    value = -1;
}

void sync_content(const fs::path& path) {
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    struct stat info{};
    if (::fstat(file, &info) == 0 && S_ISDIR(info.st_mode))
        ::syncfs(file);
    else
        ::fsync(file);
    ::close(file);
}

void sync_name(const fs::path& file) {
    const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
    const int opened = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (opened < 0) return;
    ::fsync(opened);  // not supported by some file systems; the file itself is safe
    ::close(opened);
}

void exit_at_once(int code) {
    ::_exit(code);
}

}  // namespace platform

/// False when the file was removed during the wait.
bool AppendFile::open(std::string_view when_busy) {
    file_ = opened(::open(path_.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0666), path_.string());
    while (::flock(file_, LOCK_EX | (when_busy.empty() ? 0 : LOCK_NB)) != 0) {
        if (errno == EINTR) continue;
        if (errno != EWOULDBLOCK) break;  // a file system without locks
        ::close(file_);
        fail(path_.string(), "{}", when_busy);
    }
    struct stat locked{}, named{};
    if (::fstat(file_, &locked) == 0 && ::stat(path_.c_str(), &named) == 0 && locked.st_ino == named.st_ino)
        return true;
    ::close(file_);
    return false;
}

AppendFile::AppendFile(fs::path path, std::string_view when_busy) : path_(std::move(path)) {
    while (!open(when_busy)) {
    }
    struct stat info{};
    char last = '\n';
    if (::fstat(file_, &info) == 0 && info.st_size > 0 && ::pread(file_, &last, 1, info.st_size - 1) == 1 &&
        last != '\n')
        append("\n");
}

AppendFile::~AppendFile() {
    ::close(file_);
}

void AppendFile::append(std::string_view text) const {
    platform::write_all(file_, as_bytes(text), path_.string());
    platform::sync_file(file_, path_.string());
}

bool may_write(const fs::path& path) {
    std::error_code code;
    return ::access(path.c_str(), fs::is_directory(path, code) ? W_OK | X_OK : W_OK) == 0;
}

fs::path make_temporary_folder(const std::string& name) {
    std::error_code code;
    fs::path base = fs::temp_directory_path(code);
    if (code) base = "/tmp";
    std::string path = (base / (name + "-XXXXXX")).string();
    if (::mkdtemp(path.data()) == nullptr)
        fail(path, "cannot make a temporary folder: {}", std::strerror(errno));
    return path;
}

}  // namespace sinew
