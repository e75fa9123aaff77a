// SPDX-License-Identifier: MIT
#include "sinew/fit/decomposition/target.h"

#include <Eigen/SVD>

#include "sinew/math/transform.h"

namespace sinew::fit {

using Eigen::Index;

namespace {

Vec3d centroid(const std::vector<math::Vec3f>& points) {
    Vec3d sum = Vec3d::Zero();
    for (const math::Vec3f& p : points) sum += p.cast<double>();
    return sum / static_cast<double>(points.size());
}

}  // namespace

Target make_target(const model::MeshSequence& sequence) {
    return make_target(sequence, sequence.rest);
}

Target make_target(const model::MeshSequence& sequence, const geometry::Mesh& mesh) {
    Target target;
    target.sequence = &sequence;
    const std::vector<math::Vec3f>& rest = mesh.positions;
    target.scale = static_cast<double>(geometry::bounds(rest).diagonal()) / 2;
    target.center = centroid(rest);
    target.rest.resize(4, static_cast<Index>(rest.size()));
    for (std::size_t v = 0; v < rest.size(); ++v) {
        target.rest.col(static_cast<Index>(v)) =
            Vec3d((rest[v].cast<double>() - target.center) / target.scale).homogeneous();
    }
    for (const auto& frame : sequence.frames) target.frame_centers.push_back(centroid(frame));
    return target;
}

void gather(const Target& target, FrameRange frames, Index first, Index count, Eigen::MatrixXd& block) {
    block.resize(3 * frames.count, count);
    for (Index f = 0; f < frames.count; ++f) {
        const auto frame = static_cast<std::size_t>(frames.first + f);
        const math::Vec3f* const positions = target.sequence->frames[frame].data() + first;
        const Vec3d center = target.frame_centers[frame];
        for (Index v = 0; v < count; ++v)
            block.block<3, 1>(3 * f, v) = (positions[v].cast<double>() - center) / target.scale;
    }
}

void gather(const Target& target, Index first, Index count, Eigen::MatrixXd& block) {
    gather(target, {0, target.frames()}, first, count, block);
}

std::vector<BonePose> to_poses(const Target& target, const Motions& motions) {
    std::vector<BonePose> poses(target.frame_centers.size());
    for (std::size_t f = 0; f < poses.size(); ++f) {
        for (Index j = 0; j < motions.cols() / 4; ++j) {
            Mat34d m = motions.block<3, 4>(3 * static_cast<Index>(f), 4 * j);
            m.col(3) = target.scale * m.col(3) + target.frame_centers[f] - m.leftCols<3>() * target.center;
            poses[f].matrices.push_back(m);
        }
    }
    return poses;
}

Motions to_motions(const Target& target, std::span<const BonePose> poses) {
    Motions motions(3 * target.frames(), 4 * static_cast<Index>(poses[0].size()));
    for (std::size_t f = 0; f < poses.size(); ++f) {
        for (std::size_t j = 0; j < poses[f].size(); ++j) {
            Mat34d m = poses[f].matrices[j];
            m.col(3) = (m.col(3) - target.frame_centers[f] + m.leftCols<3>() * target.center) / target.scale;
            motions.block<3, 4>(3 * static_cast<Index>(f), 4 * static_cast<Index>(j)) = m;
        }
    }
    return motions;
}

Mat34d rigid_motion(const Mat34d& cross, const math::Mat4d& moments) {
    const double weight = std::max(moments(3, 3), 1e-300);
    const Vec3d p = moments.col(3).head<3>() / weight, q = cross.col(3) / weight;
    const math::Mat3d h = cross.leftCols<3>() - cross.col(3) * p.transpose();
    Mat34d motion;
    motion.leftCols<3>() = math::nearest_rotation(h);
    motion.col(3) = q - motion.leftCols<3>() * p;
    return motion;
}

}  // namespace sinew::fit
