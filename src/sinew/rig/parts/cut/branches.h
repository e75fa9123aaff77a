// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// The branches of a curve as paths from the trunk outwards.

#include "sinew/rig/parts/cut/curve_cuts.h"

namespace sinew::rig {

/// Parameters that decide where a curve is cut.
namespace curve_cut {
/// A branch between two junctions is trunk, and not cut, when its radius never shrinks below this fraction of
/// the larger of theirs.
inline constexpr double trunk = 0.6;
/// Unless the part behind it has less than this fraction of the surface, and its branches are shorter than
/// this fraction of the longest: then it is a head or similar, and cut where the branch is thinnest.
inline constexpr double head = 0.25;
inline constexpr double head_branch = 0.45;
inline constexpr double legs =
    0.7;  ///< of the part behind it: when twins have more, it is a pelvis with short legs
inline constexpr double leave = 1;  ///< radii of a junction's sphere after which a limb is outside
inline constexpr double apart = 2;  ///< girth radii between two cuts of a limb
inline constexpr double end = 1.5;  ///< girth radii from a cut to the end of its limb
inline constexpr double bulge =
    1.3;  ///< times the girth before and behind: such a position is a head, not a joint
inline constexpr double bulge_sphere =
    1.1;  ///< and the sphere is this many times as large as before and behind
inline constexpr double swell =
    1.1;  ///< times the sphere of a junction: a thicker path has not left the body
inline constexpr double swell_reach =
    4;                                 ///< in radii of its largest sphere: at this distance it must have left
inline constexpr double shrink = 0.8;  ///< of its largest sphere: a path that shrinks to this has left
inline constexpr double flat =
    3;  ///< times its sphere: a larger girth is that of a flat part, such as a palm
inline constexpr double narrow =
    0.5;  ///< of the girth where it leaves: a path this much narrower within that girth is outside
}  // namespace curve_cut

/// A branch as a path with lengths.
struct BranchPath {
    std::vector<int> nodes;
    std::vector<double> at;  ///< arc length of each node
    bool junction[2] = {false, false};

    double length() const { return at.back(); }
};
BranchPath path_of(const CurveSkeleton& curve, const CurveBranch& branch, const std::vector<int>& degree);

/// A curve with values that are needed repeatedly.
struct PathGraph {
    std::vector<int> degree;
    std::vector<std::vector<int>> around;
    std::vector<double> free_length;  ///< of each node that is a free end: the length of its branch
    double longest = 0;               ///< branch with a free end
};
PathGraph graph_of(const CurveSkeleton& curve, const std::vector<CurveBranch>& all);

/// The part behind an end of a path, when the path itself is removed.
struct Subtree {
    double area = 1;    ///< part of the surface; all of it when the curve is a loop here
    double branch = 0;  ///< length of the longest branch with a free end
    std::vector<int> nodes;
};
Subtree subtree_beyond(const CurveShape& shape, const PathGraph& graph, const BranchPath& path,
                       bool from_end);

/// Whether a path between two junctions is everywhere at least `part` as thick as they are.
bool is_trunk(const CurveSkeleton& curve, const BranchPath& path, double part);

/// The first node of a path, from one of its ends, outside the junction there; the number of nodes when there
/// is none.
std::size_t leaves_sphere(const CurveSkeleton& curve, const BranchPath& path, bool from_end, double radii);

/// Paths that lead to a head, and other paths in the head.
struct Heads {
    std::vector<char> neck;  ///< of each path
    std::vector<char> face;  ///< the thickest path of a junction in a head: continues, and is not cut
};
Heads find_heads(const CurveSkeleton& curve, const CurveShape& shape, const PathGraph& graph,
                 const std::vector<BranchPath>& paths, const std::vector<int>& twins);

// --- Similar limbs of one junction, such as two legs or the fingers of a hand, with equal cuts in any pose.

/// Groups of paths to limbs that start at about the same position, are about as long and have about as much
/// surface; -1 for a path without a twin. Lengths are measured along the limbs, so that poses do not matter.
std::vector<int> twin_paths(const CurveSkeleton& curve, const CurveShape& shape, const PathGraph& graph,
                            const std::vector<BranchPath>& paths);

/// In each group all paths get the most frequent number of cuts, the larger of two: a path with another
/// number copies the cuts of one with that number, at the same fractions of its length.
void level_cuts(const std::vector<BranchPath>& paths, const std::vector<int>& groups,
                std::vector<std::vector<std::size_t>>& cuts);

}  // namespace sinew::rig
