// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Four floats at once (Highway) for the inner loops of queries: a point with a fourth number, or one number
/// of four items. It uses one fixed target (the best that the compiler may assume), so that everything is
/// inlined into the searches.

#include <cmath>
#include <cstdint>

// On x86 Highway's four-lane types require SSSE3, for which this module is compiled
// (src/sinew/CMakeLists.txt). Other files may include this header without it.
#if defined(__x86_64__) && !defined(__SSSE3__)
#define HWY_BASELINE_TARGETS HWY_SSSE3
#endif
#include <hwy/highway.h>

#include "sinew/math/types.h"

namespace sinew::collide {

using math::Vec3f;

namespace hn = hwy::HWY_NAMESPACE;

using Lanes4 = hn::FixedTag<float, 4>;
using Float4 = hn::Vec<Lanes4>;
using Lanes2 = hn::FixedTag<double, 2>;
using Double2 = hn::Vec<Lanes2>;

inline Float4 load4(const float* from) {
    return hn::LoadU(Lanes4(), from);
}
inline void store4(float* to, Float4 a) {
    hn::StoreU(a, Lanes4(), to);
}
inline Float4 all4(float value) {
    return hn::Set(Lanes4(), value);
}
inline Float4 make4(float x, float y, float z, float w) {
    alignas(16) const float lanes[4] = {x, y, z, w};
    return hn::Load(Lanes4(), lanes);
}
/// Sets the fourth number to 0.
inline Float4 first3(Float4 a) {
    alignas(16) static constexpr std::uint32_t bits[4] = {~0u, ~0u, ~0u, 0};
    const hn::RebindToUnsigned<Lanes4> words;
    return hn::And(a, hn::BitCast(Lanes4(), hn::Load(words, bits)));
}
/// (x, y, z, 0)
inline Float4 make3(float x, float y, float z) {
    return first3(make4(x, y, z, z));
}
inline Float4 min4(Float4 a, Float4 b) {
    return hn::Min(a, b);
}
inline Float4 max4(Float4 a, Float4 b) {
    return hn::Max(a, b);
}
inline Float4 root4(Float4 a) {
    return hn::Sqrt(a);
}
/// (y, z, x, w)
inline Float4 rotate3(Float4 a) {
    alignas(16) static constexpr std::uint8_t order[16] = {4, 5, 6, 7, 8,  9,  10, 11,
                                                           0, 1, 2, 3, 12, 13, 14, 15};
    const hn::Repartition<std::uint8_t, Lanes4> bytes;
    return hn::BitCast(Lanes4(), hn::TableLookupBytes(hn::BitCast(bytes, a), hn::Load(bytes, order)));
}
template <int lane>
Float4 spread4(Float4 a) {
    return hn::Broadcast<lane>(a);
}
inline float lane0(Float4 a) {
    return hn::GetLane(a);
}
template <class Mask>
std::uint32_t bits_of(Mask mask) {
    std::uint8_t bits[8];
    hn::StoreMaskBits(Lanes4(), mask, bits);
    return bits[0];
}
/// Bit i is set where a > b in lane i; NaN never counts.
inline std::uint32_t bits_above(Float4 a, Float4 b) {
    return bits_of(hn::Gt(a, b));
}
/// Per lane x where a > b, else y.
inline Float4 pick_above(Float4 a, Float4 b, Float4 x, Float4 y) {
    return hn::IfThenElse(hn::Gt(a, b), x, y);
}
inline Double2 pick_above(Double2 a, Double2 b, Double2 x, Double2 y) {
    return hn::IfThenElse(hn::Gt(a, b), x, y);
}
/// True when a <= b and c <= d in all lanes; false for NaN.
inline bool all_at_most(Float4 a, Float4 b, Float4 c, Float4 d) {
    return hn::AllTrue(Lanes4(), hn::And(hn::Le(a, b), hn::Le(c, d)));
}
/// Four intervals.
struct Interval4 {
    Float4 low, high;
};
inline auto meeting(const Interval4& a, const Interval4& b) {
    return hn::And(hn::Le(a.low, b.high), hn::Le(b.low, a.high));
}
/// Bit i is set where boxes number i overlap.
inline std::uint32_t meeting_bits(const Interval4 (&a)[3], const Interval4 (&b)[3]) {
    return bits_of(hn::And(hn::And(meeting(a[0], b[0]), meeting(a[1], b[1])), meeting(a[2], b[2])));
}
/// Transposes: rows become columns.
inline void transpose4(Float4& a, Float4& b, Float4& c, Float4& d) {
    const Lanes4 lanes;
    const Float4 low_ab = hn::InterleaveLower(lanes, a, b), high_ab = hn::InterleaveUpper(lanes, a, b);
    const Float4 low_cd = hn::InterleaveLower(lanes, c, d), high_cd = hn::InterleaveUpper(lanes, c, d);
    a = hn::ConcatLowerLower(lanes, low_cd, low_ab);
    b = hn::ConcatUpperUpper(lanes, low_cd, low_ab);
    c = hn::ConcatLowerLower(lanes, high_cd, high_ab);
    d = hn::ConcatUpperUpper(lanes, high_cd, high_ab);
}
/// (a2, a3, a2, a3)
inline Float4 spread_high(Float4 a) {
    return hn::ConcatUpperUpper(Lanes4(), a, a);
}
/// (a0 + a2) + (a1 + a3)
inline float sum4(Float4 a) {
    const Float4 pairs = a + spread_high(a);
    return lane0(pairs + hn::Shuffle2301(pairs));
}
inline Float4 absolute(Float4 a) {
    return hn::Abs(a);
}
inline float dot4(Float4 a, Float4 b) {
    return sum4(a * b);
}
/// Cross product of the first three; the fourth is a3 b3 - a3 b3.
inline Float4 cross3(Float4 a, Float4 b) {
    return rotate3(a * rotate3(b) - rotate3(a) * b);
}
/// Largest of all four.
inline float largest_of(Float4 a) {
    const Float4 pairs = max4(a, spread_high(a));
    return lane0(max4(pairs, spread4<1>(pairs)));
}
/// Largest of the first three.
inline float largest3(Float4 a) {
    return lane0(max4(max4(a, spread4<1>(a)), spread_high(a)));
}

/// Four vectors, coordinate by coordinate.
struct Vec3x4 {
    Float4 x, y, z;
};
inline Vec3x4 operator-(const Vec3x4& a, const Vec3x4& b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}
inline Vec3x4 operator+(const Vec3x4& a, const Vec3x4& b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
}
inline Vec3x4 operator*(Float4 a, const Vec3x4& b) {
    return {a * b.x, a * b.y, a * b.z};
}
inline Float4 dot(const Vec3x4& a, const Vec3x4& b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
inline Vec3x4 cross(const Vec3x4& a, const Vec3x4& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/// Storage of four floats: a point, and a number that is usually 0.
struct alignas(16) Point4 {
    float at[4] = {0, 0, 0, 0};

    Vec3f point() const { return {at[0], at[1], at[2]}; }
};

/// An axis-aligned box.
struct Box4 {
    Point4 low, high;
};

inline Point4 stored4(Float4 a) {
    Point4 point;
    store4(point.at, a);
    return point;
}

/// Transforms a point by a joint: three columns and the translation. The fourth number is 0.
inline Float4 image(const Point4 (&columns)[4], Float4 p) {
    return load4(columns[0].at) * spread4<0>(p) + load4(columns[1].at) * spread4<1>(p) +
           load4(columns[2].at) * spread4<2>(p) + load4(columns[3].at);
}

/// Quaternions (not normalised) of several matrices from their columns at once: the row of 4 q q^T with the
/// largest diagonal, as in math::from_matrix().
template <class Several>
void quaternions_of(const Several (&c)[3][3], Several one, Several (&q)[4]) {
    const Several x = c[0][0], y = c[1][1], z = c[2][2], trace = x + y + z;
    const Several xy = c[0][1] + c[1][0], yz = c[1][2] + c[2][1], zx = c[2][0] + c[0][2];
    const Several wx = c[1][2] - c[2][1], wy = c[2][0] - c[0][2], wz = c[0][1] - c[1][0];
    Several best = x;
    q[0] = one + x - y - z, q[1] = xy, q[2] = zx, q[3] = wx;
    const auto take = [&](Several diagonal, Several a, Several b, Several d, Several e) {
        const Several row[4] = {a, b, d, e};
        for (int k = 0; k < 4; ++k) q[k] = pick_above(diagonal, best, row[k], q[k]);
        best = pick_above(diagonal, best, diagonal, best);
    };
    take(y, xy, one + y - x - z, yz, wy);
    take(z, zx, yz, one + z - x - y, wz);
    take(trace, wx, wy, wz, one + trace);
}

/// R(b) p = p + 2 v x (v x p + w p) / |b|^2, for b = (v, w) of any length.
inline Float4 rotated4(Float4 b, float squared, Float4 p) {
    const Float4 inner = cross3(b, p) + spread4<3>(b) * p;
    return p + all4(2 / squared) * cross3(b, inner);
}

/// R(b) p + 2 vec(e b*) / |b|^2: the same with e = (f, c) inside, v x (v x p + w p + f) + w f - c v.
inline Float4 moved_by(Float4 b, Float4 e, float squared, Float4 p) {
    const Float4 w = spread4<3>(b), c = spread4<3>(e);
    const Float4 inner = cross3(b, p) + w * p + e;
    return p + all4(2 / squared) * (cross3(b, inner) + w * e - c * b);
}

}  // namespace sinew::collide
