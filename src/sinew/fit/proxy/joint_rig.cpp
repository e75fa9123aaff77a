// SPDX-License-Identifier: MIT
#include "sinew/fit/proxy/joint_rig.h"

#include <algorithm>

#include "sinew/fit/decomposition/target.h"

namespace sinew::fit {

using math::DualQuatd;
using math::Quatd;

namespace {

DualQuatd pure_translation(const Vec3d& t) {
    DualQuatd q;
    q.dual = Quatd(0, t.x() / 2, t.y() / 2, t.z() / 2);
    return q;
}

DualQuatd dual_of(const Mat34d& motion) {
    return math::to_dual_quaternion(
        math::Rigidd{Quatd(math::Mat3d(motion.leftCols<3>())).normalized(), motion.col(3)});
}

/// Distance of the vertices of a joint from it, as a root mean square over all joints.
double mean_reach(const JointRig& rig) {
    double sum = 0, weight = 0;
    for (std::size_t v = 0; v < rig.rest.size(); ++v) {
        for (const BoneWeight& w : rig.weights.of(v)) {
            sum += w.weight * (rig.rest[v] - rig.joints[w.bone]).squaredNorm();
            weight += w.weight;
        }
    }
    return std::max(std::sqrt(sum / std::max(weight, 1e-300)), 1e-9);
}

}  // namespace

JointRig make_rig(std::span<const Vec3d> rest, std::span<const Vec3d> joints, const BlendWeights& weights) {
    JointRig rig;
    Vec3d low = rest[0], high = rest[0], sum = Vec3d::Zero();
    for (const Vec3d& p : rest) {
        low = low.cwiseMin(p);
        high = high.cwiseMax(p);
        sum += p;
    }
    rig.center = sum / static_cast<double>(rest.size());
    rig.scale = std::max((high - low).norm() / 2, 1e-300);
    for (const Vec3d& p : rest) rig.rest.push_back((p - rig.center) / rig.scale);
    for (const Vec3d& p : joints) rig.joints.push_back((p - rig.center) / rig.scale);
    rig.weights = weights;
    rig.reach = mean_reach(rig);
    return rig;
}

AlignedGoals align(const JointRig& rig, std::span<const Vec3d> goals, bool align_rigidly) {
    AlignedGoals aligned;
    Vec3d middle = Vec3d::Zero();
    for (const Vec3d& g : goals) {
        aligned.goals.push_back((g - rig.center) / rig.scale);
        middle += aligned.goals.back() / static_cast<double>(goals.size());
    }
    aligned.motion.setIdentity();
    if (align_rigidly) {
        // Sums about the centroid keep their precision when the frame is far from the origin.
        math::Mat4d moments = math::Mat4d::Zero();
        Mat34d cross = Mat34d::Zero();
        for (std::size_t v = 0; v < rig.rest.size(); ++v) {
            const math::Vec4d u = rig.rest[v].homogeneous();
            moments += u * u.transpose();
            cross += (aligned.goals[v] - middle) * u.transpose();
        }
        aligned.motion = rigid_motion(cross, moments);
    }
    aligned.motion.col(3) += middle;
    for (Vec3d& g : aligned.goals) g = aligned.motion.leftCols<3>().transpose() * (g - aligned.motion.col(3));
    return aligned;
}

Mat34d unaligned(const JointRig& rig, const Mat34d& motion, const Mat34d& matrix) {
    Mat34d m;
    m.leftCols<3>() = motion.leftCols<3>() * matrix.leftCols<3>();
    m.col(3) = rig.scale * (motion.leftCols<3>() * matrix.col(3) + motion.col(3)) + rig.center -
               m.leftCols<3>() * rig.center;
    return m;
}

DualQuatd unaligned(const JointRig& rig, const Mat34d& motion, const DualQuatd& q) {
    DualQuatd moved = dual_of(motion) * q;
    moved.dual.coeffs() *= rig.scale;
    return pure_translation(rig.center) * moved * pure_translation(-rig.center);
}

Mat34d realigned(const JointRig& rig, const Mat34d& motion, const Mat34d& matrix) {
    Mat34d m;
    const math::Mat3d back = motion.leftCols<3>().transpose();
    m.leftCols<3>() = back * matrix.leftCols<3>();
    m.col(3) = back * ((matrix * rig.center.homogeneous() - rig.center) / rig.scale - motion.col(3));
    return m;
}

DualQuatd realigned(const JointRig& rig, const Mat34d& motion, const DualQuatd& q) {
    DualQuatd moved = pure_translation(-rig.center) * q * pure_translation(rig.center);
    moved.dual.coeffs() /= rig.scale;
    Mat34d back;
    back.leftCols<3>() = motion.leftCols<3>().transpose();
    back.col(3) = -back.leftCols<3>() * motion.col(3);
    return dual_of(back) * moved;
}

BonePose carried(const JointRig& rig, const Mat34d& from, const Mat34d& to, const BonePose& pose) {
    BonePose result;
    for (const Mat34d& m : pose.matrices)
        result.matrices.push_back(unaligned(rig, to, realigned(rig, from, m)));
    for (const DualQuatd& q : pose.duals) result.duals.push_back(unaligned(rig, to, realigned(rig, from, q)));
    return result;
}

}  // namespace sinew::fit
