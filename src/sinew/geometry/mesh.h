// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// How a surface looks: the metallic-roughness model of glTF 2.0, with its textures carried as they came.
///
/// \code
/// geometry::Mesh mesh;
/// mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
/// mesh.triangles = {{0, 1, 2}};
/// const float size = geometry::bounds(mesh.positions).diagonal();
/// \endcode

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/math/types.h"

namespace sinew::geometry {

/// An encoded picture (PNG, JPEG, ...), kept byte for byte.
struct Image {
    std::string name;
    std::string mime_type;  ///< "image/png" or "image/jpeg"
    std::vector<std::byte> bytes;
};

enum class Wrap { repeat, clamp, mirror };

/// Use of an image by a material; `image` < 0 means none.
struct Texture {
    int image = -1;
    int uv_set = 0;
    Wrap wrap_u = Wrap::repeat;
    Wrap wrap_v = Wrap::repeat;
    bool nearest = false;  ///< no filtering, for pixel art
    bool used() const { return image >= 0; }
    bool operator==(const Texture&) const = default;
};

enum class AlphaMode { opaque, mask, blend };

struct Material {
    std::string name;
    math::Vec4f base_color = math::Vec4f::Ones();  ///< linear RGBA
    math::Vec3f emissive = math::Vec3f::Zero();
    float metallic = 0;
    float roughness = 0.8f;
    float normal_scale = 1;
    float occlusion_strength = 1;
    float alpha_cutoff = 0.5f;
    AlphaMode alpha_mode = AlphaMode::opaque;
    bool double_sided = false;
    Texture base_color_texture;
    Texture metallic_roughness_texture;
    Texture normal_texture;
    Texture occlusion_texture;
    Texture emissive_texture;
};

using math::Vec2f;
using math::Vec3d;
using math::Vec3f;
using math::Vec4f;

using Triangle = std::array<std::uint32_t, 3>;

/// A named run of triangles with one material. Parts follow each other and cover all triangles; neighbours
/// with the same name are one object that has several materials.
struct Part {
    std::string name;
    std::uint32_t first = 0;  ///< first triangle
    std::uint32_t count = 0;
    int material = -1;
};

/// A shape that is added to the rest positions with a weight: deltas for the vertices from `first` on.
struct Morph {
    std::string name;
    std::uint32_t first = 0;
    std::vector<Vec3f> positions;
    std::vector<Vec3f> normals;  ///< empty, or as many as positions
    float weight = 0;            ///< at rest
};

/// Vertices are what the file gave: a vertex split by a seam in uvs or normals stays split, and `weld_map` of
/// adjacency.h finds the twins when the connected surface is needed.
struct Mesh {
    std::string name;
    std::vector<Vec3f> positions;
    std::vector<Vec3f> normals;             ///< unit, one per vertex, or empty
    std::vector<Vec4f> tangents;            ///< xyz and handedness, or empty
    std::array<std::vector<Vec2f>, 2> uvs;  ///< (0,0) is the upper left corner, as in glTF; each may be empty
    std::vector<Vec4f> colors;              ///< linear RGBA per vertex, or empty
    std::vector<Triangle> triangles;
    std::vector<Part> parts;  ///< empty means one part without name or material
    std::vector<Material> materials;
    std::vector<Image> images;
    std::vector<Morph> morphs;

    bool empty() const { return positions.empty(); }
    std::size_t vertex_count() const { return positions.size(); }
};

/// Axis-aligned box; empty when `low` exceeds `high`.
struct Box {
    Vec3f low = Vec3f::Constant(std::numeric_limits<float>::max());
    Vec3f high = Vec3f::Constant(std::numeric_limits<float>::lowest());

    void include(const Vec3f& point) {
        low = low.cwiseMin(point);
        high = high.cwiseMax(point);
    }
    bool empty() const { return (low.array() > high.array()).any(); }
    Vec3f center() const { return empty() ? Vec3f(Vec3f::Zero()) : Vec3f((low + high) / 2); }
    Vec3f size() const { return empty() ? Vec3f(Vec3f::Zero()) : Vec3f(high - low); }
    float diagonal() const { return size().norm(); }
};

Box bounds(const std::vector<Vec3f>& points);

/// The parts, or one part for a mesh without parts.
std::vector<Part> parts_of(const Mesh& mesh);

/// Area- and angle-independent smooth normals: sum of the face normals weighted by area (the cross products),
/// unit; vertices at the same position share theirs when `weld` is set, so that seams stay invisible.
std::vector<Vec3f> vertex_normals(const std::vector<Vec3f>& positions, const std::vector<Triangle>& triangles,
                                  bool weld = true);

/// Signed volume enclosed by the triangles (sum of tetrahedra with the centre of the box).
double signed_volume(const std::vector<Vec3f>& positions, const std::vector<Triangle>& triangles);

/// Appends `other` behind `mesh`: vertices, triangles, parts, materials, images and morphs.
void append(Mesh& mesh, const Mesh& other);

/// Checks every invariant: indices in range, arrays of equal length, finite positions, parts in order.
/// \throws Error with `location` and the first defect.
void validate(const Mesh& mesh, std::string_view location);

/// Copies triangles behind those of another mesh; a vertex comes along with the first triangle that uses it.
/// Parts, materials and morphs are the caller's.
class MeshCopier {
  public:
    /// Both must outlive the copier.
    MeshCopier(const Mesh& from, Mesh& to);

    void add(const Triangle& triangle);

    /// The vertices that came along, in their order.
    const std::vector<std::uint32_t>& copied() const { return copied_; }

  private:
    std::uint32_t vertex(std::uint32_t v);

    const Mesh& from_;
    Mesh& to_;
    std::vector<std::uint32_t> of_;  ///< where each vertex went
    std::vector<std::uint32_t> copied_;
};

/// The mesh without vertices that no triangle uses, the others in the order of their first use. Morphs, which
/// belong to the vertices as they were, are left out.
Mesh without_unused_vertices(const Mesh& mesh);

}  // namespace sinew::geometry
