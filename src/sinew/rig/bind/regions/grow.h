// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Assigns every vertex to the joint of its region (Xie 2009, 4.3).

#include <unordered_map>

#include "sinew/rig/bind.h"
#include "sinew/rig/bind/regions/boundary.h"
#include "sinew/rig/bind/regions/region_joints.h"

namespace sinew::rig {
/// The cut of the skin at a joint.
struct JointCut {
    std::optional<DividingSurface> surface;
    std::vector<std::uint32_t> triangles;  ///< triangles of the dividing points, in order around the joint
    std::vector<CrossedEdge> crossed;
};

struct Regions {
    std::vector<int> joint_of;       ///< of each vertex; -1 in shells that no boundary touches
    std::vector<int> parent;         ///< per joint the one from whose region it was cut; -1 for none
    std::vector<BoundaryKind> kind;  ///< of each joint's boundary
    /// Where edges are crossed by boundaries of kind `nearest`, as a fraction from the edge's a.
    std::unordered_map<std::uint32_t, double> crossings;
};

/// Grows regions level by level. A joint takes the skin beyond its boundary within the region of an ancestor,
/// so that regions are nested for any boundaries. If the boundary leaks (its two sides are connected around
/// it), or the result differs too much from the skin nearest to the bones beyond the joint (a limb that
/// leaves a trunk has no neck on its inner side), the shortest loop through the dividing points is tried,
/// then the whole cut, and finally that nearest skin is used. In the end, regions that are not parent and
/// child never share an edge: a strip of the regions between them in the tree separates them.
Regions grow_regions(const RegionSurface& surface, const RegionJoints& joints, std::span<const JointCut> cuts,
                     std::span<const std::string> names, Monitor& monitor = silent());

}  // namespace sinew::rig
