// SPDX-License-Identifier: MIT
#include "sinew/render/gl/mesh.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "sinew/base/array.h"
#include "sinew/base/error.h"
#include "sinew/geometry/topology.h"
#include "sinew/render/renderer.h"

namespace sinew::render::gl {
namespace {

using geometry::Triangle;
using math::Vec3d;
using math::Vec3f;

/// Six times the signed volume of the tetrahedron from `center` to a triangle.
double volume(std::span<const Vec3f> positions, const Triangle& t, const Vec3d& center) {
    const Vec3d a = positions[t[0]].cast<double>() - center;
    const Vec3d b = positions[t[1]].cast<double>() - center;
    const Vec3d c = positions[t[2]].cast<double>() - center;
    return a.dot(b.cross(c));
}

bool is_degenerate(const Triangle& t) {
    return t[0] == t[1] || t[1] == t[2] || t[2] == t[0];
}

/// True when every directed edge and its opposite occur exactly once.
bool is_closed(const std::vector<Triangle>& triangles) {
    std::vector<std::uint64_t> edges;
    edges.reserve(triangles.size() * 3);
    for (const Triangle& t : triangles)
        for (std::size_t i = 0; i < 3 && !is_degenerate(t); ++i)
            edges.push_back(std::uint64_t{t[i]} << 32 | t[(i + 1) % 3]);
    std::sort(edges.begin(), edges.end());
    if (edges.empty() || std::adjacent_find(edges.begin(), edges.end()) != edges.end()) return false;
    return std::all_of(edges.begin(), edges.end(), [&](std::uint64_t edge) {
        return std::binary_search(edges.begin(), edges.end(), edge << 32 | edge >> 32);
    });
}

/// Lowest vertex index of the shell of each vertex.
std::vector<std::uint32_t> shells(std::size_t vertex_count, const std::vector<Triangle>& triangles) {
    std::vector<std::uint32_t> parent(vertex_count);
    std::iota(parent.begin(), parent.end(), 0U);
    const auto find = [&](std::uint32_t v) {
        while (parent[v] != v) v = parent[v] = parent[parent[v]];
        return v;
    };
    for (const Triangle& t : triangles)
        for (const std::uint32_t other : {t[1], t[2]}) {
            const std::uint32_t a = find(t[0]);
            const std::uint32_t b = find(other);
            parent[std::max(a, b)] = std::min(a, b);
        }
    for (std::uint32_t v = 0; v < vertex_count; ++v) parent[v] = find(v);
    return parent;
}

}  // namespace

Facing facing_of(const geometry::Mesh& mesh) {
    const std::vector<Triangle> triangles =
        geometry::welded(mesh.triangles, geometry::weld_map(mesh.positions));
    if (!is_closed(triangles)) return Facing::any;
    const std::vector<std::uint32_t> shell = shells(mesh.vertex_count(), triangles);
    const Vec3d center = geometry::bounds(mesh.positions).center().cast<double>();
    std::vector<double> volumes(mesh.vertex_count());
    for (const Triangle& t : triangles) volumes[shell[t[0]]] += volume(mesh.positions, t, center);
    const auto [low, high] = std::minmax_element(volumes.begin(), volumes.end());
    if (*low >= 0 && *high > 0) return Facing::outward;
    return *high <= 0 && *low < 0 ? Facing::inward : Facing::any;
}

bool is_inside_out(std::span<const Vec3f> positions, std::span<const Triangle> triangles) {
    if (positions.empty()) return false;
    const Vec3d center = positions[0].cast<double>();
    double sum = 0;
    for (const Triangle& t : triangles) sum += volume(positions, t, center);
    return sum < 0;
}

namespace {

using math::Vec3f;

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
    // Leaders come first: each is normalised before its followers copy it.
    for (std::size_t v = 0; v < normals.size(); ++v) {
        if (leader_[v] != v) {
            normals[v] = normals[leader_[v]];
            continue;
        }
        const float length = normals[v].norm();
        normals[v] = length > 0 ? Vec3f(normals[v] / length) : Vec3f(Vec3f::Zero());
    }
}

namespace {

using math::Vec3f;

enum Attribute : GLuint {
    attribute_position,
    attribute_normal,
    attribute_uv0,
    attribute_uv1,
    attribute_color
};

template <class Vector>
Buffer upload_attribute(Attribute location, const std::vector<Vector>& values, GLenum usage) {
    return gl::upload_attribute(location, std::span<const Vector>(values), {Vector::RowsAtCompileTime},
                                usage);
}

geometry::Box finite_bounds(std::span<const Vec3f> points) {
    geometry::Box box;
    for (const Vec3f& point : points)
        if (point.allFinite()) box.include(point);
    return box;
}

void check_mesh(const geometry::Mesh& mesh) {
    const std::size_t count = mesh.vertex_count();
    for (const geometry::Triangle& triangle : mesh.triangles)
        for (const std::uint32_t v : triangle)
            if (v >= count) fail(mesh.name, "a triangle refers to vertex {}, but there are {}", v, count);
    if (mesh.triangles.size() > 0x7fffffffU / 3)
        fail(mesh.name, "too many triangles to draw: {}", mesh.triangles.size());
    const auto fits = [&](std::size_t size) { return size == 0 || size == count; };
    if (!fits(mesh.normals.size()) || !fits(mesh.uvs[0].size()) || !fits(mesh.uvs[1].size()) ||
        !fits(mesh.colors.size()))
        fail(mesh.name, "the number of normals, uvs or colours differs from the {} vertices", count);
}

GLint wrap_mode(geometry::Wrap wrap) {
    switch (wrap) {
        case geometry::Wrap::clamp:
            return GL_CLAMP_TO_EDGE;
        case geometry::Wrap::mirror:
            return GL_MIRRORED_REPEAT;
        case geometry::Wrap::repeat:
            break;
    }
    return GL_REPEAT;
}

Texture upload_image(const Picture& picture) {
    Texture texture = make_texture();
    bind_texture(unit_base_color, GL_TEXTURE_2D, texture);
    // The first row is at t = 0: uv (0, 0) is the upper left corner, as in glTF.
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_SRGB8_ALPHA8, picture.width, picture.height, 0, GL_RGBA,
                 GL_UNSIGNED_BYTE, picture.pixels.data());
    glGenerateMipmap(GL_TEXTURE_2D);
    return texture;
}

void bind_image(const Texture& texture, const geometry::Texture& use) {
    bind_texture(unit_base_color, GL_TEXTURE_2D, texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, wrap_mode(use.wrap_u));
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, wrap_mode(use.wrap_v));
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, use.nearest ? GL_NEAREST : GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, use.nearest ? GL_NEAREST : GL_LINEAR_MIPMAP_LINEAR);
}

