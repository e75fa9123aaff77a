// SPDX-License-Identifier: MIT
#include "sinew/fit/proxy/dual_fit.h"

#include <cmath>
#include <deque>

#include "sinew/fit/decomposition/target.h"

namespace sinew::fit {

using Eigen::Index;
using math::DualQuatd;
using math::Quatd;

/// dA = omega a / 2, dE = (omega b + tau a) / 2.
JointBasis rigid_basis(const DualQuatd& q) {
    JointBasis basis = JointBasis::Zero(8, 6);
    const Eigen::Matrix<double, 4, 3> angle = right_product(q.real).leftCols<3>() / 2;
    basis.topLeftCorner<4, 3>() = angle;
    basis.bottomLeftCorner<4, 3>() = right_product(q.dual).leftCols<3>() / 2;
    basis.bottomRightCorner<4, 3>() = angle;
    return basis;
}

namespace {

constexpr double linear_damping = 1e-9;

/// Rotations y about the reference, q = (1 + y) rho, and a free dual part of `dual` numbers.
JointBasis reference_basis(const Quatd& rho, Index dual) {
    JointBasis basis = JointBasis::Zero(8, 3 + dual);
    basis.topLeftCorner(4, 3) = right_product(rho).leftCols<3>();
    if (dual > 0) basis.block(4, 3, dual, dual).setIdentity();
    return basis;
}

std::vector<JointBasis> bases_of(DualMethod method, const BonePose& pose) {
    std::vector<JointBasis> bases;
    for (const DualQuatd& q : pose.duals) {
        bases.push_back(method == DualMethod::newton ? rigid_basis(q) : reference_basis(q.real, 4));
    }
    return bases;
}

BonePose stepped(const BonePose& pose, std::span<const JointBasis> bases, const Eigen::VectorXd& step) {
    BonePose next = pose;
    const Index width = bases[0].cols();
    for (std::size_t j = 0; j < pose.duals.size(); ++j) {
        const Eigen::Matrix<double, 8, 1> change =
            bases[j] * step.segment(width * static_cast<Index>(j), width);
        next.duals[j].real.coeffs() += change.head<4>();
        next.duals[j].dual.coeffs() += change.tail<4>();
    }
    return next;
}

/// The rotation of each joint's own vertices, with signs that agree between joints with common vertices.
BonePose local_rotations(const JointRig& rig, const DualSystem& system, std::span<const Vec3d> goals) {
    std::vector<math::Mat4d> moments(rig.joint_count(), math::Mat4d::Zero());
    std::vector<Mat34d> cross(rig.joint_count(), Mat34d::Zero());
    for (std::size_t v = 0; v < goals.size(); ++v) {
        const math::Vec4d u = rig.rest[v].homogeneous();
        for (const BoneWeight& w : rig.weights.of(v)) {
            moments[w.bone] += w.weight * u * u.transpose();
            cross[w.bone] += w.weight * goals[v] * u.transpose();
        }
    }
    BonePose pose;
    pose.duals.resize(rig.joint_count());
    std::vector<bool> seen(rig.joint_count(), false);
    const auto rotation = [&](std::size_t j) {
        return Quatd(math::Mat3d(rigid_motion(cross[j], moments[j]).leftCols<3>())).normalized();
    };
    for (std::size_t start = 0; start < seen.size(); ++start) {
        if (seen[start]) continue;
        std::deque<std::size_t> open{start};
        seen[start] = true;
        pose.duals[start].real = rotation(start);
        if (pose.duals[start].real.w() < 0) pose.duals[start].real.coeffs() *= -1;
        for (; !open.empty(); open.pop_front()) {
            for (const std::uint32_t j : system.neighbors()[open.front()]) {
                if (seen[j]) continue;
                seen[j] = true;
                pose.duals[j].real = rotation(j);
                if (pose.duals[j].real.dot(pose.duals[open.front()].real) < 0)
                    pose.duals[j].real.coeffs() *= -1;
                open.push_back(j);
            }
        }
    }
    return pose;
}

BonePose identity_pose(std::size_t joints) {
    BonePose pose;
    pose.duals.resize(joints);
    return pose;
}

/// One solve with real part 1 and no other step: as published.
void fit_once(const JointRig& rig, const DualSystem& system, std::span<const Vec3d> goals, DualFrame& frame) {
    const BonePose start = identity_pose(rig.joint_count());
    const auto bases = bases_of(DualMethod::published, start);
    const Eigen::VectorXd step =
        system.step(system.sums(DualRowKind::quaternion, start, goals), bases, 0, linear_damping);
    frame.iterations = 1;
    frame.pose = start;
    frame.ill_posed = step.size() == 0;
    if (!frame.ill_posed) frame.pose = stepped(start, bases, step);
    // Vertices that rotate by more than 175 degrees need a vector part that is longer than 1 / tan(2.5
    // degrees).
    for (const DualQuatd& q : local_rotations(rig, system, goals).duals)
        frame.ill_posed = frame.ill_posed || std::abs(q.real.w()) < std::sin(math::radians(2.5));
}

void fit_linear(const JointRig& rig, const DualSystem& system, std::span<const Vec3d> goals,
                const DualOptions& options, DualFrame& frame) {
    BonePose pose = local_rotations(rig, system, goals);
    double best = std::numeric_limits<double>::infinity();
    const int iterations = options.method == DualMethod::reference ? options.linear_iterations : 2;
    for (int i = 0; i < iterations; ++i) {
        // The reference is the unit rotation of the iterate; its dual part is solved again.
        for (DualQuatd& q : pose.duals) {
            q.real.normalize();
            q.dual.coeffs().setZero();
        }
        const auto bases = bases_of(DualMethod::reference, pose);
        const Eigen::VectorXd step =
            system.step(system.sums(DualRowKind::scaled, pose, goals), bases, 0, linear_damping);
        if (step.size() == 0) break;
        pose = stepped(pose, bases, step);
        ++frame.iterations;
        const double cost = system.cost(DualRowKind::geometric, pose, goals);
        const bool settled = std::isfinite(best) && std::abs(best - cost) <= 1e-9 * best;
        if (cost < best) {
            best = cost;
            frame.pose = pose;
        }
        if (settled) break;
    }
    if (frame.pose.duals.empty()) frame.pose = pose;
}

/// Keeps joints near a pose: four points around each joint should stay where that pose moves them.
class Pull {
  public:
    Pull(const JointRig& rig, const DualOptions& options, const BonePose& pose)
        : rig_(rig),
          weight_(options.pull * static_cast<double>(rig.rest.size()) /
                  (4 * static_cast<double>(rig.joint_count()))) {
        if (weight_ <= 0) return;
        for (std::size_t j = 0; j < pose.duals.size(); ++j) {
            for (int k = 0; k < 4; ++k) goals_.push_back(move(pose.duals[j], point(j, k)));
        }
    }
    double cost(const BonePose& pose) const {
        double sum = 0;
        for (std::size_t i = 0; i < goals_.size(); ++i)
            sum += (move(pose.duals[i / 4], point(i / 4, static_cast<int>(i % 4))) - goals_[i]).squaredNorm();
        return weight_ * sum;
    }
    void add(const DualSystem& system, const BonePose& pose, DualSystem::Sums& sums) const {
        for (std::size_t i = 0; i < goals_.size(); ++i) {
            const std::size_t j = i / 4;
            const DualRows rows = dual_rows(DualRowKind::geometric, pose.duals[j],
                                            point(j, static_cast<int>(i % 4)), goals_[i]);
            sums.blocks[system.pair(j, j)] += weight_ * rows.slope.transpose() * rows.slope;
            sums.gradient.segment<8>(8 * static_cast<Index>(j)) +=
                weight_ * rows.slope.transpose() * rows.residual;
        }
    }

