#pragma once
// What several benchmarks need: seconds, medians, and the memory that is in use.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <vector>

namespace sinew::bench {

template <class Work>
double seconds(const Work& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

inline double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

/// Bytes of the heap now, and at most since `memory_peak` was last set. Every `new` of the program counts.
extern std::atomic<std::size_t> memory_now, memory_peak;

}  // namespace sinew::bench
