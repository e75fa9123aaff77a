// SPDX-License-Identifier: MIT
// Bounds the difference between blended quaternions and linear blending from the joints alone: no quaternion
// is computed, and at the root no centre is solved.
//
// With y_k = C_k p, b = sum w_k q_k, and for spherical blending c the centre and L = sum w_k C_k c,
//     x - sum w_k y_k = sum w_k (y_k - h + L - C_k c) (q_k b^-1 - 1)    for any h
// (without L - C_k c for dual quaternions). By Cauchy and Schwarz this is no longer than
//     (D + sigma) sqrt(1 - |b|^2) / |b|,
// D = max |y_k - h|, sigma^2 the variance of C_k c. Let a_e be half the angle along an edge of the set, d_e =
// sqrt(1 - cos a_e) and H = sum d_e < 1. Then the sum of all a_e is less than a right angle, so signs are
// those of the shortest path, 1 - cos a between any two joints is at most (sum d_e)^2 along the path, and so
// 1 - |b|^2 <= H^2 / 2. The centre minimises the variance F of its images, so that sigma^2 <= (n - 1) F(c) <=
// (n - 1) F(q) for any point q, and the images of q spread by at most sum 2 sin a_e |q - q_e| + gap_e, where
// gap_e is the distance between the images of the pivot q_e of edge e under its joints.

#include "sinew/collide/body/sign_tree_pose.h"

#include <algorithm>
#include <cmath>

#include "sinew/deform/blend.h"

