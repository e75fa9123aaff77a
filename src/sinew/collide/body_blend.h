#pragma once
/// \file
/// Steps of blending on four floats. Inside the room only.

#include "sinew/collide/body.h"
#include "sinew/collide/float4.h"
#include "sinew/deform/blend.h"

namespace sinew::collide {

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
