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

constexpr double u = 0x1p-24;

constexpr float infinite = std::numeric_limits<float>::infinity();
/// From this sum of sqrt(1 - cos) on, quaternions are better looked at.
constexpr float most_bend = 0.95f;
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
void Body::fill_four_edges(std::size_t first) {
    const std::vector<BlendEdges::Edge>& edges = tree_->edges.edges;
    Float4 turns[4], gaps[4];
    for (std::size_t i = 0; i < 4; ++i) {
        const BlendEdges::Edge& edge = edges[std::min(first + i, edges.size() - 1)];
        const auto& a = columns_[edge.leader].at;
        const auto& b = columns_[edge.follower].at;
        const Float4 a0 = load4(a[0].at), a1 = load4(a[1].at), a2 = load4(a[2].at);
        const Float4 b0 = load4(b[0].at), b1 = load4(b[1].at), b2 = load4(b[2].at);
        turns[i] = a0 * b0 + a1 * b1 + a2 * b2;
        const Float4 pivot = load4(edge.pivot);
        const Float4 gap = (a0 - b0) * spread4<0>(pivot) + (a1 - b1) * spread4<1>(pivot) +
                           (a2 - b2) * spread4<2>(pivot) + (load4(a[3].at) - load4(b[3].at));
        gaps[i] = gap * gap;
    }
    transpose4(turns[0], turns[1], turns[2], turns[3]);
    const Float4 one = all4(1), slack = all4(static_cast<float>(5 * departure_) + 2e-6f);
    const Float4 cos2 = (one + turns[0] + turns[1] + turns[2]) * all4(0.25f);
    const Float4 least = max4(cos2 - slack, all4(0));
    store4(edge_bends_.data() + first, root4((one - least) / (one + root4(least))) * all4(1 + 0x1p-20f));
    transpose4(gaps[0], gaps[1], gaps[2], gaps[3]);
    const double size = std::sqrt(3.0) * static_cast<double>(tree_->edges.reach) + moved_;
    const double off = 16 * u * size + 12 * departure_ * static_cast<double>(tree_->edges.reach);
    const Float4 gap =
        root4(gaps[0] + gaps[1] + gaps[2]) * all4(1 + 0x1p-20f) + all4(static_cast<float>(off));
    store4(edge_gaps_.data() + first, gap);
    if (method_ != Method::sbs) return;
    store4(edge_fars_.data() + first, gap / root4(max4(one - cos2 - slack, all4(1e-12f))));
}

void Body::fill_edges() {
    edges_bound_ = tree_->edges.whole;
    if (!edges_bound_) return;
    for (std::size_t e = 0; e < tree_->edges.edges.size(); e += 4) fill_four_edges(e);
    fill_joint_bends();
}

Body::EdgeSum Body::edge_sum(std::span<const BlendEdges::SetEdge> edges) const {
    EdgeSum sum;
    for (const BlendEdges::SetEdge& own : edges) {
        sum.bend += edge_bends_[own.edge];
        sum.gap += edge_gaps_[own.edge];
        sum.far += edge_fars_[own.edge];
    }
    return sum;
}

/// For every joint the most that any of its sets gives, for the vertices that are farthest from the pivots.
/// Sets whose edges another has all of give no more than that.
void Body::fill_joint_bends() {
    std::fill(joint_bends_.begin(), joint_bends_.end(), 0.0f);
    const bool spherical = method_ == Method::sbs;
    for (const std::uint32_t set : tree_->edges.widest) {
        const auto joints = tree_->joints_of(set);
        const BlendEdges::SetEdge* const own =
            tree_->edges.set_edges.data() + tree_->sets[set].first_joint - set;
        const std::size_t count = joints.size() - 1;
        float lever = 0;
        for (std::size_t i = 0; i < count; ++i)
            lever += (spherical ? own[i].spherical_lever : own[i].dual_lever) * edge_bends_[own[i].edge];
        const EdgeSum sum = edge_sum({own, count});
        if (!(sum.bend < most_bend)) {
            edges_bound_ = false;
            return;
        }
        const double least = std::sqrt(1 - 0.5 * static_cast<double>(sum.bend * sum.bend));
        lever += 0.5f * sum.gap;
        double slack = 0;
        if (spherical) {
            const float root = std::sqrt(static_cast<float>(count));
            lever += root * (0.5f * sum.gap + inexact_center * tree_->edges.pivots[set].size);
            slack = unsolved_slack(joints.size(), static_cast<double>(center_bound(set, sum)), least);
        } else {
            slack = dual_slack(joints.size(), least);
        }
        const float bend = turn_of(sum.bend) * lever * (1 + 0x1p-18f) + static_cast<float>(slack);
        for (const std::uint32_t joint : joints) joint_bends_[joint] = std::max(joint_bends_[joint], bend);
    }
}

