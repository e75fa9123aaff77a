// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// File descriptors of the system, for the files of this room.

#include <unistd.h>

namespace sinew {

/// Closes a descriptor on every way out.
struct Descriptor {
    int fd = -1;
    explicit Descriptor(int number) : fd(number) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() {
        if (fd >= 0) ::close(fd);
    }
};

}  // namespace sinew
