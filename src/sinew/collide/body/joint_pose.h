// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// The joints of a body in one pose, as matrices, and bounds of the rounding errors of skinning. All other
/// parts of a PosedBody read them.

#include <span>
#include <vector>

#include "sinew/collide/body.h"
#include "sinew/collide/body/per_pose_cache.h"
#include "sinew/collide/body/simd.h"
#include "sinew/collide/tree/tree_data.h"
#include "sinew/deform/blend.h"

namespace sinew::collide {

using math::Quatd;

struct JointPose {
    struct Joint {
        math::Mat3d linear;
        Vec3d move;
        double stretch = 1;  ///< largest singular value
        double deviation =
            0;  ///< bound of the distance between a vertex under the rigid part and under the matrix

        float stretch_up() const { return static_cast<float>(stretch) * (1 + 0x1p-22f); }
    };
    /// The same in single precision: columns of the linear part, then the translation.
    struct Columns {
        Point4 at[4];
    };

    /// The tree must outlive it. \throws Error for a method other than lbs, sbs and dqs.
    JointPose(const TreeData& tree, deform::Method method);
    JointPose(const JointPose&) = delete;
    JointPose& operator=(const JointPose&) = delete;

    /// Starts a new pose and invalidates all computed data; true when caches must be cleared.
    bool begin(const Displacements& moved_vertices);
    /// \throws Error when the matrix is not finite.
    void set_joint(std::size_t joint, const deform::Mat34f& matrix);
    void end();
    void clear_caches() { motion_cache.clear(); }

    /// The quaternion of a joint.
    void prepare_motion(std::uint32_t joint) {
        if (!motion_cache.ready(joint, number))
            motion_cache.fill(joint, number, [&] { split_motion(joint); });
    }

    /// Bounds of the rounding errors of each method; see the definitions.
    double linear_slack(std::size_t joint_count) const;
    double dual_slack(std::size_t joint_count, double min_length, double farther = 0) const;
    double spherical_slack(std::size_t joint_count, double from_center, double center,
                           double min_length) const;
    std::size_t bytes() const;

    const TreeData* tree;
    deform::Method method;
    std::uint32_t number = 0;    ///< of the pose: even; see PerPoseCache
    bool stretches = false;      ///< some joint has scale or shear
    double size = 0;             ///< largest coordinate that occurs in skinning, for rounding bounds
    double moved = 0;            ///< largest translation
    double departure = 0;        ///< largest |A^T A - 1| of a joint
    double rigid_deviation = 0;  ///< largest of the joints
    bool plain =
        false;  ///< all joints are so close to rigid that single precision suffices for their quaternions
    bool even = false;  ///< all joints are so close to rigid that `max_stretch` applies to all
    float max_stretch = 1;
    float max_linear_slack = 0;  ///< of the largest set
    Displacements displacements;
    std::vector<Joint> joints;
    std::vector<Columns> columns;
    std::vector<deform::JointMotion> motions;  ///< for methods that blend quaternions; see prepare_motion()
    PerPoseCache motion_cache;

  private:
    bool split_motion(std::uint32_t joint);
};

}  // namespace sinew::collide
