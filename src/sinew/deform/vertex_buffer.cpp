#include "sinew/deform/vertex_buffer.h"

#include <algorithm>
#include <cstring>

namespace sinew::deform {
namespace {

/// Four floats in a register: GCC's and Clang's portable vectors, enough for moving data about.
using Four = float __attribute__((vector_size(16)));

Four load(const float* p) {
    Four v;
    std::memcpy(&v, p, 16);
    return v;
}

/// Four components of four vertices, turned from rows to vertices.
struct Turned {
    Four vertex[4];
};

Turned turn(Four a, Four b, Four c, Four d) {
    const Four ab_low = __builtin_shufflevector(a, b, 0, 4, 1, 5),
               ab_high = __builtin_shufflevector(a, b, 2, 6, 3, 7);
    const Four cd_low = __builtin_shufflevector(c, d, 0, 4, 1, 5),
               cd_high = __builtin_shufflevector(c, d, 2, 6, 3, 7);
    return {{__builtin_shufflevector(ab_low, cd_low, 0, 1, 4, 5),
             __builtin_shufflevector(ab_low, cd_low, 2, 3, 6, 7),
             __builtin_shufflevector(ab_high, cd_high, 0, 1, 4, 5),
             __builtin_shufflevector(ab_high, cd_high, 2, 3, 6, 7)}};
}

/// Where vertices go: by index, or one after the other.
struct Destination {
    const VertexBuffer& out;
    const std::uint32_t* vertices;  ///< null numbers them from `first` on
    std::size_t first;

    std::byte* operator()(std::size_t k, std::ptrdiff_t member) const {
        const std::size_t vertex = vertices != nullptr ? vertices[k] : first + k;
        return out.bytes.data() + vertex * out.stride + member;
    }
};

/// Position and normal side by side, 24 bytes: the usual layout, in two stores. `Indexed` and a stride known
/// when compiled keep the address arithmetic off the path.
template <bool Indexed, std::size_t Stride>
void scatter_pairs(const Staging& staging, std::size_t count, const Destination& to) {
    std::byte* const base = to.out.bytes.data() + to.out.position;
    const std::size_t stride = Stride > 0 ? Stride : to.out.stride;
    const auto row = [&](std::size_t r, std::size_t at) { return load(staging.rows[r] + at); };
    for (std::size_t k = 0; k < count; k += 4) {
        const Turned head = turn(row(0, k), row(1, k), row(2, k), row(3, k));
        const Turned tail = turn(row(4, k), row(5, k), Four{}, Four{});
        for (std::size_t i = 0; i < 4; ++i) {
            std::byte* const vertex = base + stride * (Indexed ? to.vertices[k + i] : to.first + k + i);
            std::memcpy(vertex, &head.vertex[i], 16);
            std::memcpy(vertex + 16, &tail.vertex[i], 8);
        }
    }
}

void scatter_vector(const Staging& staging, std::size_t r, std::size_t count, const Destination& to,
                    std::ptrdiff_t member) {
    for (std::size_t k = 0; k < count; k += 4) {
        const Turned turned = turn(load(staging.rows[r] + k), load(staging.rows[r + 1] + k),
                                   load(staging.rows[r + 2] + k), Four{});
        for (std::size_t i = 0; i < 4; ++i) std::memcpy(to(k + i, member), &turned.vertex[i], 12);
    }
}

}  // namespace

void scatter(const Staging& staging, std::size_t count, const std::uint32_t* vertices, std::size_t first,
             const VertexBuffer& out, int vectors, std::span<const float> handedness) {
    const Destination to{out, out.slot_order ? nullptr : vertices, first};
    const bool normals = vectors > 0 && out.normal >= 0;
    if (normals && out.position >= 0 && out.normal == out.position + 12) {
        const bool tight = out.stride == 24;
        if (to.vertices != nullptr) {
            tight ? scatter_pairs<true, 24>(staging, count, to) : scatter_pairs<true, 0>(staging, count, to);
        } else {
            tight ? scatter_pairs<false, 24>(staging, count, to)
                  : scatter_pairs<false, 0>(staging, count, to);
        }
    } else {
        if (out.position >= 0) scatter_vector(staging, 0, count, to, out.position);
        if (normals) scatter_vector(staging, 3, count, to, out.normal);
    }
    if (vectors < 2 || out.tangent < 0) return;
    scatter_vector(staging, 6, count, to, out.tangent);
    for (std::size_t k = 0; k < count; ++k) {
        std::memcpy(to(k, out.tangent) + 12, &handedness[vertices[k]], sizeof(float));
    }
}

}  // namespace sinew::deform
