// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Triangle meshes with materials (the metallic-roughness model of glTF 2.0), textures and morph targets.
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

/// An encoded image (PNG, JPEG, ...), kept byte for byte.
struct Image {
    std::string name;
    std::string mime_type;  ///< "image/png" or "image/jpeg"
    std::vector<std::byte> bytes;
};

enum class Wrap { repeat, clamp, mirror };

/// Use of an image by a material; `image` < 0 means no texture.
struct Texture {
    int image = -1;
    int uv_set = 0;
    Wrap wrap_u = Wrap::repeat;
    Wrap wrap_v = Wrap::repeat;
    bool nearest = false;  ///< nearest-neighbour sampling, for pixel art
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

/// A named range of triangles with one material. Parts are consecutive and cover all triangles. Consecutive
/// parts with the same name are one object with several materials.
struct Part {
    std::string name;
    std::uint32_t first = 0;  ///< index of the first triangle
    std::uint32_t count = 0;
    int material = -1;
};

/// A morph target: deltas that are added to the rest positions, scaled by a weight. They apply to the
/// vertices from `first` on.
struct Morph {
    std::string name;
    std::uint32_t first = 0;
    std::vector<Vec3f> positions;
    std::vector<Vec3f> normals;  ///< empty, or the same number as positions
    float weight = 0;            ///< initial weight
};

/// A triangle mesh. Vertices are those of the file: a vertex split at a seam of uvs or normals stays split.
/// Use `weld_map` of topology.h where the connected surface is needed.
struct Mesh {
    std::string name;
    std::vector<Vec3f> positions;
    std::vector<Vec3f> normals;   ///< unit length, one per vertex; may be empty
    std::vector<Vec4f> tangents;  ///< xyz and handedness, one per vertex; may be empty
    std::array<std::vector<Vec2f>, 2>
        uvs;  ///< texture coordinates, (0,0) is the upper left corner as in glTF; each set may be empty
    std::vector<Vec4f> colors;  ///< linear RGBA per vertex; may be empty
    std::vector<Triangle> triangles;
    std::vector<Part> parts;  ///< empty means one part without a name or material
    std::vector<Material> materials;
    std::vector<Image> images;
    std::vector<Morph> morphs;

    bool empty() const { return positions.empty(); }
    std::size_t vertex_count() const { return positions.size(); }
};

/// Axis-aligned box; empty when `low` exceeds `high` on some axis.
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

/// Smooth vertex normals of unit length: the sum of the adjacent face normals, weighted by face area. With
/// `weld`, vertices at the same position share one normal, so that seams stay invisible.
std::vector<Vec3f> vertex_normals(const std::vector<Vec3f>& positions, const std::vector<Triangle>& triangles,
                                  bool weld = true);

/// Signed volume enclosed by the triangles: a sum over tetrahedra with the centre of the bounding box.
double signed_volume(const std::vector<Vec3f>& positions, const std::vector<Triangle>& triangles);

/// Appends vertices, triangles, parts, materials, images and morphs of `other` to `mesh`.
void append(Mesh& mesh, const Mesh& other);

/// Checks all invariants: indices in range, arrays of equal length, finite positions, parts in order.
/// \throws Error with `location` and the first defect
void validate(const Mesh& mesh, std::string_view location);

/// Appends single triangles of one mesh to another. A vertex is copied with the first triangle that uses it.
/// Parts, materials and morphs are left to the caller.
class MeshCopier {
  public:
    /// Both must outlive the copier.
    MeshCopier(const Mesh& from, Mesh& to);

    void add(const Triangle& triangle);

    /// The copied vertices (indices into `from`), in copy order.
    const std::vector<std::uint32_t>& copied() const { return copied_; }

  private:
    std::uint32_t vertex(std::uint32_t v);

    const Mesh& from_;
    Mesh& to_;
    std::vector<std::uint32_t> of_;  ///< new index of each vertex
    std::vector<std::uint32_t> copied_;
};

/// Removes vertices that no triangle uses; the others are ordered by first use. Morphs are dropped, because
/// they refer to the old vertices.
Mesh without_unused_vertices(const Mesh& mesh);

}  // namespace sinew::geometry
