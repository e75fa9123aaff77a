// SPDX-License-Identifier: MIT
#include "sinew/motion/markers/pose_solver.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sinew/base/array.h"
#include "sinew/base/error.h"
#include "sinew/math/quaternion.h"

namespace sinew::motion {

using math::Mat3d;
using math::Quatd;
using math::Vec3d;

namespace {

/// Rotations about fixed axes x, y, z, in this order.
constexpr math::EulerOrder limit_order = {2, 1, 0};
// Pulls towards the rest pose, m^2 per rad^2: they determine what no marker measures.
constexpr double rest_pull = 3e-6;
constexpr double bridge_pull = 3e-5;  // for joints with at most one point of their own: chains bend evenly
constexpr double limit_weight = 0.1;  // m^2 per rad^2 beyond a limit

bool locked(const model::JointLimits& limits, int axis) {
    return limits.low[axis] == limits.high[axis];
}

bool locks_an_axis(const model::Joint& joint) {
    return joint.limits && (locked(*joint.limits, 0) || locked(*joint.limits, 1) || locked(*joint.limits, 2));
}

/// Joints with points on themselves or on descendants.
std::vector<char> carriers(const model::Skeleton& skeleton, const std::vector<Attachment>& attachments) {
    std::vector<char> carries(skeleton.size(), 0);
    for (const Attachment& a : attachments) {
        if (a.joint < 0 || sinew::at(a.joint) >= skeleton.size())
            fail("solve", "no joint has the number {}", a.joint);
        for (int j = a.joint; j >= 0; j = skeleton.joints[sinew::at(j)].parent) carries[sinew::at(j)] = 1;
    }
    return carries;
}

std::vector<int> node_parents(const model::Skeleton& skeleton, const std::vector<char>& carries) {
    std::vector<int> parents, node_of(skeleton.size(), -1);
    for (std::size_t j = 0; j < skeleton.size(); ++j) {
        if (carries[j] == 0) continue;
        const int parent = skeleton.joints[j].parent;
        if (parent < 0)
            parents.push_back(-1);  // the node of a root's position is the parent of that of its rotation
        parents.push_back(parent < 0 ? static_cast<int>(parents.size()) - 1 : node_of[sinew::at(parent)]);
        node_of[j] = static_cast<int>(parents.size()) - 1;
    }
    return parents;
}

}  // namespace

Pose rest_pose(const model::Skeleton& skeleton) {
    Pose pose;
    for (const model::Joint& joint : skeleton.joints) {
        pose.rotation.push_back(joint.rest.rotation);
        pose.translation.push_back(joint.rest.translation);
    }
    return pose;
}

PoseSolver::PoseSolver(const model::Skeleton& skeleton, std::vector<Attachment> attachments,
                       const PoseOptions& options)
    : skeleton_(skeleton),
      attachments_(std::move(attachments)),
      options_(options),
      system_(node_parents(skeleton, carriers(skeleton, attachments_))) {
    add_nodes();
    world_.assign(skeleton.size(), Mat3d::Identity());
    centre_.assign(skeleton.size(), Vec3d::Zero());
    moments_.resize(nodes_.size());
    axes_.resize(nodes_.size());
}

void PoseSolver::add_nodes() {
    const std::vector<char> carries = carriers(skeleton_, attachments_);
    node_of_.assign(skeleton_.size(), -1);
    for (std::size_t j = 0; j < skeleton_.size(); ++j) {
        if (carries[j] == 0) continue;
        const model::Joint& joint = skeleton_.joints[j];
        if ((joint.rest.scale - Vec3d::Ones()).norm() > 1e-6) {
            fail(joint.name, "is scaled at rest; points on scaled joints cannot be solved");
        }
        active_.push_back(static_cast<int>(j));
        Node node;
        node.joint = static_cast<int>(j);
        node.position = true;
        if (joint.parent < 0) nodes_.push_back(node);
        node.position = false;
        // One point does not determine the rotation about its axis, such as that of a clavicle about itself.
        node.measured = std::count_if(attachments_.begin(), attachments_.end(),
                                      [&](const Attachment& a) { return a.joint == node.joint; }) > 1;
        node.stepwise = locks_an_axis(joint);
        node.pull = joint.parent < 0 ? 0 : node.measured ? rest_pull : bridge_pull;
        node_of_[j] = static_cast<int>(nodes_.size());
        nodes_.push_back(node);
    }
}

std::size_t PoseSolver::unknowns() const {
    std::size_t count = 0;
    for (const Node& node : nodes_) {
        const auto& limits = skeleton_.joints[sinew::at(node.joint)].limits;
        for (int axis = 0; axis < 3; ++axis) count += !(node.stepwise && locked(*limits, axis));
    }
    return count;
}

Mat3d PoseSolver::parent_rotation(int joint) const {
    const int parent = skeleton_.joints[sinew::at(joint)].parent;
    return parent < 0 ? Mat3d::Identity() : world_[sinew::at(parent)];
}

Vec3d PoseSolver::limit_angles(int joint, const Quatd& local) const {
    const model::Joint& j = skeleton_.joints[sinew::at(joint)];
    const Quatd rotation =
        j.limits->frame.conjugate() * j.rest.rotation.conjugate() * local * j.limits->frame;
    return math::to_euler(limit_order, rotation).reverse();
}

/// World axes of rotation for the limit angles of a joint; locked ones are zero.
Mat3d PoseSolver::axes(const Node& node, const Pose& pose) const {
    const model::Joint& joint = skeleton_.joints[sinew::at(node.joint)];
    const Vec3d angles = limit_angles(node.joint, pose.rotation[sinew::at(node.joint)]);
    const Mat3d base =
        parent_rotation(node.joint) * (joint.rest.rotation * joint.limits->frame).toRotationMatrix();
    const Mat3d about_z = base * Eigen::AngleAxisd(angles.z(), Vec3d::UnitZ()).toRotationMatrix();
    Mat3d result;
    result.col(0) = about_z * (Eigen::AngleAxisd(angles.y(), Vec3d::UnitY()) * Vec3d::UnitX());
    result.col(1) = about_z.col(1);
    result.col(2) = base.col(2);
    for (int axis = 0; axis < 3; ++axis) {
        if (node.stepwise && locked(*joint.limits, axis)) result.col(axis).setZero();
    }
    return result;
}

void PoseSolver::set_joint_positions(const Pose& pose) {
    for (const int j : active_) {
        const int parent = skeleton_.joints[sinew::at(j)].parent;
        const Mat3d local = pose.rotation[sinew::at(j)].toRotationMatrix();
        if (parent < 0) {
            world_[sinew::at(j)] = local;
            centre_[sinew::at(j)] = pose.translation[sinew::at(j)];
        } else {
            world_[sinew::at(j)].noalias() = world_[sinew::at(parent)] * local;
            centre_[sinew::at(j)] =
                centre_[sinew::at(parent)] + world_[sinew::at(parent)] * pose.translation[sinew::at(j)];
        }
    }
}

void PoseSolver::points(const Pose& pose, std::vector<Vec3d>& result) {
    set_joint_positions(pose);
    result.clear();
    for (const Attachment& a : attachments_) {
        result.push_back(centre_[sinew::at(a.joint)] + world_[sinew::at(a.joint)] * a.offset);
    }
}

void PoseSolver::jacobian(const Pose& pose, Eigen::MatrixXd& matrix, Eigen::VectorXd& pull) {
    set_joint_positions(pose);
    matrix.setZero(static_cast<Eigen::Index>(3 * attachments_.size()),
                   static_cast<Eigen::Index>(3 * nodes_.size()));
    pull.setConstant(matrix.cols(), 1e-9);
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
        if (nodes_[n].position) continue;
        pull.segment<3>(static_cast<Eigen::Index>(3 * n)).array() += options_.smoothness + nodes_[n].pull;
        if (nodes_[n].stepwise) axes_[n] = axes(nodes_[n], pose);
    }
    for (std::size_t m = 0; m < attachments_.size(); ++m) {
        const Attachment& a = attachments_[m];
        const Vec3d p = centre_[sinew::at(a.joint)] + world_[sinew::at(a.joint)] * a.offset;
        const auto fill = [&](std::size_t n) {
            auto block =
                matrix.block<3, 3>(static_cast<Eigen::Index>(3 * m), static_cast<Eigen::Index>(3 * n));
            if (nodes_[n].position) {
                block.setIdentity();
                return;
            }
            const Vec3d arm = p - centre_[sinew::at(nodes_[n].joint)];
            Mat3d rotation;
            rotation << 0, arm.z(), -arm.y(), -arm.z(), 0, arm.x(), arm.y(), -arm.x(), 0;
            block = nodes_[n].stepwise ? Mat3d(rotation * axes_[n]) : rotation;
        };
        const std::size_t own = sinew::at(node_of_[sinew::at(a.joint)]);
        fill(own);
        for (const int above : system_.ancestors(own)) fill(sinew::at(above));
    }
}

