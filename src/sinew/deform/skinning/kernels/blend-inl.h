// SPDX-License-Identifier: MIT
// Included once per instruction set (see block_kernels.cpp): blended coefficients and the affine maps
// computed from them.
#if defined(SINEW_DEFORM_KERNELS_BLEND_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SINEW_DEFORM_KERNELS_BLEND_INL_H_
#undef SINEW_DEFORM_KERNELS_BLEND_INL_H_
#else
#define SINEW_DEFORM_KERNELS_BLEND_INL_H_
#endif

#include "hwy/highway.h"

#include "sinew/deform/skinning/kernels/block_kernels.h"

HWY_BEFORE_NAMESPACE();
namespace sinew::deform::kernels::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::CappedTag<float, block>;
using V = hn::Vec<D>;
using M = hn::Mask<D>;

HWY_INLINE V splat(float value) {
    return hn::Set(D(), value);
}

struct Vec3 {
    V x, y, z;
};
struct Quat {
    V x, y, z, w;
};
struct Affine {
    Vec3 row[3];  ///< linear part
    Vec3 move;
};

HWY_INLINE V dot(const Vec3& a, const Vec3& b) {
    return hn::MulAdd(a.x, b.x, hn::MulAdd(a.y, b.y, hn::Mul(a.z, b.z)));
}
HWY_INLINE Vec3 cross(const Vec3& a, const Vec3& b) {
    return {hn::MulSub(a.y, b.z, hn::Mul(a.z, b.y)), hn::MulSub(a.z, b.x, hn::Mul(a.x, b.z)),
            hn::MulSub(a.x, b.y, hn::Mul(a.y, b.x))};
}
HWY_INLINE Vec3 scaled(const Vec3& a, V s) {
    return {hn::Mul(a.x, s), hn::Mul(a.y, s), hn::Mul(a.z, s)};
}
HWY_INLINE Vec3 add_scaled(const Vec3& a, V s, const Vec3& b) {
    return {hn::MulAdd(a.x, s, b.x), hn::MulAdd(a.y, s, b.y), hn::MulAdd(a.z, s, b.z)};
}
HWY_INLINE Vec3 sum(const Vec3& a, const Vec3& b) {
    return {hn::Add(a.x, b.x), hn::Add(a.y, b.y), hn::Add(a.z, b.z)};
}
HWY_INLINE Vec3 difference(const Vec3& a, const Vec3& b) {
    return {hn::Sub(a.x, b.x), hn::Sub(a.y, b.y), hn::Sub(a.z, b.z)};
}
HWY_INLINE Vec3 vec(const Quat& q) {
    return {q.x, q.y, q.z};
}
HWY_INLINE V dot(const Quat& a, const Quat& b) {
    return hn::Add(hn::MulAdd(a.w, b.w, hn::Mul(a.x, b.x)), hn::MulAdd(a.y, b.y, hn::Mul(a.z, b.z)));
}
HWY_INLINE Vec3 turned(const Affine& a, const Vec3& v) {
    return {dot(a.row[0], v), dot(a.row[1], v), dot(a.row[2], v)};
}
HWY_INLINE Vec3 moved(const Affine& a, const Vec3& p) {
    const auto row = [&](const Vec3& r, V t) {
        return hn::MulAdd(r.x, p.x, hn::MulAdd(r.y, p.y, hn::MulAdd(r.z, p.z, t)));
    };
    return {row(a.row[0], a.move.x), row(a.row[1], a.move.y), row(a.row[2], a.move.z)};
}

/// 1 / root of a positive number.
HWY_INLINE V inverse_root(V square) {
    // The estimate of SSE and AVX has 12 bits: one Newton step gives all bits but the last. Others have
    // fewer.
    constexpr bool rough = !HWY_ARCH_X86 || HWY_TARGET == HWY_EMU128 || HWY_TARGET == HWY_SCALAR;
    const V half = hn::Mul(square, splat(-0.5f));
    V r = hn::ApproximateReciprocalSqrt(square);
    if constexpr (rough) r = hn::Mul(r, hn::MulAdd(half, hn::Mul(r, r), splat(1.5f)));
    return hn::Mul(r, hn::MulAdd(half, hn::Mul(r, r), splat(1.5f)));
}

/// Unit length; a zero vector stays zero.
HWY_INLINE Vec3 unit(const Vec3& v) {
    return scaled(v, inverse_root(hn::Max(dot(v, v), splat(1e-37f))));
}

/// det(M) M^-T, rows by cross products.
HWY_INLINE Affine cofactors(const Affine& a) {
    return {{cross(a.row[1], a.row[2]), cross(a.row[2], a.row[0]), cross(a.row[0], a.row[1])}, a.move};
}

