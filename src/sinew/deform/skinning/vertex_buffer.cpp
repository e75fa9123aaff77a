// SPDX-License-Identifier: MIT
#include "sinew/deform/skinning/vertex_buffer.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

#define HWY_DISABLED_TARGETS \
    (HWY_SSSE3 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sinew/deform/skinning/vertex_buffer.cpp"
#include "hwy/foreach_target.h"
//
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace sinew::deform::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR

void scatter_here(const Staging& staging, std::size_t count, const Destination& to) {
    scatter_vector(staging, 0, count, to, to.position);
    scatter_vector(staging, 3, count, to, to.normal);
}

#else

using D = hn::CappedTag<float, 8>;
using V = hn::Vec<D>;
using D4 = hn::FixedTag<float, 4>;
using V4 = hn::Vec<D4>;

/// Two floats of each of two vectors, from the lower or the upper half of every four.
HWY_INLINE V low(V a, V b) {
    const hn::Repartition<double, D> pairs;
    return hn::BitCast(D(), hn::InterleaveLower(pairs, hn::BitCast(pairs, a), hn::BitCast(pairs, b)));
}
HWY_INLINE V high(V a, V b) {
    const hn::Repartition<double, D> pairs;
    return hn::BitCast(D(), hn::InterleaveUpper(pairs, hn::BitCast(pairs, a), hn::BitCast(pairs, b)));
}
/// Four lanes of a vector.
template <bool Upper, class Vector>
HWY_INLINE V4 four(Vector v) {
    if constexpr (std::is_same_v<Vector, V4>) {
        return v;
    } else if constexpr (Upper) {
        return hn::UpperHalf(D4(), v);
    } else {
        return hn::LowerHalf(D4(), v);
    }
}

/// Position and normal side by side, 24 bytes: the usual layout. Four or eight vertices at a time are
/// transposed in registers and written directly to their destination.
template <bool Slots>
HWY_INLINE void scatter_pairs(const Staging& staging, std::size_t count, const Destination& to) {
    const D d;
    const std::size_t lanes = hn::Lanes(d);
    const std::uint32_t* const vertices = to.vertices;
    std::byte* const bytes = to.bytes + to.position;
    const std::size_t stride = to.stride;
    for (std::size_t k = 0; k < count; k += lanes) {
        if (k > 0 && vertices[k] == vertices[k - 1]) continue;  // padding
        const auto row = [&](std::size_t r) HWY_ATTR { return hn::Load(d, staging.rows[r] + k); };
        const V x = row(0), y = row(1), z = row(2), u = row(3), v = row(4), w = row(5);
        const V xy = hn::InterleaveLower(d, x, y), xy_high = hn::InterleaveUpper(d, x, y);
        const V zu = hn::InterleaveLower(d, z, u), zu_high = hn::InterleaveUpper(d, z, u);
        const V vw = hn::InterleaveLower(d, v, w), vw_high = hn::InterleaveUpper(d, v, w);
        const V a = low(xy, zu), b = high(xy, zu), c = low(xy_high, zu_high), e = high(xy_high, zu_high);
        const auto put = [&](std::size_t slot, V4 begin, V4 end) HWY_ATTR {
            float* const at = reinterpret_cast<float*>(bytes + (Slots ? slot : vertices[slot]) * stride);
            const hn::Half<D4> half;
            hn::StoreU(begin, D4(), at);
            hn::StoreU(hn::LowerHalf(half, end), half, at + 4);
        };
        const auto other = [](V4 end) HWY_ATTR {
            const hn::Repartition<double, D4> pairs;
            const auto both = hn::BitCast(pairs, end);
            return hn::BitCast(D4(), hn::InterleaveUpper(pairs, both, both));
        };
        // Padding at the end of four repeats the last vertex with the same values.
        const auto put_four = [&](std::size_t first, V4 v0, V4 v1, V4 v2, V4 v3, V4 ends, V4 more) HWY_ATTR {
            put(first, v0, ends);
            put(first + 1, v1, other(ends));
            put(first + 2, v2, more);
            put(first + 3, v3, other(more));
        };
        put_four(k, four<false>(a), four<false>(b), four<false>(c), four<false>(e), four<false>(vw),
                 four<false>(vw_high));
        if (hn::MaxLanes(d) == 4 || vertices[k + 4] == vertices[k + 3]) continue;
        put_four(k + 4, four<true>(a), four<true>(b), four<true>(c), four<true>(e), four<true>(vw),
                 four<true>(vw_high));
    }
}

void scatter_here(const Staging& staging, std::size_t count, const Destination& to) {
    if (to.slot_order) {
        scatter_pairs<true>(staging, count, to);
    } else {
        scatter_pairs<false>(staging, count, to);
    }
}

#endif

}  // namespace sinew::deform::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sinew::deform {
namespace {

HWY_EXPORT(scatter_here);

}  // namespace

void scatter(const Staging& staging, std::size_t count, const std::uint32_t* vertices, std::size_t first,
             const VertexBuffer& out, int vectors, std::span<const float> handedness) {
    const Destination to(out, vertices, first);
    const bool normals = vectors > 0 && out.normal >= 0;
    if (normals && out.position >= 0 && out.normal == out.position + 12) {
        HWY_DYNAMIC_DISPATCH(scatter_here)(staging, count, to);
    } else {
        if (out.position >= 0) scatter_vector(staging, 0, count, to, out.position);
        if (normals) scatter_vector(staging, 3, count, to, out.normal);
    }
    if (vectors < 2 || out.tangent < 0) return;
    scatter_vector(staging, 6, count, to, out.tangent);
    for (std::size_t k = 0; k < count; ++k) {
        if (to.padding(k)) continue;
        std::memcpy(to(k, out.tangent) + 12, &handedness[vertices[k]], sizeof(float));
    }
}

}  // namespace sinew::deform
#endif