double PoseSolver::cost(std::span<const Vec3d> targets, const Pose& pose) {
    set_joint_positions(pose);
    double sum = 0;
    for (std::size_t m = 0; m < attachments_.size(); ++m) {
        if (!targets[m].allFinite()) continue;
        const Attachment& a = attachments_[m];
        const Vec3d r = centre_[sinew::at(a.joint)] + world_[sinew::at(a.joint)] * a.offset - targets[m];
        const double square = r.squaredNorm(), bend = options_.huber;
        sum += a.weight * (square <= bend * bend ? square : 2 * bend * std::sqrt(square) - bend * bend);
    }
    return sum + pulls(pose, false);
}

void PoseSolver::apply(const std::vector<Vec3d>& step, const Pose& from, Pose& to) {
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
        const Node& node = nodes_[n];
        const std::size_t j = sinew::at(node.joint);
        if (node.position) {
            to.translation[j] = from.translation[j] + step[n];
        } else if (node.stepwise) {
            const model::Joint& joint = skeleton_.joints[j];
            const Vec3d angles = limit_angles(node.joint, from.rotation[j]) + step[n];
            const Quatd rotation = math::from_euler(limit_order, angles.reverse());
            const Quatd& frame = joint.limits->frame;
            to.rotation[j] = (joint.rest.rotation * frame * rotation * frame.conjugate()).normalized();
        } else {
            const Vec3d local = parent_rotation(node.joint).transpose() * step[n];
            to.rotation[j] = (math::from_rotation_vector<double>(local) * from.rotation[j]).normalized();
        }
    }
}

