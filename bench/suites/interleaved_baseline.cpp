// SPDX-License-Identifier: MIT
#include "interleaved_baseline.h"

#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bench/suites/interleaved_baseline.cpp"
#include "hwy/foreach_target.h"
//
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace sinew::bench::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR
void skin_here(const InterleavedMesh&, const float*, InterleavedVertex*) {}  // every x86-64 has better
#else
namespace hn = hwy::HWY_NAMESPACE;
using D = hn::FixedTag<float, 4>;
using V = hn::Vec<D>;

void skin_here(const InterleavedMesh& mesh, const float* palette, InterleavedVertex* out) {
    const D d;
    for (std::size_t v = 0; v < mesh.count; ++v) {
        const std::uint16_t* joints = mesh.joints + v * 4;
        const float* weights = mesh.weights + v * 4;
        V w = hn::Set(d, weights[0]);
        const float* m = palette + std::size_t{joints[0]} * 16;
        V c0 = hn::Mul(w, hn::Load(d, m)), c1 = hn::Mul(w, hn::Load(d, m + 4));
        V c2 = hn::Mul(w, hn::Load(d, m + 8)), c3 = hn::Mul(w, hn::Load(d, m + 12));
        for (int i = 1; i < 4; ++i) {
            w = hn::Set(d, weights[i]);
            m = palette + std::size_t{joints[i]} * 16;
            c0 = hn::MulAdd(w, hn::Load(d, m), c0);
            c1 = hn::MulAdd(w, hn::Load(d, m + 4), c1);
            c2 = hn::MulAdd(w, hn::Load(d, m + 8), c2);
            c3 = hn::MulAdd(w, hn::Load(d, m + 12), c3);
        }
        const InterleavedVertex& in = mesh.vertices[v];
        const auto apply = [&](const float* p, V last) {
            return hn::MulAdd(c0, hn::Set(d, p[0]),
                              hn::MulAdd(c1, hn::Set(d, p[1]), hn::MulAdd(c2, hn::Set(d, p[2]), last)));
        };
        const V position = apply(in.position, c3);
        const V normal = apply(in.normal, hn::Zero(d));
        // The fourth float of the position falls on the normal, which is written next.
        hn::StoreU(position, d, out[v].position);
        const hn::Half<D> half;
        hn::StoreU(hn::LowerHalf(half, normal), half, out[v].normal);
        out[v].normal[2] = hn::GetLane(hn::UpperHalf(half, normal));
    }
}

#endif

}  // namespace sinew::bench::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sinew::bench {
namespace {
HWY_EXPORT(skin_here);
}
void skin_interleaved(const InterleavedMesh& mesh, const float* palette, InterleavedVertex* out) {
    HWY_DYNAMIC_DISPATCH(skin_here)(mesh, palette, out);
}
}  // namespace sinew::bench
#endif
