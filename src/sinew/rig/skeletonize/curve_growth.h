#pragma once
/// \file
/// A curve that grows inside a body, one limb after the other.

#include "sinew/rig/skeletonize/body_tips.h"
#include "sinew/rig/skeletonize/curve_graph.h"

namespace sinew::rig {

/// Ways prefer deep places: a step costs its length / depth^centring (after Sato et al. 2000, TEASAR).
class CurveGrowth {
  public:
    CurveGrowth(const BodyGraph& graph, double centring, const CurveSkeleton& start = {});

    void plant(std::uint32_t root);
    /// The way between two tips is the first branch of a tree.
    void plant(std::uint32_t from, std::uint32_t to);
    /// Joins a tip to the nearest part of the curve on the cheapest way.
    void grow(const BodyTip& tip);
    /// Joins a tip to a node of the curve.
    void grow(const BodyTip& tip, int node);
    /// No way leads to this node: an end that another limb joined would be one no more.
    void close(int node);

    CurveSkeleton curve() const { return curve_.curve(); }

  private:
    using Way = std::vector<std::uint32_t>;
    template <class Goal>
    Way way_from(std::uint32_t tip, const Goal& is_goal);
    void add(const BodyTip& tip, Way way);
    void append(const Way& way);
    std::size_t trimmed(const Way& way, double most_cut) const;

    const BodyGraph& graph_;
    CurveGraph curve_;
    std::vector<int> curve_of_;  ///< the node of the curve in each cell, or -1
    std::vector<float> cost_;
    std::vector<std::uint32_t> from_;
    std::vector<float> price_;
};

/// A curve with a branch for each tip: a free end grows on to the first tip that belongs to its branch, and
/// all others get branches of their own; tips without a node are left out.
CurveSkeleton with_all_tips(const CurveSkeleton& curve, const BodyGraph& graph,
                            const std::vector<BodyTip>& tips, const std::vector<int>& node_of_tip,
                            double centring);

/// A curve with one more branch for each tip of what stands out from its side.
CurveSkeleton with_side_tips(const CurveSkeleton& curve, const BodyGraph& graph,
                             const std::vector<BodyTip>& tips, double centring);

}  // namespace sinew::rig
