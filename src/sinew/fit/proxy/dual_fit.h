// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Rigid joints of a frame under dual quaternion blending: the linear fits of Kavan et al. 2007 (4.2) as
/// published, and iterative ones without their bias.

#include "sinew/fit/proxy/dual_system.h"

namespace sinew::fit {

enum class DualMethod {
    published,  ///< four rows per vertex, real part 1
    reference,  ///< relative to a reference rotation of each joint, weighted rows, repeated
    newton,     ///< unit joints, Gauss-Newton on the distance; any engine can play them
};

struct DualOptions {
    DualMethod method = DualMethod::newton;
    int linear_iterations = 8;   ///< of `reference`
    int newton_iterations = 60;  ///< of `newton`
    double tolerance = 1e-5;     ///< Newton stops when the relative decrease of the cost is below this
    /// For Newton's methods: weight of a term that pulls towards the initial pose, as a fraction of the
    /// vertices of every joint.
    double pull = 0;
};

struct DualFrame {
    BonePose pose;
    double cost = 0;  ///< sum of squared distances in units of the sequence
    int iterations = 0;
    bool ill_posed = false;             ///< a rotation near 180 degrees, which real part 1 cannot represent
    std::vector<double> accepted_cost;  ///< after every accepted Newton step
};

/// Fits joints to the goals of one frame, in units of the sequence. Frames are independent of each other.
/// Newton's methods may start from the pose of an earlier fit.
DualFrame fit_dual_frame(const JointRig& rig, const DualSystem& system, std::span<const Vec3d> goals,
                         const DualOptions& options = {}, const BonePose* start = nullptr);

/// The directions of a rigid joint: omega and tau of q <- (1 + (omega + e tau) / 2) q.
JointBasis rigid_basis(const math::DualQuatd& q);

/// Projects a dual quaternion to a rigid motion: unit real part, perpendicular dual part.
math::DualQuatd made_rigid(const math::DualQuatd& q);

/// Rotations of the joints that best map the rig's normals to the goals (a second set), starting from those
/// of `start`: h A - A n = 0 with 3 unknowns per joint. What parallel normals leave undetermined does not
/// change. `system` belongs to a `normal_rig`, with the rest normals instead of the rest positions.
BonePose fit_dual_normals(const DualSystem& system, std::span<const Vec3d> goals, const BonePose& start,
                          int iterations = 3);
JointRig normal_rig(const JointRig& rig);

}  // namespace sinew::fit
