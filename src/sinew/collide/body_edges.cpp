// How far blended quaternions take a point from where linear blending does, from the joints alone: no
// quaternion is made and no centre solved.
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

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sinew/collide/body.h"
#include "sinew/collide/body_blend.h"

namespace sinew::collide {

using deform::Method;

namespace {

/// From this sum of sqrt(1 - cos) on, quaternions are better looked at.
constexpr float most_bend = 0.95f;
/// Share of the root's radius that rounding for far centres may take before their axes are looked at.
constexpr float far_share = 0.3f;
/// The same for a set by itself, before its centre is solved for.
constexpr float solve_share = 0.002f;
/// How much farther from the least variance the centre may be than a point at distance 1 from the origin:
/// deform::set_center() leaves out what eigenvalues below 1e-9 of the others would add.
constexpr float inexact_center = 5e-5f;

/// H / sqrt(2 - H^2) at most: the other factor is convex in H^2.
float turn_of(float bend) {
    return bend * (0.70711f + 0.29290f * bend * bend);
}

}  // namespace

/// cos^2 = (1 + tr(R_l^T R_f)) / 4 of half an angle. The rotation of a joint is no farther than 4.4 d from
/// its matrix, d = |A^T A - 1|, so the trace is off by at most 2 sqrt(3) 4.4 d = 15.3 d; rounding adds less
/// than 1e-6.
///
/// How far the centre of a set can be from its pivot because of a gap g_e: of two joints g_e / 2 sin a_e, of
/// more g_e / 2 over the root of the least eigenvalue, where those below 1e-12 (n - 1) / 2 n count as zero,
/// and those below 7e-10 s as well, s >= (2 sin a_e / n)^2.
void Body::fill_edge_turns() {
    const auto reach = static_cast<double>(tree_->edges.reach);
    edge_gap_slack_ =
        static_cast<float>(16 * roundoff * (std::sqrt(3.0) * reach + moved_) + 12 * departure_ * reach);
    const Float4 one = all4(1), slack = all4(static_cast<float>(5 * departure_) + 2e-6f),
                 off = all4(edge_gap_slack_), grow = all4(1 + 0x1p-20f),
                 many = all4(9.5e3f * static_cast<float>(tree_->max_set_joints));
    const BlendEdges::Edge* edge = tree_->edges.edges.data();
    Float4 farthest = all4(0);
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
        if (method_ != Method::sbs) continue;
        // Only where a gap is more than rounding, the sine is worth its division.
        Float4 far = gap * all4(1e6f), many_far = gap * all4(1.1e6f);
        if (bits_above(gap, off + off) != 0) {
            far = gap / root4(max4(sin2 - slack, all4(1e-12f)));
            many_far = min4(many_far, far * many);
        }
        farthest = max4(farthest, far);
        store4(edge_fars_.data() + e, far);
        store4(edge_many_fars_.data() + e, many_far);
    }
    farthest_pair_ = largest_of(farthest);
}

void Body::fill_edges() {
    edges_bound_ = tree_->edges.whole;
    if (!edges_bound_) return;
    fill_edge_turns();
    fill_edge_slack();
    if (method_ == Method::sbs) {
        fill_joint_bends<true>();
    } else {
        fill_joint_bends<false>();
    }
}

/// For every joint the most that any of its sets gives, for the vertices that are farthest from the pivots.
/// Sets whose edges another has all of give no more than that.
template <bool spherical>
void Body::fill_joint_bends() {
    std::fill(joint_bends_.begin(), joint_bends_.end(), 0.0f);
    const float near = spherical ? tree_->edges.reach + farthest_pair_ : 0;
    const float limit = far_share * tree_->nodes[0].ball.radius / center_slack_;
    for (std::size_t w = 0; w < tree_->edges.widest.size(); ++w) {
        const std::uint32_t set = tree_->edges.widest[w];
        const TreeSet& joints = tree_->sets[set];
        const BlendEdges::SetEdge* const own = tree_->edges.set_edges.data() + joints.first_joint - set;
        const BlendEdges::SetPivot& pivot = tree_->edges.pivots[set];
        float sum = 0, gap = 0, lever = 0, far = 0;
        for (std::uint32_t i = 0; i + 1 < joints.joint_count; ++i) {
            const std::uint32_t e = own[i].edge;
            sum += edge_bends_[e];
            gap += edge_gaps_[e];
            lever += (spherical ? own[i].spherical_lever : own[i].dual_lever) * edge_bends_[e];
            if constexpr (spherical) far += edge_many_fars_[e];
        }
        if (!(sum < most_bend)) {
            edges_bound_ = false;
            return;
        }
        lever += 0.5f * gap;
        if constexpr (spherical) {
            lever += pivot.root * (0.5f * gap + inexact_center * pivot.size);
            far = joints.joint_count > 2 ? far + pivot.far : 0;
            if (!(far <= limit)) far = farthest_inner(w);
        }
        const float bend = turn_of(sum) * lever * (1 + 0x1p-18f) + edge_slack(sum, near + far);
        for (std::uint32_t i = 0; i < joints.joint_count; ++i) {
            float& most = joint_bends_[tree_->set_joints[joints.first_joint + i]];
            most = std::max(most, bend);
        }
    }
}

