// SPDX-License-Identifier: MIT
#include "sinew/base/parallel.h"

#include <atomic>
#include <mutex>
#include <set>
#include <stdexcept>

#include <gtest/gtest.h>

namespace sinew {
namespace {

/// Sets a thread count for as long as it lives.
struct Threads {
    explicit Threads(int count) { set_thread_count(count); }
    ~Threads() { set_thread_count(0); }
};

using Pieces = std::set<std::pair<std::size_t, std::size_t>>;

Pieces pieces(std::size_t count, std::size_t grain) {
    Pieces found;
    std::mutex mutex;
    parallel_blocks(count, grain, [&](std::size_t begin, std::size_t end) {
        const std::lock_guard lock(mutex);
        EXPECT_TRUE(found.emplace(begin, end).second);
    });
    return found;
}

TEST(Parallel, ThreadCountIsLimited) {
    {
        const Threads one(1);
        EXPECT_EQ(thread_count(), 1);
    }
    EXPECT_GE(thread_count(), 1);
    const int all = thread_count();
    const Threads many(1000);
    EXPECT_EQ(thread_count(), all);
}

TEST(Parallel, OneThreadIsALimitWhileItLives) {
    const int all = thread_count();
    {
        const OneThread alone;
        EXPECT_EQ(thread_count(), 1);
    }
    EXPECT_EQ(thread_count(), all);
}

TEST(Parallel, SamePiecesForEveryThreadCount) {
    for (const auto& [count, grain] :
         {std::pair<std::size_t, std::size_t>{0, 4}, {1, 4}, {4, 4}, {5, 4}, {1003, 10}, {7, 0}, {3, 100}}) {
        Pieces expected;
        const std::size_t size = std::max<std::size_t>(grain, 1);
        for (std::size_t begin = 0; begin < count; begin += size)
            expected.emplace(begin, std::min(count, begin + size));
        for (const int threads : {1, 2, 0}) {
            const Threads limit(threads);
            EXPECT_EQ(pieces(count, grain), expected) << count << " " << grain << " " << threads;
        }
    }
}

TEST(Parallel, ForVisitsEachItemOnce) {
    for (const int threads : {1, 2}) {
        const Threads limit(threads);
        std::vector<std::atomic<int>> visits(10007);
        parallel_for(visits.size(), 16, [&](std::size_t i) { ++visits[i]; });
        for (const auto& count : visits) EXPECT_EQ(count, 1);
    }
}

TEST(Parallel, SumIsTheSameToTheLastBit) {
    const auto harmonic = [] {
        return parallel_sum(1000003, 1000, 0.0, [](std::size_t begin, std::size_t end) {
            double sum = 0;
            for (std::size_t i = begin; i < end; ++i) sum += 1 / (1 + static_cast<double>(i));
            return sum;
        });
    };
    double one = 0, two = 0;
    {
        const Threads limit(1);
        one = harmonic();
    }
    {
        const Threads limit(2);
        two = harmonic();
    }
    EXPECT_EQ(one, two);
    EXPECT_NEAR(one, 14.39272972286572, 1e-4);
    EXPECT_EQ(parallel_sum(0, 10, 5, [](std::size_t, std::size_t) { return 1; }), 5);
    EXPECT_EQ(parallel_sum(10, 0, 0,
                           [](std::size_t begin, std::size_t end) { return static_cast<int>(end - begin); }),
              10);
}

TEST(Parallel, ExceptionsComeOut) {
    for (const int threads : {1, 2}) {
        const Threads limit(threads);
        EXPECT_THROW(parallel_for(100, 1,
                                  [](std::size_t i) {
                                      if (i == 57) throw std::runtime_error("57");
                                  }),
                     std::runtime_error);
    }
}

}  // namespace
}  // namespace sinew
