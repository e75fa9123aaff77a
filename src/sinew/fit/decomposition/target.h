// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// A sequence prepared for linear algebra: centred, of size 1, in blocks of vertices.

#include <span>

#include <Eigen/Core>

#include "sinew/fit/fit.h"

namespace sinew::fit {

/// Rest pose and frames, each relative to its own centroid and divided by half the diagonal of the rest
/// pose's bounding box, so that squared sums stay accurate for any position of the model. Frames are not
/// copied.
struct Target {
    const model::MeshSequence* sequence = nullptr;
    double scale = 1;  ///< half the diagonal
    Vec3d center = Vec3d::Zero();
    std::vector<Vec3d> frame_centers;
    Eigen::Matrix4Xd rest;  ///< homogeneous

    Eigen::Index vertices() const { return rest.cols(); }
    Eigen::Index frames() const { return static_cast<Eigen::Index>(frame_centers.size()); }
    /// Position of vertex v in frame f.
    Vec3d goal(std::size_t f, std::size_t v) const {
        return (sequence->frames[f][v].cast<double>() - frame_centers[f]) / scale;
    }
};

Target make_target(const model::MeshSequence& sequence);
/// The same with another rest pose of the same vertices.
Target make_target(const model::MeshSequence& sequence, const geometry::Mesh& rest);

/// All frames of the vertices from `first` on: 3F x count. With `frames` only some of them.
void gather(const Target& target, Eigen::Index first, Eigen::Index count, Eigen::MatrixXd& block);
struct FrameRange {
    Eigen::Index first = 0, count = 0;
};
void gather(const Target& target, FrameRange frames, Eigen::Index first, Eigen::Index count,
            Eigen::MatrixXd& block);

/// Transformations of all bones in all frames: frame f and bone j at block<3, 4>(3f, 4j).
using Motions = Eigen::MatrixXd;

/// Motions of the target as poses of the sequence, and back.
std::vector<BonePose> to_poses(const Target& target, const Motions& motions);
Motions to_motions(const Target& target, std::span<const BonePose> poses);

/// The rigid motion [R | t] that best maps points p_i to q_i with weights w_i, from their sums: `cross` = sum
/// w q [p; 1]^T (3 x 4) and `moments` = sum w [p; 1][p; 1]^T (Kabsch 1976). det R = +1.
Mat34d rigid_motion(const Mat34d& cross, const math::Mat4d& moments);

}  // namespace sinew::fit
