// SPDX-License-Identifier: MIT
#include "sinew/deform/playback/pose_kernels.h"

// Quaternions are structs of vectors, and vectors of unknown length cannot be members of a struct.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sinew/deform/playback/pose_kernels.cpp"
// clang-format off
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include <hwy/contrib/math/math-inl.h>
// clang-format on
#include "sinew/deform/playback/simd.h"

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

/// The lines of one frame unchanged, for positions exactly on it.
void copy_frame(const PackedClip& clip, const float* frame, float* pose) {
    const Floats d;
    for (const std::uint32_t offset : clip.moving_lines) {
        for (std::size_t i = 0; i < line; i += hn::Lanes(d))
            hn::Store(hn::Load(d, frame + i), d, pose + offset + i);
        frame += line;
    }
    for (const std::uint32_t offset : clip.moving_rotations) {
        for (std::size_t i = 0; i < line; i += hn::Lanes(d)) {
            store_quaternions(d, load_quaternions(d, frame + i, line), pose + offset + i, clip.stride);
        }
        frame += 4 * line;
    }
}

void mix_frames(const PackedClip& clip, const float* a, const float* b, float fraction, float* pose) {
    const Floats d;
    const V t = hn::Set(d, fraction);
    for (const std::uint32_t offset : clip.moving_lines) {
        for (std::size_t i = 0; i < line; i += hn::Lanes(d)) {
            const V from = hn::Load(d, a + i);
            hn::Store(hn::MulAdd(t, hn::Sub(hn::Load(d, b + i), from), from), d, pose + offset + i);
        }
        a += line;
        b += line;
    }
    const V s = hn::Set(d, 1 - fraction);
    for (const std::uint32_t offset : clip.moving_rotations) {
        for (std::size_t i = 0; i < line; i += hn::Lanes(d)) {
            const Quats from = load_quaternions(d, a + i, line), to = load_quaternions(d, b + i, line);
            store_quaternions(d, normalized(d, multiply_add(t, to, scaled(from, s))), pose + offset + i,
                              clip.stride);
        }
        a += 4 * line;
        b += 4 * line;
    }
}

void sample(const PackedClip& clip, const FramePosition& position, float* pose) {
    const Floats d;
    for (const std::uint32_t offset : clip.still_lines) {
        for (std::size_t i = 0; i < line; i += hn::Lanes(d)) {
            hn::Store(hn::Load(d, clip.still.data() + offset + i), d, pose + offset + i);
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
HWY_INLINE V toward(const Floats d, V weight, const Quats& a, const Quats& b) {
    return hn::IfThenElse(hn::Lt(dot(a, b), hn::Zero(d)), hn::Neg(weight), weight);
}

void start_blend(const PoseInput& input, std::size_t stride, float* sum) {
    const Floats d;
    for (std::size_t j = 0; j < stride; j += hn::Lanes(d)) {
        const V weight = joint_weights(d, input, j);
        for (std::size_t row = 0; row < PackedClip::rows; ++row) {
            const std::size_t offset = row * stride + j;
            hn::Store(hn::Mul(weight, hn::Load(d, input.pose + offset)), d, sum + offset);
        }
        hn::Store(weight, d, sum + PackedClip::rows * stride + j);
    }
}

void add_to_blend(const PoseInput& input, std::size_t stride, float* sum) {
    const Floats d;
    for (std::size_t j = 0; j < stride; j += hn::Lanes(d)) {
        const V weight = joint_weights(d, input, j);
        for (const std::size_t row : vector_rows) {
            const std::size_t offset = row * stride + j;
            hn::Store(hn::MulAdd(weight, hn::Load(d, input.pose + offset), hn::Load(d, sum + offset)), d,
                      sum + offset);
        }
        const std::size_t offset = rotation_row * stride + j;
        const Quats q = load_quaternions(d, input.pose + offset, stride);
        const Quats before = load_quaternions(d, sum + offset, stride);
        store_quaternions(d, multiply_add(toward(d, weight, before, q), q, before), sum + offset, stride);
        float* weights = sum + PackedClip::rows * stride + j;
        hn::Store(hn::Add(weight, hn::Load(d, weights)), d, weights);
    }
}

void finish_blend(const float* sum, const float* rest, std::size_t stride, float* pose) {
    const Floats d;
    const V min = hn::Set(d, min_blend_weight);
    for (std::size_t j = 0; j < stride; j += hn::Lanes(d)) {
        const V weight = hn::Load(d, sum + PackedClip::rows * stride + j);
        const V missing = hn::Max(hn::Sub(min, weight), hn::Zero(d));
        const V inverse = hn::Div(hn::Set(d, 1.0f), hn::Max(weight, min));
        for (const std::size_t row : vector_rows) {
            const std::size_t offset = row * stride + j;
            const V total = hn::MulAdd(missing, hn::Load(d, rest + offset), hn::Load(d, sum + offset));
            hn::Store(hn::Mul(total, inverse), d, pose + offset);
        }
        const std::size_t offset = rotation_row * stride + j;
        const Quats q = load_quaternions(d, rest + offset, stride);
        const Quats before = load_quaternions(d, sum + offset, stride);
        store_quaternions(d, normalized(d, multiply_add(toward(d, missing, before, q), q, before)),
                          pose + offset, stride);
    }
}

void lay_over(const PoseInput& input, std::size_t stride, float* pose) {
    const Floats d;
    for (std::size_t j = 0; j < stride; j += hn::Lanes(d)) {
        const V weight = joint_weights(d, input, j);
        for (const std::size_t row : vector_rows) {
            const std::size_t offset = row * stride + j;
            const V from = hn::Load(d, pose + offset);
            hn::Store(hn::MulAdd(weight, hn::Sub(hn::Load(d, input.pose + offset), from), from), d,
                      pose + offset);
        }
        const std::size_t offset = rotation_row * stride + j;
        const Quats to = load_quaternions(d, input.pose + offset, stride);
        const Quats from = load_quaternions(d, pose + offset, stride);
        const Quats kept = scaled(from, hn::Sub(hn::Set(d, 1.0f), weight));
        const Quats mixed = normalized(d, multiply_add(toward(d, weight, from, to), to, kept));
        // A joint that the mask leaves out does not change by a single bit.
        store_quaternions(d, if_then_else(hn::Eq(weight, hn::Zero(d)), from, mixed), pose + offset, stride);
    }
}

/// q^t on the branch of math::pow: the angle of q in [0, pi], full rotations about x where q = -1.
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
    // sin(t a) / sin(a) tends to t for small angles, and has no limit near the full rotation.
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
            const std::size_t offset = row * stride + j;
            const V delta = hn::Load(d, input.pose + offset), before = hn::Load(d, pose + offset);
            const V after = row < rotation_row
                                ? hn::MulAdd(weight, delta, before)
                                : hn::Mul(before, hn::MulAdd(weight, hn::Sub(delta, one), one));
            hn::Store(after, d, pose + offset);
        }
        const std::size_t offset = rotation_row * stride + j;
        const Quats delta = power(d, load_quaternions(d, input.pose + offset, stride), weight);
        const Quats before = load_quaternions(d, pose + offset, stride);
        const Quats after = normalized(d, product(delta, before));
        store_quaternions(d, if_then_else(hn::Eq(weight, hn::Zero(d)), before, after), pose + offset, stride);
    }
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

}  // namespace simd
}  // namespace sinew::deform
#endif
