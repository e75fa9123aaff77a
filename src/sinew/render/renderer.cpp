#include "sinew/render/renderer.h"

#include <map>
#include <optional>

#include "sinew/base/error.h"
#include "sinew/render/gl/canvas.h"
#include "sinew/render/gl/frame.h"
#include "sinew/render/gl/shadow_pass.h"
#include "sinew/render/gl/shape_pass.h"
#include "sinew/render/gl/surface_pass.h"
#include "sinew/render/headless.h"

namespace sinew::render {

using gl::Draw;
using gl::FrameBlock;
using gl::Tile;

/// Everything that lives in the context.
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

/// Tiles are at most this large, so that the samples of a huge picture do not have to fit into memory at
/// once.
constexpr int tile_side = 2048;
/// Depth in front of this is for shapes that lie over everything.
constexpr double top_depth = 0.1;

void upload_frame(const GlState& gl, const FrameBlock& frame) {
    gl::upload(GL_UNIFORM_BUFFER, gl.frame_block, std::span<const FrameBlock>(&frame, 1), GL_STREAM_DRAW);
    glBindBufferBase(GL_UNIFORM_BUFFER, 0, gl.frame_block.id());
}

void draw_background(const GlState& gl, const Scene& scene) {
    glClearColor(0, 0, 0, 0);
    glClearDepth(1);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    if (scene.background.transparent) return;
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_BLEND);
    gl.programs.background.use();
    glBindVertexArray(gl.nothing.id());
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glBindVertexArray(0);
    glEnable(GL_DEPTH_TEST);
}

void draw_ground(const GlState& gl, const Scene& scene, const Camera& camera) {
    // From below it would only hide the character.
    const float above = camera.orthographic ? camera.backward().y() : camera.eye.y() - scene.ground.height;
    if (!scene.ground.visible || above <= 0) return;
    glEnable(GL_BLEND);
    glDepthMask(GL_FALSE);
    gl.programs.ground.use();
    gl.programs.ground.set("ground_shadow_map", gl::unit_ground_shadow);
    gl.programs.ground.set("contact_map", gl::unit_contact);
    glBindVertexArray(gl.nothing.id());
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    glBindVertexArray(0);
    glDepthMask(GL_TRUE);
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

void set_main_state(const Tile& tile) {
    glViewport(0, 0, tile.width, tile.height);
    glEnable(GL_FRAMEBUFFER_SRGB);
    glEnable(GL_MULTISAMPLE);
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_LEQUAL);
    glDepthMask(GL_TRUE);
    glDisable(GL_CULL_FACE);
    glDisable(GL_SCISSOR_TEST);
    // Colours come out multiplied by alpha over a transparent background, unchanged over an opaque one.
    glBlendEquation(GL_FUNC_ADD);
    glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
}

void draw_tile(GlState& gl, const Scene& scene, const Camera& camera, const FrameBlock& frame,
               std::span<const Draw> draws, const Tile& tile) {
    upload_frame(gl, frame);
    gl.shadows.bind();
    gl.canvas.bind();
    set_main_state(tile);
    draw_background(gl, scene);
    glDepthRange(top_depth, 1);
    gl::draw_opaque(gl.programs, frame, draws);
    draw_solids(gl, scene, Layer::scene);
    draw_ground(gl, scene, camera);
    gl::draw_blended(gl.programs, frame, draws);
    gl::draw_wires(gl.programs, frame, draws);
    draw_marks(gl, scene, Layer::scene);
    glDepthRange(0, top_depth);
    draw_solids(gl, scene, Layer::top);
    draw_marks(gl, scene, Layer::top);
    glDepthRange(0, 1);
    gl.canvas.resolve();
}

/// Leaves a shared context as OpenGL starts out.
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
            fail("", "the scene draws mesh {}, which the renderer does not hold",
                 static_cast<std::uint32_t>(drawable.mesh));
        found->second.update(drawable);
        draws.push_back({&drawable, &found->second});
    }
    return draws;
}

FrameBlock prepare_frame(GlState& gl, const Scene& scene, const Camera& camera, std::span<const Draw> draws,
                         const PictureSize& size) {
    Box bounds;
    Box casters;
    for (const Draw& draw : draws) {
        const Box& box = draw.mesh->bounds();
        if (box.empty()) continue;
        for (Box* target : {&bounds, draw.drawable->casts_shadow ? &casters : &bounds}) {
            target->include(box.low);
            target->include(box.high);
        }
    }
    gl::include_shapes(bounds, scene);
    if (bounds.empty()) {
        bounds.include(camera.target - Vec3f::Constant(0.5f));
        bounds.include(camera.target + Vec3f::Constant(0.5f));
    }
    FrameBlock frame = gl::make_frame(scene, camera, bounds, size.width, size.height);
    gl.shadows.fit(frame, casters);
    if (!scene.lighting.shadows) frame.shadow.w() = 0;
    return frame;
}

/// Draws a picture tile by tile; `take` gets each when it is done.
template <class Take>
void draw_picture(GlState& gl, const Scene& scene, const Camera& camera, const PictureSize& size,
                  const Take& take) {
    check_size(size.width, size.height);
    gl.shadows.prepare();
    gl.shapes.prepare();
    const std::vector<Draw> draws = update_meshes(gl, scene);
    const FrameBlock frame = prepare_frame(gl, scene, camera, draws, size);
    upload_frame(gl, frame);
    gl.shadows.draw(gl.programs, frame,
                    [&](const Mat4f& projection) { gl::draw_casters(gl.programs, projection, draws); });
    for (int bottom = 0; bottom < size.height; bottom += tile_side)
        for (int left = 0; left < size.width; left += tile_side) {
            const Tile tile{left, bottom, std::min(tile_side, size.width - left),
                            std::min(tile_side, size.height - bottom)};
            gl.canvas.prepare(tile.width, tile.height, size.samples);
            draw_tile(gl, scene, camera, gl::for_tile(frame, tile, size.width, size.height), draws, tile);
            take(tile);
        }
    restore_state();
    gl::check_errors("drew a picture");
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
    const HeadlessContext::Scope scope(state_->headless());
    Picture picture(size.width, size.height);
    GlState& gl = *state_->gl;
    draw_picture(gl, scene, camera, size, [&](const Tile& tile) {
        gl.canvas.read_into(picture, tile.left, tile.bottom, tile.width, tile.height);
    });
    if (scene.background.transparent) gl::divide_alpha(picture);
    return picture;
}

void Renderer::draw(const Scene& scene, const Camera& camera, const PictureSize& size, unsigned framebuffer) {
    const HeadlessContext::Scope scope(state_->headless());
    GlState& gl = *state_->gl;
    draw_picture(gl, scene, camera, size, [&](const Tile& tile) {
        gl.canvas.copy_to(framebuffer, tile.left, tile.bottom, tile.width, tile.height);
    });
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
}

}  // namespace sinew::render
