// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// A curve that grows inside a body, limb by limb.

#include "sinew/rig/body/body_limbs.h"
#include "sinew/rig/curve/curve_skeleton.h"

namespace sinew::rig {

/// Paths prefer deep cells: a step costs its length / depth^centring (after Sato et al. 2000, TEASAR).
class CurveGrowth {
  public:
    CurveGrowth(const BodyGraph& graph, double centring, const CurveSkeleton& start = {});

    void plant(std::uint32_t root);
    /// The path between two tips becomes the first branch of a tree; if there is no path, each tip becomes a
    /// tree of its own.
    void plant(std::uint32_t from, std::uint32_t to);
    /// Connects a tip to the nearest part of the curve by the cheapest path.
    void grow(const BodyTip& tip);
    /// Connects a tip to a node of the curve.
    void grow(const BodyTip& tip, int node);
    /// Excludes this node from later connections, because an end to which another limb is connected would no
    /// longer be an end.
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

/// A curve with a branch for each tip: a free end is extended to the first tip that belongs to its branch;
/// all other tips get their own branches; tips without a node are ignored.
CurveSkeleton with_all_tips(const CurveSkeleton& curve, const BodyGraph& graph,
                            const std::vector<BodyTip>& tips, const std::vector<int>& node_of_tip,
                            double centring);

/// A curve with an additional branch for each tip of a protrusion from its side.
CurveSkeleton with_side_tips(const CurveSkeleton& curve, const BodyGraph& graph,
                             const std::vector<BodyTip>& tips, double centring);

// -------------------- Loose parts and unused branches of a curve skeleton.

/// The node of each tip: the one whose sphere is nearest, on paths inside the body; -1 where there is none.
std::vector<int> nodes_of_tips(const CurveSkeleton& curve, const BodyField& field, const BodyGraph& graph,
                               const std::vector<BodyTip>& tips);

/// Removes branches with a free end that belong to no tip of the body. `node_of_tip` is updated to the
/// result; the nodes of tips are preserved.
CurveSkeleton without_idle(const CurveSkeleton& curve, std::vector<int>& node_of_tip);

/// Connects pieces with a small part of the volume, such as the hands of a robot without lower arms, to the
/// rest by one edge between the nearest nodes; pieces with at least the fraction `own` of the largest piece's
/// volume stay separate. Volumes are those of the cells that belong to the nodes. Returns the number of
/// connected pieces.
int tie_loose_pieces(CurveSkeleton& curve, const BodyField& field, const BodyGraph& graph, double own = 0.4);

/// Distance of each interior cell from the nearest sphere of the curve, on paths inside the body, in cells;
/// negative inside a sphere, infinite where there is no path. `owner`, if given, receives the node of that
/// sphere.
std::vector<float> sphere_distances(const CurveSkeleton& curve, const BodyField& field,
                                    const BodyGraph& graph, std::vector<std::uint32_t>* owner = nullptr);

/// The node whose sphere is nearest to each interior cell, on paths inside the body; BodyGraph::none where
/// there is none.
std::vector<std::uint32_t> node_of_cells(const CurveSkeleton& curve, const BodyField& field,
                                         const BodyGraph& graph);

}  // namespace sinew::rig
