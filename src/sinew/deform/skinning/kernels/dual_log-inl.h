// SPDX-License-Identifier: MIT
// Included once per instruction set: exponential and logarithm of dual quaternions by polynomials, and the
// iterative mean computed from them.
#if defined(SINEW_DEFORM_KERNELS_DUAL_LOG_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SINEW_DEFORM_KERNELS_DUAL_LOG_INL_H_
#undef SINEW_DEFORM_KERNELS_DUAL_LOG_INL_H_
#else
#define SINEW_DEFORM_KERNELS_DUAL_LOG_INL_H_
#endif

#include "sinew/deform/skinning/kernels/blend-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sinew::deform::kernels::HWY_NAMESPACE {

struct DualQuat {
    Quat real, dual;
};
struct DualVec {
    Vec3 real, dual;
};

template <std::size_t N>
HWY_INLINE V polynomial(V x, const float (&c)[N]) {
    V value = splat(c[N - 1]);
    for (std::size_t i = N - 1; i-- > 0;) value = hn::MulAdd(value, x, splat(c[i]));
    return value;
}

/// exp(l0 + e le) for |l0| up to pi/2: Taylor series in |l0|^2, errors below 1e-7. With phi = |l0| and k =
/// <l0, le>: real (cos phi; sinc l0), dual (-sinc k; sinc le + k h l0), h = (cos phi - sinc) / phi^2.
HWY_INLINE DualQuat exponential(const DualVec& l) {
    constexpr float cosine[] = {1,           -1.f / 2,       1.f / 24,       -1.f / 720,
                                1.f / 40320, -1.f / 3628800, 1.f / 479001600};
    constexpr float sinc[] = {
        1, -1.f / 6, 1.f / 120, -1.f / 5040, 1.f / 362880, -1.f / 39916800, 1.f / 6227020800.f};
    constexpr float bend[] = {-1.f / 3,    1.f / 30,           -1.f / 840,
                              1.f / 45360, -10.f / 39916800.f, 12.f / 6227020800.f};
    const V phi2 = dot(l.real, l.real), k = dot(l.real, l.dual);
    const V s = polynomial(phi2, sinc), kh = hn::Mul(k, polynomial(phi2, bend));
    const Vec3 real = scaled(l.real, s), dual = add_scaled(l.dual, s, scaled(l.real, kh));
    return {{real.x, real.y, real.z, polynomial(phi2, cosine)},
            {dual.x, dual.y, dual.z, hn::Neg(hn::Mul(s, k))}};
}

/// Logarithm on the shortest branch of a unit dual quaternion: l0 = f v, le = f ve - we g v. f = phi / sin
/// phi and g = (1 - f c) / s^2 are smooth in c = cos phi in [0, 1]: Chebyshev fits in 1 - c, errors below
/// 3e-7.
HWY_INLINE DualVec logarithm(const DualQuat& q) {
    constexpr float f_fit[] = {1.0000001192092896f,   0.33332154154777527f,   0.13363543152809143f,
                               0.05419280007481575f,  0.03962038457393646f,   -0.026127291843295097f,
                               0.061760250478982925f, -0.043260637670755386f, 0.01765366829931736f};
    constexpr float g_fit[] = {0.33333325386047363f,  0.2666841745376587f,   0.170872762799263f,
                               0.10837946087121964f,  0.016043901443481445f, 0.17646625638008118f,
                               -0.28002092242240906f, 0.372544527053833f,    -0.2417396605014801f,
                               0.07743615657091141f};
    const V y = hn::Max(hn::Sub(splat(1), hn::Abs(q.real.w)), splat(0));
    // Both branches of the sign at once: negating all eight numbers negates f v and f ve, and leaves we v
    // alone.
    const V f = hn::CopySignToAbs(polynomial(y, f_fit), q.real.w);
    const V wg = hn::Mul(q.dual.w, polynomial(y, g_fit));
    const Vec3 v = vec(q.real);
    const Vec3 pitch = scaled(v, hn::Neg(wg));
    return {scaled(v, f), add_scaled(vec(q.dual), f, pitch)};
}

HWY_INLINE Quat product(const Quat& a, const Quat& b) {
    const Vec3 c = cross(vec(a), vec(b));
    return {hn::MulAdd(a.w, b.x, hn::MulAdd(b.w, a.x, c.x)), hn::MulAdd(a.w, b.y, hn::MulAdd(b.w, a.y, c.y)),
            hn::MulAdd(a.w, b.z, hn::MulAdd(b.w, a.z, c.z)), hn::MulSub(a.w, b.w, dot(vec(a), vec(b)))};
}
HWY_INLINE Quat sum(const Quat& a, const Quat& b) {
    return {hn::Add(a.x, b.x), hn::Add(a.y, b.y), hn::Add(a.z, b.z), hn::Add(a.w, b.w)};
}
HWY_INLINE Quat scaled(const Quat& a, V s) {
    return {hn::Mul(a.x, s), hn::Mul(a.y, s), hn::Mul(a.z, s), hn::Mul(a.w, s)};
}
HWY_INLINE Quat conjugate(const Quat& a) {
    return {hn::Neg(a.x), hn::Neg(a.y), hn::Neg(a.z), a.w};
}
HWY_INLINE DualQuat product(const DualQuat& a, const DualQuat& b) {
    return {product(a.real, b.real), sum(product(a.real, b.dual), product(a.dual, b.real))};
}

/// Unit length, and the dual part perpendicular to the real one.
HWY_INLINE DualQuat unit(const DualQuat& q) {
    const V scale = inverse_root(dot(q.real, q.real));
    const DualQuat u{scaled(q.real, scale), scaled(q.dual, scale)};
    return {u.real, sum(u.dual, scaled(u.real, hn::Neg(dot(u.real, u.dual))))};
}

/// Dual quaternion iterative blending (Kavan 2007, 4.4), starting at the linear blend. Because of the
/// curvature of the sphere, a step of length x leaves an error of about x |l|^2 / 3, l the longest logarithm:
/// when that is below 1e-6 (rotation) and 1e-6 of the size (translation) no further step is taken. Two
/// transformations are exact after one.
template <class Blend>
HWY_INLINE DualQuat iterate(const Blend& blender, DualQuat mean, float size) {
    const V zero = splat(0);
    const V enough_real = splat(9e-12f), enough_dual = splat(9e-12f * size * size);
    const int max = blender.count() == 2 ? 1 : 10;
    for (int round = 0; round < max; ++round) {
        const DualQuat back{conjugate(mean.real), conjugate(mean.dual)};
        DualVec total{{zero, zero, zero}, {zero, zero, zero}};
        V spread = zero;
        for (std::size_t joint = 0; joint < blender.count(); ++joint) {
            const auto value = [&](std::size_t c) { return blender.whole(dual_count + c, joint); };
            const DualQuat q{{value(0), value(1), value(2), value(3)},
                             {value(4), value(5), value(6), value(7)}};
            const DualVec l = logarithm(product(back, q));
            const V weight = joint == 0 ? blender.first_weight() : blender.weight(joint);
            total = {add_scaled(l.real, weight, total.real), add_scaled(l.dual, weight, total.dual)};
            spread = hn::Max(spread, dot(l.real, l.real));
        }
        mean = product(mean, exponential(total));
        const V error2 = hn::Mul(spread, spread);
        const M far = hn::Or(hn::Gt(hn::Mul(dot(total.real, total.real), error2), enough_real),
                             hn::Gt(hn::Mul(dot(total.dual, total.dual), error2), enough_dual));
        if (hn::AllFalse(D(), far)) break;
    }
    return mean;
}

}  // namespace sinew::deform::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
