#include "sinew/fit/transposed_normals.h"

#include <cmath>

#include "sinew/math/transform.h"

namespace sinew::fit {

using Eigen::Index;
using math::Mat3d;

BonePose fit_transposed_normals(const JointRig& rig, const DualSystem& system, std::span<const Vec3d> goals) {
    const std::size_t joints = rig.joint_count();
    std::vector<Mat3d> blocks(system.pairs().size(), Mat3d::Zero()), right(joints, Mat3d::Zero());
    Mat3d together = Mat3d::Zero();
    for (std::size_t v = 0; v < goals.size(); ++v) {
        const Mat3d square = goals[v] * goals[v].transpose(), product = goals[v] * rig.rest[v].transpose();
        together += product;
        for (const BoneWeight& a : rig.weights.of(v)) {
            right[a.bone] += a.weight * product;
            for (const BoneWeight& b : rig.weights.of(v)) {
                if (b.bone <= a.bone) blocks[system.pair(a.bone, b.bone)] += a.weight * b.weight * square;
            }
        }
    }
    // For a rotation R the inverse transpose is R itself: h = R n.
    const Mat3d turn = math::nearest_rotation(together);
    BlockCholesky<3> matrix(system.pattern());
    for (std::size_t k = 0; k < blocks.size(); ++k) {
        const auto [a, b] = system.pairs()[k];
        if (a == b) {
            const double pull = 0.02 * blocks[k].trace() + 1e-12;
            blocks[k].diagonal().array() += pull;
            right[a] += pull * turn;
        }
        matrix.set(k, blocks[k]);
    }
    BonePose pose;
    pose.matrices.assign(joints, Mat34d::Zero());
    const bool solvable = matrix.factor();
    for (int column = 0; column < 3; ++column) {
        Eigen::VectorXd x(3 * static_cast<Index>(joints));
        for (std::size_t j = 0; j < joints; ++j)
            x.segment<3>(3 * static_cast<Index>(j)) =
                solvable ? Vec3d(right[j].col(column)) : Vec3d(turn.col(column));
        if (solvable) matrix.solve(x);
        for (std::size_t j = 0; j < joints; ++j)
            pose.matrices[j].col(column) = x.segment<3>(3 * static_cast<Index>(j));
    }
    return pose;
}

namespace {

Mat3d blend_of(const JointRig& rig, const BonePose& pose, std::size_t v) {
    Mat3d sum = Mat3d::Zero();
    for (const BoneWeight& w : rig.weights.of(v)) sum += w.weight * pose.matrices[w.bone].leftCols<3>();
    return sum;
}

/// Cofactors are det(M) M^-T and exist for every M; they are what is played.
Mat3d cofactors(const Mat3d& m) {
    Mat3d c;
    c << m.col(1).cross(m.col(2)), m.col(2).cross(m.col(0)), m.col(0).cross(m.col(1));
    return c;
}

using Matrix9 = Eigen::Matrix<double, 9, 9>;
using Vector9 = Eigen::Matrix<double, 9, 1>;

/// Normal equations of all vertices.
struct NormalSums {
    std::vector<Matrix9> blocks;
    std::vector<Vector9> gradient;
};

NormalSums normal_sums(const JointRig& rig, const DualSystem& system, std::span<const Vec3d> goals,
                       const BonePose& pose) {
    NormalSums sums{std::vector<Matrix9>(system.pairs().size(), Matrix9::Zero()),
                    std::vector<Vector9>(rig.joint_count(), Vector9::Zero())};
    for (std::size_t v = 0; v < goals.size(); ++v) {
        const TransposedRows rows = transposed_rows(blend_of(rig, pose, v), rig.rest[v], goals[v]);
        const Matrix9 square = rows.slope.transpose() * rows.slope;
        const Vector9 pull = rows.slope.transpose() * rows.residual;
        for (const BoneWeight& a : rig.weights.of(v)) {
            sums.gradient[a.bone] += a.weight * pull;
            for (const BoneWeight& b : rig.weights.of(v)) {
                if (b.bone <= a.bone)
                    sums.blocks[system.pair(a.bone, b.bone)] += a.weight * b.weight * square;
            }
        }
    }
    return sums;
}

/// The damped step, or nothing when the matrix is not positive.
Eigen::VectorXd normal_step(const DualSystem& system, const NormalSums& sums, double damping) {
    double trace = 0;
    for (std::size_t k = 0; k < sums.blocks.size(); ++k) {
        if (system.pairs()[k].first == system.pairs()[k].second) trace += sums.blocks[k].trace();
    }
    const double floor = damping * trace / (9 * static_cast<double>(sums.gradient.size())) + 1e-300;
    BlockCholesky<9> matrix(system.pattern());
    for (std::size_t k = 0; k < sums.blocks.size(); ++k) {
        Matrix9 block = sums.blocks[k];
        if (system.pairs()[k].first == system.pairs()[k].second)
            block.diagonal().array() += damping * block.diagonal().array() + floor;
        matrix.set(k, block);
    }
    if (!matrix.factor()) return {};
    Eigen::VectorXd step(9 * static_cast<Index>(sums.gradient.size()));
    for (std::size_t j = 0; j < sums.gradient.size(); ++j)
        step.segment<9>(9 * static_cast<Index>(j)) = -sums.gradient[j];
    matrix.solve(step);
    return step;
}

}  // namespace

/// With a = M^-T n: da = -M^-T dM^T a, and d(a / |a|) = (1 - a a^T / |a|^2) da / |a|.
TransposedRows transposed_rows(const Mat3d& blend, const Vec3d& normal, const Vec3d& goal) {
    TransposedRows rows;
    const Mat3d cofactor = cofactors(blend);
    const Vec3d u = cofactor * normal;
    const double length = u.norm(), determinant = blend.determinant();
    if (!(length > 0)) return rows;
    const Vec3d unit = u / length;
    rows.residual = unit - goal;
    // A flat blend has no inverse, and no slope.
    if (!(std::abs(determinant) > 1e-12 * std::pow(blend.norm(), 3))) return rows;
    const Mat3d inverse = cofactor / determinant;
    const Vec3d a = u / determinant;
    const double side = determinant < 0 ? -1 : 1;
    const Mat3d turn = -side / a.norm() * (Mat3d::Identity() - unit * unit.transpose()) * inverse;
    for (int c = 0; c < 3; ++c) {
        for (int r = 0; r < 3; ++r) rows.slope.col(3 * c + r) = turn.col(c) * a(r);
    }
    return rows;
}

double transposed_normal_cost(const JointRig& rig, std::span<const Vec3d> goals, const BonePose& pose) {
    double sum = 0;
    for (std::size_t v = 0; v < goals.size(); ++v) {
        const Vec3d u = cofactors(blend_of(rig, pose, v)) * rig.rest[v];
        const double length = u.norm();
        sum += length > 0 ? (u / length - goals[v]).squaredNorm() : 4;
    }
    return sum;
}

void refine_transposed_normals(const JointRig& rig, const DualSystem& system, std::span<const Vec3d> goals,
                               int iterations, BonePose& pose) {
    double now = transposed_normal_cost(rig, goals, pose), damping = 1e-3;
    for (int i = 0; i < iterations; ++i) {
        const NormalSums sums = normal_sums(rig, system, goals, pose);
        double then = now;
        for (int attempt = 0; attempt < 6 && !(then < now); ++attempt, damping *= 10) {
            const Eigen::VectorXd step = normal_step(system, sums, damping);
            if (step.size() == 0) continue;
            BonePose next = pose;
            for (std::size_t j = 0; j < next.matrices.size(); ++j)
                next.matrices[j].leftCols<3>() +=
                    Eigen::Map<const Mat3d>(step.data() + 9 * static_cast<Index>(j));
            then = transposed_normal_cost(rig, goals, next);
            if (then < now) pose = std::move(next);
        }
        if (!(then < now)) return;
        damping = std::max(damping / 100, 1e-9);
        const bool settled = now - then < 1e-5 * now;
        now = then;
        if (settled) return;
    }
}

}  // namespace sinew::fit
