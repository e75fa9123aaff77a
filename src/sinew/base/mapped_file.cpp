#include "sinew/base/file.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "sinew/base/detail/descriptor.h"
#include "sinew/base/error.h"

namespace sinew {
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
