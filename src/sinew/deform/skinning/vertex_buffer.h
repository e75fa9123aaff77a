// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// From component arrays into a caller's vertex buffer.

#include <cstring>

#include "sinew/deform/skinner.h"

namespace sinew::deform {

/// Rows of components of up to `capacity` vertices, staged between kernel and vertex buffer.
struct Staging {
    static constexpr std::size_t capacity = 128;
    alignas(64) float rows[9][capacity];
};

/// Where vertices go: by index, or one after the other.
struct Destination {
    const VertexBuffer& out;
    const std::uint32_t* vertices;  ///< null numbers them from `first` on
    std::size_t first;

    std::size_t vertex(std::size_t k) const { return vertices != nullptr ? vertices[k] : first + k; }
    std::byte* operator()(std::size_t k, std::ptrdiff_t member) const {
        return out.bytes.data() + vertex(k) * out.stride + member;
    }
};

/// One vector of three components, for every layout that is not position and normal side by side.
inline void scatter_vector(const Staging& staging, std::size_t r, std::size_t count, const Destination& to,
                           std::ptrdiff_t member) {
    for (std::size_t k = 0; k < count; ++k) {
        const float vector[3] = {staging.rows[r][k], staging.rows[r + 1][k], staging.rows[r + 2][k]};
        std::memcpy(to(k, member), vector, sizeof(vector));
    }
}

/// Puts `count` staged vertices, a multiple of 16, into the buffer: each where `vertices` says, or, in slot
/// order, one after the other from `first` on.
void scatter(const Staging& staging, std::size_t count, const std::uint32_t* vertices, std::size_t first,
             const VertexBuffer& out, int vectors, std::span<const float> handedness);

}  // namespace sinew::deform
