#pragma once
/// \file
/// Skinning as it is played: set up once, then any method on any pose with nothing allocated.

#include <cstddef>
#include <memory>
#include <span>

#include "sinew/deform/blend.h"
#include "sinew/deform/reference.h"

namespace sinew::deform {

struct FrameData;

struct SkinnerOptions {
    bool normals = true;    ///< deform normals when the mesh has them
    bool tangents = false;  ///< deform tangents when the mesh has normals and tangents
    bool exact_normals =
        true;  ///< linear blending: normals by the cofactors; false takes the linear part, as most engines
    std::span<const math::Vec3f> centers;  ///< per-vertex centres of rotation, needed by Method::cor
};

/// Arrays of one component each, in the order of slots: the fastest output. Arrays that are empty are not
/// written; the others have Skinner::slot_count() floats.
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

/// Holds what all instances of a character share. One Skinner serves any number of threads; each instance has
/// a Pose.
class Skinner {
  public:
    /// \throws Error when mesh and skin do not fit each other, or a vertex has no influence.
    Skinner(const geometry::Mesh& mesh, const model::Skin& skin, const model::Skeleton* skeleton,
            const SkinnerOptions& options = {});

    /// Room for one instance's frame.
    class Pose {
      public:
        explicit Pose(const Skinner& skinner);
        Pose(Pose&&) noexcept;
        Pose& operator=(Pose&&) noexcept;
        ~Pose();

      private:
        friend class Skinner;
        std::unique_ptr<FrameData> frame_;
    };

    std::size_t vertex_count() const { return layout_.vertex_count(); }
    /// Vertices and padding, in streaming order.
    std::size_t slot_count() const { return layout_.slot_count(); }
    std::size_t palette_size() const { return layout_.palette_size; }
    std::size_t set_count() const { return layout_.sets.size(); }
    int vectors() const { return layout_.vectors; }
    /// Slot of each vertex: index buffers through this map draw what ComponentArrays hold.
    std::span<const std::uint32_t> slots() const { return layout_.slots; }
    /// Bytes held.
    std::size_t memory() const;

    /// Deforms into component arrays or a vertex buffer. `palette` takes rest space to the pose.
    /// \throws Error when the palette or an output is too short, or the palette is not finite.
    DeformCounts deform(std::span<const Mat34f> palette, Method method, Pose& pose,
                        const ComponentArrays& out, Threads threads = Threads::one) const;
    DeformCounts deform(std::span<const Mat34f> palette, Method method, Pose& pose, const VertexBuffer& out,
                        Threads threads = Threads::one) const;

  private:
    /// Blocks of one set that one thread takes at a time.
    struct Item {
        std::uint32_t set;
        std::uint32_t first_block;
        std::uint32_t blocks;
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
