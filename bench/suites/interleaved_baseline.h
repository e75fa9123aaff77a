// SPDX-License-Identifier: MIT
#pragma once
// The layout that most engines use, written as well as it allows: one vertex after the other, interleaved
// buffers, four matrices blended in 4-wide vectors. The named baseline of `sinew-bench skinning`.

#include <cstddef>
#include <cstdint>

namespace sinew::bench {

struct InterleavedVertex {
    float position[3];
    float normal[3];
};

struct InterleavedMesh {
    const InterleavedVertex* vertices;
    const std::uint16_t* joints;  ///< four a vertex
    const float* weights;         ///< four a vertex
    std::size_t count;
};

/// `palette` holds 16 floats a joint, columns of a 4x4 matrix, aligned to 16 bytes. Normals are not made
/// unit, as engines leave that to the shader.
void skin_interleaved(const InterleavedMesh& mesh, const float* palette, InterleavedVertex* out);

}  // namespace sinew::bench
