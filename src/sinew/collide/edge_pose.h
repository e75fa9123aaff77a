#pragma once
/// \file
/// How far blended quaternions can be from linear blending, from the angles between joints that share sets
/// (BlendEdges). The second layer of a Body. Inside the room only.

#include "sinew/collide/joint_pose.h"
#include "sinew/deform/blend.h"

namespace sinew::collide {

class EdgePose : protected JointPose {
  protected:
    EdgePose(const SphereTree& tree, deform::Method method);

    void clear_stamps() {
        JointPose::clear_stamps();
        edge_stamps_.clear();
        bend_stamps_.clear();
    }
    /// What follows needs it.
    void prepare_edges() {
        if (!edge_stamps_.ready(0, pose_)) edge_stamps_.fill(0, pose_, [&] { fill_edges(); });
    }
    /// How far the blend of a set is from the linear one at most: `turn` (D + spread) + slack where its
    /// joints take a point D around their middle. Unbounded where `turn` is infinite.
    struct Bend {
        float turn = 0;
        float spread = 0;  ///< spherical: how far apart they take the centre
        float slack = 0;   ///< for rounding
        float most = 0;    ///< the whole, for the vertex of the set that is farthest from the pivots
    };
    /// From the edges alone.
    const Bend& bend_of(std::uint32_t set) {
        if (!bend_stamps_.ready(0, pose_)) bend_stamps_.fill(0, pose_, [&] { fill_bends(); });
        return bends_[set];
    }
    /// `slack` of a bend whose centre is that far from the origin.
    float bend_slack(std::uint32_t set, float center) const;
    std::size_t edge_bytes() const;

    /// Farthest that deform::set_center() lets a centre be from any point q, over how far apart the joints
    /// take q: it leaves out eigenvalues of A up to tau^2 kappa, kappa = (n - 1) / 2 n >= 1 / 4, and those it
    /// keeps have sum lambda_k (c - q)_k^2 <= F(q), the variance, which is at most the square of half that
    /// distance.
    static constexpr float center_reach = static_cast<float>(1.001 / deform::center_threshold);
    /// What is left out there may add tau sqrt(kappa) |q| to the deviation of the centre.
    static constexpr float inexact_center = static_cast<float>(0.7072 * deform::center_threshold);
    /// From this sum of sqrt(1 - cos) on, quaternions are better looked at.
    static constexpr float most_bend = 0.95f;

    std::vector<float> edge_bends_;   ///< sqrt(1 - cos) of half the angles along edges, at least
    std::vector<float> edge_gaps_;    ///< spherical: between the images of their pivots, at least
    float edge_gap_slack_ = 0;        ///< what a gap counts for rounding
    std::vector<float> joint_bends_;  ///< the most that any set of a joint gives, where `edges_bound_`
    bool edges_bound_ = false;        ///< the edges bound all sets in this pose

  private:
    /// Bends of four sets.
    struct Bends4 {
        Float4 turn, spread, slack, most;
    };

    /// Rounding over |b|^2 >= 1 - H^2 / 2, which is convex in H^2.
    Float4 edge_slack(Float4 bend, Float4 center) const {
        return (all4(near_slack_) + all4(center_slack_) * center) * (all4(1) + all4(0.912f) * bend * bend);
    }
    void fill_edges();
    void fill_edge_turns();
    void fill_edge_slack();
    template <bool spherical>
    Bends4 bends_of(const BlendEdges::Groups& groups, const BlendEdges::FourSets& four) const;
    void fill_joint_bends();
    void fill_bends();

    std::vector<Bend> bends_;
    float near_slack_ = 0, center_slack_ = 0;  ///< see edge_slack()
    Stamps edge_stamps_, bend_stamps_;
};

}  // namespace sinew::collide
