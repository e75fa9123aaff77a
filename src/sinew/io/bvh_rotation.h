#pragma once
/// \file
/// Three turns about coordinate axes as one quaternion, fast enough to disappear beside the parsing of the
/// numbers.

#include <bit>
#include <cstdint>

namespace sinew::io::bvh {

struct SinCos {
    double sine;
    double cosine;
};

/// Sine and cosine of half an angle in degrees, both with the same sign left open: a quaternion and its
/// negative are the same rotation. Error below 1e-11, and no branch.
inline SinCos half_angle(double degrees) {
    // Adding and subtracting 1.5 * 2^52 rounds to a whole number of half turns, whose last bit is the
    // last bit of the sum; 180 times it is exact below 1e15.
    constexpr double magic = 6755399441055744.0;
    const double shifted = degrees * (1.0 / 180) + magic;
    const double turns = shifted - magic;
    const double x = (degrees - 180 * turns) * (3.14159265358979323846 / 360);
    const double y = x * x;
    // Taylor series on [-pi/4, pi/4].
    const double sine =
        x * (1 + y * (-1.0 / 6 +
                      y * (1.0 / 120 + y * (-1.0 / 5040 + y * (1.0 / 362880 - y * (1.0 / 39916800))))));
    const double cosine =
        1 + y * (-1.0 / 2 +
                 y * (1.0 / 24 +
                      y * (-1.0 / 720 + y * (1.0 / 40320 + y * (-1.0 / 3628800 + y * (1.0 / 479001600))))));
    // After an odd number of half turns of the angle, the half angle is a quarter turn on.
    const bool odd = (std::bit_cast<std::uint64_t>(shifted) & 1) != 0;
    return odd ? SinCos{cosine, -sine} : SinCos{sine, cosine};
}

/// R_i(a) R_j(b) R_k(c) for three different axes: with e = +1 when i j k is cyclic, else -1,
/// w = ca cb cc - e sa sb sc and so on, the product of three half-angle quaternions written out.
struct ThreeTurns {
    int i, j, k;
    double e;

    void apply(double a, double b, double c, float* xyzw) const {
        const SinCos p = half_angle(a), q = half_angle(b), r = half_angle(c);
        const double cc = p.cosine * q.cosine, ss = e * (p.sine * q.sine);
        const double sc = p.sine * q.cosine, cs = p.cosine * q.sine;
        xyzw[3] = static_cast<float>(cc * r.cosine - ss * r.sine);
        xyzw[i] = static_cast<float>(sc * r.cosine + e * (cs * r.sine));
        xyzw[j] = static_cast<float>(cs * r.cosine - e * (sc * r.sine));
        xyzw[k] = static_cast<float>(cc * r.sine + ss * r.cosine);
    }
};

}  // namespace sinew::io::bvh