/// Default material of a part: light clay.
geometry::Material clay() {
    geometry::Material material;
    material.base_color = {0.36f, 0.375f, 0.40f, 1};
    material.roughness = 0.55f;
    return material;
}

geometry::Material one_color(const math::Vec4f& color) {
    geometry::Material material;
    material.base_color = color;
    material.roughness = 0.6f;
    if (color.w() < 1) material.alpha_mode = geometry::AlphaMode::blend;
    return material;
}

}  // namespace

GpuMesh::GpuMesh(const geometry::Mesh& mesh, Monitor& monitor)
    : vertex_count_(mesh.vertex_count()), vertices_(make_vertex_array()) {
    check_mesh(mesh);
    facing_ = rest_facing_ = facing_of(mesh);
    if (facing_ != Facing::any) triangles_ = mesh.triangles;
    glBindVertexArray(vertices_.id());
    upload_vertices(mesh);
    upload_parts(mesh);
    upload_images(mesh, monitor);
    materials_ = mesh.materials;
    for (geometry::Material& material : materials_) drop_unusable_texture(material, mesh, monitor);
    materials_.push_back(clay());
    if (mesh.colors.size() == vertex_count_ && vertex_count_ > 0) materials_.back().base_color.setOnes();
    glBindVertexArray(0);
    check_errors("uploading a mesh");
}

