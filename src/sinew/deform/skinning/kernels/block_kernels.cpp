// SPDX-License-Identifier: MIT
#include "sinew/deform/skinning/kernels/block_kernels.h"

// Four instruction sets are enough: AVX-512, AVX2, SSE4 and the portable baseline.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sinew/deform/skinning/kernels/block_kernels.cpp"
#include "hwy/foreach_target.h"
//
#include "hwy/highway.h"

#include "sinew/deform/skinning/kernels/rules-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sinew::deform::kernels::HWY_NAMESPACE {

HWY_INLINE Vec3 load3(const float* p) {
    return {hn::Load(D(), p), hn::Load(D(), p + block), hn::Load(D(), p + 2 * block)};
}

HWY_INLINE void store3(const Vec3& v, float* const* out, std::size_t at) {
    hn::StoreU(v.x, D(), out[0] + at);
    hn::StoreU(v.y, D(), out[1] + at);
    hn::StoreU(v.z, D(), out[2] + at);
}

/// Positions and vectors of one vector of vertices.
template <class Rule, int Vectors, bool Stretch, class Blend>
HWY_INLINE void deform(const Job& job, const Blend& blend, const float* data, std::size_t at,
                       Context& context) {
    const Affine map = Rule::map(blend, context);
    Vec3 position = load3(data);
    if constexpr (Stretch) position = moved(blend.affine(Rule::coefficients), position);
    store3(moved(map, position), job.out, at);
    // Normals go by the cofactors, tangents by the map itself.
    if constexpr (Vectors > 0) {
        Vec3 normal = unpack(data + 3 * block);
        if constexpr (Stretch) normal = turned(cofactors(blend.affine(Rule::coefficients)), normal);
        normal = turned(Rule::exact ? cofactors(map) : map, normal);
        store3(Rule::rigid && !Stretch ? normal : unit(normal), job.out + 3, at);
    }
    if constexpr (Vectors > 1) {
        Vec3 tangent = unpack(data + 5 * block);
        if constexpr (Stretch) tangent = turned(blend.affine(Rule::coefficients), tangent);
        tangent = turned(map, tangent);
        store3(Rule::rigid && !Stretch ? tangent : unit(tangent), job.out + 6, at);
    }
}

template <class Rule, int K, int Vectors, bool Stretch>
std::size_t run_job(const Job& job, bool centers) {
    const std::size_t lanes = hn::Lanes(D());
    const std::size_t center_row = 3 + 2 * static_cast<std::size_t>(job.vectors);
    const std::size_t weight_row = center_row + (centers ? 3 : 0);
    Context context{job.constants, nullptr, 0};
    const float* data = job.data;
    for (std::size_t b = 0; b < job.blocks; ++b, data += job.stride) {
        for (std::size_t lane = 0; lane < block; lane += lanes) {
            const Blender<K, joint_stride(Rule::coefficients, Stretch)> blend(
                job, data + weight_row * block + lane);
            context.center = data + center_row * block + lane;
            deform<Rule, Vectors, Stretch>(job, blend, data + lane, job.first + b * block + lane, context);
        }
    }
    return context.degenerate;
}

/// Sets of one to four joints have loops of their own for the methods that are played most.
template <class Rule, int Vectors, bool Unrolled>
std::size_t by_joints(const Job& job, bool centers) {
    if constexpr (Unrolled) {
        switch (job.joints) {
            case 1:
                return run_job<Rule, 1, Vectors, false>(job, centers);
            case 2:
                return run_job<Rule, 2, Vectors, false>(job, centers);
            case 3:
                return run_job<Rule, 3, Vectors, false>(job, centers);
            case 4:
                return run_job<Rule, 4, Vectors, false>(job, centers);
            default:
                break;
        }
    }
    return run_job<Rule, 0, Vectors, false>(job, centers);
}

template <class Rule, int Vectors, bool Unrolled>
std::size_t by_stretch(const Call& call, const Job& job) {
    if constexpr (Rule::rigid) {
        if (call.stretch) return run_job<Rule, 0, Vectors, true>(job, call.centers);
    }
    return by_joints<Rule, Vectors, Unrolled>(job, call.centers);
}

template <class Rule, bool Unrolled = false>
std::size_t by_vectors(const Call& call, const Job& job) {
    if (call.vectors == 0) return by_stretch<Rule, 0, Unrolled>(call, job);
    if (call.vectors == 1) return by_stretch<Rule, 1, Unrolled>(call, job);
    return by_stretch<Rule, 2, Unrolled>(call, job);
}

std::size_t run_here(const Call& call, const Job& job) {
    switch (call.rule) {
        case Rule::affine:
            return by_vectors<AffineRule, true>(call, job);
        case Rule::affine_exact:
            return by_vectors<ExactAffineRule, true>(call, job);
        case Rule::dual:
            return by_vectors<DualRule, true>(call, job);
        case Rule::centered:
            return by_vectors<CenteredRule, true>(call, job);
        case Rule::weighted:
            return by_vectors<WeightedRule>(call, job);
        case Rule::own_center:
            return by_vectors<OwnCenterRule>(call, job);
        case Rule::logarithm:
            return by_vectors<LogarithmRule>(call, job);
        case Rule::iterative:
            return by_vectors<IterativeRule, true>(call, job);
        case Rule::heaviest:
            return by_vectors<HeaviestRule>(call, job);
    }
    return 0;
}

}  // namespace sinew::deform::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sinew::deform::kernels {
namespace {

HWY_EXPORT(run_here);

}  // namespace

std::size_t coefficient_count(Rule rule) {
    constexpr std::size_t counts[rule_count] = {12, 12, 8, 7, 25, 16, 6, 16, 12};
    return counts[static_cast<std::size_t>(rule)];
}

std::size_t run(const Call& call, const Job& job) {
    return HWY_DYNAMIC_DISPATCH(run_here)(call, job);
}

const char* target_name() {
    for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) return hwy::TargetName(target);
    return "none";
}

void restrict_targets(int level) {
    constexpr std::int64_t portable = HWY_EMU128 | HWY_SCALAR;
    constexpr std::int64_t narrow = portable | HWY_SSE4 | HWY_SSSE3;
    hwy::SetSupportedTargetsForTest(0);
    const std::int64_t all = hwy::SupportedTargets();
    if (level == 1) hwy::SetSupportedTargetsForTest((all & narrow) | portable);
    if (level == 2) hwy::SetSupportedTargetsForTest(portable);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

}  // namespace sinew::deform::kernels
#endif
