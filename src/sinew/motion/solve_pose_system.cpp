// The linear system of a step: moments of the points gathered over subtrees, and the pulls on the joints.

#include <algorithm>
#include <cmath>

#include "sinew/base/array.h"
#include "sinew/motion/solve_pose.h"

namespace sinew::motion {
namespace {

using math::Mat3d;
using math::Vec3d;

}  // namespace

/// Cost beyond the limits of a joint; when assembling, its part of the system (in the node's own unknowns).
double PoseSolver::limit_pull(std::size_t n, const Pose& pose, bool assembling) {
    const Node& node = nodes_[n];
    const model::JointLimits& limits = *skeleton_.joints[sinew::at(node.joint)].limits;
    const Vec3d angles = limit_angles(node.joint, pose.rotation[sinew::at(node.joint)]);
    const Vec3d beyond = angles - angles.cwiseMax(limits.low).cwiseMin(limits.high);
    const double mu = options_.limit_weight;
    if (!assembling || beyond.isZero()) return mu * beyond.squaredNorm();
    // A turn w changes the angles by A^-1 w; a stepwise joint has the angles themselves as unknowns.
    Mat3d rates = Mat3d::Identity();
    if (!node.stepwise) {
        const Mat3d a = axes(node, pose);
        if (std::abs(a.determinant()) < 0.1) return mu * beyond.squaredNorm();
        rates = a.inverse();
    }
    const Vec3d active = (beyond.array() != 0).cast<double>();
    system_.diagonal(n) += mu * rates.transpose() * active.asDiagonal() * rates;
    system_.right(n) -= mu * rates.transpose() * beyond;
    return mu * beyond.squaredNorm();
}

/// Costs of the pulls towards the frame before, towards rest and into the limits.
double PoseSolver::pulls(const Pose& pose, bool assembling) {
    double sum = 0;
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
        const Node& node = nodes_[n];
        if (node.place) continue;
        const std::size_t j = sinew::at(node.joint);
        const Vec3d since = math::rotation_vector<double>(pose.rotation[j] * before_.rotation[j].conjugate());
        sum += options_.smoothness * since.squaredNorm();
        Vec3d force = options_.smoothness * since;
        if (node.pull > 0) {
            const Vec3d bent = math::rotation_vector<double>(pose.rotation[j] *
                                                             skeleton_.joints[j].rest.rotation.conjugate());
            sum += node.pull * bent.squaredNorm();
            force += node.pull * bent;
        }
        if (assembling) {
            system_.diagonal(n).diagonal().array() += options_.smoothness + node.pull;
            system_.right(n) -= parent_rotation(node.joint) * force;
        } else if (options_.use_limits && skeleton_.joints[j].limits) {
            sum += limit_pull(n, pose, false);
        }
    }
    return sum;
}

/// Moments of every subtree, from the leaves to the roots.
void PoseSolver::gather(std::span<const Vec3d> targets) {
    std::fill(moments_.begin(), moments_.end(), Moments{});
    for (std::size_t m = 0; m < attachments_.size(); ++m) {
        if (!targets[m].allFinite()) continue;
        const Attachment& a = attachments_[m];
        const Vec3d p = centre_[sinew::at(a.joint)] + world_[sinew::at(a.joint)] * a.offset;
        const Vec3d r = p - targets[m];
        const double distance = r.norm();
        const double w = a.weight * (distance <= options_.huber ? 1 : options_.huber / distance);
        Moments& sums = moments_[sinew::at(node_of_[sinew::at(a.joint)])];
        sums.weight += w;
        sums.first += w * p;
        sums.second += w * p * p.transpose();
        sums.force += w * r;
        sums.torque += w * p.cross(r);
    }
    for (std::size_t n = nodes_.size(); n-- > 0;) {
        if (system_.ancestors(n).empty()) continue;
        Moments& above = moments_[sinew::at(system_.ancestors(n).front())];
        above.weight += moments_[n].weight;
        above.first += moments_[n].first;
        above.second += moments_[n].second;
        above.force += moments_[n].force;
        above.torque += moments_[n].torque;
    }
}

/// The blocks of a node with itself and its ancestors. All points of its subtree hang on all of them:
/// with S = sum w (p - c)(p - c')^T, J^T J' = tr(S) I - S; with a place, J^T J' = [sum w (p - c)]x.
void PoseSolver::couple(std::size_t n, const Pose& pose) {
    const Node& node = nodes_[n];
    const Moments& sums = moments_[n];
    const Vec3d c = centre_[sinew::at(node.joint)];
    if (node.place) {
        system_.diagonal(n) += sums.weight * Mat3d::Identity();
        system_.right(n) -= sums.force;
        return;
    }
    const Vec3d arm = sums.first - sums.weight * c;
    const auto block = [&](const Vec3d& other) -> Mat3d {
        const Mat3d s = sums.second - sums.first * c.transpose() - other * arm.transpose();
        return s.trace() * Mat3d::Identity() - s;
    };
    system_.diagonal(n) += block(c);
    system_.right(n) -= sums.torque - c.cross(sums.force);
    if (node.stepwise) {
        axes_[n] = axes(node, pose);
        system_.diagonal(n) = axes_[n].transpose() * system_.diagonal(n) * axes_[n];
        system_.right(n) = axes_[n].transpose() * system_.right(n);
        for (int axis = 0; axis < 3; ++axis) {
            if (axes_[n].col(axis).isZero()) system_.diagonal(n)(axis, axis) = 1;
        }
    }
    for (std::size_t k = 0; k < system_.ancestors(n).size(); ++k) {
        const std::size_t above = sinew::at(system_.ancestors(n)[k]);
        Mat3d& coupling = system_.coupling(n, k);
        if (nodes_[above].place) {
            coupling << 0, -arm.z(), arm.y(), arm.z(), 0, -arm.x(), -arm.y(), arm.x(), 0;
        } else {
            coupling = block(centre_[sinew::at(nodes_[above].joint)]);
        }
        if (node.stepwise) coupling = axes_[n].transpose() * coupling;
        if (nodes_[above].stepwise) coupling = coupling * axes_[above];
    }
}

void PoseSolver::assemble(std::span<const Vec3d> targets, const Pose& pose) {
    place_joints(pose);
    gather(targets);
    system_.clear();
    pulls(pose, true);
    for (std::size_t n = 0; n < nodes_.size(); ++n) couple(n, pose);
    if (!options_.use_limits) return;
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
        if (!nodes_[n].place && skeleton_.joints[sinew::at(nodes_[n].joint)].limits)
            limit_pull(n, pose, true);
    }
}

}  // namespace sinew::motion
