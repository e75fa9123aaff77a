// SPDX-License-Identifier: MIT
#include "sinew/render/gl/gpu_skinner.h"

#include "sinew/base/error.h"
#include "sinew/render/gl/skin.h"
#include "sinew/render/renderer.h"

namespace sinew::render {

GpuSkinner::GpuSkinner(Renderer& renderer, const geometry::Mesh& mesh, const model::Skin& skin,
                       const model::Skeleton* skeleton, const GpuSkinnerOptions& options)
    : renderer_(renderer) {
    const HeadlessContext::Scope scope(renderer_.context());
    skin_ = std::make_unique<gl::GpuSkin>(mesh, skin, skeleton, options);
}

GpuSkinner::~GpuSkinner() {
    const HeadlessContext::Scope scope(renderer_.context());
    skin_.reset();
}

void GpuSkinner::set_palettes(std::span<const deform::Mat34f> palettes, deform::Method method) {
    const HeadlessContext::Scope scope(renderer_.context());
    skin_->set_palettes(palettes, method);
}

std::size_t GpuSkinner::vertex_count() const {
    return skin_->vertex_count();
}
std::size_t GpuSkinner::palette_size() const {
    return skin_->palette_size();
}
std::size_t GpuSkinner::frame_count() const {
    return skin_->frame_count();
}
int GpuSkinner::influences() const {
    return skin_->influences();
}
std::size_t GpuSkinner::memory() const {
    return skin_->memory();
}
std::size_t GpuSkinner::palette_memory() const {
    return skin_->palette_memory();
}

GpuVertices GpuSkinner::deform(std::size_t frame) {
    if (frame >= frame_count())
        fail("GPU skinning", "frame {} does not exist: there are {}", frame, frame_count());
    const CrowdMember member{.frame = static_cast<std::int32_t>(frame)};
    return deform({&member, 1});
}

GpuVertices GpuSkinner::deform(std::span<const CrowdMember> crowd) {
    const HeadlessContext::Scope scope(renderer_.context());
    return skin_->read_back(crowd);
}

Box GpuSkinner::bounds(std::span<const CrowdMember> crowd) {
    const HeadlessContext::Scope scope(renderer_.context());
    return skin_->bounds(crowd);
}

GpuVertices deform_on_gpu(Renderer& renderer, const geometry::Mesh& mesh, const model::Skin& skin,
                          const model::Skeleton* skeleton, std::span<const deform::Mat34f> palette,
                          deform::Method method, const GpuSkinnerOptions& options) {
    GpuSkinner skinner(renderer, mesh, skin, skeleton, options);
    if (palette.size() != skinner.palette_size())
        fail("GPU skinning", "{} matrices for {} joints", palette.size(), skinner.palette_size());
    skinner.set_palettes(palette, method);
    return skinner.deform(0);
}

}  // namespace sinew::render
