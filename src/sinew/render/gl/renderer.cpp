// SPDX-License-Identifier: MIT
#include "sinew/render/renderer.h"

#include <map>
#include <optional>

#include "sinew/base/error.h"
#include "sinew/render/gl/canvas.h"
#include "sinew/render/gl/frame.h"
#include "sinew/render/gl/gpu_skinner.h"
#include "sinew/render/gl/passes.h"
#include "sinew/render/gl/skin.h"

namespace sinew::render {

using gl::Draw;
using gl::FrameBlock;
using gl::Tile;

/// All objects of the context.
struct GlState {
    gl::Programs programs = gl::make_programs();
    gl::Buffer frame_block = gl::make_buffer();
    gl::VertexArray nothing = gl::make_vertex_array();
    gl::Canvas canvas;
    gl::ShadowPass shadows;
    gl::ShapePass shapes;
    std::map<MeshId, gl::GpuMesh> meshes;
    std::uint32_t next_mesh = 1;
};

struct Renderer::State {
    std::optional<HeadlessContext> context;
    std::optional<GlState> gl;
    HeadlessContext* headless() { return context ? &*context : nullptr; }
};

namespace {

/// Maximum size of tiles, so that the samples of a very large picture need not fit into memory at once.
constexpr int tile_side = 2048;
/// Depth nearer than this is reserved for shapes drawn over everything.
constexpr double top_depth = 0.1;

void upload_frame(const GlState& gl, const FrameBlock& frame) {
    gl::upload(GL_UNIFORM_BUFFER, gl.frame_block, std::span<const FrameBlock>(&frame, 1), GL_STREAM_DRAW);
    glBindBufferBase(GL_UNIFORM_BUFFER, 0, gl.frame_block.id());
}

/// A triangle over the whole viewport, or a strip of four corners; the vertex shader computes the positions.
void draw_plain(const GlState& gl, GLenum mode, GLsizei count) {
    glBindVertexArray(gl.nothing.id());
    glDrawArrays(mode, 0, count);
    glBindVertexArray(0);
}

/// Draws everything without silhouettes. The ground is only visible from above and is behind all objects on
/// it, so it needs no depth test.
void draw_backdrop(const GlState& gl, const Scene& scene, const Camera& camera, const FrameBlock& frame) {
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_BLEND);
    glClearColor(0, 0, 0, 0);
    glClear(GL_COLOR_BUFFER_BIT);
    if (!scene.background.transparent) {
        gl.programs.background.use();
        draw_plain(gl, GL_TRIANGLES, 3);
    }
    const float above = camera.orthographic ? camera.backward().y() : camera.eye.y() - scene.ground.height;
    if (!scene.ground.visible || above <= 0) return;
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    if (scene.ground.grid || scene.ground.axes) {
        gl.programs.ground.use();
        draw_plain(gl, GL_TRIANGLE_STRIP, 4);
    }
    if (frame.ground_parts.z() > 0.5f) {
        const gl::Program& dark = gl.programs.ground_dark;
        dark.use();
        dark.set("ground_shadow_map", gl::unit_ground_shadow);
        dark.set("contact_map", gl::unit_contact);
        draw_plain(gl, GL_TRIANGLE_STRIP, 4);
    }
}

void draw_solids(GlState& gl, const Scene& scene, Layer layer) {
    glDisable(GL_BLEND);
    for (const Overlay& overlay : scene.overlays)
        if (overlay.layer == layer) gl.shapes.draw_solids(gl.programs, overlay);
}

void draw_marks(GlState& gl, const Scene& scene, Layer layer) {
    glEnable(GL_BLEND);
    for (const Overlay& overlay : scene.overlays)
        if (overlay.layer == layer) gl.shapes.draw_marks(gl.programs, overlay);
}

void set_main_state(int width, int height) {
    glViewport(0, 0, width, height);
    glEnable(GL_FRAMEBUFFER_SRGB);
    glEnable(GL_MULTISAMPLE);
    glDisable(GL_CULL_FACE);
    glDisable(GL_SCISSOR_TEST);
    glBlendEquation(GL_FUNC_ADD);
}

/// Meshes and shapes with several samples per pixel, on a transparent background: colours are multiplied by
/// alpha.
void draw_things(GlState& gl, const Scene& scene, const FrameBlock& frame, std::span<const Draw> draws) {
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_LEQUAL);
    glDepthMask(GL_TRUE);
    glClearColor(0, 0, 0, 0);
    glClearDepth(1);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    glDepthRange(top_depth, 1);
    gl::draw_opaque(gl.programs, frame, draws);
    for (const Crowd& crowd : scene.crowds) crowd.skinner->skin().draw(crowd.members, frame);
    draw_solids(gl, scene, Layer::scene);
    gl::draw_blended(gl.programs, frame, draws);
    gl::draw_wires(gl.programs, frame, draws);
    draw_marks(gl, scene, Layer::scene);
    glDepthRange(0, top_depth);
    draw_solids(gl, scene, Layer::top);
    draw_marks(gl, scene, Layer::top);
    glDepthRange(0, 1);
}

