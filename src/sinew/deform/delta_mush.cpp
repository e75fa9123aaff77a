#include "sinew/deform/delta_mush.h"

#include "sinew/base/error.h"

namespace sinew::deform {

using math::Mat3d;
using math::Vec3d;
using math::Vec3f;

DeltaMush::DeltaMush(const geometry::Mesh& rest, const DeltaMushOptions& options) : smoother_(rest, options) {
    VertexField smooth = field_of(rest.positions);
    smoother_.smooth(smooth);
    const std::vector<Mat3d> frame = frames(smooth);
    for (std::size_t v = 0; v < rest.vertex_count(); ++v) {
        const Vec3d offset =
            rest.positions[v].cast<double>() - smooth.row(static_cast<Eigen::Index>(v)).transpose();
        offsets_.emplace_back(frame[v].transpose() * offset);
    }
}

std::vector<Mat3d> DeltaMush::frames(const VertexField& points) const {
    const auto at = [&](std::uint32_t v) -> Vec3d { return points.row(v).transpose(); };
    std::vector<Vec3d> normals(smoother_.vertex_count(), Vec3d::Zero());
    for (const geometry::Triangle& t : smoother_.triangles()) {
        const Vec3d area = (at(t[1]) - at(t[0])).cross(at(t[2]) - at(t[0]));
        for (const std::uint32_t corner : t) normals[corner] += area;
    }
    std::vector<Mat3d> result(normals.size(), Mat3d::Identity());
    for (std::uint32_t v = 0; v < result.size(); ++v) {
        const std::span<const std::uint32_t> around = smoother_.neighbors()[v];
        if (around.empty() || normals[v].squaredNorm() == 0) continue;
        const Vec3d normal = normals[v].normalized();
        const Vec3d edge = at(around.front()) - at(v);
        const Vec3d tangent = edge - normal * normal.dot(edge);
        if (tangent.norm() <= 1e-12 * edge.norm()) continue;
        const Vec3d along = tangent.normalized();
        result[v] << along, normal.cross(along), normal;
    }
    return result;
}

std::vector<Vec3f> DeltaMush::apply(std::span<const Vec3f> posed) const {
    if (posed.size() != offsets_.size())
        fail("delta mush", "{} positions for a mesh of {} vertices", posed.size(), offsets_.size());
    VertexField smooth = field_of(posed);
    smoother_.smooth(smooth);
    const std::vector<Mat3d> frame = frames(smooth);
    std::vector<Vec3f> result(posed.size());
    for (std::size_t v = 0; v < posed.size(); ++v) {
        const std::uint32_t t = smoother_.twin(v);
        result[v] = (smooth.row(t).transpose() + frame[t] * offsets_[t]).cast<float>();
    }
    return result;
}

}  // namespace sinew::deform
