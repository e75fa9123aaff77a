#include "sinew/motion/solve_tree.h"

#include <cmath>
#include <utility>

namespace sinew::motion {

using math::Mat3d;
using math::Vec3d;

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
            // Ancestors above `a` are the later ones of this list, and the same ones of its own.
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
