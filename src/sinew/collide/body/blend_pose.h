// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Quaternions and rotation centres of influence sets in one pose, with the same signs and centres as
/// skinning (deform/skinning/set_coefficients.cpp).

#include <cmath>

#include "sinew/collide/body/sign_tree_pose.h"
#include "sinew/math/blend.h"

namespace sinew::collide {

class BlendPose {
  public:
    using BlendDeviation = SignTreePose::BlendDeviation;

    /// Spherical blending: the centre of a set.
    struct Center {
        Point4 rest;
        float size2 = 0;  ///< its squared distance from the origin
        float gap = 0;    ///< how far apart the joints move the pivot that replaces the centre

        Vec3d point() const { return rest.point().cast<double>(); }
        float size() const { return std::sqrt(size2) * (1 + 0x1p-20f); }
    };
    /// Differences between the joints of a set, computed once per pose.
    struct Set {
        double min_length = 1;  ///< smallest <q_i, s>
        double spread =
            0;  ///< spherical: largest distance between the positions to which the joints move the centre
    };
    /// A joint in a set: its quaternion with the sign of the set.
    struct SetJoint {
        Quatd q, dual;
        Vec3d moved;  ///< spherical: the moved centre
    };
    /// The same in single precision: the quaternion, and its dual part or the moved centre.
    struct PlayedJoint {
        alignas(16) float q[4], other[4];
    };
    /// Both, summed with weights.
    struct PlayedBlend {
        Float4 q, other;
    };
    /// For sets with at most this many joints the joints are used directly.
    static constexpr std::uint32_t few_joints = 8;

    /// Both must outlive it.
    BlendPose(JointPose& joints, SignTreePose& signs);

    void clear_caches() {
        for (PerPoseCache* stamps :
             {&rotation_cache_, &set_cache_, &center_cache_, &term_cache_, &exact_cache_})
            stamps->clear();
    }
    /// Spherical blending: two joints that share a rest position rotate about it, because every point of
    /// their axis gives the same blend; other sets use the centre of skinning.
    Center rest_center(std::uint32_t set) {
        signs_.prepare_edges();
        const TreeSet& joints = tree_->sets[set];
        if (joints.joint_count == 2 && tree_->sign_tree.whole && !joints_.stretches) {
            const std::uint32_t edge = tree_->sign_tree.set_edges[joints.first_joint - set];
            const float gap = signs_.edge_gap(edge), size = tree_->sign_tree.sizes[set].reach;
            if (gap <= 2 * signs_.edge_gap_slack())
                return {stored4(load4(tree_->sign_tree.edges[edge].pivot)), size * size, gap};
        }
        if (!center_cache_.ready(set, joints_.number))
            center_cache_.fill(set, joints_.number, [&] { fill_center(set); });
        return centers_[set];
    }
    /// Joints of a set as they are blended (spherical: about a centre), in `scratch` if that is large enough.
    template <bool spherical>
    const PlayedJoint* played_joints(std::uint32_t set, [[maybe_unused]] Float4 center,
                                     PlayedJoint (&scratch)[few_joints]) {
        prepare_rotations();
        const TreeSet& from = tree_->sets[set];
        if (!signs_agree_ || from.joint_count > few_joints) return exact_played_joints(set);
        const std::uint32_t* const joints = tree_->set_joints.data() + from.first_joint;
        for (std::uint32_t i = 0; i < from.joint_count; ++i) {
            store4(scratch[i].q, load4(rotations_[joints[i]].at));
            if constexpr (spherical) {
                store4(scratch[i].other, image(joints_.columns[joints[i]].at, center));
            } else {
                store4(scratch[i].other, load4(duals_[joints[i]].at));
            }
        }
        return scratch;
    }
    static PlayedBlend sum_of(const PlayedJoint* joints, const float* weights, std::uint32_t count) {
        Float4 w = all4(weights[0]);
        PlayedBlend sum{w * load4(joints[0].q), w * load4(joints[0].other)};
#pragma GCC unroll 4
        for (std::uint32_t i = 1; i < count; ++i) {
            w = all4(weights[i]);
            sum.q = sum.q + w * load4(joints[i].q);
            sum.other = sum.other + w * load4(joints[i].other);
        }
        return sum;
    }
    /// The joints of a set in double precision, with their differences.
    void prepare_exact(std::uint32_t set) {
        if (!exact_cache_.ready(set, joints_.number))
            exact_cache_.fill(set, joints_.number, [&] { fill_exact(set); });
    }
    /// As SignTreePose::blend_deviation(), with the exact centre of the set where solving for it pays off.
    BlendDeviation tight_blend_deviation(std::uint32_t set);
    /// The result of prepare_exact().
    const Set& exact_set(std::uint32_t set) const { return sets_[set]; }
    const SetJoint* exact_joints_of(std::uint32_t set) const {
        return set_joints_.data() + tree_->sets[set].first_joint;
    }
    std::size_t bytes() const;

  private:
    /// Terms for solving centres: R by rows, t and R^T t of the rigid part of a joint.
    struct CenterTerms {
        double at[16] = {};  ///< the last is unused
    };

    void prepare_rotations() {
        if (!rotation_cache_.ready(0, joints_.number))
            rotation_cache_.fill(0, joints_.number, [&] { fill_rotations(); });
    }
    void fill_rotations();
    bool check_signs() const;
    const PlayedJoint* exact_played_joints(std::uint32_t set);
    void fill_set(std::uint32_t set);
    float center_deviation(std::uint32_t set, Float4 center) const;
    void fill_center(std::uint32_t set);
    void fill_terms(std::uint32_t pair);
    Vec3d solved_center(std::uint32_t set);
    void fill_exact(std::uint32_t set);

    JointPose& joints_;
    SignTreePose& signs_;
    const TreeData* tree_;
    deform::Method method_;
    std::vector<Set> sets_;  ///< exact
    std::vector<SetJoint> set_joints_;
    std::vector<Center> centers_;
    std::vector<CenterTerms> center_terms_;  ///< an even number; computed in pairs
    std::vector<Point4> rotations_, duals_;  ///< dual quaternions in single precision; a multiple of four
    bool signs_agree_ = false;               ///< the signs are the same in every set
    std::vector<PlayedJoint> played_joints_;
    PerPoseCache rotation_cache_, set_cache_, center_cache_, term_cache_, exact_cache_;
};

}  // namespace sinew::collide
