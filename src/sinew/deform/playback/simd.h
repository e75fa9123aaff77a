// SPDX-License-Identifier: MIT
/// \file
/// Shared Highway functions of the kernels: quaternions with one joint (or vertex) per lane. Compiled once
/// per instruction set, therefore with Highway's guard instead of `#pragma once`; only .cpp files include it.

#if defined(SINEW_DEFORM_SIMD_H) == defined(HWY_TARGET_TOGGLE)
#ifdef SINEW_DEFORM_SIMD_H
#undef SINEW_DEFORM_SIMD_H
#else
#define SINEW_DEFORM_SIMD_H
#endif

#include <cstddef>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace sinew::deform::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// As many lanes as the machine has, at most a line of 16 floats.
using Floats = hn::CappedTag<float, 16>;

template <class V>
struct Quaternions {
    V x, y, z, w;
};

/// Loads x y z w from rows at a distance of `stride` floats.
template <class D, class V = hn::Vec<D>>
HWY_INLINE Quaternions<V> load_quaternions(D d, const float* rows, std::size_t stride) {
    return {hn::Load(d, rows), hn::Load(d, rows + stride), hn::Load(d, rows + 2 * stride),
            hn::Load(d, rows + 3 * stride)};
}

template <class D, class V>
HWY_INLINE void store_quaternions(D d, const Quaternions<V>& q, float* rows, std::size_t stride) {
    hn::Store(q.x, d, rows);
    hn::Store(q.y, d, rows + stride);
    hn::Store(q.z, d, rows + 2 * stride);
    hn::Store(q.w, d, rows + 3 * stride);
}

template <class V>
HWY_INLINE V dot(const Quaternions<V>& a, const Quaternions<V>& b) {
    return hn::MulAdd(a.x, b.x, hn::MulAdd(a.y, b.y, hn::MulAdd(a.z, b.z, hn::Mul(a.w, b.w))));
}

template <class V>
HWY_INLINE Quaternions<V> scaled(const Quaternions<V>& q, V factor) {
    return {hn::Mul(q.x, factor), hn::Mul(q.y, factor), hn::Mul(q.z, factor), hn::Mul(q.w, factor)};
}

/// factor q + other
template <class V>
HWY_INLINE Quaternions<V> multiply_add(V factor, const Quaternions<V>& q, const Quaternions<V>& other) {
    return {hn::MulAdd(factor, q.x, other.x), hn::MulAdd(factor, q.y, other.y),
            hn::MulAdd(factor, q.z, other.z), hn::MulAdd(factor, q.w, other.w)};
}

template <class M, class V>
HWY_INLINE Quaternions<V> if_then_else(M mask, const Quaternions<V>& yes, const Quaternions<V>& no) {
    return {hn::IfThenElse(mask, yes.x, no.x), hn::IfThenElse(mask, yes.y, no.y),
            hn::IfThenElse(mask, yes.z, no.z), hn::IfThenElse(mask, yes.w, no.w)};
}

/// q / |q| by exact square root and division, because approximate instructions differ between processors.
template <class D, class V>
HWY_INLINE Quaternions<V> normalized(D d, const Quaternions<V>& q) {
    return scaled(q, hn::Div(hn::Set(d, 1.0f), hn::Sqrt(dot(q, q))));
}

/// Hamilton product: `b` is applied first.
template <class V>
HWY_INLINE Quaternions<V> product(const Quaternions<V>& a, const Quaternions<V>& b) {
    using hn::Mul, hn::MulAdd, hn::NegMulAdd;
    return {NegMulAdd(a.z, b.y, MulAdd(a.y, b.z, MulAdd(a.x, b.w, Mul(a.w, b.x)))),
            NegMulAdd(a.x, b.z, MulAdd(a.z, b.x, MulAdd(a.y, b.w, Mul(a.w, b.y)))),
            NegMulAdd(a.y, b.x, MulAdd(a.x, b.y, MulAdd(a.z, b.w, Mul(a.w, b.z)))),
            NegMulAdd(a.z, b.z, NegMulAdd(a.y, b.y, NegMulAdd(a.x, b.x, Mul(a.w, b.w))))};
}

}  // namespace sinew::deform::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
