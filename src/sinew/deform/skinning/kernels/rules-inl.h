// SPDX-License-Identifier: MIT
// Included once per instruction set: how each rule converts the blended coefficients to an affine map.
#if defined(SINEW_DEFORM_KERNELS_RULES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SINEW_DEFORM_KERNELS_RULES_INL_H_
#undef SINEW_DEFORM_KERNELS_RULES_INL_H_
#else
#define SINEW_DEFORM_KERNELS_RULES_INL_H_
#endif

#include "sinew/deform/skinning/kernels/dual_log-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sinew::deform::kernels::HWY_NAMESPACE {

/// Data that a rule may use in addition to the blender.
struct Context {
    const float* constants;  ///< of the set
    const float* center;     ///< of the vertices, or null
    std::size_t valid;       ///< lanes that hold vertices, not padding
    std::size_t degenerate;  ///< count of vertices whose joints cancelled out
};

HWY_INLINE Vec3 splat3(const float* c) {
    return {splat(c[0]), splat(c[1]), splat(c[2])};
}

/// Blended dual quaternion of any length. Where its real part is shorter than 1e-4, the heaviest joint is
/// used. Without `Dual` only the real part. Written out component by component: GCC copies whole structures
/// through memory, in halves that stall the load.
template <bool Dual, class Blend>
HWY_INLINE DualQuat mended_dual(const Blend& blend, V& length2, Context& context) {
    V x = blend(0), y = blend(1), z = blend(2), w = blend(3);
    V dx = x, dy = y, dz = z, dw = w;
    if constexpr (Dual) dx = blend(4), dy = blend(5), dz = blend(6), dw = blend(7);
    const auto square = [&]() HWY_ATTR {
        return hn::Add(hn::MulAdd(x, x, hn::Mul(y, y)), hn::MulAdd(z, z, hn::Mul(w, w)));
    };
    length2 = square();
    // Two quaternions with consistent signs are at most a right angle apart: their blend cannot vanish.
    if constexpr (Blend::known_joints == 2) return {{x, y, z, w}, {dx, dy, dz, dw}};
    const M lost = hn::Lt(length2, splat(1e-8f));
    if (HWY_UNLIKELY(!hn::AllFalse(D(), lost))) {
        HWY_ALIGN float rows[dual_count * block];
        heaviest_rows<Blend>(blend.coefficients, blend.rows, blend.joints, Dual ? 8 : 4, rows);
        const auto chosen = [&](std::size_t c, V value) HWY_ATTR {
            return hn::IfThenElse(lost, hn::Load(D(), rows + c * block), value);
        };
        x = chosen(0, x), y = chosen(1, y), z = chosen(2, z), w = chosen(3, w);
        if constexpr (Dual) dx = chosen(4, dx), dy = chosen(5, dy), dz = chosen(6, dz), dw = chosen(7, dw);
        context.degenerate += hn::CountTrue(D(), hn::And(lost, hn::FirstN(D(), context.valid)));
        length2 = square();
    }
    return {{x, y, z, w}, {dx, dy, dz, dw}};
}
template <class Blend>
HWY_INLINE Spin mended_spin(const Blend& blend, Context& context) {
    V length2;
    const DualQuat q = mended_dual<false>(blend, length2, context);
    return {q.real, hn::Div(splat(2), length2)};
}

struct AffineRule {
    static constexpr std::size_t coefficients = 12;
    static constexpr bool rigid = false, exact = false;
    template <class Blend>
    static HWY_INLINE Affine map(const Blend& blend, Context&) {
        return blend.affine(0);
    }
};

struct ExactAffineRule : AffineRule {
    static constexpr bool exact = true;
};

struct HeaviestRule {
    static constexpr std::size_t coefficients = 12;
    static constexpr bool rigid = false, exact = true;
    template <class Blend>
    static HWY_INLINE Affine map(const Blend& blend, Context&) {
        const Heaviest<Blend> one{blend};
        return {{{one(0), one(1), one(2)}, {one(4), one(5), one(6)}, {one(8), one(9), one(10)}},
                {one(3), one(7), one(11)}};
    }
};

/// 2 / length^2 of a quaternion that is unit except for rounding: 2 (2 - length^2), without a division.
HWY_INLINE V nearly_two(const Quat& q) {
    return hn::NegMulAdd(splat(2), dot(q, q), splat(4));
}

struct DualRule {
    static constexpr std::size_t coefficients = 8;
    static constexpr bool rigid = true, exact = false;
    template <class Blend>
    static HWY_INLINE DualMotion map(const Blend& blend, Context& context) {
        V length2;
        const DualQuat q = mended_dual<true>(blend, length2, context);
        return {{q.real, hn::Div(splat(2), length2)}, {q.dual.x, q.dual.y, q.dual.z, q.dual.w}};
    }
};

struct IterativeRule {
    static constexpr std::size_t coefficients = 16;
    static constexpr bool rigid = true, exact = false;
    template <class Blend>
    static HWY_INLINE DualMotion map(const Blend& blend, Context& context) {
        V length2;
        const DualQuat mean =
            iterate(blend, unit(mended_dual<true>(blend, length2, context)), context.constants[0]);
        return {{mean.real, nearly_two(mean.real)}, mean.dual};
    }
};