/// How far from the origin the centre of a set can be. Two joints: sqrt(F / s) is half the gap over the sine.
/// More: eigenvalues below 1e-12 (n - 1) / 2 n count as zero, and those below 7e-10 of the others.
float Body::center_bound(std::uint32_t set, const EdgeSum& sum) const {
    const float n = static_cast<float>(tree_->sets[set].joint_count);
    const float gap = n == 2 ? sum.far : std::min(9.5e3f * n * sum.far, 1.1e6f * sum.gap);
    const BlendEdges::SetPivot& pivot = tree_->edges.pivots[set];
    return (pivot.size + pivot.far + gap) * (1 + 0x1p-18f);
}

/// Rounding of x = R(b) (p - c) + sum w_k C_k c by skinning, beside that of linear blending: b has an error
/// of (n + 3) u, which turns by twice that over |b|; the rotation itself costs less than 26 u. The centre and
/// its images are rounded, and weights need not add up to 1.
double Body::unsolved_slack(std::size_t joints, double center, double least) const {
    const auto n = static_cast<double>(joints);
    const auto most = static_cast<double>(tree_->max_set_joints);
    const double weights = tree_->weight_slack - 4 * most * u - (most - 1) * 0x1p-20;
    return u * (2 * n + 32) / least * (tree_->reach + center) +
           ((n + 8) * u + std::max(0.0, weights)) * (center + moved_);
}

/// Largest |v_1 x v_2| of two edges of a set at least, v the vector part of the quaternion between their
/// joints, and |v_1| + |v_2| at most. With w v = (M_32 - M_23, ...) / 4 for M = R_l^T R_f, and w <= 1.
float Body::tilt_of(std::span<const BlendEdges::SetEdge> edges, float& lengths) const {
    Float4 before = all4(0);
    float best = 0, bend = 0;
    const float off = static_cast<float>(departure_) + 1e-6f;
    for (std::size_t i = 0; i < edges.size(); ++i) {
        const BlendEdges::Edge& edge = tree_->edges.edges[edges[i].edge];
        const auto& a = columns_[edge.leader].at;
        const auto& b = columns_[edge.follower].at;
        const Float4 a0 = load4(a[0].at), a1 = load4(a[1].at), a2 = load4(a[2].at);
        const Float4 b0 = load4(b[0].at), b1 = load4(b[1].at), b2 = load4(b[2].at);
        Float4 x = a2 * b1 - a1 * b2, y = a0 * b2 - a2 * b0, z = a1 * b0 - a0 * b1, w = all4(0);
        transpose4(x, y, z, w);
        const Float4 turn = (x + y + z) * all4(0.25f);
        const float next = std::numbers::sqrt2_v<float> * edge_bends_[edges[i].edge];
        if (i > 0) {
            const Float4 across = cross3(before, turn);
            const float tilt = std::sqrt(dot4(across, across)) - 1.01f * off * (bend + next + off);
            if (tilt * lengths > best * (bend + next) || best == 0) {
                best = tilt;
                lengths = bend + next;
            }
        }
        before = turn;
        bend = next;
    }
    return best;
}

void Body::fill_bend(std::uint32_t set) {
    const std::size_t n = tree_->sets[set].joint_count;
    const std::span own(tree_->edges.set_edges.data() + tree_->sets[set].first_joint - set, n - 1);
    Bend& bend = bends_[set];
    bend = {infinite, 0, 0};
    prepare_edges();
    if (!tree_->edges.whole) return;
    const EdgeSum sum = edge_sum(own);
    if (!(sum.bend < most_bend)) return;
    const double least = std::sqrt(1 - 0.5 * static_cast<double>(sum.bend * sum.bend));
    bend.turn = turn_of(sum.bend) * (1 + 0x1p-18f);
    if (method_ == Method::dqs) {
        bend.spread = 0;
        bend.slack = static_cast<float>((dual_slack(n, least) + bend_ + 16 * u * size_) * (1 + 1e-6));
        return;
    }
    float images = sum.gap;
    for (const BlendEdges::SetEdge& edge : own)
        images += 2 * std::numbers::sqrt2_v<float> * edge.distance * edge_bends_[edge.edge];
    const BlendEdges::SetPivot& pivot = tree_->edges.pivots[set];
    bend.spread = std::sqrt(static_cast<float>(n - 1)) * (images / 2 + inexact_center * pivot.size);
    float center = center_bound(set, sum), lengths = 0;
    if (n > 2) {
        // The least eigenvalue is at least (2 / n)^2 |v_1 x v_2|^2 / (|v_1|^2 + |v_2|^2).
        const float tilt = tilt_of(own, lengths);
        const float apart = images / 4 * static_cast<float>(n) * lengths / tilt;
        if (tilt > 0) center = std::min(center, (pivot.size + apart) * (1 + 0x1p-18f));
    }
    const double slack = bend_ + 16 * u * size_ + unsolved_slack(n, static_cast<double>(center), least);
    bend.slack = static_cast<float>(slack * (1 + 1e-6));
}

}  // namespace sinew::collide
