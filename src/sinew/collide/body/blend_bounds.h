// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Spheres around everything that blending can make of one rest point while the weights run through the hull
/// of some corners. They are the heart of the refits, written so that each formula can be tested by itself.

#include <span>

#include "sinew/collide/tree/sphere.h"

namespace sinew::collide {

using math::Quatd;

/// Below this a blend of quaternions may come near zero, where dual quaternion blending has no bound.
inline constexpr double min_blend = 0.05;

/// R(q) g for a quaternion of any length but zero.
Vec3d rotated(const Quatd& q, const Vec3d& g);

/// One pair of the quotient lemma.
struct QuotientTerm {
    Quatd e, b;
};

/// max |E_k - h b_k| / <b_k, s>: how far E b^-1 can be from h for any non-negative combination of the terms.
/// Infinite when a denominator is not positive.
double quotient_bound(std::span<const QuotientTerm> terms, const Quatd& s, const Quatd& h);

/// A corner of spherical blending: sum c_i q_i and sum c_i C_i r_c.
struct SphericalCorner {
    Quatd q;
    Vec3d l;
};

/// All R(b) g + L for one set: the smallest of several bounds, as far as they hold; `min_length` receives the
/// smallest <q_k, s>, 1 where the whole sphere was taken.
Sphere spherical_bound(std::span<const SphericalCorner> corners, const Vec3d& g, double& min_length);

/// A corner of dual quaternion blending of the point p: b = sum c_i q_i, e = b p + 2 sum c_i dual_i.
using DualCorner = QuotientTerm;

/// All vec(E b^-1); unbounded when the blend may come near zero. `two_joints`: the corners are two weights of
/// the same two joints, so that the path is part of one screw motion. `min_length` receives the smallest
/// <b_k, s>.
Sphere dual_bound(std::span<const DualCorner> corners, bool two_joints, double& min_length);

}  // namespace sinew::collide
