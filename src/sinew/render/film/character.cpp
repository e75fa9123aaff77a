// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/deform/deformer.h"
#include "sinew/deform/skinner.h"
#include "sinew/render/film.h"
#include "sinew/render/film/direction.h"
#include "sinew/render/renderer.h"

namespace sinew::render {
namespace {

float aspect(const RenderOptions& options) {
    return static_cast<float>(options.width) / static_cast<float>(options.height);
}

/// The palette entry that shows the weights of a joint of the skeleton.
std::size_t palette_entry(const model::Skin& skin, int joint) {
    for (std::size_t i = 0; i < skin.joints.size(); ++i)
        if (skin.joints[i].joint == joint) return i;
    fail("", "joint {} moves no part of the skin", joint);
}

std::vector<Vec4f> data_colors(const model::Character& character, const RenderOptions& options) {
    const bool weights = options.coloring == Coloring::weights ||
                         options.coloring == Coloring::joint_weights || options.coloring == Coloring::sets;
    if (weights && !character.has_skin()) fail(character.name, "has no skin weights to show");
    if (options.coloring == Coloring::weights) return weight_colors(character.skin);
    if (options.coloring == Coloring::sets)
        return set_colors(model::group_by_influences(character.skin, &character.skeleton));
    if (options.coloring == Coloring::joint_weights)
        return joint_weight_colors(character.skin, palette_entry(character.skin, options.joint));
    if (options.coloring != Coloring::values) return {};
    if (options.values.size() != character.mesh.vertex_count())
        fail(character.name, "{} values for {} vertices", options.values.size(),
             character.mesh.vertex_count());
    return scalar_colors(options.values, options.range.value_or(value_range(options.values)));
}

}  // namespace

CharacterRenderer::CharacterRenderer(Renderer& renderer, const model::Character& character,
                                     const RenderOptions& options, Monitor& monitor)
    : renderer_(renderer), character_(character), options_(options), direction_(options.direction) {
    check_size(options.width, options.height);
    if (!character.has_mesh() && !character.has_skeleton())
        fail(character.name, "nothing to draw: there is neither a mesh nor a skeleton");
    scene_.ground.visible = options.ground;
    scene_.background = options.background;
    scene_.lighting = options.lighting;
    // A character without a mesh is drawn as its skeleton.
    if (!character.has_mesh() && options_.skeleton == SkeletonView::none)
        options_.skeleton = SkeletonView::over;
    if (!character.has_skeleton()) options_.skeleton = SkeletonView::none;
    if (!character.has_mesh()) return;
    colors_ = data_colors(character, options);
    if (options.coloring == Coloring::parts)
        mesh_.emplace(renderer, with_part_colors(character.mesh), monitor);
    else
        mesh_.emplace(renderer, character.mesh, monitor);
    deformer_ = std::make_shared<deform::Deformer>(
        character, deform::DeformerOptions{.method = options.method, .threads = deform::Threads::all});
    Drawable drawable;
    drawable.mesh = mesh_->id();
    drawable.colors = colors_;
    drawable.surface = !colors_.empty()                      ? Surface::colors
                       : options.coloring == Coloring::plain ? Surface::plain
                                                             : Surface::material;
    drawable.shading = options.shading;
    drawable.wireframe = options.wireframe;
    drawable.opacity = options_.skeleton == SkeletonView::xray ? options.xray_opacity : 1.0f;
    const bool materials = drawable.surface != Surface::colors && options.coloring != Coloring::parts;
    if (options_.skeleton == SkeletonView::xray && materials) {
        // Textures would distract from the skeleton inside.
        drawable.surface = Surface::plain;
        drawable.color = {0.16f, 0.22f, 0.31f, 1};
    }
    scene_.drawables.push_back(drawable);
}

void CharacterRenderer::pose(const model::Clip* clip, double time) {
    time_ = time;
    const std::vector<math::Mat4d> world = model::world_matrices(character_, clip, time);
    if (mesh_) {
        const deform::DeformedSkin& posed = deformer_->at(clip, time);
        positions_ = posed.positions;
        normals_ = posed.normals;
        show_vertices();
    }
    if (options_.skeleton == SkeletonView::none) return;
    SkeletonStyle style = options_.skeleton_style;
    style.layer = options_.skeleton == SkeletonView::xray ? Layer::scene : Layer::top;
    Overlay overlay = skeleton_overlay(character_.skeleton, world, style);
    if (scene_.overlays.empty()) scene_.overlays.emplace_back();
    scene_.overlays.front() = std::move(overlay);
}

void CharacterRenderer::pose(std::span<const Vec3f> positions) {
    if (!mesh_) fail(character_.name, "there is no mesh to pose");
    positions_.assign(positions.begin(), positions.end());
    normals_.clear();
    show_vertices();
}

void CharacterRenderer::show_vertices() {
    Drawable& drawable = scene_.drawables.front();
    drawable.positions = positions_;
    drawable.normals = normals_;
}

std::vector<Vec3f> CharacterRenderer::points() const {
    std::vector<Vec3f> points = positions_;
    if (options_.skeleton == SkeletonView::none || scene_.overlays.empty()) return points;
    for (const BoneShape& bone : scene_.overlays.front().bones) points.push_back(bone.end);
    for (const SphereShape& sphere : scene_.overlays.front().spheres) points.push_back(sphere.center);
    return points;
}

Box CharacterRenderer::bounds() const {
    Box box;
    for (const Vec3f& point : points())
        if (point.allFinite()) box.include(point);
    return box;
}

Camera CharacterRenderer::camera() const {
    if (options_.camera) return *options_.camera;
    return fit(axes_of(options_.view), points(), aspect(options_), options_.fit);
}

void CharacterRenderer::set_ground(const Box& box) {
    if (box.empty()) return;
    const bool near_zero = std::abs(box.low.y()) < 0.05f * box.diagonal();
    scene_.ground.height = options_.ground_height.value_or(near_zero ? 0.0f : box.low.y());
}

Picture CharacterRenderer::picture(const Camera& camera) {
    const PictureSize size{options_.width, options_.height, options_.samples};
    Scene scene = direction_.empty() ? scene_ : directed(scene_, direction_, time_);
    if (options_.beside) scene.overlays.push_back(options_.beside(time_));
    return renderer_.render(scene, direction_.empty() ? camera : directed(camera, direction_, time_), size);
}

Picture render_character(Renderer& renderer, const model::Character& character, const model::Clip* clip,
                         double time, const RenderOptions& options, Monitor& monitor) {
    CharacterRenderer drawer(renderer, character, options, monitor);
    drawer.pose(clip, time);
    drawer.set_ground(drawer.bounds());
    return drawer.picture(drawer.camera());
}

}  // namespace sinew::render
