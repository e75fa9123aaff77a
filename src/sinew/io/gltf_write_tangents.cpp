#include "sinew/io/gltf/write.h"

namespace sinew::io::gltf {
namespace {

using math::Vec2f;
using math::Vec3f;
using math::Vec4f;

/// Any unit vector across a normal.
Vec3f across(const Vec3f& normal) {
    int least = 0;
    normal.cwiseAbs().minCoeff(&least);
    return normal.cross(Vec3f(Vec3f::Unit(least))).normalized();
}

}  // namespace

/// Directions in which u and v grow, summed over the triangles around each vertex and made perpendicular to
/// the normal (Lengyel 2001).
std::vector<Vec4f> make_tangents(const geometry::Mesh& mesh, const std::vector<Vec3f>& normals, int uv_set) {
    const std::vector<Vec2f>& uvs = mesh.uvs[static_cast<std::size_t>(uv_set)];
    std::vector<Vec3f> along_u(mesh.positions.size(), Vec3f::Zero());
    std::vector<Vec3f> along_v(mesh.positions.size(), Vec3f::Zero());
    for (const geometry::Triangle& t : mesh.triangles) {
        const Vec3f e1 = mesh.positions[t[1]] - mesh.positions[t[0]],
                    e2 = mesh.positions[t[2]] - mesh.positions[t[0]];
        const Vec2f d1 = uvs[t[1]] - uvs[t[0]], d2 = uvs[t[2]] - uvs[t[0]];
        const float area = d1.x() * d2.y() - d2.x() * d1.y();
        const float sign = area < 0 ? -1.0f : 1.0f;
        for (const std::uint32_t vertex : t) {
            along_u[vertex] += sign * (d2.y() * e1 - d1.y() * e2);
            along_v[vertex] += sign * (d1.x() * e2 - d2.x() * e1);
        }
    }
    std::vector<Vec4f> tangents;
    tangents.reserve(mesh.positions.size());
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
        const Vec3f& normal = normals[v];
        Vec3f tangent = along_u[v] - normal * normal.dot(along_u[v]);
        const float length = tangent.norm();
        tangent = length > 1e-20f && std::isfinite(length) ? Vec3f(tangent / length) : across(normal);
        // v runs downwards in glTF's images, and the bitangent upwards: n x t points against growing v on a
        // plain face.
        const float hand = normal.cross(tangent).dot(along_v[v]) < 0 ? 1.0f : -1.0f;
        tangents.emplace_back(tangent.x(), tangent.y(), tangent.z(), hand);
    }
    return tangents;
}

}  // namespace sinew::io::gltf
