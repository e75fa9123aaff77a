// Symmetry of surfaces.
#include <algorithm>
#include <array>

#include <Eigen/Eigenvalues>

#include "sinew/base/parallel.h"
#include "sinew/geometry/surface_queries.h"
#include "sinew/rig/symmetry.h"

namespace sinew::rig {
namespace {

using geometry::Vec3f;
using math::Mat3d;

/// Points of the surface: corners of every so many triangles' middles, evenly over the list.
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

    /// The plane in which the samples p are images of q: the normal is the eigenvector of the least
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
        // A later candidate must be clearly better: the axes of the file win ties.
        if (!best || plane.residual < 0.9 * best->residual - 1e-3) best = plane;
    }
    if (best->residual > options.tolerance) return std::nullopt;
    return best;
}

}  // namespace sinew::rig