/// Blends the resolved samples over the backdrop.
void composite(const GlState& gl, const Tile& tile, const Tile& part) {
    const int left = part.left - tile.left;
    const int bottom = part.bottom - tile.bottom;
    gl.canvas.bind_picture();
    glViewport(left, bottom, part.width, part.height);
    glDisable(GL_DEPTH_TEST);
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    gl.programs.composite.use();
    gl.programs.composite.set("drawn", gl::unit_base_color);
    gl.programs.composite.set("corner", Vec4f(static_cast<float>(left), static_cast<float>(bottom), 0, 0));
    gl::bind_texture(gl::unit_base_color, GL_TEXTURE_2D, gl.canvas.resolved());
    draw_plain(gl, GL_TRIANGLES, 3);
}

/// Restores the initial OpenGL state of a shared context.
void restore_state() {
    glUseProgram(0);
    glBindVertexArray(0);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    glActiveTexture(GL_TEXTURE0);
    glDisable(GL_BLEND);
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_FRAMEBUFFER_SRGB);
}

std::vector<Draw> update_meshes(GlState& gl, const Scene& scene) {
    std::vector<Draw> draws;
    for (const Drawable& drawable : scene.drawables) {
        const auto found = gl.meshes.find(drawable.mesh);
        if (found == gl.meshes.end())
            fail("", "the scene refers to mesh {}, which the renderer does not have",
                 static_cast<std::uint32_t>(drawable.mesh));
        found->second.update(drawable);
        draws.push_back({&drawable, &found->second});
    }
    return draws;
}

void draw_casters(const GlState& gl, const Scene& scene, std::span<const Draw> draws,
                  const Mat4f& projection) {
    gl::draw_casters(gl.programs, projection, draws);
    for (const Crowd& crowd : scene.crowds)
        if (crowd.casts_shadow) crowd.skinner->skin().draw_depth(crowd.members, projection);
}

void check_crowds(const Scene& scene, const Renderer& renderer) {
    for (const Crowd& crowd : scene.crowds)
        if (crowd.skinner == nullptr || &crowd.skinner->renderer() != &renderer)
            fail("", "the crowd of the scene belongs to another renderer, or to none");
}

struct PreparedFrame {
    FrameBlock block;
    Box bounds;  ///< of meshes and shapes; empty when there are none
};

PreparedFrame prepare_frame(GlState& gl, const Scene& scene, const Camera& camera,
                            std::span<const Draw> draws, const PictureSize& size) {
    PreparedFrame frame;
    Box casters;
    const auto add = [&](const Box& box, bool casts_shadow) {
        if (box.empty()) return;
        for (Box* target : {&frame.bounds, casts_shadow ? &casters : &frame.bounds}) {
            target->include(box.low);
            target->include(box.high);
        }
    };
    for (const Draw& draw : draws) add(draw.mesh->bounds(), draw.drawable->casts_shadow);
    for (const Crowd& crowd : scene.crowds)
        add(crowd.skinner->skin().bounds(crowd.members), crowd.casts_shadow);
    gl::include_shapes(frame.bounds, scene);
    Box around = frame.bounds;
    if (around.empty()) {
        around.include(camera.target - Vec3f::Constant(0.5f));
        around.include(camera.target + Vec3f::Constant(0.5f));
    }
    frame.block = gl::make_frame(scene, camera, around, size.width, size.height);
    gl.shadows.fit(frame.block, casters);
    if (!scene.lighting.shadows) frame.block.shadow.w() = 0;
    return frame;
}

