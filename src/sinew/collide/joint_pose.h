#pragma once
/// \file
/// The joints of a body in one pose, as matrices, and what rounding in skinning can amount to. The lowest of
/// the layers that make a Body: each adds what it needs once a pose, when it is asked for. Inside the room
/// only.

#include <span>
#include <vector>

#include "sinew/collide/point4.h"
#include "sinew/collide/sphere_tree.h"
#include "sinew/collide/stamps.h"
#include "sinew/deform/blend.h"

namespace sinew::collide {

using math::Quatd;

/// Vectors added to the skinned vertices (in mesh order), none longer than `bound`: what a fitted sequence
/// corrects. They must outlive the pose.
struct Displacements {
    std::span<const Vec3f> vectors;
    double bound = 0;
};

class JointPose {
  protected:
    struct Joint {
        math::Mat3d linear;
        Vec3d move;
        double stretch = 1;  ///< largest singular value
        double bend = 0;     ///< how far the rigid part may take a vertex from the matrix

        float stretch_up() const { return static_cast<float>(stretch) * (1 + 0x1p-22f); }
    };
    /// The same as it is played: columns of the linear part, then the translation.
    struct Columns {
        Point4 at[4];
    };

    JointPose(const SphereTree& tree, deform::Method method);

    /// Starts a new pose, in which all that was made is worth nothing; true when stamps have to be cleared.
    bool begin_pose(const Displacements& displacements);
    /// \throws Error when the matrix is not finite.
    void set_joint(std::size_t joint, const deform::Mat34f& matrix);
    void end_pose();
    void clear_stamps() { motion_stamps_.clear(); }

    /// The quaternion of a joint.
    void prepare_motion(std::uint32_t joint) {
        if (!motion_stamps_.ready(joint, pose_))
            motion_stamps_.fill(joint, pose_, [&] { split_motion(joint); });
    }

    double linear_slack(std::size_t joints) const;
    double dual_slack(std::size_t joints, double least, double farther = 0) const;
    double spherical_slack(std::size_t joints, double from_center, double center, double least) const;
    std::size_t joint_bytes() const;

    const SphereTree* tree_;
    deform::Method method_;
    std::uint32_t pose_ = 0;  ///< even; see Stamps
    bool stretch_ = false;    ///< some joint scales or shears
    double size_ = 0;         ///< largest coordinate size that skinning meets, for rounding slack
    double moved_ = 0;        ///< largest translation
    double departure_ = 0;    ///< largest |A^T A - 1| of a joint
    double bend_ = 0;         ///< largest of the joints
    bool plain_ = false;  ///< all joints are so near to rigid that single precision gives their quaternions
    bool even_ = false;   ///< all joints are so near to rigid that `most_stretch_` serves them all
    float most_stretch_ = 1;
    float linear_slack_ = 0;  ///< of the largest set
    Displacements displacements_;
    std::vector<Joint> joints_;
    std::vector<Columns> columns_;
    std::vector<deform::JointMotion> motions_;  ///< where quaternions are blended; see prepare_motion()

  private:
    bool split_motion(std::uint32_t joint);
    bool surely_rigid(const Columns& columns, double departure) const;

    Stamps motion_stamps_;
};

}  // namespace sinew::collide
