// SPDX-License-Identifier: MIT
#include "sinew/deform/skinning/kernels/joint_kernels.h"

#include <algorithm>
#include <type_traits>

#define HWY_DISABLED_TARGETS \
    (HWY_SSSE3 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sinew/deform/skinning/kernels/joint_kernels.cpp"
#include "hwy/foreach_target.h"
//
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace sinew::deform::kernels::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_HAVE_FLOAT64 && HWY_TARGET != HWY_SCALAR

using D = hn::CappedTag<double, 4>;
using V = hn::Vec<D>;
using M = hn::Mask<D>;
constexpr std::size_t lanes = hn::MaxLanes(D());

HWY_INLINE V splat(double value) {
    return hn::Set(D(), value);
}
HWY_INLINE V mul(V a, V b) {
    return hn::Mul(a, b);
}
HWY_INLINE V add(V a, V b) {
    return hn::Add(a, b);
}
HWY_INLINE V sub(V a, V b) {
    return hn::Sub(a, b);
}
HWY_INLINE V sum3(V a, V b, V c) {
    return hn::Add(hn::Add(a, b), c);
}

/// Four values of each lane.
struct Four {
    V x, y, z, w;
};

HWY_INLINE V load(const double* from) {
    return hn::LoadU(D(), from);
}
HWY_INLINE V load(const float* from) {
    return hn::PromoteTo(D(), hn::LoadU(hn::Rebind<float, D>(), from));
}

/// Converts lanes to components or back: four by four, or two by two where a vector has two doubles.
HWY_INLINE void interleave(V& a, V& b) {
    const V low = hn::InterleaveLower(D(), a, b);
    b = hn::InterleaveUpper(D(), a, b);
    a = low;
}
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
HWY_INLINE Four transposed(V a, V b, V c, V d) {
    interleave(a, b), interleave(c, d);
    return {hn::ConcatLowerLower(D(), c, a), hn::ConcatLowerLower(D(), d, b), hn::ConcatUpperUpper(D(), c, a),
            hn::ConcatUpperUpper(D(), d, b)};
}
/// For each lane the four numbers at `from(lane)`.
template <class From>
HWY_INLINE Four gather(const From& from) {
    return transposed(load(from(0)), load(from(1)), load(from(2)), load(from(3)));
}
template <class To>
HWY_INLINE void scatter(const Four& v, const To& to) {
    const Four rows = transposed(v.x, v.y, v.z, v.w);
    hn::StoreU(rows.x, D(), to(0));
    hn::StoreU(rows.y, D(), to(1));
    hn::StoreU(rows.z, D(), to(2));
    hn::StoreU(rows.w, D(), to(3));
}
#else
static_assert(lanes == 2);
template <class From>
HWY_INLINE Four gather(const From& from) {
    Four v{load(from(0)), load(from(1)), load(from(0) + 2), load(from(1) + 2)};
    interleave(v.x, v.y), interleave(v.z, v.w);
    return v;
}
template <class To>
HWY_INLINE void scatter(Four v, const To& to) {
    interleave(v.x, v.y), interleave(v.z, v.w);
    hn::StoreU(v.x, D(), to(0));
    hn::StoreU(v.y, D(), to(1));
    hn::StoreU(v.z, D(), to(0) + 2);
    hn::StoreU(v.w, D(), to(1) + 2);
}
#endif

/// One bit of the mask for each of the lanes from `done` on.
HWY_INLINE void put_mask(M mask, std::uint8_t* done) {
    alignas(64) double values[lanes];
    hn::Store(hn::IfThenElseZero(mask, splat(1)), D(), values);
    for (std::size_t l = 0; l < lanes; ++l) done[l] = values[l] != 0;
}

/// See split_rigid in set_coefficients.cpp.
HWY_INLINE void split_some(const MotionJob& job, std::size_t first) {
    const float* const palette = job.palette + first * 12;
    const auto row = [&](std::size_t r)
                         HWY_ATTR { return gather([&](std::size_t l) { return palette + l * 12 + r * 4; }); };
    const Four a = row(0), b = row(1), c = row(2);
    const V one = splat(1), two = splat(2), half = splat(0.5);
    const auto gram = [&](V ax, V bx, V cx, V ay, V by, V cy)
                          HWY_ATTR { return sum3(mul(ax, ay), mul(bx, by), mul(cx, cy)); };
    const V xx = sub(gram(a.x, b.x, c.x, a.x, b.x, c.x), one),
            yy = sub(gram(a.y, b.y, c.y, a.y, b.y, c.y), one),
            zz = sub(gram(a.z, b.z, c.z, a.z, b.z, c.z), one);
    const V xy = gram(a.x, b.x, c.x, a.y, b.y, c.y), xz = gram(a.x, b.x, c.x, a.z, b.z, c.z),
            yz = gram(a.y, b.y, c.y, a.z, b.z, c.z);
    const V determinant =
        sum3(mul(a.x, sub(mul(b.y, c.z), mul(b.z, c.y))), mul(a.y, sub(mul(b.z, c.x), mul(b.x, c.z))),
             mul(a.z, sub(mul(b.x, c.y), mul(b.y, c.x))));
    const V error = add(sum3(mul(xx, xx), mul(yy, yy), mul(zz, zz)),
                        mul(two, sum3(mul(xy, xy), mul(xz, xz), mul(yz, yz))));
    const V trace = sum3(a.x, b.y, c.z);
    const M rigid =
        hn::And(hn::Le(error, splat(job.tolerance * job.tolerance)), hn::Gt(determinant, splat(0)));
    put_mask(rigid, job.done + first);

    // The largest component follows from the diagonal: it is w unless a rotation is by more than 120 degrees.
    const V rx = sub(c.y, b.z), ry = sub(a.z, c.x), rz = sub(b.x, a.y);
    V w = add(one, trace), x = rx, y = ry, z = rz;
    const M by_w = hn::And(hn::Ge(trace, a.x), hn::And(hn::Ge(trace, b.y), hn::Ge(trace, c.z)));
    if (!hn::AllTrue(D(), by_w)) {
        const M by_x = hn::And(hn::Ge(a.x, b.y), hn::Ge(a.x, c.z)), by_y = hn::Ge(b.y, c.z);
        const V dx = sub(sub(add(one, a.x), b.y), c.z), dy = sub(sub(add(one, b.y), c.z), a.x),
                dz = sub(sub(add(one, c.z), a.x), b.y);
        const V sxy = add(b.x, a.y), sxz = add(c.x, a.z), syz = add(c.y, b.z);
        const auto choose = [&](V of_w, V of_x, V of_y, V of_z) HWY_ATTR {
            return hn::IfThenElse(by_w, of_w, hn::IfThenElse(by_x, of_x, hn::IfThenElse(by_y, of_y, of_z)));
        };
        x = choose(x, dx, sxy, sxz), y = choose(y, sxy, dy, syz), z = choose(z, sxz, syz, dz);
        w = choose(w, rx, ry, rz);
    }
    const V scale = hn::Div(one, hn::Sqrt(add(sum3(mul(w, w), mul(x, x), mul(y, y)), mul(z, z))));
    const Four q{mul(x, scale), mul(y, scale), mul(z, scale), mul(w, scale)};
    double* const out = job.out + first * joint_doubles;
    const auto put = [&](const Four& values, std::size_t at) HWY_ATTR {
        scatter(values, [&](std::size_t l) { return out + l * joint_doubles + at; });
    };
    put(q, 0);
    if (!job.rows) {
        const V tx = a.w, ty = b.w, tz = c.w;
        const auto dual = [&](V u, V v, V s) HWY_ATTR { return mul(half, sub(add(u, v), s)); };
        put({dual(mul(tx, q.w), mul(ty, q.z), mul(tz, q.y)), dual(mul(ty, q.w), mul(tz, q.x), mul(tx, q.z)),
             dual(mul(tz, q.w), mul(tx, q.y), mul(ty, q.x)),
             mul(splat(-0.5), sum3(mul(tx, q.x), mul(ty, q.y), mul(tz, q.z)))},
            4);
        return;
    }
    const V x2 = mul(two, q.x), y2 = mul(two, q.y), z2 = mul(two, q.z);
    const V qxx = mul(x2, q.x), qyy = mul(y2, q.y), qzz = mul(z2, q.z), qxy = mul(x2, q.y),
            qxz = mul(x2, q.z), qyz = mul(y2, q.z), qwx = mul(x2, q.w), qwy = mul(y2, q.w),
            qwz = mul(z2, q.w);
    put({sub(sub(one, qyy), qzz), sub(qxy, qwz), add(qxz, qwy), a.w}, 4);
    put({add(qxy, qwz), sub(sub(one, qxx), qzz), sub(qyz, qwx), b.w}, 8);
    put({sub(qxz, qwy), add(qyz, qwx), sub(sub(one, qxx), qyy), c.w}, 12);
}

/// See plain_center in set_coefficients.cpp. `K` joints per set, or `count` if it is 0.
template <std::size_t K>
HWY_INLINE void solve_some(const CenterJob& job, std::size_t set) {
    const std::size_t count = K > 0 ? K : job.joint_count;
    const std::uint32_t* const list = job.list + set * count;
    Four rows[K > 0 ? K : most_joints][3];
    for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t r = 0; r < 3; ++r) {
            rows[i][r] = gather(
                [&](std::size_t l) { return job.joints + list[l * count + i] * joint_doubles + 4 + 4 * r; });
        }
    }
    V x, y, z;
    M well;
    if (K == 2) {
        V trace = splat(0), bx = trace, by = trace, bz = trace;
        for (std::size_t r = 0; r < 3; ++r) {
            const Four &a = rows[0][r], &b = rows[1][r];
            const V dx = sub(b.x, a.x), dy = sub(b.y, a.y), dz = sub(b.z, a.z), t = sub(b.w, a.w);
            trace = add(trace, sum3(mul(dx, dx), mul(dy, dy), mul(dz, dz)));
            bx = add(bx, mul(t, dx)), by = add(by, mul(t, dy)), bz = add(bz, mul(t, dz));
        }
        const V scale = hn::Div(splat(-2), trace);
        x = mul(bx, scale), y = mul(by, scale), z = mul(bz, scale);
        well = hn::Gt(hn::Div(trace, splat(8)), splat(job.cut));
    } else {
        const V share = splat(1 / static_cast<double>(count)), none = splat(0);
        V xx = none, xy = none, xz = none, yy = none, yz = none, zz = none, bx = none, by = none, bz = none;
        for (std::size_t r = 0; r < 3; ++r) {
            const Four& a = rows[0][r];
            V sx = none, sy = none, sz = none, st = none;
            for (std::size_t i = 1; i < count; ++i) {
                const Four& b = rows[i][r];
                const V dx = sub(b.x, a.x), dy = sub(b.y, a.y), dz = sub(b.z, a.z), t = sub(b.w, a.w);
                sx = add(sx, dx), sy = add(sy, dy), sz = add(sz, dz), st = add(st, t);
                xx = add(xx, mul(dx, dx)), xy = add(xy, mul(dx, dy)), xz = add(xz, mul(dx, dz));
                yy = add(yy, mul(dy, dy)), yz = add(yz, mul(dy, dz)), zz = add(zz, mul(dz, dz));
                bx = sub(bx, mul(t, dx)), by = sub(by, mul(t, dy)), bz = sub(bz, mul(t, dz));
            }
            const V mx = mul(share, sx), my = mul(share, sy), mz = mul(share, sz);
            xx = sub(xx, mul(mx, sx)), xy = sub(xy, mul(mx, sy)), xz = sub(xz, mul(mx, sz));
            yy = sub(yy, mul(my, sy)), yz = sub(yz, mul(my, sz)), zz = sub(zz, mul(mz, sz));
            bx = add(bx, mul(mx, st)), by = add(by, mul(my, st)), bz = add(bz, mul(mz, st));
        }
        const V trace = sum3(xx, yy, zz);
        const auto minor = [](V a, V b, V c, V d) HWY_ATTR { return sub(mul(a, b), mul(c, d)); };
        const V cx = minor(yy, zz, yz, yz), cy = minor(xz, yz, xy, zz), cz = minor(xy, yz, xz, yy);
        const V dy = minor(xx, zz, xz, xz), dz = minor(xy, xz, xx, yz), ez = minor(xx, yy, xy, xy);
        const V determinant = sum3(mul(xx, cx), mul(xy, cy), mul(xz, cz));
        const V scale = hn::Div(splat(1), determinant);
        x = mul(sum3(mul(cx, bx), mul(cy, by), mul(cz, bz)), scale);
        y = mul(sum3(mul(cy, bx), mul(dy, by), mul(dz, bz)), scale);
        z = mul(sum3(mul(cz, bx), mul(dz, by), mul(ez, bz)), scale);
        well = hn::Gt(mul(splat(4 / static_cast<double>(count)), determinant),
                      mul(mul(splat(2 * job.cut), trace), trace));
    }
    put_mask(well, job.done + set);

    const hn::Rebind<float, D> df;
    alignas(64) float staged[3 * lanes];
    const auto put = [&](V vx, V vy, V vz, float* to, std::size_t apart) HWY_ATTR {
        hn::Store(hn::DemoteTo(df, vx), df, staged);
        hn::Store(hn::DemoteTo(df, vy), df, staged + lanes);
        hn::Store(hn::DemoteTo(df, vz), df, staged + 2 * lanes);
        for (std::size_t l = 0; l < lanes; ++l) {
            for (std::size_t r = 0; r < 3; ++r) to[l * apart + r] = staged[r * lanes + l];
        }
    };
    put(x, y, z, job.centers + set * 3, 3);
    float* const out = job.moved + set * count * job.stride;
    V first[3] = {splat(0), splat(0), splat(0)};
    for (std::size_t i = 0; i < count; ++i) {
        const auto moved = [&](const Four& row) HWY_ATTR {
            return add(sum3(mul(row.x, x), mul(row.y, y), mul(row.z, z)), row.w);
        };
        const V mx = moved(rows[i][0]), my = moved(rows[i][1]), mz = moved(rows[i][2]);
        put(sub(mx, first[0]), sub(my, first[1]), sub(mz, first[2]), out + i * job.stride,
            count * job.stride);
        if (i == 0) first[0] = mx, first[1] = my, first[2] = mz;
    }
}

