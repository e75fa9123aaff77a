// SPDX-License-Identifier: MIT
// Symmetry of surfaces.

#include "sinew/rig/templates/symmetry.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <Eigen/Eigenvalues>

#include "sinew/base/array.h"
#include "sinew/base/parallel.h"
#include "sinew/geometry/surface_queries.h"
#include "sinew/rig/edit/skeleton_edit.h"

namespace sinew::rig {

namespace {

using math::Mat3d;
using math::Vec3f;

/// Points of the surface: centres of every n-th triangle, evenly over the list.
std::vector<Vec3d> samples_of(const geometry::Mesh& mesh, std::size_t most) {
    std::vector<Vec3d> samples;
    const std::size_t count = mesh.triangles.size(),
                      step = std::max<std::size_t>(count / std::max<std::size_t>(most, 1), 1);
    for (std::size_t t = 0; t < count; t += step) {
        const geometry::Triangle& triangle = mesh.triangles[t];
        Vec3d sum = Vec3d::Zero();
        for (const std::uint32_t corner : triangle) sum += mesh.positions[corner].cast<double>();
        samples.emplace_back(sum / 3);
    }
    return samples;
}

class PlaneFitter {
  public:
    PlaneFitter(const geometry::Mesh& mesh, std::size_t samples)
        : queries_(mesh),
          points_(samples_of(mesh, samples)),
          size_(static_cast<double>(geometry::bounds(mesh.positions).diagonal())) {
        nearest_.resize(points_.size());
        center_ = geometry::bounds(mesh.positions).center().cast<double>();
    }

    /// Box axes, then the principal axes of the samples.
    std::vector<MirrorPlane> candidates() const {
        Vec3d mean = Vec3d::Zero();
        for (const Vec3d& point : points_) mean += point / static_cast<double>(points_.size());
        Mat3d spread = Mat3d::Zero();
        for (const Vec3d& point : points_) spread += (point - mean) * (point - mean).transpose();
        const Mat3d axes = Eigen::SelfAdjointEigenSolver<Mat3d>(spread).eigenvectors();
        std::vector<MirrorPlane> planes;
        for (int a = 0; a < 3; ++a) planes.push_back({Vec3d::Unit(a), center_[a], 0});
        for (int a = 0; a < 3; ++a) planes.push_back({axes.col(a), axes.col(a).dot(mean), 0});
        return planes;
    }

    /// Images of all samples; the residual of the plane.
    double look(const MirrorPlane& plane) {
        parallel_for(points_.size(), 256, [&](std::size_t i) {
            const Vec3d image = plane.reflect(points_[i]);
            const auto found = queries_.nearest(image.cast<float>());
            nearest_[i] = found ? Vec3d(found->position.cast<double>()) : image;
        });
        double sum = 0;
        for (std::size_t i = 0; i < points_.size(); ++i)
            sum += (plane.reflect(points_[i]) - nearest_[i]).norm();
        return size_ > 0 ? 100 * sum / static_cast<double>(points_.size()) / size_ : 0;
    }

    /// The plane in which the samples p are images of q: the normal is the eigenvector of the smallest
    /// eigenvalue of sum p q^T, both centred and the sum made symmetric.
    MirrorPlane next() const {
        Vec3d p = Vec3d::Zero(), q = Vec3d::Zero();
        const auto count = static_cast<double>(points_.size());
        for (std::size_t i = 0; i < points_.size(); ++i) {
            p += points_[i] / count;
            q += nearest_[i] / count;
        }
        Mat3d sum = Mat3d::Zero();
        for (std::size_t i = 0; i < points_.size(); ++i)
            sum += (points_[i] - p) * (nearest_[i] - q).transpose();
        const Mat3d even = sum + sum.transpose();
        MirrorPlane plane;
        plane.normal = Eigen::SelfAdjointEigenSolver<Mat3d>(even).eigenvectors().col(0);
        Eigen::Index largest = 0;
        plane.normal.cwiseAbs().maxCoeff(&largest);
        if (plane.normal[largest] < 0) plane.normal = -plane.normal;
        plane.offset = plane.normal.dot(p + q) / 2;
        return plane;
    }

    bool empty() const { return points_.empty() || !(size_ > 0); }

