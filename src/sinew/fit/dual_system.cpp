#include "sinew/fit/dual_system.h"

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
    } else if (kind == DualRowKind::projected) {
        const Eigen::Matrix4d turn = right_product(blend.real.conjugate()) / blend.real.squaredNorm();
        rows.residual = (turn * rows.residual).eval();
        rows.slope = (turn * rows.slope).eval();
    }
    if (kind != DualRowKind::quaternion && kind != DualRowKind::scaled) {
        rows.residual(3) = 0;
        rows.slope.row(3).setZero();
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
                std::uint32_t& place = index_[a.bone * joints + b.bone];
                if (b.bone > a.bone || place != none) continue;
                place = static_cast<std::uint32_t>(pairs_.size());
                pairs_.push_back({a.bone, b.bone});
                if (a.bone == b.bone) continue;
                neighbors_[a.bone].push_back(b.bone);
                neighbors_[b.bone].push_back(a.bone);
            }
        }
    }
}

DualSystem::Sums DualSystem::sums(DualRowKind kind, const BonePose& pose,
                                  std::span<const Vec3d> goals) const {
    Sums sums;
    sums.blocks.assign(pairs_.size(), Matrix8::Zero());
    sums.gradient.setZero(8 * static_cast<Index>(rig_.joint_count()));
    for (std::size_t v = 0; v < goals.size(); ++v) {
        const auto weights = rig_.weights.of(v);
        const DualRows rows = dual_rows(kind, blended_dual(weights, pose), rig_.rest[v], goals[v]);
        const Matrix8 square = rows.slope.transpose() * rows.slope;
        const Eigen::Matrix<double, 8, 1> pull = rows.slope.transpose() * rows.residual;
        sums.cost += rows.residual.squaredNorm();
        for (const BoneWeight& a : weights) {
            sums.gradient.segment<8>(8 * a.bone) += a.weight * pull;
            for (const BoneWeight& b : weights) {
                if (b.bone > a.bone) continue;
                sums.blocks[pair(a.bone, b.bone)] += a.weight * b.weight * square;
            }
        }
    }
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

Eigen::VectorXd DualSystem::step(const Sums& sums, std::span<const JointBasis> bases, double relative,
                                 double absolute) const {
    const Index width = bases[0].cols(), size = width * static_cast<Index>(bases.size());
    std::vector<Eigen::Triplet<double>> entries;
    entries.reserve(pairs_.size() * static_cast<std::size_t>(width * width));
    Eigen::VectorXd gradient(size), diagonal(size);
    for (std::size_t j = 0; j < bases.size(); ++j) {
        gradient.segment(width * static_cast<Index>(j), width) =
            bases[j].transpose() * sums.gradient.segment<8>(8 * static_cast<Index>(j));
    }
    for (std::size_t k = 0; k < pairs_.size(); ++k) {
        const auto [a, b] = pairs_[k];
        const Eigen::MatrixXd block = bases[a].transpose() * sums.blocks[k] * bases[b];
        for (Index r = 0; r < width; ++r) {
            for (Index c = 0; c < (a == b ? r + 1 : width); ++c)
                entries.emplace_back(static_cast<int>(width * a + r), static_cast<int>(width * b + c),
                                     block(r, c));
            if (a == b) diagonal(width * a + r) = block(r, r);
        }
    }
    const double floor = absolute * diagonal.mean() + 1e-300;
    for (Index i = 0; i < size; ++i)
        entries.emplace_back(static_cast<int>(i), static_cast<int>(i), relative * diagonal(i) + floor);
    Eigen::SparseMatrix<double> matrix(size, size);
    matrix.setFromTriplets(entries.begin(), entries.end());
    const Eigen::SimplicialLLT<Eigen::SparseMatrix<double>, Eigen::Lower> factor(matrix);
    if (factor.info() != Eigen::Success) return {};
    return -factor.solve(gradient);
}

}  // namespace sinew::fit
