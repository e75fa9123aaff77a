// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Copies component arrays to a caller's vertex buffer.

#include <cstring>

#include "sinew/deform/skinner.h"

namespace sinew::deform {

/// Component rows of up to `capacity` vertices, between kernel and vertex buffer.
struct Staging {
    static constexpr std::size_t capacity = 256;
    alignas(64) float rows[9][capacity];
};

/// Where staged vertices go.
struct Destination {
    std::byte* bytes;
    std::size_t stride;
    std::ptrdiff_t position, normal;
    const std::uint32_t* vertices;
    bool slot_order;

    /// `first` is the slot of the first vertex.
    Destination(const VertexBuffer& out, const std::uint32_t* list, std::size_t first)
        : bytes(out.bytes.data() + (out.slot_order ? first * out.stride : 0)),
          stride(out.stride),
          position(out.position),
          normal(out.normal),
          vertices(list),
          slot_order(out.slot_order) {}
    /// Padding repeats the previous vertex and is not written.
    bool padding(std::size_t k) const { return k > 0 && vertices[k] == vertices[k - 1]; }
    std::byte* operator()(std::size_t k, std::ptrdiff_t member) const {
        return bytes + (slot_order ? k : vertices[k]) * stride + member;
    }
};

/// One vector of three components, for all layouts except adjacent position and normal.
inline void scatter_vector(const Staging& staging, std::size_t r, std::size_t count, const Destination& to,
                           std::ptrdiff_t member) {
    for (std::size_t k = 0; k < count; ++k) {
        if (to.padding(k)) continue;
        const float vector[3] = {staging.rows[r][k], staging.rows[r + 1][k], staging.rows[r + 2][k]};
        std::memcpy(to(k, member), vector, sizeof(vector));
    }
}

/// Prefetches the cache lines that `scatter` will write, while vertices are computed.
inline void prefetch(std::size_t count, const Destination& to) {
#if defined(__GNUC__)
    for (std::size_t k = 0; k < count; ++k) __builtin_prefetch(to(k, to.position), 1);
#else
    (void)count, (void)to;
#endif
}

/// Writes `count` staged vertices, a multiple of 16, to the buffer: to the indices in `vertices` or, in slot
/// order, consecutively from `first`. Padding is skipped.
void scatter(const Staging& staging, std::size_t count, const std::uint32_t* vertices, std::size_t first,
             const VertexBuffer& out, int vectors, std::span<const float> handedness);

}  // namespace sinew::deform
