// SPDX-License-Identifier: MIT
#include "sinew/deform/skinning/kernels/block_kernels.h"

#include <algorithm>
#include <type_traits>

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
HWY_INLINE void deform(const Blend& blend, const float* data, float* const* out, std::size_t at,
                       Context& context) {
    constexpr bool rigid = Rule::rigid && !Stretch;
    const auto map = Rule::map(blend, context);
    Vec3 position = load3(data);
    if constexpr (Stretch) position = moved(blend.affine(Rule::coefficients), position);
    store3(moved(map, position), out, at);
    // Normals are transformed by the cofactors, tangents by the map itself.
    if constexpr (Vectors > 0) {
        Vec3 normal = rigid ? unpack(data + 3 * block) : unpack_long(data + 3 * block);
        if constexpr (Stretch) normal = turned(cofactors(blend.affine(Rule::coefficients)), normal);
        if constexpr (Rule::exact) {
            normal = turned(cofactors(map), normal);
        } else {
            normal = turned(map, normal);
        }
        store3(rigid ? normal : unit(normal), out + 3, at);
    }
    if constexpr (Vectors > 1) {
        Vec3 tangent = rigid ? unpack(data + 5 * block) : unpack_long(data + 5 * block);
        if constexpr (Stretch) tangent = turned(blend.affine(Rule::coefficients), tangent);
        tangent = turned(map, tangent);
        store3(rigid ? tangent : unit(tangent), out + 6, at);
    }
}

/// Two vectors of vertices that share every coefficient they load.
struct Pair {
    V a, b;
};
HWY_INLINE Pair mul(const Pair& x, const Pair& y) {
    return {hn::Mul(x.a, y.a), hn::Mul(x.b, y.b)};
}
HWY_INLINE Pair mul_add(const Pair& x, const Pair& y, const Pair& z) {
    return {hn::MulAdd(x.a, y.a, z.a), hn::MulAdd(x.b, y.b, z.b)};
}
HWY_INLINE Pair load_pair(const float* p) {
    return {hn::Load(D(), p), hn::Load(D(), p + hn::Lanes(D()))};
}
struct Pair3 {
    Pair x, y, z;
};
HWY_INLINE Pair3 unpack_pair(const float* words) {
    const Vec3 a = unpack_long(words), b = unpack_long(words + hn::Lanes(D()));
    return {{a.x, b.x}, {a.y, b.y}, {a.z, b.z}};
}
HWY_INLINE void store_units(const Pair& x, const Pair& y, const Pair& z, float* const* out, std::size_t at) {
    store3(unit(Vec3{x.a, y.a, z.a}), out, at);
    store3(unit(Vec3{x.b, y.b, z.b}), out, at + hn::Lanes(D()));
}

/// The matrix for normals that belongs to a single matrix (three rows of four): its cofactors, in rows of
/// three.
inline void cofactors(const float* m, float* out) {
    for (std::size_t r = 0; r < 3; ++r) {
        const float *const a = m + 4 * ((r + 1) % 3), *const b = m + 4 * ((r + 2) % 3);
        for (std::size_t c = 0; c < 3; ++c) {
            const std::size_t d = (c + 1) % 3, e = (c + 2) % 3;
            *out++ = a[d] * b[e] - a[e] * b[d];
        }
    }
}

/// Linear blending of two vectors of vertices. A row of the blended matrix is applied to position, normal and
/// tangent as soon as it is ready, so that all fits into registers. A set of one joint may have its own
/// matrix for normals.
template <int K, int Vectors, bool Exact>
struct AffinePair {
    const float* coefficients;
    const float* data;
    Weights<K> first, second;
    Pair3 normals, tangents;

    HWY_INLINE AffinePair(const float* of_joints, const float* block_data, std::size_t weight_row)
        : coefficients(of_joints),
          data(block_data),
          first(data + weight_row * block, K),
          second(data + weight_row * block + hn::Lanes(D()), K) {
        if constexpr (Vectors > 0) normals = unpack_pair(data + 3 * block);
        if constexpr (Vectors > 1) tangents = unpack_pair(data + 5 * block);
    }
    HWY_INLINE Pair blended(std::size_t c) const {
        const float* const from = coefficients + c;
        const V base = splat(from[0]);
        Pair sum{base, base};
        if constexpr (K > 1) sum = with(sum, splat(from[12]), 0);
        if constexpr (K > 2) sum = with(sum, splat(from[24]), 1);
        if constexpr (K > 3) sum = with(sum, splat(from[36]), 2);
        return sum;
    }
    HWY_INLINE Pair with(const Pair& sum, V difference, std::size_t i) const {
        return {hn::MulAdd(first[i], difference, sum.a), hn::MulAdd(second[i], difference, sum.b)};
    }
    static HWY_INLINE Pair for_normal(const Pair& m, const float* single) {
        if constexpr (!Exact) return m;
        return {splat(*single), splat(*single)};
    }
    HWY_INLINE void row(std::size_t r, const float* single, float* out, Pair& normal, Pair& tangent) const {
        Pair position = blended(4 * r + 3);
        Pair m = blended(4 * r);
        position = mul_add(m, load_pair(data), position);
        if constexpr (Vectors > 0) normal = mul(for_normal(m, single + 0), normals.x);
        if constexpr (Vectors > 1) tangent = mul(m, tangents.x);
        m = blended(4 * r + 1);
        position = mul_add(m, load_pair(data + block), position);
        if constexpr (Vectors > 0) normal = mul_add(for_normal(m, single + 1), normals.y, normal);
        if constexpr (Vectors > 1) tangent = mul_add(m, tangents.y, tangent);
        m = blended(4 * r + 2);
        position = mul_add(m, load_pair(data + 2 * block), position);
        if constexpr (Vectors > 0) normal = mul_add(for_normal(m, single + 2), normals.z, normal);
        if constexpr (Vectors > 1) tangent = mul_add(m, tangents.z, tangent);
        hn::StoreU(position.a, D(), out);
        hn::StoreU(position.b, D(), out + hn::Lanes(D()));
    }
    /// If `Exact`, `single` holds the nine numbers for normals by rows.
    HWY_INLINE void operator()(const float* single, float* const* out, std::size_t at) const {
        Pair n[3], t[3];
        row(0, single, out[0] + at, n[0], t[0]);
        row(1, single + 3, out[1] + at, n[1], t[1]);
        row(2, single + 6, out[2] + at, n[2], t[2]);
        if constexpr (Vectors > 0) store_units(n[0], n[1], n[2], out + 3, at);
        if constexpr (Vectors > 1) store_units(t[0], t[1], t[2], out + 6, at);
    }
};

