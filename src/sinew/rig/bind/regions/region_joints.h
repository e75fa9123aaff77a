// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Which joints get a region of the skin, and their hierarchy (Xie 2009, 4.1).

#include "sinew/base/monitor.h"
#include "sinew/model/skeleton.h"
#include "sinew/rig/bind/bind_input.h"
#include "sinew/rig/bind/regions/surface.h"

namespace sinew::rig {
/// Role of a joint in the division of the skin.
enum class JointLinks {
    left_out,  ///< moves no skin; its region belongs to its parent
    root,      ///< no ancestor, so no boundary
    single,    ///< one child, or a leaf with a tip or a virtual child
    multi,     ///< two or more children
};

/// A joint prepared for binding, in the unit frame.
struct RegionJoint {
    JointLinks kind = JointLinks::left_out;
    int parent = -1;            ///< nearest ancestor that is not left out
    std::vector<int> children;  ///< rising
    Vec3d position = Vec3d::Zero();
    std::vector<Vec3d> ends;  ///< of its bones: children, or the tip, or the virtual child
    bool leaf = false;
    bool has_tip = false;  ///< the skeleton says where its bone ends
    int subtree = 1;       ///< joints in it and below
};

struct RegionJoints {
    std::vector<RegionJoint> joints;  ///< one per joint of the skeleton
    int root = -1;
    std::vector<int> order;  ///< level by level, larger subtrees first: the order of taking skin
};

/// True for names that exporters give to end joints.
bool is_end_site(std::string_view name);

/// Leaves out joints that cannot have skin: end sites, leaves outside the mesh, joints far from it, joints
/// above the body, and all but the deepest of several joints at one position. A joint outside is moved
/// inside. A leaf on the bone of its parent (a twist joint) is inserted between its parent and the end of
/// that bone.
/// \throws Error when the skeleton is empty
RegionJoints region_joints(const RegionSurface& surface, const model::Skeleton& skeleton,
                           Monitor& monitor = silent());

// --- Properties of the skin before any boundary: the nearest bones and the area of each

/// Ancestor queries in constant time: joints are numbered so that a subtree is a range.
class Descent {
  public:
    explicit Descent(const RegionJoints& joints) : first_(joints.joints.size(), -1), last_(first_) {
        if (joints.root >= 0) number(joints, joints.root);
    }
    /// True when `above` is `below` or an ancestor of it.
    bool covers(int above, int below) const {
        return first_[at(above)] <= first_[at(below)] && first_[at(below)] <= last_[at(above)];
    }

  private:
    static std::size_t at(int j) { return static_cast<std::size_t>(j); }
    void number(const RegionJoints& joints, int root) {
        std::vector<int> stack{root};
        while (!stack.empty()) {
            const int j = stack.back();
            stack.pop_back();
            first_[at(j)] = next_++;
            last_[at(j)] = first_[at(j)] + joints.joints[at(j)].subtree - 1;
            for (const int child : joints.joints[at(j)].children) stack.push_back(child);
        }
    }
    std::vector<int> first_, last_;
    int next_ = 0;
};

/// The bones of the joints that take part, parents first.
std::vector<BoneSegment> bones_of_regions(const RegionJoints& joints);

/// The joint whose bone is nearest to each vertex, as an approximation of the regions. Of equally near bones,
/// as on the outer side of a bend, the first is used, and the vertex is marked as contested.
struct NearestBones {
    std::vector<int> joint;
    std::vector<char> contested;
};
NearestBones nearest_bones(const RegionSurface& surface, std::span<const BoneSegment> bones);

/// A third of the triangles around each vertex.
std::vector<double> vertex_areas(const RegionSurface& surface);

/// For each shell whether most of it is close to the skin of the body, as clothes, eyes and teeth are.
std::vector<char> shells_on(const RegionSurface& surface, std::uint32_t body, std::span<const double> areas,
                            double reach = 0.02);

}  // namespace sinew::rig
