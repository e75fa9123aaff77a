// SPDX-License-Identifier: MIT
#pragma once
// What several benchmarks need: seconds, medians, and the memory that is in use.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <ctime>
#include <vector>

namespace sinew::bench {

template <class Work>
double seconds(const Work& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Processor time of the quickest of a few runs: other work on the machine adds to the clock on the wall.
template <class Work>
double processor_seconds(int runs, const Work& work) {
    double min = 1e30;
    for (int i = 0; i < runs; ++i) {
        const std::clock_t before = std::clock();
        work();
        min = std::min(min, static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC);
    }
    return min;
}

inline double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

/// Bytes of the heap now, and at most since `memory_peak` was last set. Every `new` of the program counts.
extern std::atomic<std::size_t> memory_now, memory_peak;

}  // namespace sinew::bench
