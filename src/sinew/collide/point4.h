#pragma once
/// \file
/// Points as four floats, and the steps of blending on them. Inside the room only.

#include "sinew/collide/float4.h"
#include "sinew/math/types.h"

namespace sinew::collide {

using math::Vec3f;

/// Four floats: a point and a number that most leave at 0.
struct alignas(16) Point4 {
    float at[4] = {0, 0, 0, 0};

    Vec3f point() const { return {at[0], at[1], at[2]}; }
};

/// An axis-aligned box.
struct Box4 {
    Point4 low, high;
};

inline Point4 stored4(Float4 a) {
    Point4 point;
    store4(point.at, a);
    return point;
}

/// Under a joint: three columns and the translation. The fourth number is 0.
inline Float4 image(const Point4 (&columns)[4], Float4 p) {
    return load4(columns[0].at) * spread4<0>(p) + load4(columns[1].at) * spread4<1>(p) +
           load4(columns[2].at) * spread4<2>(p) + load4(columns[3].at);
}

/// Quaternions of some length from the columns of several matrices at once: the row of 4 q q^T that has the
/// largest diagonal, as in math::from_matrix().
template <class Several>
void quaternions_of(const Several (&c)[3][3], Several one, Several (&q)[4]) {
    const Several x = c[0][0], y = c[1][1], z = c[2][2], trace = x + y + z;
    const Several xy = c[0][1] + c[1][0], yz = c[1][2] + c[2][1], zx = c[2][0] + c[0][2];
    const Several wx = c[1][2] - c[2][1], wy = c[2][0] - c[0][2], wz = c[0][1] - c[1][0];
    Several best = x;
    q[0] = one + x - y - z, q[1] = xy, q[2] = zx, q[3] = wx;
    const auto take = [&](Several diagonal, Several a, Several b, Several d, Several e) {
        const Several row[4] = {a, b, d, e};
        for (int k = 0; k < 4; ++k) q[k] = pick_above(diagonal, best, row[k], q[k]);
        best = pick_above(diagonal, best, diagonal, best);
    };
    take(y, xy, one + y - x - z, yz, wy);
    take(z, zx, yz, one + z - x - y, wz);
    take(trace, wx, wy, wz, one + trace);
}

/// R(b) p = p + 2 v x (v x p + w p) / |b|^2, for b = (v, w) of any length.
inline Float4 turned(Float4 b, float squared, Float4 p) {
    const Float4 inner = cross3(b, p) + spread4<3>(b) * p;
    return p + all4(2 / squared) * cross3(b, inner);
}

/// R(b) p + 2 vec(e b*) / |b|^2: the same with e = (f, c) inside, v x (v x p + w p + f) + w f - c v.
inline Float4 moved_by(Float4 b, Float4 e, float squared, Float4 p) {
    const Float4 w = spread4<3>(b), c = spread4<3>(e);
    const Float4 inner = cross3(b, p) + w * p + e;
    return p + all4(2 / squared) * (cross3(b, inner) + w * e - c * b);
}

}  // namespace sinew::collide
