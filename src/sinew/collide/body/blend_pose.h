// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Quaternions and centres of influence sets in one pose: the same signs and the same centres as skinning
/// (deform/set_coefficients.h).

#include <cmath>

#include "sinew/collide/body/sign_tree_pose.h"
#include "sinew/math/blend.h"

namespace sinew::collide {

class BlendPose {
  public:
    using BlendDeviation = SignTreePose::BlendDeviation;

    /// Spherical: the centre of a set.
    struct Center {
        Point4 rest;
        float size2 = 0;  ///< its squared distance from the origin
        float gap = 0;    ///< how far apart a pivot that stands for the centre is taken

        Vec3d point() const { return rest.point().cast<double>(); }
        float size() const { return std::sqrt(size2) * (1 + 0x1p-20f); }
    };
    /// How far the joints of a set are apart, once a pose.
    struct Set {
        double min_length = 1;  ///< smallest <q_i, s>
        double spread = 0;      ///< spherical: how far apart the joints take the centre
    };
    /// Joint of a set: its quaternion with sign.
    struct SetJoint {
        Quatd q, dual;
        Vec3d moved;  ///< spherical: where it takes the centre
    };
    /// The same as it is played: the quaternion, and its dual or where the centre goes.
    struct PlayedJoint {
        alignas(16) float q[4], other[4];
    };
    /// Both, summed with weights.
    struct PlayedBlend {
        Float4 q, other;
    };
    /// Sets of no more joints are played without looking further than the joints.
    static constexpr std::uint32_t few_joints = 8;

    /// Both must outlive it.
    BlendPose(JointPose& joints, SignTreePose& signs);

    void clear_caches() {
        for (PerPoseCache* stamps :
             {&rotation_cache_, &set_cache_, &center_cache_, &term_cache_, &exact_cache_})
            stamps->clear();
    }
    /// Spherical: two joints that keep a rest position together turn about it, for any point of their axis
    /// gives the same blend; others have the centre of skinning.
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
    /// Joints of a set as they are blended, in `scratch` where that is enough; for spherical blending about a
    /// centre.
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
    /// The joints of a set in double, with how far apart they are.
    void prepare_exact(std::uint32_t set) {
        if (!exact_cache_.ready(set, joints_.number))
            exact_cache_.fill(set, joints_.number, [&] { fill_exact(set); });
    }
    /// As SignTreePose::blend_deviation(), where the centre of the set is worth solving for.
    BlendDeviation tight_blend_deviation(std::uint32_t set);
    /// What prepare_exact() made.
    const Set& exact_set(std::uint32_t set) const { return sets_[set]; }
    const SetJoint* exact_joints_of(std::uint32_t set) const {
        return set_joints_.data() + tree_->sets[set].first_joint;
    }
    std::size_t bytes() const;

  private:
    /// What centres are solved from: R by rows, t and R^T t of the rigid part of a joint.
    struct CenterTerms {
        double at[16] = {};  ///< the last is not used
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
    std::vector<CenterTerms> center_terms_;  ///< an even number, made two by two
    std::vector<Point4> rotations_, duals_;  ///< dual quaternions in single precision; a multiple of four
    bool signs_agree_ = false;               ///< they need no other signs in any set
    std::vector<PlayedJoint> played_joints_;
    PerPoseCache rotation_cache_, set_cache_, center_cache_, term_cache_, exact_cache_;
};

}  // namespace sinew::collide
