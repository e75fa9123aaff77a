#include "sinew/geometry/mesh.h"

namespace sinew::geometry {
namespace {

constexpr std::uint32_t none = 0xffffffff;

template <class Value>
void copy_at(const std::vector<Value>& from, std::uint32_t vertex, std::vector<Value>& to) {
    if (!from.empty()) to.push_back(from[vertex]);
}

}  // namespace

MeshCopier::MeshCopier(const Mesh& from, Mesh& to) : from_(from), to_(to), of_(from.vertex_count(), none) {}

void MeshCopier::add(const Triangle& triangle) {
    Triangle corners{};
    for (std::size_t k = 0; k < 3; ++k) corners[k] = vertex(triangle[k]);
    to_.triangles.push_back(corners);
}

std::uint32_t MeshCopier::vertex(std::uint32_t v) {
    if (of_[v] != none) return of_[v];
    of_[v] = static_cast<std::uint32_t>(to_.vertex_count());
    copied_.push_back(v);
    to_.positions.push_back(from_.positions[v]);
    copy_at(from_.normals, v, to_.normals);
    copy_at(from_.tangents, v, to_.tangents);
    copy_at(from_.uvs[0], v, to_.uvs[0]);
    copy_at(from_.uvs[1], v, to_.uvs[1]);
    copy_at(from_.colors, v, to_.colors);
    return of_[v];
}

Mesh without_unused_vertices(const Mesh& mesh) {
    Mesh result;
    result.name = mesh.name;
    result.parts = mesh.parts;
    result.materials = mesh.materials;
    result.images = mesh.images;
    MeshCopier copier(mesh, result);
    for (const Triangle& triangle : mesh.triangles) copier.add(triangle);
    return result;
}

}  // namespace sinew::geometry
