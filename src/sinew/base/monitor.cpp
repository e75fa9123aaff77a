// SPDX-License-Identifier: MIT
#include "sinew/base/monitor.h"

#include <algorithm>
#include <mutex>

#include "sinew/base/error.h"

namespace sinew {

Monitor& silent() {
    static Monitor monitor;
    return monitor;
}

void step(Monitor& monitor, std::string_view stage, double fraction) {
    if (monitor.cancelled()) throw Cancelled();
    monitor.progress(stage, fraction);
}

void Collector::warn(Warning warning) {
    static std::recursive_mutex mutex;  // recursive, because a collector may call another one
    const std::lock_guard lock(mutex);
    next_.warn(warning);
    warnings_.push_back(std::move(warning));
}

bool Collector::has(std::string_view code) const {
    return std::any_of(warnings_.begin(), warnings_.end(), [&](const Warning& w) { return w.code == code; });
}

}  // namespace sinew
