// SPDX-License-Identifier: MIT
#include "viewport.h"

#include <algorithm>

#include "actions.h"
#include "keys.h"
#include <epoxy/gl.h>

#include "sinew/pipeline/publish.h"

namespace sinew::studio {
namespace {

/// Smooths a number so that it does not flicker.
void smooth(double& shown, double now) {
    shown = shown == 0 ? now : 0.9 * shown + 0.1 * now;
}

void drop_shadows(render::Scene& scene) {
    scene.lighting.shadows = scene.ground.shadow = false;
    for (render::Drawable& drawable : scene.drawables) drawable.casts_shadow = false;
}

}  // namespace

Viewport::Viewport() : renderer_(render::Renderer::Context::current), stage_(renderer_) {
    for (Target* target : {&target_, &other_target_}) {
        glGenTextures(1, &target->texture);
        glGenFramebuffers(1, &target->framebuffer);
    }
}

Viewport::~Viewport() {
    for (const Target* target : {&target_, &other_target_}) {
        glDeleteFramebuffers(1, &target->framebuffer);
        glDeleteTextures(1, &target->texture);
    }
}

void Viewport::Target::resize(int wide, int high) {
    if (wide == width && high == height) return;
    width = wide;
    height = high;
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glBindTexture(GL_TEXTURE_2D, 0);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

bool Viewport::is_moving(const State& state) {
    const render::OrbitCamera& now = state.camera;
    const bool rotated = now.target != seen_from_.target || now.heading != seen_from_.heading ||
                         now.pitch != seen_from_.pitch || now.distance != seen_from_.distance;
    seen_from_ = now;
    return rotated || state.timeline.playing || input_.dragging();
}

void Viewport::go_along(State& state, const PosedBody& posed) {
    const bool fresh = followed_ != state.document.character;
    if (fresh) pelvis_joint_ = pipeline::camera_joint(state.character().skeleton);
    followed_ = state.document.character;
    if (pelvis_joint_ < 0) return;
    const Vec3f now =
        posed.world[static_cast<std::size_t>(pelvis_joint_)].topRightCorner<3, 1>().cast<float>();
    if (state.camera_mode.follow && !fresh && !state.frame_wanted) follow(state.camera, pelvis_, now);
    pelvis_ = now;
}

void Viewport::draw(State& state, int width, int height, bool touched) {
    const double start = thread_seconds();
    const bool drawn = draw_picture(state, width, height, touched);
    cpu_ = drawn ? thread_seconds() - start : 0;
}

bool Viewport::draw_picture(State& state, int width, int height, bool touched) {
    width = std::clamp(width, 16, render::Picture::max_side);
    height = std::clamp(height, 16, render::Picture::max_side);
    if (poser_.ready(state) && !state.frame_wanted && shown_) {
        const bool same = *shown_ == look_of(state, input_.gizmo(state, poser_.last()), width, height);
        if (same && (!answered_ || touched)) return false;
    }
    const bool moving = state.view.adaptive && (is_moving(state) || touched);
    const Quality quality = quality_.next(moving, seconds_, state.view.adaptive && touched);
    answered_ = quality != Quality::full;
    const int divisor = quality == Quality::half ? 2 : 1;
    target_.resize(width / divisor, height / divisor);
    MessageMonitor monitor(state.messages);
    const PosedBody& posed = poser_.pose(state, state.skin, monitor);
    smooth(state.times.skin, posed.seconds);
    go_along(state, posed);
    if (state.frame_wanted) {
        geometry::Box box = posed.bounds();
        stage_.include_others(state, box);
        if (box.empty()) box = {Vec3f(-1, 0, -1), Vec3f(1, 2, 1)};
        render::frame(state.camera, box, static_cast<float>(width) / static_cast<float>(height));
        state.frame_wanted = false;
    }
    const double start = seconds_now();
    render::Scene& scene = stage_.update(state, posed, input_.gizmo(state, posed), monitor);
    if (quality != Quality::full) drop_shadows(scene);
    const int samples = quality == Quality::full ? state.view.samples : 1;
    compared_ = state.compare.on && state.character().has_skin() && !posed.closed && !state.cast.hidden &&
                !scene.drawables.empty();
    if (compared_) draw_other(state, scene, posed, samples, monitor);
    if (compared_ && state.compare.heat) show_difference(scene);
    renderer_.draw(scene, to_camera(state.camera), {target_.width, target_.height, samples},
                   target_.framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glFinish();
    seconds_ = seconds_now() - start;
    shown_ = look_of(state, input_.gizmo(state, posed), width, height);
    smooth(state.times.draw, seconds_);
    return true;
}

/// The same scene with the vertices of the second method.
void Viewport::draw_other(State& state, const render::Scene& scene, const PosedBody& posed, int samples,
                          Monitor& monitor) {
    const CompareSettings& compare = state.compare;
    const bool others_weights =
        compare.weights && compare.weights->mesh.vertex_count() == state.character().mesh.vertex_count() &&
        compare.weights->skeleton.size() == state.character().skeleton.size();
    const PosedBody& other =
        other_poser_.pose(state, others_weights ? compare.weights : state.document.character,
                          {compare.method, false, state.skin.correction}, monitor);
    std::vector<float> distance(posed.positions.size());
    for (std::size_t v = 0; v < distance.size(); ++v)
        distance[v] = (posed.positions[v] - other.positions[v]).norm();
    const float most = distance.empty() ? 0 : *std::ranges::max_element(distance);
    state.compared = static_cast<double>(most);
    difference_ = render::scalar_colors(distance, {0, std::max(most, 1e-6f)});
    render::Scene second = scene;
    second.drawables[0].positions = other.positions;
    second.drawables[0].normals = other.normals;
    if (state.compare.heat) show_difference(second);
    other_target_.resize(target_.width, target_.height);
    renderer_.draw(second, to_camera(state.camera), {target_.width, target_.height, samples},
                   other_target_.framebuffer);
}

void Viewport::show_difference(render::Scene& scene) const {
    scene.drawables[0].surface = render::Surface::colors;
    scene.drawables[0].colors = difference_;
}

render::Picture Viewport::picture() const {
    render::Picture picture(std::max(target_.width, 1), std::max(target_.height, 1));
    glBindFramebuffer(GL_READ_FRAMEBUFFER, target_.framebuffer);
    glPixelStorei(GL_PACK_ALIGNMENT, 4);
    std::vector<render::Pixel> rows(picture.pixels.size());
    glReadPixels(0, 0, picture.width, picture.height, GL_RGBA, GL_UNSIGNED_BYTE, rows.data());
    glBindFramebuffer(GL_READ_FRAMEBUFFER, 0);
    const auto width = static_cast<std::size_t>(picture.width);
    for (int y = 0; y < picture.height; ++y)
        std::copy_n(rows.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(y) * width), width,
                    &picture.at(0, picture.height - 1 - y));
    return picture;
}

}  // namespace sinew::studio
