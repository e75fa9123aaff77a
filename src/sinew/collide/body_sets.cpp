// What an influence set needs once a pose where quaternions are blended: the same signs and the same centre
// as skinning (deform/set_coefficients.h).

#include <algorithm>
#include <cmath>

#include "sinew/collide/body.h"
#include "sinew/collide/body_blend.h"

namespace sinew::collide {

using deform::Method;

namespace {

/// Nearer to a right angle than this, the sign of a quaternion is settled in double.
constexpr float least_dot = 1e-3f;

}  // namespace

/// As math::from_matrix(), in single precision.
void Body::fill_turn(std::uint32_t joint) {
    const auto& column = columns_[joint].at;
    const auto m = [&](int row, int c) { return column[c].at[row]; };
    float* const q = turns_[joint].at;
    const float trace = m(0, 0) + m(1, 1) + m(2, 2);
    int i = m(1, 1) > m(0, 0) ? 1 : 0;
    if (m(2, 2) > m(i, i)) i = 2;
    if (trace >= m(i, i)) {
        q[0] = m(2, 1) - m(1, 2);
        q[1] = m(0, 2) - m(2, 0);
        q[2] = m(1, 0) - m(0, 1);
        q[3] = 1 + trace;
    } else {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        q[i] = 1 + m(i, i) - m(j, j) - m(k, k);
        q[j] = m(j, i) + m(i, j);
        q[k] = m(k, i) + m(i, k);
        q[3] = m(k, j) - m(j, k);
    }
    const Float4 all = load4(q);
    store4(q, all * all4(1 / std::sqrt(dot4(all, all))));
}

void Body::fill_set(std::uint32_t index) {
    if (method_ == Method::sbs) prepare_center(index);
    if (plain_ && play_set(index)) return;
    prepare_exact(index);
    const TreeSet& from = tree_->sets[index];
    for (std::uint32_t i = from.first_joint; i < from.first_joint + from.joint_count; ++i) {
        PlayedJoint& played = played_joints_[i];
        for (int k = 0; k < 4; ++k) {
            played.q.at[k] = static_cast<float>(set_joints_[i].q.coeffs()[k]);
            played.dual.at[k] = static_cast<float>(set_joints_[i].dual.coeffs()[k]);
            if (k < 3 && method_ == Method::sbs)
                played.moved.at[k] = static_cast<float>(set_joints_[i].moved[k]);
        }
    }
}

/// From single precision alone; false where a sign needs more.
bool Body::play_set(std::uint32_t index) {
    const TreeSet& from = tree_->sets[index];
    const std::uint32_t* const joints = tree_->set_joints.data() + from.first_joint;
    PlayedJoint* const out = played_joints_.data() + from.first_joint;
    const Float4 center = load4(sets_[index].pivot.at);
    for (std::uint32_t k = 0; k < from.joint_count; ++k) {
        const std::uint32_t i = tree_->sign_order[from.first_joint + k];
        const std::int32_t leader = tree_->sign_parents[from.first_joint + i];
        const auto& columns = columns_[joints[i]].at;
        Float4 q = load4(turn_of_joint(joints[i]).at);
        if (leader >= 0) {
            const float along = dot4(q, load4(out[leader].q.at));
            if (!(std::abs(along) > least_dot)) return false;
            if (along < 0) q = all4(0) - q;
        }
        store4(out[i].q.at, q);
        if (method_ == Method::sbs) {
            store4(out[i].moved.at, image(columns, center));
        } else {
            // t q / 2 for t = (0, t): (w t + t x v, -t v) / 2
            const Float4 t = load4(columns[3].at);
            const Float4 vector = cross3(t, q) + spread4<3>(q) * t;
            store4(out[i].dual.at, (vector - make4(0, 0, 0, dot4(t, q))) * all4(0.5f));
        }
    }
    return true;
}

/// Two joints that keep a rest place together turn about it: any point of their axis gives the same blend.
/// Others are solved for; rounded, as kernels have it.
void Body::fill_center(std::uint32_t index) {
    Set& set = sets_[index];
    set.gap = 0;
    const TreeSet& from = tree_->sets[index];
    const BlendEdges& edges = tree_->edges;
    bool shared = false;
    if (from.joint_count == 2 && edges.whole && !stretch_) {
        prepare_edges();
        const std::uint32_t edge = edges.set_edges[from.first_joint - index].edge;
        shared = edge_gaps_[edge] <= 2 * edge_gap_slack_;
        if (shared) {
            set.gap = edge_gaps_[edge];
            std::copy(edges.edges[edge].pivot, edges.edges[edge].pivot + 4, set.pivot.at);
        }
    }
    if (!shared) {
        const Vec3d center = solved_center(index);
        for (int k = 0; k < 3; ++k) set.pivot.at[k] = static_cast<float>(center[k]);
    }
    set.center = set.pivot.point().cast<double>();
    set.center_size = set.center.norm();
}

/// A c = b with A = 1 - M^T M, b = M^T T - sum R_i^T t_i / n, M and T the means of R_i and t_i
/// (math::center_equations). False where deform::set_center() might find axes parallel that are not found so
/// here, or the other way round.
bool Body::plainly_solved(std::span<const std::uint32_t> joints, Vec3d& center) const {
    double mean[15] = {};
    for (const std::uint32_t joint : joints) {
        for (int k = 0; k < 15; ++k) mean[k] += center_terms_[joint].at[k];
    }
    const double share = 1 / static_cast<double>(joints.size());
    for (double& value : mean) value *= share;
    const auto dot = [&](int i, int k) {
        return mean[i] * mean[k] + mean[i + 3] * mean[k + 3] + mean[i + 6] * mean[k + 6];
    };
    const double xx = 1 - dot(0, 0), yy = 1 - dot(1, 1), zz = 1 - dot(2, 2), xy = -dot(0, 1), xz = -dot(0, 2),
                 yz = -dot(1, 2);
    Vec3d b;
    for (int k = 0; k < 3; ++k)
        b[k] = mean[k] * mean[9] + mean[k + 3] * mean[10] + mean[k + 6] * mean[11] - mean[12 + k];
    const double s = (xx + yy + zz) / 2;
    if (!(s > 1e-6)) return false;
    const double cx = yy * zz - yz * yz, cy = xz * yz - xy * zz, cz = xy * yz - xz * yy;
    const double determinant = xx * cx + xy * cy + xz * cz, least = determinant / (s * s);
    if (least > 1e-6 * s) {
        const double ex = xx * zz - xz * xz, ey = xy * xz - xx * yz, ez = xx * yy - xy * xy;
        center = Vec3d(cx * b[0] + cy * b[1] + cz * b[2], cy * b[0] + ex * b[1] + ey * b[2],
                       cz * b[0] + ey * b[1] + ez * b[2]) /
                 determinant;
        return true;
    }
    center = b / s;
    return joints.size() == 2 || std::abs(least) < 1e-10 * s;
}

Vec3d Body::solved_center(std::uint32_t index) {
    const auto joints = tree_->joints_of(index);
    for (const std::uint32_t joint : joints) prepare_motion(joint);
    Vec3d center;
    if (!stretch_ && plainly_solved(joints, center)) return center;
    constexpr std::size_t usual = 16;
    math::Rigidd rigid_room[usual];
    Vec3d center_room[usual];
    std::vector<math::Rigidd> more_rigids(joints.size() > usual ? joints.size() : 0);
    std::vector<Vec3d> more_centers(more_rigids.size());
    math::Rigidd* const rigids = more_rigids.empty() ? rigid_room : more_rigids.data();
    Vec3d* const centers = more_centers.empty() ? center_room : more_centers.data();
    for (std::size_t i = 0; i < joints.size(); ++i) {
        rigids[i] = motions_[joints[i]].rigid;
        centers[i] = tree_->joint_centers[joints[i]];
    }
    return deform::set_center({rigids, joints.size()}, {centers, joints.size()});
}

/// In double, with how far apart the joints are.
void Body::fill_exact(std::uint32_t index) {
    const TreeSet& from = tree_->sets[index];
    Set& set = sets_[index];
    SetJoint* const out = set_joints_.data() + from.first_joint;
    const std::uint32_t* const joints = tree_->set_joints.data() + from.first_joint;
    if (method_ == Method::sbs) prepare_center(index);
    Quatd sum(0, 0, 0, 0);
    for (std::size_t k = 0; k < from.joint_count; ++k) {
        const std::uint32_t i = tree_->sign_order[from.first_joint + k];
        const std::int32_t leader = tree_->sign_parents[from.first_joint + i];
        prepare_motion(joints[i]);
        const math::DualQuatd& motion = motions_[joints[i]].dual;
        const bool flip = leader >= 0 && math::dot(motion.real, out[static_cast<std::size_t>(leader)].q) < 0;
        out[i].q.coeffs() = (flip ? -1.0 : 1.0) * motion.real.coeffs();
        out[i].dual.coeffs() = (flip ? -1.0 : 1.0) * motion.dual.coeffs();
        sum.coeffs() += out[i].q.coeffs();
    }
    set.least = 1;
    set.spread = 0;
    const double length = sum.norm();
    for (std::size_t i = 0; i < from.joint_count; ++i) {
        set.least = std::min(set.least, length > 1e-9 ? math::dot(out[i].q, sum) / length : 0.0);
        if (method_ != Method::sbs) continue;
        out[i].moved = motions_[joints[i]].rigid * set.center;
        for (std::size_t k = 0; k < i; ++k)
            set.spread = std::max(set.spread, (out[i].moved - out[k].moved).norm());
    }
}

}  // namespace sinew::collide
