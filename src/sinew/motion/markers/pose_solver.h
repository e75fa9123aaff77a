// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Finds the pose of a skeleton in which points fixed to its joints match measured positions.

#include <span>
#include <vector>

#include "sinew/math/types.h"
#include "sinew/model/skeleton.h"
#include "sinew/motion/solve.h"

namespace sinew::motion {

/// A symmetric positive definite block matrix with a 3 x 3 block for every pair of a node and an ancestor,
/// and the right-hand side. Parents come before their children.
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

    /// Solves into `solution` with `damping` times the diagonal (and a tiny constant) added; the system does
    /// not change. Leaves are eliminated first, without fill-in, so the cost is linear in the number of pairs
    /// (Featherstone 2008, 6.5). False when the matrix is not positive definite.
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
    double huber = 0.02;       ///< metres; larger residuals count linearly instead of quadratically
    double smoothness = 1e-4;  ///< m^2 per rad^2: weight of the pose of the previous frame
    int max_iterations = 20;
    double tolerance = 1e-6;  ///< relative decrease of the cost at which to stop
};

struct PoseFit {
    int iterations = 0;
    std::size_t points = 0;  ///< number of available points
    double rms = 0;          ///< root mean square of their distances, metres
    double cost = 0;         ///< of residuals, pulls and limits, m^2
    bool converged = false;
};

/// Levenberg-Marquardt over the root's position and the rotations of all joints with points on them or on
/// their descendants. Joints rotate freely about world axes through their centres; a joint with locked axes
/// rotates about the remaining axes of its limits. The normal equations are built from moments of the points
/// of each subtree (for arms a and b of two joints, J_a^T J_b = (a . b) I - b a^T), so that their cost does
/// not depend on the number of points.
class PoseSolver {
  public:
    /// \throws Error when an attachment refers to a missing joint, or a joint between the points is scaled
    PoseSolver(const model::Skeleton& skeleton, std::vector<Attachment> attachments,
               const PoseOptions& options = {});

    /// Starts from `pose` and stores the solution in it. Targets that are not finite are missing. The
    /// smoothness term pulls towards the given `pose`.
    PoseFit solve(std::span<const math::Vec3d> targets, Pose& pose);

    /// Positions of the attachments in a pose.
    void points(const Pose& pose, std::vector<math::Vec3d>& result);

    /// Derivatives of the attachments by the unknowns: three rows per attachment, three columns per node
    /// (position of a root, rotation of a joint); and the weight of the pull on each unknown.
    void jacobian(const Pose& pose, Eigen::MatrixXd& matrix, Eigen::VectorXd& pull);

    const std::vector<Attachment>& attachments() const { return attachments_; }
    /// True for joints that the solver rotates.
    bool moves(std::size_t joint) const { return node_of_[joint] >= 0; }
    /// World rotation and centre of a joint in the last evaluated pose.
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
        bool stepwise = false;  ///< rotates about the axes of its limits, some of which are locked
        double pull = 0;        ///< towards rest
    };
    /// Sums over the points of a subtree: weights, positions, products, residuals, residual torques.
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
    std::vector<int> node_of_;  ///< node of a joint's rotation, or -1
    std::vector<int> active_;   ///< joints with nodes and those between them, increasing
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
