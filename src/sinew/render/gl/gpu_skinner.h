// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Skinning on the graphics card: palettes of a whole clip are uploaded once, then any frame of it is
/// deformed and drawn, for one character or a crowd.
///
/// \code
/// GpuSkinner skinner(renderer, mesh, skin, &skeleton);
/// skinner.set_palettes(clip_palettes, deform::Method::dqs);
/// const std::vector<CrowdMember> members = ...;  // a frame and a placement each
/// scene.crowds.push_back({&skinner, members});
/// save_png("crowd.png", renderer.render(scene, camera));
/// \endcode

#include <memory>
#include <span>
#include <vector>

#include "sinew/deform/blend.h"
#include "sinew/deform/method.h"
#include "sinew/geometry/mesh.h"
#include "sinew/model/skin.h"
#include "sinew/render/renderer.h"

namespace sinew::render {

namespace gl {
class GpuSkin;
}

/// Storage of weights on the card. In both formats the first influence gets the remainder to 1, so that
/// blends are convex.
enum class WeightFormat {
    unorm16,  ///< 2 bytes each, steps of 1/65535
    float32,
};

struct GpuSkinnerOptions {
    WeightFormat weights = WeightFormat::unorm16;
    bool exact_normals = true;  ///< linear blending: normals by the cofactors; false takes the linear part
};

/// Results read back from the card.
struct GpuVertices {
    std::vector<math::Vec3f> positions;
    std::vector<math::Vec3f> normals;  ///< unit; empty when the mesh has none
};

/// Holds a mesh, its skin and the palettes of a clip on the card, in the context of a renderer, which must
/// outlive it. Use both from one thread at a time.
///
/// It blends the coefficients that the CPU's Skinner blends, computed by the same functions (see
/// GpuPalettes), and so agrees with it in every pose. Methods: lbs, dqs, sbs and qlb; scale and shear in two
/// phases, as on the CPU.
class GpuSkinner {
  public:
    /// \throws Error when mesh and skin do not fit each other, a vertex has no influence or more than 8, or
    /// there are more joints than 65536.
    GpuSkinner(Renderer& renderer, const geometry::Mesh& mesh, const model::Skin& skin,
               const model::Skeleton* skeleton, const GpuSkinnerOptions& options = {});
    GpuSkinner(const GpuSkinner&) = delete;
    GpuSkinner& operator=(const GpuSkinner&) = delete;
    ~GpuSkinner();

    /// Uploads frames: `palettes` holds the palettes of all frames, concatenated.
    /// \throws Error when the palettes are incomplete, a number is not finite, the method has no shader, or
    /// they are more than the card can index. The previous frames are then kept.
    void set_palettes(std::span<const deform::Mat34f> palettes, deform::Method method);

    std::size_t vertex_count() const;
    std::size_t palette_size() const;  ///< matrices per frame
    std::size_t frame_count() const;   ///< of the palettes uploaded last
    int influences() const;            ///< maximum per vertex: 4 or 8
    /// Bytes on the card, in total and for palettes.
    std::size_t memory() const;
    std::size_t palette_memory() const;

    /// Deforms a frame and reads the vertices back.
    /// \throws Error when there is no such frame.
    GpuVertices deform(std::size_t frame);
    /// The same for a crowd: all members with their placements, concatenated.
    GpuVertices deform(std::span<const CrowdMember> crowd);

    /// Bounding box of a crowd.
    Box bounds(std::span<const CrowdMember> crowd);

    /// For the renderer that draws it.
    const Renderer& renderer() const { return renderer_; }
    gl::GpuSkin& skin() const { return *skin_; }

  private:
    Renderer& renderer_;
    std::unique_ptr<gl::GpuSkin> skin_;
};

/// A single pose: set up, deform, read back.
GpuVertices deform_on_gpu(Renderer& renderer, const geometry::Mesh& mesh, const model::Skin& skin,
                          const model::Skeleton* skeleton, std::span<const deform::Mat34f> palette,
                          deform::Method method, const GpuSkinnerOptions& options = {});

}  // namespace sinew::render