void draw_tile(GlState& gl, const Scene& scene, const Camera& camera, const PreparedFrame& prepared,
               std::span<const Draw> draws, const Tile& tile, const PictureSize& size) {
    const FrameBlock frame = gl::for_tile(prepared.block, tile, size.width, size.height);
    upload_frame(gl, frame);
    gl.canvas.prepare(tile.width, tile.height);
    gl.shadows.bind();
    gl.canvas.bind_picture();
    set_main_state(tile.width, tile.height);
    draw_backdrop(gl, scene, camera, frame);
    if (prepared.bounds.empty()) return;
    const Tile part = gl::covered(prepared.block, scene, prepared.bounds, tile, size.width, size.height);
    if (part.empty()) return;
    const FrameBlock part_frame = gl::for_tile(prepared.block, part, size.width, size.height);
    upload_frame(gl, part_frame);
    gl.canvas.prepare_samples(part.width, part.height, size.samples);
    gl.canvas.bind_samples();
    set_main_state(part.width, part.height);
    draw_things(gl, scene, part_frame, draws);
    gl.canvas.resolve(part.width, part.height);
    composite(gl, tile, part);
}

/// Draws a picture tile by tile; `take` receives each finished tile.
template <class Take>
void draw_picture(GlState& gl, const Scene& scene, const Camera& camera, const PictureSize& size,
                  const Take& take) {
    check_size(size.width, size.height);
    gl.shadows.prepare();
    gl.shapes.prepare();
    const std::vector<Draw> draws = update_meshes(gl, scene);
    const PreparedFrame frame = prepare_frame(gl, scene, camera, draws, size);
    upload_frame(gl, frame.block);
    gl.shadows.draw(gl.programs, frame.block,
                    [&](const Mat4f& projection) { draw_casters(gl, scene, draws, projection); });
    for (int bottom = 0; bottom < size.height; bottom += tile_side)
        for (int left = 0; left < size.width; left += tile_side) {
            const Tile tile{left, bottom, std::min(tile_side, size.width - left),
                            std::min(tile_side, size.height - bottom)};
            draw_tile(gl, scene, camera, frame, draws, tile, size);
            take(tile);
        }
    restore_state();
    gl::check_errors("drawing a picture");
}

}  // namespace

Renderer::Renderer(Context context) : state_(std::make_unique<State>()) {
    if (context == Context::headless) state_->context.emplace();
    const HeadlessContext::Scope scope(state_->headless());
    if (epoxy_gl_version() < 33)
        fail("OpenGL", "version {}.{} is too old: 3.3 is needed", epoxy_gl_version() / 10,
             epoxy_gl_version() % 10);
    state_->gl.emplace();
}

Renderer::~Renderer() {
    const HeadlessContext::Scope scope(state_->headless());
    state_->gl.reset();
}

HeadlessContext* Renderer::context() const {
    return state_->headless();
}

std::string Renderer::driver() const {
    const HeadlessContext::Scope scope(state_->headless());
    const auto* name = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
    return name != nullptr ? name : "unknown";
}

MeshId Renderer::add_mesh(const geometry::Mesh& mesh, Monitor& monitor) {
    const HeadlessContext::Scope scope(state_->headless());
    GlState& gl = *state_->gl;
    const MeshId id{gl.next_mesh++};
    gl.meshes.emplace(id, gl::GpuMesh(mesh, monitor));
    return id;
}

void Renderer::remove_mesh(MeshId mesh) {
    const HeadlessContext::Scope scope(state_->headless());
    state_->gl->meshes.erase(mesh);
}

Picture Renderer::render(const Scene& scene, const Camera& camera, const PictureSize& size) {
    check_crowds(scene, *this);
    const HeadlessContext::Scope scope(state_->headless());
    Picture picture(size.width, size.height);
    GlState& gl = *state_->gl;
    draw_picture(gl, scene, camera, size, [&](const Tile& tile) { gl.canvas.read_into(picture, tile); });
    if (scene.background.transparent) gl::divide_alpha(picture);
    return picture;
}

void Renderer::draw(const Scene& scene, const Camera& camera, const PictureSize& size, unsigned framebuffer) {
    check_crowds(scene, *this);
    const HeadlessContext::Scope scope(state_->headless());
    GlState& gl = *state_->gl;
    draw_picture(gl, scene, camera, size, [&](const Tile& tile) { gl.canvas.copy_to(framebuffer, tile); });
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
}

}  // namespace sinew::render
