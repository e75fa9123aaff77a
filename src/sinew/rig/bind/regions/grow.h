// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Every vertex gets the joint whose region it lies in (Xie 2009, 4.3).

#include <unordered_map>

#include "sinew/rig/bind.h"
#include "sinew/rig/bind/regions/boundary.h"
#include "sinew/rig/bind/regions/region_joints.h"

namespace sinew::rig {
/// What cuts the skin at a joint.
struct JointCut {
    std::optional<DividingSurface> surface;
    std::vector<std::uint32_t> triangles;  ///< that the dividing points lie in, around the joint
    std::vector<CrossedEdge> crossed;
};

struct Regions {
    std::vector<int> joint_of;       ///< of each vertex; -1 in shells that no boundary touches
    std::vector<int> parent;         ///< of each joint, the one whose region it was cut from; -1 for none
    std::vector<BoundaryKind> kind;  ///< of each joint's boundary
    /// Where edges are crossed by boundaries of kind `nearest`, as a fraction from the edge's a.
    std::unordered_map<std::uint32_t, double> crossings;
};

/// Joints take their skin level by level. A joint takes what lies beyond its boundary and within the region
/// of a joint above it, so that regions are nested whatever the boundaries do. When the boundary leaks (the
/// two sides are connected around it), or what it takes has little in common with the skin that is nearest to
/// the bones beyond the joint (a limb that comes out of a trunk has no neck on its inner side), the shortest
/// loop through the dividing points is tried, then the whole cut, and at last that nearest skin is taken. At
/// the end regions that are not parent and child never share an edge: a strip of what lies between them in
/// the tree parts them.
Regions grow_regions(const RegionSurface& surface, const RegionJoints& joints, std::span<const JointCut> cuts,
                     std::span<const std::string> names, Monitor& monitor = silent());

}  // namespace sinew::rig
