// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// A mesh on the graphics card, which of its sides are visible, and its normals during motion.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sinew/base/monitor.h"
#include "sinew/geometry/mesh.h"
#include "sinew/render/gl/objects.h"
#include "sinew/render/gl/shaders.h"
#include "sinew/render/renderer.h"

namespace sinew::render::gl {

enum class Facing {
    any,      ///< open, or unknown: both sides may be visible
    outward,  ///< closed, counterclockwise from outside
    inward,   ///< closed, clockwise from outside
};

/// Outward or inward only when every shell is closed (each directed edge has one opposite twin, vertices at
/// the same position being one) and all of them enclose volume of the same sign: then half of the triangles
/// need not be drawn.
Facing facing_of(const geometry::Mesh& mesh);

/// True when the triangles enclose negative volume: the pose has inverted a closed mesh, as mirroring does.
bool is_inside_out(std::span<const geometry::Vec3f> positions, std::span<const geometry::Triangle> triangles);

// Smooth normals of a mesh with moving vertices.

/// Stores which vertices share a normal: those at the same position that also had the same rest normal, so
/// that hard edges stay hard and seams stay invisible.
/// that hard edges stay hard and seams stay invisible.
class SmoothNormals {
  public:
    explicit SmoothNormals(const geometry::Mesh& mesh);
    /// Sums of face normals weighted by area, normalised; zero where a vertex has no adjacent area.
    void compute(std::span<const geometry::Vec3f> positions, std::vector<geometry::Vec3f>& normals) const;

  private:
    std::vector<std::uint32_t> leader_;  ///< lowest vertex with the same normal
    std::vector<geometry::Triangle> triangles_;
};

// A mesh on the graphics card.

/// Which triangles of a mesh to draw.
enum class Pick { opaque, blended, all };

class GpuMesh {
  public:
    /// Images that cannot be read are skipped with a warning. \throws Error when an index is out of range.
    GpuMesh(const geometry::Mesh& mesh, Monitor& monitor);

    /// Uploads the arrays of a drawable. \throws Error when the length of an array differs from the number of
    /// vertices.
    /// vertices.
    void update(const Drawable& drawable);
    const geometry::Box& bounds() const { return bounds_; }

    /// Draws with the program in use: sets the material of each part, then draws its triangles. Blended parts
    /// are drawn from far to near.
    void draw(const Program& program, const Drawable& drawable, Pick pick, const math::Vec3f& backward) const;

  private:
    struct Part {
        GLsizei first = 0;
        GLsizei count = 0;
        int material = -1;
        math::Vec3f center = math::Vec3f::Zero();
    };
    void upload_vertices(const geometry::Mesh& mesh);
    void upload_parts(const geometry::Mesh& mesh);
    void upload_images(const geometry::Mesh& mesh, Monitor& monitor);
    void drop_unusable_texture(geometry::Material& material, const geometry::Mesh& mesh,
                               Monitor& monitor) const;
    void use_material(const Program& program, const Drawable& drawable, int material) const;
    bool is_blended(const Part& part, const Drawable& drawable) const;
    void choose_sides(const Part& part, const Drawable& drawable) const;
    void bind_colors(Surface surface) const;

    std::size_t vertex_count_ = 0;
    VertexArray vertices_;
    Buffer positions_;
    Buffer normals_;
    std::vector<Buffer> uvs_;
    Buffer indices_;
    Buffer mesh_colors_;  ///< of the mesh itself; 0 when it has no colours
    Buffer data_colors_;  ///< of the last drawable with colours
    std::vector<Part> parts_;
    std::vector<geometry::Material> materials_;
    std::vector<Texture> images_;  ///< 0 where an image is not used or could not be read
    geometry::Box bounds_;
    std::vector<geometry::Triangle> triangles_;  ///< of a closed mesh, to detect when a pose inverts it
    Facing rest_facing_ = Facing::any;
    Facing facing_ = Facing::any;
    std::optional<SmoothNormals> smooth_;
    std::vector<geometry::Vec3f> normal_scratch_;
};

}  // namespace sinew::render::gl
