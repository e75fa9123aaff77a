// SPDX-License-Identifier: MIT
#include "sinew/base/file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sinew/base/error.h"

namespace sinew {
namespace {

/// Closes a descriptor when it is destroyed.
struct Descriptor {
    int fd = -1;
    explicit Descriptor(int number) : fd(number) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() {
        if (fd >= 0) ::close(fd);
    }
};

std::string system_reason(int code) {
    return std::strerror(code);
}

}  // namespace

FileView::FileView(const std::filesystem::path& path) {
    const Bytes bytes = map_file(path, MapAccess::whole);
    data_ = bytes.data();
    size_ = bytes.size();
}

FileView::FileView(FileView&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

FileView::~FileView() {
    unmap_file({data_, size_});
}

namespace {

/// Paths that are being written. They never go away: a process may end while threads still write.
struct PendingPaths {
    std::mutex mutex;
    std::vector<const std::filesystem::path*> paths;
};
PendingPaths& pending_paths() {
    static auto& all = *new PendingPaths;
    return all;
}

}  // namespace

PendingFile::PendingFile(std::filesystem::path target) : target_(std::move(target)) {
    // The suffix stays last, because programs such as ffmpeg choose a format by it.
    temporary_ = target_.parent_path() / fmt::format(".{}.{}.partial{}", target_.stem().string(), ::getpid(),
                                                     target_.extension().string());
    PendingPaths& all = pending_paths();
    const std::lock_guard lock(all.mutex);
    all.paths.push_back(&temporary_);
}

PendingFile::~PendingFile() {
    std::error_code ignored;
    PendingPaths& all = pending_paths();
    const std::lock_guard lock(all.mutex);
    std::erase(all.paths, &temporary_);
    if (!committed_) std::filesystem::remove(temporary_, ignored);
}

void PendingFile::commit() {
    std::error_code code;
    const std::lock_guard lock(pending_paths().mutex);
    std::filesystem::rename(temporary_, target_, code);
    if (code) fail(target_.string(), "cannot write: {}", code.message());
    committed_ = true;
}

void quit_without_pending_files(int exit_code) {
    PendingPaths& all = pending_paths();
    const std::lock_guard lock(all.mutex);  // held to the end, so that nothing is committed any more
    for (const std::filesystem::path* path : all.paths) ::unlink(path->c_str());
    ::_exit(exit_code);
}

void write_file(const std::filesystem::path& path, Bytes content) {
    std::error_code ignored;  // whatever else is wrong with the path, opening it says
    if (std::filesystem::is_directory(path, ignored)) fail(path.string(), "cannot write: is a folder");
    PendingFile pending(path);
    {
        const Descriptor file{::open(pending.path().c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644)};
        if (file.fd < 0) fail(path.string(), "cannot write: {}", system_reason(errno));
        while (!content.empty()) {
            const ssize_t written = ::write(file.fd, content.data(), content.size());
            if (written < 0 && errno == EINTR) continue;
            if (written < 0) fail(path.string(), "cannot write: {}", system_reason(errno));
            content = content.subspan(static_cast<std::size_t>(written));
        }
    }
    pending.commit();
}

std::string suffix(const std::filesystem::path& path) {
    std::string text = path.extension().string();
    if (!text.empty()) text.erase(0, 1);
    std::transform(text.begin(), text.end(), text.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return text;
}

namespace {

void* pages(Bytes bytes) {
    return const_cast<std::byte*>(bytes.data());
}

}  // namespace

Bytes map_file(const std::filesystem::path& path, MapAccess access) {
    const Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
    if (file.fd < 0) fail(path.string(), "cannot open: {}", std::strerror(errno));
    struct stat info{};
    if (::fstat(file.fd, &info) != 0) fail(path.string(), "cannot read: {}", std::strerror(errno));
    if (S_ISDIR(info.st_mode)) fail(path.string(), "is a folder, not a file");
    if (!S_ISREG(info.st_mode)) fail(path.string(), "is not a regular file");
    const auto size = static_cast<std::size_t>(info.st_size);
    if (size == 0) return {};
    const int flags = MAP_PRIVATE | (access == MapAccess::whole ? MAP_POPULATE : 0);
    void* const map = ::mmap(nullptr, size, PROT_READ, flags, file.fd, 0);
    if (map == MAP_FAILED) fail(path.string(), "cannot map: {}", std::strerror(errno));
    return {static_cast<const std::byte*>(map), size};
}

void unmap_file(Bytes bytes) {
    if (!bytes.empty()) ::munmap(pages(bytes), bytes.size());
}

void PartView::release() const {
    if (!bytes_.empty()) ::madvise(pages(bytes_), bytes_.size(), MADV_DONTNEED);
}

}  // namespace sinew
