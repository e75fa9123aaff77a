// SPDX-License-Identifier: MIT
#include "sinew/deform/playback/pose_kernels.h"

// Quaternions are structs of vectors, and vectors of unknown length cannot be members of a struct.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sinew/deform/playback/pose_hierarchy.cpp"
// clang-format off
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on
#include "sinew/deform/playback/simd.h"

HWY_BEFORE_NAMESPACE();
namespace sinew::deform::HWY_NAMESPACE {

constexpr std::size_t line = model::PackedClip::line;

/// Eight lanes at most: the matrices that follow have no more, and 16 lanes would slow them down (a processor
/// that runs 512-bit instructions closes one of its ports to the others).
using Eight = hn::CappedTag<float, 8>;
using V8 = hn::Vec<Eight>;

/// Transposes four values of each joint into a row of four for each joint. Only within blocks of four lanes,
/// which is cheaper than a full transpose: `row_offsets` has the positions of the rows.
HWY_INLINE void store_rows(const Eight d, V8 a, V8 b, V8 c, V8 t, float* rows) {
#if HWY_TARGET == HWY_SCALAR
    hn::StoreInterleaved4(a, b, c, t, d, rows);
#else
    const hn::Repartition<double, Eight> pairs;
    const auto ab_low = hn::BitCast(pairs, hn::InterleaveLower(d, a, b));
    const auto ab_high = hn::BitCast(pairs, hn::InterleaveUpper(d, a, b));
    const auto ct_low = hn::BitCast(pairs, hn::InterleaveLower(d, c, t));
    const auto ct_high = hn::BitCast(pairs, hn::InterleaveUpper(d, c, t));
    const std::size_t n = hn::Lanes(d);
    hn::Store(hn::BitCast(d, hn::InterleaveLower(pairs, ab_low, ct_low)), d, rows);
    hn::Store(hn::BitCast(d, hn::InterleaveUpper(pairs, ab_low, ct_low)), d, rows + n);
    hn::Store(hn::BitCast(d, hn::InterleaveLower(pairs, ab_high, ct_high)), d, rows + 2 * n);
    hn::Store(hn::BitCast(d, hn::InterleaveUpper(pairs, ab_high, ct_high)), d, rows + 3 * n);
#endif
}

/// Where the row of each joint of a line begins, in floats.
struct RowOffsets {
    std::uint32_t at[line];
};
constexpr RowOffsets make_row_offsets(std::uint32_t lanes) {
    RowOffsets offsets{};
    for (std::uint32_t k = 0; k < line; ++k) {
        const std::uint32_t lane = k % lanes;
        offsets.at[k] = lanes < 4 ? 4 * k : 4 * (k - lane) + lane % 4 * lanes + lane / 4 * 4;
    }
    return offsets;
}
constexpr RowOffsets row_offsets = make_row_offsets(hn::MaxLanes(Eight()));

/// Linear rows T R S of some joints, as three arrays of (m0 m1 m2 t). Returns a number that is finite only if
/// all ten inputs are.
HWY_INLINE V8 local_rows(const Eight d, const float* pose, std::size_t stride, float* rows) {
    const V8 one = hn::Set(d, 1.0f);
    const Quaternions<V8> q = load_quaternions(d, pose + 3 * stride, stride);
    const V8 x2 = hn::Add(q.x, q.x), y2 = hn::Add(q.y, q.y), z2 = hn::Add(q.z, q.z);
    const V8 xx = hn::Mul(q.x, x2), yy = hn::Mul(q.y, y2), zz = hn::Mul(q.z, z2);
    const V8 wx = hn::Mul(q.w, x2), wy = hn::Mul(q.w, y2), wz = hn::Mul(q.w, z2);
    const V8 sx = hn::Load(d, pose + 7 * stride), sy = hn::Load(d, pose + 8 * stride),
             sz = hn::Load(d, pose + 9 * stride);
    const V8 m00 = hn::Mul(sx, hn::Sub(one, hn::Add(yy, zz)));
    const V8 m11 = hn::Mul(sy, hn::Sub(one, hn::Add(xx, zz)));
    const V8 m22 = hn::Mul(sz, hn::Sub(one, hn::Add(xx, yy)));
    const V8 m01 = hn::Mul(sy, hn::MulSub(q.x, y2, wz)), m10 = hn::Mul(sx, hn::MulAdd(q.x, y2, wz));
    const V8 m02 = hn::Mul(sz, hn::MulAdd(q.x, z2, wy)), m20 = hn::Mul(sx, hn::MulSub(q.x, z2, wy));
    const V8 m12 = hn::Mul(sz, hn::MulSub(q.y, z2, wx)), m21 = hn::Mul(sy, hn::MulAdd(q.y, z2, wx));
    const V8 tx = hn::Load(d, pose), ty = hn::Load(d, pose + stride), tz = hn::Load(d, pose + 2 * stride);
    store_rows(d, m00, m01, m02, tx, rows);
    store_rows(d, m10, m11, m12, ty, rows + 4 * line);
    store_rows(d, m20, m21, m22, tz, rows + 8 * line);
    const V8 turned = hn::Add(hn::Add(m00, m11), hn::Add(m22, m01));
    return hn::Add(hn::Add(turned, tx), hn::Add(ty, tz));
}

// An affine product a b has the rows a_i0 b_0 + a_i1 b_1 + a_i2 b_2 + (0 0 0 a_i3). The rows of `b` begin at
// b, b + step and b + 2 step.
#if HWY_MAX_BYTES >= 32
using Two = hn::FixedTag<float, 8>;
using One = hn::FixedTag<float, 4>;

/// A matrix in registers: two rows in one, the third in another.
struct Affine {
    hn::Vec<Two> top;
    hn::Vec<One> bottom;
};

HWY_INLINE Affine load(const float* m) {
    return {hn::LoadU(Two(), m), hn::Load(One(), m + 8)};
}

HWY_INLINE void store(const Affine& a, float* m) {
    hn::StoreU(a.top, Two(), m);
    hn::Store(a.bottom, One(), m + 8);
}

/// x, y and z are the first three numbers of the bottom row of a, each in all lanes.
HWY_INLINE Affine product(const Affine& a, hn::Vec<One> x, hn::Vec<One> y, hn::Vec<One> z, const float* b,
                          std::size_t step) {
    HWY_ALIGN static constexpr std::uint32_t last[4] = {0, 0, 0, ~0u};
    const Two two;
    const One one;
    const auto mask = hn::BitCast(two, hn::LoadDup128(hn::FixedTag<std::uint32_t, 8>(), last));
    const auto b0 = hn::LoadDup128(two, b), b1 = hn::LoadDup128(two, b + step),
               b2 = hn::LoadDup128(two, b + 2 * step);
    const auto top = hn::MulAdd(hn::Broadcast<0>(a.top), b0, hn::And(a.top, mask));
    const auto bottom = hn::MulAdd(x, hn::LowerHalf(one, b0), hn::And(a.bottom, hn::LowerHalf(one, mask)));
    return {hn::MulAdd(hn::Broadcast<2>(a.top), b2, hn::MulAdd(hn::Broadcast<1>(a.top), b1, top)),
            hn::MulAdd(z, hn::LowerHalf(one, b2), hn::MulAdd(y, hn::LowerHalf(one, b1), bottom))};
}

/// here = above b, stored at `world`. Along a chain `here` is already `above`: not reading it from memory
/// shortens the only path that cannot overlap with other work.
HWY_INLINE void descend(Affine& here, const float* above, const float* b, std::size_t step, float* world) {
    if (above + 12 != world) here = load(above);
    here = product(here, hn::Broadcast<0>(here.bottom), hn::Broadcast<1>(here.bottom),
                   hn::Broadcast<2>(here.bottom), b, step);
    store(here, world);
}

/// out = here b. Reads the bottom row from memory, because loads are free where shuffles are not.
HWY_INLINE void bind(const Affine& here, const float* world, const float* b, std::size_t step, float* out) {
    const One one;
    store(product(here, hn::Set(one, world[8]), hn::Set(one, world[9]), hn::Set(one, world[10]), b, step),
          out);
}
#else
/// Four lanes hold a row; one lane walks along it.
HWY_INLINE void multiply(const float* a, const float* b, std::size_t step, float* out) {
    HWY_ALIGN static constexpr float last[4] = {0, 0, 0, 1};
    const hn::CappedTag<float, 4> d;
    for (std::size_t c = 0; c < 4; c += hn::Lanes(d)) {
        const auto b0 = hn::Load(d, b + c), b1 = hn::Load(d, b + step + c),
                   b2 = hn::Load(d, b + 2 * step + c);
        for (std::size_t r = 0; r < 12; r += 4) {
            auto row = hn::Mul(hn::Set(d, a[r + 3]), hn::Load(d, last + c));
            row = hn::MulAdd(hn::Set(d, a[r]), b0, row);
            row = hn::MulAdd(hn::Set(d, a[r + 1]), b1, row);
            row = hn::MulAdd(hn::Set(d, a[r + 2]), b2, row);
            hn::Store(row, d, out + r + c);
        }
    }
}

/// Nothing stays in registers.
struct Affine {};

HWY_INLINE Affine load(const float*) {
    return {};
}

HWY_INLINE void descend(Affine&, const float* above, const float* b, std::size_t step, float* world) {
    multiply(above, b, step, world);
}

HWY_INLINE void bind(const Affine&, const float* world, const float* b, std::size_t step, float* out) {
    multiply(world, b, step, out);
}
#endif

bool hierarchy(const HierarchyJob& job) {
    const Eight d;
    const Mat34f identity;
    HWY_ALIGN float rows[3 * 4 * line];
    V8 finite = hn::Zero(d);
    // Local copies: the compiler cannot know that no matrix overwrites the job.
    const JointStep* joint = job.joints;
    const PaletteEntry* entry = job.entries;
    float* const first_world = reinterpret_cast<float*>(job.world);
    float* const palette = reinterpret_cast<float*>(job.palette);
    float* world = first_world;
    Affine here = load(identity.rows[0]);
    for (std::size_t first = 0; first < job.joint_count; first += line) {
        const std::size_t count = HWY_MIN(line, job.joint_count - first);
        for (std::size_t i = 0; i < count; i += hn::Lanes(d)) {
            const V8 probe = local_rows(d, job.pose + first + i, job.stride, rows + 4 * i);
            finite = hn::MulAdd(probe, hn::Zero(d), finite);  // stays 0 until something is not finite
        }
        for (std::size_t k = 0; k < count; ++k, ++joint, world += 12) {
            const float* above = joint->parent < 0 ? identity.rows[0] : first_world + joint->parent;
            descend(here, above, rows + row_offsets.at[k], 4 * line, world);
            for (std::uint32_t n = joint->entries; n != 0; --n, ++entry) {
                bind(here, world, entry->inverse_bind.rows[0], 4, palette + entry->offset);
            }
        }
    }
    return hn::AllTrue(d, hn::Eq(finite, hn::Zero(d)));
}

}  // namespace sinew::deform::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sinew::deform {
namespace {
HWY_EXPORT(hierarchy);
}

bool simd::hierarchy(const HierarchyJob& job) {
    return HWY_DYNAMIC_DISPATCH(hierarchy)(job);
}

}  // namespace sinew::deform
#endif
