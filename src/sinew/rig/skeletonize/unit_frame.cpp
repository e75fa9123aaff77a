#include "sinew/rig/skeletonize/unit_frame.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Eigenvalues>

#include "sinew/base/error.h"

namespace sinew::rig {

UnitFrame unit_frame(const geometry::Mesh& mesh) {
    geometry::validate(mesh, mesh.name);
    const geometry::Box box = geometry::bounds(mesh.positions);
    const auto size = static_cast<double>(box.diagonal());
    if (mesh.triangles.empty() || box.empty() || !(size > 0) || !std::isfinite(size)) {
        fail(mesh.name, "the mesh has no extent: there is no skeleton in it");
    }
    // Numbers near 1, whatever the unit of the mesh.
    const Vec3d middle = box.center().cast<double>();
    const auto at = [&](std::uint32_t v) {
        return Vec3d((mesh.positions[v].cast<double>() - middle) / size);
    };
    double area = 0;
    Vec3d first = Vec3d::Zero();
    math::Mat3d second = math::Mat3d::Zero();
    for (const auto& t : mesh.triangles) {
        const Vec3d a = at(t[0]), b = at(t[1]), c = at(t[2]);
        const double weight = (b - a).cross(c - a).norm() + 1e-12;
        const Vec3d centroid = (a + b + c) / 3;
        area += weight;
        first += weight * centroid;
        second += weight * centroid * centroid.transpose();
    }
    first /= area;
    UnitFrame frame;
    const Eigen::SelfAdjointEigenSolver<math::Mat3d> solver(second / area - first * first.transpose());
    frame.rotation = solver.eigenvectors();
    if (frame.rotation.determinant() < 0) frame.rotation.col(0) *= -1;
    double farthest = 0;
    for (const auto& t : mesh.triangles) {
        for (const std::uint32_t v : t) farthest = std::max(farthest, (at(v) - first).norm());
    }
    frame.center = middle + first * size;
    frame.scale = 1 / (2 * farthest * size);
    return frame;
}

geometry::Mesh in_unit(const geometry::Mesh& mesh, const UnitFrame& frame) {
    geometry::Mesh out;
    out.name = mesh.name;
    out.positions.reserve(mesh.positions.size());
    for (const auto& p : mesh.positions)
        out.positions.emplace_back(frame.to_unit(p.cast<double>()).cast<float>());
    out.triangles = mesh.triangles;
    return out;
}

void to_world(CurveSkeleton& curve, const UnitFrame& frame) {
    for (CurveNode& node : curve.nodes) {
        node.position = frame.to_world(node.position);
        node.radius /= frame.scale;
    }
}

}  // namespace sinew::rig
