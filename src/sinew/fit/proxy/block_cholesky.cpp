// SPDX-License-Identifier: MIT
#include "sinew/fit/proxy/block_cholesky.h"

#include <algorithm>
#include <set>

namespace sinew::fit {

BlockPattern::BlockPattern(std::size_t size, std::span<const Pair> pairs) : columns_(size), updates_(size) {
    std::vector<std::set<std::uint32_t>> graph(size);
    for (const auto& [a, b] : pairs) {
        if (a == b) continue;
        graph[a].insert(b);
        graph[b].insert(a);
    }
    // The row with the fewest neighbours goes first; its neighbours become neighbours of each other.
    std::vector<std::uint32_t> when(size, 0);
    std::vector<std::vector<std::uint32_t>> below(size);
    std::vector<bool> done(size, false);
    for (std::size_t k = 0; k < size; ++k) {
        std::size_t best = size;
        for (std::size_t r = 0; r < size; ++r) {
            if (!done[r] && (best == size || graph[r].size() < graph[best].size())) best = r;
        }
        done[best] = true;
        when[best] = static_cast<std::uint32_t>(k);
        order_.push_back(static_cast<std::uint32_t>(best));
        below[k].assign(graph[best].begin(), graph[best].end());
        for (const std::uint32_t a : below[k]) {
            graph[a].erase(static_cast<std::uint32_t>(best));
            for (const std::uint32_t b : below[k]) {
                if (a != b) graph[a].insert(b);
            }
        }
    }
    constexpr std::uint32_t none = ~0u;
    std::vector<std::uint32_t> index(size * size, none);
    blocks_ = size;
    for (std::size_t k = 0; k < size; ++k) {
        index[k * size + k] = static_cast<std::uint32_t>(k);
        for (std::uint32_t& r : below[k]) r = when[r];
        std::sort(below[k].begin(), below[k].end());
        for (const std::uint32_t r : below[k]) {
            columns_[k].push_back({r, static_cast<std::uint32_t>(blocks_)});
            index[r * size + k] = static_cast<std::uint32_t>(blocks_++);
        }
    }
    for (std::size_t k = 0; k < size; ++k) {
        for (std::size_t i = 0; i < below[k].size(); ++i) {
            for (std::size_t j = 0; j <= i; ++j)
                updates_[k].push_back(index[below[k][i] * size + below[k][j]]);
        }
    }
    for (const auto& [a, b] : pairs) {
        const bool transposed = when[a] < when[b];
        const std::size_t row = std::max(when[a], when[b]), column = std::min(when[a], when[b]);
        slots_.push_back({index[row * size + column], transposed});
    }
}

}  // namespace sinew::fit
