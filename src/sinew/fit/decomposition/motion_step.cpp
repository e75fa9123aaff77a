// SPDX-License-Identifier: MIT
#include "sinew/fit/decomposition/motion_step.h"

#include <Eigen/Cholesky>

#include "sinew/base/parallel.h"
#include "sinew/fit/decomposition/products.h"

namespace sinew::fit {

using Eigen::Index;
using Eigen::MatrixXd;
using Frame = Eigen::Matrix<double, 3, Eigen::Dynamic>;  ///< all bones of one frame
using math::Mat3d;

constexpr Index some_vertices = 64;  ///< whose goals are in memory together

namespace {

Mat3d cross_matrix(const Vec3d& k) {
    Mat3d m;
    m << 0, -k.z(), k.y(), k.z(), 0, -k.x(), -k.y(), k.x(), 0;
    return m;
}

/// The part of the error that depends on the motions of a frame.
double energy(const MatrixXd& moments, const Frame& cross, const Frame& motion) {
    return ((motion * moments).cwiseProduct(motion) - 2 * motion.cwiseProduct(cross)).sum();
}

/// Normal equations of small rotations omega (about the origin) and translations tau of every bone: for the
/// pair (j, l) with N = R_j S R_l^T and k = R_j s the blocks are tr(N) I - N^T, [k]x and the weight.
void normal_equations(const MatrixXd& moments, const Frame& cross, const Frame& motion, MatrixXd& hessian,
                      Eigen::VectorXd& gradient) {
    const Index bones = motion.cols() / 4;
    hessian.setZero(6 * bones, 6 * bones);
    gradient.resize(6 * bones);
    const Frame slope = cross - motion * moments;
    for (Index j = 0; j < bones; ++j) {
        const Mat3d r = motion.block<3, 3>(0, 4 * j), d = slope.block<3, 3>(0, 4 * j);
        gradient.segment<3>(6 * j) =
            r.col(0).cross(d.col(0)) + r.col(1).cross(d.col(1)) + r.col(2).cross(d.col(2));
        gradient.segment<3>(6 * j + 3) = slope.col(4 * j + 3);
        for (Index l = 0; l <= j; ++l) {
            const math::Mat4d s = moments.block<4, 4>(4 * j, 4 * l);
            if (s(3, 3) == 0) continue;
            const Mat3d other = motion.block<3, 3>(0, 4 * l);
            const Mat3d n = r * s.topLeftCorner<3, 3>() * other.transpose();
            auto h = hessian.block<6, 6>(6 * j, 6 * l);
            h.topLeftCorner<3, 3>() = n.trace() * Mat3d::Identity() - n.transpose();
            h.topRightCorner<3, 3>() = cross_matrix(r * s.topRightCorner<3, 1>());
            h.bottomLeftCorner<3, 3>() = -cross_matrix(other * s.bottomLeftCorner<1, 3>().transpose());
            h.bottomRightCorner<3, 3>() = s(3, 3) * Mat3d::Identity();
        }
    }
}

Frame moved(const Frame& motion, const Eigen::VectorXd& step) {
    Frame next = motion;
    for (Index j = 0; j < motion.cols() / 4; ++j) {
        const Vec3d omega = step.segment<3>(6 * j);
        const double angle = omega.norm();
        if (angle > 0) {
            const Mat3d rotation = Eigen::AngleAxisd(angle, omega / angle).toRotationMatrix();
            // Projected back onto rotations, so that rounding errors do not accumulate over many steps.
            const math::Quatd q = math::Quatd(Mat3d(rotation * motion.block<3, 3>(0, 4 * j))).normalized();
            next.block<3, 3>(0, 4 * j) = q.toRotationMatrix();
        }
        next.col(4 * j + 3) += step.segment<3>(6 * j + 3);
    }
    return next;
}

void descend_frame(const MatrixXd& moments, const Frame& cross, int iterations, Frame& motion) {
    MatrixXd hessian;
    Eigen::VectorXd gradient;
    double damping = 1e-6;
    double now = energy(moments, cross, motion);
    for (int i = 0; i < iterations; ++i) {
        normal_equations(moments, cross, motion, hessian, gradient);
        const double floor = 1e-9 * std::max(hessian.diagonal().maxCoeff(), 1e-300);
        bool better = false;
        for (int attempt = 0; attempt < 4 && !better; ++attempt, damping *= better ? 1 : 100) {
            MatrixXd damped = hessian;
            damped.diagonal() += (damping * hessian.diagonal().array() + floor).matrix();
            const Eigen::VectorXd step = damped.selfadjointView<Eigen::Lower>().llt().solve(gradient);
            const Frame next = moved(motion, step);
            const double then = energy(moments, cross, next);
            if (!(then < now)) continue;
            better = true;
            motion = next;
            now = then;
        }
        if (!better) return;
        damping = std::max(damping / 10, 1e-9);
    }
}

}  // namespace

BlendSums blend_sums(const Target& target, const BlendWeights& weights, Index bones) {
    BlendSums sums;
    sums.moments.setZero(4 * bones, 4 * bones);
    for (std::size_t v = 0; v < weights.vertex_count(); ++v) {
        const math::Vec4d u = target.rest.col(static_cast<Index>(v));
        const math::Mat4d square = u * u.transpose();
        for (const BoneWeight& a : weights.of(v)) {
            for (const BoneWeight& b : weights.of(v))
                sums.moments.block<4, 4>(4 * a.bone, 4 * b.bone) += a.weight * b.weight * square;
        }
    }
    sums.cross.resize(3 * target.frames(), 4 * bones);
    constexpr std::size_t some_frames = 32;
    parallel_blocks(
        static_cast<std::size_t>(target.frames()), some_frames, [&](std::size_t begin, std::size_t end) {
            const FrameRange frames{static_cast<Index>(begin), static_cast<Index>(end - begin)};
            MatrixXd goals, cross = MatrixXd::Zero(3 * frames.count, 4 * bones);
            for (Index first = 0; first < target.vertices(); first += some_vertices) {
                gather(target, frames, first, std::min(some_vertices, target.vertices() - first), goals);
                for (Index v = 0; v < goals.cols(); ++v) {
                    const auto vertex = static_cast<std::size_t>(first + v);
                    add_cross(weights.of(vertex), target.rest.col(first + v),
                              {goals.col(v).data(), static_cast<std::size_t>(goals.rows())}, cross);
                }
            }
            sums.cross.middleRows(3 * frames.first, 3 * frames.count) = cross;
        });
    return sums;
}

void affine_motion_step(const BlendSums& sums, Motions& motions) {
    const Index size = sums.moments.rows();
    const double ridge = 1e-9 * std::max(sums.moments.trace() / static_cast<double>(size), 1e-300);
    MatrixXd damped = sums.moments;
    damped.diagonal().array() += ridge;
    // (S + ridge) dT = C - T S is the step of smallest error that stays near T.
    const MatrixXd slope = sums.cross - motions * sums.moments;
    motions += damped.ldlt().solve(slope.transpose()).transpose();
}

void rigid_motion_step(const BlendSums& sums, int iterations, Motions& motions) {
    parallel_for(static_cast<std::size_t>(motions.rows() / 3), 1, [&](std::size_t f) {
        const Index row = 3 * static_cast<Index>(f);
        Frame motion = motions.middleRows<3>(row);
        descend_frame(sums.moments, sums.cross.middleRows<3>(row), iterations, motion);
        motions.middleRows<3>(row) = motion;
    });
}

}  // namespace sinew::fit
