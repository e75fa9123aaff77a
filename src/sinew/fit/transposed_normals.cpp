#include "sinew/fit/transposed_normals.h"

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

}  // namespace sinew::fit
