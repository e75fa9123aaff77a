// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Parallel loops. Results never depend on the thread count: every loop body writes only its own range,
/// and sums are taken in the order of fixed blocks.
///
/// \code
/// parallel_for(vertices.size(), 1024, [&](std::size_t v) { normals[v].normalize(); });
/// \endcode

#include <cstddef>
#include <memory>
#include <vector>

namespace sinew {

/// Limits all later parallel loops to `count` threads; 0 uses all cores.
void set_thread_count(int count);
int thread_count();

/// Reference to a loop body, without allocation; the body must outlive the loop.
class BlockBody {
  public:
    template <class Body>
    explicit BlockBody(const Body& body)
        : object_(&body), call_([](const void* object, std::size_t begin, std::size_t end) {
              (*static_cast<const Body*>(object))(begin, end);
          }) {}
    void operator()(std::size_t begin, std::size_t end) const { call_(object_, begin, end); }

  private:
    const void* object_;
    void (*call_)(const void*, std::size_t, std::size_t);
};

namespace detail {
void run_blocks(std::size_t count, std::size_t grain, const BlockBody& body);
}

/// Calls `body(begin, end)` on consecutive blocks of [0, count) on all threads. Each block has `grain` items;
/// the last may be shorter. The blocks are the same for every thread count.
template <class Body>
void parallel_blocks(std::size_t count, std::size_t grain, const Body& body) {
    detail::run_blocks(count, grain, BlockBody(body));
}

/// Calls `body(i)` for every i in [0, count).
template <class Body>
void parallel_for(std::size_t count, std::size_t grain, const Body& body) {
    parallel_blocks(count, grain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) body(i);
    });
}

/// Sums `body(begin, end)` over the blocks of [0, count), always in the same order.
template <class Value, class Body>
Value parallel_sum(std::size_t count, std::size_t grain, Value zero, const Body& body) {
    if (grain == 0) grain = 1;
    std::vector<Value> parts((count + grain - 1) / grain, zero);
    parallel_blocks(count, grain,
                    [&](std::size_t begin, std::size_t end) { parts[begin / grain] = body(begin, end); });
    for (const Value& part : parts) zero = zero + part;
    return zero;
}

/// While an object of this class exists, all parallel loops of the program run on one thread: for libraries
/// whose results depend on the thread count.
class OneThread {
  public:
    OneThread();
    ~OneThread();
    OneThread(const OneThread&) = delete;
    OneThread& operator=(const OneThread&) = delete;

  private:
    struct Limit;
    std::unique_ptr<Limit> limit_;
};

}  // namespace sinew
