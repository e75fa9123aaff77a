// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Rigid joints of a frame under dual-quaternion blending: the linear fits of Kavan et al. 2007 (4.2) as
/// published, and iterated ones without their bias.

#include "sinew/fit/proxy/dual_system.h"

namespace sinew::fit {

enum class DualMethod {
    published,  ///< four rows a vertex, real part 1
    reference,  ///< about a reference rotation of each joint, rows weighted, repeated
    newton,     ///< unit joints, Gauss-Newton on the distance: any engine can play them
};

struct DualOptions {
    DualMethod method = DualMethod::newton;
    int linear_iterations = 8;   ///< of `reference`
    int newton_iterations = 60;  ///< of `newton`
    double tolerance = 1e-5;     ///< Newton stops when the cost falls by less than this part
    /// Newton's methods: pull towards the pose that they go on from, as if every joint had this part more of
    /// vertices, which should stay where that pose takes them.
    double pull = 0;
};

struct DualFrame {
    BonePose pose;
    double cost = 0;  ///< sum of squared distances in units of the sequence
    int iterations = 0;
    bool ill_posed = false;             ///< a rotation near 180 degrees that real part 1 cannot hold
    std::vector<double> accepted_cost;  ///< after every accepted Newton step
};

/// Fits joints to the goals of one frame, in units of the sequence. Frames do not depend on each other.
/// Newton's methods may go on from the pose of an earlier fit.
DualFrame fit_dual_frame(const JointRig& rig, const DualSystem& system, std::span<const Vec3d> goals,
                         const DualOptions& options = {}, const BonePose* start = nullptr);

/// The directions of a rigid joint: omega and tau of q <- (1 + (omega + e tau) / 2) q.
JointBasis rigid_basis(const math::DualQuatd& q);

/// Makes a dual quaternion a proper rigid motion: real part of length 1, dual part across it.
math::DualQuatd made_rigid(const math::DualQuatd& q);

/// Rotations of the joints that take the rig's normals to the goals' (a second set), from those of
/// `start`: h A - A n = 0 with 3 unknowns a joint. What parallel normals leave open stays as it is.
/// `system` is of a `normal_rig`, with the rest normals in place of the rest positions.
BonePose fit_dual_normals(const DualSystem& system, std::span<const Vec3d> goals, const BonePose& start,
                          int iterations = 3);
JointRig normal_rig(const JointRig& rig);

}  // namespace sinew::fit
