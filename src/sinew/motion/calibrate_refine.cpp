#include "sinew/motion/calibrate_refine.h"

#include <cmath>

#include <Eigen/Cholesky>

namespace sinew::motion {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using math::Mat3d;
using math::Vec3d;
using model::Skeleton;
using Targets = std::vector<Vec3d>;

/// The unknowns that all frames share: three numbers for every offset, three for every joint's place in its
/// parent.
struct Shared {
    std::vector<int> slot;  ///< of a joint, behind the offsets; -1 for joints that stay
    Index size = 0;
};

Shared shared_unknowns(const Skeleton& skeleton, const PoseSolver& solver, std::size_t offsets,
                       bool lengths) {
    Shared shared;
    shared.slot.assign(skeleton.size(), -1);
    int next = static_cast<int>(offsets);
    for (std::size_t j = 0; lengths && j < skeleton.size(); ++j) {
        if (solver.moves(j) && skeleton.joints[j].parent >= 0) shared.slot[j] = next++;
    }
    shared.size = 3 * static_cast<Index>(next);
    return shared;
}

struct System {
    MatrixXd matrix;
    VectorXd right;
    double cost = 0;
    double squares = 0;
    std::size_t points = 0;
};

/// Residuals of one frame, its derivatives by the pose (J) and by the shared unknowns (G), rows scaled by
/// the square roots of their weights; missing rows are zero.
struct FrameRows {
    MatrixXd pose, shared;
    VectorXd residual, pull;
};

void fill_rows(const Skeleton& skeleton, const Shared& shared, PoseSolver& solver, const Targets& targets,
               const Pose& pose, double huber, FrameRows& rows, System& system) {
    const auto& attachments = solver.attachments();
    solver.jacobian(pose, rows.pose, rows.pull);
    rows.shared.setZero(rows.pose.rows(), shared.size);
    rows.residual.setZero(rows.pose.rows());
    for (std::size_t m = 0; m < attachments.size(); ++m) {
        const Index row = 3 * static_cast<Index>(m);
        const auto joint = static_cast<std::size_t>(attachments[m].joint);
        if (!targets[m].allFinite()) {
            rows.pose.middleRows<3>(row).setZero();
            continue;
        }
        const Vec3d r = solver.centre(joint) + solver.rotation(joint) * attachments[m].offset - targets[m];
        const double distance = r.norm(), w = attachments[m].weight;
        const double root = std::sqrt(w * (distance <= huber ? 1 : huber / distance));
        system.cost += w * (distance <= huber ? distance * distance : (2 * distance - huber) * huber);
        system.squares += distance * distance;
        ++system.points;
        rows.residual.segment<3>(row) = root * r;
        rows.pose.middleRows<3>(row) *= root;
        rows.shared.block<3, 3>(row, row) = root * solver.rotation(joint);
        for (int j = static_cast<int>(joint); j >= 0;
             j = skeleton.joints[static_cast<std::size_t>(j)].parent) {
            const int slot = shared.slot[static_cast<std::size_t>(j)];
            if (slot < 0) continue;
            const int parent = skeleton.joints[static_cast<std::size_t>(j)].parent;
            rows.shared.block<3, 3>(row, 3 * slot) = root * solver.rotation(static_cast<std::size_t>(parent));
        }
    }
}

/// Adds a frame with its pose eliminated: G^T G - G^T J (J^T J + P)^-1 J^T G.
void add_frame(const FrameRows& rows, System& system) {
    MatrixXd normal = MatrixXd::Zero(rows.pose.cols(), rows.pose.cols());
    normal.selfadjointView<Eigen::Lower>().rankUpdate(rows.pose.transpose());
    normal.diagonal() += rows.pull;
    const Eigen::LLT<MatrixXd> factor(normal.selfadjointView<Eigen::Lower>());
    const MatrixXd mixed = rows.pose.transpose() * rows.shared;
    const MatrixXd half = factor.matrixL().solve(mixed);
    system.matrix.selfadjointView<Eigen::Lower>().rankUpdate(rows.shared.transpose());
    system.matrix.selfadjointView<Eigen::Lower>().rankUpdate(half.transpose(), -1);
    // The poses are solved: their own gradient is zero.
    system.right.noalias() -= rows.shared.transpose() * rows.residual;
}

/// How strongly a joint's place is held: less along its bone, and alike in all directions where its parent
/// carries several bones, which have no direction of their own.
Mat3d place_pull(const Skeleton& skeleton, std::size_t joint, int siblings, const RefineOptions& options) {
    const Vec3d bone = skeleton.joints[joint].rest.translation;
    if (siblings > 1 || bone.norm() < 1e-6) return options.length_pull * Mat3d::Identity();
    const Vec3d u = bone.normalized();
    return options.across_pull * Mat3d::Identity() +
           (options.length_pull - options.across_pull) * u * u.transpose();
}

void add_pulls(const Skeleton& skeleton, const Shared& shared, const PoseSolver& solver,
               const Skeleton& first_skeleton, const std::vector<Attachment>& first, double frames,
               const RefineOptions& options, System& system) {
    const auto& now = solver.attachments();
    const auto add = [&](Index at, const Mat3d& pull, const Vec3d& moved) {
        system.matrix.block<3, 3>(at, at) += frames * pull;
        system.right.segment<3>(at) -= frames * pull * moved;
        system.cost += frames * moved.dot(pull * moved);
    };
    for (std::size_t m = 0; m < now.size(); ++m) {
        add(3 * static_cast<Index>(m), options.offset_pull * Mat3d::Identity(),
            now[m].offset - first[m].offset);
    }
    const auto children = model::children(skeleton);
    for (std::size_t j = 0; j < skeleton.size(); ++j) {
        if (shared.slot[j] < 0) continue;
        const auto parent = static_cast<std::size_t>(skeleton.joints[j].parent);
        int siblings = 0;
        for (const int c : children[parent]) siblings += solver.moves(static_cast<std::size_t>(c));
        add(3 * shared.slot[j], place_pull(first_skeleton, j, siblings, options),
            skeleton.joints[j].rest.translation - first_skeleton.joints[j].rest.translation);
    }
}

void move(const Shared& shared, const VectorXd& step, Skeleton& skeleton,
          std::vector<Attachment>& attachments, std::span<Pose> poses) {
    for (std::size_t m = 0; m < attachments.size(); ++m) {
        attachments[m].offset += step.segment<3>(3 * static_cast<Index>(m));
    }
    for (std::size_t j = 0; j < skeleton.size(); ++j) {
        if (shared.slot[j] < 0) continue;
        skeleton.joints[j].rest.translation += step.segment<3>(3 * shared.slot[j]);
        for (Pose& pose : poses) pose.translation[j] = skeleton.joints[j].rest.translation;
    }
}

/// Solves the poses of all frames and gathers their equations.
System look_at_frames(const Skeleton& skeleton, const Shared& shared, PoseSolver& solver,
                      std::span<const Targets> frames, std::span<Pose> poses, double huber) {
    System system{MatrixXd::Zero(shared.size, shared.size), VectorXd::Zero(shared.size)};
    FrameRows rows;
    for (std::size_t f = 0; f < frames.size(); ++f) {
        solver.solve(frames[f], poses[f]);
        fill_rows(skeleton, shared, solver, frames[f], poses[f], huber, rows, system);
        add_frame(rows, system);
    }
    return system;
}

}  // namespace

