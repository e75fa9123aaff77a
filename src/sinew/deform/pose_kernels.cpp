#include "sinew/deform/pose_kernels.h"

// Quaternions are structs of vectors, which vectors of unknown length do not allow.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sinew/deform/pose_kernels.cpp"
// clang-format off
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include <hwy/contrib/math/math-inl.h>
// clang-format on
#include "sinew/deform/simd.h"

HWY_BEFORE_NAMESPACE();
namespace sinew::deform::HWY_NAMESPACE {

using model::PackedClip;
using V = hn::Vec<Floats>;
using Quats = Quaternions<V>;

constexpr std::size_t line = PackedClip::line;
/// Rows of a pose that hold no rotation.
constexpr std::size_t vector_rows[] = {0, 1, 2, 7, 8, 9};
constexpr std::size_t rotation_row = 3;

// --- Sampling

/// The lines of one frame as they are, for positions right on it.
void copy_frame(const PackedClip& clip, const float* frame, float* pose) {
    const Floats d;
    for (const std::uint32_t place : clip.moving_lines) {
        for (std::size_t i = 0; i < line; i += hn::Lanes(d))
            hn::Store(hn::Load(d, frame + i), d, pose + place + i);
        frame += line;
    }
    for (const std::uint32_t place : clip.moving_rotations) {
        for (std::size_t i = 0; i < line; i += hn::Lanes(d)) {
            store_quaternions(d, load_quaternions(d, frame + i, line), pose + place + i, clip.stride);
        }
        frame += 4 * line;
    }
}

void mix_frames(const PackedClip& clip, const float* a, const float* b, float fraction, float* pose) {
    const Floats d;
    const V t = hn::Set(d, fraction);
    for (const std::uint32_t place : clip.moving_lines) {
        for (std::size_t i = 0; i < line; i += hn::Lanes(d)) {
            const V from = hn::Load(d, a + i);
            hn::Store(hn::MulAdd(t, hn::Sub(hn::Load(d, b + i), from), from), d, pose + place + i);
        }
        a += line;
        b += line;
    }
    const V s = hn::Set(d, 1 - fraction);
    for (const std::uint32_t place : clip.moving_rotations) {
        for (std::size_t i = 0; i < line; i += hn::Lanes(d)) {
            const Quats from = load_quaternions(d, a + i, line), to = load_quaternions(d, b + i, line);
            store_quaternions(d, normalized(d, multiply_add(t, to, scaled(from, s))), pose + place + i,
                              clip.stride);
        }
        a += 4 * line;
        b += 4 * line;
    }
}

void sample(const PackedClip& clip, const FramePosition& position, float* pose) {
    const Floats d;
    for (const std::uint32_t place : clip.still_lines) {
        for (std::size_t i = 0; i < line; i += hn::Lanes(d)) {
            hn::Store(hn::Load(d, clip.still.data() + place + i), d, pose + place + i);
        }
    }
    const float* frame = clip.frame(position.frame);
    if (position.fraction == 0) {
        copy_frame(clip, frame, pose);
    } else {
        mix_frames(clip, frame, frame + clip.frame_size(), position.fraction, pose);
    }
}

// --- Blending and layers

HWY_INLINE V joint_weights(const Floats d, const PoseInput& input, std::size_t joint) {
    const V weight = hn::Set(d, input.weight);
    return input.mask == nullptr ? weight : hn::Mul(weight, hn::Load(d, input.mask + joint));
}

/// w or -w, so that w b lies on the side of a.
HWY_INLINE V toward(V weight, const Quats& a, const Quats& b) {
    return hn::CopySignToAbs(weight, dot(a, b));
}

void start_blend(const PoseInput& input, std::size_t stride, float* sum) {
    const Floats d;
    for (std::size_t j = 0; j < stride; j += hn::Lanes(d)) {
        const V weight = joint_weights(d, input, j);
        for (std::size_t row = 0; row < PackedClip::rows; ++row) {
            const std::size_t place = row * stride + j;
            hn::Store(hn::Mul(weight, hn::Load(d, input.pose + place)), d, sum + place);
        }
        hn::Store(weight, d, sum + PackedClip::rows * stride + j);
    }
}

void add_to_blend(const PoseInput& input, std::size_t stride, float* sum) {
    const Floats d;
    for (std::size_t j = 0; j < stride; j += hn::Lanes(d)) {
        const V weight = joint_weights(d, input, j);
        for (const std::size_t row : vector_rows) {
            const std::size_t place = row * stride + j;
            hn::Store(hn::MulAdd(weight, hn::Load(d, input.pose + place), hn::Load(d, sum + place)), d,
                      sum + place);
        }
        const std::size_t place = rotation_row * stride + j;
        const Quats q = load_quaternions(d, input.pose + place, stride);
        const Quats before = load_quaternions(d, sum + place, stride);
        store_quaternions(d, multiply_add(toward(weight, before, q), q, before), sum + place, stride);
        float* weights = sum + PackedClip::rows * stride + j;
        hn::Store(hn::Add(weight, hn::Load(d, weights)), d, weights);
    }
}

void finish_blend(const float* sum, const float* rest, std::size_t stride, float* pose) {
    const Floats d;
    const V least = hn::Set(d, least_blend_weight);
    for (std::size_t j = 0; j < stride; j += hn::Lanes(d)) {
        const V weight = hn::Load(d, sum + PackedClip::rows * stride + j);
        const V missing = hn::Max(hn::Sub(least, weight), hn::Zero(d));
        const V inverse = hn::Div(hn::Set(d, 1.0f), hn::Max(weight, least));
        for (const std::size_t row : vector_rows) {
            const std::size_t place = row * stride + j;
            const V total = hn::MulAdd(missing, hn::Load(d, rest + place), hn::Load(d, sum + place));
            hn::Store(hn::Mul(total, inverse), d, pose + place);
        }
        const std::size_t place = rotation_row * stride + j;
        const Quats q = load_quaternions(d, rest + place, stride);
        const Quats before = load_quaternions(d, sum + place, stride);
        store_quaternions(d, normalized(d, multiply_add(toward(missing, before, q), q, before)), pose + place,
                          stride);
    }
}

void lay_over(const PoseInput& input, std::size_t stride, float* pose) {
    const Floats d;
    for (std::size_t j = 0; j < stride; j += hn::Lanes(d)) {
        const V weight = joint_weights(d, input, j);
        for (const std::size_t row : vector_rows) {
            const std::size_t place = row * stride + j;
            const V from = hn::Load(d, pose + place);
            hn::Store(hn::MulAdd(weight, hn::Sub(hn::Load(d, input.pose + place), from), from), d,
                      pose + place);
        }
        const std::size_t place = rotation_row * stride + j;
        const Quats to = load_quaternions(d, input.pose + place, stride);
        const Quats from = load_quaternions(d, pose + place, stride);
        const Quats kept = scaled(from, hn::Sub(hn::Set(d, 1.0f), weight));
        const Quats mixed = normalized(d, multiply_add(toward(weight, from, to), to, kept));
        // A joint that the mask leaves out keeps its very bits.
        store_quaternions(d, if_then_else(hn::Eq(weight, hn::Zero(d)), from, mixed), pose + place, stride);
    }
}

/// q^t on the branch of math::pow: the angle of q in [0, pi], whole turns about x where q = -1.
HWY_INLINE Quats power(const Floats d, const Quats& q, V t) {
    const V one = hn::Set(d, 1.0f), zero = hn::Zero(d);
    const V sine = hn::Sqrt(hn::MulAdd(q.x, q.x, hn::MulAdd(q.y, q.y, hn::Mul(q.z, q.z))));
    // atan2(s, c) = 2 atan(s / (1 + c)); mirrored for c < 0, so that the argument stays in [0, 1].
    const V half = hn::Atan(d, hn::Div(sine, hn::Add(one, hn::Abs(q.w))));
    const V folded = hn::Add(half, half);
    const auto behind = hn::Lt(q.w, zero);
    const V angle = hn::IfThenElse(behind, hn::Sub(hn::Set(d, 3.14159265f), folded), folded);
    const V turned = hn::Mul(t, angle);
    const V new_sine = hn::Sin(d, turned);
    // sin(t a) / sin(a) tends to t for small angles, and has no limit near the whole turn.
    const auto tiny = hn::Lt(sine, hn::Set(d, 1e-6f));
    const V factor = hn::IfThenElse(tiny, hn::IfThenElse(behind, zero, t), hn::Div(new_sine, sine));
    const V x = hn::IfThenElse(hn::And(tiny, behind), new_sine, hn::Mul(factor, q.x));
    return {x, hn::Mul(factor, q.y), hn::Mul(factor, q.z), hn::Cos(d, turned)};
}

void add_delta(const PoseInput& input, std::size_t stride, float* pose) {
    const Floats d;
    const V one = hn::Set(d, 1.0f);
    for (std::size_t j = 0; j < stride; j += hn::Lanes(d)) {
        const V weight = joint_weights(d, input, j);
        for (const std::size_t row : vector_rows) {
            const std::size_t place = row * stride + j;
            const V delta = hn::Load(d, input.pose + place), before = hn::Load(d, pose + place);
            const V after = row < rotation_row
                                ? hn::MulAdd(weight, delta, before)
                                : hn::Mul(before, hn::MulAdd(weight, hn::Sub(delta, one), one));
            hn::Store(after, d, pose + place);
        }
        const std::size_t place = rotation_row * stride + j;
        const Quats delta = power(d, load_quaternions(d, input.pose + place, stride), weight);
        const Quats before = load_quaternions(d, pose + place, stride);
        const Quats after = normalized(d, product(delta, before));
        store_quaternions(d, if_then_else(hn::Eq(weight, hn::Zero(d)), before, after), pose + place, stride);
    }
}

// --- Hierarchy

/// Linear rows T R S of some joints, as three arrays of (m0 m1 m2 t). Returns a number that is finite only if
/// all ten inputs are.
HWY_INLINE V local_rows(const Floats d, const float* pose, std::size_t stride, float* rows) {
    const V one = hn::Set(d, 1.0f);
    const Quats q = load_quaternions(d, pose + rotation_row * stride, stride);
    const V x2 = hn::Add(q.x, q.x), y2 = hn::Add(q.y, q.y), z2 = hn::Add(q.z, q.z);
    const V xx = hn::Mul(q.x, x2), yy = hn::Mul(q.y, y2), zz = hn::Mul(q.z, z2);
    const V wx = hn::Mul(q.w, x2), wy = hn::Mul(q.w, y2), wz = hn::Mul(q.w, z2);
    const V sx = hn::Load(d, pose + 7 * stride), sy = hn::Load(d, pose + 8 * stride),
            sz = hn::Load(d, pose + 9 * stride);
    const V m00 = hn::Mul(sx, hn::Sub(one, hn::Add(yy, zz)));
    const V m11 = hn::Mul(sy, hn::Sub(one, hn::Add(xx, zz)));
    const V m22 = hn::Mul(sz, hn::Sub(one, hn::Add(xx, yy)));
    const V m01 = hn::Mul(sy, hn::MulSub(q.x, y2, wz)), m10 = hn::Mul(sx, hn::MulAdd(q.x, y2, wz));
    const V m02 = hn::Mul(sz, hn::MulAdd(q.x, z2, wy)), m20 = hn::Mul(sx, hn::MulSub(q.x, z2, wy));
    const V m12 = hn::Mul(sz, hn::MulSub(q.y, z2, wx)), m21 = hn::Mul(sy, hn::MulAdd(q.y, z2, wx));
    const V tx = hn::Load(d, pose), ty = hn::Load(d, pose + stride), tz = hn::Load(d, pose + 2 * stride);
    hn::StoreInterleaved4(m00, m01, m02, tx, d, rows);
    hn::StoreInterleaved4(m10, m11, m12, ty, d, rows + 4 * line);
    hn::StoreInterleaved4(m20, m21, m22, tz, d, rows + 8 * line);
    const V turned = hn::Add(hn::Add(m00, m11), hn::Add(m22, m01));
    return hn::Add(hn::Add(turned, tx), hn::Add(ty, tz));
}

/// Three rows that stand to the right of a product.
struct Factor {
    const float* rows[3];
};

HWY_INLINE Factor factor(const Mat34f& m) {
    return {{m.rows[0], m.rows[1], m.rows[2]}};
}

HWY_ALIGN constexpr float last_column[4] = {0, 0, 0, 1};

// Rows of an affine product a b: row i = a_i0 b_0 + a_i1 b_1 + a_i2 b_2 + (0 0 0 a_i3).
#if HWY_MAX_BYTES >= 32
using Two = hn::FixedTag<float, 8>;
using One = hn::FixedTag<float, 4>;

/// A 3x4 matrix in registers: two rows in one, the third alone.
struct Affine {
    hn::Vec<Two> top;
    hn::Vec<One> bottom;
};

HWY_INLINE Affine load(const Mat34f& m) {
    return {hn::LoadU(Two(), m.rows[0]), hn::Load(One(), m.rows[2])};
}

HWY_INLINE void store(const Affine& a, Mat34f& m) {
    hn::StoreU(a.top, Two(), m.rows[0]);
    hn::Store(a.bottom, One(), m.rows[2]);
}

template <class D, class VD = hn::Vec<D>>
HWY_INLINE VD product_rows(D d, VD a, VD b0, VD b1, VD b2) {
    const VD shift = hn::Mul(a, hn::LoadDup128(d, last_column));
    return hn::MulAdd(hn::Broadcast<2>(a), b2,
                      hn::MulAdd(hn::Broadcast<1>(a), b1, hn::MulAdd(hn::Broadcast<0>(a), b0, shift)));
}

HWY_INLINE Affine multiplied(const Affine& a, const Factor& b) {
    const auto b0 = hn::LoadDup128(Two(), b.rows[0]), b1 = hn::LoadDup128(Two(), b.rows[1]),
               b2 = hn::LoadDup128(Two(), b.rows[2]);
    return {product_rows(Two(), a.top, b0, b1, b2),
            product_rows(One(), a.bottom, hn::LowerHalf(One(), b0), hn::LowerHalf(One(), b1),
                         hn::LowerHalf(One(), b2))};
}
#else
/// Four lanes hold a row; one lane walks along it.
using Row = hn::CappedTag<float, 4>;
using Affine = Mat34f;

HWY_INLINE Affine load(const Mat34f& m) {
    return m;
}

HWY_INLINE void store(const Affine& a, Mat34f& m) {
    m = a;
}

HWY_INLINE Affine multiplied(const Affine& a, const Factor& b) {
    const Row d;
    Affine result;
    for (std::size_t r = 0; r < 3; ++r) {
        for (std::size_t c = 0; c < 4; c += hn::Lanes(d)) {
            auto sum = hn::Mul(hn::Set(d, a.rows[r][3]), hn::Load(d, last_column + c));
            for (std::size_t k = 0; k < 3; ++k) {
                sum = hn::MulAdd(hn::Set(d, a.rows[r][k]), hn::Load(d, b.rows[k] + c), sum);
            }
            hn::Store(sum, d, result.rows[r] + c);
        }
    }
    return result;
}
#endif

bool hierarchy(const HierarchyJob& job) {
    const Floats d;
    const Mat34f identity;
    HWY_ALIGN float rows[3 * 4 * line];
    V finite = hn::Zero(d);
    for (std::size_t first = 0; first < job.joint_count; first += line) {
        for (std::size_t i = 0; i < line; i += hn::Lanes(d)) {
            const V probe = local_rows(d, job.pose + first + i, job.stride, rows + 4 * i);
            finite = hn::MulAdd(probe, hn::Zero(d), finite);  // stays 0 until something is not finite
        }
        const std::size_t end = HWY_MIN(first + line, job.joint_count);
        for (std::size_t j = first; j < end; ++j) {
            const std::int32_t parent = job.parents[j];
            const float* local = rows + 4 * (j - first);
            const Affine above = load(parent < 0 ? identity : job.world[parent]);
            const Affine world = multiplied(above, {{local, local + 4 * line, local + 8 * line}});
            store(world, job.world[j]);
            for (std::uint32_t k = job.first_entry[j]; k < job.first_entry[j + 1]; ++k) {
                store(multiplied(world, factor(job.inverse_binds[k])), job.palette[job.entry_place[k]]);
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
HWY_EXPORT(sample);
HWY_EXPORT(start_blend);
HWY_EXPORT(add_to_blend);
HWY_EXPORT(finish_blend);
HWY_EXPORT(lay_over);
HWY_EXPORT(add_delta);
HWY_EXPORT(hierarchy);
}  // namespace

namespace simd {

void sample(const model::PackedClip& clip, const FramePosition& position, float* pose) {
    HWY_DYNAMIC_DISPATCH(sample)(clip, position, pose);
}

void start_blend(const PoseInput& input, std::size_t stride, float* sum) {
    HWY_DYNAMIC_DISPATCH(start_blend)(input, stride, sum);
}

void add_to_blend(const PoseInput& input, std::size_t stride, float* sum) {
    HWY_DYNAMIC_DISPATCH(add_to_blend)(input, stride, sum);
}

void finish_blend(const float* sum, const float* rest, std::size_t stride, float* pose) {
    HWY_DYNAMIC_DISPATCH(finish_blend)(sum, rest, stride, pose);
}

void lay_over(const PoseInput& input, std::size_t stride, float* pose) {
    HWY_DYNAMIC_DISPATCH(lay_over)(input, stride, pose);
}

void add_delta(const PoseInput& input, std::size_t stride, float* pose) {
    HWY_DYNAMIC_DISPATCH(add_delta)(input, stride, pose);
}

bool hierarchy(const HierarchyJob& job) {
    return HWY_DYNAMIC_DISPATCH(hierarchy)(job);
}

}  // namespace simd
}  // namespace sinew::deform
#endif