  private:
    geometry::SurfaceQueries queries_;
    std::vector<Vec3d> points_, nearest_;
    Vec3d center_ = Vec3d::Zero();
    double size_ = 0;
};

}  // namespace

std::optional<MirrorPlane> mirror_plane(const geometry::Mesh& mesh, const MirrorOptions& options) {
    if (mesh.triangles.empty()) return std::nullopt;
    PlaneFitter fitter(mesh, options.samples);
    if (fitter.empty()) return std::nullopt;
    std::optional<MirrorPlane> best;
    for (MirrorPlane plane : fitter.candidates()) {
        plane.residual = fitter.look(plane);
        for (int round = 0; round < options.rounds && plane.residual > 1e-4; ++round) {
            MirrorPlane moved = fitter.next();
            moved.residual = fitter.look(moved);
            if (!(moved.residual < plane.residual - 1e-4)) break;
            plane = moved;
        }
        // A later candidate must be clearly better: for ties the axes of the file are used.
        if (!best || plane.residual < 0.9 * best->residual - 1e-3) best = plane;
    }
    if (best->residual > options.tolerance) return std::nullopt;
    return best;
}

// --------------------
// Symmetry of skeletons.

namespace {

double diagonal(std::span<const Vec3d> points) {
    if (points.empty()) return 0;
    Vec3d low = points[0], high = low;
    for (const Vec3d& point : points) {
        low = low.cwiseMin(point);
        high = high.cwiseMax(point);
    }
    return (high - low).norm();
}

/// Twins by role only; -1 for joints without a role, the joint itself in the middle.
std::vector<int> twins_by_role(const std::vector<model::JointRole>& roles) {
    std::vector<int> twin(roles.size(), -1);
    for (std::size_t j = 0; j < roles.size(); ++j) {
        if (!roles[j]) continue;
        const model::JointRole wanted{roles[j].role, model::opposite(roles[j].side), roles[j].number};
        const auto found = std::find(roles.begin(), roles.end(), wanted);
        if (found != roles.end()) twin[j] = static_cast<int>(found - roles.begin());
    }
    return twin;
}

}  // namespace

std::optional<MirrorPlane> mirror_plane(std::span<const Vec3d> points, std::span<const int> twin) {
    MirrorPlane plane;
    Vec3d normal = Vec3d::Zero();
    for (std::size_t i = 0; i < points.size(); ++i) {
        const int other = twin[i];
        if (other <= static_cast<int>(i)) continue;
        Vec3d across = points[i] - points[at(other)];
        if (across.dot(normal) < 0) across = -across;
        normal += across;
    }
    if (!(normal.norm() > 0)) return std::nullopt;
    plane.normal = normal.normalized();
    // Oriented to +x, so that the left of a body that faces +z is on the positive side.
    Eigen::Index largest = 0;
    plane.normal.cwiseAbs().maxCoeff(&largest);
    if (plane.normal[largest] < 0) plane.normal = -plane.normal;
    double sum = 0, weight = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (twin[i] < 0) continue;
        sum += plane.normal.dot(points[i] + points[at(twin[i])]) / 2;
        weight += 1;
    }
    plane.offset = sum / weight;
    double miss = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (twin[i] >= 0) miss += (plane.reflect(points[i]) - points[at(twin[i])]).norm();
    }
    const double size = diagonal(points);
    plane.residual = size > 0 ? 100 * miss / weight / size : 0;
    return plane;
}

std::vector<int> pair_joints(const model::Skeleton& skeleton, const std::vector<model::JointRole>& roles,
                             const MirrorPlane& plane, double reach) {
    std::vector<int> twin = twins_by_role(roles);
    const std::vector<Vec3d> points = model::joint_positions(model::rest_world_matrices(skeleton));
    const double limit = reach / 100 * diagonal(points);
    for (std::size_t j = 0; j < points.size(); ++j) {
        if (twin[j] >= 0) continue;
        if (std::abs(plane.side(points[j])) < limit / 2) {
            twin[j] = static_cast<int>(j);
            continue;
        }
        const Vec3d image = plane.reflect(points[j]);
        double best = limit;
        for (std::size_t k = 0; k < points.size(); ++k) {
            const double distance = (points[k] - image).norm();
            if (k == j || twin[k] >= 0 || distance >= best) continue;
            best = distance;
            twin[j] = static_cast<int>(k);
        }
        if (twin[j] >= 0) twin[at(twin[j])] = static_cast<int>(j);
    }
    return twin;
}

std::optional<MirrorPlane> mirror_plane(const model::Skeleton& skeleton) {
    const std::vector<model::JointRole> roles = model::find_roles(skeleton);
    const std::vector<Vec3d> points = model::joint_positions(model::rest_world_matrices(skeleton));
    return mirror_plane(points, twins_by_role(roles));
}

}  // namespace sinew::rig