namespace sinew::collide {

using deform::Method;

namespace {

/// Largest distance of the centre of deform::set_center() from any point q, relative to the distance between
/// the images of q under the joints: set_center() ignores eigenvalues of A up to tau^2 kappa, kappa =
/// (n - 1) / 2 n >= 1 / 4, and those it keeps have sum lambda_k (c - q)_k^2 <= F(q), the variance, which is
/// at most the square of half that distance.
constexpr float center_reach = static_cast<float>(1.001 / deform::center_threshold);
/// The ignored eigenvalues may add tau sqrt(kappa) |q| to the deviation of the centre.
constexpr float inexact_center = static_cast<float>(0.7072 * deform::center_threshold);
/// Above this sum of sqrt(1 - cos) the quaternions themselves give better bounds.
constexpr float max_edge_rotation = 0.95f;

}  // namespace

/// cos^2 = (1 + tr(R_l^T R_f)) / 4 of half an angle. The rotation of a joint is no farther than 4.4 d from
/// its matrix, d = |A^T A - 1|, so the trace has an error of at most 2 sqrt(3) 4.4 d = 15.3 d; rounding adds
/// less than 1e-6.
void SignTreePose::fill_edge_rotations() {
    const auto reach = static_cast<double>(tree_->sign_tree.reach);
    edge_gap_slack_ = static_cast<float>(16 * roundoff * (std::sqrt(3.0) * reach + joints_.moved) +
                                         12 * joints_.departure * reach);
    const Float4 one = all4(1), slack = all4(static_cast<float>(5 * joints_.departure) + 2e-6f),
                 off = all4(edge_gap_slack_), grow = all4(1 + 0x1p-20f);
    const SignTree::Edge* edge = tree_->sign_tree.edges.data();
    for (std::size_t e = 0; e < tree_->sign_tree.edges.size(); e += 4) {
        Float4 rotations[4], gaps[4];
#pragma GCC unroll 4
        for (int i = 0; i < 4; ++i, ++edge) {
            const auto& a = joints_.columns[edge->leader].at;
            const auto& b = joints_.columns[edge->follower].at;
            const Float4 a0 = load4(a[0].at), a1 = load4(a[1].at), a2 = load4(a[2].at);
            const Float4 b0 = load4(b[0].at), b1 = load4(b[1].at), b2 = load4(b[2].at);
            const Float4 pivot = load4(edge->pivot);
            rotations[i] = a0 * b0 + a1 * b1 + a2 * b2;
            const Float4 gap = (a0 - b0) * spread4<0>(pivot) + (a1 - b1) * spread4<1>(pivot) +
                               (a2 - b2) * spread4<2>(pivot) + (load4(a[3].at) - load4(b[3].at));
            gaps[i] = gap * gap;
        }
        transpose4(rotations[0], rotations[1], rotations[2], rotations[3]);
        transpose4(gaps[0], gaps[1], gaps[2], gaps[3]);
        const Float4 sin2 = one - (one + rotations[0] + rotations[1] + rotations[2]) * all4(0.25f);
        // 1 - sqrt(1 - y) <= y / 2 + y^2 / 8 + 3 y^3 / 8
        const Float4 y = min4(sin2 + slack, one);
        store4(edge_rotations_.data() + e,
               root4(y * (all4(0.5f) + y * (all4(0.125f) + y * all4(0.375f)))) * grow);
        const Float4 gap = root4(gaps[0] + gaps[1] + gaps[2]) * grow + off;
        store4(edge_gaps_.data() + e, gap);
    }
}

SignTreePose::SignTreePose(const JointPose& joints)
    : joints_(joints), tree_(joints.tree), method_(joints.method) {
    if (method_ == Method::lbs) return;
    edge_rotations_.resize(tree_->sign_tree.edges.size());
    edge_gaps_.resize(edge_rotations_.size());
    joint_deviations_.resize(tree_->palette_size);
    deviations_.resize(tree_->sets.size());
    edge_cache_ = PerPoseCache(1);
    deviation_cache_ = PerPoseCache(1);
}

std::size_t SignTreePose::bytes() const {
    return bytes_of(edge_rotations_) + bytes_of(edge_gaps_) + bytes_of(joint_deviations_) +
           bytes_of(deviations_) + edge_cache_.bytes() + deviation_cache_.bytes();
}

void SignTreePose::fill_edges() {
    edges_bound_ = tree_->sign_tree.whole;
    if (!edges_bound_) return;
    fill_edge_rotations();
    fill_edge_slack();
    fill_joint_deviations();
}

/// Without a bound, all are infinite or not a number.
template <bool spherical>
[[gnu::always_inline]] inline SignTreePose::BlendDeviations4 SignTreePose::blend_deviations(
    const SignTree::Groups& groups, const SignTree::SetQuad& four) const {
    const std::uint32_t count = four.joint_count - 1;
    const SignTree::EdgeQuad* const edges = &groups.edges[four.first_edge];
    const auto of = [&](const std::vector<float>& values, std::uint32_t i) {
        const auto& at = edges[i].edges;
        return make4(values[at[0]], values[at[1]], values[at[2]], values[at[3]]);
    };
    constexpr std::uint32_t usual = 8;
    alignas(16) float rotations[usual][4];
    Float4 sum = all4(0), gap = sum, lever = sum;
    for (std::uint32_t i = 0; i < count; ++i) {
        const Float4 rotation = of(edge_rotations_, i);
        if (i < usual) store4(rotations[i], rotation);
        sum = sum + rotation;
        gap = gap + of(edge_gaps_, i);
        lever = lever + load4(edges[i].lever) * rotation;
    }
    const Float4 half = all4(0.5f), grow = all4(1 + 0x1p-18f);
    Float4 spread = all4(0), center = all4(0);
    if constexpr (spherical) {
        const SignTree::DistanceQuad* distance = &groups.distances[four.first_distance];
        // About the pivot that gives the smallest bound.
        Float4 apart = all4(infinite);
        for (std::uint32_t pivot = 0; pivot < four.pivot_count; ++pivot) {
            Float4 about = gap;
            for (std::uint32_t i = 0; i < count; ++i)
                about = about +
                        load4(distance++->at) * (i < usual ? load4(rotations[i]) : of(edge_rotations_, i));
            apart = min4(apart, about);
        }
        const Float4 reach = load4(four.reach);
        spread = load4(four.root) * (half * apart + all4(inexact_center) * reach);
        center = reach + all4(center_reach) * apart;
    }
    // The largest H / sqrt(2 - H^2): the other factor is convex in H^2.
    const Float4 rotation =
        pick_above(all4(max_edge_rotation), sum, sum * (all4(0.70711f) + all4(0.29290f) * sum * sum) * grow,
                   all4(infinite));
    const Float4 slack = edge_slack(sum, center);
    return {rotation, spread, slack, rotation * (lever + half * gap + spread) * grow + slack};
}

/// From the vertices that are farthest from the pivots. Sets whose edges all belong to another set are left
/// out: their bound is not larger.
void SignTreePose::fill_joint_deviations() {
    std::ranges::fill(joint_deviations_, 0.0f);
    const SignTree::Groups& widest = tree_->sign_tree.widest;
    for (const SignTree::SetQuad& four : widest.sets) {
        const Float4 largest = method_ == Method::sbs ? blend_deviations<true>(widest, four).largest
                                                      : blend_deviations<false>(widest, four).largest;
        if (bits_above(all4(infinite), largest) != 0xf) {
            edges_bound_ = false;
            return;
        }
        const Point4 deviations = stored4(largest);
        for (int lane = 0; lane < 4; ++lane) {
            const std::uint32_t* const own =
                tree_->set_joints.data() + tree_->sets[four.sets[lane]].first_joint;
            for (std::uint32_t i = 0; i < four.joint_count; ++i)
                joint_deviations_[own[i]] = std::max(joint_deviations_[own[i]], deviations.at[lane]);
        }
    }
}

void SignTreePose::fill_deviations() {
    prepare_edges();
    const SignTree& edges = tree_->sign_tree;
    if (!edges.whole) std::ranges::fill(deviations_, BlendDeviation{infinite, 0, 0, infinite});
    for (const SignTree::SetQuad& four : edges.all.sets) {
        const BlendDeviations4 deviations = method_ == Method::sbs ? blend_deviations<true>(edges.all, four)
                                                                   : blend_deviations<false>(edges.all, four);
        const Point4 rotation = stored4(deviations.rotation), spread = stored4(deviations.spread),
                     slack = stored4(deviations.slack), largest = stored4(deviations.largest);
        for (int lane = 0; lane < 4; ++lane)
            deviations_[four.sets[lane]] = {rotation.at[lane], spread.at[lane], slack.at[lane],
                                            largest.at[lane]};
    }
}

float SignTreePose::deviation_slack(std::uint32_t set, float center) const {
    const TreeSet& joints = tree_->sets[set];
    const std::uint32_t* const own = tree_->sign_tree.set_edges.data() + joints.first_joint - set;
    float sum = 0;
    for (std::uint32_t i = 0; i + 1 < joints.joint_count; ++i) sum += edge_rotations_[own[i]];
    return lane0(edge_slack(all4(sum), all4(center)));
}

/// Rounding error of skinning in addition to that of linear blending, for |b| = 1. Spherical, x =
/// R(b) (p - c) + sum w_k C_k c: b has an error of (n + 3) u, which rotates by twice that over |b|; the
/// rotation itself adds less than 26 u. The centre and its images are rounded, and the sum of the weights
/// need not be 1.
void SignTreePose::fill_edge_slack() {
    const auto n = static_cast<double>(tree_->max_set_joints);
    double near = joints_.rigid_deviation + 16 * roundoff * joints_.size, center = 0;
    if (method_ == Method::sbs) {
        const double rounding = (2 * n + 32) * roundoff;
        const double images =
            (n + 8) * roundoff + std::max(0.0, tree_->weight_slack - 4 * n * roundoff - (n - 1) * 0x1p-20);
        near += rounding * tree_->reach + images * joints_.moved;
        center = rounding + images;
    } else {
        near += joints_.dual_slack(tree_->max_set_joints, 1);
    }
    near_slack_ = static_cast<float>(near * (1 + 1e-6));
    center_slack_ = static_cast<float>(center * (1 + 1e-6));
}

}  // namespace sinew::collide
