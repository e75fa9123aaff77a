#pragma once
/// \file
/// How far blended quaternions can be from linear blending, from the angles between joints that share sets
/// (BlendEdges). The second layer of a Body. Inside the room only.

#include "sinew/collide/joint_pose.h"

namespace sinew::collide {

class EdgePose : protected JointPose {
  protected:
    EdgePose(const SphereTree& tree, deform::Method method);

    void clear_stamps() {
        JointPose::clear_stamps();
        edge_stamps_.clear();
    }
    /// What follows needs it.
    void prepare_edges() {
        if (!edge_stamps_.ready(0, pose_)) edge_stamps_.fill(0, pose_, [&] { fill_edges(); });
    }
    /// The most that any set of a joint gives, where `edges_bound_` says that there is a bound.
    float bend_of_joint(std::uint32_t joint) const;
    /// Rounding over |b|^2 >= 1 - H^2 / 2, which is convex in H^2.
    Float4 edge_slack(Float4 bend, Float4 center) const {
        return (all4(near_slack_) + all4(center_slack_) * center) * (all4(1) + all4(0.912f) * bend * bend);
    }
    /// H / sqrt(2 - H^2) at most: the other factor is convex in H^2.
    static Float4 turn_of(Float4 bend) { return bend * (all4(0.70711f) + all4(0.29290f) * bend * bend); }
    std::size_t edge_bytes() const;

    /// From this sum of sqrt(1 - cos) on, quaternions are better looked at.
    static constexpr float most_bend = 0.95f;

    std::vector<float> edge_bends_;  ///< sqrt(1 - cos) of half the angles along edges, at least
    std::vector<float> edge_gaps_;   ///< spherical: between the images of their pivots, at least
    float edge_gap_slack_ = 0;       ///< what a gap counts for rounding
    bool edges_bound_ = false;       ///< the edges bound all sets in this pose

  private:
    void fill_edges();
    void fill_edge_turns();
    void fill_edge_slack();
    template <bool spherical>
    void fill_wide_bends();

    std::vector<float> wide_bends_;            ///< how far from the linear blend the widest sets are at most
    float near_slack_ = 0, center_slack_ = 0;  ///< see edge_slack()
    Stamps edge_stamps_;
};

}  // namespace sinew::collide
