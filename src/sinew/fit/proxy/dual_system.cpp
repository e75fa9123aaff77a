// SPDX-License-Identifier: MIT
#include "sinew/fit/proxy/dual_system.h"

#include <limits>

namespace sinew::fit {

using Eigen::Index;
using math::DualQuatd;
using math::Quatd;
using Matrix8 = Eigen::Matrix<double, 8, 8>;

Eigen::Matrix4d left_product(const Quatd& q) {
    Eigen::Matrix4d m;
    m << q.w(), -q.z(), q.y(), q.x(),  //
        q.z(), q.w(), -q.x(), q.y(),   //
        -q.y(), q.x(), q.w(), q.z(),   //
        -q.x(), -q.y(), -q.z(), q.w();
    return m;
}

Eigen::Matrix4d right_product(const Quatd& q) {
    Eigen::Matrix4d m;
    m << q.w(), q.z(), -q.y(), q.x(),  //
        -q.z(), q.w(), q.x(), q.y(),   //
        q.y(), -q.x(), q.w(), q.z(),   //
        -q.x(), -q.y(), -q.z(), q.w();
    return m;
}

namespace {

Quatd pure(const Vec3d& v) {
    return {0, v.x(), v.y(), v.z()};
}

/// v_def = vec(A v A* + 2 E A*) / |A|^2 and its derivative: dv = (2 vec(dA v A* + dE A* + E dA*) - 2 v_def
/// (A . dA)) / |A|^2.
DualRows geometric_rows(const DualQuatd& blend, const Vec3d& rest, const Vec3d& goal) {
    const double n = blend.real.squaredNorm();
    const Vec3d moved = move(blend, rest);
    const Eigen::Matrix4d flip = Eigen::Vector4d(-1, -1, -1, 1).asDiagonal();
    const Eigen::Matrix4d by_real =
        right_product(pure(rest) * blend.real.conjugate()) + left_product(blend.dual) * flip;
    DualRows rows;
    rows.residual.head<3>() = moved - goal;
    rows.slope.topLeftCorner<3, 4>() =
        (2 / n) * (by_real.topRows<3>() - moved * blend.real.coeffs().transpose());
    rows.slope.topRightCorner<3, 4>() = (2 / n) * right_product(blend.real.conjugate()).topRows<3>();
    return rows;
}

}  // namespace

DualRows dual_rows(DualRowKind kind, const DualQuatd& blend, const Vec3d& rest, const Vec3d& goal) {
    if (kind == DualRowKind::geometric) return geometric_rows(blend, rest, goal);
    DualRows rows;
    rows.slope.leftCols<4>() = left_product(pure(goal)) - right_product(pure(rest));
    rows.slope.rightCols<4>() = -2 * Eigen::Matrix4d::Identity();
    rows.residual = rows.slope.leftCols<4>() * blend.real.coeffs() - 2 * blend.dual.coeffs();
    if (kind == DualRowKind::scaled) {
        const double weight = 1 / blend.real.norm();
        rows.residual *= weight;
        rows.slope *= weight;
    }
    return rows;
}

DualSystem::DualSystem(const JointRig& rig) : rig_(rig) {
    constexpr auto none = std::numeric_limits<std::uint32_t>::max();
    const std::size_t joints = rig.joint_count();
    index_.assign(joints * joints, none);
    neighbors_.resize(joints);
    for (std::size_t v = 0; v < rig.rest.size(); ++v) {
        for (const BoneWeight& a : rig.weights.of(v)) {
            for (const BoneWeight& b : rig.weights.of(v)) {
                std::uint32_t& slot = index_[a.bone * joints + b.bone];
                if (b.bone > a.bone || slot != none) continue;
                slot = static_cast<std::uint32_t>(pairs_.size());
                pairs_.push_back({a.bone, b.bone});
                if (a.bone == b.bone) continue;
                neighbors_[a.bone].push_back(b.bone);
                neighbors_[b.bone].push_back(a.bone);
            }
        }
    }
    // A joint that moves nothing still has its position on the diagonal.
    for (std::uint32_t j = 0; j < joints; ++j) {
        std::uint32_t& slot = index_[j * joints + j];
        if (slot != none) continue;
        slot = static_cast<std::uint32_t>(pairs_.size());
        pairs_.push_back({j, j});
    }
    pattern_ = BlockPattern(joints, pairs_);
}

/// The lower half of a symmetric 8 x 8 matrix, column by column: half the sums for the same result.
using Packed = Eigen::Matrix<double, 36, 1>;

Packed packed_square(const Eigen::Matrix<double, 4, 8>& slope) {
    Packed packed;
    for (Index c = 0, k = 0; c < 8; ++c) {
        for (Index r = c; r < 8; ++r) packed(k++) = slope.col(r).dot(slope.col(c));
    }
    return packed;
}

Matrix8 unpacked(const Packed& packed) {
    Matrix8 m;
    for (Index c = 0, k = 0; c < 8; ++c) {
        for (Index r = c; r < 8; ++r) m(r, c) = m(c, r) = packed(k++);
    }
    return m;
}

DualSystem::Sums DualSystem::sums(DualRowKind kind, const BonePose& pose,
                                  std::span<const Vec3d> goals) const {
    Sums sums;
    std::vector<Packed> blocks(pairs_.size(), Packed::Zero());
    sums.gradient.setZero(8 * static_cast<Index>(rig_.joint_count()));
    for (std::size_t v = 0; v < goals.size(); ++v) {
        const auto weights = rig_.weights.of(v);
        const DualRows rows = dual_rows(kind, blended_dual(weights, pose), rig_.rest[v], goals[v]);
        const Packed square = packed_square(rows.slope);
        const Eigen::Matrix<double, 8, 1> pull = rows.slope.transpose().lazyProduct(rows.residual);
        sums.cost += rows.residual.squaredNorm();
        for (const BoneWeight& a : weights) {
            sums.gradient.segment<8>(8 * a.bone) += a.weight * pull;
            for (const BoneWeight& b : weights) {
                if (b.bone > a.bone) continue;
                blocks[pair(a.bone, b.bone)] += a.weight * b.weight * square;
            }
        }
    }
    for (const Packed& block : blocks) sums.blocks.push_back(unpacked(block));
    return sums;
}

double DualSystem::cost(DualRowKind kind, const BonePose& pose, std::span<const Vec3d> goals) const {
    double sum = 0;
    for (std::size_t v = 0; v < goals.size(); ++v) {
        const DualQuatd blend = blended_dual(rig_.weights.of(v), pose);
        sum += kind == DualRowKind::geometric
                   ? (move(blend, rig_.rest[v]) - goals[v]).squaredNorm()
                   : dual_rows(kind, blend, rig_.rest[v], goals[v]).residual.squaredNorm();
    }
    return sum;
}

/// Blocks of the pairs in the directions of the bases, which all have N columns.
template <int N>
Eigen::VectorXd DualSystem::step_of(const Sums& sums, std::span<const JointBasis> bases, double relative,
                                    double absolute) const {
    using Basis = Eigen::Matrix<double, 8, N>;
    const std::vector<Basis> directions(bases.begin(), bases.end());
    Eigen::VectorXd step(N * static_cast<Index>(bases.size()));
    for (std::size_t j = 0; j < directions.size(); ++j) {
        const auto slot = static_cast<Index>(j);
        step.segment<N>(N * slot) = -directions[j].transpose() * sums.gradient.segment<8>(8 * slot);
    }
    std::vector<typename BlockCholesky<N>::Block> blocks(pairs_.size());
    double trace = 0;
    for (std::size_t k = 0; k < pairs_.size(); ++k) {
        const auto [a, b] = pairs_[k];
        const Basis right = sums.blocks[k].lazyProduct(directions[b]);
        blocks[k] = directions[a].transpose().lazyProduct(right);
        if (a == b) trace += blocks[k].trace();
    }
    const double floor = absolute * trace / static_cast<double>(step.size()) + 1e-300;
    BlockCholesky<N> matrix(pattern_);
    for (std::size_t k = 0; k < pairs_.size(); ++k) {
        if (pairs_[k].first == pairs_[k].second)
            blocks[k].diagonal().array() += relative * blocks[k].diagonal().array() + floor;
        matrix.set(k, blocks[k]);
    }
    if (!matrix.factor()) return {};
    matrix.solve(step);
    return step;
}

Eigen::VectorXd DualSystem::step(const Sums& sums, std::span<const JointBasis> bases, double relative,
                                 double absolute) const {
    switch (bases[0].cols()) {
        case 3:
            return step_of<3>(sums, bases, relative, absolute);
        case 6:
            return step_of<6>(sums, bases, relative, absolute);
        case 7:
            return step_of<7>(sums, bases, relative, absolute);
        default:
            return step_of<8>(sums, bases, relative, absolute);
    }
}

}  // namespace sinew::fit