void GpuMesh::upload_vertices(const geometry::Mesh& mesh) {
    positions_ = upload_attribute(attribute_position, mesh.positions, GL_DYNAMIC_DRAW);
    bounds_ = finite_bounds(mesh.positions);
    smooth_.emplace(mesh);
    if (mesh.normals.empty()) {
        smooth_->compute(mesh.positions, normal_scratch_);
        normals_ = upload_attribute(attribute_normal, normal_scratch_, GL_DYNAMIC_DRAW);
    } else {
        normals_ = upload_attribute(attribute_normal, mesh.normals, GL_DYNAMIC_DRAW);
    }
    for (std::size_t set = 0; set < mesh.uvs.size(); ++set)
        if (!mesh.uvs[set].empty())
            uvs_.push_back(
                upload_attribute(set == 0 ? attribute_uv0 : attribute_uv1, mesh.uvs[set], GL_STATIC_DRAW));
    if (!mesh.colors.empty()) mesh_colors_ = upload_attribute(attribute_color, mesh.colors, GL_STATIC_DRAW);
    indices_ = make_buffer();
    upload(GL_ELEMENT_ARRAY_BUFFER, indices_, std::span<const geometry::Triangle>(mesh.triangles),
           GL_STATIC_DRAW);
}

void GpuMesh::upload_parts(const geometry::Mesh& mesh) {
    for (const geometry::Part& part : geometry::parts_of(mesh)) {
        if (part.first > mesh.triangles.size() || part.count > mesh.triangles.size() - part.first)
            fail(mesh.name, "part \"{}\" refers to triangles that do not exist", part.name);
        geometry::Box box;
        for (std::size_t t = part.first; t < part.first + part.count; ++t)
            for (const std::uint32_t v : mesh.triangles[t]) box.include(mesh.positions[v]);
        const bool known =
            part.material >= 0 && static_cast<std::size_t>(part.material) < mesh.materials.size();
        const int material = known ? part.material : static_cast<int>(mesh.materials.size());
        parts_.push_back({static_cast<GLsizei>(part.first * 3), static_cast<GLsizei>(part.count * 3),
                          material, box.center()});
    }
}

void GpuMesh::upload_images(const geometry::Mesh& mesh, Monitor& monitor) {
    images_.resize(mesh.images.size());
    for (const geometry::Material& material : mesh.materials) {
        const int image = material.base_color_texture.image;
        if (image < 0 || static_cast<std::size_t>(image) >= images_.size()) continue;
        Texture& texture = images_[at(image)];
        if (texture) continue;
        const geometry::Image& source = mesh.images[at(image)];
        try {
            texture = upload_image(
                decode_picture(source.bytes, fmt::format("image {} \"{}\"", image, source.name)));
        } catch (const Error& error) {
            warn(monitor, "texture-unreadable", "{}; drawn without it", error.what());
        }
    }
}

void GpuMesh::drop_unusable_texture(geometry::Material& material, const geometry::Mesh& mesh,
                                    Monitor& monitor) const {
    geometry::Texture& use = material.base_color_texture;
    if (!use.used()) return;
    const auto image = static_cast<std::size_t>(use.image);
    const bool has_uvs = use.uv_set >= 0 && use.uv_set < 2 && !mesh.uvs[at(use.uv_set)].empty();
    if (!has_uvs)
        warn(monitor, "texture-without-uvs", "material \"{}\" has a texture, but the mesh has no uv set {}",
             material.name, use.uv_set);
    if (!has_uvs || image >= images_.size() || !images_[image]) use.image = -1;
}

void GpuMesh::update(const Drawable& drawable) {
    const auto check = [&](std::size_t size, const char* what) {
        if (size != 0 && size != vertex_count_)
            fail("", "{} {} for a mesh of {} vertices", size, what, vertex_count_);
    };
    check(drawable.positions.size(), "positions");
    check(drawable.normals.size(), "normals");
    check(drawable.colors.size(), "colours");
    if (!drawable.positions.empty()) {
        upload(GL_ARRAY_BUFFER, positions_, drawable.positions, GL_DYNAMIC_DRAW);
        bounds_ = finite_bounds(drawable.positions);
        if (rest_facing_ != Facing::any)
            facing_ = is_inside_out(drawable.positions, triangles_) ? Facing::inward : Facing::outward;
        if (drawable.normals.empty()) {
            smooth_->compute(drawable.positions, normal_scratch_);
            upload(GL_ARRAY_BUFFER, normals_, std::span<const Vec3f>(normal_scratch_), GL_DYNAMIC_DRAW);
        }
    }
    if (!drawable.normals.empty()) upload(GL_ARRAY_BUFFER, normals_, drawable.normals, GL_DYNAMIC_DRAW);
    if (!drawable.colors.empty()) {
        if (!data_colors_) data_colors_ = make_buffer();
        upload(GL_ARRAY_BUFFER, data_colors_, drawable.colors, GL_DYNAMIC_DRAW);
    }
}

