// How far blended quaternions take a point from where linear blending does, from the joints alone: no
// quaternion is made, and at the root no centre solved.
//
// With y_k = C_k p, b = sum w_k q_k, and for spherical blending c the centre and L = sum w_k C_k c,
//     x - sum w_k y_k = sum w_k (y_k - h + L - C_k c) (q_k b^-1 - 1)    for any h
// (without L - C_k c for dual quaternions). By Cauchy and Schwarz this is no longer than
//     (D + sigma) sqrt(1 - |b|^2) / |b|,
// D = max |y_k - h|, sigma^2 the variance of C_k c. With a_e half the angle along an edge of the set, d_e =
// sqrt(1 - cos a_e) and H = sum d_e < 1: all a_e together are less than a right angle, so signs are those of
// the shortest way, 1 - cos a between any two joints is at most (sum d_e)^2 along the way, and so
// 1 - |b|^2 <= H^2 / 2. The centre minimises the variance F of its images, so that sigma^2 <= (n - 1) F(c) <=
// (n - 1) F(q) for any point q, and the images of q spread by at most sum 2 sin a_e |q - q_e| + gap_e, where
// gap_e is how far apart the joints of edge e take its pivot q_e.

#include "sinew/collide/edge_pose.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sinew::collide {

using deform::Method;

/// cos^2 = (1 + tr(R_l^T R_f)) / 4 of half an angle. The rotation of a joint is no farther than 4.4 d from
/// its matrix, d = |A^T A - 1|, so the trace is off by at most 2 sqrt(3) 4.4 d = 15.3 d; rounding adds less
/// than 1e-6.
void EdgePose::fill_edge_turns() {
    const auto reach = static_cast<double>(tree_->edges.reach);
    edge_gap_slack_ =
        static_cast<float>(16 * roundoff * (std::sqrt(3.0) * reach + moved_) + 12 * departure_ * reach);
    const Float4 one = all4(1), slack = all4(static_cast<float>(5 * departure_) + 2e-6f),
                 off = all4(edge_gap_slack_), grow = all4(1 + 0x1p-20f);
    const BlendEdges::Edge* edge = tree_->edges.edges.data();
    for (std::size_t e = 0; e < tree_->edges.edges.size(); e += 4) {
        Float4 turns[4], gaps[4];
#pragma GCC unroll 4
        for (int i = 0; i < 4; ++i, ++edge) {
            const auto& a = columns_[edge->leader].at;
            const auto& b = columns_[edge->follower].at;
            const Float4 a0 = load4(a[0].at), a1 = load4(a[1].at), a2 = load4(a[2].at);
            const Float4 b0 = load4(b[0].at), b1 = load4(b[1].at), b2 = load4(b[2].at);
            const Float4 pivot = load4(edge->pivot);
            turns[i] = a0 * b0 + a1 * b1 + a2 * b2;
            const Float4 gap = (a0 - b0) * spread4<0>(pivot) + (a1 - b1) * spread4<1>(pivot) +
                               (a2 - b2) * spread4<2>(pivot) + (load4(a[3].at) - load4(b[3].at));
            gaps[i] = gap * gap;
        }
        transpose4(turns[0], turns[1], turns[2], turns[3]);
        transpose4(gaps[0], gaps[1], gaps[2], gaps[3]);
        const Float4 sin2 = one - (one + turns[0] + turns[1] + turns[2]) * all4(0.25f);
        // 1 - sqrt(1 - y) <= y / 2 + y^2 / 8 + 3 y^3 / 8
        const Float4 y = min4(sin2 + slack, one);
        store4(edge_bends_.data() + e,
               root4(y * (all4(0.5f) + y * (all4(0.125f) + y * all4(0.375f)))) * grow);
        const Float4 gap = root4(gaps[0] + gaps[1] + gaps[2]) * grow + off;
        store4(edge_gaps_.data() + e, gap);
    }
}