/// Three values from -1 to 1 from two words (see PackedTriple), times `packed_one`: directions that are
/// normalised later.
HWY_INLINE Vec3 unpack_long(const float* words) {
    const hn::RebindToSigned<D> di;
    const hn::RebindToUnsigned<D> du;
    const auto first = hn::BitCast(du, hn::Load(D(), words));
    const auto second = hn::BitCast(du, hn::Load(D(), words + block));
    const auto top = [&](hn::Vec<decltype(du)> word)
                         HWY_ATTR { return hn::ShiftRight<11>(hn::BitCast(di, word)); };
    const auto third =
        hn::Or(top(hn::ShiftLeft<21>(first)), hn::BitCast(di, hn::And(second, hn::Set(du, 0x3ff))));
    return {hn::ConvertTo(D(), top(first)), hn::ConvertTo(D(), top(second)), hn::ConvertTo(D(), third)};
}
/// The values themselves.
HWY_INLINE Vec3 unpack(const float* words) {
    return scaled(unpack_long(words), splat(1 / packed_one));
}

/// Weights of the joints from the second on. Sets of up to four have them in registers.
template <int K>
struct Weights {
    V w[K - 1];
    HWY_INLINE Weights(const float* rows, std::size_t) {
        for (int i = 0; i < K - 1; ++i) w[i] = hn::Load(D(), rows + static_cast<std::size_t>(i) * block);
    }
    HWY_INLINE V operator[](std::size_t i) const { return w[i]; }
};
template <>
struct Weights<1> {
    HWY_INLINE Weights(const float*, std::size_t) {}
    HWY_INLINE V operator[](std::size_t) const { return splat(0); }
};
template <>
struct Weights<4> {
    Vec3 w;
    HWY_INLINE Weights(const float* rows, std::size_t) : w(unpack(rows)) {}
    HWY_INLINE V operator[](std::size_t i) const { return i == 0 ? w.x : i == 1 ? w.y : w.z; }
};
template <>
struct Weights<0> {
    const float* rows;
    alignas(64) float unpacked[3 * block];
    HWY_INLINE Weights(const float* data, std::size_t joints) : rows(data) {
        if (joints != packed_joints) return;
        const Vec3 w = unpack(data);
        hn::Store(w.x, D(), unpacked);
        hn::Store(w.y, D(), unpacked + block);
        hn::Store(w.z, D(), unpacked + 2 * block);
        rows = unpacked;
    }
    Weights(const Weights&) = delete;
    HWY_INLINE V operator[](std::size_t i) const { return hn::Load(D(), rows + i * block); }
};

/// Sums of coefficients over the joints of a set, for the vertices of one vector: c_0 + sum w_i (c_i - c_0).
/// `K` is the number of joints when it is known at compile time, 0 otherwise; `Stride` the floats from the
/// coefficients of one joint to those of the next.
template <int K, std::size_t Stride>
struct Blender {
    static constexpr int known_joints = K;
    const float* coefficients;
    const float* rows;  ///< of the weights
    std::size_t joints;
    Weights<K> weights;

    HWY_INLINE Blender(const float* of_joints, const float* weight_rows, std::size_t joint_count)
        : coefficients(of_joints),
          rows(weight_rows),
          joints(joint_count),
          weights(weight_rows, joint_count) {}
    HWY_INLINE std::size_t count() const { return K > 0 ? static_cast<std::size_t>(K) : joints; }
    HWY_INLINE V weight(std::size_t joint) const { return weights[joint - 1]; }
    HWY_INLINE V first_weight() const {
        V rest = splat(1);
        for (std::size_t i = 1; i < count(); ++i) rest = hn::Sub(rest, weight(i));
        return rest;
    }
    HWY_INLINE V operator()(std::size_t coefficient) const {
        const float* c = coefficients + coefficient;
        V value = splat(c[0]);
        if constexpr (K > 1) value = hn::MulAdd(weight(1), splat(c[Stride]), value);
        if constexpr (K > 2) value = hn::MulAdd(weight(2), splat(c[2 * Stride]), value);
        if constexpr (K > 3) value = hn::MulAdd(weight(3), splat(c[3 * Stride]), value);
        if constexpr (K == 0) {
            for (std::size_t i = 1; i < joints; ++i)
                value = hn::MulAdd(weight(i), splat(c[i * Stride]), value);
        }
        return value;
    }
    HWY_INLINE Vec3 three(std::size_t from) const {
        return {(*this)(from), (*this)(from + 1), (*this)(from + 2)};
    }
    HWY_INLINE Quat quat(std::size_t from) const {
        return {(*this)(from), (*this)(from + 1), (*this)(from + 2), (*this)(from + 3)};
    }
    HWY_INLINE Affine affine(std::size_t from) const {
        // Written out: a loop that is not unrolled would send the rows through memory.
        return {{three(from), three(from + 4), three(from + 8)},
                {(*this)(from + 3), (*this)(from + 7), (*this)(from + 11)}};
    }
    /// A coefficient that is not stored as a difference.
    HWY_INLINE V whole(std::size_t coefficient, std::size_t joint) const {
        return splat(coefficients[joint * Stride + coefficient]);
    }
    /// Value of one joint, the same for all vertices.
    HWY_INLINE float of_joint(std::size_t coefficient, std::size_t joint) const {
        const float* c = coefficients + coefficient;
        return joint == 0 ? c[0] : c[0] + c[joint * Stride];
    }
};

