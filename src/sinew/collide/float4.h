#pragma once
/// \file
/// Four floats at once, for the innermost loops of queries: a point and its fourth number, or a side of a
/// box. The plain form stands for processors without SSE2 and gives the same bits. Inside the room only.

#include <cmath>
#include <cstdint>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace sinew::collide {

#if defined(__SSE2__)

struct Float4 {
    __m128 v;
};

inline Float4 load4(const float* from) {
    return {_mm_loadu_ps(from)};
}
inline Float4 all4(float value) {
    return {_mm_set1_ps(value)};
}
inline Float4 make4(float x, float y, float z, float w) {
    return {_mm_setr_ps(x, y, z, w)};
}
inline void store4(float* to, Float4 a) {
    _mm_storeu_ps(to, a.v);
}
inline Float4 operator+(Float4 a, Float4 b) {
    return {_mm_add_ps(a.v, b.v)};
}
inline Float4 operator-(Float4 a, Float4 b) {
    return {_mm_sub_ps(a.v, b.v)};
}
inline Float4 operator*(Float4 a, Float4 b) {
    return {_mm_mul_ps(a.v, b.v)};
}
inline Float4 operator/(Float4 a, Float4 b) {
    return {_mm_div_ps(a.v, b.v)};
}
inline Float4 min4(Float4 a, Float4 b) {
    return {_mm_min_ps(a.v, b.v)};
}
inline Float4 max4(Float4 a, Float4 b) {
    return {_mm_max_ps(a.v, b.v)};
}
inline Float4 root4(Float4 a) {
    return {_mm_sqrt_ps(a.v)};
}
/// (y, z, x, w)
inline Float4 rotate3(Float4 a) {
    return {_mm_shuffle_ps(a.v, a.v, _MM_SHUFFLE(3, 0, 2, 1))};
}
template <int lane>
Float4 spread4(Float4 a) {
    return {_mm_shuffle_ps(a.v, a.v, _MM_SHUFFLE(lane, lane, lane, lane))};
}
/// (a_i, a_k, b_m, b_n)
template <int i, int k, int m, int n>
Float4 shuffle4(Float4 a, Float4 b) {
    return {_mm_shuffle_ps(a.v, b.v, _MM_SHUFFLE(n, m, k, i))};
}
/// True when a <= b in all four; false for what is not a number.
inline bool all_at_most(Float4 a, Float4 b) {
    return _mm_movemask_ps(_mm_cmple_ps(a.v, b.v)) == 0xf;
}
/// Both comparisons at once.
inline bool all_at_most(Float4 a, Float4 b, Float4 c, Float4 d) {
    return _mm_movemask_ps(_mm_and_ps(_mm_cmple_ps(a.v, b.v), _mm_cmple_ps(c.v, d.v))) == 0xf;
}
/// Four intervals.
struct Interval4 {
    Float4 low, high;
};
inline __m128 meeting(const Interval4& a, const Interval4& b) {
    return _mm_and_ps(_mm_cmple_ps(a.low.v, b.high.v), _mm_cmple_ps(b.low.v, a.high.v));
}
/// Bit i is set where boxes number i meet.
inline std::uint32_t meeting_bits(const Interval4 (&a)[3], const Interval4 (&b)[3]) {
    const __m128 all = _mm_and_ps(_mm_and_ps(meeting(a[0], b[0]), meeting(a[1], b[1])), meeting(a[2], b[2]));
    return static_cast<std::uint32_t>(_mm_movemask_ps(all));
}
/// Bit i is set where a > b in place i; never for what is not a number.
inline std::uint32_t bits_above(Float4 a, Float4 b) {
    return static_cast<std::uint32_t>(_mm_movemask_ps(_mm_cmpgt_ps(a.v, b.v)));
}
/// Place by place x where a > b, else y.
inline Float4 pick_above(Float4 a, Float4 b, Float4 x, Float4 y) {
    const __m128 above = _mm_cmpgt_ps(a.v, b.v);
    return {_mm_or_ps(_mm_and_ps(above, x.v), _mm_andnot_ps(above, y.v))};
}
inline float lane0(Float4 a) {
    return _mm_cvtss_f32(a.v);
}
/// Rows become columns.
inline void transpose4(Float4& a, Float4& b, Float4& c, Float4& d) {
    _MM_TRANSPOSE4_PS(a.v, b.v, c.v, d.v);
}
/// (a2, a3, a2, a3)
inline Float4 spread_high(Float4 a) {
    return {_mm_movehl_ps(a.v, a.v)};
}
/// (a0 + a2) + (a1 + a3)
inline float sum4(Float4 a) {
    const __m128 pairs = _mm_add_ps(a.v, _mm_movehl_ps(a.v, a.v));
    return _mm_cvtss_f32(_mm_add_ss(pairs, _mm_shuffle_ps(pairs, pairs, 1)));
}

#else

struct Float4 {
    float v[4];
};