template <class Rule, int K, int Vectors, bool Stretch>
std::size_t run_jobs(const Call& call, std::span<const Job> jobs) {
    const std::size_t lanes = hn::Lanes(D());
    const std::size_t center_row = 3 + 2 * static_cast<std::size_t>(call.block_vectors);
    const std::size_t weight_row = center_row + (call.centers ? 3 : 0);
    constexpr bool affine = std::is_base_of_v<AffineRule, Rule>;
    constexpr bool exact_one = affine && K == 1 && Rule::exact;
    constexpr bool pairs = affine && K > 0 && (K == 1 || !Rule::exact) && hn::MaxLanes(D()) < block;
    float* out[3 + 3 * Vectors];  // copies: no store can change them
    std::copy(call.out, call.out + 3 + 3 * Vectors, out);
    const std::size_t stride = call.stride, joints = call.joints;
    Context context{nullptr, nullptr, 0, 0};
    for (const Job& job : jobs) {
        const float* normals = job.coefficients;
        float own[9];
        if constexpr (exact_one) cofactors(normals, own), normals = own;
        context.constants = job.constants;
        const float* data = job.data;
        std::size_t at = job.first;
        for (std::size_t left = job.vertices; left > 0; data += stride, at += block) {
            const std::size_t here = std::min(block, left);
            left -= here;
            for (std::size_t lane = 0; lane < here; lane += lanes) {
                if constexpr (pairs) {
                    if (lane + lanes < here) {
                        AffinePair<K, Vectors, exact_one>(job.coefficients, data + lane, weight_row)(
                            normals, out, at + lane);
                        lane += lanes;
                        continue;
                    }
                }
                const Blender<K, joint_stride(Rule::coefficients, Stretch)> blend(
                    job.coefficients, data + weight_row * block + lane, joints);
                context.center = data + center_row * block + lane;
                context.valid = here - lane;
                deform<Rule, Vectors, Stretch>(blend, data + lane, out, at + lane, context);
            }
        }
    }
    return context.degenerate;
}

/// Sets of one to four joints have their own loops for the most frequently used methods.
template <class Rule, int Vectors, bool Unrolled>
std::size_t by_joints(const Call& call, std::span<const Job> jobs) {
    if constexpr (Rule::rigid) {
        if (call.stretch) return run_jobs<Rule, 0, Vectors, true>(call, jobs);
    }
    if constexpr (Unrolled) {
        switch (call.joints) {
            case 1:
                return run_jobs<Rule, 1, Vectors, false>(call, jobs);
            case 2:
                return run_jobs<Rule, 2, Vectors, false>(call, jobs);
            case 3:
                return run_jobs<Rule, 3, Vectors, false>(call, jobs);
            case 4:
                return run_jobs<Rule, 4, Vectors, false>(call, jobs);
            default:
                break;
        }
    }
    return run_jobs<Rule, 0, Vectors, false>(call, jobs);
}

template <class Rule, bool Unrolled = false>
std::size_t by_vectors(const Call& call, std::span<const Job> jobs) {
    if (call.vectors == 0) return by_joints<Rule, 0, Unrolled>(call, jobs);
    if (call.vectors == 1) return by_joints<Rule, 1, Unrolled>(call, jobs);
    return by_joints<Rule, 2, Unrolled>(call, jobs);
}

std::size_t run_here(const Call& call, std::span<const Job> jobs) {
    switch (call.rule) {
        case Rule::affine:
            return by_vectors<AffineRule, true>(call, jobs);
        case Rule::affine_exact:
            return by_vectors<ExactAffineRule, true>(call, jobs);
        case Rule::dual:
            return by_vectors<DualRule, true>(call, jobs);
        case Rule::centered:
            return by_vectors<CenteredRule, true>(call, jobs);
        case Rule::weighted:
            return by_vectors<WeightedRule>(call, jobs);
        case Rule::own_center:
            return by_vectors<OwnCenterRule>(call, jobs);
        case Rule::logarithm:
            return by_vectors<LogarithmRule>(call, jobs);
        case Rule::iterative:
            return by_vectors<IterativeRule, true>(call, jobs);
        case Rule::heaviest:
            return by_vectors<HeaviestRule>(call, jobs);
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

std::size_t run(const Call& call, std::span<const Job> jobs) {
    return HWY_DYNAMIC_DISPATCH(run_here)(call, jobs);
}

const char* target_name() {
    for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) return hwy::TargetName(target);
    return "none";
}

}  // namespace sinew::deform::kernels
#endif
