#pragma once
/// \file
/// Which joints get a region of the skin, and how they hang together (Xie 2009, 4.1).

#include "sinew/base/monitor.h"
#include "sinew/model/skeleton.h"
#include "sinew/rig/bind/regions_surface.h"

namespace sinew::rig {

enum class LinkageKind {
    left_out,  ///< moves no skin: what would be its region is its parent's
    root,      ///< nothing above it, so no boundary
    single,    ///< one child, or a leaf with a tip or a virtual child
    multi,     ///< two or more children
};

/// A joint as binding sees it, in the unit frame.
struct LinkedJoint {
    LinkageKind kind = LinkageKind::left_out;
    int parent = -1;            ///< nearest joint above that is not left out
    std::vector<int> children;  ///< rising
    Vec3d position = Vec3d::Zero();
    std::vector<Vec3d> ends;  ///< of its bones: children, or the tip, or the virtual child
    bool leaf = false;
    bool has_tip = false;  ///< the skeleton says where its bone ends
    int subtree = 1;       ///< joints in it and below
};

struct Linkage {
    std::vector<LinkedJoint> joints;  ///< one for each of the skeleton
    int root = -1;
    std::vector<int> order;  ///< level by level, the larger subtree first: who takes its skin before whom
};

struct LinkageOptions {
    bool exclude_end_sites = true;  ///< leaves named as ends (`_end`, `Nub`, `Site`) move nothing
    double same_place = 1e-4;       ///< of the size of the mesh: joints nearer than this are at one place
    double far_out = 0.1;           ///< a joint farther outside than this has no skin
};

/// Gives leaves without a tip, and joints that have only such leaves below them, the middle of the skin that
/// is nearest to the joint itself as an end: a foot or a face points where its skin is, not where the bone
/// before it came from.
void add_skin_ends(const RegionSurface& surface, Linkage& linkage);

/// True for the names that exporters give to the ends of bones.
bool is_end_site(std::string_view name);

/// Leaves out what cannot have skin: end sites, leaves outside the mesh, joints far from it, joints above
/// the body, all but the deepest of several joints at one place. A joint outside is moved inside. A leaf that
/// lies on the bone of its parent (a twist joint) stands between its parent and that bone's end.
/// \throws Error when the skeleton is empty.
Linkage link_joints(const RegionSurface& surface, const model::Skeleton& skeleton,
                    const LinkageOptions& options = {}, Monitor& monitor = silent());

}  // namespace sinew::rig
