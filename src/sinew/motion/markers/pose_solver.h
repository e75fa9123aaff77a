// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// The pose of a skeleton that brings points fixed to its joints to measured positions.

#include <span>
#include <vector>

#include "sinew/math/types.h"
#include "sinew/model/skeleton.h"
#include "sinew/motion/solve.h"

namespace sinew::motion {

/// A symmetric positive definite matrix of 3 x 3 blocks, one for every pair of a node and an ancestor, and
/// the right side. Parents come before their children.
class TreeSystem {
  public:
    /// `parents[i]` < i, or -1.
    explicit TreeSystem(std::vector<int> parents);

    std::size_t size() const { return parents_.size(); }
    /// The node's ancestors from its parent to its root.
    const std::vector<int>& ancestors(std::size_t node) const { return ancestors_[node]; }

    void clear();
    math::Mat3d& diagonal(std::size_t node) { return diagonal_[node]; }
    const math::Mat3d& diagonal(std::size_t node) const { return diagonal_[node]; }
    /// Rows: the node; columns: its ancestor number `k` (see ancestors).
    math::Mat3d& coupling(std::size_t node, std::size_t k) { return coupling_[node][k]; }
    math::Vec3d& right(std::size_t node) { return right_[node]; }
    const math::Vec3d& right(std::size_t node) const { return right_[node]; }

    /// Solves into `solution` with `damping` times its own diagonal (and a trifle) added, keeping the system.
    /// Leaves are eliminated first, which fills nothing in: the cost is that of the pairs alone (Featherstone
    /// 2008, 6.5). False when the matrix is not positive definite.
    bool solve(double damping, std::vector<math::Vec3d>& solution);

  private:
    std::vector<int> parents_;
    std::vector<std::vector<int>> ancestors_;
    std::vector<math::Mat3d> diagonal_, work_diagonal_;
    std::vector<std::vector<math::Mat3d>> coupling_, work_coupling_, eliminated_;
    std::vector<math::Vec3d> right_;
};

/// All joints at rest.
Pose rest_pose(const model::Skeleton& skeleton);

struct PoseOptions {
    double huber = 0.02;       ///< metres from which a residual counts by its length, no longer by its square
    double smoothness = 1e-4;  ///< m^2 per rad^2: pull towards the pose of the frame before
    int max_iterations = 20;
    double tolerance = 1e-6;  ///< relative decrease of the cost at which to stop
};

struct PoseFit {
    int iterations = 0;
    std::size_t points = 0;  ///< that were there
    double rms = 0;          ///< of the distances of those, metres
    double cost = 0;         ///< of residuals, pulls and limits, m^2
    bool converged = false;
};

/// Levenberg-Marquardt over the root's position and the rotations of all joints with points on them or
/// beyond. Joints turn freely about world axes through their centres; a joint whose limits lock an axis turns
/// about the rest of the axes of its limits. The normal equations are built from moments of the points of
/// each subtree (for arms a and b of two joints, J_a^T J_b = (a . b) I - b a^T), so their cost does not grow
/// with the points.
class PoseSolver {
  public:
    /// \throws Error when an attachment names no joint, or a joint between the points is scaled.
    PoseSolver(const model::Skeleton& skeleton, std::vector<Attachment> attachments,
               const PoseOptions& options = {});

    /// Starts from `pose` and leaves the solution in it. Targets that are not finite are missing. The pull of
    /// smoothness goes towards `pose` as given.
    PoseFit solve(std::span<const math::Vec3d> targets, Pose& pose);

    /// Where the attachments are in a pose.
    void points(const Pose& pose, std::vector<math::Vec3d>& result);

    /// How the attachments move with the unknowns: three rows for each, three columns for each node (the
    /// position of a root, the rotation of a joint); and the pull that each unknown feels.
    void jacobian(const Pose& pose, Eigen::MatrixXd& matrix, Eigen::VectorXd& pull);

    const std::vector<Attachment>& attachments() const { return attachments_; }
    /// True for joints that the solver turns.
    bool moves(std::size_t joint) const { return node_of_[joint] >= 0; }
    /// World rotation and centre of a joint in the pose that was looked at last.
    const math::Mat3d& rotation(std::size_t joint) const { return world_[joint]; }
    const math::Vec3d& centre(std::size_t joint) const { return centre_[joint]; }
    /// Unknowns of one frame.
    std::size_t unknowns() const;

  private:
    /// An unknown of three numbers: the position of a root, or the rotation of a joint.
    struct Node {
        int joint = 0;
        bool position = false;
        bool measured = false;  ///< has several points of its own
        bool stepwise = false;  ///< turns about the axes of its limits, some locked
        double pull = 0;        ///< towards rest
    };
    /// Sums over the points of a subtree: weights, positions, products, residuals, turning residuals.
    struct Moments {
        double weight = 0;
        math::Vec3d first = math::Vec3d::Zero();
        math::Mat3d second = math::Mat3d::Zero();
        math::Vec3d force = math::Vec3d::Zero();
        math::Vec3d torque = math::Vec3d::Zero();
    };

    void add_nodes();
    void set_joint_positions(const Pose& pose);
    double cost(std::span<const math::Vec3d> targets, const Pose& pose);
    double pulls(const Pose& pose, bool assembling);
    double limit_pull(std::size_t node, const Pose& pose, bool assembling);
    void gather(std::span<const math::Vec3d> targets);
    void assemble(std::span<const math::Vec3d> targets, const Pose& pose);
    void couple(std::size_t node, const Pose& pose);
    void apply(const std::vector<math::Vec3d>& step, const Pose& from, Pose& to);
    math::Vec3d limit_angles(int joint, const math::Quatd& local) const;
    math::Mat3d parent_rotation(int joint) const;
    math::Mat3d axes(const Node& node, const Pose& pose) const;

    model::Skeleton skeleton_;
    std::vector<Attachment> attachments_;
    PoseOptions options_;
    std::vector<int> node_of_;  ///< turning node of a joint, or -1
    std::vector<int> active_;   ///< joints with nodes, and those between, rising
    std::vector<Node> nodes_;
    TreeSystem system_;
    Pose before_, trial_;
    std::vector<math::Mat3d> world_;   ///< rotations, per joint
    std::vector<math::Vec3d> centre_;  ///< per joint
    std::vector<Moments> moments_;     ///< per node
    std::vector<math::Mat3d> axes_;    ///< per node, of stepwise ones
    std::vector<math::Vec3d> step_;
};

/// A clip of poses at an even rate: rotations of the joints, translations of the roots.
model::Clip clip_of_poses(const model::Skeleton& skeleton, std::span<const Pose> poses, double rate);

}  // namespace sinew::motion
