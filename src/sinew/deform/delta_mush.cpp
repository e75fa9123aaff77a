#include "sinew/deform/delta_mush.h"

#include "sinew/base/error.h"

namespace sinew::deform {

using math::Mat3d;
using math::Vec3d;
using math::Vec3f;

DeltaMush::DeltaMush(const geometry::Mesh& rest, const DeltaMushOptions& options)
    : options_(options), twin_(geometry::weld_map(rest.positions)) {
    if (options.iterations < 0 || options.iterations > 1000 ||
        !(options.strength >= 0 && options.strength <= 1))
        fail("delta mush", "{} passes of strength {}: 0 to 1000 passes of 0 to 1 are possible",
             options.iterations, options.strength);
    triangles_ = geometry::welded(rest.triangles, twin_);
    neighbors_ = geometry::vertex_neighbors(rest.vertex_count(), triangles_);
    Points points;
    for (const Vec3f& p : rest.positions) points.push_back(p.cast<double>());
    const Points smooth = smoothed(points);
    const std::vector<Mat3d> frame = frames(smooth);
    for (std::size_t v = 0; v < points.size(); ++v)
        offsets_.emplace_back(frame[v].transpose() * (points[v] - smooth[v]));
}

DeltaMush::Points DeltaMush::smoothed(Points points) const {
    Points next = points;
    for (int pass = 0; pass < options_.iterations; ++pass) {
        for (std::size_t v = 0; v < points.size(); ++v) {
            const std::span<const std::uint32_t> around = neighbors_[v];
            if (around.empty()) continue;
            Vec3d mean = Vec3d::Zero();
            for (const std::uint32_t n : around) mean += points[n];
            mean /= static_cast<double>(around.size());
            next[v] = points[v] + options_.strength * (mean - points[v]);
        }
        points.swap(next);
    }
    return points;
}

std::vector<Mat3d> DeltaMush::frames(const Points& points) const {
    Points normals(points.size(), Vec3d::Zero());
    for (const geometry::Triangle& t : triangles_) {
        const Vec3d area = (points[t[1]] - points[t[0]]).cross(points[t[2]] - points[t[0]]);
        for (const std::uint32_t corner : t) normals[corner] += area;
    }
    std::vector<Mat3d> result(points.size(), Mat3d::Identity());
    for (std::size_t v = 0; v < points.size(); ++v) {
        if (neighbors_[v].empty() || normals[v].squaredNorm() == 0) continue;
        const Vec3d normal = normals[v].normalized();
        const Vec3d edge = points[neighbors_[v].front()] - points[v];
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
    Points points;
    for (const Vec3f& p : posed) points.push_back(p.cast<double>());
    const Points smooth = smoothed(points);
    const std::vector<Mat3d> frame = frames(smooth);
    std::vector<Vec3f> result(posed.size());
    for (std::size_t v = 0; v < posed.size(); ++v) {
        const std::uint32_t t = twin_[v];
        result[v] = (smooth[t] + frame[t] * offsets_[t]).cast<float>();
    }
    return result;
}

}  // namespace sinew::deform