struct LogarithmRule {
    static constexpr std::size_t coefficients = 6;
    static constexpr bool rigid = true, exact = false;
    template <class Blend>
    static HWY_INLINE DualMotion map(const Blend& blend, Context&) {
        const DualQuat q = exponential({blend.three(0), blend.three(3)});
        return {{q.real, nearly_two(q.real)}, q.dual};
    }
};

struct CenteredRule {
    static constexpr std::size_t coefficients = 7;
    static constexpr bool rigid = true, exact = false;
    template <class Blend>
    static HWY_INLINE CenteredMotion map(const Blend& blend, Context& context) {
        return {mended_spin(blend, context), splat3(context.constants), blend.three(4)};
    }
};

struct OwnCenterRule {
    static constexpr std::size_t coefficients = 16;
    static constexpr bool rigid = true, exact = false;
    template <class Blend>
    static HWY_INLINE CenteredMotion map(const Blend& blend, Context& context) {
        const Vec3 center{hn::Load(D(), context.center), hn::Load(D(), context.center + block),
                          hn::Load(D(), context.center + 2 * block)};
        return {mended_spin(blend, context), center, moved(blend.affine(4), center)};
    }
};

/// Centre of rotation for the vertex's own weights. With D_i = R_i - R_0 and tau_i = t_i - t_0 the normal
/// equations are A = sum w D^T D - Dm^T Dm, b = Dm^T tm - sum w D^T tau, free of the cancellation in I - M^T
/// M. They are anchored at the mean joint (skinning spec 3.6), which determines the directions that have no
/// effect.
template <class Blend>
HWY_INLINE Vec3 weighted_center(const Blend& blend, const Affine& mean, const Vec3& anchor) {
    const auto first = [&](std::size_t c) { return splat(blend.of_joint(4 + c, 0)); };
    const Affine d{{difference(mean.row[0], {first(0), first(1), first(2)}),
                    difference(mean.row[1], {first(4), first(5), first(6)}),
                    difference(mean.row[2], {first(8), first(9), first(10)})},
                   difference(mean.move, {first(3), first(7), first(11)})};  // blended minus joint 0
    const Vec3 cx{d.row[0].x, d.row[1].x, d.row[2].x}, cy{d.row[0].y, d.row[1].y, d.row[2].y},
        cz{d.row[0].z, d.row[1].z, d.row[2].z};

    V squares = hn::Mul(blend.first_weight(), blend.first_weight());
    for (std::size_t i = 1; i < blend.count(); ++i)
        squares = hn::MulAdd(blend.weight(i), blend.weight(i), squares);
    const V mu = hn::MulAdd(hn::Sub(splat(1), squares), splat(5e-6f), splat(1e-30f));

    const V xx = hn::Add(mu, hn::Sub(blend(16), dot(cx, cx))), xy = hn::Sub(blend(17), dot(cx, cy));
    const V xz = hn::Sub(blend(18), dot(cx, cz)), yy = hn::Add(mu, hn::Sub(blend(19), dot(cy, cy)));
    const V yz = hn::Sub(blend(20), dot(cy, cz)), zz = hn::Add(mu, hn::Sub(blend(21), dot(cz, cz)));
    // Solve for the offset from the anchor, so that the anchor itself causes no loss of precision.
    const Vec3 pulled{dot(cx, d.move), dot(cy, d.move), dot(cz, d.move)};
    const Vec3 plain = difference(pulled, blend.three(22));
    const auto without_mu = [&](V diagonal) { return hn::Sub(diagonal, mu); };
    const Vec3 at_anchor{dot({without_mu(xx), xy, xz}, anchor), dot({xy, without_mu(yy), yz}, anchor),
                         dot({xz, yz, without_mu(zz)}, anchor)};
    const Vec3 b = difference(plain, at_anchor);
    // LDL^T of the symmetric 3x3 system; mu keeps every pivot above zero.
    const V tiny = hn::Mul(mu, splat(0.5f));
    const V l1 = hn::Div(xy, xx), l2 = hn::Div(xz, xx);
    const V d2 = hn::Max(hn::NegMulAdd(l1, xy, yy), tiny);
    const V m = hn::NegMulAdd(l2, xy, yz), l3 = hn::Div(m, d2);
    const V d3 = hn::Max(hn::NegMulAdd(l3, m, hn::NegMulAdd(l2, xz, zz)), tiny);
    const V u2 = hn::NegMulAdd(l1, b.x, b.y), u3 = hn::NegMulAdd(l3, u2, hn::NegMulAdd(l2, b.x, b.z));
    const V z = hn::Div(u3, d3), y = hn::NegMulAdd(l3, z, hn::Div(u2, d2));
    const V x = hn::NegMulAdd(l2, z, hn::NegMulAdd(l1, y, hn::Div(b.x, xx)));
    return sum(anchor, {x, y, z});
}

struct WeightedRule {
    static constexpr std::size_t coefficients = 25;
    static constexpr bool rigid = true, exact = false;
    template <class Blend>
    static HWY_INLINE CenteredMotion map(const Blend& blend, Context& context) {
        const Affine mean = blend.affine(4);
        const Vec3 center = weighted_center(blend, mean, splat3(context.constants));
        return {mended_spin(blend, context), center, moved(mean, center)};
    }
};

}  // namespace sinew::deform::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
