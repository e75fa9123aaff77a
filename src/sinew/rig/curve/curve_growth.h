// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// A curve that grows inside a body, one limb after the other.

#include "sinew/rig/body/body_limbs.h"
#include "sinew/rig/curve/curve_skeleton.h"

namespace sinew::rig {

/// Paths prefer deep points: a step costs its length / depth^centring (after Sato et al. 2000, TEASAR).
class CurveGrowth {
  public:
    CurveGrowth(const BodyGraph& graph, double centring, const CurveSkeleton& start = {});

    void plant(std::uint32_t root);
    /// The path between two tips is the first branch of a tree; where none leads, each is a tree of its own.
    void plant(std::uint32_t from, std::uint32_t to);
    /// Joins a tip to the nearest part of the curve on the cheapest way.
    void grow(const BodyTip& tip);
    /// Joins a tip to a node of the curve.
    void grow(const BodyTip& tip, int node);
    /// No way leads to this node: an end that another limb joined would be one no more.
    void close(int node);

    CurveSkeleton curve() const { return curve_.curve(); }

  private:
    using Path = std::vector<std::uint32_t>;
    template <class Goal>
    Path path_from(std::uint32_t tip, const Goal& is_goal);
    void add(const BodyTip& tip, Path path);
    void append(const Path& path);
    std::size_t trimmed(const Path& path, double most_cut) const;

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

// --------------------
// Loose parts and idle branches of a curve skeleton.

/// The node that serves each tip: the one whose sphere is nearest, on paths inside the body; -1 where none
/// is.
std::vector<int> nodes_of_tips(const CurveSkeleton& curve, const BodyField& field, const BodyGraph& graph,
                               const std::vector<BodyTip>& tips);

/// Removes branches that end freely and serve no tip of the body. `node_of_tip` becomes that of the result:
/// the nodes that serve are still there, and still the nearest.
CurveSkeleton without_idle(const CurveSkeleton& curve, std::vector<int>& node_of_tip);

/// Ties pieces whose part of the volume is small, such as the hands of a robot that has no lower arms, to the
/// rest by one edge between the nearest nodes; pieces with at least `own` of the largest piece's volume stay
/// on their own. Volumes are those of the cells that belong to the nodes. Returns how many were tied.
int tie_loose_pieces(CurveSkeleton& curve, const BodyField& field, const BodyGraph& graph, double own = 0.4);

/// How far each solid cell lies outside the nearest sphere of the curve, on paths inside the body, in cells;
/// below 0 in a sphere, infinite where no path leads. `owner`, when given, becomes the node of that sphere.
std::vector<float> sphere_distances(const CurveSkeleton& curve, const BodyField& field,
                                    const BodyGraph& graph, std::vector<std::uint32_t>* owner = nullptr);

/// The node whose sphere is nearest to each solid cell, on paths inside the body; BodyGraph::none where none
/// is.
std::vector<std::uint32_t> node_of_cells(const CurveSkeleton& curve, const BodyField& field,
                                         const BodyGraph& graph);

}  // namespace sinew::rig
