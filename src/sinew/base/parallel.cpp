// SPDX-License-Identifier: MIT
#include "sinew/base/parallel.h"

#include <algorithm>
#include <memory>

#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>

#if defined(SINEW_TELLS_ORDER)
#include <sanitizer/tsan_interface.h>
#endif

namespace sinew {
namespace {

/// An order of events that TBB guarantees but the thread sanitizer cannot see, because libtbb is not compiled
/// with it: everything before `give` in one thread happens before everything after `take` in another. No cost
/// in other builds.
struct Order {
    char location = 0;
#if defined(SINEW_TELLS_ORDER)
    void give() { __tsan_release(&location); }
    void take() { __tsan_acquire(&location); }
#else
    void give() {}
    void take() {}
#endif
};

std::unique_ptr<tbb::global_control>& limit() {
    static std::unique_ptr<tbb::global_control> control;
    return control;
}

}  // namespace

void set_thread_count(int count) {
    limit().reset();
    if (count > 0) {
        limit() = std::make_unique<tbb::global_control>(tbb::global_control::max_allowed_parallelism,
                                                        static_cast<std::size_t>(count));
    }
}

int thread_count() {
    const auto allowed = tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism);
    return std::max(1, std::min(static_cast<int>(allowed), tbb::info::default_concurrency()));
}

void detail::run_blocks(std::size_t count, std::size_t grain, const BlockBody& body) {
    if (count == 0) return;
    if (grain == 0) grain = 1;
    const std::size_t blocks = (count + grain - 1) / grain;
    const auto run = [&](std::size_t block) { body(block * grain, std::min(count, (block + 1) * grain)); };
    if (blocks == 1 || thread_count() == 1) {
        for (std::size_t block = 0; block < blocks; ++block) run(block);
        return;
    }
    Order start, end;  // two objects, so that no order between blocks is implied
    start.give();
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, blocks, 1), [&](const auto& range) {
        start.take();
        for (std::size_t block = range.begin(); block != range.end(); ++block) run(block);
        end.give();
    });
    end.take();
}

struct OneThread::Limit {
    tbb::global_control control{tbb::global_control::max_allowed_parallelism, 1};
};

OneThread::OneThread() : limit_(std::make_unique<Limit>()) {}
OneThread::~OneThread() = default;

}  // namespace sinew