/// The same interface for the heaviest joint alone.
template <class Blend>
struct Heaviest {
    const Blend& blender;

    HWY_INLINE V operator()(std::size_t coefficient) const {
        V best = blender.first_weight();
        V value = splat(blender.of_joint(coefficient, 0));
        for (std::size_t i = 1; i < blender.count(); ++i) {
            const V weight = blender.weight(i);
            const M heavier = hn::Gt(weight, best);
            best = hn::IfThenElse(heavier, weight, best);
            value = hn::IfThenElse(heavier, splat(blender.of_joint(coefficient, i)), value);
        }
        return value;
    }
};

/// Writes `count` coefficients of the heaviest joint of each vertex, in rows of `block` floats: they replace
/// a blend that has vanished. Outside the loop and through memory, so that the structures of the loop stay in
/// registers.
template <class Blend>
HWY_NOINLINE void heaviest_rows(const float* coefficients, const float* rows, std::size_t joints,
                                std::size_t count, float* out) {
    const Blend blender(coefficients, rows, joints);
    const Heaviest<Blend> heaviest{blender};
    for (std::size_t c = 0; c < count; ++c) hn::Store(heaviest(c), D(), out + c * block);
}

/// v + a x b.
HWY_INLINE Vec3 add_cross(const Vec3& a, const Vec3& b, const Vec3& v) {
    return {hn::NegMulAdd(a.z, b.y, hn::MulAdd(a.y, b.z, v.x)),
            hn::NegMulAdd(a.x, b.z, hn::MulAdd(a.z, b.x, v.y)),
            hn::NegMulAdd(a.y, b.x, hn::MulAdd(a.x, b.y, v.z))};
}

/// Rotation by a quaternion of any length, with a = 2 / |q|^2 d: v + a x (d x v + w v). For two vectors this
/// costs less than its matrix, and needs fewer registers.
struct Spin {
    Quat q;
    Vec3 a;
    V s;  ///< 2 / |q|^2
    HWY_INLINE Spin(const Quat& of, V scale)
        : q{of.x, of.y, of.z, of.w},
          a{hn::Mul(of.x, scale), hn::Mul(of.y, scale), hn::Mul(of.z, scale)},
          s(scale) {}
};
HWY_INLINE Vec3 turned(const Spin& r, const Vec3& v) {
    return add_cross(r.a, add_cross(vec(r.q), v, scaled(v, r.q.w)), v);
}

/// A dual quaternion of any length (Kavan 2007, 4.3): v + a x (d x v + w v + de) + s w de - we a.
struct DualMotion {
    Spin spin;
    Quat dual;
};
HWY_INLINE Vec3 moved(const DualMotion& m, const Vec3& p) {
    const Vec3 de = vec(m.dual);
    const Vec3 u = add_cross(vec(m.spin.q), p, add_scaled(p, m.spin.q.w, de));
    const Vec3 rest = add_scaled(m.spin.a, hn::Neg(m.dual.w), p);
    return add_cross(m.spin.a, u, add_scaled(de, hn::Mul(m.spin.s, m.spin.q.w), rest));
}
HWY_INLINE Vec3 turned(const DualMotion& m, const Vec3& v) {
    return turned(m.spin, v);
}

/// A rotation about a centre that moves to `to`.
struct CenteredMotion {
    Spin spin;
    Vec3 center, to;
};
HWY_INLINE Vec3 moved(const CenteredMotion& m, const Vec3& p) {
    const Vec3 v = difference(p, m.center);
    return add_cross(m.spin.a, add_cross(vec(m.spin.q), v, scaled(v, m.spin.q.w)), sum(v, m.to));
}
HWY_INLINE Vec3 turned(const CenteredMotion& m, const Vec3& v) {
    return turned(m.spin, v);
}

}  // namespace sinew::deform::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
