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
    scatter_vector(staging, 0, count, to, to.out.position);
    scatter_vector(staging, 3, count, to, to.out.normal);
}

#else

using D = hn::CappedTag<float, 16>;
using V = hn::Vec<D>;

/// Two floats of each of two registers, as pairs.
HWY_INLINE V pairs_low(V a, V b) {
    const hn::Repartition<double, D> pairs;
    return hn::BitCast(D(), hn::InterleaveLower(pairs, hn::BitCast(pairs, a), hn::BitCast(pairs, b)));
}
HWY_INLINE V pairs_high(V a, V b) {
    const hn::Repartition<double, D> pairs;
    return hn::BitCast(D(), hn::InterleaveUpper(pairs, hn::BitCast(pairs, a), hn::BitCast(pairs, b)));
}
HWY_INLINE V pairs_mixed(V even, V odd) {
    const hn::Repartition<double, D> pairs;
    return hn::BitCast(D(), hn::OddEven(hn::BitCast(pairs, odd), hn::BitCast(pairs, even)));
}

/// Records of four vertices are six blocks of four floats; register i holds block i of all its groups of
/// four. Puts the records one after the other.
template <class DV, class VV>
HWY_INLINE void store_blocks(DV d, const VV (&blocks)[6], float* to) {
    if constexpr (hn::MaxLanes(DV()) == 4) {
        for (std::size_t i = 0; i < 6; ++i) hn::StoreU(blocks[i], d, to + 4 * i);
    } else if constexpr (hn::MaxLanes(DV()) == 8) {
        for (std::size_t i = 0; i < 3; ++i) {
            hn::StoreU(hn::ConcatLowerLower(d, blocks[2 * i + 1], blocks[2 * i]), d, to + 8 * i);
            hn::StoreU(hn::ConcatUpperUpper(d, blocks[2 * i + 1], blocks[2 * i]), d, to + 24 + 8 * i);
        }
    } else {
        const hn::Half<DV> half;
        const auto low = [&](std::size_t i) HWY_ATTR { return hn::LowerHalf(half, blocks[i]); };
        const auto high = [&](std::size_t i) HWY_ATTR { return hn::UpperHalf(half, blocks[i]); };
        store_blocks(half, {low(0), low(1), low(2), low(3), low(4), low(5)}, to);
        store_blocks(half, {high(0), high(1), high(2), high(3), high(4), high(5)}, to + 48);
    }
}

/// A register of staged vertices as records of position and normal.
HWY_INLINE void store_records(const Staging& staging, std::size_t k, float* to) {
    const D d;
    const auto row = [&](std::size_t r) HWY_ATTR { return hn::Load(d, staging.rows[r] + k); };
    const V x = row(0), y = row(1), z = row(2), u = row(3), v = row(4), w = row(5);
    const V xy = hn::InterleaveLower(d, x, y), xy_high = hn::InterleaveUpper(d, x, y);
    const V zu = hn::InterleaveLower(d, z, u), zu_high = hn::InterleaveUpper(d, z, u);
    const V vw = hn::InterleaveLower(d, v, w), vw_high = hn::InterleaveUpper(d, v, w);
    store_blocks(d,
                 {pairs_low(xy, zu), pairs_mixed(vw, xy), pairs_high(zu, vw), pairs_low(xy_high, zu_high),
                  pairs_mixed(vw_high, xy_high), pairs_high(zu_high, vw_high)},
                 to);
}

/// Position and normal side by side, 24 bytes: the usual layout. Vertices that follow each other go straight
/// to their places.
void scatter_here(const Staging& staging, std::size_t count, const Destination& to) {
    constexpr std::size_t record = 6;
    const std::size_t lanes = hn::Lanes(D());
    std::byte* const base = to.out.bytes.data() + to.out.position;
    const bool tight = to.out.stride == record * sizeof(float);
    alignas(64) float records[record * hn::MaxLanes(D())];
    for (std::size_t k = 0; k < count; k += lanes) {
        const std::size_t first = to.vertex(k);
        // Vertices of a set rise strictly until padding repeats the last, so the last two tell all.
        if (tight && to.vertex(k + lanes - 2) == first + lanes - 2 &&
            to.vertex(k + lanes - 1) == first + lanes - 1) {
            store_records(staging, k, reinterpret_cast<float*>(base + first * to.out.stride));
            continue;
        }
        store_records(staging, k, records);
        for (std::size_t i = 0; i < lanes; ++i) {
            std::memcpy(base + to.vertex(k + i) * to.out.stride, records + record * i,
                        record * sizeof(float));
        }
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
    const Destination to{out, out.slot_order ? nullptr : vertices, first};
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
        std::memcpy(to(k, out.tangent) + 12, &handedness[vertices[k]], sizeof(float));
    }
}

}  // namespace sinew::deform
#endif
