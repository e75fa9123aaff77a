#pragma once
/// \file
/// From component arrays into a caller's vertex buffer.

#include "sinew/deform/skinner.h"

namespace sinew::deform {

/// Rows of components of up to `capacity` vertices, staged between kernel and vertex buffer.
struct Staging {
    static constexpr std::size_t capacity = 128;
    alignas(64) float rows[9][capacity];
};

/// Puts `count` staged vertices, a multiple of 16, into the buffer: each where `vertices` says, or, in slot
/// order, one after the other from `first` on.
void scatter(const Staging& staging, std::size_t count, const std::uint32_t* vertices, std::size_t first,
             const VertexBuffer& out, int vectors, std::span<const float> handedness);

}  // namespace sinew::deform
