// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Poses in the conventions of a BVH file, which has neither rest rotations nor scale (formulas: write_bvh),
/// and fast conversion of three rotations about coordinate axes to a quaternion.

#include <bit>
#include <cstdint>
#include <string_view>
#include <vector>

#include "sinew/base/monitor.h"
#include "sinew/model/clip.h"

namespace sinew::io::bvh {

struct SinCos {
    double sine;
    double cosine;
};

/// Sine and cosine of half an angle in degrees. Both may have the opposite sign, because a quaternion and its
/// negative are the same rotation. Error below 1e-11, without branches.
inline SinCos half_angle(double degrees) {
    // Adding and subtracting 1.5 * 2^52 rounds to an integer number of half rotations; its parity is the last
    // bit of the sum. The product with 180 is exact below 1e15.
    constexpr double magic = 6755399441055744.0;
    const double shifted = degrees * (1.0 / 180) + magic;
    const double half_turns = shifted - magic;
    const double x = (degrees - 180 * half_turns) * (3.14159265358979323846 / 360);
    const double y = x * x;
    // Taylor series on [-pi/4, pi/4].
    const double sine =
        x * (1 + y * (-1.0 / 6 +
                      y * (1.0 / 120 + y * (-1.0 / 5040 + y * (1.0 / 362880 - y * (1.0 / 39916800))))));
    const double cosine =
        1 + y * (-1.0 / 2 +
                 y * (1.0 / 24 +
                      y * (-1.0 / 720 + y * (1.0 / 40320 + y * (-1.0 / 3628800 + y * (1.0 / 479001600))))));
    // After an odd number of half rotations the half angle is advanced by 90 degrees.
    const bool odd = (std::bit_cast<std::uint64_t>(shifted) & 1) != 0;
    return odd ? SinCos{cosine, -sine} : SinCos{sine, cosine};
}

/// R_i(a) R_j(b) R_k(c) for three different axes: with e = +1 when i j k is cyclic, else -1,
/// w = ca cb cc - e sa sb sc and so on, the product of three half-angle quaternions written out.
struct ThreeRotations {
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

/// A joint in one frame.
struct Local {
    math::Quatd rotation;
    math::Vec3d position;
};

/// The rest pose without rotations, and the rotations from poses to it.
struct UprightRest {
    std::vector<math::Quatd> rotated;  ///< C_j: rest rotation in the world
    std::vector<math::Vec3d> offsets;  ///< OFFSET_j
    std::vector<math::Vec3d> tips;     ///< End Site OFFSETs; zero where there is none
    double size = 0;                   ///< height, or the longest OFFSET if that is larger

    explicit UprightRest(const model::Skeleton& skeleton);
};

/// A motion as a table of frames.
struct Table {
    double step = 1.0 / 30;
    std::size_t frames = 1;
    std::size_t joints = 0;
    std::vector<Local> cells;

    const Local& at(std::size_t frame, std::size_t joint) const { return cells[frame * joints + joint]; }
};

/// Samples a clip at `rate`, or at its own rate when that is 0; a null `clip` gives the rest pose as one
/// frame.
/// \throws Error when there would be too many frames
Table sample_table(const model::Skeleton& skeleton, const UprightRest& rest, const model::Clip* clip,
                   double rate, std::string_view file, Monitor& monitor);

}  // namespace sinew::io::bvh