/// How far from their pivots the centres of all sets within a widest one can be, by their axes.
float Body::farthest_inner(std::size_t widest) {
    float most = 0;
    const std::vector<std::uint32_t>& places = tree_->edges.inner_places;
    for (std::uint32_t i = places[widest]; i < places[widest + 1]; ++i) {
        const std::uint32_t set = tree_->edges.inner[i];
        const TreeSet& joints = tree_->sets[set];
        const BlendEdges::SetEdge* const own = tree_->edges.set_edges.data() + joints.first_joint - set;
        float far = tree_->edges.pivots[set].far;
        for (std::uint32_t k = 0; k + 1 < joints.joint_count; ++k) far += edge_many_fars_[own[k].edge];
        if (far > most) most = std::max(most, std::min(far, nearer_center(set)));
    }
    return most;
}

/// Rounding by skinning beside that of linear blending, for |b| = 1. Spherical, x = R(b) (p - c) + sum w_k
/// C_k c: b has an error of (n + 3) u, which turns by twice that over |b|; the rotation itself costs less
/// than 26 u. The centre and its images are rounded, and weights need not add up to 1.
void Body::fill_edge_slack() {
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

/// Vector parts of the quaternions between the joints of edges, times the scalar parts: (M_32 - M_23, ...) /
/// 4 for M = R_l^T R_f. They are off by less than the departure and 1e-6.
void Body::fill_axes() {
    for (std::size_t e = 0; e < tree_->edges.edges.size(); ++e) {
        const BlendEdges::Edge& edge = tree_->edges.edges[e];
        const auto& a = columns_[edge.leader].at;
        const auto& b = columns_[edge.follower].at;
        const Float4 a0 = load4(a[0].at), a1 = load4(a[1].at), a2 = load4(a[2].at);
        const Float4 b0 = load4(b[0].at), b1 = load4(b[1].at), b2 = load4(b[2].at);
        Float4 x = a2 * b1 - a1 * b2, y = a0 * b2 - a2 * b0, z = a1 * b0 - a0 * b1, w = all4(0);
        transpose4(x, y, z, w);
        store4(edge_axes_[e].at, (x + y + z) * all4(0.25f));
    }
}

Body::EdgeSum Body::edge_sum(std::uint32_t set) const {
    EdgeSum sum;
    const TreeSet& joints = tree_->sets[set];
    const BlendEdges::SetEdge* const own = tree_->edges.set_edges.data() + joints.first_joint - set;
    for (std::uint32_t i = 0; i + 1 < joints.joint_count; ++i) {
        const std::uint32_t e = own[i].edge;
        sum.bend += edge_bends_[e];
        sum.gap += edge_gaps_[e];
        sum.images += 2 * std::numbers::sqrt2_v<float> * own[i].distance * edge_bends_[e];
    }
    sum.images += sum.gap;
    return sum;
}

/// How far the centre of three joints or more is from the pivot at most, by their axes: the least eigenvalue
/// is at least (2 / n)^2 |v_1 x v_2|^2 / (|v_1|^2 + |v_2|^2) for any two edges.
float Body::nearer_center(std::uint32_t set) {
    prepare_axes();
    const TreeSet& joints = tree_->sets[set];
    const BlendEdges::SetEdge* const own = tree_->edges.set_edges.data() + joints.first_joint - set;
    const float off = static_cast<float>(departure_) + 1e-6f;
    float best = 0;
    for (std::uint32_t i = 1; i + 1 < joints.joint_count; ++i) {
        const std::uint32_t e = own[i - 1].edge, f = own[i].edge;
        const Float4 across = cross3(load4(edge_axes_[e].at), load4(edge_axes_[f].at));
        const float lengths = std::numbers::sqrt2_v<float> * (edge_bends_[e] + edge_bends_[f]);
        best = std::max(best, std::sqrt(dot4(across, across)) / lengths - 1.01f * off * (1 + off / lengths));
    }
    if (!(best > 0)) return infinite;
    return edge_sum(set).images / 4 * static_cast<float>(joints.joint_count) / best * (1 + 0x1p-18f);
}

void Body::fill_bend(std::uint32_t set) {
    Bend& bend = bends_[set];
    bend = {infinite, 0, 0};
    prepare_edges();
    if (!tree_->edges.whole) return;
    const EdgeSum sum = edge_sum(set);
    if (!(sum.bend < most_bend)) return;
    bend.turn = turn_of(sum.bend) * (1 + 0x1p-18f);
    float center = 0;
    if (method_ == Method::sbs) {
        const BlendEdges::SetPivot& pivot = tree_->edges.pivots[set];
        const TreeSet& joints = tree_->sets[set];
        const BlendEdges::SetEdge* const own = tree_->edges.set_edges.data() + joints.first_joint - set;
        bend.spread = pivot.root * (sum.images / 2 + inexact_center * pivot.size);
        center = pivot.far;
        for (std::uint32_t i = 0; i + 1 < joints.joint_count; ++i)
            center += joints.joint_count == 2 ? edge_fars_[own[i].edge] : edge_many_fars_[own[i].edge];
        if (joints.joint_count > 2) center = std::min(center, nearer_center(set));
        center = (center + pivot.size) * (1 + 0x1p-18f);
        if (center_slack_ * center > solve_share * tree_->nodes[0].ball.radius) {
            prepare_center(set);
            center = static_cast<float>(sets_[set].center_size) * (1 + 0x1p-18f);
        }
    }
    bend.slack = edge_slack(sum.bend, center);
}

}  // namespace sinew::collide
