// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Refitting: the bounding sphere of a node in one pose, computed from the joints alone.

#include <algorithm>
#include <limits>
#include <span>
#include <vector>

#include "sinew/collide/body/blend_bounds.h"
#include "sinew/collide/body/blend_pose.h"

namespace sinew::collide {

/// Points and a radius around them that bound the vertices of an influence set.
struct PointsBound {
    std::uint32_t first = 0;
    std::uint32_t count = 0;
    float radius = 0;
    float deviation = 0;  ///< part of the radius that accounts for blending that is not linear
};

inline Float4 center_of(const StoredSphere& sphere) {
    return first3(load4(sphere.center.data()));  // the radius follows
}

/// Images of one centre under the joints, computed on demand.
class KeptImages {
  public:
    /// Clears all images, for `joints` joints.
    void start(std::size_t joints) {
        if (marks_.size() < joints) {
            marks_.resize(joints, 0);
            images_.resize(joints);
        }
        if (++mark_ == 0) {
            std::fill(marks_.begin(), marks_.end(), 0);
            mark_ = 1;
        }
    }
    template <class Make>
    Float4 at(std::uint32_t joint, const Make& make) {
        if (marks_[joint] == mark_) return load4(images_[joint].at);
        const Float4 image = make();
        marks_[joint] = mark_;
        store4(images_[joint].at, image);
        return image;
    }

  private:
    std::vector<Point4> images_;
    std::vector<std::uint32_t> marks_;
    std::uint32_t mark_ = 0;
};

/// Working memory of refits, one per thread; after it has grown, nothing is allocated.
struct RefitScratch {
    std::vector<Sphere> spheres;
    std::vector<SphericalCorner> spherical;
    std::vector<DualCorner> dual;
    KeptImages images;
    std::vector<Point4> points, blends;
    std::vector<float> joint_deviations;
    std::vector<PointsBound> bounds, own_bounds;  ///< from the sphere of the node, and from those of the sets
    QueryCounts counts;
    bool rough = false;  ///< fast but larger spheres suffice
};

/// Each influence set gives bounding points: from the sphere of the node and, where that is too large, also
/// from its own sphere. A centre is chosen, and of each set the variant with the smaller reach from it is
/// used.
class NodeRefit {
  public:
    /// All arguments must outlive this object.
    NodeRefit(JointPose& joints, SignTreePose& signs, BlendPose& blends);

    /// A sphere around the skinned vertices of a node, in single or double precision; unbounded where there
    /// is none.
    StoredSphere operator()(const Node& node, RefitScratch& scratch);

  private:
    using BlendDeviation = SignTreePose::BlendDeviation;

    StoredSphere from_sets(const Node& node, RefitScratch& scratch);
    StoredSphere from_joints(const Node& node, RefitScratch& scratch);
    Sphere exact(const Node& node, RefitScratch& scratch);

    std::span<const float> joint_deviations(const Node& node, RefitScratch& scratch);
    Sphere hull_by_sets(const Node& node, const Sphere& hull);
    void add_bounds(const SetBound& set_bound, const Node& node, float limit, RefitScratch& scratch);
    bool tighten(const Node& node, Float4 center, float radius, RefitScratch& scratch);
    PointsBound linear_bound(const SetBound& set_bound, const StoredSphere& sphere, KeptImages* images,
                             float limit, RefitScratch& scratch);
    void add_spherical_bound(const SetBound& set_bound, const StoredSphere& sphere, const StoredSphere* own,
                             RefitScratch& scratch);
    void add_dual_bound(const SetBound& set_bound, const StoredSphere& sphere, const StoredSphere* own,
                        RefitScratch& scratch);
    template <bool spherical>
    Point4* blend_corners(const SetBound& set_bound, Float4 center, RefitScratch& scratch);

    Sphere stretched(const SetBound& set_bound, const Sphere& sphere) const;
    void add_linear(const SetBound& set_bound, const Sphere& sphere, RefitScratch& scratch);
    void add_spherical(const SetBound& set_bound, Sphere sphere, RefitScratch& scratch);
    void add_dual(const SetBound& set_bound, Sphere sphere, RefitScratch& scratch);

    JointPose& joints_;
    SignTreePose& signs_;
    BlendPose& blends_;
    const TreeData* tree_;
    deform::Method method_;
};

}  // namespace sinew::collide