EdgePose::EdgePose(const SphereTree& tree, Method method) : JointPose(tree, method) {
    if (method == Method::lbs) return;
    edge_bends_.resize(tree.edges.edges.size());
    edge_gaps_.resize(edge_bends_.size());
    wide_bends_.resize(4 * tree.edges.wide_sets.size());
    edge_stamps_ = Stamps(1);
}

std::size_t EdgePose::edge_bytes() const {
    return joint_bytes() + bytes_of(edge_bends_) + bytes_of(edge_gaps_) + bytes_of(wide_bends_) +
           edge_stamps_.bytes();
}

void EdgePose::fill_edges() {
    edges_bound_ = tree_->edges.whole;
    if (!edges_bound_) return;
    fill_edge_turns();
    fill_edge_slack();
    if (method_ == Method::sbs) {
        fill_wide_bends<true>();
    } else {
        fill_wide_bends<false>();
    }
}

/// For the vertices that are farthest from the pivots. Sets whose edges another has all of give no more than
/// that.
template <bool spherical>
void EdgePose::fill_wide_bends() {
    float* out = wide_bends_.data();
    for (const BlendEdges::WideSets& four : tree_->edges.wide_sets) {
        Float4 sum = all4(0), gap = sum, lever = sum, apart = sum;
        const BlendEdges::WideEdges* edge = &tree_->edges.wide_edges[four.first_edge];
        for (std::uint32_t i = 0; i + 1 < four.joint_count; ++i, ++edge) {
            const auto of = [&](const std::vector<float>& values) {
                return make4(values[edge->edges[0]], values[edge->edges[1]], values[edge->edges[2]],
                             values[edge->edges[3]]);
            };
            const Float4 bend = of(edge_bends_);
            sum = sum + bend;
            gap = gap + of(edge_gaps_);
            lever = lever + load4(spherical ? edge->spherical_lever : edge->dual_lever) * bend;
            if constexpr (spherical) apart = apart + load4(edge->distance) * bend;
        }
        if (bits_above(all4(most_bend), sum) != 0xf) {
            edges_bound_ = false;
            return;
        }
        lever = lever + all4(0.5f) * gap;
        Float4 center = all4(0);
        if constexpr (spherical) {
            lever = lever + load4(four.root) * (all4(0.5f) * gap + all4(inexact_center) * load4(four.size));
            center = load4(four.size) + all4(center_reach) * (apart + gap);
        }
        const Float4 bends = turn_of(sum) * lever * all4(1 + 0x1p-18f) + edge_slack(sum, center);
        store4(out, bends);
        out += 4;
    }
}

/// The most that any set of a joint gives.
float EdgePose::bend_of_joint(std::uint32_t joint) const {
    float most = 0;
    const BlendEdges& edges = tree_->edges;
    for (std::uint32_t i = edges.joint_places[joint]; i < edges.joint_places[joint + 1]; ++i)
        most = std::max(most, wide_bends_[edges.joint_wide[i]]);
    return most;
}

/// Rounding by skinning beside that of linear blending, for |b| = 1. Spherical, x = R(b) (p - c) + sum w_k
/// C_k c: b has an error of (n + 3) u, which turns by twice that over |b|; the rotation itself costs less
/// than 26 u. The centre and its images are rounded, and weights need not add up to 1.
void EdgePose::fill_edge_slack() {
    const auto n = static_cast<double>(tree_->max_set_joints);
    double near = bend_ + 16 * roundoff * size_, center = 0;
    if (method_ == Method::sbs) {
        const double turning = (2 * n + 32) * roundoff;
        const double images =
            (n + 8) * roundoff + std::max(0.0, tree_->weight_slack - 4 * n * roundoff - (n - 1) * 0x1p-20);
        near += turning * tree_->reach + images * moved_;
        center = turning + images;
    } else {
        near += dual_slack(tree_->max_set_joints, 1);
    }
    near_slack_ = static_cast<float>(near * (1 + 1e-6));
    center_slack_ = static_cast<float>(center * (1 + 1e-6));
}

}  // namespace sinew::collide
