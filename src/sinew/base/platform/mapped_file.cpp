// SPDX-License-Identifier: MIT
// Files mapped into memory, and protection when another program truncates them meanwhile: access to a page
// after the end of a mapped file raises SIGBUS, which would end the process.

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/base/platform/files.h"
#include "sinew/base/report.h"

namespace sinew {
namespace {

void* pages(Bytes bytes) {
    return const_cast<std::byte*>(bytes.data());
}

/// A mapped range that the signal handler finds without locks; unused while `start` is 0.
struct GuardedRange {
    std::atomic<std::uintptr_t> start = 0;
    std::atomic<std::uintptr_t> end = 0;
    std::atomic<bool> cut = false;
};
/// The maximum number of files that are mapped at a time; further files would have no protection.
constinit std::array<GuardedRange, 1024> ranges;
struct sigaction previous_action;

static_assert(std::atomic<std::uintptr_t>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);

/// Maps a page of zeros where the file no longer has data. All calls here are allowed in a signal handler:
/// mmap is a plain system call.
void on_bus_error(int number, siginfo_t* info, void* context) {
    const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
    for (GuardedRange& range : ranges) {
        const std::uintptr_t start = range.start.load();
        if (start == 0 || address < start || address >= range.end.load()) continue;
        range.cut = true;
        const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
        void* const at = reinterpret_cast<void*>(address / page * page);  // NOLINT(performance-no-int-to-ptr)
        if (::mmap(at, page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED) return;
    }
    if ((previous_action.sa_flags & SA_SIGINFO) != 0 && previous_action.sa_sigaction != nullptr)
        return previous_action.sa_sigaction(number, info, context);
    if (previous_action.sa_handler != SIG_DFL && previous_action.sa_handler != SIG_IGN)
        return previous_action.sa_handler(number);
    std::signal(SIGBUS, SIG_DFL);  // not from our files: it is raised again and ends the process
}

void install_guard() {
    static std::once_flag once;
    std::call_once(once, [] {
        struct sigaction action{};
        action.sa_sigaction = on_bus_error;
        action.sa_flags = SA_SIGINFO;
        sigemptyset(&action.sa_mask);
        ::sigaction(SIGBUS, &action, &previous_action);
    });
}

/// Information on each mapping, and the names of files that were truncated.
struct MappedFile {
    Bytes bytes;
    std::string name;
    dev_t device = 0;
    ino_t node = 0;
    GuardedRange* range = nullptr;
    bool told = false;  ///< whether the truncation was reported
};
struct MappedFiles {
    std::mutex mutex;
    std::vector<MappedFile> files;
    std::vector<std::string> cut;
    std::vector<std::string>* log = nullptr;  ///< of a ReadLog
};
MappedFiles& mapped_files() {
    static auto& all = *new MappedFiles;
    return all;
}

/// True when a page was missing, or the file is now shorter.
bool is_cut(const MappedFile& file) {
    if (file.told) return false;
    if (file.range != nullptr && file.range->cut) return true;
    struct stat info{};
    if (::stat(file.name.c_str(), &info) != 0) return false;  // removed, but still valid for us
    return info.st_dev == file.device && info.st_ino == file.node &&
           static_cast<std::size_t>(info.st_size) < file.bytes.size();
}

void guard(MappedFile file) {
    install_guard();
    const auto start = reinterpret_cast<std::uintptr_t>(file.bytes.data());
    MappedFiles& all = mapped_files();
    const std::lock_guard lock(all.mutex);
    const auto free = std::ranges::find_if(ranges, [](const GuardedRange& r) { return r.start == 0; });
    if (free != ranges.end()) {
        free->cut = false;
        free->end = start + file.bytes.size();
        free->start = start;
        file.range = &*free;
    }
    all.files.push_back(std::move(file));
}

void log_read(const std::string& name) {
    MappedFiles& all = mapped_files();
    const std::lock_guard lock(all.mutex);
    if (all.log != nullptr && std::ranges::find(*all.log, name) == all.log->end()) all.log->push_back(name);
}

}  // namespace

ReadLog::ReadLog() {
    MappedFiles& all = mapped_files();
    const std::lock_guard lock(all.mutex);
    all.log = &names_;
}

ReadLog::~ReadLog() {
    MappedFiles& all = mapped_files();
    const std::lock_guard lock(all.mutex);
    all.log = nullptr;
}

std::vector<std::string> ReadLog::names() const {
    MappedFiles& all = mapped_files();
    const std::lock_guard lock(all.mutex);
    return names_;
}

Bytes map_file(const std::filesystem::path& path) {
    log_read(path.string());
    // Without O_NONBLOCK, opening a pipe without a writer would block for ever.
    const platform::Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
    if (file.value < 0) fail(path.string(), "cannot open: {}", std::strerror(errno));
    struct stat info{};
    if (::fstat(file.value, &info) != 0) fail(path.string(), "cannot read: {}", std::strerror(errno));
    if (S_ISDIR(info.st_mode)) fail(path.string(), "is a folder, not a file");
    if (S_ISFIFO(info.st_mode)) fail(path.string(), "is a pipe, not a file: write its content to a file");
    if (!S_ISREG(info.st_mode)) fail(path.string(), "is not a regular file");
    const auto size = static_cast<std::size_t>(info.st_size);
    if (size == 0) return {};
    void* const map = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.value, 0);
    if (map == MAP_FAILED) fail(path.string(), "cannot map: {}", std::strerror(errno));
    const Bytes bytes{static_cast<const std::byte*>(map), size};
    guard({bytes, path.string(), info.st_dev, info.st_ino, nullptr, false});
    return bytes;
}

void unmap_file(Bytes bytes) {
    if (bytes.empty()) return;
    MappedFiles& all = mapped_files();
    const std::lock_guard lock(all.mutex);
    const auto file =
        std::ranges::find(all.files, bytes.data(), [](const MappedFile& f) { return f.bytes.data(); });
    if (is_cut(*file)) all.cut.push_back(file->name);
    if (file->range != nullptr) file->range->start = 0;
    all.files.erase(file);
    ::munmap(pages(bytes), bytes.size());
}

void check_mapped_files() {
    MappedFiles& all = mapped_files();
    const std::lock_guard lock(all.mutex);
    for (MappedFile& file : all.files) {
        if (!is_cut(file)) continue;
        all.cut.push_back(file.name);
        file.told = true;
    }
    if (all.cut.empty()) return;
    const std::string name = all.cut.front();
    all.cut.clear();
    fail(name, "another program cut the file while it was read: read it again when that is done");
}

FileView::FileView(const std::filesystem::path& path) {
    const Bytes bytes = map_file(path);
    data_ = bytes.data();
    size_ = bytes.size();
}

FileView::FileView(FileView&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

FileView::~FileView() {
    unmap_file({data_, size_});
}

void PartView::release() const {
    if (!bytes_.empty()) ::madvise(pages(bytes_), bytes_.size(), MADV_DONTNEED);
}

}  // namespace sinew
