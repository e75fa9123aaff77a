// SPDX-License-Identifier: MIT
#include "sinew/geometry/mesh.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/geometry/topology.h"

namespace sinew::geometry {
namespace {

/// Attribute arrays are empty or have one entry per vertex: when only one mesh has them, the other gets
/// `filler`.
template <class Value>
void append_attribute(std::vector<Value>& to, const std::vector<Value>& from, std::size_t before,
                      std::size_t added, const Value& filler) {
    if (to.empty() && from.empty()) return;
    to.resize(before, filler);
    if (from.empty()) {
        to.resize(before + added, filler);
    } else {
        to.insert(to.end(), from.begin(), from.end());
    }
}

void shift_texture(Texture& texture, int images) {
    if (texture.used()) texture.image += images;
}

void append_materials(Mesh& mesh, const Mesh& other) {
    const int images = static_cast<int>(mesh.images.size());
    for (Material material : other.materials) {
        for (Texture* texture :
             {&material.base_color_texture, &material.metallic_roughness_texture, &material.normal_texture,
              &material.occlusion_texture, &material.emissive_texture}) {
            shift_texture(*texture, images);
        }
        mesh.materials.push_back(std::move(material));
    }
    mesh.images.insert(mesh.images.end(), other.images.begin(), other.images.end());
}

template <class Value>
void check_size(const std::vector<Value>& values, std::size_t vertices, std::string_view what,
                std::string_view location) {
    if (!values.empty() && values.size() != vertices) {
        fail(location, "{} {} for {} vertices", values.size(), what, vertices);
    }
}

void check_parts(const Mesh& mesh, std::string_view location) {
    std::size_t next = 0;
    for (const Part& part : mesh.parts) {
        if (part.first != next)
            fail(location, "part \"{}\" starts at triangle {}, expected {}", part.name, part.first, next);
        next += part.count;
        if (part.material < -1 || part.material >= static_cast<int>(mesh.materials.size())) {
            fail(location, "part \"{}\" names material {} of {}", part.name, part.material,
                 mesh.materials.size());
        }
    }
    if (!mesh.parts.empty() && next != mesh.triangles.size()) {
        fail(location, "parts cover {} of {} triangles", next, mesh.triangles.size());
    }
}

void check_materials(const Mesh& mesh, std::string_view location) {
    for (const Material& material : mesh.materials) {
        for (const Texture* texture :
             {&material.base_color_texture, &material.metallic_roughness_texture, &material.normal_texture,
              &material.occlusion_texture, &material.emissive_texture}) {
            if (texture->image >= static_cast<int>(mesh.images.size())) {
                fail(location, "material \"{}\" names image {} of {}", material.name, texture->image,
                     mesh.images.size());
            }
        }
    }
}

void check_morphs(const Mesh& mesh, std::string_view location) {
    for (const Morph& morph : mesh.morphs) {
        if (std::size_t{morph.first} + morph.positions.size() > mesh.positions.size()) {
            fail(location, "morph \"{}\" reaches beyond the {} vertices", morph.name, mesh.positions.size());
        }
        check_size(morph.normals, morph.positions.size(), "morph normals", location);
        const auto finite = [](const Vec3f& delta) { return delta.allFinite(); };
        if (!std::isfinite(morph.weight) || !std::ranges::all_of(morph.positions, finite) ||
            !std::ranges::all_of(morph.normals, finite)) {
            fail(location, "morph \"{}\" has a number that is not finite", morph.name);
        }
    }
}

}  // namespace

Box bounds(const std::vector<Vec3f>& points) {
    Box box;
    for (const Vec3f& point : points) box.include(point);
    return box;
}

std::vector<Part> parts_of(const Mesh& mesh) {
    if (!mesh.parts.empty()) return mesh.parts;
    return {
        {mesh.name, 0, static_cast<std::uint32_t>(mesh.triangles.size()), mesh.materials.empty() ? -1 : 0}};
}

std::vector<Vec3f> vertex_normals(const std::vector<Vec3f>& positions, const std::vector<Triangle>& triangles,
                                  bool weld) {
    std::vector<std::uint32_t> map;
    if (weld) map = weld_map(positions);
    const auto home = [&](std::uint32_t vertex) { return weld ? map[vertex] : vertex; };
    std::vector<Vec3d> sums(positions.size(), Vec3d::Zero());
    for (const Triangle& t : triangles) {
        const Vec3d a = positions[t[0]].cast<double>();
        const Vec3d normal = (positions[t[1]].cast<double>() - a).cross(positions[t[2]].cast<double>() - a);
        for (const std::uint32_t vertex : t) sums[home(vertex)] += normal;
    }
    std::vector<Vec3f> normals(positions.size());
    for (std::uint32_t v = 0; v < positions.size(); ++v) {
        const Vec3d& sum = sums[home(v)];
        const double length = sum.norm();
        normals[v] = length > 0 ? Vec3f((sum / length).cast<float>()) : Vec3f(Vec3f::UnitY());
    }
    return normals;
}

double signed_volume(const std::vector<Vec3f>& positions, const std::vector<Triangle>& triangles) {
    const Vec3d center = bounds(positions).center().cast<double>();
    double sum = 0;
    for (const Triangle& t : triangles) {
        const Vec3d a = positions[t[0]].cast<double>() - center;
        const Vec3d b = positions[t[1]].cast<double>() - center;
        const Vec3d c = positions[t[2]].cast<double>() - center;
        sum += a.dot(b.cross(c));
    }
    return sum / 6;
}

void append(Mesh& mesh, const Mesh& other) {
    const auto vertices = static_cast<std::uint32_t>(mesh.positions.size());
    const auto triangles = static_cast<std::uint32_t>(mesh.triangles.size());
    const int materials = static_cast<int>(mesh.materials.size());
    const std::size_t added = other.positions.size();
    if (triangles > 0 && !other.triangles.empty()) mesh.parts = parts_of(mesh);

    append_attribute(mesh.normals, other.normals, vertices, added, Vec3f(Vec3f::UnitY()));
    append_attribute(mesh.tangents, other.tangents, vertices, added, Vec4f(1, 0, 0, 1));
    append_attribute(mesh.colors, other.colors, vertices, added, Vec4f(Vec4f::Ones()));
    for (std::size_t set = 0; set < mesh.uvs.size(); ++set) {
        append_attribute(mesh.uvs[set], other.uvs[set], vertices, added, Vec2f(Vec2f::Zero()));
    }
    mesh.positions.insert(mesh.positions.end(), other.positions.begin(), other.positions.end());
    mesh.triangles.reserve(mesh.triangles.size() + other.triangles.size());
    for (const Triangle& t : other.triangles) {
        mesh.triangles.push_back({t[0] + vertices, t[1] + vertices, t[2] + vertices});
    }
    if (!other.triangles.empty()) {
        for (Part part : parts_of(other)) {
            part.first += triangles;
            if (part.material >= 0) part.material += materials;
            mesh.parts.push_back(std::move(part));
        }
    }
    append_materials(mesh, other);
    for (Morph morph : other.morphs) {
        morph.first += vertices;
        mesh.morphs.push_back(std::move(morph));
    }
}

void validate(const Mesh& mesh, std::string_view location) {
    const std::size_t count = mesh.positions.size();
    check_size(mesh.normals, count, "normals", location);
    check_size(mesh.tangents, count, "tangents", location);
    check_size(mesh.colors, count, "colours", location);
    for (const auto& uvs : mesh.uvs) check_size(uvs, count, "texture coordinates", location);
    for (std::size_t v = 0; v < count; ++v) {
        if (!mesh.positions[v].allFinite())
            fail(location, "vertex {} has a position that is not a finite number", v);
    }
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        for (const std::uint32_t vertex : mesh.triangles[t]) {
            if (vertex >= count) fail(location, "triangle {} names vertex {} of {}", t, vertex, count);
        }
    }
    check_parts(mesh, location);
    check_materials(mesh, location);
    check_morphs(mesh, location);
}

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
