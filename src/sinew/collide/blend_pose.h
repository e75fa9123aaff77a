#pragma once
/// \file
/// Quaternions and centres of influence sets in one pose: the same signs and the same centres as skinning
/// (deform/set_coefficients.h). The third layer of a Body. Inside the room only.

#include <cmath>

#include "sinew/collide/edge_pose.h"
#include "sinew/math/blend.h"

namespace sinew::collide {

class BlendPose : protected EdgePose {
  protected:
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
        double least = 1;   ///< smallest <q_i, s>
        double spread = 0;  ///< spherical: how far apart the joints take the centre
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

    BlendPose(const SphereTree& tree, deform::Method method);

    void clear_stamps() {
        EdgePose::clear_stamps();
        for (Stamps* stamps : {&turn_stamps_, &set_stamps_, &center_stamps_, &term_stamps_, &exact_stamps_})
            stamps->clear();
    }
    /// Spherical: two joints that keep a rest place together turn about it, for any point of their axis gives
    /// the same blend; others have the centre of skinning.
    Center rest_center(std::uint32_t set) {
        prepare_edges();
        const TreeSet& joints = tree_->sets[set];
        if (joints.joint_count == 2 && tree_->edges.whole && !stretch_) {
            const std::uint32_t edge = tree_->edges.set_edges[joints.first_joint - set];
            const float gap = edge_gaps_[edge], size = tree_->edges.sizes[set].reach;
            if (gap <= 2 * edge_gap_slack_)
                return {stored4(load4(tree_->edges.edges[edge].pivot)), size * size, gap};
        }
        if (!center_stamps_.ready(set, pose_)) center_stamps_.fill(set, pose_, [&] { fill_center(set); });
        return centers_[set];
    }
    /// Joints of a set as they are blended, in `room` where that is enough; for spherical blending about a
    /// centre.
    template <bool spherical>
    const PlayedJoint* played_joints(std::uint32_t set, [[maybe_unused]] Float4 center,
                                     PlayedJoint (&room)[few_joints]) {
        prepare_turns();
        const TreeSet& from = tree_->sets[set];
        if (!turns_agree_ || from.joint_count > few_joints) return exact_joints(set);
        const std::uint32_t* const joints = tree_->set_joints.data() + from.first_joint;
        for (std::uint32_t i = 0; i < from.joint_count; ++i) {
            store4(room[i].q, load4(turns_[joints[i]].at));
            if constexpr (spherical) {
                store4(room[i].other, image(columns_[joints[i]].at, center));
            } else {
                store4(room[i].other, load4(duals_[joints[i]].at));
            }
        }
        return room;
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
    /// `sets_` and `set_joints_` in double, with how far apart the joints are.
    void prepare_exact(std::uint32_t set) {
        if (!exact_stamps_.ready(set, pose_)) exact_stamps_.fill(set, pose_, [&] { fill_exact(set); });
    }
    /// As bend_of(), where the centre of the set is worth solving for.
    Bend tight_bend_of(std::uint32_t set);
    std::size_t blend_bytes() const;

    std::vector<Set> sets_;  ///< exact
    std::vector<SetJoint> set_joints_;

  private:
    /// What centres are solved from: R by rows, t and R^T t of the rigid part of a joint.
    struct CenterTerms {
        double at[16] = {};  ///< the last is not used
    };

    void prepare_turns() {
        if (!turn_stamps_.ready(0, pose_)) turn_stamps_.fill(0, pose_, [&] { fill_turns(); });
    }
    void fill_turns();
    bool signs_agree() const;
    const PlayedJoint* exact_joints(std::uint32_t set);
    void fill_set(std::uint32_t set);
    float center_deviation(std::uint32_t set, Float4 center) const;
    void fill_center(std::uint32_t set);
    void fill_terms(std::uint32_t pair);
    Vec3d solved_center(std::uint32_t set);
    void fill_exact(std::uint32_t set);

    std::vector<Center> centers_;
    std::vector<CenterTerms> center_terms_;  ///< an even number, made two by two
    std::vector<Point4> turns_, duals_;      ///< dual quaternions in single precision; a multiple of four
    bool turns_agree_ = false;               ///< they need no other signs in any set
    std::vector<PlayedJoint> played_joints_;
    Stamps turn_stamps_, set_stamps_, center_stamps_, term_stamps_, exact_stamps_;
};

}  // namespace sinew::collide
