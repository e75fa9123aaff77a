// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// A cache whose entries are computed on demand and become invalid with the next pose. It is thread-safe: one
/// thread computes an entry, the others wait for it.

#include <atomic>
#include <cstdint>
#include <memory>
#include <thread>
#include <type_traits>

namespace sinew::collide {

class PerPoseCache {
  public:
    PerPoseCache() = default;
    explicit PerPoseCache(std::size_t count)
        : count_(count), stamps_(std::make_unique<std::atomic<std::uint32_t>[]>(count)) {}

    /// Pose numbers are even and increase; the odd number below one marks an entry that is being computed.
    bool ready(std::size_t i, std::uint32_t pose) const {
        return stamps_[i].load(std::memory_order_acquire) == pose;
    }
    void publish(std::size_t i, std::uint32_t pose) { stamps_[i].store(pose, std::memory_order_release); }
    void clear() {
        for (std::size_t i = 0; i < count_; ++i) stamps_[i].store(0, std::memory_order_relaxed);
    }
    std::size_t bytes() const { return count_ * sizeof(std::uint32_t); }

    /// Computes entry i by `fill()` unless it is valid, and returns when it is. If `fill` throws, the entry
    /// becomes available again. `fill(pose)` also receives the pose for which the entry was computed last, 0
    /// for none.
    template <class Fill>
    void fill(std::size_t i, std::uint32_t pose, const Fill& fill) {
        while (!ready(i, pose)) {
            std::uint32_t seen = stamps_[i].load(std::memory_order_relaxed);
            if (seen == pose) continue;
            if (seen == pose - 1 ||
                !stamps_[i].compare_exchange_strong(seen, pose - 1, std::memory_order_acquire)) {
                std::this_thread::yield();  // it takes less than a microsecond
                continue;
            }
            Release release{stamps_[i], 0};
            if constexpr (std::is_invocable_v<Fill, std::uint32_t>) {
                fill(seen);
            } else {
                fill();
            }
            release.value = pose;
        }
    }

  private:
    struct Release {
        std::atomic<std::uint32_t>& stamp;
        std::uint32_t value;
        ~Release() { stamp.store(value, std::memory_order_release); }
    };

    std::size_t count_ = 0;
    std::unique_ptr<std::atomic<std::uint32_t>[]> stamps_;
};

}  // namespace sinew::collide
