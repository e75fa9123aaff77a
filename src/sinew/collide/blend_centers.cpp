// Rotation centres of spherical blending: those of skinning (deform::set_center()).
//
// A c = b with A = 1 - M^T M, b = M^T T - sum R_i^T t_i / n, M and T the means of R_i and t_i
// (math::center_equations).

#include <algorithm>
#include <cmath>

#include "sinew/collide/blend_pose.h"
#include "sinew/deform/blend.h"

namespace sinew::collide {
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

/// What is clear at a glance; false for the rest. Rotations that are equal for deform::set_center() have
/// their centre in the origin.
bool plainly_solved(const Equations& a, double cut, bool pair, Vec3d& center) {
    const double s = (a.xx + a.yy + a.zz) / 2;
    center = Vec3d::Zero();
    if (s < cut / 4) return true;
    if (s < 4 * cut) return false;
    const double cx = a.yy * a.zz - a.yz * a.yz, cy = a.xz * a.yz - a.xy * a.zz,
                 cz = a.xy * a.yz - a.xz * a.yy;
    const double determinant = a.xx * cx + a.xy * cy + a.xz * cz, s2 = s * s;
    // The least eigenvalue is at least determinant / s^2.
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
    const Joint &a = joints_[joint], &b = joints_[std::min(joint + 1, joints_.size() - 1)];
    Double2 c[3][3], t[3], q[4];
    for (int k = 0; k < 3; ++k) {
        for (int i = 0; i < 3; ++i) c[k][i] = Double2{a.linear(i, k), b.linear(i, k)};
        t[k] = Double2{a.move[k], b.move[k]};
    }
    quaternions_of(c, Double2{1, 1}, q);
    const Double2 twice = 2 / (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    const Double2 x = twice * q[0], y = twice * q[1], z = twice * q[2];
    const Double2 xx = x * q[0], yy = y * q[1], zz = z * q[2], xy = x * q[1], yz = y * q[2], zx = z * q[0],
                  wx = x * q[3], wy = y * q[3], wz = z * q[3];
    const Double2 r[9] = {1 - yy - zz, xy - wz, zx + wy, xy + wz,    1 - xx - zz,
                          yz - wx,     zx - wy, yz + wx, 1 - xx - yy};
    const auto put = [&](int k, Double2 value) {
        center_terms_[joint].at[k] = value[0];
        center_terms_[joint + 1].at[k] = value[1];
    };
    for (int k = 0; k < 9; ++k) put(k, r[k]);
    for (int k = 0; k < 3; ++k) {
        put(9 + k, t[k]);
        put(12 + k, r[k] * t[0] + r[k + 3] * t[1] + r[k + 6] * t[2]);
    }
}

void BlendPose::fill_center(std::uint32_t index) {
    Vec3d center = Vec3d::Zero();
    if (stretch_) {
        center = solved_center(index);
    } else {
        const auto joints = tree_->joints_of(index);
        for (const std::uint32_t joint : joints) {
            if (!term_stamps_.ready(joint / 2, pose_))
                term_stamps_.fill(joint / 2, pose_, [&] { fill_terms(joint / 2); });
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
            // Where rounding might change what counts as zero, it is done as skinning does it.
            center = careful.margin > 1e-6 ? careful.center : solved_center(index);
        }
    }
    const Vec3f rounded = center.cast<float>();  // as kernels have it
    centers_[index] = {{{rounded.x(), rounded.y(), rounded.z(), 0}}, rounded.squaredNorm(), 0};
}

Vec3d BlendPose::solved_center(std::uint32_t index) {
    const auto joints = tree_->joints_of(index);
    constexpr std::size_t usual = 16;
    math::Rigidd rigid_room[usual];
    Vec3d center_room[usual];
    std::vector<math::Rigidd> more_rigids(joints.size() > usual ? joints.size() : 0);
    std::vector<Vec3d> more_centers(more_rigids.size());
    math::Rigidd* const rigids = more_rigids.empty() ? rigid_room : more_rigids.data();
    Vec3d* const centers = more_centers.empty() ? center_room : more_centers.data();
    for (std::size_t i = 0; i < joints.size(); ++i) {
        prepare_motion(joints[i]);
        rigids[i] = motions_[joints[i]].rigid;
        centers[i] = tree_->joint_centers[joints[i]];
    }
    return deform::set_center({rigids, joints.size()}, {centers, joints.size()});
}

}  // namespace sinew::collide
