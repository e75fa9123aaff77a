// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Skinner: real-time skinning. It is set up once, then evaluates any method in any pose without allocation.
///
/// \code
/// const Skinner skinner(character.mesh, character.skin, &character.skeleton);  // shared by all instances
/// Skinner::Pose pose(skinner);                                                 // of one instance
/// std::vector<float> vertices(skinner.vertex_count() * 6);
/// skinner.deform(player.palette(), Method::dqs, pose, {std::as_writable_bytes(std::span(vertices))});
/// \endcode

#include <cstddef>
#include <memory>
#include <span>

#include "sinew/deform/blend.h"

namespace sinew::deform {

struct CenterOptions {
    double width = 0.1;  ///< width of the similarity function of two weight lists
};

/// Optimised centres of rotation, computed once from the rest mesh and its weights. With Method::cor every
/// vertex rotates about its own centre c_k = sum over triangles of s(w_k, w_t) area_t centroid_t, divided by
/// the sum of s area, with the similarity s(p, v) = sum over pairs of joints of p_j p_l v_j v_l exp(-(p_j v_l
/// - p_l v_j)^2 / width^2) and the mean weights w_t of the corners. A vertex that is similar to no triangle
/// has its own position as centre.
/// \cite le2016
/// \param mesh,skin the rest mesh and its weights
/// \param options width of the similarity
/// \return one centre per vertex
/// \throws Error when mesh and skin are inconsistent
std::vector<math::Vec3f> optimized_centers(const geometry::Mesh& mesh, const model::Skin& skin,
                                           const CenterOptions& options = {});

/// \param method a skinning method
/// \param mesh,skin the rest mesh and its weights
/// \return the value of SkinnerOptions::centers for this method: optimised centres for Method::cor, otherwise
/// empty
std::vector<math::Vec3f> centers_for(Method method, const geometry::Mesh& mesh, const model::Skin& skin);

struct SkinnerOptions {
    bool normals = true;        ///< deform normals, if the mesh has them
    bool tangents = false;      ///< deform tangents, if the mesh has normals and tangents
    bool exact_normals = true;  ///< linear blending: transform normals by cofactors; false uses the linear
                                ///< part, as most engines do
    std::span<const math::Vec3f> centers;  ///< per-vertex centres of rotation; required by Method::cor
};

/// Output as separate arrays per component, in slot order: the fastest form. Empty arrays are not written;
/// the others have Skinner::slot_count() floats. Values of padding slots are unspecified.
struct ComponentArrays {
    std::span<float> position[3];
    std::span<float> normal[3];
    std::span<float> tangent[3];
};

/// Output to a vertex buffer of the caller. Vertex v starts at byte `stride * v`; attributes with a negative
/// offset are not written. Positions and normals are three floats, tangents four.
struct VertexBuffer {
    std::span<std::byte> bytes;
    std::size_t stride = 24;
    std::ptrdiff_t position = 0;
    std::ptrdiff_t normal = 12;
    std::ptrdiff_t tangent = -1;
    bool slot_order = false;  ///< write vertices in slot order instead of mesh order
};

enum class Threads { one, all };

/// Special cases that occurred in a deformation.
struct DeformCounts {
    std::size_t degenerate_blends =
        0;  ///< vertices whose blended rotations cancelled; they follow the heaviest joint
    std::size_t nonrigid_joints = 0;  ///< palette entries with scale or shear
    bool operator==(const DeformCounts&) const = default;
};

/// Data shared by all instances of a character. One Skinner can be used by any number of threads; each
/// instance has its own Pose.
class Skinner {
  public:
    /// \param mesh rest mesh
    /// \param skin its weights
    /// \param skeleton hierarchy that defines the signs of quaternions; may be null
    /// \param options what to deform besides positions
    /// \throws Error when mesh and skin are inconsistent, or a vertex has no influence
    Skinner(const geometry::Mesh& mesh, const model::Skin& skin, const model::Skeleton* skeleton,
            const SkinnerOptions& options = {});

    /// Working memory of one instance.
    class Pose {
      public:
        /// \param skinner the skinner that deforms the instance
        explicit Pose(const Skinner& skinner);

      private:
        friend class Skinner;
        FrameData frame_;
    };

    /// Replaces the rest shape, for example with morphs applied. Allocates nothing. No other thread may use
    /// the skinner during the call.
    /// \param positions of all vertices
    /// \param normals of all vertices; empty keeps the old ones
    /// \throws Error when the sizes differ from those of the mesh
    void set_rest(std::span<const math::Vec3f> positions, std::span<const math::Vec3f> normals = {});

    std::size_t vertex_count() const { return layout_.vertex_count(); }
    /// \return number of slots: vertices and padding, in streaming order
    std::size_t slot_count() const { return layout_.slot_count(); }
    std::size_t palette_size() const { return layout_.palette_size; }
    std::size_t set_count() const { return layout_.sets.size(); }
    /// \return 0 for positions only, 1 with normals, 2 with normals and tangents
    int vectors() const { return layout_.vectors; }
    /// \return slot of each vertex: map index buffers through it to draw from ComponentArrays
    std::span<const std::uint32_t> slots() const { return layout_.slots; }
    /// \return memory in bytes
    std::size_t memory() const;

    /// Deforms the mesh and writes to component arrays or a vertex buffer.
    /// \param palette matrices from rest to posed, one per joint of the skin
    /// \param method skinning method
    /// \param pose working memory of the instance
    /// \param out destination of the vertices
    /// \param threads one thread or all
    /// \return special cases that occurred
    /// \throws Error when the palette or an output is too short, or the palette is not finite
    DeformCounts deform(std::span<const Mat34f> palette, Method method, Pose& pose,
                        const ComponentArrays& out, Threads threads = Threads::one) const;
    DeformCounts deform(std::span<const Mat34f> palette, Method method, Pose& pose, const VertexBuffer& out,
                        Threads threads = Threads::one) const;

  private:
    /// Vertices of one set that one thread processes at once, starting at a whole block.
    struct Item {
        std::size_t data;  ///< offset of its first block, in floats
        std::uint32_t set;
        std::uint32_t first_slot;
        std::uint32_t vertices;  ///< without padding
    };

    void prepare(std::span<const Mat34f> palette, Method method, Pose& pose) const;
    template <class Work>
    DeformCounts run(const Pose& pose, Threads threads, const Work& work) const;

    SkinLayout layout_;
    std::vector<Item> items_;
    std::vector<math::Vec3d> joint_centers_;
    double size_ = 1;
    bool exact_normals_ = true;
};

}  // namespace sinew::deform
