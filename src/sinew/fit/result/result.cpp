// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/base/parallel.h"
#include "sinew/fit/fit.h"

namespace sinew::fit {

using math::DualQuatd;
using math::Quatd;
using model::MeshSequence;

namespace {

constexpr std::size_t grain = 512;

/// Number of corrections to apply.
std::size_t used(const Corrections& corrections, int wanted) {
    if (wanted < 0) return corrections.count();
    return std::min(corrections.count(), static_cast<std::size_t>(wanted));
}

/// Rest values with corrections added.
template <class Get>
Vec3d corrected(const Corrections& corrections, std::size_t count, std::size_t frame, std::size_t v,
                const Get& rest) {
    Vec3d sum = rest(v);
    const auto row = static_cast<Eigen::Index>(3 * v);
    for (std::size_t j = 0; j < count; ++j) {
        const auto column = static_cast<Eigen::Index>(j);
        sum += corrections.shapes.block<3, 1>(row, column) *
               corrections.amounts(column, static_cast<Eigen::Index>(frame));
    }
    return sum;
}

Vec3d rotated_by(const Quatd& a, const Vec3d& normal) {
    return (a * Quatd(0, normal.x(), normal.y(), normal.z()) * a.conjugate()).vec().normalized();
}

/// The rotation of a dual blend; of matrices the linear part, or its inverse transpose.
Vec3d rotated(const FitResult& fit, const BonePose& pose, std::size_t v, const Vec3d& normal) {
    if (pose.matrices.empty()) return rotated_by(blended_dual(fit.weights.of(v), pose).real, normal);
    const math::Mat3d linear = blended_matrix(fit.weights.of(v), pose).leftCols<3>();
    if (fit.normal_rule == NormalRule::own || fit.normal_rule == NormalRule::direct)
        return (linear * normal).normalized();
    // Cofactors are the inverse transpose times the determinant: they exist for singular blends, and follow
    // the tangents where a flat neighbourhood leaves the third direction undetermined.
    math::Mat3d cofactors;
    cofactors << linear.col(1).cross(linear.col(2)), linear.col(2).cross(linear.col(0)),
        linear.col(0).cross(linear.col(1));
    return (cofactors * normal).normalized();
}

std::vector<Vec3d> recomputed_normals(const FitResult& fit, std::size_t frame, int corrections) {
    std::vector<math::Vec3f> positions;
    for (const Vec3d& p : deformed(fit, frame, corrections)) positions.push_back(p.cast<float>());
    std::vector<Vec3d> result;
    for (const math::Vec3f& n : geometry::vertex_normals(positions, fit.rest.triangles))
        result.push_back(n.cast<double>());
    return result;
}

}  // namespace

Mat34d blended_matrix(std::span<const BoneWeight> weights, const BonePose& pose) {
    if (pose.matrices.empty()) return to_matrix(blended_dual(weights, pose));
    Mat34d sum = Mat34d::Zero();
    for (const BoneWeight& w : weights) sum += w.weight * pose.matrices[w.bone];
    return sum;
}

DualQuatd blended_dual(std::span<const BoneWeight> weights, const BonePose& pose) {
    DualQuatd sum;
    sum.real.coeffs().setZero();
    for (const BoneWeight& w : weights) sum = sum + pose.duals[w.bone] * w.weight;
    return sum;
}

Vec3d move(const DualQuatd& q, const Vec3d& point) {
    const Quatd& a = q.real;
    const Quatd v(0, point.x(), point.y(), point.z());
    return ((a * v * a.conjugate()).vec() + 2 * (q.dual * a.conjugate()).vec()) / a.squaredNorm();
}

Mat34d to_matrix(const DualQuatd& q) {
    Mat34d matrix;
    matrix.leftCols<3>() = q.real.normalized().toRotationMatrix();
    matrix.col(3) = 2 * (q.dual * q.real.conjugate()).vec() / q.real.squaredNorm();
    return matrix;
}

std::vector<Vec3d> deformed(const FitResult& fit, std::size_t frame, int corrections) {
    const std::size_t count = used(fit.corrections, corrections);
    const BonePose& pose = fit.frames[frame];
    std::vector<Vec3d> result(fit.rest.positions.size());
    parallel_for(result.size(), grain, [&](std::size_t v) {
        const Vec3d p = corrected(fit.corrections, count, frame, v, [&](std::size_t i) -> Vec3d {
            return fit.rest.positions[i].cast<double>();
        });
        if (fit.blend == Blend::dual) {
            result[v] = move(blended_dual(fit.weights.of(v), pose), p);
        } else {
            result[v] = blended_matrix(fit.weights.of(v), pose) * p.homogeneous();
        }
    });
    return result;
}

std::vector<Vec3d> deformed_normals(const FitResult& fit, std::size_t frame, int corrections) {
    const std::size_t count = used(fit.normal_corrections, corrections);
    if (fit.normal_rule == NormalRule::recomputed) return recomputed_normals(fit, frame, corrections);
    const BonePose& pose = fit.normals.empty() ? fit.frames[frame] : fit.normals[frame];
    std::vector<Vec3d> result(fit.rest.normals.size());
    parallel_for(result.size(), grain, [&](std::size_t v) {
        const Vec3d n = corrected(fit.normal_corrections, count, frame, v,
                                  [&](std::size_t i) -> Vec3d { return fit.rest.normals[i].cast<double>(); });
        result[v] = rotated(fit, pose, v, n);
    });
    return result;
}

MeshSequence decoded(const FitResult& fit, int corrections) {
    MeshSequence sequence;
    sequence.rest = fit.rest;
    sequence.rate = fit.rate;
    for (std::size_t f = 0; f < fit.frames.size(); ++f) {
        std::vector<math::Vec3f>& frame = sequence.frames.emplace_back();
        for (const Vec3d& p : deformed(fit, f, corrections)) frame.push_back(p.cast<float>());
    }
    return sequence;
}

SequenceError fit_error(const MeshSequence& sequence, const FitResult& fit, int corrections) {
    if (sequence.frames.size() != fit.frames.size())
        fail("fit", "the sequence has {} frames, the fit {}", sequence.frames.size(), fit.frames.size());
    SequenceErrorSum sum(sequence.rest);
    for (const auto& frame : sequence.frames) sum.add_reference(frame);
    for (std::size_t f = 0; f < sequence.frames.size(); ++f)
        sum.add(sequence.frames[f], deformed(fit, f, corrections));
    return sum.result();
}

NormalError normal_error(const MeshSequence& sequence, const FitResult& fit, int corrections) {
    NormalError error;
    for (std::size_t f = 0; f < sequence.frames.size(); ++f) {
        const auto goals = geometry::vertex_normals(sequence.frames[f], sequence.rest.triangles);
        const std::vector<Vec3d> played = deformed_normals(fit, f, corrections);
        if (played.size() != goals.size()) fail("fit", "the rest pose has no normals");
        for (std::size_t v = 0; v < goals.size(); ++v) {
            const double angle =
                math::degrees(std::acos(std::clamp(goals[v].cast<double>().dot(played[v]), -1.0, 1.0)));
            error.mean += angle / static_cast<double>(goals.size() * sequence.frames.size());
            error.max = std::max(error.max, angle);
        }
    }
    return error;
}

std::vector<Vec3d> weight_centers(const geometry::Mesh& rest, const BlendWeights& weights,
                                  std::size_t bones) {
    std::vector<double> mass(bones, 0.0);
    std::vector<Vec3d> centers(bones, Vec3d::Zero());
    for (std::size_t v = 0; v < weights.vertex_count(); ++v) {
        for (const BoneWeight& w : weights.of(v)) {
            mass[w.bone] += w.weight;
            centers[w.bone] += w.weight * rest.positions[v].cast<double>();
        }
    }
    const Vec3d middle = geometry::bounds(rest.positions).center().cast<double>();
    for (std::size_t j = 0; j < bones; ++j) centers[j] = mass[j] > 0 ? Vec3d(centers[j] / mass[j]) : middle;
    return centers;
}

void check_sequence(const MeshSequence& sequence) {
    if (sequence.frames.empty()) fail("fit", "the sequence has no frames");
    if (sequence.rest.positions.empty()) fail("fit", "the sequence has no vertices");
    model::validate(sequence, "fit");
    if (geometry::bounds(sequence.rest.positions).diagonal() <= 0)
        fail("fit", "all vertices of the rest pose lie in one point");
}

}  // namespace sinew::fit
