// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Bounds of the difference between blended quaternions and linear blending, from the angles between joints
/// that share influence sets (SignTree).

#include "sinew/collide/body/joint_pose.h"

namespace sinew::collide {

class SignTreePose {
  public:
    /// Upper bound of the difference between the blend of a set and the linear blend: `rotation` (D + spread)
    /// + slack, where the joints move a point to distance D around their mean. Unbounded where `rotation` is
    /// infinite.
    struct BlendDeviation {
        float rotation = 0;
        float spread =
            0;  ///< spherical: largest distance between the positions to which the joints move the centre
        float slack = 0;    ///< for rounding
        float largest = 0;  ///< the complete bound for the vertex of the set that is farthest from the pivots
    };

    /// `joints` must outlive it.
    explicit SignTreePose(const JointPose& joints);

    void clear_caches() {
        edge_cache_.clear();
        deviation_cache_.clear();
    }
    /// Required by the functions below.
    void prepare_edges() {
        if (!edge_cache_.ready(0, joints_.number)) edge_cache_.fill(0, joints_.number, [&] { fill_edges(); });
    }
    /// True when the edges bound all sets in this pose.
    bool bounds_all() const { return edges_bound_; }
    /// Largest bound over the sets of each joint, where the edges bound all sets.
    const std::vector<float>& joint_deviations() const { return joint_deviations_; }
    /// Spherical: lower bound of the distance between the positions to which the joints of an edge move its
    /// pivot, and its rounding error.
    float edge_gap(std::uint32_t edge) const { return edge_gaps_[edge]; }
    float edge_gap_slack() const { return edge_gap_slack_; }
    /// From the edges only.
    const BlendDeviation& blend_deviation(std::uint32_t set) {
        if (!deviation_cache_.ready(0, joints_.number))
            deviation_cache_.fill(0, joints_.number, [&] { fill_deviations(); });
        return deviations_[set];
    }
    /// `slack` of a deviation with a centre at this distance from the origin.
    float deviation_slack(std::uint32_t set, float center) const;
    std::size_t bytes() const;

  private:
    /// Deviations of four sets.
    struct BlendDeviations4 {
        Float4 rotation, spread, slack, largest;
    };

    /// Rounding over |b|^2 >= 1 - H^2 / 2, which is convex in H^2.
    Float4 edge_slack(Float4 rotation, Float4 center) const {
        return (all4(near_slack_) + all4(center_slack_) * center) *
               (all4(1) + all4(0.912f) * rotation * rotation);
    }
    void fill_edges();
    void fill_edge_rotations();
    void fill_edge_slack();
    template <bool spherical>
    BlendDeviations4 blend_deviations(const SignTree::Groups& groups, const SignTree::SetQuad& four) const;
    void fill_joint_deviations();
    void fill_deviations();

    const JointPose& joints_;
    const TreeData* tree_;
    deform::Method method_;
    std::vector<float> edge_rotations_;    ///< lower bound of sqrt(1 - cos) of half the angles along edges
    std::vector<float> edge_gaps_;         ///< see edge_gap()
    float edge_gap_slack_ = 0;             ///< rounding error of a gap
    std::vector<float> joint_deviations_;  ///< see joint_deviations()
    bool edges_bound_ = false;
    std::vector<BlendDeviation> deviations_;
    float near_slack_ = 0, center_slack_ = 0;  ///< see edge_slack()
    PerPoseCache edge_cache_, deviation_cache_;
};

}  // namespace sinew::collide
