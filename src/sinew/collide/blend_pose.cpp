// What an influence set needs once a pose where quaternions are blended: the same signs and the same centre
// as skinning (deform/set_coefficients.h).

#include "sinew/collide/blend_pose.h"

#include <algorithm>
#include <cmath>

namespace sinew::collide {

using deform::Method;

namespace {

/// What rounding of a known centre, and of the variance, adds to a deviation at distance 1 from the origin.
constexpr float inexact_deviation = 1e-6f;

/// Nearer to a right angle than this, the sign of a quaternion is settled in double.
constexpr float least_dot = 1e-3f;

void turns_of_four(const Point4* const (&columns)[4], Point4* out) {
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

BlendPose::BlendPose(const SphereTree& tree, Method method) : EdgePose(tree, method) {
    if (method == Method::lbs) return;
    const std::size_t sets = tree.sets.size(), joints = tree.palette_size;
    sets_.resize(sets);
    set_joints_.resize(tree.set_joints.size());
    played_joints_.resize(tree.set_joints.size());
    center_terms_.resize(method == Method::sbs ? (joints + 1) / 2 * 2 : 0);
    turns_.resize((joints + 3) / 4 * 4);
    duals_.resize(method == Method::dqs ? joints : 0);
    turn_stamps_ = Stamps(1);
    set_stamps_ = Stamps(sets);
    centers_.resize(method == Method::sbs ? sets : 0);
    center_stamps_ = Stamps(centers_.size());
    term_stamps_ = Stamps(center_terms_.size() / 2);
    exact_stamps_ = Stamps(sets);
}

std::size_t BlendPose::blend_bytes() const {
    return edge_bytes() + bytes_of(sets_) + bytes_of(centers_) + bytes_of(set_joints_) +
           bytes_of(played_joints_) + bytes_of(center_terms_) + bytes_of(turns_) + bytes_of(duals_) +
           turn_stamps_.bytes() + set_stamps_.bytes() + center_stamps_.bytes() + term_stamps_.bytes() +
           exact_stamps_.bytes();
}

/// All joints at once, with the signs that are nearest to the first: where joints of sets are then less than
/// a right angle apart, these are the signs of all sets.
void BlendPose::fill_turns() {
    const std::size_t count = tree_->palette_size;
    for (std::size_t j = 0; j < count; j += 4) {
        const auto columns = [&](std::size_t k) { return columns_[std::min(k, count - 1)].at; };
        turns_of_four({columns(j), columns(j + 1), columns(j + 2), columns(j + 3)}, &turns_[j]);
    }
    const Float4 first = load4(turns_[0].at);
    float least = 1;
    for (std::size_t j = 0; j < count; ++j) {
        Float4 q = load4(turns_[j].at);
        const float along = dot4(q, first);
        if (along < 0) q = all4(0) - q;
        least = std::min(least, std::abs(along));
        store4(turns_[j].at, q);
        if (method_ != Method::dqs) continue;
        // t q / 2 for t = (0, t): (w t + t x v, -t v) / 2
        const Float4 t = load4(columns_[j].at[3].at);
        const Float4 vector = cross3(t, q) + spread4<3>(q) * t;
        store4(duals_[j].at, (vector - make4(0, 0, 0, dot4(t, q))) * all4(0.5f));
    }
    // Within an eighth of a turn of the first, any two are less than a right angle apart.
    turns_agree_ = plain_ && tree_->edges.whole && (least > 0.708f || signs_agree());
}

bool BlendPose::signs_agree() const {
    const std::vector<BlendEdges::Edge>& edges = tree_->edges.edges;
    Float4 least = all4(1);
    for (std::size_t e = 0; e < edges.size(); e += 4) {
        Float4 dots[4];
        for (std::size_t i = 0; i < 4; ++i)
            dots[i] = load4(turns_[edges[e + i].leader].at) * load4(turns_[edges[e + i].follower].at);
        transpose4(dots[0], dots[1], dots[2], dots[3]);
        least = min4(least, dots[0] + dots[1] + dots[2] + dots[3]);
    }
    return bits_above(least, all4(least_dot)) == 0xf;
}

/// In double, where the signs of single precision do not serve.
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

const BlendPose::PlayedJoint* BlendPose::exact_joints(std::uint32_t index) {
    if (!set_stamps_.ready(index, pose_)) set_stamps_.fill(index, pose_, [&] { fill_set(index); });
    return played_joints_.data() + tree_->sets[index].first_joint;
}

/// In double, with how far apart the joints are.
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
        out[i].moved = motions_[joints[i]].rigid * center;
        for (std::size_t k = 0; k < i; ++k)
            set.spread = std::max(set.spread, (out[i].moved - out[k].moved).norm());
    }
}

BlendPose::Bend BlendPose::tight_bend_of(std::uint32_t index) {
    Bend bend = bend_of(index);
    if (method_ != Method::sbs || !(bend.turn < infinite)) return bend;
    const Center own = rest_center(index);
    const float center = own.size();
    bend.spread =
        tree_->edges.sizes[index].root * (center_deviation(index, load4(own.rest.at)) + own.gap +
                                          inexact_deviation * (center + static_cast<float>(moved_)));
    bend.slack = bend_slack(index, center);
    return bend;
}

/// Standard deviation of where the joints take a point.
float BlendPose::center_deviation(std::uint32_t index, Float4 center) const {
    const auto joints = tree_->joints_of(index);
    const Float4 first = image(columns_[joints[0]].at, center);
    Float4 sum = all4(0), squares = all4(0);
    for (std::size_t i = 1; i < joints.size(); ++i) {
        const Float4 off = image(columns_[joints[i]].at, center) - first;
        sum = sum + off;
        squares = squares + off * off;
    }
    const Float4 share = all4(1 / static_cast<float>(joints.size()));
    return std::sqrt(std::max(0.0f, sum4(share * (squares - share * sum * sum)))) * (1 + 0x1p-18f);
}

}  // namespace sinew::collide
