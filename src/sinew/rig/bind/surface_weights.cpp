#include "sinew/rig/bind/surface_weights.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/base/parallel.h"

namespace sinew::rig {
namespace {

using math::Vec3f;

/// Parts of a triangle's corners in a point of it (Ericson 2005, 3.4); thirds when it has no area.
Vec3d corner_parts(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& point) {
    const Vec3d u = b - a, v = c - a, w = point - a;
    const double uu = u.dot(u), uv = u.dot(v), vv = v.dot(v), wu = w.dot(u), wv = w.dot(v);
    const double area = uu * vv - uv * uv;
    if (!(area > 1e-300)) return Vec3d::Constant(1.0 / 3);
    Vec3d parts(0, (vv * wu - uv * wv) / area, (uu * wv - uv * wu) / area);
    parts[0] = 1 - parts[1] - parts[2];
    parts = parts.cwiseMax(0);
    return parts / parts.sum();
}

void add(WeightRow& sum, std::span<const JointWeight> row, double factor) {
    for (const JointWeight& entry : row) sum.push_back({entry.joint, factor * entry.weight});
}

WeightRow exchanged(WeightRow row, const std::vector<int>& twin) {
    for (JointWeight& entry : row) {
        const int other = twin[static_cast<std::size_t>(entry.joint)];
        if (other >= 0) entry.joint = other;
    }
    return row;
}

}  // namespace

SurfaceWeights::SurfaceWeights(const geometry::Mesh& mesh, const WeightTable& table)
    : mesh_(mesh), table_(table), queries_(mesh) {
    if (mesh.triangles.empty()) fail("weights", "a mesh without triangles has no weights to give");
    if (table.size() != mesh.vertex_count())
        fail("weights", "{} rows of weights for {} vertices", table.size(), mesh.vertex_count());
    for (const auto& t : mesh.triangles) {
        const Vec3f &a = mesh.positions[t[0]], &b = mesh.positions[t[1]], &c = mesh.positions[t[2]];
        normals_.push_back((b - a).cross(c - a).stableNormalized());
    }
    reach_ = 0.05 * geometry::bounds(mesh.positions).diagonal();
}

WeightRow SurfaceWeights::on(std::uint32_t triangle, const Vec3d& point) const {
    const auto& corners = mesh_.triangles[triangle];
    std::array<Vec3d, 3> place;
    for (std::size_t k = 0; k < 3; ++k) place[k] = mesh_.positions[corners[k]].cast<double>();
    const Vec3d parts = corner_parts(place[0], place[1], place[2], point);
    WeightRow sum;
    for (int k = 0; k < 3; ++k) add(sum, table_[corners[static_cast<std::size_t>(k)]], parts[k]);
    return sum;
}

/// The nearest of what lies before and behind the point along its normal and faces the same way.
std::uint32_t SurfaceWeights::facing_triangle(const Vec3d& point, const Vec3d& normal) const {
    const auto nearest = queries_.nearest(point.cast<float>());
    const Vec3f n = normal.cast<float>();
    if (normals_[nearest->triangle].dot(n) > 0) return nearest->triangle;
    std::uint32_t best = nearest->triangle;
    float least = static_cast<float>(reach_);
    std::vector<geometry::RayHit> hits;
    for (const float sign : {1.0f, -1.0f}) {
        queries_.all_hits(point.cast<float>(), sign * n, hits);
        for (const geometry::RayHit& hit : hits) {
            if (hit.distance >= least || normals_[hit.triangle].dot(n) <= 0) continue;
            least = hit.distance;
            best = hit.triangle;
        }
    }
    return best;
}

WeightRow SurfaceWeights::at(const Vec3d& point, const Vec3d* normal) const {
    const std::uint32_t triangle = normal != nullptr && normal->norm() > 0
                                       ? facing_triangle(point, *normal)
                                       : queries_.nearest(point.cast<float>())->triangle;
    const auto& t = mesh_.triangles[triangle];
    const Vec3f place = geometry::nearest_on_triangle(point.cast<float>(), mesh_.positions[t[0]],
                                                      mesh_.positions[t[1]], mesh_.positions[t[2]]);
    return on(triangle, place.cast<double>());
}

WeightTable transfer_weights(const geometry::Mesh& from, const WeightTable& weights,
                             const geometry::Mesh& to) {
    const SurfaceWeights source(from, weights);
    const std::vector<Vec3f> normals = geometry::vertex_normals(to.positions, to.triangles);
    std::vector<WeightRow> rows(to.vertex_count());
    parallel_for(rows.size(), 256, [&](std::size_t v) {
        const Vec3d normal = normals[v].cast<double>();
        rows[v] = source.at(to.positions[v].cast<double>(), &normal);
    });
    WeightTable table = table_from(rows);
    normalize(table);
    return table;
}

WeightTable mirror_weights(const geometry::Mesh& mesh, const WeightTable& weights, const MirrorPlane& plane,
                           const std::vector<int>& twin, bool from_positive, double middle) {
    const SurfaceWeights source(mesh, weights);
    const double width = middle * geometry::bounds(mesh.positions).diagonal();
    std::vector<WeightRow> rows(mesh.vertex_count());
    parallel_for(rows.size(), 256, [&](std::size_t v) {
        const Vec3d point = mesh.positions[v].cast<double>();
        const double side = from_positive ? plane.side(point) : -plane.side(point);
        const WeightRow own(weights[v].begin(), weights[v].end());
        if (side > width) {
            rows[v] = own;
        } else if (side < -width) {
            rows[v] = exchanged(source.at(plane.reflect(point)), twin);
        } else {
            rows[v] = own;
            add(rows[v], exchanged(own, twin), 1);
        }
    });
    WeightTable table = table_from(rows);
    normalize(table);
    return table;
}

}  // namespace sinew::rig