PoseFit PoseSolver::solve(std::span<const Vec3d> targets, Pose& pose) {
    PoseFit fit;
    for (const Node& node : nodes_) {
        if (!node.stepwise) continue;  // a locked axis starts at its locked value and keeps it
        const model::JointLimits& limits = *skeleton_.joints[sinew::at(node.joint)].limits;
        Vec3d angles = limit_angles(node.joint, pose.rotation[sinew::at(node.joint)]);
        for (int axis = 0; axis < 3; ++axis) {
            if (locked(limits, axis)) angles[axis] = limits.low[axis];
        }
        const Quatd rotation = math::from_euler(limit_order, angles.reverse());
        pose.rotation[sinew::at(node.joint)] = skeleton_.joints[sinew::at(node.joint)].rest.rotation *
                                               limits.frame * rotation * limits.frame.conjugate();
    }
    before_ = pose;
    trial_ = pose;
    double now = cost(targets, pose), damping = 1e-7;
    while (fit.iterations < options_.max_iterations && !fit.converged) {
        ++fit.iterations;
        assemble(targets, pose);
        double next = now;
        bool better = false;
        for (; damping < 1e6; damping = std::max(10 * damping, 1e-4)) {
            if (!system_.solve(damping, step_)) continue;
            // The step refers to the world matrices of `pose`, which a rejected trial has overwritten.
            set_joint_positions(pose);
            apply(step_, pose, trial_);
            next = cost(targets, trial_);
            better = next <= now;
            if (better) break;
        }
        fit.converged = !better || now - next <= options_.tolerance * now || next < 1e-18;
        if (!better) break;
        std::swap(pose, trial_);
        now = next;
        damping = std::max(0.1 * damping, 1e-7);
    }
    fit.cost = now;
    set_joint_positions(pose);
    double sum = 0;
    for (std::size_t m = 0; m < attachments_.size(); ++m) {
        if (!targets[m].allFinite()) continue;
        const Attachment& a = attachments_[m];
        sum +=
            (centre_[sinew::at(a.joint)] + world_[sinew::at(a.joint)] * a.offset - targets[m]).squaredNorm();
        ++fit.points;
    }
    fit.rms = fit.points == 0 ? 0 : std::sqrt(sum / static_cast<double>(fit.points));
    return fit;
}

