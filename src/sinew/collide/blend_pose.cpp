// What an influence set needs once a pose where quaternions are blended: the same signs and the same centre
// as skinning (deform/set_coefficients.h).

#include "sinew/collide/blend_pose.h"

#include <algorithm>
#include <cmath>

namespace sinew::collide {

using deform::Method;

namespace {

/// What rounding of a known centre, and of the variance, adds to a deviation at distance 1 from the origin.
constexpr float inexact_deviation = 4e-7f;

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
    bends_.resize(sets);
    tight_bends_.resize(method == Method::sbs ? sets : 0);
    turn_stamps_ = Stamps(1);
    set_stamps_ = Stamps(sets);
    center_stamps_ = Stamps(sets);
    term_stamps_ = Stamps(1);
    exact_stamps_ = Stamps(sets);
    bend_stamps_ = Stamps(sets);
    tight_bend_stamps_ = Stamps(tight_bends_.size());
}

std::size_t BlendPose::blend_bytes() const {
    return edge_bytes() + bytes_of(sets_) + bytes_of(set_joints_) + bytes_of(played_joints_) +
           bytes_of(center_terms_) + bytes_of(turns_) + bytes_of(duals_) + bytes_of(bends_) +
           bytes_of(tight_bends_) + turn_stamps_.bytes() + set_stamps_.bytes() + center_stamps_.bytes() +
           term_stamps_.bytes() + tight_bend_stamps_.bytes() + exact_stamps_.bytes() + bend_stamps_.bytes();
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
    for (std::size_t j = 0; j < count; ++j) {
        Float4 q = load4(turns_[j].at);
        if (dot4(q, first) < 0) q = all4(0) - q;
        store4(turns_[j].at, q);
        if (method_ != Method::dqs) continue;
        // t q / 2 for t = (0, t): (w t + t x v, -t v) / 2
        const Float4 t = load4(columns_[j].at[3].at);
        const Float4 vector = cross3(t, q) + spread4<3>(q) * t;
        store4(duals_[j].at, (vector - make4(0, 0, 0, dot4(t, q))) * all4(0.5f));
    }
    turns_agree_ = plain_ && tree_->edges.whole && signs_agree();
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
            played.q.at[k] = static_cast<float>(exact.q.coeffs()[k]);
            played.other.at[k] = method_ == Method::dqs ? static_cast<float>(exact.dual.coeffs()[k])
                                 : k < 3                ? static_cast<float>(exact.moved[k])
                                                        : 0;
        }
    }
}

/// Joints of a set as they are blended, in `room` where that is enough.
const BlendPose::PlayedJoint* BlendPose::played_joints(std::uint32_t index, PlayedJoint (&room)[few_joints]) {
    if (method_ == Method::sbs) prepare_center(index);
    prepare_turns();
    const TreeSet& set = tree_->sets[index];
    if (!turns_agree_ || set.joint_count > few_joints) {
        prepare_set(index);
        return played_joints_.data() + set.first_joint;
    }
    const std::uint32_t* const joints = tree_->set_joints.data() + set.first_joint;
    const Float4 center = load4(sets_[index].pivot.at);
    for (std::uint32_t i = 0; i < set.joint_count; ++i) {
        room[i].q = turns_[joints[i]];
        room[i].other =
            method_ == Method::dqs ? duals_[joints[i]] : stored4(image(columns_[joints[i]].at, center));
    }
    return room;
}

/// In double, with how far apart the joints are.
void BlendPose::fill_exact(std::uint32_t index) {
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
        out[i].moved = motions_[joints[i]].rigid * set.center();
        for (std::size_t k = 0; k < i; ++k)
            set.spread = std::max(set.spread, (out[i].moved - out[k].moved).norm());
    }
}

/// From how far apart the joints take the centre, and how far that is from the origin.
BlendPose::Bend BlendPose::bend_by(std::uint32_t index, float spread, float center) const {
    const TreeSet& joints = tree_->sets[index];
    const BlendEdges::SetEdge* const own = tree_->edges.set_edges.data() + joints.first_joint - index;
    float sum = 0, lever = 0;
    for (std::uint32_t i = 0; i + 1 < joints.joint_count; ++i) {
        const std::uint32_t e = own[i].edge;
        sum += edge_bends_[e];
        lever += own[i].lever * edge_bends_[e] + 0.5f * edge_gaps_[e];
    }
    if (!(sum < most_bend)) return {infinite, 0, 0, infinite};
    const float turn = lane0(turn_of(all4(sum))) * (1 + 0x1p-18f),
                slack = lane0(edge_slack(all4(sum), all4(center)));
    return {turn, spread, slack, turn * (lever + spread) * (1 + 0x1p-18f) + slack};
}

/// From the edges alone.
void BlendPose::fill_bend(std::uint32_t index) {
    prepare_edges();
    if (!tree_->edges.whole) {
        bends_[index] = {infinite, 0, 0, infinite};
        return;
    }
    float spread = 0, center = 0;
    if (method_ == Method::sbs) {
        const BlendEdges::SetPivot& pivot = tree_->edges.pivots[index];
        const TreeSet& joints = tree_->sets[index];
        const BlendEdges::SetEdge* const own = tree_->edges.set_edges.data() + joints.first_joint - index;
        float apart = 0;
        for (std::uint32_t i = 0; i + 1 < joints.joint_count; ++i)
            apart += own[i].distance * edge_bends_[own[i].edge] + edge_gaps_[own[i].edge];
        spread = pivot.root * (0.5f * apart + inexact_center * pivot.size);
        center = pivot.size + center_reach * apart;
    }
    bends_[index] = bend_by(index, spread, center);
}

void BlendPose::fill_tight_bend(std::uint32_t index) {
    prepare_edges();
    prepare_center(index);
    const Set& set = sets_[index];
    const float center = set.center_size();
    tight_bends_[index] =
        bend_by(index,
                tree_->edges.pivots[index].root *
                    (std::sqrt(set.variance) + inexact_deviation * (center + static_cast<float>(moved_))),
                center);
}

}  // namespace sinew::collide
