// SPDX-License-Identifier: MIT
// Data of an influence set, computed once per pose if quaternions are blended: the same signs and the same
// centre as skinning (deform/skinning/set_coefficients.cpp).

#include "sinew/collide/body/blend_pose.h"

#include <algorithm>
#include <cmath>

#include "sinew/deform/blend.h"

namespace sinew::collide {

using deform::Method;

namespace {

/// Error that rounding of a known centre, and of the variance, adds to a deviation at distance 1 from the
/// origin.
constexpr float inexact_deviation = 1e-6f;

/// Nearer to a right angle than this, the sign of a quaternion is decided in double precision.
constexpr float min_dot = 1e-3f;

void rotations_of_four(const Point4* const (&columns)[4], Point4* out) {
    Float4 c[3][3], q[4];
    for (int k = 0; k < 3; ++k) {
        Float4 rows[4];
        for (int i = 0; i < 4; ++i) rows[i] = load4(columns[i][k].at);
        transpose4(rows[0], rows[1], rows[2], rows[3]);
        std::copy(rows, rows + 3, c[k]);
    }
    quaternions_of(c, all4(1), q);
    const Float4 scale = all4(1) / root4(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (Float4& coordinate : q) coordinate = coordinate * scale;
    transpose4(q[0], q[1], q[2], q[3]);
    for (int i = 0; i < 4; ++i) store4(out[i].at, q[i]);
}

}  // namespace

BlendPose::BlendPose(JointPose& pose, SignTreePose& signs)
    : joints_(pose), signs_(signs), tree_(pose.tree), method_(pose.method) {
    if (method_ == Method::lbs) return;
    const std::size_t sets = tree_->sets.size(), joints = tree_->palette_size;
    sets_.resize(sets);
    set_joints_.resize(tree_->set_joints.size());
    played_joints_.resize(tree_->set_joints.size());
    center_terms_.resize(method_ == Method::sbs ? (joints + 1) / 2 * 2 : 0);
    rotations_.resize((joints + 3) / 4 * 4);
    duals_.resize(method_ == Method::dqs ? joints : 0);
    rotation_cache_ = PerPoseCache(1);
    set_cache_ = PerPoseCache(sets);
    centers_.resize(method_ == Method::sbs ? sets : 0);
    center_cache_ = PerPoseCache(centers_.size());
    term_cache_ = PerPoseCache(center_terms_.size() / 2);
    exact_cache_ = PerPoseCache(sets);
}

std::size_t BlendPose::bytes() const {
    return bytes_of(sets_) + bytes_of(centers_) + bytes_of(set_joints_) + bytes_of(played_joints_) +
           bytes_of(center_terms_) + bytes_of(rotations_) + bytes_of(duals_) + rotation_cache_.bytes() +
           set_cache_.bytes() + center_cache_.bytes() + term_cache_.bytes() + exact_cache_.bytes();
}

/// All joints at once, with the signs nearest to the first joint: if the joints of all sets are then less
/// than a right angle apart, these are the signs of all sets.
void BlendPose::fill_rotations() {
    const std::size_t count = tree_->palette_size;
    for (std::size_t j = 0; j < count; j += 4) {
        const auto columns = [&](std::size_t k) { return joints_.columns[std::min(k, count - 1)].at; };
        rotations_of_four({columns(j), columns(j + 1), columns(j + 2), columns(j + 3)}, &rotations_[j]);
    }
    const Float4 first = load4(rotations_[0].at);
    float smallest = 1;
    for (std::size_t j = 0; j < count; ++j) {
        Float4 q = load4(rotations_[j].at);
        const float along = dot4(q, first);
        if (along < 0) q = all4(0) - q;
        smallest = std::min(smallest, std::abs(along));
        store4(rotations_[j].at, q);
        if (method_ != Method::dqs) continue;
        // t q / 2 for t = (0, t): (w t + t x v, -t v) / 2
        const Float4 t = load4(joints_.columns[j].at[3].at);
        const Float4 vector = cross3(t, q) + spread4<3>(q) * t;
        const Float4 along_t = all4(dot4(t, q));
        store4(duals_[j].at, (vector - (along_t - first3(along_t))) * all4(0.5f));
    }
    // Within 45 degrees of the first, any two are less than a right angle apart.
    signs_agree_ = joints_.plain && tree_->sign_tree.whole && (smallest > 0.708f || check_signs());
}

bool BlendPose::check_signs() const {
    const std::vector<SignTree::Edge>& edges = tree_->sign_tree.edges;
    Float4 smallest = all4(1);
    for (std::size_t e = 0; e < edges.size(); e += 4) {
        Float4 dots[4];
        for (std::size_t i = 0; i < 4; ++i)
            dots[i] = load4(rotations_[edges[e + i].leader].at) * load4(rotations_[edges[e + i].follower].at);
        transpose4(dots[0], dots[1], dots[2], dots[3]);
        smallest = min4(smallest, dots[0] + dots[1] + dots[2] + dots[3]);
    }
    return bits_above(smallest, all4(min_dot)) == 0xf;
}

/// In double precision, for signs that single precision cannot decide.
void BlendPose::fill_set(std::uint32_t index) {
    prepare_exact(index);
    const TreeSet& from = tree_->sets[index];
    for (std::uint32_t i = from.first_joint; i < from.first_joint + from.joint_count; ++i) {
        const SetJoint& exact = set_joints_[i];
        PlayedJoint& played = played_joints_[i];
        for (int k = 0; k < 4; ++k) {
            played.q[k] = static_cast<float>(exact.q.coeffs()[k]);
            played.other[k] = method_ == Method::dqs ? static_cast<float>(exact.dual.coeffs()[k])
                              : k < 3                ? static_cast<float>(exact.moved[k])
                                                     : 0;
        }
    }
}

const BlendPose::PlayedJoint* BlendPose::exact_played_joints(std::uint32_t index) {
    if (!set_cache_.ready(index, joints_.number))
        set_cache_.fill(index, joints_.number, [&] { fill_set(index); });
    return played_joints_.data() + tree_->sets[index].first_joint;
}

/// In double precision, with the differences between the joints.
void BlendPose::fill_exact(std::uint32_t index) {
    const TreeSet& from = tree_->sets[index];
    Set& set = sets_[index];
    SetJoint* const out = set_joints_.data() + from.first_joint;
    const std::uint32_t* const joints = tree_->set_joints.data() + from.first_joint;
    const Vec3d center = method_ == Method::sbs ? rest_center(index).point() : Vec3d(Vec3d::Zero());
    Quatd sum(0, 0, 0, 0);
    for (std::size_t k = 0; k < from.joint_count; ++k) {
        const std::uint32_t i = tree_->sign_order[from.first_joint + k];
        const std::int32_t leader = tree_->sign_parents[from.first_joint + i];
        joints_.prepare_motion(joints[i]);
        const math::DualQuatd& motion = joints_.motions[joints[i]].dual;
        const bool flip = leader >= 0 && math::dot(motion.real, out[static_cast<std::size_t>(leader)].q) < 0;
        out[i].q.coeffs() = (flip ? -1.0 : 1.0) * motion.real.coeffs();
        out[i].dual.coeffs() = (flip ? -1.0 : 1.0) * motion.dual.coeffs();
        sum.coeffs() += out[i].q.coeffs();
    }
    set.min_length = 1;
    set.spread = 0;
    const double length = sum.norm();
    for (std::size_t i = 0; i < from.joint_count; ++i) {
        set.min_length = std::min(set.min_length, length > 1e-9 ? math::dot(out[i].q, sum) / length : 0.0);
        if (method_ != Method::sbs) continue;
        out[i].moved = joints_.motions[joints[i]].rigid * center;
        for (std::size_t k = 0; k < i; ++k)
            set.spread = std::max(set.spread, (out[i].moved - out[k].moved).norm());
    }
}

BlendPose::BlendDeviation BlendPose::tight_blend_deviation(std::uint32_t index) {
    BlendDeviation deviation = signs_.blend_deviation(index);
    if (method_ != Method::sbs || !(deviation.rotation < infinite)) return deviation;
    const Center own = rest_center(index);
    const float center = own.size();
    deviation.spread = tree_->sign_tree.sizes[index].root *
                       (center_deviation(index, load4(own.rest.at)) + own.gap +
                        inexact_deviation * (center + static_cast<float>(joints_.moved)));
    deviation.slack = signs_.deviation_slack(index, center);
    return deviation;
}

/// Standard deviation of the images of a point under the joints.
float BlendPose::center_deviation(std::uint32_t index, Float4 center) const {
    const auto joints = tree_->joints_of(index);
    const Float4 first = image(joints_.columns[joints[0]].at, center);
    Float4 sum = all4(0), squares = all4(0);
    for (std::size_t i = 1; i < joints.size(); ++i) {
        const Float4 off = image(joints_.columns[joints[i]].at, center) - first;
        sum = sum + off;
        squares = squares + off * off;
    }
    const Float4 share = all4(1 / static_cast<float>(joints.size()));
    return std::sqrt(std::max(0.0f, sum4(share * (squares - share * sum * sum)))) * (1 + 0x1p-18f);
}

// Rotation centres of spherical blending: those of skinning (deform::set_center()).
//
// A c = b with A = 1 - M^T M, b = M^T T - sum R_i^T t_i / n, M and T the means of R_i and t_i
// (math::center_equations).
namespace {

struct Equations {
    double xx, yy, zz, xy, xz, yz;  ///< A
    double bx, by, bz;