/// Cost beyond the limits of a joint; when assembling, also its part of the system (in the node's own
/// unknowns).
double PoseSolver::limit_pull(std::size_t n, const Pose& pose, bool assembling) {
    const Node& node = nodes_[n];
    const model::JointLimits& limits = *skeleton_.joints[sinew::at(node.joint)].limits;
    const Vec3d angles = limit_angles(node.joint, pose.rotation[sinew::at(node.joint)]);
    const Vec3d beyond = angles - angles.cwiseMax(limits.low).cwiseMin(limits.high);
    const double mu = limit_weight;
    if (!assembling || beyond.isZero()) return mu * beyond.squaredNorm();
    // A rotation w changes the angles by A^-1 w; the unknowns of a stepwise joint are the angles themselves.
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

/// Costs of the pulls towards the previous frame and towards rest, and of the limits.
double PoseSolver::pulls(const Pose& pose, bool assembling) {
    double sum = 0;
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
        const Node& node = nodes_[n];
        if (node.position) continue;
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
        } else if (skeleton_.joints[j].limits) {
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

/// Blocks of the system for a node with itself and its ancestors. All points of its subtree depend on all of
/// them: with S = sum w (p - c)(p - c')^T, J^T J' = tr(S) I - S; with a position, J^T J' = [sum w (p - c)]x.
void PoseSolver::couple(std::size_t n, const Pose& pose) {
    const Node& node = nodes_[n];
    const Moments& sums = moments_[n];
    const Vec3d c = centre_[sinew::at(node.joint)];
    if (node.position) {
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
        if (nodes_[above].position) {
            coupling << 0, -arm.z(), arm.y(), arm.z(), 0, -arm.x(), -arm.y(), arm.x(), 0;
        } else {
            coupling = block(centre_[sinew::at(nodes_[above].joint)]);
        }
        if (node.stepwise) coupling = axes_[n].transpose() * coupling;
        if (nodes_[above].stepwise) coupling = coupling * axes_[above];
    }
}

void PoseSolver::assemble(std::span<const Vec3d> targets, const Pose& pose) {
    set_joint_positions(pose);
    gather(targets);
    system_.clear();
    pulls(pose, true);
    for (std::size_t n = 0; n < nodes_.size(); ++n) couple(n, pose);
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
        if (!nodes_[n].position && skeleton_.joints[sinew::at(nodes_[n].joint)].limits)
            limit_pull(n, pose, true);
    }
}

TreeSystem::TreeSystem(std::vector<int> parents) : parents_(std::move(parents)) {
    for (std::size_t i = 0; i < parents_.size(); ++i) {
        std::vector<int> up;
        for (int a = parents_[i]; a >= 0; a = parents_[static_cast<std::size_t>(a)]) up.push_back(a);
        coupling_.emplace_back(up.size());
        ancestors_.push_back(std::move(up));
    }
    diagonal_.resize(parents_.size());
    right_.resize(parents_.size());
    work_diagonal_ = diagonal_;
    work_coupling_ = eliminated_ = coupling_;
    clear();
}

void TreeSystem::clear() {
    for (std::size_t i = 0; i < size(); ++i) {
        diagonal_[i].setZero();
        right_[i].setZero();
        for (Mat3d& block : coupling_[i]) block.setZero();
    }
}

bool TreeSystem::solve(double damping, std::vector<Vec3d>& solution) {
    solution = right_;
    for (std::size_t i = 0; i < size(); ++i) {
        work_diagonal_[i] = diagonal_[i];
        work_diagonal_[i].diagonal() *= 1 + damping;
        work_diagonal_[i].diagonal().array() += 1e-12;
        work_coupling_[i] = coupling_[i];
    }
    // With D the diagonal block of node k and B_i its coupling to ancestor i: H_ij -= B_i^T D^-1 B_j.
    for (std::size_t k = size(); k-- > 0;) {
        const std::vector<int>& up = ancestors_[k];
        const double determinant = work_diagonal_[k].determinant();
        if (!(determinant > 0) || !std::isfinite(determinant)) return false;
        const Mat3d inverse = work_diagonal_[k].inverse();
        work_diagonal_[k] = inverse;
        for (std::size_t i = 0; i < up.size(); ++i) {
            const auto a = static_cast<std::size_t>(up[i]);
            eliminated_[k][i].noalias() = inverse * work_coupling_[k][i];
            solution[a].noalias() -= eliminated_[k][i].transpose() * solution[k];
            work_diagonal_[a].noalias() -= eliminated_[k][i].transpose() * work_coupling_[k][i];
            // The ancestors of `a` are the later ones of this list, in the same order as in its own list.
            for (std::size_t j = i + 1; j < up.size(); ++j) {
                work_coupling_[a][j - i - 1].noalias() -=
                    eliminated_[k][i].transpose() * work_coupling_[k][j];
            }
        }
    }
    for (std::size_t k = 0; k < size(); ++k) {
        solution[k] = work_diagonal_[k] * solution[k];
        for (std::size_t i = 0; i < ancestors_[k].size(); ++i) {
            solution[k].noalias() -= eliminated_[k][i] * solution[static_cast<std::size_t>(ancestors_[k][i])];
        }
    }
    return true;
}

}  // namespace sinew::motion
