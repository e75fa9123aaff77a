#include "sinew/render/gl/mesh.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace sinew::render {
namespace {

using geometry::Vec3f;

std::array<float, 6> key_of(const geometry::Mesh& mesh, std::uint32_t v) {
    const Vec3f p = mesh.positions[v] + Vec3f::Zero();  // -0 becomes 0
    const Vec3f n = mesh.normals.empty() ? Vec3f(Vec3f::Zero()) : Vec3f(mesh.normals[v] + Vec3f::Zero());
    return {p.x(), p.y(), p.z(), n.x(), n.y(), n.z()};
}

}  // namespace

SmoothNormals::SmoothNormals(const geometry::Mesh& mesh)
    : leader_(mesh.vertex_count()), triangles_(mesh.triangles) {
    std::vector<std::uint32_t> order(mesh.vertex_count());
    std::iota(order.begin(), order.end(), 0U);
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        const auto key_a = key_of(mesh, a);
        const auto key_b = key_of(mesh, b);
        return key_a != key_b ? key_a < key_b : a < b;
    });
    for (std::size_t i = 0; i < order.size(); ++i) {
        const bool same = i > 0 && key_of(mesh, order[i]) == key_of(mesh, order[i - 1]);
        leader_[order[i]] = same ? leader_[order[i - 1]] : order[i];
    }
}

void SmoothNormals::compute(std::span<const Vec3f> positions, std::vector<Vec3f>& normals) const {
    normals.assign(leader_.size(), Vec3f::Zero());
    for (const auto& [a, b, c] : triangles_) {
        const Vec3f face = (positions[b] - positions[a]).cross(positions[c] - positions[a]);
        for (const std::uint32_t v : {a, b, c}) normals[leader_[v]] += face;
    }
    // Leaders come first: each is unit before its followers copy it.
    for (std::size_t v = 0; v < normals.size(); ++v) {
        if (leader_[v] != v) {
            normals[v] = normals[leader_[v]];
            continue;
        }
        const float length = normals[v].norm();
        normals[v] = length > 0 ? Vec3f(normals[v] / length) : Vec3f(Vec3f::Zero());
    }
}

}  // namespace sinew::render
