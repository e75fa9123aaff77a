#pragma once
/// \file
/// Quaternions and centres of influence sets in one pose: the same signs and the same centres as skinning
/// (deform/set_coefficients.h). The third layer of a Body. Inside the room only.

#include <cmath>

#include "sinew/collide/edge_pose.h"
#include "sinew/math/rotation_center.h"

namespace sinew::collide {

class BlendPose : protected EdgePose {
  protected:
    /// What a set needs besides its joints, once a pose.
    struct Set {
        Point4 pivot;        ///< spherical: rest centre
        float center2 = 0;   ///< its squared distance from the origin
        float gap = 0;       ///< how far apart a pivot that stands for the centre is taken
        float variance = 0;  ///< spherical: of where the joints take the centre
        double least = 1;    ///< exact: smallest <q_i, s>
        double spread = 0;   ///< exact, spherical: how far apart the joints take the centre

        Vec3d center() const { return pivot.point().cast<double>(); }
        float center_size() const { return std::sqrt(center2) * (1 + 0x1p-20f); }
    };
    /// Joint of a set: its quaternion with sign.
    struct SetJoint {
        Quatd q, dual;
        Vec3d moved;  ///< spherical: where it takes the centre
    };
    /// The same as it is played: the quaternion, and its dual or where the centre goes.
    struct PlayedJoint {
        Point4 q, other;
    };
    /// Sets of no more joints are played without looking further than the joints.
    static constexpr std::uint32_t few_joints = 8;
    /// How far the blend of a set is from the linear one at most: `turn` (D + spread) + slack where its
    /// joints take a point D around their middle. Unbounded where `turn` is infinite.
    struct Bend {
        float turn = 0;
        float spread = 0;  ///< spherical: how far apart they take the centre
        float slack = 0;   ///< for rounding
        float most = 0;    ///< the whole, for the vertex of the set that is farthest from the pivots
    };

    BlendPose(const SphereTree& tree, deform::Method method);

    void clear_stamps() {
        EdgePose::clear_stamps();
        for (Stamps* stamps : {&turn_stamps_, &set_stamps_, &center_stamps_, &exact_stamps_, &bend_stamps_})
            stamps->clear();
    }
    /// Joints of a set as they are blended, in `room` where that is enough.
    const PlayedJoint* played_joints(std::uint32_t set, PlayedJoint (&room)[few_joints]);
    /// `sets_` and `set_joints_` in double, with how far apart the joints are.
    void prepare_exact(std::uint32_t set) {
        if (!exact_stamps_.ready(set, pose_)) exact_stamps_.fill(set, pose_, [&] { fill_exact(set); });
    }
    const Bend& bend_of(std::uint32_t set) {
        if (!bend_stamps_.ready(set, pose_)) bend_stamps_.fill(set, pose_, [&] { fill_bend(set); });
        return bends_[set];
    }
    std::size_t blend_bytes() const;

    std::vector<Set> sets_;
    std::vector<SetJoint> set_joints_;

  private:
    /// What centres are solved from: R by rows, t, R^T t and |t|^2 of the rigid part of a joint.
    struct CenterTerms {
        double at[16] = {};
    };

    void prepare_turns() {
        if (!turn_stamps_.ready(0, pose_)) turn_stamps_.fill(0, pose_, [&] { fill_turns(); });
    }
    void fill_turns();
    bool signs_agree() const;
    void prepare_set(std::uint32_t set) {
        if (!set_stamps_.ready(set, pose_)) set_stamps_.fill(set, pose_, [&] { fill_set(set); });
    }
    void fill_set(std::uint32_t set);
    void prepare_centers() {
        if (!center_stamps_.ready(0, pose_)) center_stamps_.fill(0, pose_, [&] { fill_centers(); });
    }
    void fill_centers();
    void fill_terms();
    bool shared_center(std::uint32_t set);
    template <std::uint32_t fixed>
    void fill_two_centers(std::uint32_t first, std::uint32_t second);
    void place_center(std::uint32_t set, Float4 center, double variance);
    Vec3d careful_center(const math::CenterEquations& equations, std::uint32_t set);
    Vec3d solved_center(std::uint32_t set);
    void fill_exact(std::uint32_t set);
    void fill_bend(std::uint32_t set);

    std::vector<CenterTerms> center_terms_;  ///< an even number
    std::vector<Point4> turns_, duals_;      ///< dual quaternions in single precision; a multiple of four
    bool turns_agree_ = false;               ///< they need no other signs in any set
    std::vector<PlayedJoint> played_joints_;
    std::vector<Bend> bends_;
    Stamps turn_stamps_, set_stamps_, center_stamps_, exact_stamps_, bend_stamps_;
};

}  // namespace sinew::collide
