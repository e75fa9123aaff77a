// SPDX-License-Identifier: MIT
#include "support.h"

#include <cstdlib>
#include <new>

#include <malloc.h>

namespace sinew::bench {

std::atomic<std::size_t> memory_now = 0, memory_peak = 0;

}  // namespace sinew::bench

namespace {

using sinew::bench::memory_now;
using sinew::bench::memory_peak;

void* counted(void* block) {
    if (block == nullptr) throw std::bad_alloc();
    const std::size_t now = memory_now += malloc_usable_size(block);
    std::size_t peak = memory_peak;
    while (now > peak && !memory_peak.compare_exchange_weak(peak, now)) {
    }
    return block;
}

void uncounted(void* block) {
    memory_now -= malloc_usable_size(block);
    std::free(block);
}

}  // namespace

void* operator new(std::size_t size) {
    return counted(std::malloc(size));
}
void operator delete(void* block) noexcept {
    uncounted(block);
}
void operator delete(void* block, std::size_t) noexcept {
    uncounted(block);
}