/// All of `count`, a full vector per step; the last step begins early enough to be full.
template <class Step>
HWY_INLINE void in_steps(std::size_t count, const Step& step) {
    if (count < lanes) return;
    for (std::size_t i = 0; i < count; i += lanes) step(std::min(i, count - lanes));
}

void split_here(const MotionJob& job) {
    in_steps(job.count, [&](std::size_t first) HWY_ATTR { split_some(job, first); });
}

void solve_here(const CenterJob& job) {
    const auto all = [&]<std::size_t K>(std::integral_constant<std::size_t, K>) HWY_ATTR {
        in_steps(job.sets, [&](std::size_t set) HWY_ATTR { solve_some<K>(job, set); });
    };
    switch (job.joint_count) {
        case 2:
            return all(std::integral_constant<std::size_t, 2>());
        case 3:
            return all(std::integral_constant<std::size_t, 3>());
        case 4:
            return all(std::integral_constant<std::size_t, 4>());
        default:
            return all(std::integral_constant<std::size_t, 0>());
    }
}

#else

void split_here(const MotionJob&) {}
void solve_here(const CenterJob&) {}

#endif

}  // namespace sinew::deform::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sinew::deform::kernels {
namespace {

HWY_EXPORT(split_here);
HWY_EXPORT(solve_here);

}  // namespace

void split_motions(const MotionJob& job) {
    std::fill_n(job.done, job.count, std::uint8_t{0});
    HWY_DYNAMIC_DISPATCH(split_here)(job);
}

void solve_centers(const CenterJob& job) {
    std::fill_n(job.done, job.sets, std::uint8_t{0});
    if (job.joint_count < 2 || job.joint_count > most_joints) return;
    HWY_DYNAMIC_DISPATCH(solve_here)(job);
}

}  // namespace sinew::deform::kernels
#endif