RefineReport refine(Skeleton& skeleton, std::vector<Attachment>& attachments, std::span<const Targets> frames,
                    std::span<Pose> poses, const PoseOptions& pose_options, const RefineOptions& options,
                    Monitor& monitor) {
    RefineReport report;
    const Skeleton first_skeleton = skeleton;
    const std::vector<Attachment> first = attachments;
    Skeleton kept_skeleton = skeleton;
    std::vector<Attachment> kept = attachments;
    VectorXd way;
    double last = std::numeric_limits<double>::infinity();
    for (int round = 0; round <= options.rounds; ++round) {
        step(monitor, "calibrate", static_cast<double>(round) / (options.rounds + 1));
        PoseSolver solver(skeleton, attachments, pose_options);
        const Shared shared = shared_unknowns(skeleton, solver, attachments.size(), options.lengths);
        System system = look_at_frames(skeleton, shared, solver, frames, poses, pose_options.huber);
        add_pulls(skeleton, shared, solver, first_skeleton, first, static_cast<double>(frames.size()),
                  options, system);
        const double rms =
            system.points == 0 ? 0 : std::sqrt(system.squares / static_cast<double>(system.points));
        if (round == 0) report.rms_before = report.rms_after = rms;
        const bool better = system.cost < last;
        if (better) {
            const bool settled = last - system.cost < options.tolerance * system.cost;
            last = system.cost;
            kept_skeleton = skeleton;
            kept = attachments;
            report.rms_after = rms;
            report.rounds = round;
            const Eigen::LLT<MatrixXd> factor(system.matrix.selfadjointView<Eigen::Lower>());
            if (settled || factor.info() != Eigen::Success) break;
            way = factor.solve(system.right);
        } else {
            // Too far: a quarter of the way from where it was good.
            skeleton = kept_skeleton;
            attachments = kept;
            way *= 0.25;
        }
        move(shared, way, skeleton, attachments, poses);
    }
    skeleton = kept_skeleton;
    attachments = kept;
    for (Pose& pose : poses) {
        for (std::size_t j = 0; j < skeleton.size(); ++j) {
            if (skeleton.joints[j].parent >= 0) pose.translation[j] = skeleton.joints[j].rest.translation;
        }
    }
    return report;
}

}  // namespace sinew::motion