void GpuMesh::bind_colors(Surface surface) const {
    const Buffer* source = surface == Surface::material ? &mesh_colors_ : &data_colors_;
    if (surface == Surface::plain || !*source) {
        glDisableVertexAttribArray(attribute_color);
        glVertexAttrib4f(attribute_color, 1, 1, 1, 1);
        return;
    }
    glBindBuffer(GL_ARRAY_BUFFER, source->id());
    glEnableVertexAttribArray(attribute_color);
    glVertexAttribPointer(attribute_color, 4, GL_FLOAT, GL_FALSE, 0, nullptr);
}

void GpuMesh::use_material(const Program& program, const Drawable& drawable, int index) const {
    const geometry::Material material =
        drawable.surface == Surface::material
            ? materials_[at(index)]
            : one_color(drawable.surface == Surface::plain ? drawable.color : math::Vec4f::Ones());
    const geometry::Texture& use = material.base_color_texture;
    if (use.used()) bind_image(images_[at(use.image)], use);
    program.set("textured", use.used() ? 1 : 0);
    program.set("uv_set", use.uv_set);
    program.set("base_color", material.base_color);
    program.set("emissive", material.emissive_texture.used() ? Vec3f(Vec3f::Zero()) : material.emissive);
    program.set("metallic", material.metallic);
    program.set("roughness", material.roughness);
    program.set("alpha_mode", static_cast<int>(material.alpha_mode));
    program.set("alpha_cutoff",
                material.alpha_mode == geometry::AlphaMode::blend ? 0.5f : material.alpha_cutoff);
}

bool GpuMesh::is_blended(const Part& part, const Drawable& drawable) const {
    if (drawable.surface == Surface::plain) return drawable.color.w() < 1;
    return drawable.surface == Surface::material &&
           materials_[at(part.material)].alpha_mode == geometry::AlphaMode::blend;
}

/// Of a closed, opaque part the triangles that face away are hidden by the others and are skipped.
void GpuMesh::choose_sides(const Part& part, const Drawable& drawable) const {
    const bool solid = drawable.surface != Surface::material ||
                       materials_[at(part.material)].alpha_mode == geometry::AlphaMode::opaque;
    if (facing_ == Facing::any || !solid) {
        glDisable(GL_CULL_FACE);
        return;
    }
    glEnable(GL_CULL_FACE);
    glCullFace(facing_ == Facing::outward ? GL_BACK : GL_FRONT);
}

void GpuMesh::draw(const Program& program, const Drawable& drawable, Pick pick, const Vec3f& backward) const {
    std::vector<const Part*> chosen;
    for (const Part& part : parts_)
        if (pick == Pick::all || is_blended(part, drawable) == (pick == Pick::blended))
            chosen.push_back(&part);
    if (chosen.empty()) return;
    if (pick == Pick::blended)
        std::stable_sort(chosen.begin(), chosen.end(), [&](const Part* a, const Part* b) {
            return a->center.dot(backward) < b->center.dot(backward);
        });
    glBindVertexArray(vertices_.id());
    bind_colors(drawable.surface);
    const GLenum mode = drawable.fill == Fill::points ? GL_POINTS : GL_TRIANGLES;
    if (mode == GL_POINTS) glPointSize(drawable.point_size);
    for (const Part* part : chosen) {
        use_material(program, drawable, part->material);
        if (pick != Pick::blended) choose_sides(*part, drawable);
        const auto* offset = reinterpret_cast<const void*>(static_cast<std::uintptr_t>(part->first) * 4);
        glDrawElements(mode, part->count, GL_UNSIGNED_INT, offset);
    }
    glBindVertexArray(0);
    if (pick != Pick::blended) glDisable(GL_CULL_FACE);
}

}  // namespace sinew::render::gl
