// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// A skinned body between two poses when every joint moves along a screw with constant speed, and bounds of
/// the deviation of its vertices from straight lines.

#include <span>
#include <vector>

#include "sinew/collide/query/touch_search.h"
#include "sinew/math/dual_quaternion.h"

namespace sinew::collide {

/// Linear blending between two palettes. The rigid part of a joint moves along the shorter screw; the
/// remaining scale or shear changes linearly, so that both ends are the given palettes. Time runs from 0 to
/// 1. Not thread-safe.
class ScrewPath {
  public:
    /// The tree must outlive the path. Starts at rest, without motion.
    explicit ScrewPath(const TreeData& tree);

    /// \throws Error when a palette is too short or not finite.
    void set_ends(std::span<const deform::Mat34f> start, std::span<const deform::Mat34f> end);

    const TreeData& tree() const { return *tree_; }

    /// All joints at a time, in single precision; `out` is replaced.
    void palette(double time, std::vector<deform::Mat34f>& out) const;

    /// A vertex (in the order of the tree) at a time.
    Vec3d vertex(std::uint32_t vertex, double time);

    /// Upper bound of the acceleration of a vertex of a node, |x''| <= max over corners of sum c_i a_i, where
    /// joint i accelerates a point at distance d from its axis by a_i = d angle^2. Between two times with
    /// difference h a vertex deviates from its chord by at most h^2 / 8 of it, and its speed from the mean by
    /// h / 2.
    double acceleration(std::uint32_t node);

    /// Bound of the rounding error of single-precision skinning, relative to vertex().
    double slack() const { return slack_; }

  private:
    struct Affine {
        math::Mat3d linear = math::Mat3d::Identity();
        Vec3d move = Vec3d::Zero();
    };
    /// exp(t twist) start + t rest.
    struct Joint {
        Affine start, rest;
        math::DualVector<double> twist;
        double stretch = 1;  ///< Frobenius norm of the start: upper bound of the growth of a sphere
    };
    struct Moment {
        double time = 0;
        Affine pose;
    };

    Affine joint_at(std::uint32_t joint, double time) const;
    double acceleration_of(const Joint& joint, const Vec3d& center, double radius) const;
    double set_bound_acceleration(const SetBound& set_bound);
    double vertex_acceleration(std::uint32_t vertex) const;
    double made_acceleration(const Node& node);
    void set_slack();

    const TreeData* tree_;
    std::vector<Joint> joints_;
    std::vector<Moment> moments_;        ///< of the joints at the last requested time
    std::vector<double> accelerations_;  ///< per node; negative when not computed
    std::vector<double> set_bound_scratch_;
    double slack_ = 0;
};

/// Contents of a ScrewBody.
class ScrewStep {
  public:
    explicit ScrewStep(const TreeData& tree);

    /// A new step. \throws Error as PosedBody::set_pose.
    void set(std::span<const deform::Mat34f> start, std::span<const deform::Mat34f> end);

    ScrewPath& path() { return path_; }
    /// Poses at both ends of a part of the step; continuing from the end of the last part costs one pose.
    PosedMotion part(double from, double to);

  private:
    void pose(PosedBody& body, double time);

    ScrewPath path_;
    PosedBody bodies_[2];
    int start_ = 0;         ///< index of the start pose
    double end_time_ = -1;  ///< time of the other pose; negative when there is none
    std::vector<deform::Mat34f> palette_;
};

/// Number of equal parts into which find_first_touch() divides the step of a body, so that no vertex deviates
/// from its straight line by more than `deviation`, in radii of the body. A smaller value costs more poses, a
/// larger one gives looser spheres.
int parts_of(ScrewStep& body, SearchScratch& scratch, double deviation = 0.02);

/// find_first_touch() with a given number of parts; the result does not depend on it.
FirstTouch first_screw_touch(ScrewStep& a, ScrewStep& b, SearchScratch& scratch, double tolerance,
                             double deviation = 0.02);

}  // namespace sinew::collide
