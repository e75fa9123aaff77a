#pragma once
/// \file
/// Linear systems whose unknowns stand in a tree: a block couples only a node with its ancestors.

#include <vector>

#include "sinew/math/types.h"

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

}  // namespace sinew::motion
