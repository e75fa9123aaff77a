// SPDX-License-Identifier: MIT
#include "sinew/deform/skinning/vertex_buffer.h"

#include <algorithm>
#include <cstring>

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

using D = hn::FixedTag<float, 4>;
using V = hn::Vec<D>;

/// Position and normal side by side, 24 bytes: the usual layout. Four vertices at a time are turned in
/// registers and go straight to where they belong.
void scatter_here(const Staging& staging, std::size_t count, const Destination& where) {
    const D d;
    const hn::Repartition<double, D> pairs;
    const auto low = [&](V a, V b) HWY_ATTR {
        return hn::BitCast(d, hn::InterleaveLower(pairs, hn::BitCast(pairs, a), hn::BitCast(pairs, b)));
    };
    const auto high = [&](V a, V b) HWY_ATTR {
        return hn::BitCast(d, hn::InterleaveUpper(pairs, hn::BitCast(pairs, a), hn::BitCast(pairs, b)));
    };
    const Destination to = where;  // a copy, which no store can change
    for (std::size_t k = 0; k < count; k += 4) {
        if (to.padding(k)) continue;
        const auto row = [&](std::size_t r) HWY_ATTR { return hn::Load(d, staging.rows[r] + k); };
        const V x = row(0), y = row(1), z = row(2), u = row(3), v = row(4), w = row(5);
        const V xy = hn::InterleaveLower(d, x, y), xy_high = hn::InterleaveUpper(d, x, y);
        const V zu = hn::InterleaveLower(d, z, u), zu_high = hn::InterleaveUpper(d, z, u);
        const V vw = hn::InterleaveLower(d, v, w), vw_high = hn::InterleaveUpper(d, v, w);
        const auto put = [&](std::size_t i, V four, V two) HWY_ATTR {
            float* const at = reinterpret_cast<float*>(to(k + i, to.position));
            hn::StoreU(four, d, at);
            const hn::Half<D> half;
            hn::StoreU(hn::LowerHalf(half, two), half, at + 4);
        };
        // Padding at the end of the four repeats the last vertex with the same values.
        put(0, low(xy, zu), vw);
        put(1, high(xy, zu), high(vw, vw));
        put(2, low(xy_high, zu_high), vw_high);
        put(3, high(xy_high, zu_high), high(vw_high, vw_high));
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