    math::CenterEquations whole(double pair_weight) const {
        math::CenterEquations system;
        system.a << xx, xy, xz, xy, yy, yz, xz, yz, zz;
        system.b = Vec3d(bx, by, bz);
        system.pair_weight = pair_weight;
        return system;
    }
};

/// From the means of CenterTerms.
Equations equations_of(const double (&m)[16]) {
    const auto dot = [&](int i, int k) { return m[i] * m[k] + m[i + 3] * m[k + 3] + m[i + 6] * m[k + 6]; };
    const auto moved = [&](int k) { return m[k] * m[9] + m[k + 3] * m[10] + m[k + 6] * m[11] - m[12 + k]; };
    return {1 - dot(0, 0), 1 - dot(1, 1), 1 - dot(2, 2), -dot(0, 1), -dot(0, 2),
            -dot(1, 2),    moved(0),      moved(1),      moved(2)};
}

/// Solves the well-conditioned systems; false for the rest. Rotations that are equal for deform::set_center()
/// have their centre at the origin.
bool plainly_solved(const Equations& a, double cut, bool pair, Vec3d& center) {
    const double s = (a.xx + a.yy + a.zz) / 2;
    center = Vec3d::Zero();
    if (s < cut / 4) return true;
    if (s < 4 * cut) return false;
    const double cx = a.yy * a.zz - a.yz * a.yz, cy = a.xz * a.yz - a.xy * a.zz,
                 cz = a.xy * a.yz - a.xz * a.yy;
    const double determinant = a.xx * cx + a.xy * cy + a.xz * cz, s2 = s * s;
    // The smallest eigenvalue is at least determinant / s^2.
    if (determinant > 1e-6 * s * s2 && determinant > 4 * cut * s2) {
        const double ex = a.xx * a.zz - a.xz * a.xz, ey = a.xy * a.xz - a.xx * a.yz,
                     ez = a.xx * a.yy - a.xy * a.xy, share = 1 / determinant;
        center =
            Vec3d((cx * a.bx + cy * a.by + cz * a.bz) * share, (cy * a.bx + ex * a.by + ey * a.bz) * share,
                  (cz * a.bx + ey * a.by + ez * a.bz) * share);
        return true;
    }
    center = Vec3d(a.bx, a.by, a.bz) / s;  // about one axis
    return pair || std::abs(determinant) < 1e-10 * s * s2;
}

}  // namespace

/// The rotation is that of math::from_matrix(), through quaternions of any length.
void BlendPose::fill_terms(std::uint32_t pair) {
    const std::size_t joint = 2 * std::size_t{pair};
    const JointPose::Joint &a = joints_.joints[joint],
                           &b = joints_.joints[std::min(joint + 1, joints_.joints.size() - 1)];
    const Lanes2 lanes;
    const auto both = [&](double x, double y) {
        alignas(16) const double values[2] = {x, y};
        return hn::Load(lanes, values);
    };
    Double2 c[3][3], t[3], q[4];
    for (int k = 0; k < 3; ++k) {
        for (int i = 0; i < 3; ++i) c[k][i] = both(a.linear(i, k), b.linear(i, k));
        t[k] = both(a.move[k], b.move[k]);
    }
    const Double2 one = hn::Set(lanes, 1.0);
    quaternions_of(c, one, q);
    const Double2 twice = hn::Set(lanes, 2.0) / (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    const Double2 x = twice * q[0], y = twice * q[1], z = twice * q[2];
    const Double2 xx = x * q[0], yy = y * q[1], zz = z * q[2], xy = x * q[1], yz = y * q[2], zx = z * q[0],
                  wx = x * q[3], wy = y * q[3], wz = z * q[3];
    const Double2 r[9] = {one - yy - zz, xy - wz, zx + wy, xy + wz,      one - xx - zz,
                          yz - wx,       zx - wy, yz + wx, one - xx - yy};
    const auto put = [&](int k, Double2 value) {
        alignas(16) double values[2];
        hn::Store(value, lanes, values);
        center_terms_[joint].at[k] = values[0];
        center_terms_[joint + 1].at[k] = values[1];
    };
    for (int k = 0; k < 9; ++k) put(k, r[k]);
    for (int k = 0; k < 3; ++k) {
        put(9 + k, t[k]);
        put(12 + k, r[k] * t[0] + r[k + 3] * t[1] + r[k + 6] * t[2]);
    }
}

void BlendPose::fill_center(std::uint32_t index) {
    Vec3d center = Vec3d::Zero();
    if (joints_.stretches) {
        center = solved_center(index);
    } else {
        const auto joints = tree_->joints_of(index);
        for (const std::uint32_t joint : joints) {
            if (!term_cache_.ready(joint / 2, joints_.number))
                term_cache_.fill(joint / 2, joints_.number, [&] { fill_terms(joint / 2); });
        }
        const auto n = static_cast<double>(joints.size());
        double mean[16];
        const double *const a = center_terms_[joints[0]].at, *const b = center_terms_[joints[1]].at;
#pragma GCC unroll 16
        for (int k = 0; k < 16; ++k) mean[k] = a[k] + b[k];
        for (std::size_t i = 2; i < joints.size(); ++i) {
            const double* const more = center_terms_[joints[i]].at;
#pragma GCC unroll 16
            for (int k = 0; k < 16; ++k) mean[k] += more[k];
        }
#pragma GCC unroll 16
        for (double& value : mean) value *= 1 / n;
        const Equations equations = equations_of(mean);
        constexpr double tau = deform::center_threshold;
        const double pair_weight = (n - 1) / (2 * n);
        if (!plainly_solved(equations, tau * tau * pair_weight, joints.size() == 2, center)) {
            const math::RotationCenter careful = math::solve_center(equations.whole(pair_weight), tau);
            // Where rounding might change which eigenvalues count as zero, the centre is solved as in
            // skinning.
            center = careful.margin > 1e-6 ? careful.center : solved_center(index);
        }
    }
    const Vec3f rounded = center.cast<float>();  // in the precision of the kernels
    centers_[index] = {{{rounded.x(), rounded.y(), rounded.z(), 0}}, rounded.squaredNorm(), 0};
}

Vec3d BlendPose::solved_center(std::uint32_t index) {
    const auto joints = tree_->joints_of(index);
    constexpr std::size_t usual = 16;
    math::Rigidd rigid_scratch[usual];
    Vec3d center_scratch[usual];
    std::vector<math::Rigidd> more_rigids(joints.size() > usual ? joints.size() : 0);
    std::vector<Vec3d> more_centers(more_rigids.size());
    math::Rigidd* const rigids = more_rigids.empty() ? rigid_scratch : more_rigids.data();
    Vec3d* const centers = more_centers.empty() ? center_scratch : more_centers.data();
    for (std::size_t i = 0; i < joints.size(); ++i) {
        joints_.prepare_motion(joints[i]);
        rigids[i] = joints_.motions[joints[i]].rigid;
        centers[i] = tree_->joint_centers[joints[i]];
    }
    return deform::set_center({rigids, joints.size()}, {centers, joints.size()});
}

}  // namespace sinew::collide
