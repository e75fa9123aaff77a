// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Skinning as it is played: set up once, then any method on any pose with nothing allocated.
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
    double width = 0.1;  ///< how fast the likeness of two weight lists falls off
};

/// Optimised centres of rotation, computed once from the rest mesh and its weights; under Method::cor every
/// vertex rotates about its own: c_k = sum over triangles of s(w_k, w_t) area_t centroid_t, divided by the
/// sum of s area, with s(p, v) = sum over pairs of joints of p_j p_l v_j v_l exp(-(p_j v_l - p_l v_j)^2 /
/// width^2) and w_t the mean weights of the corners. A vertex like no triangle keeps its own position.
/// \cite le2016
/// \param mesh,skin the rest mesh and its weights
/// \param options see there
/// \return a centre for each vertex
/// \throws Error when mesh and skin do not fit
std::vector<math::Vec3f> optimized_centers(const geometry::Mesh& mesh, const model::Skin& skin,
                                           const CenterOptions& options = {});

/// \param method a method
/// \param mesh,skin the rest mesh and its weights
/// \return what SkinnerOptions::centers has to hold for the method: optimised centres for Method::cor, else
/// nothing
std::vector<math::Vec3f> centers_for(Method method, const geometry::Mesh& mesh, const model::Skin& skin);

struct SkinnerOptions {
    bool normals = true;    ///< deform normals when the mesh has them
    bool tangents = false;  ///< deform tangents when the mesh has normals and tangents
    bool exact_normals =
        true;  ///< linear blending: normals by the cofactors; false takes the linear part, as most engines
    std::span<const math::Vec3f> centers;  ///< per-vertex centres of rotation, needed by Method::cor
};

/// Arrays of one component each, in the order of slots: the fastest output. Arrays that are empty are not
/// written; the others have Skinner::slot_count() floats, of which those of padding may be left as they are.
struct ComponentArrays {
    std::span<float> position[3];
    std::span<float> normal[3];
    std::span<float> tangent[3];
};

/// A caller's vertex buffer. Vertex v starts `stride * v` bytes in; a member below 0 is not written.
/// Positions and normals are three floats, tangents four.
struct VertexBuffer {
    std::span<std::byte> bytes;
    std::size_t stride = 24;
    std::ptrdiff_t position = 0;
    std::ptrdiff_t normal = 12;
    std::ptrdiff_t tangent = -1;
    bool slot_order = false;  ///< vertices in the order of slots instead of the mesh's own
};

enum class Threads { one, all };

/// What a deformation had to decide.
struct DeformCounts {
    std::size_t degenerate_blends = 0;  ///< vertices whose rotations cancelled: the heaviest joint moved them
    std::size_t nonrigid_joints = 0;    ///< palette entries with scale or shear
    bool operator==(const DeformCounts&) const = default;
};

/// Holds what all instances of a character share. One Skinner serves any number of threads; each instance has
/// a Pose.
class Skinner {
  public:
    /// \param mesh rest mesh
    /// \param skin its weights
    /// \param skeleton whose hierarchy settles the signs of quaternions; may be null
    /// \param options what is deformed besides positions
    /// \throws Error when mesh and skin do not fit each other, or a vertex has no influence
    Skinner(const geometry::Mesh& mesh, const model::Skin& skin, const model::Skeleton* skeleton,
            const SkinnerOptions& options = {});

    /// Memory for one instance's frame.
    class Pose {
      public:
        /// \param skinner on which the instance is deformed
        explicit Pose(const Skinner& skinner);

      private:
        friend class Skinner;
        FrameData frame_;
    };

    /// Another rest shape on the same skin, as morphs make it. Nothing is allocated. No other thread may use
    /// the skinner meanwhile.
    /// \param positions of all vertices
    /// \param normals of all vertices, or none: then they stay
    /// \throws Error when the sizes differ from those of the mesh
    void set_rest(std::span<const math::Vec3f> positions, std::span<const math::Vec3f> normals = {});

    std::size_t vertex_count() const { return layout_.vertex_count(); }
    /// \return vertices and padding, in streaming order
    std::size_t slot_count() const { return layout_.slot_count(); }
    std::size_t palette_size() const { return layout_.palette_size; }
    std::size_t set_count() const { return layout_.sets.size(); }
    /// \return 0 for positions alone, 1 with normals, 2 with tangents
    int vectors() const { return layout_.vectors; }
    /// \return slot of each vertex: index buffers through this map draw what ComponentArrays hold
    std::span<const std::uint32_t> slots() const { return layout_.slots; }
    /// \return bytes held
    std::size_t memory() const;

    /// Deforms into component arrays or a vertex buffer.
    /// \param palette takes rest space to the pose, one matrix for each joint of the skin
    /// \param method how the joints are blended
    /// \param pose memory of the instance
    /// \param out where vertices go
    /// \param threads how many to use
    /// \return what it had to decide
    /// \throws Error when the palette or an output is too short, or the palette is not finite
    DeformCounts deform(std::span<const Mat34f> palette, Method method, Pose& pose,
                        const ComponentArrays& out, Threads threads = Threads::one) const;
    DeformCounts deform(std::span<const Mat34f> palette, Method method, Pose& pose, const VertexBuffer& out,
                        Threads threads = Threads::one) const;

  private:
    /// Vertices of one set that one thread takes at a time, from a whole block on.
    struct Item {
        std::size_t data;  ///< float of its first block
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
