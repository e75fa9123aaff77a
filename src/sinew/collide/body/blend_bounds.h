// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Bounding spheres of all positions that blending can give one rest point while the weights vary in the
/// convex hull of given corners. They are the core of the refits; each formula is a function of its own for
/// testing.

#include <span>

#include "sinew/collide/tree/sphere.h"

namespace sinew::collide {

using math::Quatd;

/// Below this length a blend of quaternions may come close to zero, where dual quaternion blending has no
/// bound.
inline constexpr double min_blend = 0.05;

/// R(q) g for a quaternion of any non-zero length.
Vec3d rotated(const Quatd& q, const Vec3d& g);

/// One pair of the quotient lemma.
struct QuotientTerm {
    Quatd e, b;
};

/// max |E_k - h b_k| / <b_k, s>: the largest distance of E b^-1 from h for any non-negative combination of
/// the terms. Infinite when a denominator is not positive.
double quotient_bound(std::span<const QuotientTerm> terms, const Quatd& s, const Quatd& h);

/// A corner of spherical blending: sum c_i q_i and sum c_i C_i r_c.
struct SphericalCorner {
    Quatd q;
    Vec3d l;
};

/// Bounds all R(b) g + L of one set by the smallest of several spheres that are valid; `min_length` receives
/// the smallest <q_k, s>, or 1 when the whole sphere was used.
Sphere spherical_bound(std::span<const SphericalCorner> corners, const Vec3d& g, double& min_length);

/// A corner of dual quaternion blending of the point p: b = sum c_i q_i, e = b p + 2 sum c_i dual_i.
using DualCorner = QuotientTerm;

/// Bounds all vec(E b^-1); unbounded when the blend may come close to zero. `two_joints`: the corners are two
/// weights of the same two joints, so that the path is part of one screw motion. `min_length` receives the
/// smallest <b_k, s>.
Sphere dual_bound(std::span<const DualCorner> corners, bool two_joints, double& min_length);

}  // namespace sinew::collide