template <class Each>
Float4 each4(const Each& each) {
    return {{each(0), each(1), each(2), each(3)}};
}
inline Float4 load4(const float* from) {
    return {{from[0], from[1], from[2], from[3]}};
}
inline Float4 all4(float value) {
    return {{value, value, value, value}};
}
inline Float4 make4(float x, float y, float z, float w) {
    return {{x, y, z, w}};
}
inline void store4(float* to, Float4 a) {
    for (int i = 0; i < 4; ++i) to[i] = a.v[i];
}
inline Float4 operator+(Float4 a, Float4 b) {
    return each4([&](int i) { return a.v[i] + b.v[i]; });
}
inline Float4 operator-(Float4 a, Float4 b) {
    return each4([&](int i) { return a.v[i] - b.v[i]; });
}
inline Float4 operator*(Float4 a, Float4 b) {
    return each4([&](int i) { return a.v[i] * b.v[i]; });
}
inline Float4 operator/(Float4 a, Float4 b) {
    return each4([&](int i) { return a.v[i] / b.v[i]; });
}
inline Float4 min4(Float4 a, Float4 b) {
    return each4([&](int i) { return a.v[i] < b.v[i] ? a.v[i] : b.v[i]; });
}
inline Float4 max4(Float4 a, Float4 b) {
    return each4([&](int i) { return a.v[i] > b.v[i] ? a.v[i] : b.v[i]; });
}
inline Float4 root4(Float4 a) {
    return each4([&](int i) { return std::sqrt(a.v[i]); });
}
inline Float4 rotate3(Float4 a) {
    return {{a.v[1], a.v[2], a.v[0], a.v[3]}};
}
template <int lane>
Float4 spread4(Float4 a) {
    return all4(a.v[lane]);
}
template <int i, int k, int m, int n>
Float4 shuffle4(Float4 a, Float4 b) {
    return {{a.v[i], a.v[k], b.v[m], b.v[n]}};
}
inline bool all_at_most(Float4 a, Float4 b) {
    bool all = true;
    for (int i = 0; i < 4; ++i) all = all && a.v[i] <= b.v[i];
    return all;
}
inline bool all_at_most(Float4 a, Float4 b, Float4 c, Float4 d) {
    return all_at_most(a, b) && all_at_most(c, d);
}
struct Interval4 {
    Float4 low, high;
};
inline std::uint32_t meeting_bits(const Interval4 (&a)[3], const Interval4 (&b)[3]) {
    std::uint32_t bits = 0;
    for (int i = 0; i < 4; ++i) {
        bool meet = true;
        for (int k = 0; k < 3; ++k)
            meet = meet && a[k].low.v[i] <= b[k].high.v[i] && b[k].low.v[i] <= a[k].high.v[i];
        bits |= static_cast<std::uint32_t>(meet) << i;
    }
    return bits;
}
inline std::uint32_t bits_above(Float4 a, Float4 b) {
    std::uint32_t bits = 0;
    for (int i = 0; i < 4; ++i) bits |= static_cast<std::uint32_t>(a.v[i] > b.v[i]) << i;
    return bits;
}
inline Float4 pick_above(Float4 a, Float4 b, Float4 x, Float4 y) {
    return each4([&](int i) { return a.v[i] > b.v[i] ? x.v[i] : y.v[i]; });
}
inline float lane0(Float4 a) {
    return a.v[0];
}
inline void transpose4(Float4& a, Float4& b, Float4& c, Float4& d) {
    const Float4 rows[4] = {a, b, c, d};
    Float4* const columns[4] = {&a, &b, &c, &d};
    for (int i = 0; i < 4; ++i) {
        for (int k = 0; k < 4; ++k) columns[i]->v[k] = rows[k].v[i];
    }
}
inline Float4 spread_high(Float4 a) {
    return {{a.v[2], a.v[3], a.v[2], a.v[3]}};
}
inline float sum4(Float4 a) {
    return (a.v[0] + a.v[2]) + (a.v[1] + a.v[3]);
}

#endif

inline Float4 absolute(Float4 a) {
    return max4(a, all4(0) - a);
}
inline float dot4(Float4 a, Float4 b) {
    return sum4(a * b);
}
/// Of the first three; the fourth is a3 b3 - a3 b3.
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
    const Float4 turned = rotate3(a);
    return lane0(max4(max4(a, turned), rotate3(turned)));
}

/// Four rows of numbers that follow each other, column by column.
inline void columns4(const float* from, Float4 (&out)[2]) {
    const Float4 a = load4(from), b = load4(from + 4);
    out[0] = shuffle4<0, 2, 0, 2>(a, b);
    out[1] = shuffle4<1, 3, 1, 3>(a, b);
}
inline void columns4(const float* from, Float4 (&out)[3]) {
    const Float4 a = load4(from), b = load4(from + 4), c = load4(from + 8);
    const Float4 early = shuffle4<1, 2, 0, 1>(a, b), late = shuffle4<2, 3, 1, 2>(b, c);
    out[0] = shuffle4<0, 3, 0, 2>(a, late);
    out[1] = shuffle4<0, 2, 1, 3>(early, late);
    out[2] = shuffle4<1, 3, 0, 3>(early, c);
}
inline void columns4(const float* from, Float4 (&out)[4]) {
    for (int i = 0; i < 4; ++i) out[i] = load4(from + 4 * i);
    transpose4(out[0], out[1], out[2], out[3]);
}

/// Two doubles at once, by the compiler's own operators.
using Double2 = double __attribute__((vector_size(16)));

inline Double2 pick_above(Double2 a, Double2 b, Double2 x, Double2 y) {
    return a > b ? x : y;
}

/// Four vectors, coordinate by coordinate.
struct Three4 {
    Float4 x, y, z;
};
inline Three4 operator-(const Three4& a, const Three4& b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}
inline Three4 operator+(const Three4& a, const Three4& b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
}
inline Three4 operator*(Float4 a, const Three4& b) {
    return {a * b.x, a * b.y, a * b.z};
}
inline Float4 dot(const Three4& a, const Three4& b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
inline Three4 cross(const Three4& a, const Three4& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

}  // namespace sinew::collide
