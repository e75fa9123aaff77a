// Rotation centres of spherical blending: those of skinning (deform::set_center()), of all sets at once.
//
// A c = b with A = 1 - M^T M, b = M^T T - sum R_i^T t_i / n, M and T the means of R_i and t_i
// (math::center_equations). The joints take a point p apart by the variance
//     F(p) = sum |t_i|^2 / n - |T|^2 - 2 b^T p + p^T A p.

#include <algorithm>
#include <cmath>

#include "sinew/collide/blend_pose.h"
#include "sinew/deform/blend.h"

namespace sinew::collide {
namespace {

constexpr std::uint32_t no_set = 0xffffffff;

double pair_weight(std::uint32_t joints) {
    const auto n = static_cast<double>(joints);
    return (n - 1) / (2 * n);
}

/// Of two sets.
struct Equations {
    Double2 xx, yy, zz, xy, xz, yz;  ///< A
    Double2 bx, by, bz;
    Double2 origin;  ///< F(0)
};

struct Points2 {
    Double2 x, y, z;
};

/// From the means of CenterTerms.
inline Equations equations_of(const Double2 (&m)[16]) {
    const auto dot = [&](int i, int k) { return m[i] * m[k] + m[i + 3] * m[k + 3] + m[i + 6] * m[k + 6]; };
    const auto moved = [&](int k) { return m[k] * m[9] + m[k + 3] * m[10] + m[k + 6] * m[11] - m[12 + k]; };
    return {1 - dot(0, 0), 1 - dot(1, 1),
            1 - dot(2, 2), -dot(0, 1),
            -dot(0, 2),    -dot(1, 2),
            moved(0),      moved(1),
            moved(2),      m[15] - m[9] * m[9] - m[10] * m[10] - m[11] * m[11]};
}

inline Double2 variance(const Equations& a, const Points2& p) {
    const Double2 x = a.xx * p.x + a.xy * p.y + a.xz * p.z, y = a.xy * p.x + a.yy * p.y + a.yz * p.z,
                  z = a.xz * p.x + a.yz * p.y + a.zz * p.z;
    return a.origin + p.x * (x - 2 * a.bx) + p.y * (y - 2 * a.by) + p.z * (z - 2 * a.bz);
}

math::CenterEquations one_of(const Equations& a, int i, std::uint32_t joints) {
    math::CenterEquations one;
    one.a << a.xx[i], a.xy[i], a.xz[i], a.xy[i], a.yy[i], a.yz[i], a.xz[i], a.yz[i], a.zz[i];
    one.b = Vec3d(a.bx[i], a.by[i], a.bz[i]);
    one.pair_weight = pair_weight(joints);
    return one;
}

/// Rotations that are equal for deform::set_center() have their centre in the origin. A set is left
/// `unsolved` where it is not clear from here what that counts as zero.
inline Points2 solved(const Equations& a, std::uint32_t joints, bool (&unsolved)[2]) {
    const double cut = deform::center_threshold * deform::center_threshold * pair_weight(joints);
    const Double2 s = (a.xx + a.yy + a.zz) * 0.5, s2 = s * s;
    const Double2 cx = a.yy * a.zz - a.yz * a.yz, cy = a.xz * a.yz - a.xy * a.zz,
                  cz = a.xy * a.yz - a.xz * a.yy;
    const Double2 determinant = a.xx * cx + a.xy * cy + a.xz * cz;
    const Double2 ex = a.xx * a.zz - a.xz * a.xz, ey = a.xy * a.xz - a.xx * a.yz,
                  ez = a.xx * a.yy - a.xy * a.xy;
    // The least eigenvalue is at least determinant / s^2.
    const auto full = determinant > 1e-6 * s * s2 && determinant > 4 * cut * s2;
    const Double2 share = 1 / (full ? determinant : s);
    Points2 centers{(full ? cx * a.bx + cy * a.by + cz * a.bz : a.bx) * share,
                    (full ? cy * a.bx + ex * a.by + ey * a.bz : a.by) * share,
                    (full ? cz * a.bx + ey * a.by + ez * a.bz : a.bz) * share};
    for (int i = 0; i < 2; ++i) {
        const bool equal = s[i] < cut / 4,
                   parallel = joints == 2 || std::abs(determinant[i]) < 1e-10 * s[i] * s2[i];
        unsolved[i] = !(equal || full[i] || (parallel && s[i] > 4 * cut));
        if (equal) centers.x[i] = centers.y[i] = centers.z[i] = 0;
    }
    return centers;
}

}  // namespace

/// The rotation is that of math::from_matrix(), through quaternions of any length.
void BlendPose::fill_terms() {
    const std::size_t count = tree_->palette_size;
    for (std::size_t joint = 0; joint < count; joint += 2) {
        const Joint &a = joints_[joint], &b = joints_[std::min(joint + 1, count - 1)];
        Double2 c[3][3], t[3], q[4];
        for (int k = 0; k < 3; ++k) {
            for (int i = 0; i < 3; ++i) c[k][i] = Double2{a.linear(i, k), b.linear(i, k)};
            t[k] = Double2{a.move[k], b.move[k]};
        }
        quaternions_of(c, Double2{1, 1}, q);
        const Double2 twice = 2 / (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
        const Double2 x = twice * q[0], y = twice * q[1], z = twice * q[2];
        const Double2 xx = x * q[0], yy = y * q[1], zz = z * q[2], xy = x * q[1], yz = y * q[2],
                      zx = z * q[0], wx = x * q[3], wy = y * q[3], wz = z * q[3];
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
        put(15, t[0] * t[0] + t[1] * t[1] + t[2] * t[2]);
    }
}

void BlendPose::fill_centers() {
    const auto solve_two = [&](std::uint32_t first, std::uint32_t second) {
        switch (tree_->sets[first].joint_count) {
            case 2:
                return fill_two_centers<2>(first, second);
            case 3:
                return fill_two_centers<3>(first, second);
            case 4:
                return fill_two_centers<4>(first, second);
            default:
                return fill_two_centers<0>(first, second);
        }
    };
    prepare_edges();
    if (!stretch_) fill_terms();
    std::uint32_t waiting = no_set;
    for (const std::uint32_t set : tree_->edges.blended) {
        if (shared_center(set)) continue;
        if (stretch_) {
            const Vec3f center = solved_center(set).cast<float>();
            place_center(set, make4(center[0], center[1], center[2], 0), 0);
        } else if (waiting == no_set) {
            waiting = set;
        } else if (tree_->sets[waiting].joint_count == tree_->sets[set].joint_count) {
            solve_two(waiting, set);
            waiting = no_set;
        } else {
            solve_two(waiting, waiting);
            waiting = set;
        }
    }
    if (waiting != no_set) solve_two(waiting, waiting);
}

/// Two joints that keep a rest place together turn about it: any point of their axis gives the same blend.
bool BlendPose::shared_center(std::uint32_t index) {
    const TreeSet& from = tree_->sets[index];
    if (from.joint_count != 2 || !tree_->edges.whole || stretch_) return false;
    const std::uint32_t edge = tree_->edges.set_edges[from.first_joint - index].edge;
    if (!(edge_gaps_[edge] <= 2 * edge_gap_slack_)) return false;
    Set& set = sets_[index];
    set.gap = edge_gaps_[edge];
    set.variance = set.gap * set.gap / 4;
    set.pivot = stored4(load4(tree_->edges.edges[edge].pivot));
    set.center2 = tree_->edges.pivots[index].size * tree_->edges.pivots[index].size;
    return true;
}

void BlendPose::place_center(std::uint32_t index, Float4 center, double variance) {
    Set& set = sets_[index];
    set.pivot = stored4(center);
    set.center2 = dot4(center, center);
    set.gap = 0;
    set.variance = static_cast<float>(std::max(0.0, variance));
}

/// Both have `fixed` joints, or as many as the first when that is 0.
template <std::uint32_t fixed>
void BlendPose::fill_two_centers(std::uint32_t first, std::uint32_t second) {
    const std::uint32_t count = fixed > 0 ? fixed : tree_->sets[first].joint_count;
    const std::uint32_t* const a = tree_->joints_of(first).data();
    const std::uint32_t* const b = tree_->joints_of(second).data();
    const double share = 1 / static_cast<double>(count);
    Double2 mean[16];
#pragma GCC unroll 16
    for (int k = 0; k < 16; ++k) {
        Double2 sum{center_terms_[a[0]].at[k], center_terms_[b[0]].at[k]};
#pragma GCC unroll 4
        for (std::uint32_t i = 1; i < count; ++i)
            sum += Double2{center_terms_[a[i]].at[k], center_terms_[b[i]].at[k]};
        mean[k] = sum * share;
    }
    const Equations equations = equations_of(mean);
    bool unsolved[2];
    Points2 centers = solved(equations, count, unsolved);
    for (int i = 0; i < 2; ++i) {
        if (!unsolved[i]) continue;
        const Vec3d center = careful_center(one_of(equations, i, count), i == 0 ? first : second);
        centers.x[i] = center[0], centers.y[i] = center[1], centers.z[i] = center[2];
    }
    const Double2 apart = variance(equations, centers);
    for (int i = 0; i < 2; ++i) {
        // Rounded, as kernels have it.
        const auto x = static_cast<float>(centers.x[i]), y = static_cast<float>(centers.y[i]),
                   z = static_cast<float>(centers.z[i]);
        place_center(i == 0 ? first : second, make4(x, y, z, 0), apart[i]);
    }
}

/// Where rounding might change what counts as zero, it is done as skinning does it.
Vec3d BlendPose::careful_center(const math::CenterEquations& equations, std::uint32_t set) {
    constexpr double off = 1e-6;
    const math::RotationCenter few = math::solve_center(equations, deform::center_threshold * (1 + off)),
                               more = math::solve_center(equations, deform::center_threshold * (1 - off));
    return few.rank == more.rank ? few.center : solved_center(set);
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