  private:
    Vec3d point(std::size_t joint, int k) const {
        return rig_.joints[joint] + (k < 3 ? Vec3d(rig_.reach * Vec3d::Unit(k)) : Vec3d::Zero());
    }

    const JointRig& rig_;
    double weight_;
    std::vector<Vec3d> goals_;
};

/// Levenberg-Marquardt on the distances.
void fit_newton(const JointRig& rig, const DualSystem& system, std::span<const Vec3d> goals,
                const DualOptions& options, DualFrame& frame) {
    const Pull pull(rig, options, frame.pose);
    const auto cost = [&](const BonePose& pose) {
        return system.cost(DualRowKind::geometric, pose, goals) + pull.cost(pose);
    };
    double damping = 1e-4;
    double now = cost(frame.pose);
    for (int i = 0; i < options.newton_iterations; ++i, ++frame.iterations) {
        const auto bases = bases_of(DualMethod::newton, frame.pose);
        DualSystem::Sums sums = system.sums(DualRowKind::geometric, frame.pose, goals);
        pull.add(system, frame.pose, sums);
        double then = now;
        for (int attempt = 0; attempt < 8; ++attempt, damping *= 10) {
            const Eigen::VectorXd step = system.step(sums, bases, damping, 1e-12);
            if (step.size() == 0) continue;
            BonePose next = stepped(frame.pose, bases, step);
            for (DualQuatd& q : next.duals) q = made_rigid(q);
            then = cost(next);
            if (!(then < now)) continue;
            frame.pose = std::move(next);
            break;
        }
        if (!(then < now)) return;
        frame.accepted_cost.push_back(then);
        damping = std::max(damping / 10, 1e-12);
        const bool settled = now - then < options.tolerance * now;
        now = then;
        if (settled || now < 1e-28 * static_cast<double>(goals.size())) return;
    }
}

}  // namespace

DualQuatd made_rigid(const DualQuatd& q) {
    return math::normalized(q);
}

DualFrame fit_dual_frame(const JointRig& rig, const DualSystem& system, std::span<const Vec3d> goals,
                         const DualOptions& options, const BonePose* start) {
    const bool published = options.method == DualMethod::published;
    const AlignedGoals aligned = align(rig, goals, !published);
    const bool newton = options.method == DualMethod::newton;
    DualFrame frame;
    if (start != nullptr && newton) {
        for (const DualQuatd& q : start->duals) frame.pose.duals.push_back(realigned(rig, aligned.motion, q));
    } else if (published) {
        fit_once(rig, system, aligned.goals, frame);
    } else {
        fit_linear(rig, system, aligned.goals, options, frame);
    }
    if (newton) {
        for (DualQuatd& q : frame.pose.duals) q = made_rigid(q);
    }
    DualOptions how = options;
    if (start == nullptr) how.pull = 0;
    if (newton) fit_newton(rig, system, aligned.goals, how, frame);
    frame.cost = system.cost(DualRowKind::geometric, frame.pose, aligned.goals) * rig.scale * rig.scale;
    for (double& c : frame.accepted_cost) c *= rig.scale * rig.scale;
    for (DualQuatd& q : frame.pose.duals) q = unaligned(rig, aligned.motion, q);
    return frame;
}

JointRig normal_rig(const JointRig& rig) {
    JointRig rotated = rig;
    rotated.rest = rig.normals;
    return rotated;
}

BonePose fit_dual_normals(const DualSystem& system, std::span<const Vec3d> goals, const BonePose& start,
                          int iterations) {
    BonePose pose = start;
    for (DualQuatd& q : pose.duals) q.dual.coeffs().setZero();
    for (int i = 0; i < iterations; ++i) {
        for (DualQuatd& q : pose.duals) q = q * (1 / q.real.norm());
        std::vector<JointBasis> bases;
        for (const DualQuatd& q : pose.duals) bases.push_back(reference_basis(q.real, 0));
        const Eigen::VectorXd step =
            system.step(system.sums(DualRowKind::scaled, pose, goals), bases, 0, 1e-6);
        if (step.size() == 0) break;
        pose = stepped(pose, bases, step);
    }
    for (DualQuatd& q : pose.duals) q = q * (1 / q.real.norm());
    return pose;
}

}  // namespace sinew::fit
